"""Where records lie, and the noisy means of the cells of a public random partition of that place.

Everything but the lines of noise is post-processing. Proof: docs/proofs/mean_split.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from dpviz.domain import ExactPoints
from dpviz.mechanisms.mean_split.queries import (
    LATTICE,
    PERSON_PART,
    RUNGS,
    CodesAsked,
    Floats,
    Integers,
    LeavesAsked,
    LengthsAsked,
    Purse,
    SumAsked,
    View,
    exact_answer,
)
from dpviz.noise import NoiseSource

INSIDE = 0.97  # share of records that the reach is to hold
USUAL_SQUARE = 0.5  # of an offset's length, in squared reaches
SEEN = 2.0  # standard deviations of noise that a count of far records must pass
TOGETHER = 5  # rungs among which most records lie: lengths from a quarter of the reach
BLIND = 8.0  # deviations of a count of lengths, so many records at least; fewer are not looked at
ALL_OF_IT = 0.85
SHRINKS = 0.6  # a reach that shrinks no further than by this factor is kept
# Shares of the whole. All constants here were chosen on the sets of research's `many_dimensions_board`, "made" half.
ROUNDS = 3  # of looking, at most
SHARE_OF_LOOKING = (0.015, 0.3)  # least of a round, most of all rounds, for sums
SHARE_OF_LENGTHS = (0.005, 0.1)  # least and most of a round, for counts of lengths
ERROR_OF_MIDDLE = 0.12  # of the reach: wanted noise of the middle
RECORDS_TO_SEE = 80.0  # n·ε of a count of lengths, wanted
LEAST_LEAF = 5.0  # a leaf's count, in lengths of the noise of a leaf's sum
SHARE_OF_COUNTS = 0.3  # of what the partition may spend; the rest buys sums of leaves
DRAWN_STEPS = 1 << 10
STEPS_OF_PLANES = 1 << 11


@dataclass(frozen=True, kw_only=True)
class Fineness:
    """How far cells are cut: cells below `large_leaf` of an even share of records are not."""

    large_leaf: float
    deepest: int
    further: int  # levels more than centers need


USUAL = Fineness(large_leaf=0.2, deepest=9, further=4)
FINE = Fineness(large_leaf=0.05, deepest=11, further=6)


@dataclass(frozen=True, kw_only=True, eq=False)
class Cloud:
    """Weighted places in reaches from a middle: what is known of the records' shape."""

    places: Floats  # (m, d)
    weights: Floats
    variances: Floats  # of the weights


def shrunk(vectors: Floats, variance: Floats | float) -> Floats:
    """Rows, in reaches, shortened as far as noise of this mean squared length asks: positive-part James–Stein, or more
    where noise is as long as what it hides can be.
    """
    squares = np.maximum((vectors**2).sum(axis=-1), 1e-300)
    factor: Floats = np.clip(1.0 - variance / squares, 0.0, USUAL_SQUARE / (USUAL_SQUARE + variance))
    return vectors * factor[..., None]


def relative_noise(purse: Purse, dims: int, total: float) -> float:
    """The length of the noise of the mean of all records, in reaches, if all of the budget bought it."""
    return math.sqrt(dims * purse.row_variance(purse.whole, dims)) / total


