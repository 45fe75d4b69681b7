"""The public schedule of a run: number of rounds, weights of the balls, budget of each round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from dpviz.privacy import Budget
from dpviz.privacy.composition import rho_within

RADIUS_SHARE = 0.25  # privacy-bearing: of a round's selections (squared in zCDP, plain in basic composition)
REFINE_SHARE = 0.25  # privacy-bearing: what the last noisy sums and counts get of ρ (of ε in basic composition)
LEAST_LEFT = 0.0002  # utility only: never peel below this share of the records
ENOUGH_LEFT = 0.005  # utility only: below this share a round costs time and gains next to nothing once refined …
SLOWER = 4  # utility only: … so only one in so many is run, enough that a coreset still shrinks from level to level
LEAST_SIGNAL = 12.0  # utility only: a ball is worth peeling while its weight times the center's ε is above this
LEAST_ROUNDS_PER_CLUSTER = 1.0  # utility only: fewer rounds than this cannot tell k clusters apart


@dataclass(frozen=True, kw_only=True)
class Spending:
    """Budgets of one selection and of the refinement. `rho` is None under basic composition."""

    accounting: str
    radius_epsilon: float
    center_epsilon: float
    refine_epsilon: float
    refine_rho: float | None


def peeled_weights(total: int, k: int, rounds: int) -> list[int]:
    """w_i = ⌈3 n_i / (8k)⌉, n_(i+1) = n_i − w_i."""
    weights, left = [], total
    for _ in range(rounds):
        weight = -(-3 * left // (8 * k))
        weights.append(weight)
        left -= weight
    return weights


def spending(budget: Budget, rounds: int) -> Spending:
    """The cheaper of basic composition and zCDP for 2·rounds selections and one refinement."""
    plain = budget.epsilon * (1 - REFINE_SHARE) / rounds * (1 - 1e-12)
    basic = Spending(
        accounting="basic",
        radius_epsilon=plain * RADIUS_SHARE,
        center_epsilon=plain * (1 - RADIUS_SHARE),
        refine_epsilon=budget.epsilon * REFINE_SHARE,
        refine_rho=None,
    )
    if budget.delta == 0:
        return basic
    rho = whole_rho(budget)
    per_round = rho * (1 - REFINE_SHARE) / rounds
    radius = math.sqrt(8 * per_round * RADIUS_SHARE)
    center = math.sqrt(8 * per_round * (1 - RADIUS_SHARE))
    if center <= basic.center_epsilon:
        return basic
    return Spending(
        accounting="zcdp",
        radius_epsilon=radius,
        center_epsilon=center,
        refine_epsilon=0.0,
        refine_rho=rho * REFINE_SHARE,
    )


@lru_cache(maxsize=256)
def whole_rho(budget: Budget) -> float:
    """The ρ of a budget."""
    return rho_within(budget) * (1 - 1e-9)


def useful_rounds(total: int, k: int, budget: Budget) -> int:
    """The largest number of rounds whose last ball stands out of the noise; 0 if there are too few.

    Of the rounds that would leave less than ENOUGH_LEFT, one in SLOWER is run.
    """
    most = rounds_to_leave(k, LEAST_LEFT)
    least = max(1, math.ceil(LEAST_ROUNDS_PER_CLUSTER * k))

    def useful(rounds: int) -> bool:
        return peeled_weights(total, k, rounds)[-1] * spending(budget, rounds).center_epsilon >= LEAST_SIGNAL

    if not useful(least):
        return 0
    low, high = least, max(least, most)
    while low < high:  # usefulness falls with the number of rounds
        middle = (low + high + 1) // 2
        low, high = (middle, high) if useful(middle) else (low, middle - 1)
    enough = max(least, rounds_to_leave(k, ENOUGH_LEFT))
    return low if low <= enough else enough + (low - enough) // SLOWER


def rounds_to_leave(k: int, left: float) -> int:
    """Rounds after which at most this share of the records is left."""
    return max(1, math.ceil(math.log(left) / math.log1p(-min(3 / (8 * k), 0.999))))
