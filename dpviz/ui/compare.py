"""The page *Compare* below its controls. Reads published releases and nothing else; no exact type is imported here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpviz.clustering import match_centers
from dpviz.errors import DpvizError
from dpviz.privacy import LEVELS
from dpviz.releases import STAND_IN, Release, list_releases, load, methods
from dpviz.ui import basemap, words
from dpviz.ui.regions import shapes
from dpviz.ui.view import Box, MapView, Marker, Namer, Pair, make_arcs, make_dots, make_markers, make_pairs

LATEST = 200  # folders looked at; a folder of thousands does not stop the page


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """The releases found, newest first, and the folders that could not be read."""

    releases: tuple[Release, ...]
    unreadable: tuple[str, ...]


def find(folders: Sequence[Path]) -> Shelf:
    """Every readable release in these folders (or the folder itself, where it is one)."""
    found: list[tuple[float, Release]] = []
    unreadable = []
    for folder in folders:
        for path in _candidates(folder):
            try:
                outcome = load(path)
            except DpvizError:
                unreadable.append(path.name)
                continue
            if isinstance(outcome, Release) and outcome.request.purpose != STAND_IN:
                found.append((path.stat().st_mtime, outcome))
    found.sort(key=lambda pair: pair[0], reverse=True)
    seen: dict[str, Release] = {}
    for _, release in found:
        seen.setdefault(release.id, release)
    return Shelf(releases=tuple(seen.values()), unreadable=tuple(unreadable))


def _candidates(folder: Path) -> list[Path]:
    if (folder / "release.json").is_file():
        return [folder]
    try:
        paths = list_releases(folder)
    except DpvizError:
        return []
    return sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True)[:LATEST]


def stamp(folders: Sequence[Path]) -> tuple[tuple[str, float], ...]:
    """Changes when a release is added or taken away."""
    return tuple((str(path), path.stat().st_mtime) for folder in folders for path in _candidates(folder))


def level_name(release: Release) -> str:
    """The level of a release in words; its place between levels where it is none of the seven."""
    for level in LEVELS:
        if abs(level.epsilon - release.guarantee.epsilon) < 1e-12:
            return level.name
    stricter = [level.name for level in LEVELS if level.epsilon > release.guarantee.epsilon]
    return words.COMPARE_BETWEEN.format(level=stricter[-1]) if stricter else words.COMPARE_BEYOND


def title(release: Release) -> str:
    """A release in one line."""
    names = {row["name"]: row["title"] for row in methods()}
    return words.COMPARE_TITLE.format(
        dataset=release.dataset or words.COMPARE_NO_NAME,
        level=level_name(release),
        k=len(release.raw_centers),
        method=names.get(release.method.removeprefix("regional:"), release.method),
        id=release.id[:6],
    )


def box_of(release: Release) -> Box:
    """The public box in degrees."""
    frame = release.frame
    return Box(west=frame.low[0], south=frame.low[1], east=frame.high[0], north=frame.high[1])


def namer_of(box: Box) -> Namer:
    """Neighbourhood names where the embedded map has them."""
    found = basemap.load()
    return found.place_names if found is not None and found.covers(box) else basemap.nameless


def centers_of(release: Release, k: int, objective: str) -> pd.DataFrame:
    """The release's own centers, or those of any other k and objective asked of its coreset: free."""
    if release.raw_coreset is None or (k == len(release.raw_centers) and objective == "k-means"):
        return release.centers
    return release.centers_for(k, objective)


def markers_of(
    release: Release, centers: pd.DataFrame, what: str, numbers: Sequence[int] | None = None
) -> tuple[Marker, ...]:
    """Centers of a release as map markers (trips: their drop-off ends)."""
    lon, lat = release.frame.names[-2:]
    return make_markers(
        centers[lon].to_numpy(),
        centers[lat].to_numpy(),
        centers["weight"].to_numpy(),
        name_places=namer_of(box_of(release)),
        what=what,
        numbers=numbers,
    )


def view_of(release: Release, centers: pd.DataFrame, what: str) -> MapView:
    """One release on a map."""
    box = box_of(release)
    dots = None
    if release.raw_coreset is not None and release.coreset_weights is not None:
        raw = release.raw_coreset
        dots = make_dots(raw[:, -2], raw[:, -1], release.coreset_weights, name_places=namer_of(box), unit="record")
    markers = markers_of(release, centers, what)
    return MapView(
        box=box,
        place=title(release),
        dots=dots,
        centers=markers,
        arcs=make_arcs(release.frame, centers),
        regions=shapes(release.request.regions),
    )


