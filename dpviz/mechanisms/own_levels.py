"""own_levels: one release of records that each chose how much may be told about them.

Releases: a coreset and centers of all records alike; cells and a noisy number of records; counts by level.
Paper: the promise is that of Jorgensen, Yu, Cormode 2015 (personalised differential privacy); the mechanism is ours.
Guarantee: pure. A record (or person) of level ε is protected with min(ε, the ε of the request), whatever others chose.
Public inputs: the levels, the cap, and those of adaptive_tree under ADD_REMOVE_ONE.
Exact inputs: counts of cells by level.
Departures: none from a paper.
Proof: docs/proofs/own_levels.md.
"""

from __future__ import annotations

import dataclasses
import heapq
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign, cost
from dpviz.domain import Adjacency, CellTree, ExactCounts, Frame, Unit
from dpviz.domain.counts import LevelCounts
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree.budget import floor_float, scale_for
from dpviz.mechanisms.adaptive_tree.growth import laplace_variance
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, AdaptiveTree, assemble_answer, search_centers
from dpviz.mechanisms.adaptive_tree.residual import Synopsis
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, Plan, Public, Purpose, check_request
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
COUNTS = "counts by level"
COUNTS_SHARE = Fraction(15, 100)  # of everybody's ε, for counts by level; utility only, as all below
WHOLE_SHARE = Fraction(1, 4)  # of that, for the counts of the whole box
STEPS = 20  # units of the strictest level, at least
MOST_BLOCKS = 256  # counted by level
FINEST_BLOCKS = 64  # blocks a side of the box, at most
REACHES = (0.03, 0.1, 0.3)  # of the box: how far levels that depend on the place stay alike
SPREADS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)  # how much the share of a level differs from place to place
PENALTY = 3.0  # what the likelihood of a map with levels that depend on the place must gain
WILD = 25.0  # squared standard deviations that count, at most
BETTER = 0.001  # a search anew must cost so much less than the centers that were there
MOST_STEPS = 100
CLOSE = 1e-7  # of the box: centers that move less have arrived


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """How many units a record of each level counts; `most` are those of the request's whole ε."""

    epsilons: tuple[Fraction, ...]  # [P1] min(ε_ℓ, c)
    ceiling: Fraction

    @classmethod
    def of(cls, levels: tuple[float, ...], ceiling: float) -> Stretch:
        """[P1] Nobody is told more sharply than the ceiling."""
        whole = Fraction(ceiling)
        return cls(epsilons=tuple(min(Fraction(level), whole) for level in levels), ceiling=whole)

    @cached_property
    def most(self) -> int:
        return STEPS * ceil(self.ceiling / min(self.epsilons))

    @cached_property
    def units(self) -> tuple[int, ...]:
        """[P2] Whole units, rounded down: a record's part of the largest number is at most its part of the ceiling."""
        return tuple(floor(self.most * epsilon / self.ceiling) for epsilon in self.epsilons)

    def unit(self, protected: Unit) -> Unit:
        """The unit of protection of the stretched counts: a record, or a person, of the largest weight."""
        return Unit(
            person_column=protected.person_column,
            cap=protected.cap,
            weight_column=protected.level_column,
            weight_bound=self.most,
        )


