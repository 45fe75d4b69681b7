"""At most `cap` records of each person, over the whole source: a rule that looks at that person's records only.

Proof: docs/proofs/person_cap.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.ingest._kernels import choose_rows
from dpviz.ingest.binning import CELL_BITS
from dpviz.ingest.units.person_keys import PersonHash

_BUCKET_ROWS = 1 << 20
_CELL = (1 << CELL_BITS) - 1
Values = NDArray[np.int64] | NDArray[np.int32]  # cells; in 64 bits with a weight above
KeyedCells = tuple[NDArray[np.uint64], Values]


class CappedRows:
    """Rows inside the box with the key of their person, gathered until all files were read: 20 bytes a row.

    A row of another weight than one has it above its cell in one number, and takes 24 bytes.
    """

    def __init__(self) -> None:
        self._keys: list[NDArray[np.uint64]] = []
        self._cells: list[Values] = []

    def add(self, keys: NDArray[np.uint64], cells: Values) -> None:
        """More rows, all of them inside the box."""
        self._keys.append(keys)
        self._cells.append(cells)

    def add_kept_to(self, cells: NDArray[np.int64], cap: int, hashed: PersonHash) -> None:
        """Count the kept rows into flat cells."""
        if not self._keys:
            return
        keys = np.concatenate(self._keys)
        found: Values = np.concatenate(self._cells)  # type: ignore[assignment]  # one kind in one reading
        self._keys, self._cells = [], []
        count_kept(keys, found, cap, hashed, cells)


def count_kept(
    keys: NDArray[np.uint64],
    found: NDArray[np.int64] | NDArray[np.int32],
    cap: int,
    hashed: PersonHash,
    cells: NDArray[np.int64],
) -> None:
    """Add at most `cap` rows of every person to flat cells; all rows of a person must be here."""
    for rows in by_person(keys):
        # [P7] count what is kept
        kept = found[rows][keep(keys[rows], (found[rows],), cap, hashed)]
        if kept.dtype == np.int32:
            np.add.at(cells, kept, 1)
        else:  # as many records as the row weighs
            np.add.at(cells, kept & _CELL, kept >> CELL_BITS)


def by_person(keys: NDArray[np.uint64]) -> list[NDArray[np.int64]]:
    """Row numbers in buckets such that all rows of a person are in one: small sorts instead of a large one."""
    # [P4] a fixed function of the key alone
    buckets = max(1, len(keys) // _BUCKET_ROWS)
    if buckets == 1:
        return [np.arange(len(keys))]
    which = bucket_of(keys, buckets)
    order = np.argsort(which, kind="stable")
    return np.split(order, np.cumsum(np.bincount(which, minlength=buckets))[:-1])


def bucket_of(keys: NDArray[np.uint64], buckets: int) -> NDArray[np.uint16]:
    """A bucket for every key, the same for equal keys."""
    mixed = (keys[:, 0] ^ (keys[:, 1] * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    return ((mixed >> np.uint64(32)) % np.uint64(buckets)).astype(np.uint16)


def keep(
    keys: NDArray[np.uint64], values: tuple[NDArray[np.generic], ...], cap: int, hashed: PersonHash
) -> NDArray[np.bool_]:
    """Which rows stay. Rows are ordered by person and value first, so that their order in the files plays no part."""
    # [P5] by person, then by value
    order = np.lexsort((*values, keys[:, 1], keys[:, 0]))
    kept_in_order = np.zeros(len(keys), dtype=np.bool_)
    # [P6] at most cap of each person, by coins of that person alone
    choose_rows(keys[order], cap, np.uint64(hashed.words[2]), np.uint64(hashed.words[3]), kept_in_order)
    kept = np.empty_like(kept_in_order)
    kept[order] = kept_in_order
    return kept
