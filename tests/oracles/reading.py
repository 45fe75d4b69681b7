"""A plain twin of every compiled loop of reading: slow, obvious, and what the loops are tested against."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Grid, PlainBox
from dpviz.ingest import _kernels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
_WORD = (1 << 64) - 1
_GRAMMAR = re.compile(rb"[ \t]*([-+]?)([0-9]*)(?:([.,])([0-9]*))?(?:[eE][-+]?[0-9]+)?[ \t]*")


def round_to_double(digits: int, after: int, *_: Any) -> float:
    """Exact arithmetic."""
    return float(Fraction(int(digits), 10 ** int(after)))


def read_number(data: Bytes, begin: int, end: int, comma: bool, *_: Any) -> tuple[float, bool]:
    """A regular expression and Python's own float."""
    text = data[begin:end].tobytes().strip(b" \t")
    match = _GRAMMAR.fullmatch(text)
    if match is None or not (match[2] or match[4]) or (match[3] == b"," and not comma) or len(text) > 400:
        return math.nan, True
    return float(text.replace(b",", b".")), True


def read_numbers(
    data: Bytes,
    begins: Integers,
    ends: Integers,
    comma: bool,
    powers: Words,
    values: Floats,
    undecided: NDArray[np.bool_],
) -> None:
    """One after the other."""
    for i, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        values[i], undecided[i] = read_number(data, begin, end, comma)[0], False


def split_rows(data: bytes, separator: str) -> list[list[bytes]]:
    """All rows of a whole text as lists of fields: the grammar of the reader, without its speed.

    A quoted field is given without its quotes, except where text follows them.
    """
    rows: list[list[bytes]] = []
    row: list[bytes] = []
    mark, at = separator.encode(), 0
    while at < len(data):
        if not row and data[at : at + 1] in (b"\r", b"\n"):
            at += 1
            continue
        quoted = re.compile(rb'"((?:[^"]|"")*+)"', re.S).match(data, at)
        short_enough = quoted is not None and len(quoted[1]) < _kernels.MAX_QUOTED
        rest = re.compile(rb"[^\r\n" + re.escape(mark) + rb"]*").match(
            data, quoted.end() if quoted and short_enough else at
        )
        assert rest is not None
        if quoted and short_enough:
            row.append(quoted[1] if not rest[0].strip(b" ") else data[at + 1 : rest.end()])
        else:
            row.append(rest[0])
        at = rest.end()
        if data[at : at + 1] == mark:
            at += 1
            if at < len(data):
                continue
            row.append(b"")
        rows.append(row)
        row = []
        at += 1
    return rows


def sip_hash(data: Bytes, begin: int, end: int, key0: int, key1: int) -> tuple[int, int]:
    """SipHash-2-4-128 on Python's integers."""

    def turn(x: int, by: int) -> int:
        return ((x << by) | (x >> (64 - by))) & _WORD

    def rounds(v: list[int], times: int) -> None:
        for _ in range(times):
            v[0] = (v[0] + v[1]) & _WORD
            v[2] = (v[2] + v[3]) & _WORD
            v[1], v[3] = turn(v[1], 13) ^ v[0], turn(v[3], 16) ^ v[2]
            v[0] = turn(v[0], 32)
            v[0] = (v[0] + v[3]) & _WORD
            v[2] = (v[2] + v[1]) & _WORD
            v[3], v[1] = turn(v[3], 21) ^ v[0], turn(v[1], 17) ^ v[2]
            v[2] = turn(v[2], 32)

    text = data[begin:end].tobytes()
    k0, k1 = int(key0), int(key1)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D ^ 0xEE, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]
    padded = text + bytes(-(len(text) + 1) % 8) + bytes([len(text) & 0xFF])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i : i + 8], "little")
        v[3] ^= word
        rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xEE
    rounds(v, 4)
    low = v[0] ^ v[1] ^ v[2] ^ v[3]
    v[1] ^= 0xDD
    rounds(v, 4)
    return low, v[0] ^ v[1] ^ v[2] ^ v[3]


def hash_slices(data: Bytes, begins: Integers, ends: Integers, key0: int, key1: int, keys: Words) -> None:
    """One after the other."""
    for i, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        text = data[begin:end].tobytes().strip(b" \t")
        if len(text) <= 15:
            padded = text.ljust(15, b"\0") + bytes([len(text)])
            keys[i] = int.from_bytes(padded[8:], "little"), int.from_bytes(padded[:8], "little")
        else:
            low, high = sip_hash(np.frombuffer(text, dtype=np.uint8), 0, len(text), key0, key1)
            keys[i] = high | 0xFF << 56, low


def choose_rows(keys: Words, cap: int, key0: int, key1: int, kept: NDArray[np.bool_]) -> None:
    """Person by person, selection sampling with exact integers."""
    start = 0
    while start < len(keys):
        stop = start
        while stop < len(keys) and tuple(keys[stop]) == tuple(keys[start]):
            stop += 1
        wanted, draw, rows = cap, 0, stop - start
        for t in range(rows):
            if rows <= cap:
                kept[start + t] = True
                continue
            left = rows - t
            while True:
                message = b"".join(int(word).to_bytes(8, "little") for word in (*keys[start], draw))
                draw += 1
                word, _ = sip_hash(np.frombuffer(message, dtype=np.uint8), 0, 24, key0, key1)
                if word < _WORD - _WORD % left:
                    break
            kept[start + t] = word % left < wanted
            wanted -= int(kept[start + t])
        start = stop


def find_cells(
    x: Floats,
    y: Floats,
    low_x: float,
    high_x: float,
    low_y: float,
    high_y: float,
    side: int,
    cell_of: Integers,
    tally: Integers,
) -> None:
    """`Grid.cells`, and whole-array counting."""
    cell_of[:] = Grid(PlainBox((low_x, low_y), (high_x, high_y)), side).cells(x, y)
    inside = cell_of >= 0
    finite = np.isfinite(x) & np.isfinite(y)
    with np.errstate(invalid="ignore"):
        swapped = finite & ~inside & (y >= low_x) & (y < high_x) & (x >= low_y) & (x < high_y)
        beyond = finite & ~inside & ~swapped & ((np.abs(x) > 180) | (np.abs(y) > 90))
    tally += np.array([inside.sum(), (~finite).sum(), swapped.sum(), beyond.sum()])


def add_to_cells(
    x: Floats,
    y: Floats,
    low_x: float,
    high_x: float,
    low_y: float,
    high_y: float,
    side: int,
    cells: Integers,
    tally: Integers,
) -> None:
    """`Grid.cells`, then one bincount."""
    found = np.empty(len(x), dtype=np.int64)
    find_cells(x, y, low_x, high_x, low_y, high_y, side, found, tally)
    cells += np.bincount(found[found >= 0], minlength=side * side)


TWINS: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
    (_kernels.round_to_double, round_to_double),
    (_kernels.read_number, read_number),
    (_kernels.read_numbers, read_numbers),
    (_kernels.scan_rows, split_rows),
    (_kernels.sip_hash, sip_hash),
    (_kernels.hash_slices, hash_slices),
    (_kernels.choose_rows, choose_rows),
    (_kernels.find_cells, find_cells),
    (_kernels.add_to_cells, add_to_cells),
)
