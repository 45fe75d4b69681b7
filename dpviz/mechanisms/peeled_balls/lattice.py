"""peeled_balls above two dimensions: balls are public boxes on shifted grids, removal is exact on a fine lattice.

Every rung of the ladder cuts each axis into `cuts` parts and has d + 1 placements of the boxes, each shifted by 1/(d+1)
of a box, so that a small ball lies well inside some box (Chan 1998). All boxes are candidates, occupied or not.
Steps [P3] to [P6] of docs/proofs/peeled_balls.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Frame
from dpviz.mechanisms.peeled_balls._block_kernels import clipped_moments, count_boxes, squared_distances
from dpviz.mechanisms.peeled_balls.schedule import Spending, measure_parts, merge_balls
from dpviz.noise import NoiseSource, Question, Sampler
from dpviz.noise.exponentials import selection_rate
from dpviz.noise.laws import ExponentialLaw

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CUTS = (1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64)  # parts of each axis, a public ladder
MOST_BOXES = 2**21  # of one placement
CELLS = 2**16  # lattice cells along each axis, for removal and refinement
METRIC_STEPS = 2**9  # whole steps of half a lattice cell of the longest axis
REACH_RADII = 2.0  # utility only: records are clipped to this many ball radii in the refinement
SPREAD_SHARE = 0.5  # utility only: how far a part's mean is expected from the ball's center, in ball radii


def ladder_of_cuts(dims: int) -> tuple[int, ...]:
    """The rungs, smallest boxes first."""
    return tuple(cuts for cuts in reversed(CUTS) if (cuts + 1) ** dims <= MOST_BOXES)


class LatticePeeler:
    """Exact state of one run, used nowhere else."""

    def __init__(self, frame: Frame, exact_cube: Floats) -> None:
        self.dims = frame.dims
        self.cuts = ladder_of_cuts(self.dims)
        self.steps = np.maximum(1, np.rint(METRIC_STEPS * frame.extent / frame.extent.max())).astype(np.int64)
        self.cube = np.ascontiguousarray(exact_cube)
        self.lattice = on_lattice(self.cube)
        self.shifts = np.arange(self.dims + 1) / (self.dims + 1)
        self.tables = [
            np.zeros((self.dims + 1, (cuts + 1) ** self.dims), np.int32 if len(exact_cube) < 2**31 else np.int64)
            for cuts in self.cuts
        ]
        self._count(self.cube, 1)

    def _count(self, cube: Floats, step: int) -> None:
        for cuts, table in zip(self.cuts, self.tables, strict=True):
            for shift, boxes in zip(self.shifts, table, strict=True):
                count_boxes(cube, cuts, shift, step, boxes)

    def exact_largest(self) -> Integers:
        """M of every rung: the largest count of a box."""
        return np.array([int(table.max()) for table in self.tables], np.int64)

    def exact_scores(self, rung: int, weight: int) -> Integers:
        """min(count, weight) of every box of every placement."""
        counts = self.tables[rung].ravel()
        return np.minimum(counts, min(weight, int(np.iinfo(counts.dtype).max))).astype(np.int64)

    def center(self, rung: int, index: int) -> Integers:
        """Middle of a box in half cells of the lattice, inside the box of the data; public."""
        cuts = self.cuts[rung]
        placement, flat = divmod(index, (cuts + 1) ** self.dims)
        box = np.array(np.unravel_index(flat, (cuts + 1,) * self.dims), np.float64)
        middle = (box + 0.5 - self.shifts[placement]) / cuts
        halves: Integers = np.rint(np.clip(middle, 0.0, 1.0) * 2 * CELLS).astype(np.int64)
        return halves

    def remove(self, center: Integers, weight: int) -> None:
        """[P5] Exactly the `weight` nearest by (squared distance, coordinates), or all that are left."""
        if weight >= len(self.cube):
            taken = np.ones(len(self.cube), np.bool_)
        else:
            distance = np.empty(len(self.cube), np.int64)
            squared_distances(self.lattice, center, self.steps, distance)
            threshold = np.partition(distance, weight - 1)[weight - 1] if weight else -1
            taken = distance < threshold
            ties = np.flatnonzero(distance == threshold)
            order = np.lexsort(self.cube[ties].T[::-1])
            taken[ties[order[: weight - int(taken.sum())]]] = True
        self._count(self.cube[taken], -1)
        self.cube, self.lattice = self.cube[~taken], self.lattice[~taken]


def on_lattice(exact_cube: Floats) -> NDArray[np.int32]:
    """The fine lattice cell of every record, (n, d)."""
    return np.minimum((exact_cube * CELLS).astype(np.int32), CELLS - 1)


def peel_boxes(
    state: LatticePeeler, weights: list[int], spend: Spending, relation: Adjacency, noise: NoiseSource
) -> tuple[Integers, Floats]:
    """Run the rounds: ball centers in half cells of the lattice (T, d), and radii as parts of an axis (T,)."""
    monotone = relation is Adjacency.ADD_REMOVE_ONE
    centers, radii = [], []
    for weight in weights:
        largest = state.exact_largest()
        below = np.concatenate([[0], largest[:-1]])
        scores = np.minimum(weight - below, largest - weight)
        rung = noise.select(scores, epsilon=spend.radius_epsilon, sensitivity=1.0)  # [P3]
        scores = state.exact_scores(rung, weight)
        box = BoxChoice(scores=scores, epsilon=spend.center_epsilon, monotone=monotone)  # [P4] groups of equal scores
        center = state.center(rung, noise.decide(box))
        state.remove(center, weight)
        centers.append(center)
        radii.append(0.5 / state.cuts[rung])
    return np.array(centers, np.int64), np.array(radii)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoxChoice:
    """[P4] The choice of a box by its score; boxes of equal score are sampled as a group."""

    scores: Integers
    epsilon: float
    monotone: bool

    @property
    def question(self) -> Question:
        """The query: all boxes of a rung are candidates, occupied or not."""
        return Question(
            kind="box", epsilon=self.epsilon, sensitivity=1.0, monotone=self.monotone, public=(len(self.scores),)
        )

    def sample(self, noise: Sampler) -> int:
        """Sample a group, then a box of it."""
        groups = np.bincount(self.scores)
        present = np.flatnonzero(groups)
        values = present.astype(np.int64)
        chosen = noise.select(
            values, epsilon=self.epsilon, sensitivity=1.0, monotone=self.monotone, multiplicity=groups[present]
        )
        members = np.flatnonzero(self.scores == present[chosen])
        return int(members[noise.integers(len(members), 1)[0]])

    def exact_law(self) -> ExponentialLaw:
        """The law over all boxes."""
        occupied = np.flatnonzero(self.scores)
        return ExponentialLaw(
            rate=selection_rate(self.epsilon, monotone=self.monotone),
            candidates=len(self.scores),
            listed=occupied,
            scores=self.scores[occupied],
        )


def refine_boxes(
    frame: Frame,
    exact_cube: Floats,
    centers: Integers,
    radii: Floats,
    weights: Floats,
    spend: Spending,
    relation: Adjacency,
    noise: NoiseSource,
) -> tuple[Floats, Floats, Floats]:
    """[P6] [P7] in any number of dimensions, each record clipped to a public box around its part's anchor."""
    positions, radii, weights = merge_balls(centers.astype(np.float64), radii, weights)
    middles = positions.astype(np.int64)
    anchors = np.clip(middles // 2, 0, CELLS - 1)
    reach = np.repeat(np.minimum(CELLS, np.ceil(REACH_RADII * radii * CELLS)).astype(np.int64)[:, None], frame.dims, 1)
    steps = np.maximum(1, np.rint(METRIC_STEPS * frame.extent / frame.extent.max())).astype(np.int64)
    exact = np.zeros((len(middles), frame.dims + 1), np.int64)
    clipped_moments(on_lattice(exact_cube), middles, steps, anchors, reach, exact)
    noisy_counts, noisy_sums, scales, lengths = measure_parts(exact, reach, spend, relation, noise)
    size = np.maximum(noisy_counts, np.maximum(weights * 0.1, 1.0))
    cell = frame.extent / CELLS
    mean = (anchors + 0.5 + noisy_sums / size[:, None]) * cell
    local = positions / 2 * cell
    spread = (SPREAD_SHARE * radii * frame.extent.max()) ** 2
    trust = spread / (spread + (scales / size * cell.max()) ** 2)
    placed: Floats = np.clip(local + trust[:, None] * (mean - local), 0.0, frame.extent)
    return placed, np.maximum(noisy_counts, 0.0), np.square(scales / lengths)
