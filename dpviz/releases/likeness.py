"""Whether records are nearly those of a registered dataset: some rows less, another grid, other names of columns.

The ledger keeps a few keyed sums of counts on coarse cells per dataset (random signs that follow from the ledger's key;
Alon, Matias, Szegedy 1996). From two of them the squared distance of the counts is estimated. Two files of different
records lie about as far apart as both have records together; the same file with a few rows less lies next to it. The
sums are made of exact counts: they are blinded by the ledger's key (differences are not), and stay in the ledger like
its keyed hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, StreamedPoints
from dpviz.mechanisms.interface import ExactData

if TYPE_CHECKING:
    from dpviz.releases.ledger import Ledger

KIND = "likeness"
_SUMS = 64
_MOST_CELLS = 256
_RANGE = 2**62
_NEAR = 0.25  # of the distance that different records would have at least


def likeness_facts(data: ExactData, key: bytes) -> dict[str, Any]:
    """The sums of these records, by the side of the coarse grid, and the size of the file to a power of two."""
    sums = {str(side): _sums(cells, key) for side, cells in _coarse_cells(data).items()}
    return {"size": (int(data.exact_total).bit_length() + _blinds(key, 1)[0]) % _RANGE, "sums": sums}


def names_alike(ledger: Ledger, data: ExactData, facts: Mapping[str, Any]) -> list[str]:
    """The registered datasets of this box whose records are nearly these."""
    boxes = {row.name: _box(row.facts) for row in ledger.datasets()}
    mine, found = likeness_facts(data, ledger.content_key), []
    for note in ledger.notes(KIND):
        if boxes.get(note.subject) == _box(facts) and _near(mine, note.facts, ledger.content_key):
            found.append(note.subject)
    return found


def known_alike(ledger: Ledger, name: str) -> list[str]:
    """The other registered datasets of the same box whose records are nearly those of this one, by their sums."""
    boxes = {row.name: _box(row.facts) for row in ledger.datasets()}
    kept = {note.subject: note.facts for note in ledger.notes(KIND)}
    mine = kept.pop(name, None)
    if mine is None:
        return []
    return [
        other
        for other, facts in kept.items()
        if boxes.get(other) == boxes.get(name) and _near(mine, facts, ledger.content_key)
    ]


def _near(one: Mapping[str, Any], other: Mapping[str, Any], key: bytes) -> bool:
    shared = [side for side in one["sums"] if side in other["sums"]]
    sizes = [(int(facts["size"]) - _blinds(key, 1)[0]) % _RANGE for facts in (one, other)]
    if not shared or not min(sizes):
        return False
    pairs = zip(one["sums"][shared[0]], other["sums"][shared[0]], strict=True)
    gaps = [(mine - theirs + _RANGE // 2) % _RANGE - _RANGE // 2 for mine, theirs in pairs]
    least = 2.0 ** (min(sizes) - 1)  # records in each, at least
    return sum(float(gap) ** 2 for gap in gaps) / len(gaps) <= _NEAR * 2 * least


def _coarse_cells(data: ExactData) -> dict[int, NDArray[np.int64]]:
    """Counts on coarse grids that are nested in every grid of the box, finest first."""
    if isinstance(data, ExactCounts):
        sides = [side for side in (16, 4) if side <= data.grid.side and data.grid.side % side == 0]
        return {side: data.coarsened(side).exact_cells[::-1].T.ravel() for side in sides}
    dims = data.frame.dims
    found: dict[int, NDArray[np.int64]] = {}
    for side in (16, 4, 2):
        if side**dims <= _MOST_CELLS or (side == 2 and not found):
            asked = CoarseAsked(side=side, axes=min(dims, 8), extent=data.frame.extent)
            if isinstance(data, StreamedPoints):
                found[side] = data.exact_sum(asked)
            else:
                found[side] = asked.empty()
                asked.add(data.exact_cube, found[side])
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class CoarseAsked:
    """How many records lie in each cell of a coarse grid over the first few axes."""

    side: int
    axes: int
    extent: NDArray[np.float64]

    def empty(self) -> NDArray[np.int64]:
        return np.zeros(self.side**self.axes, np.int64)

    def add(self, cube: NDArray[np.float64], answer: NDArray[np.int64]) -> None:
        local = cube * self.extent / self.extent
        places = np.minimum((local * self.side).astype(np.int64), self.side - 1)[:, : self.axes]
        flat = np.zeros(len(cube), dtype=np.int64)
        for axis in range(self.axes):
            flat = flat * self.side + places[:, axis]
        answer += np.bincount(flat, minlength=len(answer)).astype(np.int64)


def _sums(cells: NDArray[np.int64], key: bytes) -> list[int]:
    bits = hashlib.shake_256(b"likeness signs" + key).digest(_SUMS * len(cells) // 8)
    signs = np.unpackbits(np.frombuffer(bits, dtype=np.uint8)).reshape(_SUMS, len(cells)).astype(np.int64) * 2 - 1
    found = (signs @ cells).tolist()
    return [(value + blind) % _RANGE for value, blind in zip(found, _blinds(key, _SUMS), strict=True)]


def _blinds(key: bytes, many: int) -> list[int]:
    stream = hashlib.shake_256(b"likeness blinds" + key).digest(8 * many)
    return [int.from_bytes(stream[8 * at : 8 * at + 8], "big") % _RANGE for at in range(many)]


def _box(facts: Mapping[str, Any]) -> tuple[Any, Any]:
    return list(facts["frame"]["low"]), list(facts["frame"]["high"])