def found_view(data: ExactPoints, purse: Purse, total: float, *, alone: bool) -> View:
    """[P5] The noisy mean of the records, and a reach around it that holds most of them, found in rounds.

    `alone`: no groups are looked for afterwards. So few records that lengths cannot be seen are taken as they come.
    """
    extent, dims = data.frame.extent, data.frame.dims
    unit = relative_noise(purse, dims, total)
    least, most = SHARE_OF_LOOKING
    wanted = max(purse.share_for(unit / ERROR_OF_MIDDLE), least)
    rounds = next((rounds for rounds in (ROUNDS, 2) if rounds * wanted < most), 1)
    for_lengths = _share_of_lengths(purse, total)
    widest = math.sqrt(float((extent**2).sum()))
    middle, reach = extent / 2.0, widest / 2.0
    if too_few_to_see(purse, total):
        view = View(extent=extent, middle=middle, reach=reach)
        return replace(view, middle=_moved_middle(data, view, purse, ALL_OF_IT if alone else most, total))
    for turn in range(rounds):
        seen = _seen_reach(data, View(extent=extent, middle=middle, reach=widest), purse, for_lengths, total)
        settled = turn > 0 and seen > SHRINKS * reach
        reach = min(reach, seen)
        if settled:
            return View(extent=extent, middle=middle, reach=reach)
        view = View(extent=extent, middle=middle, reach=reach)
        middle = _moved_middle(data, view, purse, min(wanted, most / rounds), total)
    seen = _seen_reach(data, View(extent=extent, middle=middle, reach=widest), purse, for_lengths, total)
    return View(extent=extent, middle=middle, reach=min(reach, seen))


def _moved_middle(data: ExactPoints, view: View, purse: Purse, share: float, total: float) -> Floats:
    """[P5] The noisy mean of the records, shortened to the reach."""
    spend, dims = purse.take(share), len(view.extent)
    exact = exact_answer(data, SumAsked(view=view, radius=purse.radius(spend)))
    mean = purse.add_to_rows(exact, spend)[0] / total
    offset = in_ball(shrunk(mean, dims * purse.row_variance(spend, dims) / total**2)[None])[0]
    middle: Floats = np.clip(view.middle + view.reach * offset, 0.0, view.extent)
    return middle


def too_few_to_see(purse: Purse, total: float) -> bool:
    """Whether noise hides how far records lie."""
    return BLIND * purse.count_deviation(purse.whole * Fraction(_share_of_lengths(purse, total))) > total


def _share_of_lengths(purse: Purse, total: float) -> float:
    low, high = SHARE_OF_LENGTHS
    wanted = RECORDS_TO_SEE * purse.count_deviation(purse.whole) / math.sqrt(2.0) / total
    return min(max(purse.share_for(wanted), low), high)


def _seen_reach(data: ExactPoints, view: View, purse: Purse, share: float, total: float) -> float:
    """[P5] The shortest rung that seems to hold nearly all records; where noise hides it, the top of the fullest."""
    spend = purse.take(share)
    counted = purse.add_to_counts(exact_answer(data, LengthsAsked(view=view)), spend)
    beyond = np.append(np.cumsum(counted[::-1])[::-1][1:], 0.0)
    noise = purse.count_deviation(spend) * np.sqrt(np.arange(RUNGS)[::-1])
    if SEEN * noise[0] < 0.5 * total:
        far = np.flatnonzero(beyond > (1.0 - INSIDE) * total + SEEN * noise)
        rung = min(int(far[-1]) + 1 if len(far) else RUNGS - 1, RUNGS - 1)
    else:
        rung = TOGETHER - 1 + int(np.argmax(np.convolve(counted, np.ones(TOGETHER), "valid")))
    return float(view.reach * 0.5 ** ((RUNGS - 1 - rung) / 2.0))


def planes(noise: NoiseSource, depth: int, dims: int) -> Floats:
    """[P6] Public random directions in whole steps, (depth, d), at right angles as far as there is room."""
    drawn = noise.integers(DRAWN_STEPS, depth * dims * 4).reshape(depth, dims, 4).sum(axis=2)  # nearly normal
    loose = (drawn - 2.0 * (DRAWN_STEPS - 1)).astype(np.float64)
    turned = [np.linalg.qr(loose[start : start + dims].T)[0].T for start in range(0, depth, dims)]
    whole: Floats = np.rint(np.nan_to_num(np.vstack(turned)) * STEPS_OF_PLANES)
    return whole


