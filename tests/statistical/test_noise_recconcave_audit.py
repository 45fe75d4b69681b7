"""RecConcave attacked with two data sets that hurt: lower bounds on what it leaks stay below the claim.

Two equal far peaks, of which one record decides the higher. A search that takes the better interval without the test
of stability leaks everything here, and must be caught.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import dpviz.noise.recconcave as recconcave
from dpviz.noise import replayable_source
from dpviz.noise.recconcave import rec_concave
from dpviz.privacy import Budget

pytestmark = pytest.mark.statistical

TRIALS = 4000
CONFIDENCE = 1e-9
SIZE, HEIGHT = 256, 400


def outcomes(quality: np.ndarray, budget: Budget, seed: int) -> np.ndarray:
    """How often each class came out: nothing, left half, right half."""
    noise = replayable_source(seed)
    counts = np.zeros(3, dtype=np.int64)
    for _ in range(TRIALS):
        place = rec_concave(quality, SIZE, promise=HEIGHT, alpha=0.5, budget=budget, noise=noise)
        counts[0 if place is None else 1 + (place >= SIZE // 2)] += 1
    return counts


def leak(budget: Budget) -> float:
    """A lower bound on ε at the stated δ, over all unions of the classes and both directions."""
    left = np.full(SIZE, -HEIGHT, dtype=np.int64)
    left[20] = left[200] = HEIGHT
    right = left.copy()
    left[20] += 1
    right[200] += 1
    one, other = outcomes(left, budget, 1), outcomes(right, budget, 2)
    worst = 0.0
    for mask in range(1, 7):
        event = np.array([mask >> bit & 1 for bit in range(3)], dtype=bool)
        for first, second in ((one, other), (other, one)):
            low = stats.binomtest(int(first[event].sum()), TRIALS).proportion_ci(1 - CONFIDENCE).low
            high = stats.binomtest(int(second[event].sum()), TRIALS).proportion_ci(1 - CONFIDENCE).high
            if low > budget.delta:
                worst = max(worst, math.log((low - budget.delta) / high))
    return worst


def test_the_search_leaks_no_more_than_it_claims() -> None:
    budget = Budget(epsilon=1.0, delta=9e-4)
    assert leak(budget) <= budget.epsilon


def test_a_search_without_its_stability_test_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recconcave, "threshold", lambda epsilon, delta: -(10**9))
    budget = Budget(epsilon=1.0, delta=9e-4)
    assert leak(budget) > 3 * budget.epsilon
