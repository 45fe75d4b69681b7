"""A residual round: measure, per Voronoi part, how far its mean is from its mean in the synopsis.

The radius of each part and the shrinkage are functions of the synopsis, so of released values only.

A pick between clusterings that the synopsis cannot tell apart: the difference of their costs is a sum over records, and
a clipped sum can be released. Whether to buy it, for which pair and for how much of the round's budget is decided on
the synopsis alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from dpviz.clustering import alternatives, assign, center_gaps, improve_kmeans
from dpviz.clustering.distances import nearest
from dpviz.mechanisms.adaptive_tree.budget import scale_for
from dpviz.mechanisms.adaptive_tree.growth import Floats, PublicTree, Pyramid
from dpviz.noise import NoiseSource

LATTICE = 1 << 20  # integer steps per radius
CROSSING = 0.7  # of its weight: the error of a point that changed parts; chosen on sets made for that
MOST_STEPS = 100
STEPS_IN_MANY_DIMENSIONS = 3  # there borders are guessed, and centers that follow them for long end far away
CLOSE = 1e-7  # of the box: centers that move less have arrived
DEEP = 0.5  # of the weight of a part, the farthest from its borders
RADII = 50  # candidates for the radius of a part, spread over its points
MODEL_ERROR = 0.15  # share of a leaf's weight that its four points may misplace


@dataclass(frozen=True, kw_only=True)
class Synopsis:
    """The weighted points of the leaves with the variance of each weight."""

    positions: Floats  # (m, d)
    weights: Floats
    variances: Floats


def residual_round(
    data: PublicTree, synopsis: Synopsis, centers: Floats, spend: Fraction, noise: NoiseSource
) -> tuple[Floats, Floats]:
    """[P6] [P7] [P8] Each part's mean against the synopsis, (k, d), and the share of its squared error left, (k,)."""
    labels = assign(synopsis.positions, centers)
    offsets = synopsis.positions - centers[labels]
    reach = np.abs(offsets).sum(axis=1)
    epsilon = float(spend)
    doubts = point_errors(synopsis.weights, synopsis.variances)
    parts = [np.flatnonzero(labels == j) for j in range(len(centers))]
    radii = np.array(
        [best_radius(offsets[part], reach[part], synopsis.weights[part], doubts[part], epsilon) for part in parts]
    )
    exact = data.exact_clipped_sums(centers, radii, LATTICE)
    noisy = noise.add_laplace(exact, scale_for(spend, LATTICE))  # [P8]
    measured = noisy * (radii / LATTICE)[:, None]
    shifts = np.zeros(centers.shape)
    left = np.ones(len(centers))
    for j, members in enumerate(parts):
        weight = float(synopsis.weights[members].sum())
        if weight <= 0.0:
            continue
        clip = np.minimum(1.0, radii[j] / np.maximum(reach[members], 1e-300))
        clipped = offsets[members] * clip[:, None]
        # Not weights @ clipped: for long vectors that wakes the threads of a BLAS, which spin on a busy machine.
        expected = np.einsum("n,nd->d", synopsis.weights[members], clipped)
        doubt = doubts[members]
        error = float(np.einsum("n,nd,nd->", doubt, clipped, clipped))
        trust = error / (error + _noise_variance(radii[j], epsilon, centers.shape[1]))
        shift = trust * (measured[j] - expected) / weight
        # A mean of clipped offsets is never longer than the clip; what is longer is noise over a tiny weight.
        shifts[j] = shift * min(1.0, radii[j] / max(float(np.abs(shift).sum()), 1e-300))
        whole = float(np.einsum("n,nd,nd->", doubt, offsets[members], offsets[members]))
        if whole > 0.0:
            left[j] = max(1.0 - trust * error / whole, 0.0)
    return shifts, left


def crossing_errors(synopsis: Synopsis, before: Floats, after: Floats) -> Floats:
    """Expected squared error that points which changed parts add to the means of both, (k,).

    A round measures the sums of the parts of `before`. It says nothing of what the centers it led to gained and lost.
    """
    places, weights, k = synopsis.positions, synopsis.weights, len(after)
    first, last = assign(places, before), assign(places, after)
    crossed = np.flatnonzero(first != last)
    error = synopsis.variances[crossed] + (CROSSING * weights[crossed]) ** 2
    added = np.zeros(k)
    for labels in (first[crossed], last[crossed]):
        away = ((places[crossed] - after[labels]) ** 2).sum(axis=1)
        added += np.bincount(labels, weights=error * away, minlength=k)
    held = np.bincount(last, weights=weights, minlength=k)
    return np.divide(added, held**2, out=np.zeros(k), where=held > 0.0)


