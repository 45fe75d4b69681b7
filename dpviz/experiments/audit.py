"""Attack a method: a lower bound on the ε that it really gives, from many runs on two neighbouring files.

A pair is chosen to hurt. Every run becomes a row of numbers that an attacker could compute from the output. On one
half of the runs the attacker picks the best single number and threshold, and trains a classifier; the other half is
used once, with Clopper–Pearson bounds, so that the result holds with the stated confidence:

    ε ≥ ln((P[guess D | D] − δ) / P[guess D | D′]),  in both directions.

A result above the claim proves a defect. A result below the claim proves nothing: a small missing charge cannot be
seen this way (the second computation of the charges is there for that).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta
from sklearn.ensemble import HistGradientBoostingClassifier

from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, NoAnswer, Public
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget

CONFIDENCE = 0.999
SIDE = 8
BOX = GeoBox(0.0, 0.0, 0.08, 0.08)
SLACK = 1e-9
CROWDS = (1, 10, 100, 1000, 10_000)  # times the records of a pair, tried until the method has answers to attack
MOST_POINTS = 10_000
PROBES = 8  # runs that tell whether it has


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two neighbouring inputs and the place, in the unit square, where they differ."""

    name: str
    relation: Adjacency
    first: ExactData
    second: ExactData
    place: tuple[float, float]


def pairs(relation: Adjacency, *, points: bool, dims: int = 2, crowded: int = 1) -> Iterator[Pair]:
    """Neighbouring files chosen to hurt; `crowded` times as many records in those that are not empty."""
    crowd = np.zeros((SIDE, SIDE), np.int64)
    crowd[3:5, 3:5] = 15 * crowded
    cases: list[tuple[str, NDArray[np.int64], tuple[int, int], tuple[int, int]]] = [
        ("lone record in an empty corner", crowd, (0, 0), (4, 4)),
        ("empty file against one record", np.zeros_like(crowd), (2, 5), (6, 1)),
        ("all mass in one cell", _all_in_one(200 * crowded), (4, 4), (0, 7)),
    ]
    for name, base, here, there in cases:
        first, second = base.copy(), base.copy()
        second[here] += 1
        if relation is Adjacency.REPLACE_ONE:
            first[there] += 1
        yield Pair(
            name=name,
            relation=relation,
            first=_as_data(first, relation, points=points, dims=dims),
            second=_as_data(second, relation, points=points, dims=dims),
            place=((here[1] + 0.5) / SIDE, (SIDE - here[0] - 0.5) / SIDE),
        )


def _all_in_one(records: int) -> NDArray[np.int64]:
    cells = np.zeros((SIDE, SIDE), np.int64)
    cells[4, 4] = records
    return cells


