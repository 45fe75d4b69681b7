"""City maps that a user added: kept in a folder of the user's, found by the box."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import secrets
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.drawn import AREAS, LINES, Box, CityMap
from dpviz.basemap.extracts import read_extract, tidy_name
from dpviz.basemap.rings import Polygon
from dpviz.basemap.world import Places
from dpviz.errors import FileError

ENDING: Final = ".citymap.npz"
_LARGEST_BYTES = 64 << 20  # of a kept map: a damaged or foreign file is not read whole

_DAMAGED = (OSError, ValueError, KeyError, TypeError, StopIteration, zipfile.BadZipFile)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A map in the user's folder."""

    path: Path
    name: str
    box: Box
    credit: str


def add(extract: Path, box: Box, *, folder: Path, name: str = "", credit: str = "") -> Kept:
    """Read a map file around a box and keep what is drawn of it; a map of the same box and name is replaced."""
    found = read_extract(extract, box, credit=credit)
    title = tidy_name(name) or tidy_name(extract.name.split(".")[0]) or "map"
    facts = {"name": title, "box": list(box), "credit": found.credit}
    mark = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]
    path = folder / f"{mark}{ENDING}"
    arrays = _as_arrays(found) | {"facts": np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)}
    fresh = folder / f".{mark}-{secrets.token_hex(4)}.npz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(fresh, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        os.replace(fresh, path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise FileError(
            f"the map cannot be kept in {str(folder)!r}: {problem.strerror}. Nothing was left behind."
        ) from None
    return Kept(path=path, name=title, box=box, credit=found.credit)


def listed(folder: Path) -> list[Kept]:
    """The maps of a folder; a file that is damaged is none."""
    found = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else []:
        with contextlib.suppress(*_DAMAGED):
            facts = _facts(path)
            west, south, east, north = (float(value) for value in facts["box"])
            kept = Kept(path=path, name=str(facts["name"]), box=(west, south, east, north), credit=str(facts["credit"]))
            found.append(kept)
    return found


def remove(kept: Kept) -> None:
    """Forget a map."""
    kept.path.unlink(missing_ok=True)


def best(box: Box, folder: Path) -> CityMap | None:
    """The kept map that covers most of a box, the smaller one among equals; None where none covers a quarter."""

    def covered(kept: Kept) -> tuple[float, float]:
        west, south, east, north = kept.box
        wide = min(east, box[2]) - max(west, box[0])
        high = min(north, box[3]) - max(south, box[1])
        share = max(wide, 0.0) * max(high, 0.0) / ((box[2] - box[0]) * (box[3] - box[1]))
        return round(share, 3), -(east - west) * (north - south)

    ranked = sorted(listed(folder), key=covered, reverse=True)
    if not ranked or covered(ranked[0])[0] < 0.25:
        return None
    try:
        return _read(ranked[0])
    except _DAMAGED:
        return None  # the map is background: the city is drawn without it


def _facts(path: Path) -> dict[str, Any]:
    with np.load(_content(path), allow_pickle=False) as stored:
        facts = json.loads(bytes(stored["facts"]))
    if not isinstance(facts, dict):
        raise ValueError("no facts")
    return facts


def _content(path: Path) -> io.BytesIO:
    if path.stat().st_size > _LARGEST_BYTES:
        raise ValueError("larger than any kept map")
    return io.BytesIO(path.read_bytes())


def _as_arrays(city: CityMap) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {
        "names": np.frombuffer(
            "\n".join(name.replace("\n", " ") for name in city.places.names).encode(), dtype=np.uint8
        ),
        "places": np.column_stack([city.places.lon, city.places.lat, city.places.inhabitants]),
    }
    for kind in AREAS:
        polygons = city.areas.get(kind, [])
        rings = [ring for polygon in polygons for ring in polygon]
        arrays[f"area {kind} polygons"] = np.array([len(polygon) for polygon in polygons], dtype=np.int32)
        arrays |= _chain(f"area {kind}", rings)
    for kind in LINES:
        arrays |= _chain(f"line {kind}", city.lines.get(kind, []))
    return arrays


def _chain(name: str, pieces: list[NDArray[np.float64]]) -> dict[str, NDArray[Any]]:
    """Many short arrays as one, in hundred-thousandths of a degree."""
    joined = np.concatenate(pieces) if pieces else np.zeros((0, 2))
    return {
        f"{name} lengths": np.array([len(piece) for piece in pieces], dtype=np.int32),
        f"{name} corners": np.round(joined * 1e5).astype(np.int32),
    }


def _unchained(stored: Any, name: str) -> list[NDArray[np.float64]]:
    corners = stored[f"{name} corners"].astype(np.float64) / 1e5
    ends = np.cumsum(stored[f"{name} lengths"])
    return np.split(corners, ends[:-1]) if len(ends) else []


def _read(kept: Kept) -> CityMap:
    areas: dict[str, list[Polygon]] = {}
    with np.load(_content(kept.path), allow_pickle=False) as stored:
        for kind in AREAS:
            rings = iter(_unchained(stored, f"area {kind}"))
            areas[kind] = [tuple(next(rings) for _ in range(count)) for count in stored[f"area {kind} polygons"]]
        lines = {kind: _unchained(stored, f"line {kind}") for kind in LINES}
        text = bytes(stored["names"]).decode("utf-8")
        table = stored["places"]
    places = Places(
        names=tuple(text.split("\n")) if text else (),
        lon=table[:, 0],
        lat=table[:, 1],
        inhabitants=table[:, 2].astype(np.int64),
    )
    return CityMap(box=kept.box, areas=areas, lines=lines, places=places, credit=kept.credit)
