"""How far a center may be off, from released values alone: the variances of a coreset's weights are known.

The target is the mean of the records nearest to a center. With weights w, their variances V and points x, the error of
the mean has variance about Σ V·|x − c|² / (Σ w)², plus an error from the shape of the leaves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.domain import Frame
from dpviz.mechanisms.adaptive_tree.residual import point_errors

Floats = NDArray[np.float64]
# 0.9-quantile of |error| / √variance for an isotropic normal error in d dimensions: √(χ²_d(0.9)/d), d = 1 … 12.
_BAND = (1.645, 1.517, 1.444, 1.395, 1.359, 1.332, 1.310, 1.292, 1.277, 1.264, 1.253, 1.243)
# Simulated on a city that no test uses: leaves are a little less wrong inside than their model says; utility only.
CALIBRATION = 0.93


def center_variances(positions: Floats, weights: Floats, variances: Floats, centers: Floats) -> Floats:
    """Expected squared distance between each center and the mean of its records, (k,); infinite without weight."""
    labels = assign(positions, centers)
    squared = ((positions - centers[labels]) ** 2).sum(axis=1)
    k = len(centers)
    error = np.bincount(labels, weights=point_errors(weights, variances) * squared, minlength=k)
    mass = np.bincount(labels, weights=weights, minlength=k)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread: Floats = np.where(mass > 0.0, error / mass**2, np.inf)
    return spread


def radii(spread: Floats, frame: Frame) -> Floats:
    """90 % radii from variances, at most the diameter of the public box."""
    return np.minimum((_BAND[min(frame.dims, len(_BAND)) - 1] * CALIBRATION) * np.sqrt(spread), frame.diameter)


def round_to_4_digits(values: Floats) -> tuple[float, ...]:
    """Numbers as a release states them."""
    return tuple(float(f"{value:.4g}") for value in values)
