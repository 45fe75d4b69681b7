"""How a window's budget is divided among its periods, before the first: public numbers only.

Disjoint periods: each has the whole. The same people in every period: the first, on whose cells all others build, has
the larger part, and the others share the rest, by pure or Gaussian noise, whichever is smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from dpviz.errors import InputError
from dpviz.privacy.budget import Budget
from dpviz.privacy.composition import epsilon_of_zcdp, rho_within
from dpviz.privacy.windows import ADDING, Spending, Together, fits

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
