"""How far a center may be off: a radius that is to hold the mean of its records in 90 of 100 draws. Post-processing.

The target is the mean of the records that lie nearest to a published center. What the cells say about it is a quotient
of two sums over cells, so its error is a sum of (place − center) · (error of a count) over the weight: its noise has
the exact variance of any question; inside cells records are as uneven as the release's own cells are, times what the
release finds when it checks its model of their inside on itself. A residual round leaves a known share of that error,
and knows nothing of points that are nearest to another center after it.
"""

from __future__ import annotations

import numpy as np

from dpviz.clustering import assign
from dpviz.questions.answers import Asked
from dpviz.questions.noise_model import Floats, Integers, cut_variance, of_columns

# 0.9-quantile of |error| / √variance for an isotropic normal error in d dimensions: √(χ²_d(0.9)/d), d = 1 … 12.
BAND = (1.645, 1.517, 1.444, 1.395, 1.359, 1.332, 1.310, 1.292, 1.277, 1.264, 1.253, 1.243)
LOOKS = 4  # places per axis in a cell, to see which parts of it are nearest to which center
MOST_LOOKS = 1 << 20
MEAN_OF_HALVES = 0.125  # the variance of a cell's mean in units of ρ · side²: halves of halves vary alike
# After a residual round: the share of the squared error that stays at least, whatever the round measured.
STAYS = 0.1  # chosen on the sets of dpviz_research/elsewhere/development_sets.py
AFTER_CORRECTION_OF_ONE = 1.3  # what the radius of a single center is multiplied with, which has no borders


def center_radii(asked: Asked, centers: Floats, left: Floats, crossed: Floats | None = None) -> Floats:
    """90 % radii of centers, local, (k,).

    `left`: the share of the squared error after a residual round; `crossed`: what points add that changed parts since.
    """
    frame = asked.tree.frame
    share = np.maximum(left, STAYS) if len(centers) > 1 else AFTER_CORRECTION_OF_ONE**2 * left
    spread = center_variances(asked, centers) * np.where(left < 1.0, share, 1.0)
    factor = BAND[min(frame.dims, len(BAND)) - 1]
    return np.minimum(factor * np.sqrt(spread if crossed is None else spread + crossed), frame.diameter)


def center_variances(asked: Asked, centers: Floats) -> Floats:
    """Expected squared distance between each center and the mean of its records, (k,); infinite without records."""
    tree, frame, k = asked.tree, asked.tree.frame, len(centers)
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    cell, owner, share, middle = _shares(low, high, frame.to_local(tree.mean), centers)
    offset = middle - centers[owner]
    count = np.maximum(tree.count, 0.0)[cell]
    starts = np.searchsorted(owner, np.arange(k + 1)).astype(np.int64)
    noise = np.zeros(k)
    for axis in range(frame.dims):
        noise += asked.model.variances(starts, cell, share * offset[:, axis])[0]
    rho, held = asked.rho[cell], share * count
    sides = ((high - low) ** 2).sum(axis=1)[cell] if tree.pieces else np.zeros(len(cell))
    within = (MEAN_OF_HALVES * rho * held**2 + held / 12.0) * sides
    cut = cut_variance(share, rho, count) * (offset**2).sum(axis=1)
    error = noise + asked.model_factor * np.bincount(owner, weights=within + cut, minlength=k)
    if tree.pieces and asked.together.any():
        shared = MEAN_OF_HALVES * asked.together[cell] * rho * held**2
        node = tree.cell[cell]
        for axis in range(frame.dims):
            sides = (high - low)[cell, axis] ** 2
            error += of_columns(owner, tree.depth[node], tree.low[node, axis], shared * sides, k)
    weight = np.bincount(owner, weights=held, minlength=k)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread: Floats = np.where(weight > 0.0, error / weight**2, np.inf)
    return spread


def _shares(low: Floats, high: Floats, mean: Floats, centers: Floats) -> tuple[Integers, Integers, Floats, Floats]:
    """Which cells belong to which center: (cell, center, share of the cell, where that part lies), by center."""
    cells, dims = low.shape
    whole = _of_one_center(low, high, centers)
    cut = np.flatnonzero(whole < 0)
    looks = LOOKS if cells * LOOKS**dims <= MOST_LOOKS else 2 if cells * 2**dims <= MOST_LOOKS else 1
    inside = np.full((1, dims), 0.5)
    if looks > 1:  # arrays have 64 axes at most
        inside = (np.indices((looks,) * dims).reshape(dims, -1).T + 0.5) / looks
    places = low[cut, None, :] + inside[None, :, :] * (high - low)[cut, None, :]
    number = np.repeat(cut, len(inside)) + assign(places.reshape(-1, dims), centers) * cells
    keys, back, times = np.unique(number, return_inverse=True, return_counts=True)
    owner, cell = np.divmod(keys, cells)
    share = times / len(inside)
    summed = [np.bincount(back, weights=places.reshape(-1, dims)[:, axis], minlength=len(keys)) for axis in range(dims)]
    middle = np.column_stack(summed) / times[:, None].astype(np.float64)
    middle = np.where((share == 1.0)[:, None], mean[cell], middle)
    uncut = np.flatnonzero(whole >= 0)
    owner = np.concatenate([owner, whole[uncut]])
    order = np.argsort(owner, kind="stable")
    found = np.concatenate([cell, uncut]), np.concatenate([share, np.ones(len(uncut))])
    return found[0][order], owner[order], found[1][order], np.concatenate([middle, mean[uncut]])[order]


def _of_one_center(low: Floats, high: Floats, centers: Floats) -> Integers:
    """The center that is nearest to all of a box, where its corners agree: what is nearest to one center is convex.

    −1 where corners differ, and everywhere in so many dimensions that boxes have more corners than places to look at.
    """
    cells, dims = low.shape
    if 2**dims > LOOKS**2 or cells == 0:
        return np.full(cells, -1, np.int64)
    corners = np.indices((2,) * dims).reshape(dims, -1).T
    places = np.where(corners[None, :, :] == 0, low[:, None, :], high[:, None, :])
    labels = assign(places.reshape(-1, dims), centers).reshape(cells, -1)
    return np.where((labels == labels[:, :1]).all(axis=1), labels[:, 0], -1)
