"""The exact error of a release: its centers beside non-private ones. For the curator only."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.clustering import KMeansResult, cost, kmeans_on_grid, match_centers, solve_kmeans
from dpviz.domain import Centers, ExactCounts, ExactPoints
from dpviz.domain._exact import Exact
from dpviz.errors import FrameMismatch
from dpviz.mechanisms.exact_view import weighted_local

if TYPE_CHECKING:
    from dpviz.releases.release import Release

REFERENCE_SEED = 0  # the non-private reference is the same for everybody


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Evaluation(Exact):
    """Exact quality of one release. Refuses pickle; `to_dict` is the curator's way out and says so."""

    relative_error: float  # cost of the private centers / cost of the reference − 1
    shift_m: float  # mean distance of matched centers, weighted by the reference's cluster sizes; metres on maps
    exact_centers: pd.DataFrame
    pairs: tuple[tuple[int, int], ...]  # (row of the private centers, row of the exact centers)
    pair_shifts_m: tuple[float, ...]
    coreset_size: int
    exact_cost: float
    private_cost: float
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Exact numbers as plain data, for the curator."""
        told = ("relative_error", "shift_m", "pair_shifts_m", "coreset_size", "exact_cost", "private_cost")
        facts = {name: getattr(self, name) for name in told} | {"pair_shifts_m": list(self.pair_shifts_m)}
        centers = self.exact_centers.to_dict(orient="records")
        return {"exact": True, **facts, "exact_centers": centers, "seconds": self.seconds}

    def __repr__(self) -> str:
        return "<Evaluation: exact, curator only>"


def exact_reference(data: ExactCounts | ExactPoints, k: int) -> KMeansResult:
    """Non-private k-means, good enough to be the yardstick; deterministic. Largest cluster first."""
    if isinstance(data, ExactCounts):
        grid = data.grid
        found = kmeans_on_grid(
            data.exact_cells, k, cell_width=grid.cell_width, cell_height=grid.cell_height, seed=REFERENCE_SEED
        )
    else:
        positions, weights = weighted_local(data)
        found = solve_kmeans(positions, weights.astype(np.float64), k, seed=REFERENCE_SEED)
    order = np.argsort(-found.weights, kind="stable")
    return KMeansResult(centers=found.centers[order], weights=found.weights[order], cost=found.cost)


def evaluate(data: ExactCounts | ExactPoints, release: Release, *, reference: KMeansResult | None = None) -> Evaluation:
    """Exact error and shift of a release's centers on the data it was made from (or on any data in the same box)."""
    started = time.perf_counter()
    frame = data.grid.frame if isinstance(data, ExactCounts) else data.frame
    if frame != release.frame:
        raise FrameMismatch("the release and the data have different boxes; evaluate on the box of the release.")
    if data.unit.records != release.guarantee.unit.records:
        raise FrameMismatch(
            f"the release protects {release.guarantee.unit}, and the data were read for {data.unit}: its error would "
            "be measured on other records. Read them as they were read for the release (person=…, cap=…)."
        )
    private = release.protected_centers
    if reference is None:
        reference = exact_reference(data, len(private))
    private_cost = exact_cost_of(data, private.positions)
    pairs = match_centers(private.positions, reference.centers)
    shifts = [float(np.linalg.norm(private.positions[i] - reference.centers[j])) for i, j in pairs]
    sizes = np.array([reference.weights[j] for _, j in pairs])
    coreset = release.protected_coreset
    return Evaluation(
        relative_error=_relative(private_cost, reference.cost),
        shift_m=float(np.average(shifts, weights=sizes)) if sizes.sum() > 0 else float(np.mean(shifts)),
        exact_centers=Centers(frame=frame, positions=reference.centers, weights=reference.weights).to_frame(),
        pairs=tuple((int(i), int(j)) for i, j in pairs),
        pair_shifts_m=tuple(shifts),
        coreset_size=0 if coreset is None else len(coreset),
        exact_cost=reference.cost,
        private_cost=private_cost,
        seconds=time.perf_counter() - started,
    )


def exact_cost_of(data: ExactCounts | ExactPoints, centers: NDArray[np.float64]) -> float:
    """Exact k-means cost of any centers in local coordinates."""
    positions, weights = weighted_local(data)
    return float(cost(positions, weights.astype(np.float64), centers))


def _relative(private: float, exact: float) -> float:
    if exact > 0:
        return private / exact - 1
    return 0.0 if private <= 0 else float("inf")
