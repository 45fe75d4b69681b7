"""Counts by area of a published release, flows between areas: tables, colours, arcs. Pure; spends no privacy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.domain.trip_ends import end_frame, end_names
from dpviz.drawing.map_trips import middle_of, ring_area, sure_flows
from dpviz.errors import InputError, NotOffered
from dpviz.language import speaking
from dpviz.language.speaking import told as _
from dpviz.questions.answers import OUTSIDE, PARTLY_OUTSIDE, TOO_COARSE
from dpviz.questions.areas import NEIGHBOURHOODS, Zone, zones_of
from dpviz.questions.counts import count_areas, count_flows, difference, refuse_much, view_parts
from dpviz.releases.release import Release
from dpviz.ui.compare import words as say
from dpviz.ui.compare.words import AREA_WIDE
from dpviz.ui.map.view import Flow, Shade, write_features
from dpviz.ui.page_parts import words

Floats = NDArray[np.float64]
SQUARES, HEXAGONS, OWN, DRAWN = "squares", "hexagons", "own", "drawn"
WIDTHS_M = (250, 500, 1000, 2000)
MOST_DRAWN = 3000  # areas on the map
MOST_PARTED = 200  # areas whose parts are listed
MOST_LOOKED_AT = 50_000_000  # pairs of an area and a square
_NUMBERS = ("estimate", "low", "high")
MOST_FLOWS_DRAWN, MOST_FLOW_AREAS = 60, 120


@dataclass(frozen=True, kw_only=True, eq=False)
class Counts:
    """Areas and what a release says of each."""

    zones: tuple[Zone, ...]
    table: pd.DataFrame  # area, estimate, low, high, note


def has_names(release: Release) -> bool:
    """Whether the built-in neighbourhoods lie in its box."""
    try:
        return bool(asked_zones(release, NEIGHBOURHOODS))
    except InputError:
        return False


def asked_zones(release: Release, areas: Any) -> list[Zone]:
    """The areas as the release's plane sees them, checked."""
    frame = release.frame
    return zones_of(areas, end_frame(frame, end_names(frame)[0]) if frame.dims == 4 else frame)


def counts_of(release: Release, areas: Any, end: str | None, *, shares: bool = False) -> Counts:
    """Every area with its count and range; or with its share of the release's records."""
    zones = tuple(asked_zones(release, areas))
    refuse_much(release, zones, end)
    table = count_areas(release, list(zones), shares=shares, end=end)
    wide = are_narrow(release, zones) & (table["note"] == "").to_numpy()
    return Counts(zones=zones, table=table.assign(note=table["note"].mask(wide, AREA_WIDE)))


def are_narrow(release: Release, zones: Sequence[Zone]) -> NDArray[np.bool_]:
    """Which areas are narrower than the squares that hold half of their records or more."""
    tree, frame = release.protected_cells, release.frame
    found = np.zeros(len(zones), dtype=bool)
    if tree is None or frame.dims != 2 or len(zones) * len(tree.count) > MOST_LOOKED_AT:
        return found
    low, high = (frame.to_local(corner[tree.cell]) for corner in (tree.low, tree.high))
    width, count = (high - low).max(axis=1), np.maximum(tree.count, 0.0) / (high - low).prod(axis=1)
    for at, zone in enumerate(zones):
        rings = [frame.to_local(ring) for ring, sign in zone.rings if sign > 0]
        ends = np.concatenate(rings)
        held = count * np.clip(np.minimum(high, ends.max(axis=0)) - np.maximum(low, ends.min(axis=0)), 0, None).prod(
            axis=1
        )
        long = float(np.linalg.norm(ends.max(axis=0) - ends.min(axis=0)))
        narrow = sum(abs(ring_area(ring)) for ring in rings) / max(long, 1e-9)
        found[at] = held.sum() > 0.0 and held[width > narrow].sum() >= 0.5 * held.sum()
    return found


