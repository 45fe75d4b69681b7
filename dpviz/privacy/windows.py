"""The cost of all releases about the same people over a window of time, and how a window's budget is divided.

Every function errs towards charging more. Proofs: docs/proofs/series.md, sections 2 to 6."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction

from dpviz.domain.relation import Adjacency
from dpviz.errors import InputError
from dpviz.privacy.accountant import Account
from dpviz.privacy.budget import Budget
from dpviz.privacy.composition import PURE_RHO, epsilon_of_zcdp, float_above, rho_within


@dataclass(frozen=True, kw_only=True)
class Spending:
    """What one release may cost one unit of protection. `period` is None for what belongs to no period.

    `rho` is set where the release is accounted in zCDP; a pure one converts by itself. Periods of one `track` never
    overlap, as the months of a calendar; a month and a week do, so they are of two tracks.
    """

    epsilon: float
    delta: float = 0.0
    rho: float | None = None
    period: str | None = None
    track: str = ""


@dataclass(frozen=True, kw_only=True)
class Together:
    """How the periods of a series meet in one unit of protection.

    `disjoint`: a record belongs to the period of its own time stamp, so that it lies in one of them. Otherwise the
    periods hold the same people: costs add up, at most those of `at_most` periods where a person is counted in the
    first `at_most` periods in which they appear and in no other.
    """

    disjoint: bool
    relation: Adjacency = Adjacency.ADD_REMOVE_ONE
    at_most: int | None = None

    def __post_init__(self) -> None:
        if self.at_most is not None and (isinstance(self.at_most, bool) or self.at_most < 1):
            raise InputError(f"at_most={self.at_most!r}: give a whole number of periods, 1 or more.")
        if self.at_most is not None and self.disjoint:
            raise InputError("disjoint periods hold each record once; at_most is for persons, who return.")

    @property
    def periods_met(self) -> int | None:
        """In how many periods one unit of protection can stand; None for any number."""
        return 1 if self.disjoint else self.at_most

    @property
    def times(self) -> int:
        """How often one unit can meet the dearest period: a replaced record may leave it and enter it again."""
        return 2 if self.disjoint and self.relation is Adjacency.REPLACE_ONE else 1


Track = list[list[Spending]]  # the releases of each period of one track
ADDING = Together(disjoint=False)
DISJOINT = Together(disjoint=True)


def window_account(spendings: Sequence[Spending], together: Together, *, delta: float = 0.0) -> Account:
    """The cheapest account of all releases of a window: basic, or by zCDP where `delta` is above 0."""
    tracks, others = _grouped(spendings)
    if together.times > 1 and any(part.delta or part.rho for part in spendings):
        raise InputError("disjoint periods under the relation 'replace' are added up for pure releases (delta 0) only.")
    accounts = [_basic(tracks, others, together)]
    if delta > 0 and spendings:
        accounts.append(_zcdp(tracks, others, together, delta))
        mixed = _mixed(tracks, others, together, delta)
        if mixed is not None:
            accounts.append(mixed)
    fitting = [account for account in accounts if Fraction(account.delta) <= Fraction(delta)]
    return min(fitting or accounts, key=lambda account: account.epsilon)


def fits(spendings: Sequence[Spending], together: Together, budget: Budget) -> bool:
    """Whether a window's budget covers these releases, by any of the accounts."""
    account = window_account(spendings, together, delta=budget.delta)
    slack = 1 + Fraction(1, 10**12)  # as in accountant.py: noise is wider than asked for by more than this
    return Fraction(account.epsilon) <= Fraction(repr(budget.epsilon)) * slack and account.delta <= budget.delta


def _grouped(spendings: Sequence[Spending]) -> tuple[list[Track], list[Spending]]:
    """Releases by track and period, and those that belong to no period."""
    tracks: dict[str, dict[str, list[Spending]]] = {}
    for one in spendings:
        if one.period is not None:
            tracks.setdefault(one.track, {}).setdefault(one.period, []).append(one)
    found = [list(periods.values()) for periods in tracks.values()]
    return found, [one for one in spendings if one.period is None]


def _largest(tracks: Iterable[Track], cost: Callable[[list[Spending]], Fraction], together: Together) -> Fraction:
    """The sum over the periods that one unit can meet, at worst: of every track the dearest ones."""
    found = Fraction(0)
    for track in tracks:
        ordered = sorted((cost(period) for period in track), reverse=True)
        found += together.times * sum(ordered[: together.periods_met], Fraction(0))
    return found


def _summed(parts: Iterable[Spending], name: str) -> Fraction:
    return sum((Fraction(repr(float(getattr(part, name)))) for part in parts), Fraction(0))


def _rho(part: Spending) -> Fraction:
    """zCDP of one release: its own ρ, or ε²/2 of a pure one."""
    if part.rho is not None:
        return Fraction(part.rho)
    return Fraction(PURE_RHO) * Fraction(repr(part.epsilon)) ** 2


def _sum_of_rho(period: list[Spending]) -> Fraction:
    return sum(map(_rho, period), Fraction(0))


