"""Checks of the room of noise: what is drawn has the law that proofs rest on. False alarms are rarer than 1 in 10⁹."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.noise import Sampler, replayable_source, secure_source, spherical
from dpviz.noise.checks import rounded_down, rounded_up
from dpviz.noise.decisions import FirstAbove, StableChoice, StableWinner, coin, selection_rate
from dpviz.noise.joint import joint_laplace
from dpviz.noise.source import Decision
from dpviz.noise.spherical import STEEPNESS
from dpviz_research.planting.finding import demand, refuses

SIGMAS = 6.5  # a normal number is farther out less than once in 10¹⁰
SCALES = (0.3, 1.0, 7.0, 300.0)


def count_variance(epsilon: float, dims: int) -> float:
    """Variance of the count's noise in the limit of small ε: E[r²]/3 with r ~ Gamma(d+2, 1/ε)."""
    return (dims + 2) * (dims + 3) / 3 / epsilon**2


def sum_variance(epsilon: float, radius: float, dims: int) -> float:
    """Variance of each sum's noise in the limit of small ε: R²·E[r²]/(d+2)."""
    return (dims + 3) * radius**2 / epsilon**2


def rounding() -> None:
    """Scales are never rounded down, rates of selections never up."""
    for value in (1e-9, 0.1, 1 / 3, 1.0, 2.0**40 / 3):
        demand(Fraction(rounded_up(value)) > Fraction(value), f"the scale {value} is drawn smaller than asked")
        demand(rounded_up(value) <= value * (1 + 1e-9), f"the scale {value} is drawn far larger than asked")
        rate = rounded_down(value, 3.0)
        demand(rate < Fraction(value) / 3, f"a selection with epsilon {value} and sensitivity 3 spends more than that")
        demand(
            rate > Fraction(value) / 3 * (1 - Fraction(1, 10**9)), f"a selection with epsilon {value} spends far less"
        )


def drawn_laws() -> None:
    """Bare noise of both sources: size, independence and freshness."""
    for source, times in ((replayable_source(8), 20_000), (secure_source(), 3_000)):
        for scale in SCALES:
            _close(source.laplace(scale, times), _laplace(scale), f"{source.kind} Laplace noise of scale {scale}")
            if scale >= 1:
                _close(source.gaussian(scale, times), _gaussian(scale), f"{source.kind} Gaussian noise of {scale}")
        twice = [source.laplace(1e6, 40) for _ in range(2)]
        demand(not np.array_equal(twice[0], twice[1]), f"the {source.kind} source gives the same noise twice")
        demand(len(set(twice[0].tolist())) > 30, f"one {source.kind} draw serves a whole vector")
    first, second = (secure_source().integers(2**62, 8) for _ in range(2))
    demand(not np.array_equal(first, second), "two secure sources give the same numbers")
    demand(not np.array_equal(first, secure_source().integers(2**62, 8)), "a secure source starts from a seed")


def added_laws() -> None:
    """Noise as it is added: to every number, whole numbers only, joint noise, chance per row."""
    source = replayable_source(9)
    exact = np.repeat(np.array([0, 1, 10**12], np.int64), 4_000).reshape(3, -1)
    for row, noisy in zip(exact, source.add_laplace(exact, 5.0), strict=True):
        _close(noisy - row, _laplace(5.0), f"noise that is added to {row[0]}")
    for row, noisy in zip(exact, source.add_gaussian(exact, 5.0), strict=True):
        _close(noisy - row, _gaussian(5.0), f"Gaussian noise that is added to {row[0]}")
    for kind in (source.add_laplace, source.add_gaussian):
        refuses(partial(kind, np.array([0.5]), 1.0), InputError, "noise is added to fractions")
    third = Fraction(1, 3)
    priced = STEEPNESS * spherical.radius_within(third, 2.0**21) / 2**21
    demand(priced <= third, "a length costs more than its price")
    rows = source.add_spherical_laplace(np.zeros((3_000, 5), np.int64), 2.0**20) / 2.0**20
    seen = float((rows**2).sum(axis=1).mean()) / (5 * 6)
    demand(0.9 < seen < 1.15, f"rows of spherical noise have {seen:.2f} of their squared length")
    vectors = joint_laplace(source, epsilon=0.05, radius=64, dims=2, size=3_000)
    for column, variance in (
        (0, count_variance(0.05, 2)),
        (1, sum_variance(0.05, 64, 2)),
        (2, sum_variance(0.05, 64, 2)),
    ):
        found = float(np.mean(vectors[:, column].astype(np.float64) ** 2))
        demand(0.8 < found / variance < 1.25, f"joint noise has {found / variance:.2f} of its variance")
    order = source.order_of_rows(1_000)
    demand(sorted(order.tolist()) == list(range(1_000)), "an order of rows leaves rows out")
    demand(int((order == np.arange(1_000)).sum()) < 20, "a random order of rows is the order of the file")
    heads = int(source.coins_for_records(0.1, 20_000).sum())
    demand(abs(heads - 2_000) < SIGMAS * math.sqrt(1_800), "coins of records have another chance than asked")


