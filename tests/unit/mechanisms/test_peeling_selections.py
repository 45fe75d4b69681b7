"""Selection by rejection has the law of the whole exponential mechanism, whatever is left uncounted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from dpviz.domain import GeoBox, Grid
from dpviz.mechanisms.peeled_balls import mechanism
from dpviz.mechanisms.peeled_balls.engine import Peeler
from dpviz.mechanisms.peeled_balls.mechanism import LargestCounts, select_center, select_radius
from dpviz.noise import replayable_source
from dpviz.noise.decisions import WORDS, bounds_of_exp_minus, coin, selection_rate
from tests.oracles.peeling import NaivePeeler

GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16)
DRAWS = 3000
FAR = 1e-9


def some_cells() -> np.ndarray:
    return np.random.default_rng(4).poisson(2.0, (16, 16)).astype(np.int64)


def p_value(found: np.ndarray, expected: np.ndarray) -> float:
    kept = expected > 5
    observed = np.append(found[kept], found[~kept].sum())
    wanted = np.append(expected[kept], expected[~kept].sum())
    observed, wanted = observed[wanted > 0], wanted[wanted > 0]
    return float(chi2.sf(((observed - wanted) ** 2 / wanted).sum(), len(wanted) - 1))


def radius_law(epsilon: float, weight: int) -> np.ndarray:
    twin = NaivePeeler(GRID, some_cells())
    largest = np.array([0] + [twin.exact_largest(rung) for rung in range(len(twin.windows))])
    scores = np.minimum(weight - largest[:-1], largest[1:] - weight)
    weights = np.exp(epsilon / 2 * (scores - scores.max()))
    return weights / weights.sum()


def radius_counts(epsilon: float, weight: int) -> np.ndarray:
    noise = replayable_source(1)
    state = Peeler(GRID, some_cells())
    drawn = [select_radius(LargestCounts(state), weight, epsilon, noise) for _ in range(DRAWS)]
    return np.bincount(drawn, minlength=len(state.windows))


@pytest.mark.parametrize("epsilon", [0.01, 0.1])
def test_the_radius_has_the_law_of_the_exponential_mechanism(epsilon: float) -> None:
    assert p_value(radius_counts(epsilon, 60), DRAWS * radius_law(epsilon, 60)) > FAR


def test_a_radius_that_is_always_kept_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanism, "coin", lambda noise, rate, gap: True)
    assert p_value(radius_counts(0.1, 60), DRAWS * radius_law(0.1, 60)) < FAR


def center_p_value(epsilon: float, monotone: bool, uncounted: float) -> float:
    state, twin, rung, weight = Peeler(GRID, some_cells()), NaivePeeler(GRID, some_cells()), 1, 25
    counts = np.array([twin.exact_score(rung, weight, index) for index in range(256)])
    weights = np.exp(epsilon * (counts - counts.max()) / (1 if monotone else 2))
    noise = replayable_source(2)
    found = np.zeros(256)
    for _ in range(DRAWS):
        row, column = select_center(state, rung, weight, epsilon, noise, monotone=monotone, uncounted=uncounted)
        found[(row - 1) // 2 * 16 + (column - 1) // 2] += 1
    return p_value(found, DRAWS * weights / weights.sum())


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("uncounted", [1.5, 20.0, 1e5])
@pytest.mark.parametrize("grain", [0.1, 3.0])
def test_the_center_has_the_law_of_the_exponential_mechanism(
    monotone: bool, uncounted: float, grain: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mechanism, "GRAIN", grain)
    assert center_p_value(0.5, monotone, uncounted) > FAR


def test_a_center_kept_whatever_its_score_within_its_group_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanism, "GRAIN", 3.0)
    monkeypatch.setattr(mechanism, "coin", lambda noise, rate, gap: True)
    assert center_p_value(0.5, True, 1.5) < FAR


def test_a_center_that_is_always_kept_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanism, "coin", lambda noise, rate, gap: True)
    assert center_p_value(0.5, True, 20.0) < FAR


def test_the_coin_has_the_rate_of_the_selection() -> None:
    noise = replayable_source(3)
    rate = selection_rate(0.4, sensitivity=2.0)
    for gap in (0, 1, 5, 12):
        chance = np.exp(-float(rate) * gap)
        heads = np.mean([coin(noise, rate, gap) for _ in range(DRAWS)])
        assert abs(heads - chance) <= 6.5 * np.sqrt(chance * (1 - chance) / DRAWS)


class Scripted:
    """Gives prepared whole numbers; the number of calls is kept."""

    def __init__(self, words: list[int]) -> None:
        self.words, self.calls = words, 0

    def integers(self, high: int, size: int) -> np.ndarray:
        self.calls += 1
        given, self.words = self.words[:size], self.words[size:]
        assert high == 2**62 and len(given) == size
        return np.array(given, np.int64)


@pytest.mark.parametrize("above", [False, True])
def test_a_coin_on_the_edge_is_decided_by_more_digits(above: bool) -> None:
    """The first 124 digits are those of exp(−rate·gap) itself; only the next ones tell on which side the number is."""
    rate, gap, digits = selection_rate(0.3), 7, 62 * WORDS
    low, high = bounds_of_exp_minus(rate * gap, 2 * digits)
    edge = low >> digits
    assert edge == high >> digits
    rest = 2**62 - 1 if above else 0
    source = Scripted([edge >> 62, edge & (2**62 - 1), rest, rest])
    assert coin(source, rate, gap) is not above  # type: ignore[arg-type]
    assert source.calls == 2
