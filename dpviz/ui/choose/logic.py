"""The page *Choose* in numbers: from a drawn preview to a map view, figures, the points of the curves and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.labels.center_names import names_by_records
from dpviz.language.speaking import figures, told
from dpviz.privacy import LEVELS, Level, out_of_100
from dpviz.publishing.expected_error import is_much
from dpviz.releases.release import Release
from dpviz.ui.choose import words as say
from dpviz.ui.map.city_map import Area
from dpviz.ui.map.view import Dots, MapView, Picture, make_arcs, make_markers, make_pairs
from dpviz.ui.page_parts import words
from dpviz.ui.session.preview import Drawn, Outcome, Previews, Setting
from dpviz.ui.session.regions import shapes
from dpviz.ui.session.repeated_draws import Band, Brief, band
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import ChooseState


def setting_of(chosen: ChooseState) -> Setting:
    """Which preview the page shows."""
    return Setting(method=chosen.method, k=chosen.k, level=chosen.level.number)


def map_view(source: Source, drawn: Drawn, density: Picture | None = None) -> MapView:
    """Everything the map of a preview may show."""
    release, exact = drawn.release, drawn.exact_evaluation
    namer = source.namer
    centers = release.centers
    east, north = release.frame.names[-2:]  # trips are shown at their drop-off ends
    protected = make_markers(
        centers[east].to_numpy(),
        centers[north].to_numpy(),
        centers["weight"].to_numpy(),
        name_places=lambda lon, lat: names_by_records(release, release.raw_centers, namer),
        what=words.CENTER_PRIVATE,
        spreads=spreads(release),
    )
    partners = {j: protected[i].number for i, j in exact.pairs}
    reference = exact.exact_centers
    exact_markers = make_markers(
        reference[east].to_numpy(),
        reference[north].to_numpy(),
        reference["weight"].to_numpy(),
        name_places=namer,
        what=words.CENTER_STRICT if source.mode is Mode.STRICT else words.CENTER_EXACT,
        numbers=[partners.get(row, row + 1) for row in range(len(reference))],
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
        centers=protected,
        exact_centers=exact_markers,
        exact_pairs=make_pairs(protected, exact_markers, exact.pairs, exact.pair_shifts_m),
        exact_density=density,
        arcs=make_arcs(release.frame, centers),
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
    gaps = coreset.positions[:, None, :] - centers[None, :, :]
    squared = (gaps**2).sum(axis=2)
    nearest = squared.argmin(axis=1)
    apart = squared[np.arange(len(nearest)), nearest]
    mass = np.bincount(nearest, weights=coreset.weights, minlength=len(centers))
    noise = np.bincount(nearest, weights=coreset.variances * apart, minlength=len(centers))
    return [
        float(2.448 * np.sqrt(part / 2) / whole) if whole > 0 else None for part, whole in zip(noise, mass, strict=True)
    ]


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
    draws = [draw for draw in repeats if draw is not None]
    waiting = say.BAND_WAIT.format(done=len(repeats), wanted=wanted) if len(repeats) < wanted else ""

    def spread(value: float, values: Band | None, show: Any) -> str:
        if values is None:
            return waiting
        low, high = show(values.low), show(values.high)
        said = say.BAND_NARROW.format(low=low) if low == high else say.BAND.format(low=low, high=high)
        if values.low <= value <= values.high or show(value) in (low, high):
            return said
        return (say.MORE_THAN_USUAL if value > values.high else say.LESS_THAN_USUAL).format(band=said)

    items = [
        (say.FIGURE_SIZE, words.whole(exact.coreset_size), _compared(exact.coreset_size, level, known)),
        (
            say.FIGURE_ERROR,
            words.percent(exact.relative_error),
            spread(exact.relative_error, band(draw.exact_error for draw in draws), words.percent),
        ),
        (
            say.FIGURE_SHIFT,
            words.distance(exact.shift_m),
            spread(exact.shift_m, band(draw.exact_shift_m for draw in draws), words.distance),
        ),
    ]
    raw = drawn.release.raw_coreset
    if area is not None and raw is not None:
        number = outside(area, raw[:, -2], raw[:, -1]) or 0
        values = band(float(found) for draw in draws if (found := _outside_of_draw(area, draw)) is not None)
        note = spread(number, values, words.whole)
        items.append(
            (
                say.FIGURE_OUTSIDE.format(area=area.name),
                say.FIGURE_OF.format(number=words.whole(number), all=words.whole(len(raw))),
                note,
            )
        )
    return items


def mostly_chance(drawn: Drawn, known: dict[int, Outcome]) -> str:
    """A warning where the error is large, or more than the whole cost without protection, here or at every level."""
    errors = [found.exact_evaluation.relative_error for found in known.values() if isinstance(found, Drawn)]
    if len(known) == len(LEVELS) and min(errors, default=0.0) > 1:
        return say.MOSTLY_CHANCE_ALL
    error = drawn.exact_evaluation.relative_error
    if error > 1:
        return say.MOSTLY_CHANCE
    return say.MUCH_ERROR.format(error=words.percent(error)) if is_much(error) else ""


def _compared(size: int, level: Level, known: dict[int, Outcome]) -> str:
    first = next((LEVELS[number - 1] for number in sorted(known) if isinstance(known[number], Drawn)), None)
    if first is None or first.number >= level.number:
        return say.FIRST
    reference = known[first.number]
    assert isinstance(reference, Drawn)
    difference = reference.exact_evaluation.coreset_size - size
    if difference == 0:
        return say.SAME.format(level=words.level_name(first))
    template = say.FEWER if difference > 0 else say.MORE
    return template.format(difference=words.whole(abs(difference)), level=words.level_name(first))


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
    return "–" if low is None or high is None else say.RANGE.format(low=show(low), high=show(high))


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
