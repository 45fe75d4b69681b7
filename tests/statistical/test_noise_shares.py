"""Shares of noise: each has its law, and so many as are meant add up to one central draw."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from dpviz.errors import InputError
from dpviz.noise import shares
from dpviz.noise.checks import rounded_up

pytestmark = pytest.mark.statistical

DRAWS = 20_000
FAR = 1e-9


def p_value(drawn: NDArray[np.int64], masses: NDArray[np.float64], lowest: int) -> float:
    """Chi-squared test of whole-number draws against masses on lowest, lowest + 1, …; thin bins are merged."""
    observed = np.bincount(np.clip(drawn - lowest, 0, len(masses) - 1), minlength=len(masses))
    expected, found, bins = 0.0, 0, []
    for mass, count in zip(masses / masses.sum() * len(drawn), observed, strict=True):
        expected, found = expected + mass, found + count
        if expected >= 25:
            bins.append((expected, found))
            expected, found = 0.0, 0
    bins[-1] = (bins[-1][0] + expected, bins[-1][1] + found)
    wanted, got = np.array(bins).T
    return float(stats.chisquare(got, wanted * got.sum() / wanted.sum()).pvalue)


def bits(seed: int) -> Callable[[int], int]:
    return random.Random(seed).getrandbits


@pytest.mark.parametrize(("scale", "parts"), [(0.6, 2), (3.0, 1), (3.0, 3), (25.0, 2)])
def test_a_polya_variable_has_its_law_and_no_other(scale: float, parts: int) -> None:
    polya = shares.Polya(1 / Fraction(rounded_up(scale)), parts, bits(5))
    drawn = np.array([polya.draw() for _ in range(DRAWS)])
    support = np.arange(math.ceil(40 * scale) + 2)

    def law(of: float) -> NDArray[np.float64]:
        masses: NDArray[np.float64] = stats.nbinom.pmf(support, 1 / parts, -math.expm1(-1 / of))
        return masses

    assert p_value(drawn, law(scale), 0) > FAR
    assert p_value(drawn, law(1.3 * scale), 0) < FAR
    assert p_value(drawn, law(0.7 * scale), 0) < FAR


class Bits:
    """Gives bits that are stated; asks for more of them by an error."""

    def __init__(self, given: tuple[int, ...]) -> None:
        self._given, self._at = given, 0

    def __call__(self, number: int) -> int:
        if self._at + number > len(self._given):
            raise LookupError
        taken = self._given[self._at : self._at + number]
        self._at += number
        return int("".join(map(str, taken)), 2) if taken else 0


def exact_law(draw: Callable[[Callable[[int], int]], int], depth: int) -> tuple[dict[int, Fraction], Fraction]:
    """The probability of each result over all bits, and that of what so many bits leave open."""
    found: dict[int, Fraction] = {}
    still_open, waiting = Fraction(0), [()]
    while waiting:
        given = waiting.pop()
        try:
            value = draw(Bits(given))
            found[value] = found.get(value, Fraction(0)) + Fraction(1, 2 ** len(given))
        except LookupError:
            if len(given) == depth:
                still_open += Fraction(1, 2**depth)
            else:
                waiting += [(*given, 0), (*given, 1)]
    return found, still_open


@pytest.mark.parametrize(
    ("law", "least"),
    [
        pytest.param("_poisson", 0.98, id="the number of logarithmic variables"),
        pytest.param("draw", 0.9, id="a Polya variable"),
        pytest.param("_is_kept", 0.999, id="a coin"),
    ],
)
def test_small_cases_have_their_law_exactly(monkeypatch: pytest.MonkeyPatch, law: str, least: float) -> None:
    """All bits are tried: what is decided has at most the stated probability, and what is left open is the rest."""
    monkeypatch.setattr(shares, "_BITS", 1)
    rate, parts = 1 / Fraction(rounded_up(0.6)), 2
    p = math.exp(-float(rate))
    asked = (3, 1) if law == "_is_kept" else ()
    found, still_open = exact_law(lambda bits: int(getattr(shares.Polya(rate, parts, bits), law)(*asked)), 15)
    stated: dict[str, Callable[[int], float]] = {
        "_poisson": lambda value: float(stats.poisson.pmf(value, -math.log1p(-p) / parts)),
        "draw": lambda value: float(stats.nbinom.pmf(value, 1 / parts, 1 - p)),
        "_is_kept": lambda value: p**3 if value else 1 - p**3,
    }
    assert sum(found.values()) + still_open == 1
    assert still_open < 1 - least
    for value, probability in found.items():
        assert float(probability) <= stated[law](value) + 1e-9
        assert stated[law](value) <= float(probability + still_open) + 1e-9


@pytest.mark.parametrize(("holders", "pooling"), [(3, 0), (3, 1), (5, 0), (5, 2)])
def test_shares_of_those_who_do_not_pool_are_one_central_draw_exactly(holders: int, pooling: int) -> None:
    """By adding up the laws: as many Polya variables as do not pool are geometric, to the last digit of floats."""
    p, size = math.exp(-1 / 3.0), 400
    one = stats.nbinom.pmf(np.arange(size), 1 / (holders - pooling), 1 - p)
    summed = np.array([1.0])
    for _ in range(holders - pooling):
        summed = np.convolve(summed, one)[:size]
    assert np.abs(summed - (1 - p) * p ** np.arange(size)).max() < 1e-14


def loss(holders: int, pooling: int, looking: int, epsilon: float) -> float:
    """What one record moves, at most, in the logarithm of a probability, for so many holders who know their shares."""
    decay, reach = math.exp(-epsilon), math.ceil(60 / epsilon)
    polya = stats.nbinom.pmf(np.arange(reach), (holders - looking) / (holders - pooling), 1 - decay)
    difference = np.convolve(polya, polya[::-1])[reach // 2 : -(reach // 2)]
    return float(np.abs(np.diff(np.log(difference))).max())


def test_more_holders_than_may_pool_learn_more_than_epsilon_says() -> None:
    """The numbers of docs/proofs/joint.md and docs/LIMITS.md."""
    for epsilon in (1.0, 0.5, 0.1):
        assert loss(3, 1, 1, epsilon) == pytest.approx(epsilon)
        assert loss(5, 2, 2, epsilon) == pytest.approx(epsilon)
    without = [loss(3, 0, 1, epsilon) for epsilon in (1.0, 0.5, 0.1, 0.01)]
    assert without == pytest.approx([1.39, 0.86, 0.34, 0.125], abs=0.005)


@pytest.mark.parametrize(("scale", "parts"), [(1.0, 2), (4.0, 3), (30.0, 5)])
def test_shares_add_up_to_one_central_draw(scale: float, parts: int) -> None:
    sums = shares.laplace_shares(scale, DRAWS * parts, parts, bits(9)).reshape(DRAWS, parts).sum(axis=1)
    reach = math.ceil(40 * scale)
    support = np.arange(-reach, reach + 1)
    assert p_value(sums, np.exp(-np.abs(support) / scale), -reach) > FAR
    assert p_value(sums, np.exp(-np.abs(support) / (0.7 * scale)), -reach) < FAR
    assert p_value(sums, np.exp(-np.abs(support) / (1.3 * scale)), -reach) < FAR
    fewer = shares.laplace_shares(scale, DRAWS * parts, parts + 1, bits(9)).reshape(DRAWS, parts).sum(axis=1)
    assert p_value(fewer, np.exp(-np.abs(support) / scale), -reach) < FAR  # a forgotten share is noticed


def test_the_law_does_not_depend_on_how_many_bits_are_drawn_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two bits at a time nearly every comparison is open at first, and has to be decided by more of them."""
    monkeypatch.setattr(shares, "_BITS", 2)
    drawn = shares.laplace_shares(3.0, 2 * DRAWS, 2, bits(3)).reshape(DRAWS, 2).sum(axis=1)
    support = np.arange(-120, 121)
    assert p_value(drawn, np.exp(-np.abs(support) / 3.0), -120) > FAR


def test_large_scales_have_the_variance_of_one_draw() -> None:
    sums = shares.laplace_shares(2.0**27, 4000, 2, bits(1)).reshape(2000, 2).astype(np.float64).sum(axis=1)
    assert 0.8 < sums.var() / (2.0 * 2.0**54) < 1.25
    assert abs(sums.mean()) < 5 * math.sqrt(2.0 * 2.0**54 / 2000)


@pytest.mark.parametrize("parts", [0, -1, 1.0, True, 1001])
def test_a_number_of_parts_that_is_none_is_refused(parts: object) -> None:
    with pytest.raises(InputError):
        shares.laplace_shares(1.0, 3, parts, bits(1))  # type: ignore[arg-type]
