"""What changed between two periods, and what of it is more than noise: from their noisy counts alone.

A later period publishes the noisy count of every block it counted; a first period its cells. Blocks that are unions of
both are compared: the noises of two periods are independent, so the variance of a difference is their sum.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.errors import FrameMismatch, InputError, NotOffered
from dpviz.mechanisms.adaptive_tree.growth import children_of
from dpviz.mechanisms.adaptive_tree.partition import Partition, ancestors
from dpviz.releases.release import Release

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
_CERTAIN = 4.0  # standard deviations: a count that is not below 0 lies no further from its noisy one, all but surely
_WITHIN_90 = 1.645  # standard deviations; a single Laplace number is within 1.628 of its own in 90 of 100 draws


@dataclass(frozen=True, kw_only=True, eq=False)
class Changes:
    """One row per block: its box, both noisy counts, the difference with a 90 % interval, and whether it is clear."""

    table: pd.DataFrame
    before: str
    after: str

    @property
    def clear(self) -> pd.DataFrame:
        """Blocks whose interval leaves out 0, the largest change first."""
        found = self.table[self.table["clear"]]
        return found.reindex(found["change"].abs().sort_values(ascending=False).index)

    def to_geojson(self) -> dict[str, Any]:
        """The blocks as polygons with their numbers."""
        features = []
        for row in self.table.to_dict(orient="records"):
            west, south, east, north = (float(row.pop(name)) for name in ("west", "south", "east", "north"))
            ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
            numbers = {name: bool(value) if name == "clear" else round(float(value), 1) for name, value in row.items()}
            shape = {"type": "Polygon", "coordinates": [ring]}
            features.append({"type": "Feature", "geometry": shape, "properties": numbers})
        about = {"before": self.before, "after": self.after, "interval": "90 in 100, from the noise of both periods"}
        return {"type": "FeatureCollection", "properties": about, "features": features}

    def save(self, path: str | Path) -> Path:
        """Write the map as GeoJSON."""
        target = Path(path)
        target.write_text(json.dumps(self.to_geojson(), allow_nan=False) + "\n", encoding="utf-8")
        return target


def changes_between(before: Release, after: Release) -> Changes:
    """What changed from one period of a series to another. Post-processing: it costs nothing."""
    import pandas as pd

    one, other = before.request.period, after.request.period
    if one is None or other is None:
        raise NotOffered("changes are told between two periods of a series (dpviz series publish); these are others.")
    if before.frame != after.frame or before.side != after.side or one.series != other.series:
        raise FrameMismatch("these two releases are of different series or grids; give two periods of one series.")
    if one.label == other.label:
        raise InputError(f"both releases are of {one.label}; give two periods.")
    first, second = read_counted_blocks(before), read_counted_blocks(after)
    blocks = _common_blocks(first, second)
    boxes = pd.DataFrame(
        [_row(before.frame, first.roots, depth, block) for depth, block in blocks],
        columns=["west", "south", "east", "north"],
    )
    (earlier, doubt), (later, later_doubt) = _sums(first, blocks), _sums(second, blocks)
    low, high = _likely(earlier, doubt, later, later_doubt)
    change, clear = np.clip(later - earlier, low, high), (low > 0.0) | (high < 0.0)
    table = boxes.assign(before=earlier, after=later, change=change, low=low, high=high, clear=clear)
    return Changes(table=table, before=one.label, after=other.label)


def _likely(before: Floats, doubt: Floats, after: Floats, later_doubt: Floats) -> tuple[Floats, Floats]:
    """The interval of each change: what the noise of both allows, and no more records gone than there can have been."""
    change, half = after - before, _WITHIN_90 * np.sqrt(doubt + later_doubt)
    least = -np.maximum(before + _CERTAIN * np.sqrt(doubt), 0.0)
    most = np.maximum(after + _CERTAIN * np.sqrt(later_doubt), 0.0)
    low, high = np.clip(change - half, least, most), np.clip(change + half, least, most)
    # Where nothing is left of it the noise was a rare one: then all that is possible in that direction stays likely.
    rare = low >= high
    return np.where(rare & (change < 0.0), least, np.where(rare, np.minimum(0.0, low), low)), np.where(
        rare & (change > 0.0), most, np.where(rare, np.maximum(0.0, high), high)
    )


def read_counted_blocks(release: Release) -> Partition:
    """The blocks that a period counted, with their noisy counts; of a first period the cells of its tree."""
    found = release.constants.get("measured", release.constants.get("partition"))
    if not isinstance(found, dict):
        raise NotOffered("this release holds no counts of blocks; it was not made by a series.")
    return Partition.from_constants(found)


def _common_blocks(first: Partition, second: Partition) -> list[tuple[int, int]]:
    """The smallest blocks (depth, block) that are unions of blocks in both: they tile the box too."""
    found: list[tuple[int, int]] = []
    here = np.arange(first.roots**2)
    for depth in range(int(max(first.depth.max(), second.depth.max())) + 1):
        split = [np.unique(ancestors(cells, depth)[cells.depth > depth]) for cells in (first, second)]
        further = np.isin(here, split[0]) & np.isin(here, split[1])
        found += [(depth, int(block)) for block in here[~further]]
        if not further.any():
            break
        here = children_of(first.roots * 2**depth, here[further])
    return found


def _sums(cells: Partition, blocks: list[tuple[int, int]]) -> tuple[Floats, Floats]:
    value, variance = np.zeros(len(blocks)), np.zeros(len(blocks))
    for depth in sorted({depth for depth, _ in blocks}):
        wanted = {block: at for at, (level, block) in enumerate(blocks) if level == depth}
        places = np.array([wanted.get(int(block), -1) for block in ancestors(cells, depth)])
        used = places >= 0
        np.add.at(value, places[used], cells.count[used])
        np.add.at(variance, places[used], cells.variance[used])
    return value, variance


def _row(frame: Frame, roots: int, depth: int, block: int) -> tuple[float, float, float, float]:
    side = roots * 2**depth
    row, col = divmod(block, side)
    width, height = (np.asarray(frame.high) - np.asarray(frame.low)) / side
    west, north = frame.low[0] + col * width, frame.high[1] - row * height
    return west, north - height, west + width, north
