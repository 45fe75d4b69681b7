"""The public schedule of a run (rounds, weights, budgets), and noisy sums of the records nearest to each center.

Refinement: [P6] [P7] of docs/proofs/peeled_balls.md.

Above two dimensions balls are public boxes on shifted grids, and removal is exact on a fine lattice ([P3] to [P6]).
Every rung of the ladder cuts each axis into `cuts` parts and has d + 1 placements of the boxes, each shifted by 1/(d+1)
of a box, so that a small ball lies well inside some box (Chan 1998). All boxes are candidates, occupied or not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Frame, Grid
from dpviz.mechanisms.peeled_balls._block_kernels import clipped_moments, count_boxes, part_moments, squared_distances
from dpviz.mechanisms.peeled_balls.engine import BlockSums, Integers
from dpviz.noise import ExponentialLaw, NoiseSource, Question, Sampler, selection_rate
from dpviz.privacy import Budget, noise_scale, rho_within, scale_of_gaussian

RADIUS_SHARE = 0.25  # privacy-bearing: of a round's selections (squared in zCDP, plain in basic composition)
REFINE_SHARE = 0.25  # privacy-bearing: what the last noisy sums and counts get of ρ (of ε in basic composition)
LEAST_LEFT = 0.0002  # utility only: never peel below this share of the records
ENOUGH_LEFT = 0.005  # utility only: below this share a round costs time and gains next to nothing once refined …
SLOWER = 4  # utility only: … so only one in so many is run, enough that a coreset still shrinks from level to level
LEAST_SIGNAL = 12.0  # utility only: a ball is worth peeling while its weight times the center's ε is above this
LEAST_ROUNDS_PER_CLUSTER = 1.0  # utility only: fewer rounds than this cannot tell k clusters apart


@dataclass(frozen=True, kw_only=True)
class Spending:
    """Budgets of one selection and of the refinement. `rho` is None under basic composition."""

    accounting: str
    radius_epsilon: float
    center_epsilon: float
    refine_epsilon: float
    refine_rho: float | None


def peeled_weights(total: int, k: int, rounds: int) -> list[int]:
    """w_i = ⌈3 n_i / (8k)⌉, n_(i+1) = n_i − w_i."""
    weights, left = [], total
    for _ in range(rounds):
        weight = -(-3 * left // (8 * k))
        weights.append(weight)
        left -= weight
    return weights


def spending(budget: Budget, rounds: int) -> Spending:
    """The cheaper of basic composition and zCDP for 2·rounds selections and one refinement."""
    plain = budget.epsilon * (1 - REFINE_SHARE) / rounds * (1 - 1e-12)
    basic = Spending(
        accounting="basic",
        radius_epsilon=plain * RADIUS_SHARE,
        center_epsilon=plain * (1 - RADIUS_SHARE),
        refine_epsilon=budget.epsilon * REFINE_SHARE,
        refine_rho=None,
    )
    if budget.delta == 0:
        return basic
    rho = whole_rho(budget)
    per_round = rho * (1 - REFINE_SHARE) / rounds
    radius = math.sqrt(8 * per_round * RADIUS_SHARE)
    center = math.sqrt(8 * per_round * (1 - RADIUS_SHARE))
    if center <= basic.center_epsilon:
        return basic
    return Spending(
        accounting="zcdp",
        radius_epsilon=radius,
        center_epsilon=center,
        refine_epsilon=0.0,
        refine_rho=rho * REFINE_SHARE,
    )


@lru_cache(maxsize=256)
def whole_rho(budget: Budget) -> float:
    """The ρ of a budget."""
    return rho_within(budget) * (1 - 1e-9)


def useful_rounds(total: int, k: int, budget: Budget) -> int:
    """The largest number of rounds whose last ball stands out of the noise; 0 if there are too few.

    Of the rounds that would leave less than ENOUGH_LEFT, one in SLOWER is run.
    """
    most = rounds_to_leave(k, LEAST_LEFT)
    least = max(1, math.ceil(LEAST_ROUNDS_PER_CLUSTER * k))

    def useful(rounds: int) -> bool:
        return peeled_weights(total, k, rounds)[-1] * spending(budget, rounds).center_epsilon >= LEAST_SIGNAL

    if not useful(least):
        return 0
    low, high = least, max(least, most)
    while low < high:  # usefulness falls with the number of rounds
        middle = (low + high + 1) // 2
        low, high = (middle, high) if useful(middle) else (low, middle - 1)
    enough = max(least, rounds_to_leave(k, ENOUGH_LEFT))
    return low if low <= enough else enough + (low - enough) // SLOWER


def rounds_to_leave(k: int, left: float) -> int:
    """Rounds after which at most this share of the records is left."""
    return max(1, math.ceil(math.log(left) / math.log1p(-min(3 / (8 * k), 0.999))))


Floats = NDArray[np.float64]


def measure_parts(
    exact: Integers, reach: Integers, spend: Spending, relation: Adjacency, noise: NoiseSource
) -> tuple[Floats, Floats, Floats, Integers]:
    """[P6] Add noise to counts and sums of offsets (parts, 1 + d), each offset at most `reach` (parts, d).

    Return noisy counts (parts,), noisy sums (parts, d), the noise's standard deviation on the sums (parts,) and the
    lengths R_j (parts,) by which the counts are weighed.
    """
    parts, width = exact.shape
    lengths = np.array([max(1, rounded_up_root(sum(int(x) ** 2 for x in row))) for row in reach], np.int64)
    noisy = np.empty((parts, width))
    scales = np.empty(parts)
    add_remove = relation is Adjacency.ADD_REMOVE_ONE
    for part in range(parts):
        vector = exact[part].copy()
        vector[:1] *= lengths[part]  # an array, which wraps round in silence
        if spend.refine_rho is not None:
            scale = scale_of_gaussian((math.sqrt(2.0) if add_remove else 2.0) * float(lengths[part]), spend.refine_rho)
            noisy[part] = noise.add_gaussian(vector, scale)
            scales[part] = scale
        else:
            once = float(lengths[part] + reach[part].sum())
            scale = noise_scale(once if add_remove else 2 * once, spend.refine_epsilon)
            noisy[part] = noise.add_laplace(vector, scale)
            scales[part] = scale * math.sqrt(2.0)
    return noisy[:, 0] / lengths, noisy[:, 1:], scales, lengths


def rounded_up_root(square: int) -> int:
    """⌈√square⌉ in whole numbers."""
    return math.isqrt(square - 1) + 1 if square > 0 else 0


SPREAD_SHARE = 0.5  # utility only: how far a part's mean is expected from the ball's center, in ball radii


def refine_points(
    exact_sums: BlockSums,
    grid: Grid,
    positions: NDArray[np.float64],
    radii: NDArray[np.float64],
    weights: NDArray[np.float64],
    spend: Spending,
    relation: Adjacency,
    noise: NoiseSource,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """[P6] [P7] Merge equal centers, measure every part, move and weigh the points: positions, weights, variances."""
    positions, radii, weights = merge_balls(positions, radii, weights)
    anchors = np.column_stack(  # column and row of each center, whole numbers, public once the centers are
        [np.floor(positions[:, 0] / grid.cell_width), np.floor(grid.side - positions[:, 1] / grid.cell_height)]
    ).astype(np.int64)
    anchors = np.clip(anchors, 0, grid.side - 1)
    exact, extents = exact_parts(exact_sums, positions, grid)  # every part, empty or not
    reach = reach_of(extents, anchors)
    exact[:, 1:] -= exact[:, :1] * anchors
    noisy_counts, noisy_sums, scales, lengths = measure_parts(exact, reach, spend, relation, noise)
    placed = move_points(positions, radii, weights, noisy_counts, noisy_sums, anchors, scales, grid)
    return placed, np.maximum(noisy_counts, 0.0), np.square(scales / lengths)


def merge_balls(
    positions: NDArray[np.float64], radii: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Merge balls with equal centers, adding their weights."""
    unique, inverse = np.unique(np.round(positions, 6), axis=0, return_inverse=True)
    inverse = inverse.ravel()
    summed = np.bincount(inverse, weights, minlength=len(unique)).astype(np.float64)
    largest = np.zeros(len(unique))
    np.maximum.at(largest, inverse, radii)
    return unique, largest, summed


