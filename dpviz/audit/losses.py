"""The privacy loss of a forced transcript, step by step, from the exact numbers of both data sets.

Each step is checked against the sensitivity or the (ε, δ) that it states. Touched steps are then added up: as fractions
for discrete Laplace noise, by zero-concentrated divergence for Gaussian noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

import numpy as np
from scipy.special import log_ndtr

from dpviz.audit.transcripts import Step, TranscriptBroken
from dpviz.noise.checks import rounded_up
from dpviz.noise.source import ExponentialLaw, Law, ListedLaw, QueriesLaw, noise_at_least
from dpviz.noise.spherical import STEEPNESS
from dpviz.privacy import Budget, epsilon_of_zcdp

_ROUNDING = 1e-9  # of probabilities and logarithms computed in floats here
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of δ, for the argument about decaying gains


@dataclass(frozen=True, kw_only=True)
class Loss:
    """The cost of one forced transcript. `epsilon` is what the touched steps may cost by the cheapest sound account."""

    epsilon: float
    claimed: float
    realised: float  # ln P(transcript | first) − ln P(transcript | other), exact, without Gaussian steps
    touched: int
    steps: int
    stated: float = 0.0  # as `epsilon`, if every question were touched: where none is asked of a part of the data alone

    @property
    def used(self) -> float:
        """The share of the claim."""
        return self.epsilon / self.claimed


@dataclass(kw_only=True)
class _Sums:
    """Costs by the kind of account that may be kept of them. `whole` counts what was not touched as well."""

    whole: bool = False
    group: int = 1
    laplace: Fraction = Fraction(0)
    selections: float = 0.0  # exponential mechanisms, ε as stated
    selections_rho: float = 0.0
    decisions: float = 0.0
    delta: float = 0.0
    gaussian_rho: float = 0.0
    cover_rounds: dict[float, int] = field(default_factory=dict)  # by exponent: parts of a map may have different ones
    cover_touched: set[float] = field(default_factory=set)
    realised: float = 0.0
    touched: int = 0


def measure_loss(
    first: Sequence[Step],
    other: Sequence[Step],
    budget: Budget,
    *,
    sample: float = 1.0,
    sequential: bool = False,
    group: int = 1,
) -> Loss:
    """Measure the loss between two runs with one transcript; raises where a step breaks what it states.

    `sample` is the chance that the record in question is in a secret sample on which all this was run. A `sequential`
    method asks every question of all the data, so that what its steps state adds up whether they were touched or not.
    Of a `group` of records each may move what a step states for one.
    """
    sums = _add_up(first, other, group=group)
    stated = _least_epsilon(_add_up(first, other, whole=True), budget.delta / sample) if sequential else 0.0
    epsilon = _least_epsilon(sums, budget.delta / sample)
    realised = abs(sums.realised)
    if sample < 1.0:
        epsilon, realised, stated = (
            math.log1p(sample * math.expm1(min(value, 700.0))) for value in (epsilon, realised, stated)
        )
    return Loss(
        epsilon=epsilon,
        claimed=budget.epsilon,
        realised=math.copysign(realised, sums.realised),
        touched=sums.touched,
        steps=len(first),
        stated=stated,
    )


def add_up_stated(first: Sequence[Step], other: Sequence[Step], budget: Budget) -> float:
    """Add up what some steps cost by what they state."""
    return _least_epsilon(_add_up(first, other, whole=True), budget.delta)


def _add_up(first: Sequence[Step], other: Sequence[Step], *, whole: bool = False, group: int = 1) -> _Sums:
    sums = _Sums(whole=whole, group=group)
    by_kind = {"laplace": _add_laplace, "gaussian": _add_gaussian, "joint": _add_joint, "spherical": _add_spherical}
    by_law = {ExponentialLaw: _add_selection, QueriesLaw: _add_queries, ListedLaw: _add_decision}
    for before, after in zip(first, other, strict=True):
        add = by_kind.get(before.kind) or by_law.get(type(before.exact))
        if add is not None:
            add(sums, before, after)
    return sums


def _least_epsilon(sums: _Sums, delta: float) -> float:
    """The smallest ε for which some account of all steps ends at (ε, δ); infinite where δ does not suffice."""
    plain = float(sums.laplace) + sums.decisions
    left = delta - sums.delta
    if left < -_ROUNDING * delta:
        return math.inf
    accounts = []
    for share in _SHARES if sums.cover_touched and left > 0.0 else (0.0,):
        cover = _cover_cost(sums, share * left)
        rest = (1.0 - share) * left
        accounts.append(plain + cover + sums.selections + _gaussian_epsilon(sums.gaussian_rho, rest))
        if rest > 0.0:
            rho = sums.selections_rho + sums.gaussian_rho
            accounts.append(plain + cover + (epsilon_of_zcdp(rho, rest) if rho > 0.0 else 0.0))
    return min(accounts)


def _cover_cost(sums: _Sums, delta: float) -> float:
    """Greedy coverage: the argument of decaying gains, or every round for itself (docs/proofs/grid_cover.md)."""
    cost = 0.0
    for exponent in sums.cover_touched:
        each = sums.cover_rounds[exponent] * exponent
        decaying = max(exponent, math.expm1(exponent) * math.log(1.0 / delta)) if delta > 0.0 else each
        cost += min(each, decaying)
    return cost


def _gaussian_epsilon(rho: float, delta: float) -> float:
    """The ε at which Gaussian steps of this ρ along one path end, exactly (Balle, Wang 2018), by bisection."""
    if rho == 0.0:
        return 0.0
    if delta <= 0.0:
        return math.inf
    mu = math.sqrt(2.0 * rho)

    def delta_at(epsilon: float) -> float:
        one = math.exp(float(log_ndtr(mu / 2.0 - epsilon / mu)))
        return one - math.exp(min(epsilon + float(log_ndtr(-epsilon / mu - mu / 2.0)), 700.0))

    low, high = 0.0, rho + 40.0 * mu + 1.0
    if delta_at(low) <= delta:
        return 0.0
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high


def _moves(before: Step, after: Step) -> list[int]:
    """How far each number that moved was moved, modulo 2^64: exact numbers may wrap (docs/proofs/noise.md, 6)."""
    one, two = (np.asarray(step.exact).ravel() for step in (before, after))
    return [abs(move) for move in (two - one).tolist() if move]


def _allowed(sums: _Sums, step: Step, moved: float) -> None:
    if step.sensitivity is not None and moved > sums.group * step.sensitivity * (1 + _ROUNDING):
        raise TranscriptBroken(
            f"{step.describe()}: one unit moved this by {moved:g}, the mechanism states {step.sensitivity:g}."
        )


def _add_laplace(sums: _Sums, before: Step, after: Step) -> None:
    moves = _moves(before, after)
    if not moves and not (sums.whole and before.sensitivity):
        return
    scale = Fraction(rounded_up(cast(float, before.asked[0])))
    moved = sum(moves)
    _allowed(sums, before, moved)
    counted = before.sensitivity is None or sums.group > 1
    sums.laplace += Fraction(moved if counted else before.sensitivity or 0) / scale
    answer, one, two = (np.asarray(values).ravel() for values in (before.answer, before.exact, after.exact))
    gained = sum(
        abs(late) - abs(early) for early, late in zip((answer - one).tolist(), (answer - two).tolist(), strict=True)
    )
    sums.realised += float(gained / scale)
    sums.touched += 1


def _add_gaussian(sums: _Sums, before: Step, after: Step) -> None:
    moves = _moves(before, after)
    if not moves and not (sums.whole and before.sensitivity):
        return
    moved = math.sqrt(float(sum(move * move for move in moves)))
    _allowed(sums, before, moved)
    scale = rounded_up(cast(float, before.asked[0]))
    stated = moved if before.sensitivity is None else before.sensitivity
    sums.gaussian_rho += (stated / scale) ** 2 / 2.0
    sums.touched += 1


def _add_joint(sums: _Sums, before: Step, after: Step) -> None:
    one, two = np.asarray(before.exact), np.asarray(after.exact)
    epsilon, radius = cast(float, before.asked[0]), cast(int, before.asked[1])
    scale = Fraction(rounded_up(1.0 / epsilon))
    for row in np.flatnonzero((one != two).any(axis=1)).tolist():
        count, *offsets = (int(value) for value in (two[row] - one[row]).tolist())
        sums.laplace += _cylinder_length(count, offsets, radius) / scale
        noise = [[int(value) for value in (before.answer[row] - exact[row]).tolist()] for exact in (one, two)]
        lengths = [_cylinder_length(drawn[0], drawn[1:], radius) for drawn in noise]
        sums.realised += float((lengths[1] - lengths[0]) / scale)
        sums.touched += 1


def _add_spherical(sums: _Sums, before: Step, after: Step) -> None:
    one, two = np.asarray(before.exact), np.asarray(after.exact)
    scale = Fraction(cast(float, before.asked[0]))
    for row in np.flatnonzero((one != two).any(axis=1)).tolist():
        moved = sum(int(value) ** 2 for value in (two[row] - one[row]).tolist())
        root = math.isqrt(moved)
        sums.laplace += STEEPNESS * (root + (root * root < moved)) / scale
        near, far = (np.sqrt(((before.answer[row] - exact[row]).astype(float) ** 2).sum()) for exact in (one, two))
        sums.realised += float(far - near) / float(scale)
        sums.touched += 1


def _cylinder_length(count: int, offsets: list[int], radius: int) -> int:
    """⌈max(|count|, ‖offsets‖₂ / radius)⌉ in whole numbers."""
    squared = sum(value * value for value in offsets)
    length = -(-math.isqrt(squared) // radius)
    while (length * radius) ** 2 < squared:
        length += 1
    return max(abs(count), length)


def _add_selection(sums: _Sums, before: Step, after: Step) -> None:
    one, two = cast(ExponentialLaw, before.exact), cast(ExponentialLaw, after.exact)
    if before.kind == "cover":
        sums.cover_rounds[before.epsilon] = sums.cover_rounds.get(before.epsilon, 0) + 1
    lowest, highest = one.changes(two)
    if lowest == highest == 0 and not sums.whole:
        return
    _allowed(sums, before, max(-lowest, highest))
    if before.monotone and lowest < 0 < highest:
        raise TranscriptBroken(f"{before.describe()}: scores moved both ways under one-sided weights.")
    sums.realised += one.log_probability(before.answer) - two.log_probability(before.answer)
    sums.touched += 1
    if before.kind == "cover":
        sums.cover_touched.add(before.epsilon)
    else:
        # Scores that move by a part of the sensitivity cost that part: under replace a record may leave one part of
        # the data and enter another, and each of two selections then sees half of what is stated.
        cost = before.epsilon * (1.0 if sums.whole else max(-lowest, highest) / (before.sensitivity or 1.0))
        sums.selections += cost
        sums.selections_rho += cost**2 / 8.0


def _add_decision(sums: _Sums, before: Step, after: Step) -> None:
    one, two = cast(ListedLaw, before.exact), cast(ListedLaw, after.exact)
    outcomes = set(one.logs) | set(two.logs)
    logs = [(one.log_probability(outcome), two.log_probability(outcome)) for outcome in outcomes]
    if not sums.whole and all(here == there or abs(here - there) <= _ROUNDING for here, there in logs):
        return
    for pairs in (logs, [(there, here) for here, there in logs]):
        beyond = math.fsum(max(0.0, math.exp(here) - math.exp(before.epsilon + there)) for here, there in pairs)
        if beyond > before.delta * (1 + 1e-6) + 1e-14:
            raise TranscriptBroken(
                f"{before.describe()}: δ = {beyond:.3g} at ε = {before.epsilon:.4g}; it states {before.delta:.3g}."
            )
    _pay_decision(sums, before, one, two)


def _add_queries(sums: _Sums, before: Step, after: Step) -> None:
    """Noise of known scales on numbers of which none moves by more than 1, two at most where they are counts.

    Places on one side only hold one record, which passes the threshold with a probability that δ pays for.
    """
    one, two = cast(QueriesLaw, before.exact), cast(QueriesLaw, after.exact)
    places = set(one.values) | set(two.values)
    moves = [abs(two.values.get(place, 0) - one.values.get(place, 0)) for place in places]
    if max(moves, default=0) > 1 or (before.kind == "stable choice" and sum(moves) > 2):
        raise TranscriptBroken(
            f"{before.describe()}: one unit moved these numbers by {max(moves)}, the method states 1."
        )
    if before.kind == "stable choice" and set(one.values) != set(two.values):
        lone = float(noise_at_least(np.array([one.threshold - 1]), one.scale)[0]) * (1.0 + math.exp(before.epsilon))
        if lone > before.delta * (1 + _ROUNDING):
            raise TranscriptBroken(f"{before.describe()}: a lone record costs a delta of {lone:.3g}.")
    if not any(moves) and not sums.whole:
        return
    _pay_decision(sums, before, one, two, compare=any(moves) and not (one.costly or two.costly))


def _pay_decision(sums: _Sums, step: Step, one: Law, two: Law, *, compare: bool = True) -> None:
    sums.decisions += step.epsilon
    sums.delta += step.delta
    sums.touched += 1
    logs = [law.log_probability(step.answer) for law in (one, two)] if compare else [math.inf]
    if all(map(math.isfinite, logs)):
        sums.realised += logs[0] - logs[1]
