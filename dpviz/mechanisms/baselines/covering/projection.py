"""[P2] Records in few dimensions and in the unit ball, as whole numbers; each record's image depends on it alone.

Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.baselines.lattice_view import LatticeBox
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import ExactData, Public
from dpviz.noise import NoiseSource

ONE = 2**20  # lattice steps of the unit ball's radius
MOST_DIMS = 8  # utility only
BLOCK = 2**12  # records that are projected at once


def dims_after(dims: int, noisy_total: int) -> int:
    """About half of ln n, as in the paper's experiments."""
    return min(dims, MOST_DIMS, max(2, round(math.log(max(2, noisy_total)) / 2)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Image:
    """The records twice: on the lattice of the box, and in the unit ball of `dims` dimensions. Local to one run."""

    box: LatticeBox
    exact_steps: NDArray[np.int64]  # (n, d), box lattice
    exact_image: NDArray[np.int64]  # (n, dims), units of 1/ONE
    exact_multiplicity: NDArray[np.int64]
    reach: NDArray[np.float64]  # (dims,): public bounds of the image, units of 1/ONE
    diameter: float  # of the box, in lattice steps
    projected: bool

    @property
    def dims(self) -> int:
        return len(self.reach)

    @classmethod
    def of(cls, data: ExactData, dims: int, noise: NoiseSource) -> Image:
        box = LatticeBox.of(Public.of(data).frame)
        local, multiplicity = weighted_local(data)
        steps = np.clip(np.rint(local / box.step_length).astype(np.int64), 0, box.limits)
        diameter = math.sqrt(float((box.limits.astype(np.float64) ** 2).sum()))
        projected = dims < len(box.limits)
        if projected:
            signs = 2 * noise.integers(2, dims * len(box.limits)).reshape(dims, -1) - 1
            factor = ONE / diameter / math.sqrt(dims)
            blocks = [steps[start : start + BLOCK] for start in range(0, len(steps), BLOCK)]
            products = [(2 * block - box.limits) @ signs.T for block in blocks]  # twice the offsets, whole numbers
            scaled = np.vstack([np.empty((0, dims), np.int64), *products]).astype(np.float64) * factor
            image = into_ball(scaled)
            reach = np.full(dims, float(ONE))
        else:
            image = np.rint((2 * steps - box.limits) * (ONE / diameter)).astype(np.int64)
            reach = box.limits * (ONE / diameter)
        return cls(
            box=box,
            exact_steps=steps,
            exact_image=np.ascontiguousarray(image),
            exact_multiplicity=multiplicity.astype(np.int64),
            reach=reach,
            diameter=diameter,
            projected=projected,
        )

    def back(self, image: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Lattice steps of points of the image, where nothing was projected."""
        return (image * (self.diameter / ONE) + self.box.limits) / 2

    def to_local(self, steps: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.box.to_local(steps)


def into_ball(scaled: NDArray[np.floating]) -> NDArray[np.int64]:
    """Points outside the unit ball are drawn onto it, one by one; single operations in a fixed order."""
    squared = np.zeros(len(scaled))
    for axis in range(scaled.shape[1]):
        squared += scaled[:, axis] * scaled[:, axis]
    shrink = ONE / np.maximum(np.sqrt(squared), float(ONE))
    return np.rint(scaled * shrink[:, None]).astype(np.int64)
