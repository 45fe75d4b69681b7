"""Data on which every path of every method is walked: cases for forced transcripts.

A case is a run and what it is forced on: neighbours at the ends of the box, in the fullest cell, in an empty one,
nowhere; and wholly other data, empty and huge. `few` holds what a test suite has time for, `many` the long battery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.audit.losses import Loss
from dpviz.domain import ExactCounts, ExactPoints, Unit
from dpviz.domain.regions import Outline
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import ExactData, Mechanism, Public
from dpviz.mechanisms.peeled_balls.paper_mechanism import PeeledBallsPaper
from dpviz.mechanisms.peeled_balls.small_ball import PAPER, PRACTICAL
from dpviz.mechanisms.regional import Regional
from dpviz.mechanisms.series_cells import Past, SeriesCells, past_of
from dpviz.noise import Sampler, replayable_source
from dpviz.privacy import Budget, add_remove_for_replace
from dpviz.privacy.regions import Region
from dpviz_research.transcripts.check import check_transcript
from dpviz_research.transcripts.data import counts, points, streamed, trip_frame

Cells = NDArray[np.int64]
SIDE = 32
CAP = 3
DELTA = 1e-6
HUGE = 10**14
THROUGH_ADD_REMOVE = ("grid_cover", "balcan")  # private under replace as two steps of add-remove
# Those that list records one by one, and one that takes fewer than 2^30 rows: huge counts have tests of their own.
SLOW_ON_MANY = ("sample_aggregate", "sample_aggregate_3k", "peeled_balls_paper")
WITH_DELTA = ("grid_cover", "balcan", "peeled_balls_paper")


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """One run and the data that it is forced on."""

    method: str
    label: str
    data: ExactData
    neighbours: Sequence[ExactData]
    others: Sequence[ExactData] = ()
    budget: Budget
    k: int = 3
    claims: Sequence[Budget] | None = None
    mechanism: Mechanism | None = None
    noise: Callable[[], Sampler] | None = None  # where the noise is not the replayable source's
    uncompiled: bool = False  # for a path of a kernel that the smallest cases do not walk

    def run(self, seed: int = 0) -> Loss:
        """The worst loss; raises `TranscriptBroken`."""
        return check_transcript(
            self.mechanism or catalogue.get(self.method),
            self.data,
            self.neighbours,
            budget=self.budget,
            k=self.k,
            others=self.others,
            seed=seed,
            source=None if self.noise is None else self.noise(),
            claims=self.claims,
            sequential=self.sequential,
            group=self.data.unit.records if self.method.startswith("regional:") else 1,
        )

    def shorter(self, neighbours: int = 3, others: int = 2) -> Case:
        """The same with fewer forced runs: the first, the last and some between."""
        places = np.unique(np.linspace(0, len(self.neighbours) - 1, neighbours).round().astype(int)).tolist()
        claims = None if self.claims is None else [self.claims[place] for place in places]
        return replace(
            self, neighbours=[self.neighbours[place] for place in places], others=self.others[:others], claims=claims
        )

    @property
    def small(self) -> bool:
        """Whether it is run in a moment even by uncompiled kernels, or has to be."""
        lists_rows = self.method in ("sample_aggregate", "sample_aggregate_3k")
        return self.uncompiled or (self.data.exact_total <= 3000 and not lists_rows)

    @property
    def sequential(self) -> bool:
        """Whether every question is asked of all the data."""
        if self.method.startswith(("regional:", "step: ")):
            return False
        base = self.method.removeprefix("subsampled:").removeprefix("parts:").removeprefix("ends:")
        on_grid = isinstance(self.data, ExactCounts) or self.data.frame.dims == 2
        return base not in ("adaptive_tree", "centred_lines", "by_size", "mean_split") and (
            base != "peeled_balls_paper" or on_grid
        )


@lru_cache(maxsize=64)
def cells_of(kind: str, side: int = SIDE) -> Cells:
    """Counts of one kind; read only."""
    rng = np.random.default_rng(len(kind))
    cells = np.zeros((side, side), np.int64)
    if kind in ("city", "town", "metropolis"):
        records = {"town": 300, "city": 3000, "metropolis": 400_000}[kind]
        middles = np.array([[0.2, 0.2], [0.75, 0.3], [0.45, 0.8]]) * side
        places = middles[rng.integers(3, size=records)] + rng.normal(0, side / 24, (records, 2))
        np.add.at(cells, tuple(np.clip(places.astype(int), 0, side - 1).T), 1)
    elif kind == "even":
        cells += 600
    elif kind == "one":
        cells[0, 0] = 1
    elif kind == "corner":
        cells[-1, -1] = 5000
    elif kind == "heaps":
        cells[-1, 0], cells[0, -1] = 2**62, 2**61
    elif kind == "heavy":
        cells += cells_of("city", side)
        cells[side // 3, side // 3] += 10**6
    elif kind == "huge":
        cells += cells_of("town", side)
        cells[side // 3, side // 3] = HUGE
        cells[-1, 0] = 2**62
        cells[0, -1] = 2**61
    cells.flags.writeable = False
    return cells


def places_of(cells: Cells) -> list[tuple[int, int]]:
    """Where a record may be the most telling: the corners, the fullest cell, the middle."""
    side = len(cells)
    row, column = np.unravel_index(int(cells.argmax()), cells.shape)
    ends = [(0, 0), (side - 1, side - 1), (0, side - 1), (side - 1, 0)]
    return [*ends, (int(row), int(column)), (side // 2, side // 2)]


def near_cells(cells: Cells, relation: str, records: int, *, only_nowhere: bool) -> list[Cells]:
    """Neighbouring counts: one more or one fewer, or one that is elsewhere or nowhere."""
    fullest = np.unravel_index(int(cells.argmax()), cells.shape)
    held = int(cells.max()) >= records
    found = []
    for place in places_of(cells):
        near = cells.copy()
        if relation == "replace" and held and not only_nowhere:
            near[fullest] -= 1
        near[place] += records
        found.append(near)
    if held:
        gone = cells.copy()
        gone[fullest] -= records
        found.append(gone)
    if records > 1:  # a person's records may be spread
        spread = cells.copy()
        for place in places_of(cells)[:records]:
            spread[place] += 1
        found.append(spread)
    return found


def counted(
    method: str, kind: str, relation: str, budget: Budget, *, k: int = 3, cap: int | None = None, side: int = SIDE
) -> Case:
    """A case on counts."""
    cells = cells_of(kind, side)
    unit = Unit() if cap is None else Unit(person_column="rider", cap=cap)
    through = relation == "replace" and method.removeprefix("subsampled:") in THROUGH_ADD_REMOVE
    total = sum(int(count) for count in cells.ravel())
    rows = total + 7 if relation == "replace" else None
    near = near_cells(cells, relation, cap or 1, only_nowhere=through)
    far = [np.zeros_like(cells), cells_of("one", side) if rows else cells_of("huge", side)]
    if rows is None or rows >= 3100:
        far.append(np.rot90(cells_of("city", side)).copy())

    def exact(table: Cells) -> ExactCounts:
        return counts(table, relation, rows=rows, unit=unit)

    return Case(
        method=method,
        label=f"{kind} {side}², {relation}, {unit.records} a person" if cap else f"{kind} {side}², {relation}",
        data=exact(cells),
        neighbours=[exact(table) for table in near],
        others=[exact(table) for table in far],
        budget=budget,
        k=k,
        claims=[add_remove_for_replace(budget)] * len(near) if through else None,
    )


def cloud(dims: int, records: int, seed: int = 0) -> NDArray[np.float64]:
    """Points of the unit cube in three groups."""
    rng = np.random.default_rng(1000 * dims + records + seed)
    middles = rng.uniform(0.15, 0.85, (3, dims))
    return np.clip(middles[rng.integers(3, size=records)] + rng.normal(0, 0.04, (records, dims)), 0, 0.9999)


def pointed(
    method: str,
    dims: int,
    records: int,
    relation: str,
    budget: Budget,
    *,
    k: int = 3,
    replaced: int = 3,
    cube: NDArray[np.float64] | None = None,
) -> Case:
    """A case on points, three groups of them where no others are given; neighbours reach both ends of the box."""
    cube = cloud(dims, records) if cube is None else cube
    through = relation == "replace" and method.removeprefix("subsampled:") in THROUGH_ADD_REMOVE
    rows = records + 7 if relation == "replace" else None
    ends = [np.zeros(dims), np.ones(dims), np.full(dims, 0.5), cloud(dims, 3)[0]]
    near = []
    for number, end in enumerate(ends):
        if relation == "replace" and records and not through:
            for row in range(replaced):
                swapped = cube.copy()
                swapped[(number + row * max(1, records // replaced)) % records] = end
                near.append(swapped)
        else:
            near.append(np.vstack([cube, end]))
    for row in range(min(records, replaced)):
        near.append(np.delete(cube, records - 1 - row * (records // replaced), axis=0))
    far = [cube[:0], cloud(dims, min(records, 40), seed=5) if rows else cloud(dims, 400, seed=5)]

    def exact(table: NDArray[np.float64]) -> ExactPoints:
        return points(table, relation, rows=rows)

    return Case(
        method=method,
        label=f"{records} points in {dims} dimensions, {relation}",
        data=exact(cube),
        neighbours=[exact(table) for table in near],
        others=[exact(table) for table in far],
        budget=budget,
        k=k,
        claims=[add_remove_for_replace(budget)] * len(near) if through else None,
    )


Corner = tuple[float, float]
SQUARES: dict[str, tuple[Corner, Corner]] = {"strict": ((0.0, 0.0), (0.45, 0.45)), "north": ((0.5, 0.6), (1.0, 1.0))}


def regional(
    base: str, kind: str, budget: Budget, *, cap: int | None = None, k: int = 3, squares: dict[str, Any] = SQUARES
) -> Case:
    """A case with regions of their own level: a record in one of them may cost that level and no more."""
    plain = counted(base, kind, "add-remove", budget, cap=cap, k=k)
    levels = dict(zip(squares, (0.25, 0.5), strict=False))
    regions = tuple(
        Region(outline=Outline(name=name, polygons=(_square(*squares[name]),)), epsilon=level * budget.epsilon)
        for name, level in levels.items()
    )
    mechanism = Regional(catalogue.get(base), regions)
    base_cells = cells_of(kind)
    assert isinstance(plain.data, ExactCounts)
    owner = {part.name: part for part in mechanism.parts(Public.of(plain.data), budget)}
    claims = []
    for near in plain.neighbours:
        assert isinstance(near, ExactCounts)
        moved = np.argwhere(near.exact_cells != base_cells)
        inside = [
            part.epsilon
            for part in owner.values()
            for row, column in moved
            if 0 <= row - part.row < len(part.cells)
            and 0 <= column - part.column < len(part.cells)
            and part.cells[row - part.row, column - part.column]
        ]
        claims.append(Budget(epsilon=max(inside), delta=budget.delta))
    return Case(
        method=f"regional:{base}",
        label=f"{len(squares)} regions, {plain.label}",
        data=plain.data,
        neighbours=plain.neighbours,
        others=plain.others,
        budget=budget,
        k=k,
        claims=claims,
        mechanism=mechanism,
    )


def _square(low: tuple[float, float], high: tuple[float, float]) -> tuple[tuple[tuple[float, float], ...], ...]:
    (west, south), (east, north) = low, high
    return (((west, south), (east, south), (east, north), (west, north), (west, south)),)


def budget_for(method: str, epsilon: float, delta: float = 0.0) -> Budget:
    """With a δ where the method needs one."""
    needed = any(method.endswith(name) for name in WITH_DELTA)
    return Budget(epsilon=epsilon, delta=delta or (DELTA if needed else 0.0))


def few(method: str) -> Iterator[Case]:
    """What a test suite has time for."""
    info = catalogue.get(method).info
    relations = sorted(relation.value for relation in info.adjacencies)
    on_maps = info.takes in ("counts", "both") and info.dims[0] <= 2 <= info.dims[1]
    for relation in relations:
        if on_maps:
            for kind, epsilon, k in (("empty", 1.0, 3), ("city", 1.0, 3), ("heavy", 0.3, 1), ("huge", 2.0, 2)):
                if kind in ("heavy", "huge") and method in SLOW_ON_MANY:
                    continue
                case = counted(method, kind, relation, budget_for(method, epsilon), k=k)
                yield case.shorter(2, 1) if kind == "huge" and method == "genetic" else case
        if info.takes == "counts":
            continue
        for dims in sorted({max(1, info.dims[0]), max(info.dims[0], min(3, info.dims[1]))}):
            yield pointed(method, dims, 400, relation, budget_for(method, 2.0)).shorter(5)
        if info.dims[1] > 3:
            yield pointed(method, min(12, info.dims[1]), 60, relation, budget_for(method, 2.0), k=1).shorter(2, 1)
    if info.person_cap and on_maps:
        yield counted(method, "city", "add-remove", budget_for(method, 2.0), cap=CAP)
    yield from _more_paths(method, relations)


def _more_paths(method: str, relations: list[str]) -> Iterator[Case]:
    """What single methods need for their rarer branches."""
    if method == "adaptive_tree":
        for relation in relations:
            # Easy steps, settled rounds, searches that are repeated where data are many.
            yield counted(method, "metropolis", relation, Budget(epsilon=4.0), k=24)
            corner = 1.0 - np.abs(cloud(6, 40) - 0.5) / 10.0  # two rounds, and corrections that lead out of the box
            yield pointed(method, 6, 40, relation, Budget(epsilon=0.3), k=2, cube=corner)
            yield counted(method, "metropolis", relation, Budget(epsilon=1.0), k=1)
            yield counted(method, "town", relation, Budget(epsilon=0.02), k=5)
            yield counted(method, "city", relation, Budget(epsilon=16.0), k=8)  # more centers than groups: a pick
            yield on_streams(pointed(method, 4, 900, relation, Budget(epsilon=4.0), k=2).shorter(5))
    if method == "mean_split":
        for relation in relations:
            for delta in (0.0, DELTA):
                yield pointed(method, 6, 900, relation, Budget(epsilon=20.0, delta=delta)).shorter(5)  # halves parts
                yield pointed(method, 5, 3000, relation, Budget(epsilon=90.0, delta=delta), k=1).shorter(3)
                yield pointed(method, 8, 900, relation, Budget(epsilon=2.0, delta=delta), k=2).shorter(3)
            yield on_streams(pointed(method, 7, 900, relation, Budget(epsilon=20.0), k=4).shorter(4))
        for delta in (0.0, DELTA):
            yield capped(method, 6, Budget(epsilon=30.0, delta=delta))
    if method == "peeled_balls":
        for relation in relations:
            yield counted(method, "metropolis", relation, Budget(epsilon=1.0, delta=1e-9), k=2)
            yield counted(method, "city", relation, Budget(epsilon=20.0), k=2)
            yield pointed(method, 3, 3000, relation, Budget(epsilon=4.0, delta=1e-9), k=2)
    if method == "peeled_balls_paper":
        paper = PeeledBallsPaper(PAPER)
        loud = Budget(epsilon=100.0, delta=9e-4)
        for case in (
            counted(method, "metropolis", "replace", loud, k=1),
            pointed(method, 3, 2000, "replace", loud, k=1),
        ):
            yield case
        every = PeeledBallsPaper(replace(PRACTICAL, name="every radius", radii=None))
        yield replace(counted(method, "metropolis", "replace", loud, k=1, side=64), mechanism=every).shorter(3, 1)
        yield Case(
            method=method,
            label="the printed constants",
            data=case.data,
            neighbours=case.neighbours[:2],
            budget=loud,
            k=1,
            mechanism=paper,
        )
    if method == "series_cells":
        yield from later_periods()
    if method in ("hybrid", "genetic", "centred_lines", "balcan", "grid_cover"):
        for relation in relations:
            yield counted(method, "metropolis", relation, budget_for(method, 1.0 if method == "genetic" else 6.0), k=2)
            yield counted(method, "town", relation, budget_for(method, 0.05), k=1)


def capped(method: str, dims: int, budget: Budget) -> Case:
    """Persons with a cap: all records of one are added at one place or at several, or taken away."""
    cube, unit = cloud(dims, 900), Unit(person_column="rider", cap=CAP)
    places = np.vstack([np.zeros(dims), np.ones(dims), np.full(dims, 0.5)])
    near = [np.vstack([cube, places]), np.vstack([cube, places[[1, 1, 1]]]), cube[CAP:]]
    return Case(
        method=method,
        label=f"900 points in {dims} dimensions, {CAP} a person, delta {budget.delta:g}",
        data=points(cube, "add-remove", unit=unit),
        neighbours=[points(table, "add-remove", unit=unit) for table in near],
        others=[points(cube[:0], "add-remove", unit=unit)],
        budget=budget,
    )


def on_streams(case: Case) -> Case:
    """The same on records that stay where they are."""
    data, *rest = [streamed(one) for one in (case.data, *case.neighbours, *case.others) if isinstance(one, ExactPoints)]
    near = len(case.neighbours)
    return replace(case, label=f"streamed, {case.label}", data=data, neighbours=rest[:near], others=rest[near:])


def later_periods() -> Iterator[Case]:
    """Periods of a series that build on another: Laplace and Gaussian noise, records and persons, any counts."""
    for kind, delta, cap in (
        ("city", 0.0, None),
        ("city", DELTA, None),
        ("city", 0.0, CAP),
        ("city", DELTA, CAP),
        ("empty", 0.0, None),
        ("huge", 0.0, CAP),
        ("metropolis", 0.0, None),
    ):
        case = counted("series_cells", kind, "add-remove", Budget(epsilon=0.5, delta=delta), cap=cap)
        before = past_of_a_first("city", cap)
        yield replace(case, label=f"a later period, delta {delta:g}, {case.label}", mechanism=SeriesCells(before))

    # A period with more to spend than the one before cuts its cells further; a first one of many cells merges some.
    richer = counted("series_cells", "metropolis", "add-remove", Budget(epsilon=4.0)).shorter(2, 2)
    yield replace(
        richer,
        label=f"a richer later period, {richer.label}",
        mechanism=SeriesCells(past_of_a_first("metropolis", None, 0.1)),
    )
    yield counted("series_cells", "even", "add-remove", Budget(epsilon=8.0), side=128).shorter(2, 1)


@lru_cache(maxsize=8)
def past_of_a_first(kind: str, cap: int | None, epsilon: float = 2.0) -> Past:
    """What a first period has published."""
    first, unit = SeriesCells(), Unit() if cap is None else Unit(person_column="rider", cap=cap)
    data = counts(cells_of(kind), "add-remove", rows=None, unit=unit)
    plan = first.plan(Public.of(data), k=3, budget=Budget(epsilon=epsilon))
    return past_of(dict(first.run(data, plan, replayable_source(1)).constants), SIDE)


def methods() -> list[str]:
    """All methods of the catalogue, and the one that is several of them."""
    return [method.info.name for method in (*catalogue.METHODS, catalogue.BY_SIZE)]


WRAPPED = ("adaptive_tree", "uniform_grid", "noisy_lloyd", "grid_cover", "peeled_balls", "sample_aggregate")
WITH_MAPS = ("adaptive_tree", "by_size")
IN_REGIONS = ("adaptive_tree", "uniform_grid", "peeled_balls", "grid_cover", "hybrid")


def sampled(base: str) -> Iterator[Case]:
    """Runs on a secret sample; many rows are replaced, because only those in the sample tell."""
    name = f"subsampled:{base}"
    for relation in sorted(one.value for one in catalogue.get(base).info.adjacencies):
        yield counted(name, "city", relation, budget_for(name, 1.0))
        yield pointed(name, 3 if base != "hybrid" else 2, 300, relation, budget_for(name, 1.0), replaced=25)


def in_regions(base: str) -> Iterator[Case]:
    """Runs in parts of a map with levels of their own."""
    yield regional(base, "city", budget_for(base, 2.0))
    if catalogue.get(base).info.person_cap:
        yield regional(base, "city", budget_for(base, 2.0), cap=CAP)


def with_maps(base: str) -> Iterator[Case]:
    """Trips with a map of each end: single trips, rows that are replaced or leave the box, persons with a cap."""
    name, records = f"ends:{base}", 300
    cube, frame = cloud(4, records), trip_frame()
    ends = [np.zeros(4), np.ones(4), np.array([0.0, 0.0, 1.0, 1.0]), cloud(4, 3)[0]]
    units = [("add-remove", Unit()), ("add-remove", Unit(person_column="rider", cap=CAP)), ("replace", Unit())]
    for relation, unit in units:
        if relation not in [one.value for one in catalogue.get(name).info.adjacencies]:
            continue
        rows = records + 7 if relation == "replace" else None
        kept = cube[1:] if relation == "replace" else cube
        near = [np.vstack([kept, np.tile(end, (unit.records, 1))]) for end in ends]
        near += [cube[unit.records :], np.vstack([cube, ends[:3]]) if unit.holds_several else cube[:-1]]
        far = [cube[:0], cloud(4, 290, seed=5)]

        def exact(
            table: NDArray[np.float64], relation: str = relation, rows: int | None = rows, unit: Unit = unit
        ) -> ExactPoints:
            return points(table, relation, rows=rows, frame=frame, unit=unit)

        yield Case(
            method=name,
            label=f"{records} trips, {relation}, {unit.records} a person",
            data=exact(cube),
            neighbours=[exact(table) for table in near],
            others=[exact(table) for table in far],
            budget=Budget(epsilon=2.0),
        )


def all_few() -> Iterator[Case]:
    """Every method, then the wrappers."""
    for method in methods():
        yield from few(method)
    for base in WRAPPED:
        yield from sampled(base)
    for base in IN_REGIONS:
        yield from in_regions(base)
    for base in WITH_MAPS:
        yield from with_maps(base)


def more() -> Iterator[Case]:
    """Larger cases, once each: finer grids, more dimensions, weak and strong budgets."""
    for method in methods():
        info = catalogue.get(method).info
        for relation in sorted(relation.value for relation in info.adjacencies):
            if info.dims[0] <= 2 <= info.dims[1]:
                for epsilon, k in ((0.05, 1), (0.5, 7), (8.0, 4)):
                    yield counted(method, "city", relation, budget_for(method, epsilon), k=k, side=64)
            if info.takes == "counts":
                continue
            for dims in (4, 6, 8, 10):
                if info.dims[0] <= dims <= info.dims[1]:
                    yield pointed(method, dims, 120, relation, budget_for(method, 1.0), k=2).shorter(4, 1)
