"""Steps on records: each center moves to the noisy mean of its part; the first step also mends what cells merged.

A part that holds two groups is halved across the axis along which its cells lie; k-means on the means of all halves
then gives the groups a center each, and takes one from a group that has two. All but noisy counts and sums is
post-processing.
Proof: docs/proofs/mean_split.md.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign, solve_kmeans
from dpviz.domain import ExactPoints
from dpviz.mechanisms.mean_split.partition import STEPS_OF_PLANES, Cloud, in_ball, planes, shrunk, whole_steps
from dpviz.mechanisms.mean_split.purse import LATTICE, Purse
from dpviz.mechanisms.mean_split.queries import (
    FARTHEST,
    PERSON_PART,
    RUNGS,
    PartsAsked,
    ReachesAsked,
    View,
    exact_answer,
)

Floats = NDArray[np.float64]
SHARE_OF_REACHES = Fraction(1, 20)  # privacy-bearing: of a step, for the counts of classes of reach
SEEN = 2.0  # standard deviations of noise from which a class is believed to hold records
ALIKE, ALIKE_IN_HALVES = 0.8, 1.2  # how much of what is cut off may lie in one direction
HALVING = 0.5  # of the reach: noise of the mean of half a part below which halves are asked
DOUBT, DOUBT_OF_HALVES = 0.3, 0.5  # share by which a weight that is believed may be wrong
SMALL_PART, LEAST_PART = 0.25, 0.1  # of an even share: parts are not believed smaller; no sum is divided by less
LEAST_SPREAD = 1e-9  # below it places of a part are its center
SEARCH = {"starts": 8, "refine": 2}


def searched(cloud: Cloud, k: int) -> Floats:
    """The different centers of k-means on a cloud."""
    found = solve_kmeans(cloud.places, cloud.weights, k, seed=0, **SEARCH).centers
    return np.unique(in_ball(found), axis=0)


def walked(
    data: ExactPoints, view: View, cloud: Cloud, k: int, steps: int, purse: Purse, total: float, *, mend: bool
) -> Floats:
    """[P8] Centers after some steps that spend all that is left; `mend`: the first may divide parts."""
    centers = searched(cloud, k)
    each = purse.left / steps
    for step in range(steps):
        spend = min(each, purse.left)
        purse.left -= spend
        centers, cloud = _moved(data, view, cloud, centers, k, spend, purse, total, mend=mend and step == 0)
    return centers


def _moved(
    data: ExactPoints, view: View, cloud: Cloud, centers: Floats, k: int, spend: Fraction, purse: Purse, total: float,
    *, mend: bool,
) -> tuple[Floats, Cloud]:  # fmt: skip
    """[P8] One step."""
    parts, dims = centers.shape
    for_reaches = spend * SHARE_OF_REACHES
    for_sums = spend - for_reaches
    lattice = whole_steps(centers)
    centers = lattice / LATTICE
    asked = ReachesAsked(view=view, centers=lattice)
    counted = purse.add_to_counts(exact_answer(data, asked), for_reaches)  # [P8]
    counted = np.where(counted > SEEN * purse.count_deviation(for_reaches), counted, 0.0)
    variance = purse.row_variance(for_sums, dims + 1)
    halves = mend and math.sqrt(dims * variance) * 2 * parts / total < HALVING
    fold = 2 if halves else 1
    reach = _best_reach(counted, fold * parts, dims * variance, total, ALIKE_IN_HALVES if halves else ALIKE)
    radius = purse.radius(for_sums)
    directions = _longest_axes(cloud, centers, planes(purse.noise, 1, dims)[0]) if halves else None
    sums = PartsAsked(view=view, centers=lattice, reach=reach * LATTICE, radius=radius, directions=directions)
    noisy = purse.add_to_rows(exact_answer(data, sums), for_sums)  # [P8]
    held = np.bincount(assign(cloud.places, centers), weights=cloud.weights, minlength=parts)
    held = np.repeat(held / fold, fold)
    even = total / len(held)
    doubt = variance * PERSON_PART**2
    unsure = ((DOUBT_OF_HALVES if halves else DOUBT) * np.maximum(held, SMALL_PART * even)) ** 2
    weights = (noisy[:, dims] * PERSON_PART / doubt + held / unsure) / (1.0 / doubt + 1.0 / unsure)
    weights = np.maximum(weights, LEAST_PART * even)
    shifts = shrunk(noisy[:, :dims] * reach / weights[:, None], dims * variance * (reach / weights) ** 2)
    places = in_ball(np.repeat(centers, fold, axis=0) + shifts)
    if not halves:
        return places, cloud
    cloud = Cloud(places=places, weights=weights, variances=1.0 / (1.0 / doubt + 1.0 / unsure))
    return searched(cloud, k), cloud


def _longest_axes(cloud: Cloud, centers: Floats, otherwise: Floats) -> Floats:
    """[P8] The axis along which each part's known places vary most, in whole steps; `otherwise` where none do."""
    labels = assign(cloud.places, centers)
    axes = np.repeat(otherwise[None], len(centers), axis=0)
    for part in range(len(centers)):
        offsets = (cloud.places - centers[part])[labels == part]
        spread = offsets * np.sqrt(cloud.weights[labels == part])[:, None]
        if np.abs(spread).max(initial=0.0) > LEAST_SPREAD:
            axes[part] = np.rint(np.linalg.svd(spread, full_matrices=False)[2][0] * STEPS_OF_PLANES)
    return axes


def _best_reach(counted: Floats, parts: int, variance: float, total: float, alike: float) -> float:
    """In reaches: the rung with the least expected error, noise against what shortening takes from far records."""
    if not counted.any():
        return 1.0
    rungs = FARTHEST * 0.5 ** (np.arange(RUNGS)[::-1] / 2.0)
    middles = (np.append(0.0, rungs[:-1]) + rungs) / 2.0
    shares = counted / max(float(counted.sum()), 1.0)
    cut = np.array([float((shares * np.maximum(middles - rung, 0.0)).sum()) for rung in rungs])
    return float(rungs[np.argmin(variance * (parts * rungs) ** 2 / total + total * (alike * cut) ** 2)])
