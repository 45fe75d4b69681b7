"""A pick between clusterings that the synopsis cannot tell apart: one noisy number, bought where it pays.

On strong data the remaining error is seldom that of centers slightly off: noise made another clustering look best. The
difference of two costs is a sum over records, and a clipped sum can be released. Whether to buy it, for which pair and
for how much of the round's budget is decided on the synopsis alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import alternatives
from dpviz.clustering.distances import nearest
from dpviz.mechanisms.adaptive_tree.budget import scale_for
from dpviz.mechanisms.adaptive_tree.pyramid import Pyramid
from dpviz.mechanisms.adaptive_tree.residual import LATTICE, Synopsis, best_radius, expected_loss, point_errors
from dpviz.noise import NoiseSource

Floats = NDArray[np.float64]
PARTS = (Fraction(1, 5), Fraction(2, 5), Fraction(3, 5))  # of the round, that a pick may cost
LOSS = 7.0  # what the round loses weighs more than expected: centers that are off move their borders too
# The same below `MANY` centers, whose clusterings are told apart more easily than the synopsis says. Chosen on draws of
# the sets of dpviz_research/elsewhere/development_sets.py.
MANY, LOSS_OF_FEW = 8, 15.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Pick:
    """Two clusterings to compare, the cost of the comparison, and what the synopsis says about them."""

    first: Floats
    second: Floats
    spend: Fraction
    radius: float  # of the clip, a squared distance
    gap: float  # how much more than the first the second costs on the synopsis
    expected: float  # what the clipped sum would be there
    doubt: float  # the variance of that

    def made(self, data: Pyramid, noise: NoiseSource) -> Floats:
        """[P6b] Return the clustering that is cheaper by the noisy sum."""
        exact = data.exact_cost_difference(self.first, self.second, self.radius, LATTICE)
        measured = float(noise.add_laplace(np.array([exact]), scale_for(self.spend, LATTICE))[0])
        scale = self.radius / float(self.spend)
        moved = (measured * self.radius / LATTICE - self.expected) / (self.doubt + 2.0 * scale**2)
        # Laplace noise has long tails: a number that is far off says no more than one that is just off.
        return self.second if self.gap + self.doubt * min(max(moved, -1.0 / scale), 1.0 / scale) < 0.0 else self.first


def plan_pick(synopsis: Synopsis, centers: Floats, budget: Fraction, seed: int, extent: Floats) -> Pick | None:
    """Plan the pick with the largest expected net gain over what it takes from a round of this budget, if any.

    None in boxes so wide or narrow that the fourth power of their sides overflows.
    """
    try:
        return _plan_pick(synopsis, centers, budget, seed, extent)
    except (OverflowError, ZeroDivisionError):
        return None


def _plan_pick(synopsis: Synopsis, centers: Floats, budget: Fraction, seed: int, extent: Floats) -> Pick | None:
    places, weights, variances = synopsis.positions, synopsis.weights, synopsis.variances
    used = weights > 0.0
    if int(used.sum()) <= len(centers):
        return None
    box = {"low": np.zeros_like(extent), "high": extent}
    first, *others = alternatives(places[used], weights[used], variances[used], centers, seed=seed, **box)
    doubts = point_errors(weights, variances)
    here = nearest(places, first)[1]
    rivals = []
    for second in others:
        apart = nearest(places, second)[1] - here
        gap = float(np.einsum("n,n->", weights, apart))
        worth = _value(gap, math.sqrt(float(np.einsum("n,n,n->", doubts, apart, apart))))  # of the truth
        rivals.append((second, apart, gap, worth))
    before = expected_loss(synopsis, first, float(budget)) if rivals else 0.0
    best, most, lost = None, 0.0, 0.0
    weighs = LOSS if len(centers) >= MANY else LOSS_OF_FEW
    for part in PARTS:
        if all(worth - lost <= most for *_, worth in rivals):
            break  # a larger part loses more
        spend = budget * part
        lost = weighs * (expected_loss(synopsis, first, float(budget - spend)) - before)
        for second, apart, gap, worth in rivals:
            if worth - lost <= most:
                continue
            radius = best_radius(apart[:, None], np.abs(apart), weights, doubts, float(spend))
            clipped = np.clip(apart, -radius, radius)
            doubt = float(np.einsum("n,n,n->", doubts, clipped, clipped))
            gain = _value(gap, doubt / math.sqrt(doubt + 2.0 * (radius / float(spend)) ** 2)) - lost
            if gain > most:
                expected = float(np.einsum("n,n->", weights, clipped))
                most, best = (
                    gain,
                    Pick(
                        first=first, second=second, spend=spend, radius=radius, gap=gap, expected=expected, doubt=doubt
                    ),
                )
    return best


def _value(gap: float, moves: float) -> float:
    """Expected gain of a measurement that moves a gap by a normal error: E max(0, −gap)."""
    if moves <= 0.0:
        return 0.0
    z = gap / moves
    return moves * math.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi) - gap * 0.5 * math.erfc(z / math.sqrt(2.0))
