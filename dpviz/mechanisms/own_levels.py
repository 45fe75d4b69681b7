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
COARSE, REST = "coarse counts by level", "tree and counts by level"
COARSE_SHARE = Fraction(5, 100)  # of everybody's ε; utility only, as all below
COARSE_SIDE = 4
LOCAL_SHARES = (Fraction(5, 100), Fraction(30, 100), Fraction(70, 100))  # the more levels depend on the place
DEPENDENCE = (0.06, 0.8)
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

    @property
    def most(self) -> int:
        return STEPS * ceil(self.ceiling / min(self.epsilons))

    @property
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
            vetted=base.info.vetted,  # this page and the base's: both must have been read
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
        for share in LOCAL_SHARES:  # what would be refused is refused now
            self._base_plan(public, k, budget, share)
        coarse = Charge(name=COARSE, epsilon=floor_float(Fraction(budget.epsilon) * COARSE_SHARE))
        rest = Charge(name=REST, epsilon=floor_float(Fraction(budget.epsilon) - Fraction(coarse.epsilon)))
        units = Stretch.of(public.unit.levels, budget.epsilon).units
        return Plan(method=self.info.name, k=k, budget=budget, charges=(coarse, rest), constants={"units": units})

    def _base_plan(self, public: Public, k: int, budget: Budget, local: Fraction) -> Plan:
        """[P5] The tree gets what both counts by level leave of the ceiling, for a unit of the largest weight."""
        stretch = Stretch.of(public.unit.levels, budget.epsilon)
        inner = dataclasses.replace(public, unit=stretch.unit(public.unit))
        rest = Budget(epsilon=floor_float(stretch.ceiling * (1 - COARSE_SHARE - local)))
        return self.base.plan(inner, k=k, budget=rest)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        assert isinstance(data, LevelCounts)
        public = Public.of(data)
        stretch = Stretch.of(public.unit.levels, plan.budget.epsilon)
        allowed = [epsilon / public.unit.records for epsilon in stretch.epsilons]
        ground = Blocks.grid(min(COARSE_SIDE, data.grid.side))
        coarse = count_levels(data, ground, [one * COARSE_SHARE for one in allowed], noise)  # [P3]
        share = choose_share(coarse, stretch)  # [P4]
        inner = self._base_plan(public, plan.k, plan.budget, share)
        found = self.base.run(stretched(data, stretch), inner, noise)  # [P5]
        blocks = choose_blocks(found, data.grid.side)  # [P6]
        local = count_levels(data, blocks, [one * share for one in allowed], noise)  # [P7]
        counted = Counted(
            ground=ground, coarse=coarse, blocks=blocks, local=local, units=np.asarray(stretch.units, np.float64)
        )
        return undo(found, counted, plan, float(share))  # [P8]


OWN_LEVELS = OwnLevelsTree()


def stretched(data: LevelCounts, stretch: Stretch) -> ExactCounts:
    """[P5] Each record counts as many units as its level has."""
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
    def grid(cls, side: int) -> Blocks:
        row, column = np.divmod(np.arange(side * side), side)
        return cls(side=np.full(side * side, side), row=row, column=column)

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
    """Count each level's records in every block, with noise for what the level allows."""
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
    """[P6] Squares that hold about as many units each by the noisy map: the heaviest is cut in four again and again."""
    assert found.coreset is not None
    finest, least = min(FINEST_BLOCKS, side), min(COARSE_SIDE, side)
    frame = found.coreset.frame
    at = np.clip((found.coreset.positions / frame.extent * finest).astype(np.int64), 0, finest - 1)
    mass = np.zeros((finest, finest))
    np.add.at(mass, (finest - 1 - at[:, 1], at[:, 0]), found.coreset.weights)
    levels = {finest: mass}
    while finest > least:
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
class Counted:
    """All counts by level, with their blocks, and the units of each level."""

    ground: Blocks
    coarse: LevelNumbers
    blocks: Blocks
    local: LevelNumbers
    units: Floats