def _basic(tracks: list[Track], others: list[Spending], together: Together) -> Account:
    epsilon = _largest(tracks, lambda period: _summed(period, "epsilon"), together) + _summed(others, "epsilon")
    delta = _largest(tracks, lambda period: _summed(period, "delta"), together) + _summed(others, "delta")
    return Account(epsilon=float_above(epsilon), delta=float_above(delta), accounting="basic")


def _zcdp(tracks: list[Track], others: list[Spending], together: Together, delta: float) -> Account:
    """Everything by zCDP. A release with a δ and no ρ cannot be converted, and stays in the basic account."""
    in_periods = [one for track in tracks for period in track for one in period]
    if any(part.rho is None and part.delta for part in [*others, *in_periods]):
        return _basic(tracks, others, together)
    rho = _largest(tracks, _sum_of_rho, together)
    rho += sum(map(_rho, others), Fraction(0))
    return Account(epsilon=epsilon_of_zcdp(float_above(rho), delta), delta=delta, accounting="zcdp")


def _mixed(tracks: list[Track], others: list[Spending], together: Together, delta: float) -> Account | None:
    """zCDP for what has a ρ, basic for the pure rest: a large first release beside many small noisy ones."""
    concentrated = [[[part for part in period if part.rho is not None] for period in track] for track in tracks]
    plain = [[[part for part in period if part.rho is None] for period in track] for track in tracks]
    loose = [part for part in others if part.rho is not None]
    rest = [part for part in others if part.rho is None]
    if not (loose or any(period for track in concentrated for period in track)):
        return None
    basic = _basic(plain, rest, together)
    left = Fraction(delta) - Fraction(basic.delta)
    if left <= 0:
        return None
    # A unit may meet other periods in the two sums; both are bounds for every choice of periods, so their sum is one.
    rho = _largest(concentrated, _sum_of_rho, together)
    rho += sum(map(_rho, loose), Fraction(0))
    epsilon = Fraction(epsilon_of_zcdp(float_above(rho), float(left) * (1 - 1e-12))) + Fraction(basic.epsilon)
    return Account(epsilon=float_above(epsilon), delta=delta, accounting="mixed")


FIRST_SHARE = 0.7  # chosen on made cities that no table reports; utility only
MOST_PERIODS = 1000


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """What the first period of a window may spend, and every later one."""

    whole: Budget
    periods: int
    first: Budget
    later: Budget
    later_rho: float | None = None  # set where later periods draw Gaussian noise
    together: Together = ADDING

    def budget(self, number: int) -> Budget:
        """The budget of period 0, 1, … of the window."""
        if not 0 <= number < self.periods:
            raise InputError(
                f"the window has {self.periods} periods, and this would be number {number + 1}; begin the next window."
            )
        return self.first if number == 0 else self.later


def schedule(whole: Budget, periods: int, *, together: Together = ADDING, first_share: float | None = None) -> Schedule:
    """Divide a window's budget. `first_share` is public; by default 0.7, or the whole for one period."""
    if isinstance(periods, bool) or not isinstance(periods, int) or not 1 <= periods <= MOST_PERIODS:
        raise InputError(f"periods={periods!r}: give a whole number from 1 to {MOST_PERIODS}, such as 12 for months.")
    share = FIRST_SHARE if first_share is None else first_share
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise InputError(f"first_share={first_share!r}: give a number between 0 and 1, such as 0.7.")
    met = together.periods_met
    others = (periods if met is None else min(periods, met)) - 1
    if others == 0:  # one count of each block: pure noise is the smaller
        alone = Budget(epsilon=whole.epsilon)
        return Schedule(whole=whole, periods=periods, first=alone, later=alone, together=together)
    first = Budget(epsilon=_below(whole.epsilon * share))
    rest = whole.epsilon * (1 - share)
    later, rho = Budget(epsilon=_below(rest / others)), None
    if whole.delta > 0:
        rho_each = rho_within(Budget(epsilon=_below(rest), delta=whole.delta)) / others * (1 - 1e-9)
        if 1 / math.sqrt(2 * rho_each) < math.sqrt(2) / later.epsilon:
            later, rho = Budget(epsilon=epsilon_of_zcdp(rho_each, whole.delta), delta=whole.delta), rho_each
    divided = Schedule(whole=whole, periods=periods, first=first, later=later, later_rho=rho, together=together)
    if not fits(spendings_of(divided), together, whole):
        raise InputError("the window's budget is too small to be divided among its periods; give a larger one.")
    return divided


def spendings_of(divided: Schedule) -> list[Spending]:
    """What a window spends in which every period is published once: the first and the others."""
    first = Spending(epsilon=divided.first.epsilon, delta=divided.first.delta, period="1")
    later = [
        Spending(
            epsilon=divided.later.epsilon, delta=divided.later.delta, rho=divided.later_rho, period=str(number + 2)
        )
        for number in range(divided.periods - 1)
    ]
    return [first, *later]


def _below(value: float) -> float:
    """Nine digits after the point, rounded down: decimals that the ledger adds exactly and never above the whole."""
    digits = Decimal(repr(value)).quantize(Decimal("1e-9"), rounding=ROUND_FLOOR)
    if digits <= 0:
        raise InputError(f"a budget of {value:g} for one period is nothing; give a larger one, or fewer periods.")
    return float(digits)
