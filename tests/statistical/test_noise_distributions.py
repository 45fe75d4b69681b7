"""Every sampler, secure and replayable, against its written-down distribution: 20,000 draws, p < 1e-9.

The true parameter must pass and 0.7 and 1.3 times it must fail, so a pass means something.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.noise.decisions import choose_group, select_exactly

pytestmark = pytest.mark.statistical

DRAWS = 20_000
FAR = 1e-9
SOURCES = [pytest.param(secure_source, id="secure"), pytest.param(lambda: replayable_source(7), id="replayable")]
Source = Callable[[], NoiseSource]


def fits(drawn: NDArray[np.int64], weight: Callable[[NDArray[np.float64]], NDArray[np.float64]], reach: int) -> float:
    """p-value of a chi-squared test of whole-number draws against weights on −reach … reach, thin bins merged."""
    support = np.arange(-reach, reach + 1)
    masses = weight(support.astype(np.float64))
    masses = masses / masses.sum()
    observed = np.bincount(np.clip(drawn, -reach, reach) + reach, minlength=2 * reach + 1)
    expected, found, bins = 0.0, 0, []
    for mass, count in zip(masses * len(drawn), observed, strict=True):
        expected, found = expected + mass, found + count
        if expected >= 25:
            bins.append((expected, found))
            expected, found = 0.0, 0
    bins[-1] = (bins[-1][0] + expected, bins[-1][1] + found)
    wanted, got = np.array(bins).T
    return float(stats.chisquare(got, wanted * got.sum() / wanted.sum()).pvalue)


def laplace_weight(scale: float) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    return lambda z: np.exp(-np.abs(z) / scale)


def gaussian_weight(scale: float) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    return lambda z: np.exp(-((z / scale) ** 2) / 2)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("scale", [0.6, 3.0, 20.0, 400.0])
def test_laplace_has_its_scale_and_no_other(source: Source, scale: float) -> None:
    drawn = source().laplace(scale, DRAWS)
    reach = math.ceil(40 * scale)
    assert fits(drawn, laplace_weight(scale), reach) > FAR
    assert fits(drawn, laplace_weight(scale * 0.7), reach) < FAR
    assert fits(drawn, laplace_weight(scale * 1.3), reach) < FAR


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("scale", [0.6, 3.0, 20.0, 400.0])
def test_gaussian_has_its_scale_and_no_other(source: Source, scale: float) -> None:
    drawn = source().gaussian(scale, DRAWS)
    reach = math.ceil(12 * scale)
    assert fits(drawn, gaussian_weight(scale), reach) > FAR
    assert fits(drawn, gaussian_weight(scale * 0.7), reach) < FAR
    assert fits(drawn, gaussian_weight(scale * 1.3), reach) < FAR


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("scale", [1e6, 1e9])
def test_wide_laplace_matches_its_continuous_limit(source: Source, scale: float) -> None:
    drawn = source().laplace(scale, DRAWS) / scale
    assert stats.kstest(drawn, stats.laplace.cdf).pvalue > FAR
    assert stats.kstest(drawn / 1.3, stats.laplace.cdf).pvalue < FAR
    assert stats.kstest(drawn / 0.7, stats.laplace.cdf).pvalue < FAR


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("scale", [1e6, 1e9])
def test_wide_gaussian_matches_its_continuous_limit(source: Source, scale: float) -> None:
    drawn = source().gaussian(scale, DRAWS) / scale
    assert stats.kstest(drawn, stats.norm.cdf).pvalue > FAR
    assert stats.kstest(drawn / 1.3, stats.norm.cdf).pvalue < FAR
    assert stats.kstest(drawn / 0.7, stats.norm.cdf).pvalue < FAR


def test_laplace_of_a_huge_budget_is_nearly_no_noise() -> None:
    for source in (secure_source(), replayable_source(1)):
        assert not source.laplace(1 / 100, 1000).any()
        assert not source.gaussian(1e-6, 1000).any()


SCORES = np.array([5, 3, 5, 0, -4, 3, 3], dtype=np.int64)
TIMES = np.array([1, 4, 2, 30, 200, 0, 1], dtype=np.int64)


def selection_p_value(chosen: NDArray[np.int64], rate: float, times: NDArray[np.int64]) -> float:
    weights = times * np.exp(rate * (SCORES - SCORES.max()))
    possible = weights > 0
    counts = np.bincount(chosen, minlength=len(SCORES))
    if counts[~possible].any():
        return 0.0
    expected = weights[possible] / weights.sum() * len(chosen)
    return float(stats.chisquare(counts[possible], expected).pvalue)


def select_many(source: NoiseSource, *, epsilon: float, sensitivity: float, monotone: bool) -> NDArray[np.int64]:
    return np.array(
        [
            source.select(SCORES, epsilon=epsilon, sensitivity=sensitivity, monotone=monotone, multiplicity=TIMES)
            for _ in range(DRAWS)
        ]
    )


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("sensitivity", "monotone"), [(1.0, False), (2.0, True)])
def test_selection_has_the_exponential_mechanisms_probabilities(
    source: Source, sensitivity: float, monotone: bool
) -> None:
    chosen = select_many(source(), epsilon=1.0, sensitivity=sensitivity, monotone=monotone)
    assert selection_p_value(chosen, 0.5, TIMES) > FAR
    assert selection_p_value(chosen, 0.5 * 0.7, TIMES) < FAR
    assert selection_p_value(chosen, 0.5 * 1.3, TIMES) < FAR


@pytest.mark.parametrize("source", SOURCES)
def test_planted_selection_bugs_are_found(source: Source) -> None:
    doubled = select_many(source(), epsilon=1.0, sensitivity=1.0, monotone=True)  # the factor 2 forgotten
    assert selection_p_value(doubled, 0.5, TIMES) < FAR
    fresh = source()
    without = np.array([fresh.select(SCORES, epsilon=1.0) for _ in range(DRAWS)])  # the multiplicities forgotten
    assert selection_p_value(without, 0.5, TIMES) < FAR
    assert selection_p_value(without, 0.5, np.ones(len(SCORES), dtype=np.int64)) > FAR


def test_selection_decides_correctly_when_every_first_draw_is_undecided() -> None:
    """A first draw of so few digits that most selections must go on drawing: the distribution stays the same."""
    from fractions import Fraction

    import dpviz.noise.decisions as selection

    generator = np.random.Generator(np.random.PCG64(5))

    def bits(count: int) -> int:
        return int.from_bytes(generator.bytes((count + 7) // 8)) >> (-count % 8)

    before = selection.FIRST_PRECISION
    selection.FIRST_PRECISION = 4
    try:
        chosen = np.array([select_exactly(SCORES, TIMES, Fraction(1, 2), bits) for _ in range(DRAWS)])
    finally:
        selection.FIRST_PRECISION = before
    assert selection_p_value(chosen, 0.5, TIMES) > FAR
    assert selection_p_value(chosen, 0.5 * 1.3, TIMES) < FAR


def test_groups_far_below_the_best_are_still_chosen_when_their_number_makes_up_for_it() -> None:
    """e^20 candidates at a gap of 20 weigh as much as one at the top."""
    from fractions import Fraction
    from secrets import randbits

    size = round(math.exp(20))
    chosen = np.array([choose_group([0, 20], [1, size], Fraction(1), randbits) for _ in range(DRAWS)])
    assert stats.binomtest(int(chosen.sum()), DRAWS, 0.5).pvalue > FAR


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("high", [1, 2, 3, 100, 128])
def test_integers_are_uniform(source: Source, high: int) -> None:
    drawn = source().integers(high, DRAWS)
    counts = np.bincount(drawn, minlength=high)
    assert len(counts) == high
    if high > 1:
        assert stats.chisquare(counts).pvalue > FAR
        short = stats.chisquare(np.bincount(drawn % max(1, round(high * 0.7)), minlength=high)).pvalue
        assert short < FAR


@pytest.mark.parametrize("source", SOURCES)
def test_integers_of_a_range_that_is_no_power_of_two_have_no_modulo_bias(source: Source) -> None:
    high = 3 * 2**61  # a 63-bit word taken modulo this would favour the lowest third
    drawn = source().integers(high, DRAWS)
    assert drawn.min() >= 0 and drawn.max() < high
    thirds = np.bincount(drawn // 2**61, minlength=3)
    assert stats.chisquare(thirds).pvalue > FAR
    biased = np.random.Generator(np.random.PCG64(0)).integers(0, 2**63 - 1, DRAWS) % high
    assert stats.chisquare(np.bincount(biased // 2**61, minlength=3)).pvalue < FAR


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("probability", [0.001, 0.1, 0.5, 0.7])
def test_coins_have_their_probability_and_no_other(source: Source, probability: float) -> None:
    draws = DRAWS if probability > 0.01 else 100 * DRAWS  # with half of them honest coins fail 4 of 1,000 runs
    heads = int(source().coins(probability, draws).sum())
    assert stats.binomtest(heads, draws, probability).pvalue > FAR
    assert stats.binomtest(heads, draws, probability * 0.7).pvalue < FAR
    assert stats.binomtest(heads, draws, probability * 1.3).pvalue < FAR


@pytest.mark.parametrize("source", SOURCES)
def test_all_orders_of_four_are_equally_likely(source: Source) -> None:
    chance = source()
    orders = dict.fromkeys(itertools.permutations(range(4)), 0)
    for _ in range(DRAWS):
        orders[tuple(chance.permutation(4).tolist())] += 1
    counts = np.array(list(orders.values()))
    assert stats.chisquare(counts).pvalue > FAR
    rotations = np.where(np.arange(24) < 4, DRAWS / 4, 0)  # a mere rotation has the right marginals, and must fail
    assert stats.chisquare(rotations).pvalue < FAR


@pytest.mark.parametrize("source", SOURCES)
def test_neighbouring_draws_are_not_correlated(source: Source) -> None:
    drawn = source().laplace(10.0, DRAWS).astype(np.float64)
    assert stats.pearsonr(drawn[1:], drawn[:-1]).pvalue > FAR
    assert stats.pearsonr(np.abs(drawn[1:]), np.abs(drawn[:-1])).pvalue > FAR