def expected_loss(synopsis: Synopsis, centers: Floats, epsilon: float) -> float:
    """Expected cost of the errors of the means after a round with this ε."""
    labels = assign(synopsis.positions, centers)
    offsets = synopsis.positions - centers[labels]
    reach = np.abs(offsets).sum(axis=1)
    doubts = point_errors(synopsis.weights, synopsis.variances)
    lost = 0.0
    for j in range(len(centers)):
        members = np.flatnonzero(labels == j)
        weight = float(synopsis.weights[members].sum())
        if weight <= 0.0:
            continue
        moved, far, doubt = offsets[members], reach[members], doubts[members]
        radius = best_radius(moved, far, synopsis.weights[members], doubt, epsilon)
        clipped = moved * np.minimum(1.0, radius / np.maximum(far, 1e-300))[:, None]
        error = float(np.einsum("n,nd,nd->", doubt, clipped, clipped))
        noise = _noise_variance(radius, epsilon, centers.shape[1])
        lost += (float(np.einsum("n,nd,nd->", doubt, moved, moved)) - error**2 / (error + noise)) / weight
    return lost


def correct_centers(synopsis: Synopsis, centers: Floats, shifts: Floats, extent: Floats) -> tuple[Synopsis, Floats]:
    """Move centers to the corrected means of their parts, and each part of the synopsis by its correction.

    A correction is about the mean of a part, not about its points. So parts are cut on the unmoved points, whose
    density along the borders moves the means next. Moving points first and descending then has half as much more error.
    Post-processing.
    """
    places, weights = synopsis.positions, synopsis.weights
    found = np.clip(centers + shifts, 0.0, extent)
    close = CLOSE * float(extent.max())
    for _ in range(MOST_STEPS if len(extent) <= 2 else STEPS_IN_MANY_DIMENSIONS):
        labels = assign(places, found)
        held = np.bincount(labels, weights=weights, minlength=len(found))
        sums = np.column_stack(
            [np.bincount(labels, weights=weights * column, minlength=len(found)) for column in places.T]
        )
        used = held > 0.0
        moved = found.copy()
        moved[used] = np.clip(sums[used] / held[used, None] + shifts[used], 0.0, extent)
        farthest = float(np.abs(moved - found).max())
        found = moved
        if farthest <= close:
            break
    return replace(synopsis, positions=places + shifts[assign(places, found)]), found


def settle_centers(synopsis: Synopsis, centers: Floats, shifts: Floats, extent: Floats) -> tuple[Synopsis, Floats]:
    """Correct centers on strong data, where borders are known cell by cell. Post-processing.

    The deep half of each part carries the whole correction: means are right, borders stay, and the search goes on.
    """
    places, weights = synopsis.positions.copy(), synopsis.weights
    labels, gaps = center_gaps(places, centers)
    found = centers.copy()
    for j in range(len(centers)):
        members = np.flatnonzero((labels == j) & (weights > 0.0))
        if len(members) == 0:
            continue
        members = members[np.argsort(-gaps[members], kind="stable")]
        running = np.cumsum(weights[members])
        deep = members[: int(np.searchsorted(running, DEEP * running[-1])) + 1]
        found[j] = np.einsum("n,nd->d", weights[members], places[members]) / running[-1] + shifts[j]
        places[deep] += shifts[j] * (running[-1] / weights[deep].sum())
    places = np.clip(places, 0.0, extent)
    found = improve_kmeans(places, weights, np.clip(found, 0.0, extent), low=np.zeros_like(extent), high=extent)
    return replace(synopsis, positions=places), found


def _noise_variance(radius: float, epsilon: float, dims: int) -> float:
    return 2.0 * dims * (radius / epsilon) ** 2


def point_errors(weights: Floats, variances: Floats) -> Floats:
    """Expected squared error of each point's weight: noise, and an error from the shape of its leaf."""
    return variances + (MODEL_ERROR * weights) ** 2


def best_radius(offsets: Floats, reach: Floats, weights: Floats, error: Floats, epsilon: float) -> float:
    """[P6] The L1 clipping radius with the least expected error: noise against the clipped part of the offsets.

    A clip at c cuts the share 1 − c/r of a point at reach r, so sums over the points beyond c are running sums of 1,
    1/r and 1/r² from the farthest point down.
    """
    order = np.argsort(reach)
    far = reach[order]
    places = np.linspace(0.02, 1.0, RADII) * (len(far) - 1)
    candidates = np.unique(np.interp(places, np.arange(len(far)), far)) if len(far) else far
    candidates = candidates[candidates > 0.0]
    if len(candidates) == 0:
        return 1.0
    inverse = 1.0 / np.maximum(far, candidates[0])  # nearer points lie beyond no candidate
    squared = (offsets[order] ** 2).sum(axis=1)
    doubt, held = error[order] * squared, weights[order] * np.sqrt(squared)
    beyond = np.searchsorted(far, candidates, side="right")
    sums = [_from_the_end(values)[beyond] for values in (doubt, doubt * inverse, doubt * inverse**2)]
    noise_left = sums[0] - 2.0 * candidates * sums[1] + candidates**2 * sums[2]
    misplaced = _from_the_end(held)[beyond] - candidates * _from_the_end(held * inverse)[beyond]
    risk = np.maximum(noise_left, 0.0) + (MODEL_ERROR * misplaced) ** 2
    noise = _noise_variance(1.0, epsilon, offsets.shape[1]) * candidates**2
    return float(candidates[np.argmin(noise + risk)])


def _from_the_end(values: Floats) -> Floats:
    """Running sums from the end, with a 0 behind the last."""
    return np.append(np.cumsum(values[::-1])[::-1], 0.0)


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
