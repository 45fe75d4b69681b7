"""Attacks on what a method publishes: numbers that an attacker computes, learned ones, and what they prove about ε.

On one half of the runs the attacker picks the best number and threshold, and trains classifiers; the other half is
used once, with Clopper–Pearson bounds, so that the result holds with the stated confidence:

    ε ≥ ln((P[guess D | D] − δ) / P[guess D | D′]),  in both directions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from dpviz.audit.pairs import SIDE
from dpviz.mechanisms.interface import Answer, NoAnswer

CONFIDENCE = 0.999
NUMBERS = 16  # that are made by hand
RAW_POINTS = 24  # of the coreset, around the place where the files differ: for attacks that learn
RAW_CENTERS = 4
LEAST_TO_LEARN = 50  # rows of each file

Floats = NDArray[np.float64]


def statistics(answer: Answer | NoAnswer, place: tuple[float, float]) -> Floats:
    """What an attacker computes from one output. Fixed length; zeros where something was not published."""
    row = np.zeros(NUMBERS + RAW_POINTS + 2 * RAW_CENTERS)
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
        near = np.lexsort((*cube.T, gap))[:RAW_POINTS]
        row[NUMBERS : NUMBERS + len(near)] = weights[near]
        row[8:10] = (np.maximum(weights, 0) @ cube[:, :2]) / max(1e-9, np.maximum(weights, 0).sum())
    if answer.centers is not None:
        extent = answer.centers.frame.extent
        cube = answer.centers.positions / extent
        gap = np.abs(cube - np.resize(place, cube.shape[1])).max(axis=1)
        few = cube[np.lexsort(cube.T)][:RAW_CENTERS, [0, 1 % cube.shape[1]]]
        row[NUMBERS + RAW_POINTS : NUMBERS + RAW_POINTS + few.size] = few.ravel()
        row[10] = gap.min()
        row[11] = answer.centers.weights[int(np.argmin(gap))]
        row[13] = cube[:, 0].min()
        row[14] = cube[:, 0].max()
        row[15] = cube[:, 1 % cube.shape[1]].mean()
    row[12] = answer.noisy_total or 0.0
    return row


def lower_bound(first: Floats, second: Floats, *, delta: float, confidence: float = CONFIDENCE) -> float:
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
    first: Floats, second: Floats, first_later: Floats, second_later: Floats
) -> list[tuple[Floats, Floats, Floats, Floats]]:
    """Every single number, and what was learned from all of them on half of the first halves."""
    parts = (first, second, first_later, second_later)
    varying = np.flatnonzero(np.ptp(np.vstack([first, second]), axis=0) > 0)
    attacks: list[tuple[Floats, Floats, Floats, Floats]] = [_one(parts, int(column)) for column in varying]
    cut = len(first) // 2
    if cut >= LEAST_TO_LEARN and len(varying) > 1:
        rows = np.vstack([first[:cut], second[:cut]])[:, varying]
        labels = np.repeat([1, 0], [cut, cut])
        later = [part[:, varying] for part in (first[cut:], second[cut:], first_later, second_later)]
        for model in _learners():
            if len(np.unique(rows, axis=0)) > 1:
                with threadpool_limits(1):  # its threads wait for each other on a shared machine
                    model.fit(rows, labels)
                    scores = [np.asarray(model.decision_function(part), np.float64) for part in later]
                attacks.append((scores[0], scores[1], scores[2], scores[3]))
    if not attacks:
        constant = np.zeros(1)
        attacks.append((constant, constant, np.zeros(len(first_later)), np.zeros(len(second_later))))
    return attacks


def _one(parts: tuple[Floats, Floats, Floats, Floats], column: int) -> tuple[Floats, Floats, Floats, Floats]:
    first, second, first_later, second_later = (part[:, column] for part in parts)
    return first, second, first_later, second_later


def _learners() -> list[Any]:
    """A straight line through all numbers, and trees that see what lines cannot."""
    return [
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
        HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=8, random_state=0),
    ]


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
