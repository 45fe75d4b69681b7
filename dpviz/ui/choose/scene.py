"""The page *Choose* as a scene: what all levels of one choice show, from the previews that exist by now. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from dpviz.labels.center_names import names_by_records
from dpviz.language.speaking import figures, told
from dpviz.language.speaking import told as _
from dpviz.ledger.rows import Amount
from dpviz.privacy import LEVELS, Level, out_of_100
from dpviz.releases.release import Release
from dpviz.ui.choose import words as say
from dpviz.ui.map import counted, layers
from dpviz.ui.map.counted import Counted
from dpviz.ui.map.scene import Odds, Reason, Scene, Shades, Spot, Stop, Switch, Table, Way
from dpviz.ui.map.view import Dots, MapView, Picture, make_arcs, make_markers, make_pairs
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme
from dpviz.ui.session import methods, sources, state
from dpviz.ui.session.preview import Drawn, Outcome, Previews, Refused, Setting
from dpviz.ui.session.regions import shapes
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import ChooseState


def place_of(source: Source) -> str:
    """The name of a source's camera: all parts of the city share one."""
    return sources.CITY if source.mode is Mode.DEMONSTRATION else source.id


def odds(source: Source, method: str, left: float | None = None) -> tuple[Odds, ...]:
    """What each level gives away with this method, and of own data what it takes of the budget that is left."""
    found = []
    total = 0.0 if left is None else float(source.dataset.total.epsilon)
    for level in LEVELS:
        guarantee = methods.guarantee_of(source, level, method)
        right = out_of_100(guarantee.epsilon, guarantee.delta)
        bold = words.odds_right(guarantee)
        before, _bold, after = words.odds_told(guarantee, source.record).partition(bold)
        alt = words.odds_alt(guarantee.epsilon, guarantee.delta)
        one = Odds(name=words.level_name(level), before=before, right=bold, after=after, dots=right, alt=alt)
        if left is not None:
            spent = Amount.of_levels(guarantee.budget, guarantee.unit.levels, source.dataset.total)
            cost = float(spent.epsilon)
            parts = {"cost": cost, "left": left, "after": max(left - cost, 0.0)}
            said = say.BUDGET_FITS if cost <= left * (1 + 1e-9) else say.BUDGET_LACKS
            said = said.format(**{name: words.parts_of_100(value, total) for name, value in parts.items()})
            one = replace(one, budget=(1 - left / total, cost / total), left=said)
        found.append(one)
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """The inputs of a scene beside the previews."""

    source: Source
    chosen: ChooseState
    theme: Theme
    density: Picture | None = None  # the exact records, where their layer is on
    ground: Callable[[Release], Counted | None] = lambda release: None  # what a release counted, where it is asked for

    @property
    def about(self) -> tuple[object, ...]:
        """The identity of the scene, whatever level, layers and theme."""
        chosen = self.chosen
        return (self.source.id, chosen.method, chosen.k, chosen.regions)


def scene(shown: Shown, previews: Previews) -> Scene:
    """The pictures of all levels that are known; the others are asked for when somebody comes to them."""
    source, chosen = shown.source, shown.chosen
    known = previews.known(chosen.method, chosen.k)
    stops = tuple(
        None if level.number not in known else stop(shown, level, known[level.number], known) for level in LEVELS
    )
    legend = switches(shown, known)
    first = MapView(box=source.box, place=source.called, exact_density=shown.density)
    return Scene(
        about=str(hash(shown.about)),
        place=place_of(source),
        box=source.box,
        stops=stops,
        base=layers.base(first.showing(chosen.layers), shown.theme),
        legend=legend,
        ground=shown.theme.style.lstrip("/"),
        shown=chosen.layers,
        watermark="" if source.mode is Mode.DEMONSTRATION else words.WATERMARK,
        note=words.LAYER_ARCS_NOTE if source.has_trips else "",
    )


def switches(shown: Shown, known: dict[int, Outcome]) -> tuple[Switch, ...]:
    """The legend: layers that some level of this choice may show."""
    drawn = [found for found in known.values() if isinstance(found, Drawn)]
    missing = set()
    if drawn and all(found.release.coreset_variances is None for found in drawn):
        missing.add("spread")
    if not any(counted.can_count(found.release) for found in drawn):
        missing.add("cells")
    if not shown.chosen.regions:
        missing.add("regions")
    if shown.source.has_trips:
        missing.add("density")
    # In strict mode nothing on the page is exact: all of it comes from the stand-in.
    named = words.LAYERS | words.LAYERS_STRICT if shown.source.mode is Mode.STRICT else words.LAYERS
    return tuple(
        Switch(name=name, label=label, help=explained, picture=layers.legend_key(name, shown.theme))
        for name, (label, explained) in named.items()
        if name not in missing
    )