def selection_laws() -> None:
    """The exponential mechanism of both sources, grouped scores included, and the coins of rejection."""
    scores, epsilon = np.array([0, 4, 4, 1, 7], np.int64), 0.6
    multiplicity = np.array([40, 1, 2, 1, 1], np.int64)
    for source, times in ((replayable_source(10), 8_000), (secure_source(), 3_000)):
        for monotone in (False, True):
            rate = epsilon if monotone else epsilon / 2
            for counts in (None, multiplicity):
                weights = np.exp(rate * scores) * (1 if counts is None else counts)
                found = Counter(
                    source.select(scores, epsilon=epsilon, monotone=monotone, multiplicity=counts)
                    for _ in range(times // 4)
                )
                law = dict(enumerate((weights / weights.sum()).tolist()))
                agree(found, law, times // 4, f"{source.kind} selections, monotone={monotone}")
    source = replayable_source(11)
    rate_of_coin = selection_rate(epsilon, monotone=True)
    heads = sum(coin(source, rate_of_coin, 2) for _ in range(3_000))
    agree(
        {True: heads, False: 3_000 - heads},
        {True: math.exp(-2 * epsilon), False: -math.expm1(-2 * epsilon)},
        3_000,
        "coins of rejection",
    )


def decision_laws() -> None:
    """Decisions of several steps come out as their stated laws say, and those laws are the proofs' own."""
    values = (3, 9, 5)
    above = FirstAbove(exact_query=lambda at: values[at], queries=3, limit=8, limit_scale=4.0, query_scale=8.0)
    held = np.array([3, 9, 5], np.int64)
    choice = StableChoice(places=("a", "b", "c"), held=held, scale=2.0, threshold=8)
    winner = StableWinner(values=held, sensitivity=1, scale=2.0, threshold=3)
    decisions: list[Decision[Hashable]] = [above, choice, winner]
    for decision in decisions:
        source: Sampler = replayable_source(12)
        found = Counter(source.decide(decision) for _ in range(4_000))
        law = decision.exact_law()
        outcomes: Iterable[Hashable] = [*range(3), "a", "b", "c", None]
        stated = {outcome: math.exp(law.log_probability(outcome)) for outcome in outcomes}
        agree(
            found, {outcome: chance for outcome, chance in stated.items() if chance > 0}, 4_000, decision.question.kind
        )
    away = StableWinner(values=np.array([5, 1], np.int64), sensitivity=1, scale=2.0, threshold=3).exact_winner()
    demand(away == (0, 1), "a lead of 4 is lost after two records, so it is one record away")


def _laplace(scale: float) -> Mapping[int, float]:
    """Masses of discrete Laplace noise near 0, and its standard deviation under the key −1."""
    decay = math.exp(-1 / scale)
    zero = (1 - decay) / (1 + decay)
    return {0: zero, 1: 2 * zero * decay, -1: math.sqrt(2 * decay) / (1 - decay)}


def _gaussian(scale: float) -> Mapping[int, float]:
    reach = np.arange(-math.ceil(12 * scale), math.ceil(12 * scale) + 1)
    weights = np.exp(-(reach**2) / (2 * scale * scale))
    masses = weights / weights.sum()
    middle = len(reach) // 2
    spread = math.sqrt(float((masses * reach**2).sum()))
    return {0: float(masses[middle]), 1: 2 * float(masses[middle + 1]), -1: spread}


def _close(drawn: NDArray[np.int64], law: Mapping[int, float], what: str) -> None:
    """Mean, spread, and the shares of 0 and ±1."""
    times, spread = drawn.size, law[-1]
    mean = float(drawn.mean())
    demand(abs(mean) < SIGMAS * spread / math.sqrt(times) + 1e-12, f"{what} has the mean {mean:.3g}")
    second = float((drawn.astype(np.float64) ** 2).mean())
    # The fourth moment of discrete Laplace noise is below 7 times the squared variance once the scale is not tiny.
    doubt = SIGMAS * spread**2 * math.sqrt(12 / times) + SIGMAS * spread / math.sqrt(times)
    demand(abs(second - spread**2) < doubt, f"{what} has {second / spread**2:.3f} of its variance")
    for place in (0, 1):
        share, chance = float((np.abs(drawn) == place).mean()), law[place]
        room = SIGMAS * math.sqrt(chance * (1 - chance) / times) + 10 / times
        demand(abs(share - chance) < room, f"{what} is ±{place} in {share:.4f} instead of {chance:.4f} of all draws")


def agree(found: Mapping[Any, int], law: Mapping[Any, float], times: int, what: str) -> None:
    """Outcomes come as often as a law says, to within rare chance."""
    demand(set(found) <= set(law), f"{what} gave an outcome of probability 0")
    for outcome, chance in law.items():
        room = SIGMAS * math.sqrt(chance * max(1 - chance, 0.0) / times) + 10 / times
        share = found.get(outcome, 0) / times
        demand(
            abs(share - chance) < room, f"{what} gave {outcome!r} in {share:.4f} instead of {chance:.4f} of all draws"
        )


CHECKS = {
    "rounding of scales and rates": rounding,
    "laws of the noise that is drawn": drawn_laws,
    "laws of the noise that is added": added_laws,
    "laws of selections": selection_laws,
    "laws of decisions": decision_laws,
}
