"""Neighbouring files chosen to hurt, and to lead a method down each of its paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, MethodInfo, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget

SIDE = 8
BOX = GeoBox(0.0, 0.0, 0.08, 0.08)
_LARGER_SIDE = 64
_CROWDS = (1, 10, 100, 1000, 10_000)  # times the records of a pair, tried until the method has answers to attack
_MOST_POINTS = 10_000
_PROBES = 8  # runs that tell whether it has
_CAP = 3
_SMALL_DELTA = 1e-6  # for methods that can do without δ and draw other noise with it

Cells = NDArray[np.int64]
Place = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two neighbouring inputs and the place, in the unit square, where they differ."""

    name: str
    relation: Adjacency
    first: ExactData
    second: ExactData
    place: tuple[float, float]
    middle: ExactData | None = None  # under replace: the record that differs lies outside the box
    k: int | None = None  # where the path needs a number of clusters of its own
    delta: float = 0.0  # where the path needs a δ


def pairs(relation: Adjacency, *, points: bool, dims: int = 2, crowded: int = 1) -> Iterator[Pair]:
    """Small files; `crowded` times as many records in those that are not empty."""
    crowd = np.zeros((SIDE, SIDE), np.int64)
    crowd[3:5, 3:5] = 15 * crowded
    one = np.zeros_like(crowd)
    one[4, 4] = 200 * crowded
    yield _pair("lone record in an empty corner", crowd, (0, 0), (4, 4), relation, points=points, dims=dims)
    yield _pair(
        "empty file against one record", np.zeros_like(crowd), (2, 5), (6, 1), relation, points=points, dims=dims
    )
    yield _pair("all mass in one cell", one, (4, 4), (0, 7), relation, points=points, dims=dims)


def _strong_pairs(info: MethodInfo, relation: Adjacency) -> Iterator[Pair]:
    """A larger map with many records, one center (whose residual round gets most of ε), a cap, a δ."""
    points = info.takes == "points" or info.dims[0] > 2
    larger = _two_towns(400 if points else 20_000)
    dims = max(2, info.dims[0])
    for k, name in ((2, "one record more in a town of a larger map"), (1, "the same, for one center")):
        yield _pair(name, larger, (20, 20), (63, 63), relation, points=points, dims=dims, k=k)
    if points:
        return
    if not info.needs_delta and info.name.startswith("peeled"):
        yield _pair(
            f"one record more with delta {_SMALL_DELTA:g}", larger, (20, 20), (63, 63), relation, delta=_SMALL_DELTA
        )
    if info.person_cap and relation is Adjacency.ADD_REMOVE_ONE:
        unit = Unit(person_column="rider", cap=_CAP)
        empty = np.zeros((SIDE, SIDE), np.int64)
        yield _pair(f"a person with {_CAP} records in an empty file", empty, (2, 5), (6, 1), relation, unit=unit)


def _two_towns(records: int) -> Cells:
    """Two dense spots on a larger grid, and a thin scatter; made, not drawn."""
    cells = np.zeros((_LARGER_SIDE, _LARGER_SIDE), np.int64)
    cells[16:24, 16:24] = records // 100
    cells[44:48, 40:44] = records // 50
    cells[::8, ::8] += 1
    return cells


def all_pairs(method: Mechanism, relation: Adjacency, *, crowded: int) -> list[Pair]:
    """Every pair that an audit tries on this method."""
    info = method.info
    small = pairs(relation, points=info.takes == "points", dims=max(2, info.dims[0]), crowded=crowded)
    return [*small, *_strong_pairs(info, relation)]


def _pair(
    name: str,
    base: Cells,
    here: Place,
    there: Place,
    relation: Adjacency,
    *,
    points: bool = False,
    dims: int = 2,
    unit: Unit | None = None,
    k: int | None = None,
    delta: float = 0.0,
) -> Pair:
    """One unit more `here` in the second file; under replace it stands `there` in the first."""
    first, second = base.copy(), base.copy()
    records = 1 if unit is None else unit.records
    second[here] += records
    if relation is Adjacency.REPLACE_ONE:
        first[there] += records
    side, rows = len(base), int(first.sum())
    first_data, second_data, middle = (
        _as_data(cells, relation, points=points, dims=dims, unit=unit, rows=rows) for cells in (first, second, base)
    )
    return Pair(
        name=name,
        relation=relation,
        first=first_data,
        second=second_data,
        middle=middle if relation is Adjacency.REPLACE_ONE else None,
        place=((here[1] + 0.5) / side, (side - here[0] - 0.5) / side),
        k=k,
        delta=delta,
    )


def _as_data(cells: Cells, relation: Adjacency, *, points: bool, dims: int, unit: Unit | None, rows: int) -> ExactData:
    side = len(cells)
    public = rows if relation is Adjacency.REPLACE_ONE else None
    counts = ExactCounts.from_array(Grid(BOX, side), cells, relation=relation, unit=unit or Unit(), public_rows=public)
    if not points:
        return counts
    row, column = np.nonzero(cells)
    flat = np.column_stack([(column + 0.5) / side, (side - row - 0.5) / side])
    cube = np.repeat(np.tile(flat, (1, -(-dims // 2)))[:, :dims], cells[row, column], axis=0)
    frame = BOX.frame if dims == 2 else plain_frame([0.0] * dims, [1.0] * dims)
    return ExactPoints(frame, cube, relation=relation, public_rows=counts.public_rows)


def crowd_for(method: Mechanism, relation: Adjacency, *, k: int, budget: Budget) -> int:
    """How many times the records a pair needs for the method to answer most of the time; 1 if none is enough.

    "Too few records" is an answer to attack as well, but says next to nothing about the noise.
    """
    info = method.info
    for crowded in _CROWDS:
        found = pairs(relation, points=info.takes == "points", dims=max(2, info.dims[0]), crowded=crowded)
        tested = [pair for pair in found if "empty file" not in pair.name]
        if any(isinstance(pair.first, ExactPoints) and len(pair.first.exact_cube) > _MOST_POINTS for pair in tested):
            break
        answers = []
        for pair in tested:
            plan, noise = method.plan(Public.of(pair.first), k=k, budget=budget), replayable_source(crowded)
            answers += [isinstance(method.run(pair.first, plan, noise), Answer) for _ in range(_PROBES)]
        if 2 * sum(answers) > len(answers):
            return crowded
    return 1