class OwnLevelsTree:
    """adaptive_tree on records that count as much as they allow, brought back to true counts."""

    def __init__(self, base: AdaptiveTree = ADAPTIVE_TREE) -> None:
        self.base = base
        self.info: MethodInfo = dataclasses.replace(
            base.info,
            name="own_levels",
            title="Everybody's own level",
            summary="Counts each record as sharply as it allows, then brings all back to the same weight.",
            adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE}),
            dims=(2, 2),
            takes="counts",
            proof="own_levels",
            vetted=False,
            own_levels=True,
        )

    def made_for(self, purpose: Purpose) -> OwnLevelsTree:
        """Copy the method with its budget divided for another purpose."""
        return OwnLevelsTree(self.base.made_for(purpose))

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        if not public.unit.levels:
            raise InputError("own_levels needs a column of levels: read the records with level='choice'.")
        if budget.epsilon > public.unit.levels[0]:
            raise InputError(
                f"epsilon={budget.epsilon:g}: no record may be told with more than {public.unit.levels[0]:g}; give at "
                "most that.",
                epsilon=budget.epsilon,
            )
        return self._plan(public, k, budget, self._base_plan(public, k, budget))

    def _plan(self, public: Public, k: int, budget: Budget, planned: Plan) -> Plan:
        counting = Charge(name=COUNTS, epsilon=floor_float(Fraction(budget.epsilon) * COUNTS_SHARE))
        stretch = Stretch.of(public.unit.levels, budget.epsilon)
        return Plan(
            method=self.info.name,
            k=k,
            budget=budget,
            charges=(*planned.charges, counting),
            constants={**planned.constants, "units": stretch.units, "counts_share": float(COUNTS_SHARE)},
        )

    def _base_plan(self, public: Public, k: int, budget: Budget) -> Plan:
        """[P3] The tree gets the rest of the ceiling, for a unit of the largest weight."""
        stretch = Stretch.of(public.unit.levels, budget.epsilon)
        inner = dataclasses.replace(public, unit=stretch.unit(public.unit))
        rest = Budget(epsilon=floor_float(stretch.ceiling * (1 - COUNTS_SHARE)))
        return self.base.plan(inner, k=k, budget=rest)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        assert isinstance(data, LevelCounts)
        public = Public.of(data)
        stretch = Stretch.of(public.unit.levels, plan.budget.epsilon)
        found = self.base.run(stretched(data, stretch), self._base_plan(public, plan.k, plan.budget), noise)  # [P3]
        blocks = choose_blocks(found, data.grid.side)  # [P4]
        charge = Fraction(plan.charges[-1].epsilon) / public.unit.records
        spends = [charge * epsilon / stretch.ceiling for epsilon in stretch.epsilons]  # [P5]
        whole = count_levels(data, Blocks.whole(), [spend * WHOLE_SHARE for spend in spends], noise)
        local = count_levels(data, blocks, [spend * (1 - WHOLE_SHARE) for spend in spends], noise)
        return undo(found, blocks, whole, local, np.asarray(stretch.units, np.float64), plan)  # [P6]


OWN_LEVELS = OwnLevelsTree()


def stretched(data: LevelCounts, stretch: Stretch) -> ExactCounts:
    """[P3] Each record counts as many units as its level has."""
    cells = np.tensordot(np.asarray(stretch.units, np.int64), data.exact_by_level, axes=1)
    return ExactCounts(data.grid, cells, unit=stretch.unit(data.unit))


@dataclass(frozen=True, kw_only=True, eq=False)
class Blocks:
    """Disjoint squares that cover the box: `side` of the grid of squares that each belongs to, row and column in it."""

    side: Integers
    row: Integers
    column: Integers

    def __len__(self) -> int:
        return len(self.side)

    @classmethod
    def whole(cls) -> Blocks:
        none = np.zeros(1, np.int64)
        return cls(side=none + 1, row=none, column=none)

    def labels(self, side: int) -> Integers:
        """The block of every square of a finer grid, (side, side)."""
        found = np.zeros((side, side), np.int64)
        for at, (size, row, column) in enumerate(zip(self.side, self.row, self.column, strict=True)):
            step = side // size
            found[row * step : (row + 1) * step, column * step : (column + 1) * step] = at
        return found


@dataclass(frozen=True, kw_only=True)
class LevelNumbers:
    """Noisy counts by level, (levels, blocks), and the variance of each level's noise."""

    values: Floats
    variances: Floats


def count_levels(data: LevelCounts, blocks: Blocks, spends: list[Fraction], noise: NoiseSource) -> LevelNumbers:
    """[P5] Count each level's records in every block, with noise for what the level allows."""
    side = int(blocks.side.max())
    step = data.grid.side // side
    exact = data.exact_by_level.reshape(-1, side, step, side, step).sum(axis=(2, 4)).reshape(-1, side * side)
    labels = blocks.labels(side).ravel()
    values, variances = [], []
    for counts, spend in zip(exact, spends, strict=True):
        inside = np.zeros(len(blocks), np.int64)
        np.add.at(inside, labels, counts)
        scale = scale_for(spend)
        values.append(noise.add_laplace(inside, scale).astype(np.float64))
        variances.append(laplace_variance(scale))
    return LevelNumbers(values=np.array(values), variances=np.array(variances))


def choose_blocks(found: Answer, side: int) -> Blocks:
    """[P4] Squares that hold about as many units each by the noisy map: the heaviest is cut in four again and again."""
    assert found.coreset is not None
    finest = next(size for size in (FINEST_BLOCKS, 32, 16, 8, 4, 2, 1) if side % size == 0)
    frame = found.coreset.frame
    at = np.clip((found.coreset.positions / frame.extent * finest).astype(np.int64), 0, finest - 1)
    mass = np.zeros((finest, finest))
    np.add.at(mass, (finest - 1 - at[:, 1], at[:, 0]), found.coreset.weights)
    levels = {finest: mass}
    while finest % 2 == 0:
        finest //= 2
        levels[finest] = levels[2 * finest].reshape(finest, 2, finest, 2).sum(axis=(1, 3))
    heap = [
        (-float(levels[finest][row, column]), finest, row, column) for row in range(finest) for column in range(finest)
    ]
    heapq.heapify(heap)
    done: list[tuple[int, int, int]] = []
    while heap and len(heap) + len(done) + 3 <= MOST_BLOCKS:
        _, size, row, column = heapq.heappop(heap)
        if 2 * size not in levels:
            done.append((size, row, column))
            continue
        for r in (2 * row, 2 * row + 1):
            for c in (2 * column, 2 * column + 1):
                heapq.heappush(heap, (-float(levels[2 * size][r, c]), 2 * size, r, c))
    chosen = np.array(sorted([*done, *((size, row, column) for _, size, row, column in heap)]), np.int64)
    return Blocks(side=chosen[:, 0], row=chosen[:, 1], column=chosen[:, 2])


