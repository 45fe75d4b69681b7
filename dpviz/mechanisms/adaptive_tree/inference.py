"""From noisy counts of a tree to consistent leaves: inverse variance upwards, consistency downwards, none below 0.

Post-processing only. Hay, Rastogi, Miklau, Suciu 2010 for uneven variances, then a projection of every sibling group.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree.growth import Depth

Floats = NDArray[np.float64]


def infer(tree: list[Depth], fan: int, total: tuple[float, float] | None = None) -> list[tuple[Floats, Floats]]:
    """Consistent counts ≥ 0 and their variances, depth by depth.

    `total`, a noisy number of all records and its variance, is one more measurement above the roots.
    """
    pooled = [(depth.values.copy(), depth.variances.copy()) for depth in tree]
    for above, below in zip(range(len(tree) - 2, -1, -1), range(len(tree) - 1, 0, -1), strict=True):
        values, variances = pooled[above]
        at = tree[below].parents
        sums = pooled[below][0].reshape(-1, fan).sum(axis=1)
        spread = pooled[below][1].reshape(-1, fan).sum(axis=1)
        own = variances[at]
        values[at] = (values[at] * spread + sums * own) / (spread + own)
        variances[at] = spread * own / (spread + own)
    finished = [_roots(*pooled[0], total)]
    for depth in range(1, len(tree)):
        at = tree[depth].parents
        values, variances = (part.reshape(-1, fan) for part in pooled[depth])
        finished.append(_agreeing(values, variances, finished[-1][0][at], finished[-1][1][at]))
    return finished


def _roots(values: Floats, variances: Floats, total: tuple[float, float] | None) -> tuple[Floats, Floats]:
    if total is None:
        return np.maximum(values, 0.0), variances
    measured, doubt = total
    spread = float(variances.sum())
    whole = (float(values.sum()) * doubt + measured * spread) / (spread + doubt)
    agreed = np.array([whole]), np.array([spread * doubt / (spread + doubt)])
    return _agreeing(values[None, :], variances[None, :], *agreed)


def _agreeing(values: Floats, variances: Floats, total: Floats, total_variance: Floats) -> tuple[Floats, Floats]:
    """Siblings, a row each family, that add up to what is known of their parent; none below 0."""
    share = variances / variances.sum(axis=1, keepdims=True)
    values = values + share * (total - values.sum(axis=1))[:, None]
    # Var(own − share·sum) + share² · Var(total): the siblings' errors are independent of the total's.
    variances = variances * (1.0 - share) + share**2 * total_variance[:, None]
    return project(values, total).ravel(), variances.ravel()


def project(values: Floats, totals: Floats) -> Floats:
    """Each row's nearest point of {x ≥ 0, Σ x = max(total, 0)}."""
    totals = np.maximum(totals, 0.0)
    ordered = -np.sort(-values, axis=1)
    counts = np.arange(1, values.shape[1] + 1)
    excess = (np.cumsum(ordered, axis=1) - totals[:, None]) / counts
    used = np.maximum((ordered > excess).sum(axis=1), 1)
    projected: Floats = np.maximum(values - excess[np.arange(len(values)), used - 1][:, None], 0.0)
    return projected