def stop(shown: Shown, level: Level, outcome: Outcome, known: dict[int, Outcome]) -> Stop:
    """What one level shows."""
    if isinstance(outcome, Refused):
        return Stop(reason=reason(shown.chosen, level, outcome, known))
    source, visible = shown.source, shown.chosen.layers
    everything, ground = map_view(source, outcome), None
    if visible.issuperset(("coreset", "cells")) and counted.can_count(outcome.release):
        ground = shown.ground(outcome.release)
        everything = replace(everything, counted=None if ground is None else ground.picture)
    view = everything.showing(visible)
    can_swap = counted.can_count(outcome.release)
    line, swap = line_of(view, ground, everything.dots, told(source.record), can_swap=can_swap)
    return Stop(
        layers=layers.of_stop(view, shown.theme),
        alt=view.alt,
        centers=tuple(
            Spot(
                number=marker.number,
                name=words.center_name(marker.number, marker.place),
                lon=round(marker.lon, 6),
                lat=round(marker.lat, 6),
            )
            for marker in everything.centers
        ),
        told={marker.number: view.told(marker.number) for marker in view.centers},
        shades=None if ground is None else shades(ground, told(source.record)),
        line=line,
        swap=swap,
        tables=tables(replace(view, dots=everything.dots if "coreset" in visible else None), source),
    )


def shades(ground: Counted, record: str) -> Shades:
    """The key of the ground: records on a square kilometre, step by step."""
    numbers = tuple(map(words.count, ground.begins))
    steps = tuple(words.GROUND_STEP.format(low=low, high=high, record=record) for low, high in pairwise(numbers))
    return Shades(
        colours=ground.colours,
        opaque=tuple(counted.alphas()),
        told=(*steps, words.GROUND_MOST.format(low=numbers[-1], record=record)),
    )


def line_of(
    view: MapView, ground: Counted | None, dots: Dots | None, record: str, *, can_swap: bool
) -> tuple[str, str]:
    """What stands for the records on the map, in one line, and the name of the button to the other picture of them."""
    if ground is not None:
        least, most = words.count(ground.begins[0]), words.count(ground.begins[-1])
        points = "" if dots is None else _("Show the {count} points").format(count=words.whole(len(dots)))
        return words.GROUND_KEY.format(least=least, most=most, record=record), points
    if view.dots is None:
        return "", ""
    said = _("{count} points would be published. A bigger one stands for more {record}s.")
    return said.format(count=words.whole(len(view.dots)), record=record), _("Show squares") if can_swap else ""


def tables(view: MapView, source: Source) -> tuple[Table, ...]:
    """The content of the map as tables."""
    found = []
    centers = centers_table(view)
    if len(centers):
        found.append(of_frame(centers, say.TABLE_CENTERS, note=say.TABLE_PICK, picks="center"))
    places = places_table(view, source)
    if len(places):
        found.append(of_frame(places, say.TABLE_PLACES, numbers=tuple(range(1, len(places.columns))), picks="place"))
    return tuple(found)


def of_frame(
    frame: pd.DataFrame, title: str, *, numbers: tuple[int, ...] = (), note: str = "", picks: str = ""
) -> Table:
    """A table of plain texts."""
    rows = tuple(tuple(str(value) for value in row) for row in frame.itertuples(index=False, name=None))
    return Table(title=title, heads=tuple(map(str, frame.columns)), rows=rows, numbers=numbers, note=note, picks=picks)


def reason(chosen: ChooseState, level: Level, refused: Refused, known: dict[int, Outcome]) -> Reason:
    """Why this level has no answer, and the ways out."""
    answering = [other for other in LEVELS if isinstance(known.get(other.number), Drawn)]
    nowhere = len(known) == len(LEVELS) and not answering
    ways = []
    if chosen.method != state.AUTO:
        ways.append(Way(label=say.NO_ANSWER_AUTO, wish={"method": state.AUTO}))
    nearest = min(answering, key=lambda other: abs(other.number - level.number), default=None)
    if nearest is not None:
        ways.append(Way(label=say.ACCEPT_GO.format(level=words.level_name(nearest)), level=nearest.number))
    return Reason(
        title=words.NO_ANSWER.format(level=words.level_name(level)),
        why=say.NO_ANSWER_WHY.format(reason=words.REASONS.get(refused.reason, refused.reason).rstrip(".")),
        help=say.TOO_SMALL if nowhere else say.NO_ANSWER_HELP,
        ways=tuple(ways),
    )


def setting_of(chosen: ChooseState) -> Setting:
    """Which preview the page shows."""
    return Setting(method=chosen.method, k=chosen.k, level=chosen.level.number)