def measured_cells(
    data: ExactPoints, view: View, k: int, purse: Purse, share: float, total: float, fineness: Fineness
) -> Cloud:
    """[P6] [P7] Noisy counts of sides of planes decide which cells are cut; then a noisy mean of each leaf."""
    dims = data.frame.dims
    for_leaves = share * purse.share_left * (1.0 - SHARE_OF_COUNTS)
    depth = min(fineness.deepest, math.ceil(math.log2(k)) + fineness.further)
    level_share = share * purse.share_left * SHARE_OF_COUNTS / depth
    variance = purse.row_variance(purse.whole * Fraction(for_leaves), dims + 1)
    least = LEAST_LEAF * math.sqrt(dims * variance)
    directions = planes(purse.noise, depth, dims)
    exact = exact_answer(data, CodesAsked(view=view, directions=directions))
    smallest = max(least, 1.0, fineness.large_leaf * total / k)
    leaf_of_code, counts, deviation = _cut(exact, depth, smallest, total, level_share, purse)
    spend = purse.take(for_leaves)
    radius = purse.radius(spend)
    asked = LeavesAsked(view=view, directions=directions, leaf_of_code=leaf_of_code, leaves=len(counts), radius=radius)
    noisy = purse.add_to_rows(exact_answer(data, asked), spend)  # [P7]
    doubt = variance * PERSON_PART**2
    known = 2.0 * deviation**2
    weights = np.maximum((noisy[:, dims] * PERSON_PART / doubt + counts / known) / (1.0 / doubt + 1.0 / known), 0.0)
    divisors = np.maximum(weights, max(0.5 * least, 1.0))
    places = shrunk(noisy[:, :dims] / divisors[:, None], dims * variance / divisors**2)
    held = weights > 0.0
    if not held.any():
        return Cloud(places=np.zeros((1, dims)), weights=np.array([total]), variances=np.array([doubt]))
    spread = np.full(int(held.sum()), 1.0 / (1.0 / doubt + 1.0 / known))
    return Cloud(places=in_ball(places[held]), weights=weights[held], variances=spread)


def _cut(
    exact: Integers, depth: int, least: float, total: float, share: float, purse: Purse
) -> tuple[Integers, Floats, float]:
    """[P6] Level by level, cells whose believed count is not below `least` are cut, and both halves are counted.

    Returns the leaf of each code, a believed count of each leaf, and the deviation of the noise of a count.
    """
    leaf_of_code = np.zeros(len(exact), np.int64)
    counts: list[float] = []
    live, believed, deviation = np.zeros(1, np.int64), np.array([total]), math.sqrt(total)
    for level in range(depth + 1):
        below = depth - level
        whole = believed >= least if level < depth else np.zeros(len(live), np.bool_)
        for cell, count in zip(live[~whole].tolist(), believed[~whole].tolist(), strict=True):
            leaf_of_code[cell << below : (cell + 1) << below] = len(counts)
            counts.append(count)
        live, believed = live[whole], believed[whole]
        if len(live) == 0:
            break
        spend = purse.take(share)
        deviation = purse.count_deviation(spend)
        halves = np.stack([2 * live, 2 * live + 1], axis=1)
        sizes = exact.reshape(-1, 1 << (below - 1)).sum(axis=1)
        noisy = purse.add_to_counts(sizes[halves], spend)  # [P6]
        missing = (believed - noisy.sum(axis=1)) / 3.0
        believed = np.maximum(noisy + missing[:, None], 0.0).ravel()
        live = halves.ravel()
    return leaf_of_code, np.array(counts), deviation


def in_ball(places: Floats) -> Floats:
    """Places brought within the reach."""
    lengths = np.sqrt((places**2).sum(axis=1))
    inside: Floats = places / np.maximum(lengths, 1.0)[:, None]
    return inside


def whole_steps(places: Floats) -> Floats:
    """Places in the reach as whole steps."""
    steps: Floats = np.trunc(places * LATTICE)
    return steps
