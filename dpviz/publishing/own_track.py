"""One person's own track: a log of fixes to a protected map of places, with places that stay hidden.

Each window of time (an hour, a day) keeps one fix: the middle one of its own fixes. All fixes at a hidden place become
one record at a public place inside its outline, however many they are. So what protects one record protects all of a
window, and all of what is known of a hidden place, at the level of its region (docs/proofs/own_track.md). A window that
also touches hidden places costs their epsilons too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

from dpviz.basemap import world
from dpviz.domain import Adjacency, ExactCounts, GeoBox, Grid
from dpviz.domain.regions import Outline
from dpviz.errors import InputError
from dpviz.ingest import count_records
from dpviz.ingest.batches import Wanted, settled
from dpviz.ingest.conversions import checked_crs
from dpviz.ingest.parts import values_of
from dpviz.ingest.reading import Reading
from dpviz.ingest.reading_steps import choose_pair
from dpviz.ingest.tables import open_tables
from dpviz.mechanisms.interface import Purpose
from dpviz.privacy import LEVELS, Budget, Region, group_table, out_of_100, read_regions
from dpviz.privacy.regions import cell_parts
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

WINDOWS = {"fix": 0, "hour": 13, "day": 10}  # letters of a written time that name the window: 2026-03-14T08
SIDE = 256
RADIUS_M = 1000.0  # around a place that is given by its name
CLUSTERS = 5  # of the release; a track is told by its points
MANY = (1, 10, 100)  # windows that a stranger may guess about together
_CORNERS = 32
# Else the first letters name no day and no hour, or one hour has two names.
_TIME = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ](?:[01][0-9]|2[0-4])(?:\D.*)?)?)?"


def read_track(
    source: Any, *, box: GeoBox, window: str = "hour", regions: Sequence[Region] = (), time: str = "time"
) -> ExactCounts:
    """Count one fix of every window, and one record for each hidden place, on the grid of the box. Exact.

    GPX has times; a table needs a column of ISO times, in one time zone. A fix without a time is a window of its own.
    """
    if window not in WINDOWS:
        raise InputError(f"window={window!r}: give {', '.join(WINDOWS)}.")
    column = time if WINDOWS[window] else None
    fixes = pd.concat([_fixes(table, column) for table in open_tables(source)], ignore_index=True)
    grid = Grid(box, SIDE)
    cell = grid.cells(fixes["lon"].to_numpy(), fixes["lat"].to_numpy())
    records = []
    if regions:  # [P1]
        if np.sum([region.outline.touched(grid.frame, SIDE) for region in regions], axis=0).max() > 1:
            raise InputError("two hidden places touch one cell of the map; draw them as one place, or farther apart.")
        parts = cell_parts(tuple(regions), grid.frame, SIDE).ravel()
        place = np.where(cell >= 0, parts[cell], -1)
        for number in np.unique(place[place >= 0]):
            held = np.flatnonzero(parts == number)
            row, column = np.divmod(int(held[len(held) // 2]), SIDE)  # public: the middle one of the place's cells
            (west, south), (east, north) = grid.frame.low, grid.frame.high
            lon = west + (column + 0.5) * (east - west) / SIDE
            records.append({"lon": lon, "lat": north - (row + 0.5) * (north - south) / SIDE})
        fixes = fixes[place < 0]
    if WINDOWS[window]:  # [P2]
        fixes = _one_of_each(fixes, WINDOWS[window])
    kept = pd.concat([fixes[["lon", "lat"]], pd.DataFrame(records, columns=["lon", "lat"])], ignore_index=True)
    return count_records(Reading(source=kept.astype(float), box=box, side=SIDE, lon="lon", lat="lat"))


def _fixes(table: Any, time: str | None) -> pd.DataFrame:
    guess = choose_pair(table, None, None)
    columns, attributes = (str(guess.lon), str(guess.lat)), () if time is None else (time,)
    wanted = Wanted(columns=columns, attributes=attributes, crs=checked_crs(table.crs))
    found = []
    for given in table.batches(wanted):
        batch = settled(given, wanted)
        frame = pd.DataFrame({"lon": batch.axes[0].copy(), "lat": batch.axes[1].copy()})
        if time is not None:
            texts, at = values_of(batch.attributes[0], table.label, time)
            frame["time"] = np.array([*texts, ""], dtype=object)[at]
        found.append(frame)
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame({"lon": [], "lat": [], "time": []})


def _one_of_each(fixes: pd.DataFrame, letters: int) -> pd.DataFrame:
    """The middle fix, in the order of time, of every window: by that window's fixes alone."""
    written = fixes["time"].astype(str).str.strip()  # also of a log without rows
    if not written.str.fullmatch(_TIME).all():
        raise InputError("a time is written in another form than 2026-03-14T08:30; write all of them so, in one zone.")
    window = written.str.slice(0, letters).str.replace(" ", "T")
    known = window.str.len() == letters
    timed = fixes[known].assign(window=window[known]).sort_values(["window", "time", "lon", "lat"], kind="stable")
    place, size = timed.groupby("window").cumcount(), timed.groupby("window")["time"].transform("size")
    return pd.concat([timed[place == size // 2], fixes[~known]], ignore_index=True)


def hidden_places(given: Iterable[str], *, box: GeoBox, epsilon: float = LEVELS[-1].epsilon) -> tuple[Region, ...]:
    """Regions of the strictest level: a place by its name, a circle "lon,lat,metres", or a GeoJSON file of polygons.

    Their outlines are published. A circle around a door says which door it is: name a quarter, or move the middle.
    """
    found: list[Region] = []
    for text in given:
        numbers = [part.strip() for part in text.split(",")]
        if text.lower().endswith(("json", "geojson")) and Path(text).is_file():
            found += read_regions(Path(text).read_bytes(), default=epsilon)
            continue
        try:
            lon, lat, radius = (float(number) for number in numbers)
            name = f"hidden place {len(found) + 1}"
        except ValueError:
            name, (lon, lat), radius = text.strip(), _place_in(text.strip(), box), RADIUS_M
        found.append(Region(outline=Outline(name=name, polygons=((_ring(lon, lat, radius, box),),)), epsilon=epsilon))
    return tuple(found)


def _place_in(name: str, box: GeoBox) -> tuple[float, float]:
    """The public middle of a named place inside the box."""
    known = world.search(name, most=40)
    for lon, lat in zip(known.lon.tolist(), known.lat.tolist(), strict=True):
        if box.west <= lon < box.east and box.south <= lat < box.north:
            return lon, lat
    raise InputError(
        f"no place of the bundled map inside the box begins with {name[:60]!a}; give a circle, such as "
        "11.2558,43.7695,800 (longitude, latitude, metres), or a GeoJSON file of polygons."
    )


def _ring(lon: float, lat: float, radius: float, box: GeoBox) -> tuple[tuple[float, float], ...]:
    if not (math.isfinite(lon + lat + radius) and 0.0 < radius <= 50_000.0):
        raise InputError(f"a circle around {lon:g}, {lat:g}: its radius is more than 0 and at most 50,000 metres.")
    across, along = (float(scale) for scale in box.frame.scale)
    reach = radius / math.cos(math.pi / _CORNERS)  # around the circle, not inside it
    turns = 2.0 * np.pi * np.arange(_CORNERS) / _CORNERS
    corners = np.column_stack([lon + reach / across * np.cos(turns), lat + reach / along * np.sin(turns)])
    return tuple(map(tuple, corners.tolist()))


def request_for(budget: Budget, regions: Sequence[Region]) -> ReleaseRequest:
    """[P3] The request of a track: all of its budget goes into the map."""
    return ReleaseRequest(k=CLUSTERS, budget=budget, regions=tuple(regions), purpose=Purpose.ANY_QUESTION.value)


def guesses(budget: Budget, regions: Sequence[Region]) -> list[tuple[str, int, int]]:
    """What a stranger could still guess: the place ("" is everywhere else), how many windows, right guesses of 100.

    The stranger knows everything else, and guesses whether somebody was there at all: of a hidden place ever (0), of
    other places in so many windows, each of which may touch all hidden places too.
    """
    most = budget.epsilon + sum(region.epsilon for region in regions)  # [P4]
    windows = group_table(Budget(epsilon=most), MANY, relation=Adjacency.ADD_REMOVE_ONE)
    return [
        *((region.name, 0, out_of_100(region.epsilon)) for region in regions),
        *(("", int(str(row["records"])), out_of_100(float(str(row["epsilon"])))) for row in windows),
    ]


def track_bytes(release: Release, kind: str) -> bytes:
    """The protected points as GPX waypoints, each with its number of windows as its name, or as GeoJSON."""
    from dpviz.releases.tables import geojson_bytes, point_columns

    columns = point_columns(release).get("coreset")
    if columns is None:
        raise InputError(f"a release by {release.method} has no points; leave the method out.")
    if kind == "geojson":
        found = geojson_bytes(release.frame, columns)
        assert found is not None  # a track lies on a map
        return found
    lon, lat = (columns[name] for name in release.frame.names)
    points = "".join(
        f'<wpt lat="{y:.6f}" lon="{x:.6f}"><name>{weight:.1f}</name></wpt>\n'
        for x, y, weight in zip(lon, lat, columns["weight"], strict=True)
    )
    told = escape(f"Protected points, not fixes. {release.guarantee}")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="dpviz" '
        f'xmlns="http://www.topografix.com/GPX/1/1">\n<metadata><desc>{told}</desc></metadata>\n{points}</gpx>\n'
    ).encode()