def choose_share(coarse: LevelNumbers, stretch: Stretch) -> Fraction:
    """[P4] The more the levels depend on the place, the more of everybody's ε counts them in blocks."""
    units = np.asarray(stretch.units, np.float64)
    held = np.maximum(units @ coarse.values, 0.0)
    share = held / max(float(held.sum()), 1e-300)
    total = np.maximum(coarse.values.sum(axis=1), 0.0)
    mean = total[:, None] * share  # of what chance spreads
    seen = coarse.values - mean
    spreads = np.array([0.0, *SPREADS])
    likely = np.array(
        [_log_likelihood(seen, (spread * mean) ** 2 + mean + coarse.variances[:, None]) for spread in spreads]
    )
    likely[1:] -= PENALTY
    weight = np.exp(likely - likely.max())
    found = float(np.sqrt(weight @ spreads**2 / weight.sum()))
    return LOCAL_SHARES[int(np.searchsorted(DEPENDENCE, found))]


@dataclass(frozen=True, kw_only=True, eq=False)
class Undoing:
    """Units and records on a grid of squares, row 0 = north, and the variance of the error of records; all noisy."""

    units: Floats
    records: Floats
    doubt: Floats
    common: float  # the relative error of all numbers together

    @classmethod
    def of(cls, found: Answer, counted: Counted) -> tuple[Undoing, Floats]:
        """Also return records per unit for each point of the coreset."""
        assert found.coreset is not None
        blocks, units = counted.blocks, counted.units
        side = int(blocks.side.max())
        labels = blocks.labels(side)
        at = np.clip((found.coreset.positions / found.coreset.frame.extent * side).astype(np.int64), 0, side - 1)
        square = side - 1 - at[:, 1], at[:, 0]
        mass = np.zeros((side, side))
        np.add.at(mass, square, found.coreset.weights)
        held = np.bincount(labels.ravel(), weights=mass.ravel(), minlength=len(blocks)).astype(np.float64)
        assert found.coreset.variances is not None
        noise = np.bincount(labels[square], weights=found.coreset.variances, minlength=len(blocks)).astype(np.float64)
        believed, doubt = believe(held, noise, counted)
        ratio = np.where(held > 0.0, believed / np.maximum(held, 1e-300), 1.0 / units.max())
        spread = np.where(believed > 0.0, doubt / np.maximum(believed, 1e-300), 0.0)
        records = mass * ratio[labels]
        _, common = pool_totals(float(held.sum()), counted)
        undoing = cls(units=mass, records=records, doubt=records * spread[labels], common=common)
        return undoing, ratio[labels[square]]

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
        usual = float(self.records.sum()) / max(float(self.units.sum()), 1e-300) or 1.0
        some = units > 1e-6 * float(self.units.sum())
        ratio = np.where(some, records / np.maximum(units, 1e-300), usual)
        share = np.where(some, doubt / np.maximum(records, 1e-300), 0.0)  # of doubt, per record
        value, count = tree.value * ratio[tree.node], tree.count * ratio[tree.cell]
        return dataclasses.replace(
            tree,
            value=value,
            variance=tree.variance * ratio[tree.node] ** 2 + np.maximum(value, 0.0) * share[tree.node],
            count=count,
            spread=tree.spread * ratio[tree.cell] ** 2 + count * share[tree.cell],
            common=self.common,
        )


def undo(found: Answer, counted: Counted, plan: Plan, share: float) -> Answer:
    """[P8] From units to records, block by block, and the centers of these. Post-processing."""
    coreset = found.coreset
    assert coreset is not None and found.centers is not None and coreset.variances is not None
    assert found.cells is not None
    undoing, ratio = Undoing.of(found, counted)
    synopsis = Synopsis(
        positions=coreset.positions, weights=coreset.weights * ratio, variances=coreset.variances * ratio**2
    )
    centers = find_centers(synopsis, coreset.weights, found.centers.positions, coreset.frame)
    blocks = counted.blocks
    told = {
        **found.constants,
        "share_of_blocks": share,
        "coarse_records_by_level": tuple(map(tuple, counted.coarse.values.tolist())),
        "level_blocks": tuple(map(tuple, np.column_stack([blocks.side, blocks.row, blocks.column]).tolist())),
        "records_by_level": tuple(map(tuple, counted.local.values.tolist())),
    }
    cells = undoing.cells(found.cells.paid_by(1, (COARSE, REST)))
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


