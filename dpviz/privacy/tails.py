"""Exact tails: how likely it is that a sample holds more than T of a group's g records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from dpviz.errors import InputError
from dpviz.privacy.composition import ratio_above, up

LARGEST_GROUP = 10_000


def hypergeometric_tails(records: int, drawn: int, group: int) -> list[float]:
    """Pr[more than T of the group are among `drawn` of `records`, without replacement] for T = 0 … group.

    Rounded up. Pr[K = k] = C(g,k) · (s)_k · (n−s)_{g−k} / (n)_g with falling factorials, in whole numbers.
    """
    _check_group(group)
    if not (0 <= drawn <= records and group <= records):
        raise InputError(f"drawn={drawn} and group={group} cannot exceed records={records}.", records=records)
    kept = records - drawn
    start = max(0, group - kept)  # fewer of the group cannot be in the sample
    weights = [0] * (group + 1)
    weights[start] = math.comb(group, start) * math.perm(drawn, start) * math.perm(kept, group - start)
    # From k to k+1 the weight changes by (g−k)/(k+1) · (s−k)/(n−s−g+k+1).
    for k in range(start, group):
        below = (k + 1) * (kept - group + k + 1)
        weights[k + 1] = weights[k] * (group - k) * max(drawn - k, 0) // below
    return _tails(weights, math.perm(records, group))


def binomial_tails(rate: float, group: int) -> list[float]:
    """Pr[more than T of g coins of this rate fall heads] for T = 0 … group, rounded up."""
    _check_group(group)
    chance = Fraction(rate)
    heads, tails = chance.numerator, chance.denominator - chance.numerator
    if tails == 0:
        return [1.0] * group + [0.0]
    weights = [tails**group]
    for k in range(group):
        weights.append(weights[-1] * (group - k) * heads // ((k + 1) * tails))
    return _tails(weights, chance.denominator**group)


@dataclass(frozen=True, kw_only=True)
class Masses:
    """Pr[K = 0 … T] and Pr[K > T], each rounded up."""

    at: tuple[float, ...]
    beyond: float


def binomial_masses(draws: int, rate: float, most: int) -> Masses:
    """The first masses of a binomial number and its tail, the tail by a geometric series. Rates below 1."""
    if most < 1:
        raise InputError(f"copies={most}: give a whole number, 1 or more.", copies=most)
    if rate >= 1 or draws <= most:
        return Masses(at=(1.0,) * (most + 1), beyond=1.0 if draws > most else 0.0)
    # Exact masses of very many draws have millions of digits; floats widened by 2^-36 do. From mass k to k + 1 the
    # factor is odds·(d−k)/(k+1), which falls with k.
    exponent = draws * math.log1p(-rate)
    if exponent < -700:  # the first mass does not fit a float: no bound
        return Masses(at=(1.0,) * (most + 1), beyond=1.0)
    odds, mass = rate / (1 - rate), math.exp(exponent)
    at = []
    for k in range(most + 1):
        at.append(min(1.0, up(mass)))
        mass *= odds * (draws - k) / (k + 1)
    ratio = odds * (draws - most - 1) / (most + 2)
    return Masses(at=tuple(at), beyond=min(1.0, up(mass / (1 - ratio))) if ratio < 1 else 1.0)


def _tails(weights: list[int], total: int) -> list[float]:
    beyond = list(accumulate(weights[:0:-1], initial=0))  # the sum of all later weights, from the last one back
    return [ratio_above(later, total) for later in reversed(beyond)]


def _check_group(group: int) -> None:
    if isinstance(group, bool) or not isinstance(group, int) or not 1 <= group <= LARGEST_GROUP:
        raise InputError(f"group={group!r}: give a whole number of records from 1 to {LARGEST_GROUP:,}.", group=group)
