"""What one record may still cost a run of `mean_split`, and the noise that its queries buy.

Proof: docs/proofs/mean_split.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree.budget import floor_float, scale_for, units_touched
from dpviz.mechanisms.interface import Public
from dpviz.noise import NoiseSource
from dpviz.noise.spherical import radius_within, scale_near
from dpviz.privacy import Charge, scale_of_gaussian

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
LATTICE = 1 << 20  # whole steps to a radius; squares of lengths of 4,096 numbers of twice as many fit a float


@dataclass(kw_only=True)
class Purse:
    """[P1] What one record may cost: `whole` at first, `left` now; ε, or ρ where noise is Gaussian."""

    whole: Fraction
    gaussian: bool
    noise: NoiseSource
    left: Fraction

    @classmethod
    def of(cls, charge: Charge, public: Public, noise: NoiseSource) -> Purse:
        """[P1] The charge divided among the records of one unit: a part each, or a part squared of ρ."""
        units = units_touched(public)
        gaussian = charge.rho is not None
        whole = Fraction(charge.epsilon) / units if charge.rho is None else Fraction(charge.rho) / units**2
        return cls(whole=whole, gaussian=gaussian, noise=noise, left=whole)

    def take(self, share: float) -> Fraction:
        """[P1] A share of the whole, or all that is left where that is less."""
        taken = min(self.whole * Fraction(share), self.left)
        self.left -= taken
        return taken

    @property
    def share_left(self) -> float:
        return float(self.left / self.whole)

    def share_for(self, ratio: float) -> float:
        """The share that makes noise `1/ratio` as large as the whole would."""
        return ratio**2 if self.gaussian else ratio

    def add_to_counts(self, exact: Integers, spend: Fraction) -> Floats:
        """[P2] Counts of which one record changes one by one."""
        if self.gaussian:
            return self.noise.add_gaussian(exact, _gaussian_scale(1, spend)).astype(np.float64)
        return self.noise.add_laplace(exact, scale_for(spend)).astype(np.float64)

    def count_deviation(self, spend: Fraction) -> float:
        """The standard deviation of such a count."""
        return 1.0 / math.sqrt(2.0 * spend) if self.gaussian else math.sqrt(2.0) / float(spend)

    def radius(self, spend: Fraction) -> int:
        """[P3] The length, in whole steps, that one record may add to one row."""
        return LATTICE if self.gaussian else radius_within(spend, scale_near(spend, LATTICE))

    def add_to_rows(self, exact: Integers, spend: Fraction) -> Floats:
        """[P3] Rows of which one record changes one by a vector of at most `radius`; in radii."""
        radius = self.radius(spend)
        if self.gaussian:
            noisy = self.noise.add_gaussian(exact, _gaussian_scale(radius, spend))
        else:
            noisy = self.noise.add_spherical_laplace(exact, scale_near(spend, LATTICE))
        return noisy / radius

    def row_variance(self, spend: Fraction, width: int) -> float:
        """The variance of each number of such a row, in squared radii."""
        return 1.0 / (2.0 * float(spend)) if self.gaussian else (width + 1.0) / float(spend) ** 2


def _gaussian_scale(sensitivity: int, spend: Fraction) -> float:
    return scale_of_gaussian(float(sensitivity), floor_float(spend))