@dataclass(frozen=True, kw_only=True)
class Matched:
    """Centers of A and B in pairs."""

    first: tuple[Marker, ...]
    second: tuple[Marker, ...]
    pairs: tuple[Pair, ...]


def matched(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame) -> Matched:
    """Pair the centers; B takes A's numbers."""
    names = list(a.frame.names)
    left = a.frame.to_local(first[names].to_numpy())
    right = a.frame.to_local(second[names].to_numpy())
    pairs = match_centers(left, right)
    numbers = {j: i + 1 for i, j in pairs}
    spare = iter(range(len(first) + 1, len(first) + len(second) + 1))
    markers_a = markers_of(a, first, words.COMPARE_CENTER_A)
    markers_b = markers_of(
        b, second, words.COMPARE_CENTER_B, [numbers.get(j) or next(spare) for j in range(len(second))]
    )
    metres = [float(np.linalg.norm(left[i] - right[j])) for i, j in pairs]
    return Matched(first=markers_a, second=markers_b, pairs=make_pairs(markers_a, markers_b, pairs, metres))


def overlay(a: Release, match: Matched) -> MapView:
    """One map: A hollow, B filled, lines between the pairs."""
    return MapView(
        box=box_of(a),
        place=title(a),
        centers=match.first,
        other_centers=match.second,
        other_pairs=match.pairs,
    )


def comparable(a: Release, b: Release) -> bool:
    """Whether two releases live in the same box and dimensions."""
    return a.frame == b.frame


def pairs_table(match: Matched) -> pd.DataFrame:
    """The pairs as a table."""
    first = {marker.number: marker for marker in match.first}
    second = {marker.number: marker for marker in match.second}
    apart = {pair.number: pair.metres for pair in match.pairs}
    rows = []
    for number in sorted(set(first) | set(second)):
        one, two = first.get(number), second.get(number)
        rows.append(
            {
                "Pair": number,
                "A near": "–" if one is None else one.place or f"{one.lat:.4f}, {one.lon:.4f}",
                "B near": "–" if two is None else two.place or f"{two.lat:.4f}, {two.lon:.4f}",
                "Apart": words.distance(apart[number]) if number in apart else "–",
                "A serves": words.percent(one.share) if one is not None and one.share is not None else "–",
                "B serves": words.percent(two.share) if two is not None and two.share is not None else "–",
            }
        )
    return pd.DataFrame(rows)


def facts_table(a: Release, b: Release) -> pd.DataFrame:
    """What each release is, side by side."""
    rows = []
    for fact, tell in _FACTS:
        rows.append({"": fact, "A": tell(a), "B": tell(b)})
    return pd.DataFrame(rows)


def _points(release: Release) -> str:
    return "centers only" if release.raw_coreset is None else f"{len(release.raw_coreset):,}"


def _records(release: Release) -> str:
    return "–" if release.noisy_total is None else f"about {words.count(release.noisy_total)}"


def _guesses(release: Release) -> str:
    return words.COMPARE_ODDS.format(right=words.odds_of_100(release.guarantee.epsilon, release.guarantee.delta))


def _method(release: Release) -> str:
    names = {row["name"]: row["title"] for row in methods()}
    return str(names.get(release.method.removeprefix("regional:"), release.method))


_FACTS: tuple[tuple[str, Any], ...] = (
    ("Data set", lambda release: release.dataset or "–"),
    ("Level", level_name),
    ("Right guesses, at most", _guesses),
    ("Protects", lambda release: str(release.guarantee.unit)),
    ("Records", _records),
    ("Coreset points", _points),
    ("Method", _method),
    ("Stricter level in", lambda release: ", ".join(region.name for region in release.guarantee.regions) or "–"),
)


def centers_geojson(release: Release, centers: pd.DataFrame) -> str:
    """Centers as GeoJSON points."""
    lon, lat = release.frame.names[-2:]
    features = [
        {
            "type": "Feature",
            "properties": {"center": row + 1, "weight": round(float(weight), 1)},
            "geometry": {"type": "Point", "coordinates": [round(float(x), 6), round(float(y), 6)]},
        }
        for row, (x, y, weight) in enumerate(zip(centers[lon], centers[lat], centers["weight"], strict=True))
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}, indent=1)
