"""Synthetic releases around a release: other draws of its noise on its own counts. Post-processing.

Each measurement is drawn again around the consistent counts with its own variance; the cells stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.clustering import assign, match_centers, merge_points, solve_kmeans
from dpviz.domain import CellTree
from dpviz.domain.protected import MAX_PUBLISHED_POINTS, seed_from, to_raw_inside
from dpviz.errors import InputError, NotOffered
from dpviz.noise import replayable_source
from dpviz.questions import _kernels
from dpviz.questions.centers import cell_points
from dpviz.questions.noise_model import Floats, NoiseModel
from dpviz.releases.release import REDRAWN, Release
from dpviz.releases.request import checked_k

if TYPE_CHECKING:
    import pandas as pd


MOST_REDRAWS = 1000
_FINE = 1 << 53
_SEARCH = {"starts": 12, "repeats": 1, "swaps": 20}


def redraw(release: Release, n: int, *, k: int | None = None) -> list[Release]:
    """n synthetic releases around this one: what other draws of the noise would have shown. Post-processing.

    Ask all of them the same question to see whether a ranking or a plan survives the noise. They cannot be saved.
    """
    centers = release.request.k if k is None else checked_k(k)
    maps = [NoiseModel.of(one) for one in release.protected_ends or ()]
    found = []
    for at, cells in _draws(release, n):
        again = _one(release, cells, centers, at)
        if maps:
            first, second = (
                redrawn_cells(one, seed_from("redraw", release.id, at, end)) for end, one in enumerate(maps)
            )
            again = replace(again, protected_ends=(first, second))
        found.append(again)
    return found


def redrawn_centers(release: Release, n: Any, k: int) -> list[Floats]:
    """The raw centers of each of `redraw`, the same and nothing else of them: no coreset is merged for them."""
    return [_centers(release, *cell_points(cells), k, at)[0] for at, cells in _draws(release, n)]


def _draws(release: Release, n: Any) -> Iterator[tuple[int, CellTree]]:
    tree = release.protected_cells
    if tree is None:
        raise NotOffered(
            f"this release was made by {release.method} and holds no counted cells, so nothing tells how other draws "
            "would have come out.",
            method=release.method,
        )
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_REDRAWS:
        raise InputError(f"redraw({n!r}): give a whole number of synthetic releases, 1 to {MOST_REDRAWS}.")
    model = NoiseModel.of(tree)
    for at in range(int(n)):
        yield at, redrawn_cells(model, seed_from("redraw", release.id, at))


def redrawn_cells(model: NoiseModel, seed: int) -> CellTree:
    """The cells of another draw."""
    tree = model.tree
    truth = model.agreed(bool((tree.count >= 0.0).all()))
    known = model.precision > 0.0
    scale = np.sqrt(0.5 / np.maximum(model.precision, 1e-300))
    value = np.where(known, truth + scale * _laplace(len(truth), seed), 0.0)
    best, spread, children = _kernels.pooled(tree.parent, value, model.precision)
    again = replace(model, value=value, best=best, spread=spread, children=children)
    return replace(tree, count=again.agreed(bool((tree.count >= 0.0).all()))[tree.cell])


def _laplace(size: int, seed: int) -> Floats:
    """Laplace noise of scale 1."""
    half = (replayable_source(seed).integers(_FINE, size) + 0.5) / _FINE - 0.5
    return -np.sign(half) * np.log1p(-2.0 * np.abs(half))


def _centers(release: Release, points: Floats, weights: Floats, k: int, at: int) -> tuple[Floats, Floats]:
    """Raw centers and what they hold, heaviest first."""
    frame = release.frame
    low, high = np.zeros(frame.dims), frame.extent
    found = solve_kmeans(
        points, weights, k, seed=seed_from("redrawn", release.id, at, k), low=low, high=high, **_SEARCH
    )
    held = np.bincount(assign(points, found.centers), weights=weights, minlength=k).astype(np.float64)
    order = np.argsort(-held, kind="stable")
    return to_raw_inside(frame, found.centers[order]), held[order]


def _one(release: Release, cells: CellTree, k: int, at: int) -> Release:
    points, weights = cell_points(cells)
    centers, held = _centers(release, points, weights, k, at)
    merged, heavy = merge_points(points, weights, limit=MAX_PUBLISHED_POINTS)
    return replace(
        release,
        id=f"{release.id}~{at}",
        status=REDRAWN,
        raw_centers=centers,
        center_weights=held,
        raw_coreset=to_raw_inside(release.frame, merged),
        coreset_weights=heavy,
        coreset_variances=None,
        protected_cells=cells,
        loaded_files=None,
        _answers={},
        _kept={},
    )


def center_table(release: Release, redraws: int = 20) -> pd.DataFrame:
    """The centers with their 90 % radii, and how often each stayed where it is when the noise was drawn again.

    A center stayed where its partner in the redrawn clustering is nearer to it than half the way to its next neighbour.
    """
    centers = release.protected_centers.positions
    apart = np.linalg.norm(centers[:, None, :] - centers[None, :, :], axis=2)
    np.fill_diagonal(apart, np.inf)
    reach = apart.min(axis=1) / 2.0 if len(centers) > 1 else np.full(1, release.frame.diameter)
    moved = np.full((redraws, len(centers)), np.inf)
    for row, other in enumerate(redraw(release, redraws, k=len(centers))):
        found = other.protected_centers.positions
        for own, partner in match_centers(centers, found):
            moved[row, own] = float(np.linalg.norm(centers[own] - found[partner]))
    unit = "m" if release.frame.metric == "m" else "units"
    table = release.centers
    radii = release.constants.get("center_radii_90")
    if isinstance(radii, list | tuple) and len(radii) == len(table):
        table[f"radius_90_{unit}"] = np.array(radii, np.float64)
    table["stayed"] = (moved <= reach).mean(axis=0)
    table[f"moved_90_{unit}"] = np.quantile(np.minimum(moved, release.frame.diameter), 0.9, axis=0)
    return table
