"""From the noisy counts of a grown tree to consistent leaves, and to the protected tables of a release.

Counts are pooled by inverse variance upwards and made consistent downwards; none is below 0.

Post-processing only. Hay, Rastogi, Miklau, Suciu 2010 for uneven variances, then a projection of every sibling group.

How far a center may be off: the target is the mean of the records nearest to it. With weights w, their variances V and
points x, the error of the mean has variance about Σ V·|x − c|² / (Σ w)², plus an error from the shape of the leaves.
"""

from __future__ import annotations

import numpy as np

from dpviz.clustering import assign
from dpviz.domain import CellTree, Frame
from dpviz.domain.cell_tree import TOP
from dpviz.mechanisms.adaptive_tree.bisection import Bisection, Floats
from dpviz.mechanisms.adaptive_tree.growth import Depth, Pyramid
from dpviz.mechanisms.adaptive_tree.residual import point_errors


def infer(tree: list[Depth], fan: int, total: tuple[float, float] | None = None) -> list[tuple[Floats, Floats]]:
    """Consistent counts ≥ 0 and variances by depth; `total` (number, variance) is one more measurement at the top."""
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
    """Make siblings (one family per row) add up to the estimate of their parent; none below 0."""
    share = variances / variances.sum(axis=1, keepdims=True)
    values = values + share * (total - values.sum(axis=1))[:, None]
    # Var(own − share·sum) + share² · Var(total): the siblings' errors are independent of the total's.
    variances = variances * (1.0 - share) + share**2 * total_variance[:, None]
    return project(values, total).ravel(), variances.ravel()


def project(values: Floats, totals: Floats) -> Floats:
    """Project each row onto {x ≥ 0, Σ x = max(total, 0)}."""
    totals = np.maximum(totals, 0.0)
    ordered = -np.sort(-values, axis=1)
    excess = (np.cumsum(ordered, axis=1) - totals[:, None]) / np.arange(1, values.shape[1] + 1)
    used = np.maximum((ordered > excess).sum(axis=1), 1)
    projected: Floats = np.maximum(values - excess[np.arange(len(values)), used - 1][:, None], 0.0)
    return projected


COUNTING = 0  # the charge that paid for the number of records


def cell_tree(
    frame: Frame,
    tree: list[Depth],
    consistent: list[tuple[Floats, Floats]],
    counts: Pyramid | Bisection,
    means: Floats,
    *,
    total: tuple[float, float] | None,
    charges: tuple[str, ...],
) -> CellTree:
    """List the nodes by depth, below the whole box where the number of records was bought; `means` are the leaves'."""
    bought = () if total is None else total  # a node above the roots: the number of records and its variance
    first = min(len(bought), 1)
    sizes = [len(here.nodes) for here in tree]
    starts = first + np.cumsum([0, *sizes])
    boxes = [
        *[(np.zeros((1, frame.dims)), frame.extent[None, :])] * first,
        *(counts.boxes(depth, here.nodes) for depth, here in enumerate(tree)),
    ]
    above = [np.array([TOP])] * first + [np.full(sizes[0], 0 if first else TOP)]
    below = [np.repeat(starts[depth] + here.parents, counts.fan) for depth, here in enumerate(tree[1:])]
    drawn = [(starts[depth] + part.at, part) for depth, here in enumerate(tree) for part in here.drawn]
    nodes = [np.array([0])] * first + [at for at, _ in drawn]
    leaves = [np.flatnonzero(here.leaf) for here in tree]
    paid = np.full(sum(len(part) for part in nodes), len(charges) - 1)
    paid[:first] = COUNTING
    return CellTree(
        frame=frame,
        low=raw_inside(frame, np.concatenate([low for low, _ in boxes])),
        high=raw_inside(frame, np.concatenate([high for _, high in boxes])),
        parent=np.concatenate(above + below).astype(np.int64),
        depth=np.repeat(np.arange(-first, len(tree)), [1] * first + sizes),
        node=np.concatenate(nodes).astype(np.int64),
        value=np.concatenate([bought[:1], *(part.values for _, part in drawn)]),
        variance=np.concatenate([bought[1:], *(part.variances for _, part in drawn)]),
        charge=paid.astype(np.int64),
        charges=charges,
        cell=np.concatenate([start + leaf for start, leaf in zip(starts, leaves, strict=False)]).astype(np.int64),
        count=np.concatenate([found[0][leaf] for found, leaf in zip(consistent, leaves, strict=True)]),
        spread=np.concatenate([found[1][leaf] for found, leaf in zip(consistent, leaves, strict=True)]),
        mean=raw_inside(frame, means),
    )


def raw_inside(frame: Frame, local: Floats) -> Floats:
    """Convert to raw coordinates, clipped to the public box."""
    return np.clip(frame.to_raw(local), np.asarray(frame.low), np.asarray(frame.high))


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
