"""The map of a box: what the user added for it, kept in a folder of the user's, over the bundled world."""

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

from dpviz.basemap.extracts import read_extract, tidy_name
from dpviz.basemap.rings import Polygon, cut, softened
from dpviz.basemap.world import AREAS, BLOCK_DEGREES, CREDIT, LINES, Box, CityMap, Places, ground, places, with_margin
from dpviz.errors import FileError

ENDING: Final = ".citymap.npz"
_LARGEST_BYTES = 64 << 20  # of a kept map: a damaged or foreign file is not read whole
_FEW_CORNERS = 2_000  # rounding doubles them
_SAME_DEGREES = 0.01  # two names so near to each other are taken for one place
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
    return {
        f"{name} lengths": np.array([len(piece) for piece in pieces], dtype=np.int32),
        f"{name} corners": np.round(np.concatenate([np.zeros((0, 2)), *pieces]) * 1e5).astype(np.int32),
    }


def _unchained(stored: Any, name: str) -> list[NDArray[np.float64]]:
    ends = np.cumsum(stored[f"{name} lengths"])
    return np.split(stored[f"{name} corners"].astype(np.float64) / 1e5, ends[:-1]) if len(ends) else []


def _read(kept: Kept) -> CityMap:
    areas: dict[str, list[Polygon]] = {}
    with np.load(_content(kept.path), allow_pickle=False) as stored:
        for kind in AREAS:
            rings = iter(_unchained(stored, f"area {kind}"))
            areas[kind] = [tuple(next(rings) for _ in range(count)) for count in stored[f"area {kind} polygons"]]
        lines = {kind: _unchained(stored, f"line {kind}") for kind in LINES}
        text, table = bytes(stored["names"]).decode("utf-8"), stored["places"]
    places = Places(
        names=tuple(text.split("\n")) if text else (),
        lon=table[:, 0],
        lat=table[:, 1],
        inhabitants=table[:, 2].astype(np.int64),
    )
    return CityMap(box=kept.box, areas=areas, lines=lines, places=places, credit=kept.credit)


def city_map(box: Box, folder: Path | None = None) -> CityMap:
    """Coast, water and names around a box; streets and parks too where a map of it was added to `folder`."""
    around = with_margin(box)
    world = _softened(ground(*around), around)
    names = places().within(*around)
    own = None if folder is None else best(box, folder)
    if own is None:
        areas = {kind: polygons for kind, polygons in world.items() if polygons}
        return CityMap(box=box, areas=areas, places=names, credit=CREDIT)
    areas = {kind: polygons for kind, polygons in own.areas.items() if polygons}
    drawn = own.areas.get("land", [])
    areas["land"] = drawn + _beyond(world["land"], _reach(own.box, drawn), around) if drawn else world["land"]
    areas["water"] = own.areas.get("water") or world["water"]
    return CityMap(
        box=box,
        areas=areas,
        lines=own.lines,
        places=_joined(own.places, names),
        credit=own.credit if own.credit in CREDIT else f"{own.credit}; {CREDIT}",
    )


def _softened(world: dict[str, list[Polygon]], around: Box) -> dict[str, list[Polygon]]:
    """Land and water with round corners where few are shown large; lakes of three corners, mostly bits of a narrow
    river, are left out.
    """
    found = {kind: [one for one in world[kind] if kind == "land" or len(one[0]) > 3] for kind in world}
    for _ in range(2):
        if sum(len(ring) for polygons in found.values() for one in polygons for ring in one) > _FEW_CORNERS:
            break
        found = {kind: [softened(one, around, BLOCK_DEGREES) for one in found[kind]] for kind in found}
    return found


def _reach(box: Box, land: list[Polygon]) -> Box:
    """As far as an added map tells land from sea: its file may end inside the box."""
    rings = [polygon[0] for polygon in land if len(polygon[0])]
    if not rings:
        return box
    corners = np.concatenate(rings)
    (west, south), (east, north) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return west, south, east, north


def _beyond(polygons: list[Polygon], reach: Box, around: Box) -> list[Polygon]:
    """What of the world lies beside an added map: else the land would end where the file does."""
    west, south, east, north = reach
    beside = (
        (around[0], around[1], west, around[3]),
        (east, around[1], around[2], around[3]),
        (west, around[1], east, south),
        (west, north, east, around[3]),
    )
    strips = [strip for strip in beside if strip[0] < strip[2] and strip[1] < strip[3]]
    return [piece for strip in strips for polygon in polygons if (piece := cut(polygon, *strip))]


def _joined(first: Places, second: Places) -> Places:
    """All of the first, and of the second what the first does not name, in another language either."""
    here = {(round(x / _SAME_DEGREES), round(y / _SAME_DEGREES)) for x, y in zip(first.lon, first.lat, strict=True)}
    known = set(first.names)

    def is_new(name: str, x: float, y: float) -> bool:
        column, row = round(x / _SAME_DEGREES), round(y / _SAME_DEGREES)
        return name not in known and not any((column + i, row + j) in here for i in (-1, 0, 1) for j in (-1, 0, 1))

    rows = [at for at, place in enumerate(zip(second.names, second.lon, second.lat, strict=True)) if is_new(*place)]
    new = second.chosen(np.array(rows, dtype=np.int64))
    together = Places(
        names=first.names + new.names,
        lon=np.concatenate([first.lon, new.lon]),
        lat=np.concatenate([first.lat, new.lat]),
        inhabitants=np.concatenate([first.inhabitants, new.inhabitants]),
    )
    return together.chosen(np.argsort(-together.inhabitants, kind="stable"))
