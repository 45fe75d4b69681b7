from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from dpviz.errors import InputError
from dpviz.noise import NoiseSource, replayable_source, secure, secure_source
from dpviz.noise.checks import rounded_down, rounded_up

SOURCES = [pytest.param(secure_source, id="secure"), pytest.param(lambda: replayable_source(3), id="replayable")]
Source = Callable[[], NoiseSource]


def test_kinds_and_seeds_are_said() -> None:
    assert (secure_source().kind, secure_source().seed) == ("secure", None)
    assert (replayable_source(9).kind, replayable_source(9).seed) == ("replayable", 9)


def test_the_same_seed_gives_the_same_draws_and_another_seed_others() -> None:
    def draws(seed: int) -> list[object]:
        noise = replayable_source(seed)
        scores = np.arange(50)
        return [
            noise.laplace(5.0, 20).tolist(),
            noise.gaussian(5.0, 20).tolist(),
            noise.select(scores, epsilon=0.1),
            noise.integers(1000, 20).tolist(),
            noise.coins(0.5, 40).tolist(),
            noise.permutation(30).tolist(),
        ]

    assert draws(1) == draws(1)
    assert draws(1) != draws(2)


def test_secure_draws_never_repeat() -> None:
    assert secure_source().laplace(1e6, 20).tolist() != secure_source().laplace(1e6, 20).tolist()


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("size", [0, 1, 7])
def test_sizes_and_types_are_as_asked(source: Source, size: int) -> None:
    noise = source()
    for drawn in (
        noise.laplace(2.0, size),
        noise.gaussian(2.0, size),
        noise.integers(5, size),
        noise.permutation(size),
    ):
        assert drawn.shape == (size,) and drawn.dtype == np.int64
    coins = noise.coins(0.5, size)
    assert coins.shape == (size,) and coins.dtype == np.bool_


def test_a_size_beyond_one_call_of_the_library_is_filled_to_the_end() -> None:
    drawn = secure_source().laplace(1e9, (1 << 17) + 3)
    assert len(drawn) == (1 << 17) + 3 and np.count_nonzero(drawn == 0) < 10


def test_draws_shared_among_threads_are_all_made_and_never_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    drawn = secure_source().laplace(1e15, 4 * secure._PART + 3)
    assert drawn.shape == (4 * secure._PART + 3,)
    assert len(np.unique(drawn)) == len(drawn)


def test_no_draw_asks_for_nothing() -> None:
    assert secure_source().laplace(3.0, 0).shape == (0,)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("scale", [0, 0.0, -1.0, math.nan, math.inf, 1e-10, 2.0**51, True, "3", None])
def test_scales_that_would_publish_exact_numbers_are_refused(source: Source, scale: object) -> None:
    noise = source()
    with pytest.raises(InputError, match="scale"):
        noise.laplace(scale, 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="scale"):
        noise.gaussian(scale, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", SOURCES)
def test_a_scale_may_be_a_fraction(source: Source) -> None:
    assert source().laplace(Fraction(7, 3), 4).shape == (4,)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", SOURCES)
def test_wrong_sizes_probabilities_and_ranges_are_refused(source: Source) -> None:
    noise = source()
    for size in (-1, 1.5, True, None):
        with pytest.raises(InputError, match="size"):
            noise.laplace(1.0, size)  # type: ignore[arg-type]
    for probability in (-0.1, 1.1, math.nan, True):
        with pytest.raises(InputError, match="probability"):
            noise.coins(probability, 3)
    for high in (0, -4, 2**63, 2.5):
        with pytest.raises(InputError, match="high"):
            noise.integers(high, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", SOURCES)
def test_coins_that_cannot_fall_otherwise(source: Source) -> None:
    assert not source().coins(0.0, 1000).any()
    assert source().coins(1.0, 1000).all()


def test_coins_look_at_further_digits_when_the_first_64_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    import dpviz.noise.secure as secure

    chance = Fraction(5, 2**64) + Fraction(3, 2**128)
    words = iter([[5, 5, 4, 6], [2, 3]])
    monkeypatch.setattr(secure, "_random_words", lambda size: np.array(next(words), dtype=np.uint64))
    assert secure_source().coins(chance, 4).tolist() == [True, False, True, False]  # type: ignore[arg-type]


def test_a_tie_among_random_keys_draws_all_again(monkeypatch: pytest.MonkeyPatch) -> None:
    import dpviz.noise.secure as secure

    keys = iter([[4, 4, 1], [9, 2, 5]])
    monkeypatch.setattr(secure, "_random_words", lambda size: np.array(next(keys), dtype=np.uint64))
    assert secure_source().permutation(3).tolist() == [1, 2, 0]


@pytest.mark.parametrize("source", SOURCES)
def test_permutations_are_permutations(source: Source) -> None:
    assert sorted(source().permutation(1000).tolist()) == list(range(1000))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("high", [2**62 + 1, 2**63 - 1])
def test_integers_reach_over_the_whole_range(source: Source, high: int) -> None:
    drawn = source().integers(high, 4000)
    assert drawn.min() >= 0 and drawn.max() < high
    assert drawn.max() > high * 0.99 and drawn.min() < high * 0.01


def test_threads_share_the_secure_source() -> None:
    noise, failures = secure_source(), []

    def work(scale: float) -> None:
        try:
            for _ in range(20):
                drawn = noise.laplace(scale, 500)
                assert np.abs(drawn).mean() < 3 * scale
                noise.select(np.arange(300), epsilon=1 / scale)
        except Exception as error:  # the test reports what went wrong in a thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(5.0 + index % 3,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_scales_are_rounded_up_by_more_than_the_slack_of_budgets() -> None:
    for scale in (1e-9, 1 / 3, 1.0, 1e9, 2.0**50, Fraction(1, 3)):
        drawn = Fraction(rounded_up(scale))
        assert drawn >= Fraction(scale) * (1 + Fraction(18, 10**13))
        assert drawn <= Fraction(scale) * (1 + Fraction(19, 10**13))


def test_selection_parameters_are_rounded_down() -> None:
    assert rounded_down(0.3, 0.7) < Fraction(0.3) / Fraction(0.7) * (1 - Fraction(18, 10**13))


def test_parts_of_a_budget_stay_within_it_in_exact_arithmetic() -> None:
    """Shares that add up to 1e-12 too much in floats are drawn with scales that add up to less."""
    epsilon = 0.7
    shares = [0.03, 0.97 / 3, 0.97 / 3, 0.97 / 3 + 6e-13]
    losses = [1 / Fraction(rounded_up(1.0 / (epsilon * share))) for share in shares]
    assert sum(losses) < Fraction(epsilon)


@pytest.mark.parametrize("source", SOURCES)
def test_numbers_of_numpy_are_numbers(source: Source) -> None:
    noise = source()
    assert noise.laplace(np.float32(2.0), np.int64(3)).shape == (3,)  # type: ignore[arg-type]
    assert noise.coins(np.float32(1.0), 2).all()  # type: ignore[arg-type]
    assert noise.select(np.array([1, 90], dtype=np.int16), epsilon=np.float32(9.0), sensitivity=np.int32(1)) == 1  # type: ignore[arg-type]
