"""Steps on records: every center moves to the noisy mean of the records nearest to it, wherever these lie.

In many dimensions one record moves a sum of offsets by what is near its center, not by the size of the box, so a few
such steps cost little and mend what a coarse tree leaves wrong. How far offsets may reach is read from noisy counts.
All but the counts and the sums is post-processing.

Proof: docs/proofs/turned_tree.md, steps P12 and P13.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.budget import scale_for
from dpviz.mechanisms.adaptive_tree.growth import laplace_variance
from dpviz.noise import NoiseSource

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
LATTICE = 1 << 20  # integer steps per radius
PERSON = LATTICE >> 3  # steps that a record's being there counts for, beside its offset
REACHES = 40  # classes of reach, each 1.41 times the one before
REACHES_SHARE = Fraction(1, 10)  # privacy-bearing: share of a step for the counts of classes
SEEN = 2.0  # standard deviations of noise from which a class is believed to hold records
ALIKE = 0.8  # how much of what is cut off may lie in one direction
DOUBT = 0.3  # share by which a weight that is believed may be wrong
SMALL_PART = 0.25  # of an even share of records: parts are not believed to be known better than one so large
LEAST_PART = 0.1  # of an even share: no sum is divided by less


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """Where the centers are now, and the expected squared error of each, by noise."""

    centers: Floats  # (k, d)
    error: Floats  # (k,)


def moved(
    places: Floats, centers: Floats, held: Floats, total: float, widest: float, spend: Fraction, noise: NoiseSource
) -> Step:
    """[P12] [P13] Each center at the mean of its part, as far as noise lets it be told.

    `held`: how many records each part is believed to hold; `total`: all of them; `widest`: the longest reach asked for.
    """
    k, dims = centers.shape
    for_reaches = spend * REACHES_SHARE
    for_sums = spend - for_reaches
    ladder = widest * 0.5 ** (np.arange(REACHES)[::-1] / 2.0)
    seen = noise.add_laplace(exact_reaches(places, centers, ladder), scale_for(for_reaches))  # [P12]
    scale = scale_for(for_sums, LATTICE + PERSON)
    believed = np.where(seen > SEEN * np.sqrt(laplace_variance(scale_for(for_reaches))), seen, 0)
    radius = best_radius(believed, ladder, total, k, dims, scale / LATTICE)
    noisy = noise.add_laplace(exact_parts(places, centers, radius), scale)  # [P13]
    counted, doubt = noisy[:, dims] / PERSON, 2.0 * (scale / PERSON) ** 2
    unsure = (DOUBT * np.maximum(held, SMALL_PART * total / k)) ** 2
    weight = np.maximum((counted / doubt + held / unsure) / (1.0 / doubt + 1.0 / unsure), LEAST_PART * total / k)
    shifts = noisy[:, :dims] * (radius / LATTICE) / weight[:, None]
    variance = dims * 2.0 * (scale * radius / LATTICE) ** 2 / weight**2
    told = np.maximum(0.0, 1.0 - variance / np.maximum((shifts**2).sum(axis=1), 1e-300))
    # A mean of clipped offsets is never longer than the clip; what is longer is noise over a tiny weight.
    told *= np.minimum(1.0, radius / np.maximum(np.abs(shifts).sum(axis=1) * told, 1e-300))
    return Step(centers=centers + told[:, None] * shifts, error=variance)


def exact_reaches(places: Floats, centers: Floats, ladder: Floats) -> Integers:
    """How many records lie how far from the nearest center, by |·|₁: the first rung that is not below, or the last."""
    nearest = assign(places, centers)
    reach = np.zeros(len(places))
    for column, of_centers in zip(places.T, centers.T, strict=True):
        reach += np.abs(column - of_centers[nearest])
    found = np.minimum(np.searchsorted(ladder, reach), len(ladder) - 1)
    return np.bincount(found, minlength=len(ladder)).astype(np.int64)


def exact_parts(places: Floats, centers: Floats, radius: float) -> Integers:
    """Per part: Σ of offsets in whole steps, each shortened to LATTICE in all, and PERSON for each record, (k, d+1)."""
    k = len(centers)
    sums = _kernels.clipped_point_sums(places, np.ascontiguousarray(centers), np.full(k, radius), LATTICE)
    counts = np.bincount(assign(places, centers), minlength=k).astype(np.int64)
    return np.column_stack([sums, counts * PERSON])


def best_radius(seen: Integers, ladder: Floats, total: float, k: int, dims: int, scale: float) -> float:
    """The reach with the least expected error of all means: noise against what shortening takes from far records."""
    middles = (np.append(0.0, ladder[:-1]) + ladder) / 2.0
    shares = seen / max(float(seen.sum()), 1.0)
    cut = np.array([float((shares * np.maximum(middles - reach, 0.0)).sum()) for reach in ladder])
    noise = 2.0 * dims * (scale * k * ladder) ** 2 / total
    return float(ladder[np.argmin(noise + total * (ALIKE * cut) ** 2 / dims)])
