"""The figures of the page *Choose*, which grow while further draws are made: bands, curves, limits, small maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from dpviz.errors import DpvizError
from dpviz.language import speaking
from dpviz.language.speaking import told as _
from dpviz.privacy import LEVELS, Level, out_of_100
from dpviz.publishing.mechanism_run import is_much
from dpviz.publishing.standin import forecast_from_standin
from dpviz.releases.release import Release
from dpviz.ui.choose import scene as scenes
from dpviz.ui.choose import words as say
from dpviz.ui.map import charts
from dpviz.ui.map.city_map import Area
from dpviz.ui.map.scene import Accepted, Aside, Chance, Curve, Figures, News, SmallMap
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme
from dpviz.ui.session import methods, sources, state
from dpviz.ui.session.preview import MOST, Band, Brief, Drawn, Limit, Outcome, Previews, Refused, Setting, band
from dpviz.ui.session.session import Session
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import ChooseState

LITTLE = 0.001  # added error that nobody sees
SMALL = 150  # pixels of a small map's width


@dataclass(frozen=True, kw_only=True)
class FigureInputs:
    """The inputs of the figures beside the previews."""

    source: Source
    chosen: ChooseState
    theme: Theme
    area: Area | None  # the watched area
    forecast: str = ""  # what to expect at the level that is looked at
    with_chance: bool = False  # whether the further draws are shown
    water: str = ""  # beneath them


def limit_of(chosen: ChooseState) -> Limit:
    """What the curator can accept, as typed."""
    value = chosen.accept_value / 100 if chosen.accept_measure == "error" else chosen.accept_value
    return Limit(measure=chosen.accept_measure, value=value)


def is_settled(chosen: ChooseState, previews: Previews) -> bool:
    """Return whether the background thread has nothing left to do."""
    answer = previews.accepted(chosen.method, chosen.k, limit_of(chosen))
    return answer.undecided is None and previews.complete(chosen.method, chosen.k)


def news(inputs: FigureInputs, previews: Previews) -> News:
    """All figures as they are now."""
    chosen = inputs.chosen
    series = level_series(previews, chosen.method, chosen.k)
    rows = scenes.of_frame(levels_table(series), words.TABLE_LEVELS)
    return News(
        figures=tuple(figures(inputs, previews, level) for level in LEVELS),
        curves=curves(previews, chosen, series),
        accept=accept(inputs, previews, series["error"]),
        levels={"caption": rows.title, "heads": rows.heads, "rows": rows.rows, "numbers": ()},
        chance=chance(inputs, previews) if inputs.with_chance else None,
    )


def figures(inputs: FigureInputs, previews: Previews, level: Level) -> Figures | None:
    """The four figures of one level with their bands; none before it is drawn, or where it has no answer."""
    chosen = inputs.chosen
    known = previews.known(chosen.method, chosen.k)
    drawn = known.get(level.number)
    if not isinstance(drawn, Drawn):
        return None
    draws = previews.repeats(Setting(method=chosen.method, k=chosen.k, level=level.number))[: previews.wanted]
    items = figure_items(drawn, level, known, draws, previews.wanted, inputs.area)
    return Figures(items=tuple(items), warning=mostly_chance(drawn, known))


def curves(previews: Previews, chosen: ChooseState, series: dict[str, list[float | None]]) -> tuple[Curve, ...]:
    """Error and number of points over the levels."""
    names = tuple(words.level_name(level) for level in LEVELS)
    known = previews.known(chosen.method, chosen.k)
    refused = tuple(isinstance(known.get(level.number), Refused) for level in LEVELS)
    gap = _(" A cross means no answer.") if any(refused) else ""
    nothing = _("no answer at any level") if all(refused) else "…"
    without: tuple[None, ...] = (None,) * len(LEVELS)
    return (
        Curve(
            title=say.CURVE_ERROR,
            note=_(
                "Upwards: how much worse the centers fit. That is: how much more the squared "
                "distances from the records to their nearest center add up to than without "
                "protection. Line: the middle of several tries of a level. Band: 9 of 10 tries. "
                "Ring: your level."
            )
            + gap,
            alt=words.curve_alt(say.CURVE_ERROR, names, series["error"], words.percent),
            names=names,
            middle=tuple(series["error"]),
            low=tuple(series["error_low"]),
            high=tuple(series["error_high"]),
            scale="share",
            nothing=nothing,
            refused=refused,
        ),
        Curve(
            title=say.CURVE_SIZE,
            note=_("How many points would be published. The ring marks the chosen level.") + gap,
            alt=words.curve_alt(say.CURVE_SIZE, names, series["size"], words.count),
            names=names,
            middle=tuple(series["size"]),
            low=without,
            high=without,
            scale="count",
            nothing=nothing,
            refused=refused,
        ),
    )


def accept(inputs: FigureInputs, previews: Previews, errors: Sequence[float | None]) -> Accepted:
    """Which level keeps the limit, and the other end of the trade."""
    chosen = inputs.chosen
    limit = limit_of(chosen)
    answer = previews.accepted(chosen.method, chosen.k, limit)
    shown = (
        speaking.figures(f"{100 * limit.value:g}\u00a0%") if limit.measure == "error" else words.distance(limit.value)
    )
    asides = asides_of(inputs, errors)
    if answer.undecided is not None:
        told = _("Trying “{level}”: {done} of up to {wanted} tries …").format(
            level=words.level_name(answer.undecided), done=answer.done, wanted=MOST
        )
        return Accepted(told=told, progress=answer.done / MOST, asides=asides)
    if answer.level is None:
        return Accepted(
            told=_(
                "No level stays within {limit}, the limit you set, in at least 90 of 100 tries. "
                "Set a larger limit, or ask for fewer clusters."
            ).format(limit=shown),
            asides=asides,
        )
    return Accepted(
        told=_(
            "**{level}** is the strictest level that stays within {limit}, the limit you "
            "set, in at least 90 of 100 tries."
        ).format(level=words.level_name(answer.level), limit=shown),
        found=answer.level.number,
        here=_("This is the level you are looking at."),
        go=say.ACCEPT_GO.format(level=words.level_name(answer.level)),
        asides=asides,
    )


def asides_of(inputs: FigureInputs, errors: Sequence[float | None]) -> tuple[Aside, ...]:
    """Fewer trips where privacy costs nothing, more where it does; and what to expect before anything is spent."""
    source, found = inputs.source, []
    known = [error for error in errors if error is not None]
    if source.id.startswith(sources.CITY):
        if source.days == state.DAYS[-1] and known and max(known) < LITTLE:
            found.append(
                Aside(
                    text=_(
                        "With so many trips even the strictest level makes the map hardly worse. With "
                        "few trips you can see it get worse."
                    ),
                    label=_("Look at one night only"),
                    wish=state.NIGHT,
                )
            )
        elif source.days == state.DAYS[0]:
            found.append(
                Aside(
                    text=_("These are few trips. With more, the same protection would spoil the map less."),
                    label=_("Look at a whole month"),
                    wish={"days": state.DAYS[-1]},
                )
            )
    if inputs.forecast:
        here = inputs.chosen.level.number
        found.append(Aside(levels=tuple(inputs.forecast if level.number == here else "" for level in LEVELS)))
    return tuple(found)


def chance(inputs: FigureInputs, previews: Previews) -> Chance:
    """Further draws of the level that is looked at, as small maps."""
    chosen, source, theme = inputs.chosen, inputs.source, inputs.theme
    note = (
        _(
            "Protection changes the numbers at random, so one map can mislead. Here are "
            "{wanted} more maps that could come out at this level, tried out on the made-up "
            "data. What is published in the end is made anew from your records."
        )
        if source.mode is Mode.STRICT
        else _(
            "Protection changes the numbers at random, so one map can mislead. Here are "
            "{wanted} more maps that could come out at this level, each as likely as the "
            "one above. What is published in the end is made anew."
        )
    )
    made = [
        small_map(source, draw, number)
        for number, draw in enumerate(previews.repeats(scenes.setting_of(chosen))[: previews.wanted], start=1)
        if draw is not None and draw.coreset is not None
    ]
    return Chance(
        level=chosen.level.number,
        note=note.format(wanted=previews.wanted),
        wide=SMALL,
        high=round(charts.small_height(source.box, SMALL), 1),
        land=theme.land,
        water=theme.water,
        water_path=inputs.water,
        draws=tuple(made),
    )


def small_map(source: Source, draw: Brief, number: int) -> SmallMap:
    """One draw: its heaviest points and the centers."""
    assert draw.coreset is not None
    points = draw.coreset
    dots, centers = charts.small_paths(
        source.box,
        points[:, -3],
        points[:, -2],
        points[:, -1],
        [(float(x), float(y)) for x, y in draw.centers[:, -2:]],
        width=SMALL,
    )
    error = words.percent(draw.exact_error)
    alt = _(
        "Map {number} of those that might be published: {points} points, each for a "
        "number of records, and {k} centers. Squared distances from the records to "
        "their nearest center add up to {error} more than without protection."
    ).format(number=number, points=words.whole(draw.size), k=len(draw.centers), error=error)
    return SmallMap(dots=dots, centers=centers, alt=alt, told=f"{say.FIGURE_ERROR_SHORT} {error}")


def forecast(session: Session, source: Source, chosen: ChooseState) -> str:
    """The error to expect, in a sentence, before anything is spent: strict mode tries the level out on the stand-in.

    Empty without a stand-in, and for stricter places, which are not simulated.
    """
    standin = source.standin
    if standin is None or chosen.regions:
        return ""
    key = (source.id, chosen.method, chosen.k, chosen.level.number)
    return describe_forecast(session.recent("forecast", key, lambda: simulate_forecast(standin, chosen)))


def simulate_forecast(standin: Release, chosen: ChooseState) -> Band | None:
    """The error on simulated records. Draws on the stand-in spend nothing: they are post-processing."""
    budget = methods.budget_of(chosen.level, chosen.method)
    try:
        found = forecast_from_standin(standin, k=chosen.k, budget=budget, method=chosen.method)
    except DpvizError:  # the method is not offered for such records; the page says so where the map would be
        return None
    return None if found is None else Band(low=found.low, middle=found.expected, high=found.high)


def describe_forecast(found: Band | None) -> str:
    """A forecast in plain words."""
    if found is None:
        return say.FORECAST_NONE
    low, middle, high = (words.percent(value) for value in (found.low, found.middle, found.high))
    told = _(
        "**Before you publish:** on the made-up data, squared distances to the nearest "
        "center add up to about {expected} more than without protection ({low} to "
        "{high} in 9 of 10 tries). With your records it may be more or less. Trying it "
        "out gives nothing more away."
    ).format(expected=middle, low=low, high=high)
    return f"{told} {say.FORECAST_MUCH}" if is_much(found.middle) else told


def outside(area: Area | None, lon: NDArray[Any], lat: NDArray[Any]) -> int | None:
    """How many points lie outside a watched area."""
    return None if area is None else int((~area.contains(lon, lat)).sum())


def _outside_of_draw(area: Area | None, draw: Brief) -> float | None:
    return None if draw.coreset is None else outside(area, draw.coreset[:, -3], draw.coreset[:, -2])


def figure_items(
    drawn: Drawn,
    level: Level,
    known: dict[int, Outcome],
    repeats: Sequence[Brief | None],
    wanted: int,
    area: Area | None,
) -> list[tuple[str, str, str]]:
    """The four figures with their bands."""
    exact = drawn.exact_evaluation
    # The note of a figure comes once, when all draws are there: a figure that rewrites itself cannot be read.
    draws = [draw for draw in repeats if draw is not None] if len(repeats) >= wanted else []

    def spread(value: float, values: Band | None, show: Any) -> str:
        if values is None:
            return ""
        low, high = show(values.low), show(values.high)
        said = (
            _("{low} in 9 of 10 tries").format(low=low)
            if low == high
            else _("{low} to {high} in 9 of 10 tries").format(low=low, high=high)
        )
        if values.low <= value <= values.high or show(value) in (low, high):
            return said
        return (_("more than usual: {band}") if value > values.high else _("less than usual: {band}")).format(band=said)

    items = [
        (say.FIGURE_SIZE, words.whole(exact.coreset_size), _compared(exact.coreset_size, level, known)),
        (
            say.FIGURE_ERROR,
            words.percent(exact.relative_error),
            spread(exact.relative_error, band(draw.exact_error for draw in draws), words.percent),
        ),
        (
            _("Average shift of centers"),
            words.distance(exact.shift_m),
            spread(exact.shift_m, band(draw.exact_shift_m for draw in draws), words.distance),
        ),
    ]
    raw = drawn.release.raw_coreset
    if area is not None and raw is not None:
        number = outside(area, raw[:, -2], raw[:, -1]) or 0
        values = band(float(found) for draw in draws if (found := _outside_of_draw(area, draw)) is not None)
        items.append(
            (
                _("Points outside {area}").format(area=area.name),
                _("{number} of {all}").format(number=words.whole(number), all=words.whole(len(raw))),
                spread(number, values, words.whole),
            )
        )
    return items


def mostly_chance(drawn: Drawn, known: dict[int, Outcome]) -> str:
    """A warning where the error is large, or more than the whole cost without protection, here or at every level."""
    errors = [found.exact_evaluation.relative_error for found in known.values() if isinstance(found, Drawn)]
    if len(known) == len(LEVELS) and min(errors, default=0.0) > 1:
        return _(
            "These records are too few for this number of clusters: at **every** level the "
            "map is mostly random. Use more records or fewer clusters."
        )
    error = drawn.exact_evaluation.relative_error
    if error > 1:
        return say.MOSTLY_CHANCE
    return (
        _(
            "At this level protection spoils much: squared distances to the nearest center "
            "add up to {error} more than without it. Fewer clusters or a less strict level "
            "would fit better."
        ).format(error=words.percent(error))
        if is_much(error)
        else ""
    )


def _compared(size: int, level: Level, known: dict[int, Outcome]) -> str:
    """Compared with the next stop to the left, once that is known."""
    beside = known.get(level.number - 1)
    if not isinstance(beside, Drawn):
        return ""
    difference = beside.exact_evaluation.coreset_size - size
    name = words.level_name(LEVELS[level.number - 2])
    if difference == 0:
        return say.SAME.format(level=name)
    template = _("{difference} fewer than at “{level}”") if difference > 0 else say.MORE
    return template.format(difference=words.whole(abs(difference)), level=name)


def level_series(previews: Previews, method: str, k: int) -> dict[str, list[float | None]]:
    """Error, shift and size over the levels: middle and band of the draws, or the main preview until there are any."""
    known = previews.known(method, k)
    series: dict[str, list[float | None]] = {
        name: [] for name in ("error", "error_low", "error_high", "shift", "shift_low", "shift_high", "size")
    }
    for level in LEVELS:
        main = known.get(level.number)
        draws = [draw for draw in previews.repeats(Setting(method=method, k=k, level=level.number)) if draw is not None]
        exact = main.exact_evaluation if isinstance(main, Drawn) else None
        for name, values, single in (
            ("error", [draw.exact_error for draw in draws], None if exact is None else exact.relative_error),
            ("shift", [draw.exact_shift_m for draw in draws], None if exact is None else exact.shift_m),
        ):
            found = band(values)
            series[name].append(single if found is None else found.middle)
            series[f"{name}_low"].append(None if found is None else found.low)
            series[f"{name}_high"].append(None if found is None else found.high)
        series["size"].append(None if exact is None else float(exact.coreset_size))
    return series


def levels_table(series: dict[str, list[float | None]]) -> pd.DataFrame:
    """All levels as a table."""
    rows, heads = [], say.LEVEL_HEADS
    for index, level in enumerate(LEVELS):
        size = series["size"][index]
        rows.append(
            {
                heads["level"]: words.level_name(level),
                heads["right"]: str(out_of_100(level.epsilon)),
                heads["points"]: "–" if size is None else words.whole(size),
                heads["error"]: words.percent(series["error"][index]),
                heads["errors"]: _range(series["error_low"][index], series["error_high"][index], words.percent),
                heads["shift"]: _one(series["shift"][index], words.distance),
                heads["shifts"]: _range(series["shift_low"][index], series["shift_high"][index], words.distance),
            }
        )
    return pd.DataFrame(rows)


def _one(value: float | None, show: Any) -> str:
    return "–" if value is None else str(show(value))


def _range(low: float | None, high: float | None, show: Any) -> str:
    return "–" if low is None or high is None else _("{low} to {high}").format(low=show(low), high=show(high))
