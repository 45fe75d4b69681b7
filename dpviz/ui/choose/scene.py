"""The page *Choose* as a scene: what all levels of one choice show, from the previews that exist by now. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count, pairwise

import numpy as np
import pandas as pd

from dpviz.labels.center_names import names_by_records
from dpviz.language.speaking import figures, told as _
from dpviz.ledger.rows import Amount
from dpviz.privacy import LEVELS, Level, out_of_100
from dpviz.releases.release import Release
from dpviz.ui.map import counted, layers, surroundings
from dpviz.ui.map.city_map import Area
from dpviz.ui.map.counted import Counted
from dpviz.ui.map.scene import Scene, Spot, Stop, Switch, Values
from dpviz.ui.map.view import Dots, MapView, Picture, make_arcs, make_markers, make_pairs
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme
from dpviz.ui.session import methods, sources, state
from dpviz.ui.session.preview import Drawn, Outcome, Previews, Refused, Setting
from dpviz.ui.session.regions import shapes
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import ChooseState


def odds(source: Source, method: str, left: float | None = None) -> list[Values]:
    """What each level gives away with this method, in a sentence and as dots of a hundred.

    Of own data also what it takes of the budget that is left: the shares used up before and by this level, in words.
    """
    found: list[Values] = []
    total = 0.0 if left is None else float(source.dataset.total.epsilon)
    dots = _(
        "100 dots in ten rows. 50 are grey: right guesses by tossing a coin. {added} more are orange: what this level "
        "can add at most. {empty} are empty."
    )
    for level in LEVELS:
        guarantee = methods.guarantee_of(source, level, method)
        right, bold = out_of_100(guarantee.epsilon, guarantee.delta), words.odds_right(guarantee)
        before, _bold, after = words.odds_told(guarantee, source.record).partition(bold)
        one: Values = {
            "name": words.level_name(level),
            "before": before,
            "right": bold,  # the part of the sentence that stands out
            "after": after,
            "dots": right,
            "alt": dots.format(added=right - 50, empty=100 - right),
        }
        if left is not None:
            cost = float(Amount.of_levels(guarantee.budget, guarantee.unit.levels, source.dataset.total).epsilon)
            said = _("Privacy budget: {left} of 100 parts are left. This level takes {cost}, and {after} remain.")
            if cost > left * (1 + 1e-9):
                said = _(
                    "Privacy budget: {left} of 100 parts are left, and this level takes {cost}. Choose a stricter one."
                )
            parts = {"cost": cost, "left": left, "after": max(left - cost, 0.0)}
            told = said.format(**{name: words.parts_of_100(value, total) for name, value in parts.items()})
            one |= {"budget": (1 - left / total, cost / total), "left": told}
        found.append(one)
    return found


@dataclass(frozen=True, kw_only=True)
class Shown:
    """The inputs of a scene and of its figures beside the previews."""

    source: Source
    chosen: ChooseState
    theme: Theme
    density: Picture | None = None  # the exact records, where their layer is on
    ground: Callable[[Release], Counted | None] = lambda release: None  # what a release counted, where it is asked for
    area: Area | None = None  # the watched area
    forecast: str = ""  # what to expect at the level that is looked at
    with_chance: bool = False  # whether the further draws are shown
    water: str = ""  # beneath them

    @property
    def about(self) -> tuple[object, ...]:
        """The identity of the scene, whatever level, layers and theme."""
        return (self.source.id, self.chosen.method, self.chosen.k, self.chosen.regions)


def scene(shown: Shown, previews: Previews) -> Scene:
    """The pictures of all levels that are known; the others are asked for when somebody comes to them."""
    source, chosen = shown.source, shown.chosen
    known = previews.known(chosen.method, chosen.k)
    first = MapView(box=source.box, place=source.called, exact_density=shown.density)
    is_public = source.mode is Mode.DEMONSTRATION
    arcs = _(
        "Each arc runs from the pick-up to the drop-off end of a group of trips; dots and coloured ground are "
        "drop-offs."
    )
    return Scene(
        about=str(hash(shown.about)),
        place=sources.CITY if is_public else source.id,  # all parts of the city share a camera
        box=source.box,
        stops=tuple(stop(shown, level, known) if level.number in known else None for level in LEVELS),
        base=layers.base(first.showing(chosen.layers), shown.theme),
        legend=switches(shown, known),
        ground=shown.theme.style.lstrip("/"),
        shown=chosen.layers,
        watermark="" if is_public else _("Preview · not for publication"),
        note=arcs if source.has_trips else "",
    )


def switches(shown: Shown, known: dict[int, Outcome]) -> tuple[Switch, ...]:
    """The legend: layers that some level of this choice may show."""
    drawn = [found.release for found in known.values() if isinstance(found, Drawn)]
    missing = {
        "spread": bool(drawn) and all(release.coreset_variances is None for release in drawn),
        "cells": not any(map(counted.can_count, drawn)),
        "regions": not shown.chosen.regions,
        "density": shown.source.has_trips,
    }
    # In strict mode nothing on the page is exact: all of it comes from the stand-in.
    named = words.LAYERS | words.LAYERS_STRICT if shown.source.mode is Mode.STRICT else words.LAYERS
    return tuple(
        Switch(name=name, label=label, help=explained, picture=layers.legend_key(name, shown.theme))
        for name, (label, explained) in named.items()
        if not missing.get(name)
    )


def stop(shown: Shown, level: Level, known: dict[int, Outcome]) -> Stop:
    """What one level shows."""
    outcome = known[level.number]
    if isinstance(outcome, Refused):
        return Stop(reason=reason(shown.chosen, level, outcome, known))
    source, visible, can_swap = shown.source, shown.chosen.layers, counted.can_count(outcome.release)
    everything, ground = map_view(source, outcome), None
    if visible.issuperset(("coreset", "cells")) and can_swap:
        ground = shown.ground(outcome.release)
        everything = replace(everything, counted=None if ground is None else ground.picture)
    view = everything.showing(visible)
    line, swap = line_of(view, ground, everything.dots, _(source.record), can_swap=can_swap)
    spots = (
        Spot(
            number=marker.number,
            name=words.center_name(marker.number, marker.place),
            lon=round(marker.lon, 6),
            lat=round(marker.lat, 6),
        )
        for marker in everything.centers
    )
    return Stop(
        layers=layers.of_stop(view, shown.theme),
        alt=view.alt,
        centers=tuple(spots),
        told={marker.number: view.told(marker.number) for marker in view.centers},
        shades=None if ground is None else shades(ground, _(source.record)),
        line=line,
        swap=swap,
        tables=tables(replace(view, dots=everything.dots if "coreset" in visible else None), source),
    )


def shades(ground: Counted, record: str) -> Values:
    """The key of the ground, faintest first: what each step says of a place, and how opaque it is, of 255."""
    numbers = [*map(words.count, ground.begins)]
    step = _("Here about {low} to {high} {record}s on a square kilometre, after random changes for protection")
    most = _("Here more than about {low} {record}s on a square kilometre, after random changes for protection")
    steps = [step.format(low=low, high=high, record=record) for low, high in pairwise(numbers)]
    return {
        "colours": ground.colours,
        "opaque": counted.alphas(),
        "told": [*steps, most.format(low=numbers[-1], record=record)],
    }


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


def tables(view: MapView, source: Source) -> list[Values]:
    """The content of the map as tables of plain texts; `picks` is what marks a row: a picked center or place."""
    note = _("Click a center or a point on the map, or choose a center in the list on the map: an arrow marks its row.")
    centers, places = centers_table(view), places_table(view, source)
    return [
        {
            "title": title,
            "heads": [*map(str, frame.columns)],
            "rows": [[*map(str, row)] for row in frame.itertuples(index=False, name=None)],
            "numbers": [*range(1, len(frame.columns))] if picks == "place" else [],  # aligned to the right
            "note": note if picks == "center" else "",
            "picks": picks,
        }
        for frame, title, picks in (
            (centers, _("Centers, matched in pairs"), "center"),
            (places, _("Protected points by neighbourhood"), "place"),
        )
        if len(frame)
    ]


def reason(chosen: ChooseState, level: Level, refused: Refused, known: dict[int, Outcome]) -> Values:
    """Why this level has no answer, in public words, and the ways out: another level, or a wish to the server."""
    answering = [other for other in LEVELS if isinstance(known.get(other.number), Drawn)]
    ways: list[Values] = []
    if chosen.method != state.AUTO:
        ways.append({"label": _("Use the automatic method"), "wish": {"method": state.AUTO}})
    nearest = min(answering, key=lambda other: abs(other.number - level.number), default=None)
    if nearest is not None:
        go = _("Go to {level}").format(level=words.level_name(nearest))
        ways.append({"label": go, "level": nearest.number})
    helps = _("It needs more records, fewer clusters, a less strict level, or another method.")
    if len(known) == len(LEVELS) and not answering:
        helps = _(
            "This data set is too small for **every** level with this method and this number of clusters. It needs "
            "more records, fewer clusters, or another method."
        )
    why = words.REASONS.get(refused.reason, refused.reason).rstrip(".")
    return {
        "title": _("No map at “{level}” with this method").format(level=words.level_name(level)),
        "why": _("The reason: {reason}.").format(reason=why),
        "help": helps,
        "ways": ways,
    }


def setting_of(chosen: ChooseState) -> Setting:
    """Which preview the page shows."""
    return Setting(method=chosen.method, k=chosen.k, level=chosen.level.number)


def map_view(source: Source, drawn: Drawn) -> MapView:
    """Everything the map of a preview may show but the exact density, which is the same at every level."""
    release, exact, namer = drawn.release, drawn.exact_evaluation, surroundings.namer_of(source.box)
    centers, reference = release.centers, exact.exact_centers
    ends = [*release.frame.names[-2:], "weight"]  # trips are shown at their drop-off ends
    partners = {i: j + 1 for i, j in exact.pairs}  # numbers are those of the centers without protection, at every level
    free = count(len(reference) + 1)
    protected = make_markers(
        *centers[ends].to_numpy().T,
        name_places=lambda lon, lat: names_by_records(release, release.raw_centers, namer),
        what=words.CENTER_PRIVATE,
        numbers=[partners[row] if row in partners else next(free) for row in range(len(centers))],
        spreads=spreads(release),
    )
    unprotected = words.CENTER_STRICT if source.mode is Mode.STRICT else words.CENTER_EXACT
    exact_markers = make_markers(*reference[ends].to_numpy().T, name_places=namer, what=unprotected)
    dots = None
    if release.raw_coreset is not None and release.coreset_weights is not None:
        lon, lat = release.raw_coreset[:, -2:].T
        dots = Dots(lon=lon, lat=lat, weight=release.coreset_weights, places=namer(lon, lat), unit=_(source.record))
    return MapView(
        box=source.box,
        place=source.called,
        dots=dots,
        centers=tuple(sorted(protected, key=lambda marker: marker.number)),
        exact_centers=exact_markers,
        exact_pairs=make_pairs(protected, exact_markers, exact.pairs, exact.pair_shifts_m),
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
    mass = np.bincount(nearest, weights=coreset.weights, minlength=len(centers))
    noise = np.bincount(nearest, weights=coreset.variances * squared.min(axis=1), minlength=len(centers))
    return [
        float(2.448 * np.sqrt(part / 2) / whole) if whole > 0 else None for part, whole in zip(noise, mass, strict=True)
    ]


def centers_table(view: MapView) -> pd.DataFrame:
    """The centers of a map view as a table, matched where both kinds are shown."""
    apart = {pair.number: words.distance(pair.metres) for pair in view.exact_pairs}
    partners = {marker.number: marker for marker in view.exact_centers}
    other = _("{what} near").format(what=words.CENTER_STRICT if view.strict else words.CENTER_EXACT)
    rows = []
    for marker in view.centers:
        row = {
            _("Center"): str(marker.number),
            _("Near"): marker.place or "–",
            _("Share of records"): words.percent(marker.share),
            _("Longitude"): figures(f"{marker.lon:.5f}"),
            _("Latitude"): figures(f"{marker.lat:.5f}"),
        }
        if marker.number in partners:
            row[other] = partners[marker.number].place or "–"
            row[_("Apart")] = apart.get(marker.number, "–")
        rows.append(row)
    return pd.DataFrame(rows)


def places_table(view: MapView, source: Source) -> pd.DataFrame:
    """The coreset by neighbourhood, heaviest first: the dots of the map as numbers."""
    if view.dots is None or not len(view.dots):
        return pd.DataFrame()
    names = [name or words.ELSEWHERE for name in view.dots.places]
    weight = pd.Series(view.dots.weight).groupby(names).agg(["size", "sum"]).sort_values("sum", ascending=False)
    total = float(np.maximum(weight["sum"], 0).sum()) or 1.0
    return pd.DataFrame(
        {
            _("Neighbourhood"): weight.index,
            _("Protected points"): [words.whole(size) for size in weight["size"]],
            _("Stands for {record}s, about").format(record=_(source.record)): [
                words.count(value) for value in weight["sum"]
            ],
            _("Share"): [words.percent(value / total) for value in weight["sum"]],
        }
    )
