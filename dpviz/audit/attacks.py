"""Neighbouring files chosen to hurt, attacks on what a method publishes of them, and what these prove about ε.

On one half of the runs the attacker picks the best number and threshold, and trains classifiers; the other half is
used once, with Clopper–Pearson bounds, so that the result holds with the stated confidence:

    ε ≥ ln((P[guess D | D] − δ) / P[guess D | D′]),  in both directions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from dpviz.domain import Adjacency, Centers, Coreset, ExactCounts, ExactPoints, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, MethodInfo, NoAnswer, Public
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


CONFIDENCE = 0.999
_NUMBERS = 16  # that are made by hand
_RAW_POINTS = 24  # of the coreset, around the place where the files differ: for attacks that learn
_RAW_CENTERS = 4
_LEAST_TO_LEARN = 50  # rows of each file

Floats = NDArray[np.float64]


def compute_statistics(answer: Answer | NoAnswer, place: tuple[float, float]) -> Floats:
    """Compute an attacker's numbers from one output. Fixed length; zeros where something was not published."""
    row = np.zeros(_NUMBERS + _RAW_POINTS + 2 * _RAW_CENTERS)
    if isinstance(answer, NoAnswer):
        row[0] = 1.0
        row[12] = float(answer.constants.get("noisy_total", 0.0) or 0.0)  # type: ignore[arg-type]
        return row
    if answer.coreset is not None and len(answer.coreset):
        cube, gap = _cube_and_gaps(answer.coreset, place)
        weights = answer.coreset.weights
        row[1:3] = weights[gap <= 0.5 / SIDE].sum(), weights[gap <= 1.5 / SIDE].sum()
        row[3:6] = weights.sum(), len(weights), weights[int(np.argmin(gap))]
        row[6:8] = gap.min(), np.abs(weights).max()
        near = np.lexsort((*cube.T, gap))[:_RAW_POINTS]
        row[_NUMBERS : _NUMBERS + len(near)] = weights[near]
        row[8:10] = (np.maximum(weights, 0) @ cube[:, :2]) / max(1e-9, np.maximum(weights, 0).sum())
    if answer.centers is not None:
        cube, gap = _cube_and_gaps(answer.centers, place)
        few = cube[np.lexsort(cube.T)][:_RAW_CENTERS, [0, 1 % cube.shape[1]]]
        row[_NUMBERS + _RAW_POINTS : _NUMBERS + _RAW_POINTS + few.size] = few.ravel()
        row[10:12] = gap.min(), answer.centers.weights[int(np.argmin(gap))]
        row[13:16] = cube[:, 0].min(), cube[:, 0].max(), cube[:, 1 % cube.shape[1]].mean()
    row[12] = answer.noisy_total or 0.0
    return row


def _cube_and_gaps(placed: Coreset | Centers, place: tuple[float, float]) -> tuple[Floats, Floats]:
    """Positions in the unit cube, and how far each is from the place where the files differ."""
    cube = placed.positions / placed.frame.extent
    return cube, np.abs(cube - np.resize(place, cube.shape[1])).max(axis=1)


def lower_bound(first: Floats, second: Floats, *, delta: float, confidence: float = CONFIDENCE) -> float:
    """A lower bound on ε that holds with this confidence, from rows of statistics of the two inputs; at least 0."""
    half = len(first) // 2
    attacks = _attack_scores(first[:half], second[:half], first[half:], second[half:])
    error = (1 - confidence) / 2  # two directions are tried on the second half
    best = 0.0
    for swap in (False, True):
        tried = [_best_threshold(b if swap else a, a if swap else b, delta) for a, b, _, _ in attacks]
        (_, sign, threshold), (_, _, a, b) = max(zip(tried, attacks, strict=True), key=lambda found: found[0][0])
        yes, no = (b, a) if swap else (a, b)
        hits, false = (int((sign * part >= sign * threshold).sum()) for part in (yes, no))
        best = max(best, _certain_epsilon(hits, len(yes), false, len(no), delta, error))
    return best


def _attack_scores(*parts: Floats) -> list[list[Floats]]:
    """Every single number of four parts, the first two to learn from, and what was learned from all of them."""
    learned = np.vstack(parts[:2])
    varying = np.flatnonzero(np.ptp(learned, axis=0) > 0)
    attacks = [[part[:, column] for part in parts] for column in varying]
    cut = len(parts[0]) // 2
    rows = np.vstack([part[:cut] for part in parts[:2]])[:, varying]
    if cut >= _LEAST_TO_LEARN and len(varying) > 1 and len(np.unique(rows, axis=0)) > 1:
        labels = np.repeat([1, 0], [cut, cut])
        later = [part[:, varying] for part in (parts[0][cut:], parts[1][cut:], *parts[2:])]
        # A straight line through all numbers, and trees that see what lines cannot.
        for model in (
            make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
            HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=8, random_state=0),
        ):
            with threadpool_limits(1):  # its threads wait for each other on a shared machine
                model.fit(rows, labels)
                attacks.append([np.asarray(model.decision_function(part), np.float64) for part in later])
    return attacks or [[np.zeros(1), np.zeros(1), np.zeros(len(parts[2])), np.zeros(len(parts[3]))]]


def _best_threshold(yes: Floats, no: Floats, delta: float) -> tuple[float, float, float]:
    """The estimate, side and threshold that look best on the first half, with enough hits to be trusted."""
    values = np.unique(np.quantile(np.concatenate([yes, no]), np.linspace(0, 1, 201), method="nearest"))
    best = (-math.inf, 1.0, float(values[0]))
    for sign in (1.0, -1.0):
        hit = (sign * yes[None, :] >= sign * values[:, None]).sum(axis=1)
        false = (sign * no[None, :] >= sign * values[:, None]).sum(axis=1)
        rate = hit / len(yes) - delta - 1.5 * np.sqrt(hit + 1) / len(yes)
        miss = (false + 1.5 * np.sqrt(false + 1) + 1) / len(no)
        estimate = np.where(rate > 0, np.log(np.maximum(rate, 1e-12) / miss), -math.inf)
        at = int(np.argmax(estimate))
        best = max(best, (float(estimate[at]), sign, float(values[at])))
    return best


def _certain_epsilon(hits: int, yes: int, false: int, no: int, delta: float, error: float) -> float:
    """Clopper–Pearson on both rates; each gets half of the error."""
    rate = beta.ppf(error / 2, hits, yes - hits + 1) if hits else 0.0
    miss = beta.ppf(1 - error / 2, false + 1, no - false) if false < no else 1.0
    return max(0.0, math.log((rate - delta) / miss)) if rate > delta else 0.0