@dataclass(frozen=True, kw_only=True, eq=False)
class Undoing:
    """Units and records on a grid of squares, row 0 = north, and the variance of the error of records; all noisy."""

    units: Floats
    records: Floats
    doubt: Floats

    @classmethod
    def of(
        cls, found: Answer, blocks: Blocks, whole: LevelNumbers, local: LevelNumbers, units: Floats
    ) -> tuple[Undoing, Floats]:
        """Also return records per unit for each point of the coreset."""
        assert found.coreset is not None
        side = int(blocks.side.max())
        labels = blocks.labels(side)
        at = np.clip((found.coreset.positions / found.coreset.frame.extent * side).astype(np.int64), 0, side - 1)
        square = side - 1 - at[:, 1], at[:, 0]
        mass = np.zeros((side, side))
        np.add.at(mass, square, found.coreset.weights)
        held = np.bincount(labels.ravel(), weights=mass.ravel(), minlength=len(blocks)).astype(np.float64)
        believed, doubt = believe(held, blocks, whole, local, units)
        ratio = believed / np.maximum(held, 1e-300)
        ratio[held <= 0.0] = 1.0 / units.max()
        spread = np.where(believed > 0.0, doubt / np.maximum(believed, 1e-300), 0.0)
        records = mass * ratio[labels]
        return cls(units=mass, records=records, doubt=records * spread[labels]), ratio[labels[square]]

    def cells(self, tree: CellTree) -> CellTree:
        """A tree of units as one of records."""
        side, low = len(self.units), np.asarray(tree.frame.low)
        step = (np.asarray(tree.frame.high) - low) / side
        first = np.clip(np.floor((tree.low - low) / step + 1e-6).astype(np.int64), 0, side - 1)
        past = np.clip(np.ceil((tree.high - low) / step - 1e-6).astype(np.int64), first + 1, side)

        def sums(values: Floats) -> Floats:
            table = np.pad(np.cumsum(np.cumsum(values[::-1], axis=0), axis=1), ((1, 0), (1, 0)))  # row 0 = south
            (x0, y0), (x1, y1) = first.T, past.T
            return np.asarray(table[y1, x1] - table[y0, x1] - table[y1, x0] + table[y0, x0], np.float64)

        units, records, doubt = sums(self.units), sums(self.records), sums(self.doubt)
        usual = float(self.records.sum()) / max(float(self.units.sum()), 1e-300)
        ratio = np.where(units > 1e-9, records / np.maximum(units, 1e-9), usual)
        share = np.where(records > 1e-9, doubt / np.maximum(records, 1e-9), 0.0)  # of doubt, per record
        value, count = tree.value * ratio[tree.node], tree.count * ratio[tree.cell]
        return dataclasses.replace(
            tree,
            value=value,
            variance=tree.variance * ratio[tree.node] ** 2 + np.maximum(value, 0.0) * share[tree.node],
            count=count,
            spread=tree.spread * ratio[tree.cell] ** 2 + count * share[tree.cell],
        )


def undo(found: Answer, blocks: Blocks, whole: LevelNumbers, local: LevelNumbers, units: Floats, plan: Plan) -> Answer:
    """[P6] From units to records, block by block, and the centers of these. Post-processing."""
    coreset = found.coreset
    assert coreset is not None and found.centers is not None and coreset.variances is not None
    assert found.cells is not None
    undoing, ratio = Undoing.of(found, blocks, whole, local, units)
    synopsis = Synopsis(
        positions=coreset.positions, weights=coreset.weights * ratio, variances=coreset.variances * ratio**2
    )
    centers = find_centers(synopsis, coreset.weights, found.centers.positions, coreset.frame)
    told = {
        **found.constants,
        "records_by_level": tuple(float(value) for value in whole.values[:, 0]),
        "blocks": tuple(
            (int(s), int(r), int(c)) for s, r, c in zip(blocks.side, blocks.row, blocks.column, strict=True)
        ),
        "block_records_by_level": tuple(tuple(float(value) for value in row) for row in local.values),
    }
    cells = undoing.cells(found.cells)
    left = np.asarray(found.constants.get("center_error_left", [1.0] * plan.k), np.float64)
    return assemble_answer(coreset.frame, synopsis, centers, float(synopsis.weights.sum()), cells, told, left)