def exact_parts(
    exact_sums: BlockSums, positions: NDArray[np.float64], grid: Grid
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(Σ n, Σ n·column, Σ n·row) of the cells of each part, (parts, 3), and the public extents of the parts.

    The extents follow from the positions alone, by the very cuts that assign the cells, so that no rounding of a
    distance can put a cell outside of them.
    """
    extents, moments = np.empty((len(positions), 4), np.int64), np.zeros((len(positions), 3), np.int64)
    sums = (exact_sums.exact_held, exact_sums.exact_east, exact_sums.exact_south)
    # Columns from the west and rows from the north; a step of one row counts `stretch`, squared.
    centers = np.column_stack([positions[:, 0] / grid.cell_width, grid.side - positions[:, 1] / grid.cell_height])
    stretch = (grid.cell_height / grid.cell_width) ** 2
    order = np.argsort(centers[:, 0], kind="stable")
    part_moments(exact_sums.exact_cells, exact_sums.base, *sums, centers, order, stretch, extents, moments)
    return moments, extents


def reach_of(extents: NDArray[np.int64], anchors: NDArray[np.int64]) -> NDArray[np.int64]:
    """The largest |column − anchor| and |row − anchor| inside each part, (parts, 2); 0 for a part without a cell."""
    first, last = extents[:, (0, 2)], extents[:, (1, 3)]
    return np.where(last >= first, np.maximum(np.abs(first - anchors), np.abs(last - anchors)), 0)


def move_points(
    positions: NDArray[np.float64],
    radii: NDArray[np.float64],
    weights: NDArray[np.float64],
    noisy_counts: NDArray[np.float64],
    noisy_sums: NDArray[np.float64],
    anchors: NDArray[np.int64],
    scales: NDArray[np.float64],
    grid: Grid,
) -> NDArray[np.float64]:
    """Post-processing: shrink each point's move towards the noisy mean of its part."""
    size = np.maximum(noisy_counts, np.maximum(weights * 0.1, 1.0))
    cell = np.array([grid.cell_width, grid.cell_height])
    mean_cells = anchors + 0.5 + noisy_sums / size[:, None]
    mean = np.column_stack([mean_cells[:, 0] * cell[0], grid.frame.extent[1] - mean_cells[:, 1] * cell[1]])
    spread = (SPREAD_SHARE * radii) ** 2
    uncertain = (scales / size * cell.max()) ** 2
    trust = spread / (spread + uncertain)
    found: NDArray[np.float64] = np.clip(positions + trust[:, None] * (mean - positions), 0.0, grid.frame.extent)
    return found


CUTS = (1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64)  # parts of each axis, a public ladder
MOST_BOXES = 2**21  # of one placement
CELLS = 2**16  # lattice cells along each axis, for removal and refinement
METRIC_STEPS = 2**9  # whole steps of half a lattice cell of the longest axis
REACH_RADII = 2.0  # utility only: records are clipped to this many ball radii in the refinement


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