def _as_data(cells: NDArray[np.int64], relation: Adjacency, *, points: bool, dims: int) -> ExactData:
    counts = ExactCounts.from_array(Grid(BOX, SIDE), cells, relation=relation)
    if not points:
        return counts
    rows, columns = np.nonzero(cells)
    flat = np.column_stack([(columns + 0.5) / SIDE, (SIDE - rows - 0.5) / SIDE])
    cube = np.repeat(np.tile(flat, (1, -(-dims // 2)))[:, :dims], cells[rows, columns], axis=0)
    frame = BOX.frame if dims == 2 else plain_frame([0.0] * dims, [1.0] * dims)
    return ExactPoints(frame, cube, relation=relation, public_rows=counts.public_rows)


def records_of(data: ExactData) -> int:
    """How many records one of the made-up files holds."""
    return data.exact_total if isinstance(data, ExactCounts) else len(data.exact_cube)


def statistics(answer: Answer | NoAnswer, place: tuple[float, float]) -> NDArray[np.float64]:
    """What an attacker computes from one output. Fixed length; zeros where something was not published."""
    row = np.zeros(16)
    if isinstance(answer, NoAnswer):
        row[0] = 1.0
        row[12] = float(answer.constants.get("noisy_total", 0.0) or 0.0)  # type: ignore[arg-type]
        return row
    if answer.coreset is not None and len(answer.coreset):
        extent = answer.coreset.frame.extent
        cube = answer.coreset.positions / extent
        weights = answer.coreset.weights
        gap = np.abs(cube - np.resize(place, cube.shape[1])).max(axis=1)
        row[1] = weights[gap <= 0.5 / SIDE].sum()
        row[2] = weights[gap <= 1.5 / SIDE].sum()
        row[3] = weights.sum()
        row[4] = len(weights)
        row[5] = weights[int(np.argmin(gap))]
        row[6] = gap.min()
        row[7] = np.abs(weights).max()
        row[8:10] = (np.maximum(weights, 0) @ cube[:, :2]) / max(1e-9, np.maximum(weights, 0).sum())
    if answer.centers is not None:
        extent = answer.centers.frame.extent
        cube = answer.centers.positions / extent
        gap = np.abs(cube - np.resize(place, cube.shape[1])).max(axis=1)
        row[10] = gap.min()
        row[11] = answer.centers.weights[int(np.argmin(gap))]
        row[13] = cube[:, 0].min()
        row[14] = cube[:, 0].max()
        row[15] = cube[:, 1 % cube.shape[1]].mean()
    row[12] = answer.noisy_total or 0.0
    return row


def sample(
    method: Mechanism,
    pair: Pair,
    *,
    k: int,
    budget: Budget,
    trials: int,
    source: Callable[[int], NoiseSource] = replayable_source,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows of statistics of `trials` runs on each of the two inputs."""
    rows: list[list[NDArray[np.float64]]] = [[], []]
    for side, data in enumerate((pair.first, pair.second)):
        plan = method.plan(Public.of(data), k=k, budget=budget)
        noise = source(1_000_003 * side + 17)
        for _ in range(trials):
            rows[side].append(statistics(method.run(data, plan, noise), pair.place))
    return np.array(rows[0]), np.array(rows[1])


def lower_bound(
    first: NDArray[np.float64], second: NDArray[np.float64], *, delta: float, confidence: float = CONFIDENCE
) -> float:
    """A lower bound on ε that holds with this confidence, from rows of statistics of the two inputs; at least 0."""
    half = len(first) // 2
    attacks = attack_scores(first[:half], second[:half], first[half:], second[half:])
    error = (1 - confidence) / 2  # two directions are tried on the second half
    best = 0.0
    for swap in (False, True):
        tried = [_best_threshold(b if swap else a, a if swap else b, delta) for a, b, _, _ in attacks]
        chosen = max(range(len(tried)), key=lambda index: tried[index][0])
        _, sign, threshold = tried[chosen]
        _, _, a, b = attacks[chosen]
        yes, no = (b, a) if swap else (a, b)
        hits = int((sign * yes >= sign * threshold).sum())
        false = int((sign * no >= sign * threshold).sum())
        best = max(best, _certain_epsilon(hits, len(yes), false, len(no), delta, error))
    return best


def attack_scores(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    first_later: NDArray[np.float64],
    second_later: NDArray[np.float64],
) -> list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]]:
    """Every single statistic, and a classifier trained on half of the first halves."""
    attacks = [
        (first[:, column], second[:, column], first_later[:, column], second_later[:, column])
        for column in range(first.shape[1])
        if np.ptp(np.concatenate([first[:, column], second[:, column]])) > 0
    ]
    cut = len(first) // 2
    rows = np.vstack([first[:cut], second[:cut]])
    labels = np.repeat([1, 0], [cut, cut])
    if cut >= 50 and np.ptp(rows, axis=0).max() > 0:
        model = HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=8, random_state=0).fit(rows, labels)
        scores = [model.decision_function(part) for part in (first[cut:], second[cut:], first_later, second_later)]
        attacks.append((scores[0], scores[1], scores[2], scores[3]))
    if not attacks:
        constant = np.zeros(1)
        attacks.append((constant, constant, np.zeros(len(first_later)), np.zeros(len(second_later))))
    return attacks


def _best_threshold(yes: NDArray[np.float64], no: NDArray[np.float64], delta: float) -> tuple[float, float, float]:
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


def crowd_for(method: Mechanism, relation: Adjacency, *, k: int, budget: Budget) -> int:
    """How many times the records a pair needs for the method to answer most of the time; 1 if none is enough.

    "Too few records" is an answer to attack as well, but says next to nothing about the noise.
    """
    for crowded in CROWDS:
        tested = [pair for pair in _pairs_for(method, relation, crowded) if "empty file" not in pair.name]
        if any(isinstance(pair.first, ExactPoints) and len(pair.first.exact_cube) > MOST_POINTS for pair in tested):
            break
        answers = []
        for pair in tested:
            plan, noise = method.plan(Public.of(pair.first), k=k, budget=budget), replayable_source(crowded)
            answers += [isinstance(method.run(pair.first, plan, noise), Answer) for _ in range(PROBES)]
        if 2 * sum(answers) > len(answers):
            return crowded
    return 1


def _pairs_for(method: Mechanism, relation: Adjacency, crowded: int) -> Iterator[Pair]:
    info = method.info
    return pairs(relation, points=info.takes == "points", dims=max(2, info.dims[0]), crowded=crowded)


def audit_method(
    method: str | Mechanism,
    *,
    epsilon: float = 1.0,
    delta: float = 1e-9,
    trials: int = 2000,
    k: int = 2,
    confidence: float = CONFIDENCE,
) -> list[dict[str, Any]]:
    """One row per relation and pair: claim, lower bound, records, how often it answered, trials, seconds, verdict."""
    found = catalogue.get(method) if isinstance(method, str) else method
    if isinstance(trials, bool) or trials < 100:
        raise InputError(f"trials={trials}: give at least 100; a bound near the claim needs thousands.")
    info = found.info
    budget = Budget(epsilon=epsilon, delta=delta if info.needs_delta else 0.0)
    rows = []
    for relation in sorted(info.adjacencies):
        crowded = crowd_for(found, relation, k=k, budget=budget)
        for pair in _pairs_for(found, relation, crowded):
            started = time.perf_counter()
            first, second = sample(found, pair, k=k, budget=budget, trials=trials)
            bound = lower_bound(first, second, delta=budget.delta, confidence=confidence)
            rows.append(
                {
                    "method": info.name,
                    "relation": relation.value,
                    "pair": pair.name,
                    "claim": epsilon,
                    "delta": budget.delta,
                    "lower_bound": round(bound, 4),
                    "confidence": confidence,
                    "k": k,
                    "records": records_of(pair.first),
                    "answered": round(1.0 - float(np.concatenate([first[:, 0], second[:, 0]]).mean()), 3),
                    "trials": trials,
                    "seconds": round(time.perf_counter() - started, 2),
                    "violated": bool(bound > epsilon + SLACK),
                }
            )
    return rows
