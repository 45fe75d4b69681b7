"""How far records are from the nearest of some sites, and how many each site serves, with ranges. Post-processing.

Each cell is looked at in several places: the mean of their distances is what the cell adds, how much they differ is
what is not known, because where records lie inside a cell was never measured. The noise of the average is that of
Σ count · (distance − average), which has the exact variance of any question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpviz.clustering import assign
from dpviz.errors import NotOffered
from dpviz.questions.answers import NINETY, TOO_COARSE, Asked, Estimate, is_coarse, range_table
from dpviz.questions.noise_model import Floats, border_variance

if TYPE_CHECKING:
    import pandas as pd

LOOKS = 4  # places per axis in a cell
# The variance of a cell's mean in units of ρ times the variance of its places: halves of halves vary alike.
MEAN_OF_PLACES = 1.5
WIDER = 1.2  # without it ranges held in 84 of 100 cases; chosen on one half of the sets of dpviz_research/coverage.py
COARSE_SHARE = 0.5  # an average whose cells leave it so uncertain, as a share of itself, is not told


def average_distance(asked: Asked, sites: Floats) -> Estimate:
    """The average distance of all records to the nearest site; `sites` in local units, (m, 2)."""
    tree, frame = asked.tree, asked.tree.frame
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    # Counts that are kept from going below zero would put records on empty ground, far from every site.
    count = asked.model.agreed(floor=False)[tree.cell]
    total = float(count.sum())
    if total <= 0.0:
        raise NotOffered("this release holds no records by its own counts, so there is no distance to tell.")
    middle, differ = _of_cells(low, high, sites)
    average = max(float(middle @ count) / total, 0.0)
    every = np.arange(len(tree))
    noise = float(asked.model.variances(np.array([0, len(tree)]), every, middle - average)[0][0])
    cut = _inside(asked, differ)
    inside = asked.model_factor * float(border_variance(np.zeros(len(cut), np.int64), cut, 1, asked.stacked)[0])
    reach = WIDER * NINETY * float(np.sqrt(noise + inside)) / total
    coarse = NINETY * float(np.sqrt(inside)) / total > COARSE_SHARE * average
    return Estimate(
        area=f"{len(sites)} sites" if len(sites) > 1 else "1 site",
        estimate=average,
        low=max(average - reach, 0.0),
        high=average + reach,
        note=TOO_COARSE if coarse else "",
    )


def served(asked: Asked, sites: Floats) -> pd.DataFrame:
    """How many records each site is the nearest one of: site, estimate, low, high, note; `sites` in local units."""
    tree, frame, many = asked.tree, asked.tree.frame, len(sites)
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    places = _places(low, high)
    number = np.arange(len(tree))[:, None] + assign(places.reshape(-1, 2), sites).reshape(len(tree), -1) * len(tree)
    keys, times = np.unique(number, return_counts=True)
    site, cell = np.divmod(keys, len(tree))
    share = times / LOOKS**2
    starts = np.searchsorted(site, np.arange(many + 1)).astype(np.int64)
    estimate = np.maximum(np.bincount(site, weights=share * tree.count[cell], minlength=many), 0.0)
    noise, _ = asked.model.variances(starts, cell, share)
    at, cut = asked.cut_ground(site, cell, share)
    inside = asked.model_factor * border_variance(at, cut, many, asked.stacked)
    return range_table(
        {"site": np.arange(1, many + 1)}, estimate, NINETY * np.sqrt(noise + inside), is_coarse(estimate, inside)
    )


def _places(low: Floats, high: Floats) -> Floats:
    """Places in each cell, (cells, LOOKS², 2)."""
    inside = (np.indices((LOOKS, LOOKS)).reshape(2, -1).T + 0.5) / LOOKS
    return low[:, None, :] + inside[None, :, :] * (high - low)[:, None, :]


def _of_cells(low: Floats, high: Floats, sites: Floats) -> tuple[Floats, Floats]:
    """The mean distance of each cell's places to the nearest site, and the variance of these distances."""
    places = _places(low, high)
    nearest = np.full(places.shape[:2], np.inf)
    for site in sites:
        np.minimum(nearest, np.linalg.norm(places - site, axis=2), out=nearest)
    return nearest.mean(axis=1), nearest.var(axis=1)


def _inside(asked: Asked, differ: Floats) -> Floats:
    """What each piece of ground leaves unknown; cells on the same ground are unknown together."""
    held, rho = np.maximum(asked.tree.count, 0.0), asked.rho
    if asked.stacked:
        at = asked.ground
        times = np.bincount(at).astype(np.float64)
        held = np.bincount(at, weights=held)
        rho, differ = np.bincount(at, weights=rho) / times, np.bincount(at, weights=differ) / times
    found: Floats = MEAN_OF_PLACES * rho * held**2 * differ + held * differ
    return found
