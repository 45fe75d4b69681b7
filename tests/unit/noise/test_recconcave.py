from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpviz.errors import InputError
from dpviz.noise import replayable_source, secure_source
from dpviz.noise.recconcave import levels, plateaus, promise_needed, rec_concave, threshold
from dpviz.privacy import Budget

BUDGET = Budget(epsilon=1.0, delta=1e-6)


def peak(size: int, place: int, height: int, slope: float) -> np.ndarray:
    return np.rint(height - slope * np.abs(np.arange(size) - place)).astype(np.int64)


@pytest.mark.parametrize("size", [5, 32, 33, 4096, 60_000])
def test_a_promise_that_is_kept_gives_a_good_place(size: int) -> None:
    promise = promise_needed(size, alpha=0.5, budget=BUDGET, beta=0.01)
    generator = np.random.default_rng(size)
    good = 0
    for round_ in range(40):
        place, slope = int(generator.integers(size)), [0.5, 3.0, promise / 40, 2.0 * promise][round_ % 4]
        noise = secure_source() if round_ % 8 == 0 else replayable_source(round_)
        quality = peak(size, place, promise, slope)
        found = rec_concave(quality, size, promise=promise, alpha=0.5, budget=BUDGET, noise=noise)
        good += found is not None and quality[found] >= promise / 2
    assert good >= 38


def test_a_flat_quality_or_a_broken_promise_mostly_gives_nothing_and_never_an_error() -> None:
    quality = np.zeros(5000, dtype=np.int64)
    found = [
        rec_concave(quality, 5000, promise=2000, alpha=0.5, budget=BUDGET, noise=replayable_source(seed))
        for seed in range(50)
    ]
    assert sum(place is None for place in found) >= 20


def test_two_equal_peaks_far_apart_are_not_told_apart() -> None:
    """Not quasi-concave: the stability test must refuse where a record could turn the choice (δ = 1e-6)."""
    size, promise = 4096, 5000
    quality = np.full(size, -promise, dtype=np.int64)
    quality[100] = quality[3000] = promise
    found = [
        rec_concave(quality, size, promise=promise, alpha=0.5, budget=BUDGET, noise=replayable_source(seed))
        for seed in range(200)
    ]
    assert found == [None] * 200


def test_a_callable_and_its_array_are_the_same() -> None:
    quality = peak(300, 77, 3000, 50)
    arguments = {"promise": 3000, "alpha": 0.5, "budget": BUDGET}
    one = rec_concave(lambda place: int(quality[place]), 300, noise=replayable_source(4), **arguments)
    assert one == rec_concave(quality, 300, noise=replayable_source(4), **arguments)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=70))
def test_plateaus_are_the_best_smallest_values_of_windows(values: list[int]) -> None:
    found = plateaus(np.array(values, dtype=np.int64)).tolist()
    assert len(found) == len(values).bit_length() + 1
    for power, height in enumerate(found[:-1]):
        width = 1 << power
        assert height == max(min(values[a : a + width]) for a in range(len(values) - width + 1))
    assert found[-1] == min(0, found[-2])


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=70), st.data())
def test_plateaus_move_by_at_most_the_sensitivity(values: list[int], data: st.DataObject) -> None:
    moves = data.draw(st.lists(st.integers(-2, 2), min_size=len(values), max_size=len(values)))
    before = plateaus(np.array(values, dtype=np.int64))
    after = plateaus(np.array(values, dtype=np.int64) + np.array(moves, dtype=np.int64))
    assert np.abs(after - before).max() <= 2


def test_the_tests_threshold_is_passed_by_noise_with_probability_at_most_delta() -> None:
    for epsilon, delta in [(0.01, 1e-9), (1.0, 1e-6), (5.0, 1e-3)]:
        tail = np.exp(-epsilon * threshold(epsilon, delta)) / (1 + np.exp(-epsilon))
        assert tail <= delta
        assert tail * np.exp(4 * epsilon + 4) > delta * 0.1  # and not absurdly far beyond


def test_depth_is_public_and_small() -> None:
    assert [levels(size) for size in (1, 32, 33, 2**31, 2**32)] == [0, 0, 1, 1, 2]


def test_bad_arguments_are_refused_with_what_to_do() -> None:
    noise = replayable_source(0)
    quality = np.zeros(100, dtype=np.int64)
    with pytest.raises(InputError, match="delta above 0"):
        rec_concave(quality, 100, promise=5, alpha=0.5, budget=Budget(epsilon=1.0), noise=noise)
    with pytest.raises(InputError, match="whole number per"):
        rec_concave(quality + 0.5, 100, promise=5, alpha=0.5, budget=BUDGET, noise=noise)
    with pytest.raises(InputError, match="alpha"):
        rec_concave(quality, 100, promise=5, alpha=1.0, budget=BUDGET, noise=noise)
    with pytest.raises(InputError, match="sensitivity"):
        rec_concave(quality, 100, promise=5, alpha=0.5, budget=BUDGET, noise=noise, sensitivity=0)
