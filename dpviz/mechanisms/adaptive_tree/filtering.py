"""Estimate period t from its noisy counts and earlier periods: a growth per root, then a scalar filter per cell.

Post-processing only: functions here read noisy counts, public blocks and public constants. The constants were chosen on
synthetic cities that no table of this project reports (research/dpviz_research/months.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree.partition import Partition, ancestors
from dpviz.mechanisms.adaptive_tree.pyramid import children_of

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Beliefs:
    """Utility constants of the filter; the privacy guarantee does not depend on them."""

    change: float = (
        1.0  # variance of a cell's change from period to period, per record in it, before anything is learned
    )
    change_range: tuple[float, float] = (0.3, 1e4)
    learning: float = 0.2  # how far one period moves the believed change
    most_learned: float = 4.0  # of what is not clear beyond chance, at most this much per record is learned from
    growth: float = 0.1  # of the whole city from period to period, one standard deviation
    root_growth: float = 0.06  # of a root against the city
    coarse: float = 4.0  # cells are counted together while their variances sum to at most this many times the noise's
    split_from: float = 2.0  # (count · budget of a record / 6) above which a cell is split further
    most_cells: int = 4096


BELIEFS = Beliefs()
SURE = 3.0  # standard deviations of chance beyond which a change is believed at once; utility only


@dataclass(frozen=True, kw_only=True, eq=False)
class Cut:
    """The disjoint blocks to count in this period, and the block of each cell."""

    depth: Integers  # (blocks,)
    block: Integers
    of_cell: Integers  # (cells,)


def predict_period(past: Partition, change: float) -> Partition:
    """Predict a period before it is counted: the same counts with larger variances."""
    return replace(past, variance=past.variance + change * np.maximum(past.count, 1.0))


def split_grown_cells(prior: Partition, spend: float, depths: int, beliefs: Beliefs) -> Partition:
    """Split cells that hold many records for this period's budget into four."""
    grown = (np.maximum(prior.count, 0.0) * spend / 6.0 >= beliefs.split_from) & (prior.depth + 1 < depths)
    room = max(beliefs.most_cells - len(prior), 0) // 3
    if int(grown.sum()) > room:
        strongest = np.argsort(-prior.count * grown, kind="stable")[:room]
        grown = np.isin(np.arange(len(prior)), strongest) & grown
    if not grown.any():
        return prior
    parts = [(prior.depth[~grown], prior.block[~grown], prior.count[~grown], prior.variance[~grown])]
    for depth in np.unique(prior.depth[grown]):
        rows = np.flatnonzero(grown & (prior.depth == depth))
        share = np.repeat(prior.count[rows] / 4.0, 4)
        # A child holds a quarter, give or take: the prior that a growing tree uses as well (growth.py).
        doubt = np.repeat(prior.variance[rows] / 16.0, 4) + 0.75 * share**2
        blocks = children_of(prior.roots * 2 ** int(depth), prior.block[rows])
        parts.append((np.full(len(blocks), depth + 1), blocks, share, doubt))
    depth, block, count, variance = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Partition(roots=prior.roots, depth=depth, block=block, count=count, variance=variance)


def choose_cut(prior: Partition, noise_variance: float, beliefs: Beliefs) -> Cut:
    """Choose the blocks to count, from the roots down; a block stays whole where the noise exceeds its uncertainty."""
    cells = len(prior)
    depth, block = np.full(cells, -1), np.full(cells, -1)
    for level in range(int(prior.depth.max()) + 1):
        inside = ancestors(prior, level)
        open_ = np.flatnonzero((depth < 0) & (inside >= 0))
        if not len(open_):
            continue
        known, place = np.unique(inside[open_], return_inverse=True)
        doubt = np.bincount(place, weights=prior.variance[open_], minlength=len(known))
        stop = (doubt[place] <= beliefs.coarse * noise_variance) | (prior.depth[open_] == level)
        depth[open_[stop]], block[open_[stop]] = level, known[place[stop]]
    key, of_cell = np.unique(depth * (1 << 40) + block, return_inverse=True)
    at, blocks = np.divmod(key, 1 << 40)
    return Cut(depth=at, block=blocks, of_cell=of_cell)


def update_beliefs(
    prior: Partition, cut: Cut, noisy: Floats, noise_variance: float, change: float, beliefs: Beliefs
) -> tuple[Partition, float]:
    """Update the estimates by this period's noisy counts, and the expected change of the next period."""
    blocks = len(noisy)

    def by_block(values: Floats) -> Floats:
        return np.bincount(cut.of_cell, weights=values, minlength=blocks).astype(np.float64)

    positive = np.maximum(prior.count, 0.0)
    doubt = by_block(prior.variance) + noise_variance
    grown, uncertain = _fit_growth(prior, cut, noisy - by_block(prior.count), by_block(positive), doubt, beliefs)
    count = prior.count + positive * grown
    surprise = noisy - by_block(count)
    size = by_block(np.maximum(prior.count, 1.0))
    clear, learned = _learn_change(surprise, doubt, size, change, beliefs)
    if clear > change:  # a period that is clearly unlike the last is believed to be
        prior = predict_period(prior, clear - change)
        doubt = by_block(prior.variance) + noise_variance
    gain = prior.variance / doubt[cut.of_cell]
    believed = np.maximum(by_block(count) + (1.0 - noise_variance / doubt) * surprise, 0.0)
    variance = prior.variance * (1.0 - gain) + positive**2 * uncertain * (1.0 - gain) ** 2
    count = np.maximum(count + gain * surprise[cut.of_cell], 0.0)
    # A block's cells add up to what is believed of the block, although none is below 0.
    held = by_block(count)
    count = count * (believed / np.where(held > 0.0, held, 1.0))[cut.of_cell]
    return replace(prior, count=count, variance=variance), learned


def _learn_change(
    surprise: Floats, doubt: Floats, size: Floats, change: float, beliefs: Beliefs
) -> tuple[float, float]:
    """Change per record beyond chance in this period, and the expected change of the next."""
    whole = float(size.sum())
    seen = float((surprise**2 - doubt).sum()) / whole + change
    chance = float(np.sqrt(2.0 * (doubt**2).sum())) / whole
    least, most = beliefs.change_range
    clear = float(np.clip(seen - SURE * chance, least, most))
    usual = float(np.clip(seen, least, beliefs.most_learned))
    learned = (1.0 - beliefs.learning) * min(change, beliefs.most_learned) + beliefs.learning * usual
    return clear, max(learned, clear)


def _fit_growth(
    prior: Partition, cut: Cut, surprise: Floats, size: Floats, doubt: Floats, beliefs: Beliefs
) -> tuple[Floats, Floats]:
    """Fit the relative growth of each cell's root and its variance, by a small Bayesian regression."""
    root_of_cell = ancestors(prior, 0)
    root = np.zeros(len(size), np.int64)
    root[cut.of_cell] = root_of_cell
    roots = prior.roots**2
    weights = np.zeros((len(size), 1 + roots))
    weights[:, 0] = size
    weights[np.arange(len(size)), 1 + root] = size
    before = np.diag(np.concatenate([[beliefs.growth**-2.0], np.full(roots, beliefs.root_growth**-2.0)]))
    scaled = weights.T / doubt
    spread = np.linalg.inv(scaled @ weights + before)
    found = spread @ (scaled @ surprise)
    of_root = found[0] + found[1:]
    uncertain = spread[0, 0] + np.diag(spread)[1:] + 2.0 * spread[0, 1:]
    return of_root[root_of_cell], uncertain[root_of_cell]