def tell_counts(table: pd.DataFrame, total: float) -> pd.DataFrame:
    """The table for reading, largest first: whole numbers, so that it can be sorted by each column."""
    found = table.sort_values("estimate", ascending=False, na_position="last", kind="stable").reset_index(drop=True)
    coarse = found["note"] == TOO_COARSE
    numbers = _whole_numbers(found)
    numbers[say.AREA_ABOUT] = numbers[say.AREA_ABOUT].mask(coarse)
    share = (100.0 * found["estimate"] / max(total, 1.0)).round(2).mask(coarse)
    return pd.DataFrame(
        {say.AREA: found["area"], **numbers, say.AREA_SHARE: share, say.AREA_NOTE: _notes(found["note"])}
    )


def _whole_numbers(table: pd.DataFrame) -> dict[str, pd.Series]:
    heads = {"estimate": say.AREA_ABOUT, "low": _("At least"), "high": _("At most")}
    return {head: table[name].round().astype("Int64") for name, head in heads.items()}


def _notes(notes: pd.Series) -> list[str]:
    """In few words, as a column has room for."""
    return [_("its part inside the box") if note == PARTLY_OUTSIDE else speaking.told(str(note)) for note in notes]


def count_apart(table: pd.DataFrame) -> tuple[int, int]:
    """Of a table that lays A against B: how many areas are a range apart, and of how many it can be told."""
    verdicts = table[say.AREA_VERDICT]
    differ = int((verdicts == say.AREA_DIFFERS).sum())
    return differ, differ + int((verdicts == say.AREA_SAME).sum())


def shades_of(counts: Counts) -> tuple[Shade, ...]:
    """The areas in colours by records on the same ground; those that cannot be told stay pale."""
    table = counts.table
    size = np.array([sum(sign * abs(ring_area(ring)) for ring, sign in zone.rings) for zone in counts.zones])
    estimate = table["estimate"].fillna(0.0).to_numpy(np.float64)
    known = (table["note"] != TOO_COARSE).to_numpy() & (table["note"] != OUTSIDE).to_numpy()
    density = np.where(known, np.maximum(estimate, 0.0) / np.maximum(size, 1e-12), 0.0)
    strength = np.sqrt(density / max(float(density.max()), 1e-12))
    return tuple(
        Shade(rings=polygon, strength=float(strength[row]), tip=tell_area(table.iloc[row]))
        for row, zone in enumerate(counts.zones[:MOST_DRAWN])
        for polygon in polygons(zone)
    )


def tell_area(row: Any) -> str:
    """One area in one line."""
    if row["note"] == OUTSIDE:
        return f"{row['area']}: {speaking.told(row['note'])}"
    low, high = words.count(round(row["low"])), words.count(round(row["high"]))
    if row["note"] == TOO_COARSE:
        return _("{area}: too coarse to say, at most {high}").format(area=row["area"], high=high)
    return _("{area}: about {about} ({low} to {high})").format(
        area=row["area"], about=words.count(round(row["estimate"])), low=low, high=high
    )


def polygons(zone: Zone) -> list[tuple[Floats, ...]]:
    """Outer rings, each with the holes inside it; closed."""
    rings = [(np.vstack([ring, ring[:1]]), sign) for ring, sign in zone.rings]
    holes = [ring for ring, sign in rings if sign < 0]
    return [(ring, *(hole for hole in holes if _holds(ring, hole))) for ring, sign in rings if sign > 0]


def _holds(ring: Floats, hole: Floats) -> bool:
    """Whether the bounds of a hole lie within those of a ring."""
    return bool((hole.min(axis=0) >= ring.min(axis=0)).all() and (hole.max(axis=0) <= ring.max(axis=0)).all())


def geojson_of(counts: Counts) -> str:
    """The areas with their numbers, for a map program."""
    return write_features(
        (
            {
                "name": zone.name,
                **{name: None if pd.isna(row[name]) else round(float(row[name]), 1) for name in _NUMBERS},
                "note": row["note"],
            },
            "MultiPolygon",
            [[np.round(ring, 6).tolist() for ring in polygon] for polygon in polygons(zone)],
        )
        for zone, (_, row) in zip(counts.zones, counts.table.iterrows(), strict=True)
    )