def map_view(source: Source, drawn: Drawn, density: Picture | None = None) -> MapView:
    """Everything the map of a preview may show."""
    release, exact = drawn.release, drawn.exact_evaluation
    namer = source.namer
    centers = release.centers
    east, north = release.frame.names[-2:]  # trips are shown at their drop-off ends
    partners = {i: j + 1 for i, j in exact.pairs}  # numbers are those of the centers without protection, at every level
    free = iter(range(len(exact.exact_centers) + 1, len(exact.exact_centers) + len(centers) + 1))
    protected = make_markers(
        centers[east].to_numpy(),
        centers[north].to_numpy(),
        centers["weight"].to_numpy(),
        name_places=lambda lon, lat: names_by_records(release, release.raw_centers, namer),
        what=words.CENTER_PRIVATE,
        numbers=[partners[row] if row in partners else next(free) for row in range(len(centers))],
        spreads=spreads(release),
    )
    reference = exact.exact_centers
    exact_markers = make_markers(
        reference[east].to_numpy(),
        reference[north].to_numpy(),
        reference["weight"].to_numpy(),
        name_places=namer,
        what=words.CENTER_STRICT if source.mode is Mode.STRICT else words.CENTER_EXACT,
    )
    dots = None
    if release.raw_coreset is not None and release.coreset_weights is not None:
        raw = release.raw_coreset
        lon, lat, weight = raw[:, -2], raw[:, -1], release.coreset_weights
        dots = Dots(lon=lon, lat=lat, weight=weight, places=namer(lon, lat), unit=told(source.record))
    return MapView(
        box=source.box,
        place=source.called,
        dots=dots,
        centers=tuple(sorted(protected, key=lambda marker: marker.number)),
        exact_centers=exact_markers,
        exact_pairs=make_pairs(protected, exact_markers, exact.pairs, exact.pair_shifts_m),
        exact_density=density,
        arcs=make_arcs(release.frame, centers, [marker.number for marker in protected]),
        regions=shapes(release.request.regions),
        exact_arcs=make_arcs(release.frame, reference),
        strict=source.mode is Mode.STRICT,
    )


def spreads(release: Release) -> list[float | None]:
    """How far noise in the weights alone may have moved each center (95 of 100), from the release alone.

    The center is Σ w·x / Σ w over its part; its variance is Σ var(w)·|x − c|² / (Σ w)². A radius with 95 % of a
    two-dimensional normal law of that total variance is 2.448 · √(variance / 2). Needs published variances.
    """
    coreset = release.protected_coreset
    centers = release.protected_centers.positions
    if coreset is None or coreset.variances is None or coreset.frame.dims != 2 or not len(coreset):
        return [None] * len(centers)
    squared = ((coreset.positions[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
    nearest = squared.argmin(axis=1)
    apart = squared[np.arange(len(nearest)), nearest]
    mass = np.bincount(nearest, weights=coreset.weights, minlength=len(centers))
    noise = np.bincount(nearest, weights=coreset.variances * apart, minlength=len(centers))
    return [
        float(2.448 * np.sqrt(part / 2) / whole) if whole > 0 else None for part, whole in zip(noise, mass, strict=True)
    ]


def centers_table(view: MapView) -> pd.DataFrame:
    """The centers of a map view as a table, matched where both kinds are shown."""
    apart = {pair.number: pair.metres for pair in view.exact_pairs}
    partners = {marker.number: marker for marker in view.exact_centers}
    rows, heads = [], say.CENTER_HEADS
    for marker in view.centers:
        row = {
            heads["center"]: str(marker.number),
            heads["near"]: marker.place or "–",
            heads["share"]: words.percent(marker.share),
            heads["lon"]: figures(f"{marker.lon:.5f}"),
            heads["lat"]: figures(f"{marker.lat:.5f}"),
        }
        partner = partners.get(marker.number)
        if partner is not None:
            row[heads["other"].format(what=words.CENTER_STRICT if view.strict else words.CENTER_EXACT)] = (
                partner.place or "–"
            )
            row[heads["apart"]] = words.distance(apart[marker.number]) if marker.number in apart else "–"
        rows.append(row)
    return pd.DataFrame(rows)


def places_table(view: MapView, source: Source) -> pd.DataFrame:
    """The coreset by neighbourhood, heaviest first: the dots of the map as numbers."""
    if view.dots is None or not len(view.dots):
        return pd.DataFrame()
    names = [name or words.ELSEWHERE for name in view.dots.places]
    table = pd.DataFrame({"Neighbourhood": names, "weight": view.dots.weight})
    grouped = table.groupby("Neighbourhood")["weight"].agg(["size", "sum"]).sort_values("sum", ascending=False)
    heads = say.PLACE_HEADS
    total = float(np.maximum(grouped["sum"], 0).sum()) or 1.0
    return pd.DataFrame(
        {
            heads["place"]: grouped.index,
            heads["points"]: [words.whole(size) for size in grouped["size"]],
            heads["stands"].format(record=told(source.record)): [words.count(value) for value in grouped["sum"]],
            heads["share"]: [words.percent(value / total) for value in grouped["sum"]],
        }
    )