def find_centers(synopsis: Synopsis, units: Floats, there: Floats, frame: Frame) -> Floats:
    """Move the centers of the stretched map as the means of their parts move; search anew where that costs much less.

    The centers there were corrected by a residual round: what they differ by from the means of their parts is kept.
    """
    places, weights, extent = synopsis.positions, synopsis.weights, frame.extent

    def means(centers: Floats, mass: Floats) -> Floats:
        labels = assign(places, centers)
        held = np.bincount(labels, weights=mass, minlength=len(centers))
        sums = np.column_stack([np.bincount(labels, weights=mass * axis, minlength=len(centers)) for axis in places.T])
        return np.where(held[:, None] > 0.0, sums / np.maximum(held, 1e-300)[:, None], centers)

    corrected = there - means(there, units)
    centers = there
    for _ in range(MOST_STEPS):
        moved = np.clip(means(centers, weights) + corrected, 0.0, extent)
        farthest, centers = float(np.abs(moved - centers).max()), moved
        if farthest <= CLOSE * float(extent.max()):
            break
    anew = search_centers(synopsis, len(there), frame, {"repeats": 1, "swaps": 20}).centers
    return anew if cost(places, weights, anew) < (1.0 - BETTER) * cost(places, weights, centers) else centers


def believe(
    held: Floats, blocks: Blocks, whole: LevelNumbers, local: LevelNumbers, units: Floats
) -> tuple[Floats, Floats]:
    """True numbers of records by block, and the variance of their error, from noisy numbers alone.

    Model: a level has the same share of the units of all blocks, times 1 + A·g, with g a smooth random field of
    reach ρ over the map. A and ρ are averaged by the likelihood of the counts; the units of blocks are known.
    """
    share = held / max(float(held.sum()), 1e-300)
    size = 1.0 / blocks.side
    middle = np.column_stack([(blocks.column + 0.5) * size, (blocks.row + 0.5) * size])
    apart = np.sqrt(((middle[:, None, :] - middle[None, :, :]) ** 2).sum(axis=2))
    total = pool_totals(float(held.sum()), whole, local, units)
    flat = float(total.sum()) * share
    noise = local.variances[:, None]
    found, doubts, likely = (
        [flat],
        [np.zeros(len(held))],
        [_log_likelihood((local.values - total[:, None] * share), noise)],
    )
    for reach in REACHES:
        sizes, turn = np.linalg.eigh(share[:, None] * np.exp(-apart / reach) * share)
        sizes = np.maximum(sizes, 0.0)
        seen = (local.values - total[:, None] * share) @ turn
        rest = (held - float(units @ total) * share) @ turn
        for spread in SPREADS:
            prior = (spread * total[:, None]) ** 2 * sizes
            likely.append(_log_likelihood(seen, prior + noise) - PENALTY)
            left = prior * noise / (prior + noise)
            moved = seen * prior / (prior + noise)
            known = (units[:, None] ** 2 * left).sum(axis=0)
            cross = (units[:, None] * left).sum(axis=0)
            gain = cross / np.maximum(known, 1e-300)
            moved_all = moved.sum(axis=0) + gain * (rest - units @ moved)
            found.append(flat + turn @ moved_all)
            doubts.append((turn**2) @ np.maximum(left.sum(axis=0) - gain * cross, 0.0))
    weight = np.exp(np.array(likely) - max(likely))
    weight /= weight.sum()
    mean = weight @ np.array(found)
    doubt = weight @ (np.array(doubts) + (np.array(found) - mean) ** 2)
    return np.clip(mean, held / units.max(), held / units[units > 0].min()), doubt


def _log_likelihood(seen: Floats, variance: Floats) -> float:
    return -0.5 * float((np.minimum(seen**2 / variance, WILD) + np.log(variance)).sum())


def pool_totals(held: float, whole: LevelNumbers, local: LevelNumbers, units: Floats) -> Floats:
    """Records of each level in all: both counts of the whole box, and the units that they must add up to."""
    second = local.variances * local.values.shape[1]
    first = whole.variances
    total = (whole.values[:, 0] * second + local.values.sum(axis=1) * first) / (first + second)
    variance = first * second / (first + second)
    total = total + units * variance * (held - float(units @ total)) / float(units**2 @ variance)
    return np.asarray(np.maximum(total, 0.0), np.float64)
