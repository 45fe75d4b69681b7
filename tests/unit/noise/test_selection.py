from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from secrets import randbits

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpviz.errors import InputError
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.noise.decisions import Powers, below, bounds_of_exp_minus, choose_group, cumulative, group_scores

SOURCES = [pytest.param(secure_source, id="secure"), pytest.param(lambda: replayable_source(3), id="replayable")]
Source = Callable[[], NoiseSource]


def exact_exp(x: Fraction, precision: int) -> Decimal:
    return (-(Decimal(x.numerator) / Decimal(x.denominator))).exp() * Decimal(2) ** precision


@given(st.fractions(0, 300, max_denominator=10**9), st.sampled_from([4, 53, 160, 320]))
def test_bounds_enclose_the_exponential_and_are_tight(x: Fraction, precision: int) -> None:
    low, high = bounds_of_exp_minus(x, precision)
    with localcontext() as context:
        context.prec = 150
        assert low <= exact_exp(x, precision) * (1 + Decimal(10) ** -140)
        assert exact_exp(x, precision) * (1 - Decimal(10) ** -140) <= high
    assert high - low <= 2


@given(st.integers(0, 2**40), st.fractions(Fraction(1, 10**6), 3, max_denominator=10**12))
def test_powers_of_gaps_are_enclosed(gap: int, rate: Fraction) -> None:
    low, high = Powers(rate, 160)[gap]
    with localcontext() as context:
        context.prec = 150
        value = exact_exp(rate * gap, 160) if rate * gap < 10**4 else Decimal(0)
        assert low <= value * (1 + Decimal(10) ** -140) + Decimal("1e-100")
        assert value * (1 - Decimal(10) ** -140) <= high
    assert high - low <= 100


@given(
    st.lists(st.tuples(st.integers(-(10**6), 10**6), st.integers(0, 50)), min_size=1, max_size=60).filter(
        lambda pairs: any(times for _, times in pairs)
    )
)
def test_groups_are_the_distinct_scores_with_their_multiplicities(pairs: list[tuple[int, int]]) -> None:
    scores = np.array([score for score, _ in pairs])
    times = np.array([times for _, times in pairs])
    values, sizes = group_scores(scores, times)
    expected: dict[int, int] = {}
    for score, count in pairs:
        if count:
            expected[score] = expected.get(score, 0) + count
    assert values == sorted(expected, reverse=True)
    assert sizes == [expected[value] for value in values]


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=60), st.booleans())
def test_groups_without_multiplicities_count_candidates(scores: list[int], spread: bool) -> None:
    array = np.array(scores) * (10**9 if spread else 1)
    values, sizes = group_scores(array, None)
    assert values == sorted(set(array.tolist()), reverse=True)
    assert sizes == [array.tolist().count(value) for value in values]


@given(
    st.lists(st.integers(1, 40), min_size=0, max_size=30),
    st.data(),
    st.fractions(Fraction(1, 1000), 2, max_denominator=1000),
)
def test_cumulative_weights_are_enclosed(steps: list[int], data: st.DataObject, rate: Fraction) -> None:
    gaps = np.concatenate([[0], np.cumsum(steps)]).astype(int).tolist()
    sizes = data.draw(st.lists(st.integers(1, 10**6), min_size=len(gaps), max_size=len(gaps)))
    lower, upper, total = cumulative(gaps, sizes, rate, 160)
    with localcontext() as context:
        context.prec = 150
        running = Decimal(0)
        slack = Decimal(10) ** -90
        for index, (gap, size) in enumerate(zip(gaps, sizes, strict=True)):
            running += size * exact_exp(rate * gap, 160)
            if index < len(lower):
                assert lower[index] <= running + slack
                assert running <= upper[index] + slack
        assert running <= total + slack


def test_a_choice_is_a_step_function_of_the_uniform_number() -> None:
    """Fed with every 12-digit start of a uniform number, the share of each group is its probability to 2^-12."""
    gaps, sizes, rate = [0, 1, 3], [2, 5, 40], Fraction(1, 2)
    weights = np.array([2, 5 * math.exp(-0.5), 40 * math.exp(-1.5)])
    counts = np.zeros(3)
    for start in range(4096):
        first = [start]

        def bits(count: int, first: list[int] = first) -> int:
            return first.pop() << (count - 12) if first else 0

        counts[choose_group(gaps, sizes, rate, bits)] += 1
    assert np.abs(counts / 4096 - weights / weights.sum()).max() < 3 / 4096


def test_uniform_numbers_below_are_all_reached() -> None:
    assert {below(5, randbits) for _ in range(500)} == set(range(5))
    assert below(1, randbits) == 0


@pytest.mark.parametrize("source", SOURCES)
def test_extreme_scores_and_parameters_are_taken(source: Source) -> None:
    noise = source()
    far = np.array([-(2**63), 2**63 - 1, 0])
    assert noise.select(far, epsilon=0.1) == 1
    assert noise.select(far, epsilon=100.0, sensitivity=1e-3) == 1
    assert noise.select(np.array([7]), epsilon=1e-6) == 0
    tiny = {noise.select(np.array([0, 1]), epsilon=1e-9) for _ in range(100)}
    assert tiny == {0, 1}


@pytest.mark.parametrize("source", SOURCES)
def test_candidates_of_multiplicity_zero_are_never_chosen(source: Source) -> None:
    noise = source()
    scores, times = np.array([9, 1, 9, 1]), np.array([0, 3, 0, 0])
    assert {noise.select(scores, epsilon=0.1, multiplicity=times) for _ in range(200)} == {1}


@pytest.mark.parametrize("source", SOURCES)
def test_bad_selections_are_refused_without_quoting_a_score(source: Source) -> None:
    noise = source()
    secret = np.array([987_654, 3])
    cases: list[dict[str, object]] = [
        {"epsilon": 0.0},
        {"epsilon": math.inf},
        {"epsilon": 1.0, "sensitivity": 0.0},
        {"epsilon": 1.0, "multiplicity": np.array([1, -1])},
        {"epsilon": 1.0, "multiplicity": np.array([0, 0])},
        {"epsilon": 1.0, "multiplicity": np.array([1])},
        {"epsilon": 1.0, "multiplicity": np.array([2**62, 2**62])},
    ]
    for case in cases:
        with pytest.raises(InputError) as caught:
            noise.select(secret, **case)  # type: ignore[arg-type]
        assert "987" not in str(caught.value)
    for scores in (np.array([]), np.array([0.5, 1.0]), np.zeros((2, 2), dtype=int), np.array([True])):
        with pytest.raises(InputError, match="scores"):
            noise.select(scores, epsilon=1.0)


def test_a_hundred_thousand_candidates_are_chosen_from_in_milliseconds() -> None:
    import time

    scores = np.random.default_rng(0).integers(0, 3000, 100_000)
    noise = secure_source()
    noise.select(scores, epsilon=0.05)
    start = time.process_time()
    for _ in range(5):
        noise.select(scores, epsilon=0.05)
    assert (time.process_time() - start) / 5 < 0.1