def believe(held: Floats, noise: Floats, counted: Counted) -> tuple[Floats, Floats]:
    """True numbers of records by block, and the variance of their error, from noisy numbers alone.

    Model: a level has the same share of the units of all blocks, times 1 + A·g, with g a smooth random field of
    reach ρ over the map. A and ρ are averaged by the likelihood of the counts. The units of a block are a sum over
    levels that is known up to `noise`. Coarse and fine counts are turned so that all noise is alike and the field's
    parts are independent.
    """
    blocks, units = counted.blocks, counted.units
    share = held / max(float(held.sum()), 1e-300)
    size = 1.0 / blocks.side
    middle = np.column_stack([(blocks.column + 0.5) * size, (blocks.row + 0.5) * size])
    apart = np.sqrt(((middle[:, None, :] - middle[None, :, :]) ** 2).sum(axis=2))
    least = int(counted.ground.side[0])
    square = (blocks.row * least // blocks.side) * least + blocks.column * least // blocks.side
    inside = (square == np.arange(least * least)[:, None]).astype(np.float64)
    # precision of the counts of one level, over that of its fine counts
    coarse = counted.local.variances[-1] / counted.coarse.variances[-1]
    precision = np.eye(len(held)) + coarse * inside.T @ inside
    root = np.linalg.cholesky(precision).T
    both = np.linalg.solve(precision, (counted.local.values + coarse * counted.coarse.values @ inside).T)
    fine = counted.local.variances[:, None]
    total, _ = pool_totals(float(held.sum()), counted)
    flat = float(total.sum()) * share
    seen = (both.T - total[:, None] * share) @ root.T
    rest = root @ (held - float(units @ total) * share)
    known_noise = float((noise * np.diag(precision)).mean())
    found, doubts, likely = [flat], [np.zeros(len(held))], [_log_likelihood(seen, np.broadcast_to(fine, seen.shape))]
    for reach in REACHES:
        sizes, turn = np.linalg.eigh(root @ (share[:, None] * np.exp(-apart / reach) * share) @ root.T)
        sizes = np.maximum(sizes, 0.0)
        back = np.linalg.solve(root, turn)
        turned, rest_turned = seen @ turn, rest @ turn
        for spread in SPREADS:
            prior = (spread * total[:, None]) ** 2 * sizes
            likely.append(_log_likelihood(turned, prior + fine) - PENALTY)
            left = prior * fine / (prior + fine)
            moved = turned * prior / (prior + fine)
            cross = (units[:, None] * left).sum(axis=0)
            gain = cross / np.maximum((units[:, None] ** 2 * left).sum(axis=0) + known_noise, 1e-300)
            found.append(flat + back @ (moved.sum(axis=0) + gain * (rest_turned - units @ moved)))
            doubts.append(back**2 @ np.maximum(left.sum(axis=0) - gain * cross, 0.0))
    weight = np.exp(np.array(likely) - max(likely))
    weight /= weight.sum()
    mean = weight @ np.array(found)
    doubt = weight @ (np.array(doubts) + (np.array(found) - mean) ** 2)
    return np.clip(mean, held / units.max(), held / units[units > 0].min()), doubt


def _log_likelihood(seen: Floats, variance: Floats) -> float:
    return -0.5 * float((np.minimum(seen**2 / variance, WILD) + np.log(variance)).sum())


def pool_totals(held: float, counted: Counted) -> tuple[Floats, float]:
    """Records of each level in all: the sums of both counts, and the units that they must add up to.

    Also return the relative error of their sum.
    """
    coarse, local, units = counted.coarse, counted.local, counted.units
    first, second = coarse.variances * coarse.values.shape[1], local.variances * local.values.shape[1]
    total = (coarse.values.sum(axis=1) * second + local.values.sum(axis=1) * first) / (first + second)
    variance = first * second / (first + second)
    known = float(units**2 @ variance)
    total = np.maximum(total + units * variance * (held - float(units @ total)) / known, 0.0)
    error = max(float(variance.sum() - (units @ variance) ** 2 / known), 0.0) ** 0.5
    return total, min(error / max(float(total.sum()), 1e-300), 1.0)
