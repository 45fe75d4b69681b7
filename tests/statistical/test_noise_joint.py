"""Joint noise for count and sums against its written-down law, with scales that must fail."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.noise.joint import joint_laplace
from dpviz_research.planting.checks_of_noise import count_variance, sum_variance

pytestmark = pytest.mark.statistical

DRAWS = 20_000
FAR = 1e-9
SOURCES = [pytest.param(secure_source, id="secure"), pytest.param(lambda: replayable_source(7), id="replayable")]
Source = Callable[[], NoiseSource]


def norm(vector: tuple[int, ...], radius: int) -> int:
    """⌈max(|count|, ‖sums‖/R)⌉ in whole numbers."""
    squares = sum(value**2 for value in vector[1:])
    step = math.isqrt(squares // radius**2)
    while (step * radius) ** 2 < squares:
        step += 1
    return max(abs(vector[0]), step)


def p_value(drawn: np.ndarray, epsilon: float, radius: int, dims: int, reach: int) -> float:
    """Chi-squared over single vectors up to a public reach; all farther ones are one class."""
    weights: dict[tuple[int, ...], float] = {}
    spans = [range(-reach, reach + 1), *[range(-reach * radius, reach * radius + 1)] * dims]
    for vector in itertools.product(*spans):
        height = norm(vector, radius)
        if height <= reach:
            weights[vector] = math.exp(-epsilon * height)
    # Farther shells: their sizes by counting in a larger box would be slow; compare given that K ≤ reach.
    counts = dict.fromkeys(weights, 0)
    for vector in map(tuple, drawn.tolist()):
        if vector in counts:
            counts[vector] += 1
    found = np.array(list(counts.values()), dtype=float)
    wanted = np.array(list(weights.values()))
    order = np.argsort(wanted, kind="stable")
    found, wanted = found[order], wanted[order] * found.sum() / wanted.sum()
    bins = np.floor(np.cumsum(wanted) / 30).astype(int)
    merged_found = np.bincount(bins, found)
    merged_wanted = np.bincount(bins, wanted)
    keep = merged_wanted > 0
    return float(stats.chisquare(merged_found[keep], merged_wanted[keep]).pvalue)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("epsilon", "radius", "dims", "reach"), [(1.0, 1, 1, 6), (2.0, 2, 2, 3), (1.5, 1, 3, 3)])
def test_joint_noise_has_its_law_and_no_other(
    source: Source, epsilon: float, radius: int, dims: int, reach: int
) -> None:
    drawn = joint_laplace(source(), epsilon=epsilon, radius=radius, dims=dims, size=DRAWS)
    assert p_value(drawn, epsilon, radius, dims, reach) > FAR
    assert p_value(drawn, epsilon * 0.7, radius, dims, reach) < FAR
    assert p_value(drawn, epsilon * 1.3, radius, dims, reach) < FAR


@pytest.mark.parametrize("source", SOURCES)
def test_the_largest_coordinate_is_gamma_in_the_limit(source: Source) -> None:
    """For small ε, K(z) is Gamma(d+2, 1/ε)·U^(1/(d+2)) = Gamma(d+2, 1/ε) thinned: compare by its distribution."""
    epsilon, radius, dims = 0.01, 1000, 2
    drawn = joint_laplace(source(), epsilon=epsilon, radius=radius, dims=dims, size=DRAWS).astype(float)
    height = np.maximum(np.abs(drawn[:, 0]), np.hypot(drawn[:, 1], drawn[:, 2]) / radius) * epsilon
    law = stats.gamma(dims + 1)  # the density of K is proportional to K^d·exp(−εK)
    assert stats.kstest(height, law.cdf).pvalue > FAR
    assert stats.kstest(height / 1.3, law.cdf).pvalue < FAR
    assert stats.kstest(height / 0.7, law.cdf).pvalue < FAR


@pytest.mark.parametrize("source", SOURCES)
def test_variances_are_those_promised(source: Source) -> None:
    epsilon, radius, dims = 0.05, 500, 2
    drawn = joint_laplace(source(), epsilon=epsilon, radius=radius, dims=dims, size=DRAWS).astype(float)
    assert np.var(drawn[:, 0]) == pytest.approx(count_variance(epsilon, dims), rel=0.1)
    for axis in (1, 2):
        assert np.var(drawn[:, axis]) == pytest.approx(sum_variance(epsilon, radius, dims), rel=0.1)
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.05
    assert count_variance(1.0, 2) == pytest.approx(20 / 3) and sum_variance(1.0, 1.0, 2) == 5.0