# ---- flows -----------------------------------------------------------------------------------------------------


def flows_of(release: Release, zones: Sequence[Zone]) -> pd.DataFrame | None:
    """Trips from each area to each, largest first; None where there are too many areas or no counted cells."""
    if len(zones) > MOST_FLOW_AREAS:
        return None
    try:
        found = count_flows(release, list(zones))
    except NotOffered:
        return None
    return found.sort_values("estimate", ascending=False, kind="stable").reset_index(drop=True)


def arcs_of(flows: pd.DataFrame, zones: Sequence[Zone]) -> tuple[Flow, ...]:
    """The largest flows between different areas that are more than noise, as arcs."""
    middles = {zone.name: middle_of(zone) for zone in zones}
    sure = sure_flows(flows, MOST_FLOWS_DRAWN)
    most = float(sure["estimate"].max()) if len(sure) else 1.0
    return tuple(
        Flow(
            start=middles[row["origin"]],
            end=middles[row["destination"]],
            strength=float(row["estimate"]) / most,
            tip=_("{origin} → {destination}: about {about} ({low} to {high})").format(
                origin=row["origin"],
                destination=row["destination"],
                about=words.count(round(row["estimate"])),
                low=words.count(round(row["low"])),
                high=words.count(round(row["high"])),
            ),
        )
        for row in sure.iloc[::-1].to_dict(orient="records")
    )


def tell_flows(flows: pd.DataFrame) -> pd.DataFrame:
    """The origin–destination table for reading."""
    ends = {say.FLOW_FROM: flows["origin"], say.FLOW_TO: flows["destination"]}
    return pd.DataFrame({**ends, **_whole_numbers(flows), say.AREA_NOTE: _notes(flows["note"])})


# ---- A against B -----------------------------------------------------------------------------------------------


def parts_by_area(release: Release, zones: Sequence[Zone]) -> pd.DataFrame:
    """Of 100 records of each area, how many are in each part of the release, with ranges; the busiest areas first."""
    table = view_parts(release).table(list(zones))
    whole = table.groupby("area", sort=False)["estimate"].sum().sort_values(ascending=False, kind="stable")
    told = [
        say.NO_PARTNER if np.isnan(share) else f"{100 * share:.0f} ({100 * low:.0f}–{100 * high:.0f})"
        for share, low, high in zip(table["share"], table["share_low"], table["share_high"], strict=True)
    ]
    wide = table.assign(told=told).pivot(index="area", columns="part", values="told")
    found = wide.loc[whole.index[:MOST_PARTED], list(dict.fromkeys(table["part"]))]
    return found.rename_axis(columns=None).reset_index(names=say.AREA)


def compare_counts(first: pd.DataFrame, second: pd.DataFrame, *, shares: bool = False) -> pd.DataFrame:
    """Both releases area by area, and whether the difference is more than the noise of the two."""

    def told(values: Any) -> Any:
        if shares:  # of 100 records of each
            return np.round(100.0 * np.asarray(values, np.float64), 1)
        return pd.Series(np.round(np.asarray(values, np.float64))).astype("Int64").array

    apart, reach = difference(first, second)
    coarse = (first["note"] == TOO_COARSE).to_numpy() | (second["note"] == TOO_COARSE).to_numpy()
    outside = (first["note"] == OUTSIDE).to_numpy()
    verdict = np.where(np.abs(apart) > reach, say.AREA_DIFFERS, say.AREA_SAME).astype(object)
    verdict[coarse] = speaking.told(TOO_COARSE)
    verdict[outside] = speaking.told(OUTSIDE)
    return (
        pd.DataFrame(
            {
                say.AREA: first["area"].to_numpy(),
                _("A about"): told(first["estimate"]),
                _("B about"): told(second["estimate"]),
                _("B − A"): told(apart),
                say.AREA_NOISE: told(reach),
                say.AREA_VERDICT: verdict,
            }
        )
        .iloc[np.argsort(-np.nan_to_num(np.abs(apart) / np.maximum(reach, 1e-9)), kind="stable")]
        .reset_index(drop=True)
    )
