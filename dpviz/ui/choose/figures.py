"""The figures of the page *Choose*, which grow while further draws are made: bands, curves, limits, small maps.

All are values as the browser takes them: `web/map.js`, `curves.js` and `tables.js` read them by these names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from dpviz.errors import DpvizError
from dpviz.language import speaking
from dpviz.language.speaking import told as _
from dpviz.privacy import LEVELS, Level, out_of_100
from dpviz.publishing.mechanism_run import is_much
from dpviz.publishing.standin import forecast_from_standin
from dpviz.releases.release import Release
from dpviz.ui.choose.scene import Shown, setting_of
from dpviz.ui.map import charts
from dpviz.ui.map.city_map import Area
from dpviz.ui.page_parts import words
from dpviz.ui.session import methods, sources, state
from dpviz.ui.session.preview import MOST, Band, Brief, Drawn, Limit, Outcome, Previews, Refused, Setting, band
from dpviz.ui.session.session import Session
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import ChooseState

LITTLE = 0.001  # added error that nobody sees
Values = dict[str, Any]
Series = dict[str, list[float | None]]


def limit_of(chosen: ChooseState) -> Limit:
    """What the curator can accept, as typed."""
    value = chosen.accept_value / 100 if chosen.accept_measure == "error" else chosen.accept_value
    return Limit(measure=chosen.accept_measure, value=value)


def is_settled(chosen: ChooseState, previews: Previews) -> bool:
    """Return whether the background thread has nothing left to do."""
    answer = previews.accepted(chosen.method, chosen.k, limit_of(chosen))
    return answer.undecided is None and previews.complete(chosen.method, chosen.k)


def news(shown: Shown, previews: Previews) -> Values:
    """All figures as they are now."""
    series = level_series(previews, shown.chosen.method, shown.chosen.k)
    return {
        "figures": [figures(shown, previews, level) for level in LEVELS],
        "curves": curves(previews, shown.chosen, series),
        "accept": accept(shown, previews, series["error"]),
        "levels": levels_table(series),
        "chance": chance(shown, previews) if shown.with_chance else None,
    }


def figures(shown: Shown, previews: Previews, level: Level) -> Values | None:
    """The four figures of one level with their bands; none before it is drawn, or where it has no answer."""
    setting = Setting(method=shown.chosen.method, k=shown.chosen.k, level=level.number)
    known = previews.known(setting.method, setting.k)
    drawn = known.get(level.number)
    if not isinstance(drawn, Drawn):
        return None
    draws, wanted = previews.repeats(setting), previews.wanted
    items = figure_items(drawn, level, known, draws[:wanted], wanted, shown.area)
    return {"items": items, "warning": mostly_chance(drawn, known)}


def curves(previews: Previews, chosen: ChooseState, series: Series) -> list[Values]:
    """Error and number of points over the levels; None where there is no answer, or none yet."""
    names = [words.level_name(level) for level in LEVELS]
    known = previews.known(chosen.method, chosen.k)
    refused = [isinstance(known.get(level.number), Refused) for level in LEVELS]
    gap = _(" A cross means no answer.") if any(refused) else ""
    shared = {"names": names, "nothing": _("no answer at any level") if all(refused) else "…", "refused": refused}
    error, size = _("Error by level"), _("Protected points by level")
    upwards = _(
        "Upwards: how much worse the centers fit. That is: how much more the squared distances from the records to "
        "their nearest center add up to than without protection. Line: the middle of several tries of a level. Band: "
        "9 of 10 tries. Ring: your level."
    )
    return [
        {
            "title": error,
            "note": upwards + gap,
            "alt": words.curve_alt(error, names, series["error"], words.percent),
            "middle": series["error"],
            "low": series["error_low"],
            "high": series["error_high"],
            "scale": "share",
            **shared,
        },
        {
            "title": size,
            "note": _("How many points would be published. The ring marks the chosen level.") + gap,
            "alt": words.curve_alt(size, names, series["size"], words.count),
            "middle": series["size"],
            "low": [None] * len(LEVELS),
            "high": [None] * len(LEVELS),
            "scale": "count",
            **shared,
        },
    ]


def accept(shown: Shown, previews: Previews, errors: Sequence[float | None]) -> Values:
    """Which level keeps the limit, or the progress of the draws that decide it; and the other end of the trade."""
    limit = limit_of(shown.chosen)
    answer = previews.accepted(shown.chosen.method, shown.chosen.k, limit)
    value = words.distance(limit.value)
    if limit.measure == "error":
        value = speaking.figures(f"{100 * limit.value:g}\u00a0%")
    found: Values = {"progress": None, "asides": asides_of(shown, errors)}
    if answer.undecided is not None:
        told = _("Trying “{level}”: {done} of up to {wanted} tries …").format(
            level=words.level_name(answer.undecided), done=answer.done, wanted=MOST
        )
        return found | {"told": told, "progress": answer.done / MOST}
    if answer.level is None:
        told = _(
            "No level stays within {limit}, the limit you set, in at least 90 of 100 tries. Set a larger limit, or ask "
            "for fewer clusters."
        )
        return found | {"told": told.format(limit=value)}
    level = words.level_name(answer.level)
    told = _(
        "**{level}** is the strictest level that stays within {limit}, the limit you set, in at least 90 of 100 tries."
    )
    return found | {
        "told": told.format(level=level, limit=value),
        "found": answer.level.number,
        "here": _("This is the level you are looking at."),
        "go": _("Go to {level}").format(level=level),
    }


def asides_of(shown: Shown, errors: Sequence[float | None]) -> list[Values]:
    """Fewer trips where privacy costs nothing, more where it does; and what to expect before anything is spent."""
    source = shown.source
    found: list[Values] = []
    known = [error for error in errors if error is not None]
    if source.id.startswith(sources.CITY):
        if source.days == state.DAYS[-1] and known and max(known) < LITTLE:
            text = _(
                "With so many trips even the strictest level makes the map hardly worse. With few trips you can see it "
                "get worse."
            )
            found.append({"text": text, "label": _("Look at one night only"), "wish": state.NIGHT})
        elif source.days == state.DAYS[0]:
            text = _("These are few trips. With more, the same protection would spoil the map less.")
            found.append({"text": text, "label": _("Look at a whole month"), "wish": {"days": state.DAYS[-1]}})
    if shown.forecast:
        found.append({"levels": [shown.forecast if level == shown.chosen.level else "" for level in LEVELS]})
    return found


def chance(shown: Shown, previews: Previews) -> Values:
    """Further draws of the level that is looked at, as small maps."""
    source, theme = shown.source, shown.theme
    note = (
        _(
            "Protection changes the numbers at random, so one map can mislead. Here are {wanted} more maps that could "
            "come out at this level, tried out on the made-up data. What is published in the end is made anew from "
            "your records."
        )
        if source.mode is Mode.STRICT
        else _(
            "Protection changes the numbers at random, so one map can mislead. Here are {wanted} more maps that could "
            "come out at this level, each as likely as the one above. What is published in the end is made anew."
        )
    )
    draws = previews.repeats(setting_of(shown.chosen))[: previews.wanted]
    return {
        "level": shown.chosen.level.number,
        "note": note.format(wanted=previews.wanted),
        "wide": charts.SMALL,
        "high": round(charts.small_height(source.box), 1),
        "land": theme.land,
        "water": theme.water,
        "waterPath": shown.water,
        "draws": [
            small_map(source, draw, number)
            for number, draw in enumerate(draws, start=1)
            if draw is not None and draw.coreset is not None
        ],
    }


def small_map(source: Source, draw: Brief, number: int) -> Values:
    """One draw: its heaviest points and the centers."""
    assert draw.coreset is not None
    lon, lat, weight = draw.coreset[:, -3:].T
    dots, centers = charts.small_paths(source.box, lon, lat, weight, draw.centers[:, -2:])
    error = words.percent(draw.exact_error)
    alt = _(
        "Map {number} of those that might be published: {points} points, each for a number of records, and {k} "
        "centers. Squared distances from the records to their nearest center add up to {error} more than without "
        "protection."
    ).format(number=number, points=words.whole(draw.size), k=len(draw.centers), error=error)
    return {"dots": dots, "centers": centers, "alt": alt, "told": f"{_('error')} {error}"}


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
        return _("**Before you publish:** tried out on the made-up data, this gives no map, or hardly ever one.")
    low, middle, high = map(words.percent, found)
    told = _(
        "**Before you publish:** on the made-up data, squared distances to the nearest center add up to about "
        "{expected} more than without protection ({low} to {high} in 9 of 10 tries). With your records it may be more "
        "or less. Trying it out gives nothing more away."
    ).format(expected=middle, low=low, high=high)
    much = _("That is much worse: fewer clusters or a less strict level would fit better.")
    return f"{told} {much}" if is_much(found.middle) else told


def figure_items(
    drawn: Drawn,
    level: Level,
    known: dict[int, Outcome],
    repeats: Sequence[Brief | None],
    wanted: int,
    area: Area | None,
) -> list[tuple[str, str, str]]:
    """Name, value and note of the four figures, with their bands."""
    exact = drawn.exact_evaluation
    # The note of a figure comes once, when all draws are there: a figure that rewrites itself cannot be read.
    draws = [draw for draw in repeats if draw is not None] if len(repeats) >= wanted else []

    def spread(value: float, values: Band | None, show: Any) -> str:
        if values is None:
            return ""
        low, high = show(values.low), show(values.high)
        said = _("{low} in 9 of 10 tries") if low == high else _("{low} to {high} in 9 of 10 tries")
        said = said.format(low=low, high=high)
        if values.low <= value <= values.high or show(value) in (low, high):
            return said
        return (_("more than usual: {band}") if value > values.high else _("less than usual: {band}")).format(band=said)

    size, error, shift = exact.coreset_size, exact.relative_error, exact.shift_m
    error_note = spread(error, band(draw.exact_error for draw in draws), words.percent)
    shift_note = spread(shift, band(draw.exact_shift_m for draw in draws), words.distance)
    items = [
        (_("Points on the protected map"), words.whole(size), _compared(size, level, known)),
        (_("How much worse the centers fit"), words.percent(error), error_note),
        (_("Average shift of centers"), words.distance(shift), shift_note),
    ]
    raw = drawn.release.raw_coreset
    if area is not None and raw is not None:
        number = _count_outside(area, raw[:, -2:])
        values = band(_count_outside(area, draw.coreset[:, -3:-1]) for draw in draws if draw.coreset is not None)
        said = _("{number} of {all}").format(number=words.whole(number), all=words.whole(len(raw)))
        items.append((_("Points outside {area}").format(area=area.name), said, spread(number, values, words.whole)))
    return items


def _count_outside(area: Area, places: Any) -> float:
    return float((~area.contains(places[:, 0], places[:, 1])).sum())


def mostly_chance(drawn: Drawn, known: dict[int, Outcome]) -> str:
    """A warning where the error is large, or more than the whole cost without protection, here or at every level."""
    errors = [found.exact_evaluation.relative_error for found in known.values() if isinstance(found, Drawn)]
    if len(known) == len(LEVELS) and min(errors, default=0.0) > 1:
        return _(
            "These records are too few for this number of clusters: at **every** level the map is mostly random. Use "
            "more records or fewer clusters."
        )
    error = drawn.exact_evaluation.relative_error
    if error > 1:
        return _(
            "At this level the map is mostly random and of little use: squared distances to the nearest center add up "
            "to more than twice as much as without protection."
        )
    much = _(
        "At this level protection spoils much: squared distances to the nearest center add up to {error} more than "
        "without it. Fewer clusters or a less strict level would fit better."
    )
    return much.format(error=words.percent(error)) if is_much(error) else ""


def _compared(size: int, level: Level, known: dict[int, Outcome]) -> str:
    """Compared with the next stop to the left, once that is known."""
    beside = known.get(level.number - 1)
    if not isinstance(beside, Drawn):
        return ""
    difference = beside.exact_evaluation.coreset_size - size
    said = _("{difference} fewer than at “{level}”") if difference > 0 else _("{difference} more than at “{level}”")
    said = said if difference else _("as many as at “{level}”")
    return said.format(difference=words.whole(abs(difference)), level=words.level_name(LEVELS[level.number - 2]))


def level_series(previews: Previews, method: str, k: int) -> Series:
    """Error, shift and size over the levels: middle and band of the draws, or the main preview until there are any."""
    known = previews.known(method, k)
    series: Series = defaultdict(list)
    for level in LEVELS:
        main = known.get(level.number)
        draws = [draw for draw in previews.repeats(Setting(method=method, k=k, level=level.number)) if draw is not None]
        exact = main.exact_evaluation if isinstance(main, Drawn) else None
        for name, values, single in (
            ("error", [draw.exact_error for draw in draws], None if exact is None else exact.relative_error),
            ("shift", [draw.exact_shift_m for draw in draws], None if exact is None else exact.shift_m),
        ):
            low, middle, high = band(values) or (None, single, None)
            series[name].append(middle)
            series[f"{name}_low"].append(low)
            series[f"{name}_high"].append(high)
        series["size"].append(None if exact is None else float(exact.coreset_size))
    return series


def levels_table(series: Series) -> Values:
    """All levels as a table."""

    def one(name: str, at: int, show: Any) -> str:
        value = series[name][at]
        return "–" if value is None else str(show(value))

    def between(name: str, at: int, show: Any) -> str:
        low, high = series[f"{name}_low"][at], series[f"{name}_high"][at]
        return "–" if low is None or high is None else _("{low} to {high}").format(low=show(low), high=show(high))

    heads = (
        _("Level"),
        _("Right guesses of 100, at most"),
        _("Protected points"),
        _("Error"),
        _("Error, 9 of 10 tries"),
        _("Shift"),
        _("Shift, 9 of 10 tries"),
    )
    rows = [
        (
            words.level_name(level),
            str(out_of_100(level.epsilon)),
            one("size", at, words.whole),
            one("error", at, words.percent),
            between("error", at, words.percent),
            one("shift", at, words.distance),
            between("shift", at, words.distance),
        )
        for at, level in enumerate(LEVELS)
    ]
    return {"caption": _("All levels as a table"), "heads": heads, "rows": rows, "numbers": ()}
