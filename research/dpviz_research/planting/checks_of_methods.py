"""Checks of methods: forced transcripts on small data that lead down every path that a bug is planted in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpviz.domain import ExactPoints, Unit
from dpviz.domain.public_map import PriorMap
from dpviz.domain.regions import Outline
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.interface import ExactData, Mechanism, Public, Purpose
from dpviz.mechanisms.regional import Regional
from dpviz.mechanisms.series_cells import SeriesCells, past_of
from dpviz.noise import replayable_source
from dpviz.privacy import Budget, Region, verify
from dpviz_research.planting.finding import demand
from dpviz_research.transcripts.check import check_transcript
from dpviz_research.transcripts.data import Cells, counts, points, streamed, with_one_more

SIDE = 16
CAP = 3
DELTA = 1e-6
CORNERS = ((0, 0), (SIDE - 1, SIDE - 1), (4, 4))


@dataclass(frozen=True, kw_only=True)
class Case:
    """One data set with neighbours and with wholly other data, for one path of a method."""

    data: ExactData
    neighbours: tuple[ExactData, ...]
    others: tuple[ExactData, ...]
    budget: Budget
    k: int = 2
    claims: tuple[Budget, ...] | None = None
    seed: int = 0


def run_cases(method: Mechanism, cases: Iterator[Case]) -> None:
    """Every case in turn; raises with what is wrong."""
    for case in cases:
        with np.errstate(divide="ignore"):  # logarithms of outcomes that cannot come out
            check_transcript(
                method,
                case.data,
                case.neighbours,
                budget=case.budget,
                k=case.k,
                others=case.others,
                seed=case.seed,
                claims=case.claims,
            )


def town(records: int, *, seed: int = 0, side: int = SIDE) -> Cells:
    """Three groups of records on a small grid."""
    generator = np.random.default_rng(seed)
    middles = np.array([[0.25, 0.25], [0.7, 0.3], [0.45, 0.8]]) * side
    places = middles[generator.integers(3, size=records)] + generator.normal(0, side / 20, (records, 2))
    cells = np.zeros((side, side), np.int64)
    np.add.at(cells, tuple(np.clip(places.astype(int), 0, side - 1).T), 1)
    return cells


def add_remove(
    records: int, *, budget: Budget, k: int = 2, unit: Unit | None = None, side: int = SIDE, seed: int = 0
) -> Case:
    """A town, the same with one unit more in several places, and another town."""
    cells, far = town(records, side=side), town(records + records // 2 + 7, seed=9, side=side)[::-1].copy()
    corners = ((0, 0), (side - 1, side - 1), (side // 4, side // 4))
    more = with_one_more(cells, corners, 1 if unit is None else unit.records)
    return Case(
        data=counts(cells, unit=unit),
        neighbours=tuple(counts(one, unit=unit) for one in more),
        others=(counts(far, unit=unit), counts(cells * 0, unit=unit)),
        budget=budget,
        k=k,
        seed=seed,
    )


def replaced(records: int, *, budget: Budget, k: int = 2, halves: Budget | None = None, side: int = SIDE) -> Case:
    """The same under replace. With `halves`, a record only leaves the box, at the price of the half that it is."""
    cells, far = town(records, side=side), town(records, seed=9, side=side)[::-1].copy()
    rows = records + 5
    fullest = np.unravel_index(int(cells.argmax()), cells.shape)
    less = cells.copy()
    less[fullest] -= 1
    corners = ((0, 0), (side - 1, side - 1))
    near = [less] if halves else with_one_more(less, corners)
    return Case(
        data=counts(cells, "replace", rows=rows),
        neighbours=tuple(counts(one, "replace", rows=rows) for one in near),
        others=(counts(far, "replace", rows=rows),),
        budget=budget,
        k=k,
        claims=None if halves is None else (halves,) * len(near),
    )


def cloud(records: int, dims: int, *, relation: str = "add-remove", seed: int = 0) -> tuple[ExactPoints, ExactPoints]:
    """Points of the unit cube, and the same with the first one gone to a corner (replace) or one more there."""
    generator = np.random.default_rng(seed)
    cube = np.clip(generator.normal(0.4, 0.1, (records, dims)), 0.0, 0.99)
    other = cube.copy() if relation == "replace" else np.vstack([cube, np.full((1, dims), 0.99)])
    other[-1] = 0.99
    rows = records + 5
    return points(cube, relation, rows=rows), points(other, relation, rows=rows)


def in_the_plane(name: str, *, records: int = 400, delta: float = 0.0) -> Iterator[Case]:
    """Both relations, few records and many."""
    budget = Budget(epsilon=1.0, delta=delta)
    yield replaced(records, budget=budget)
    yield add_remove(records, budget=budget)


def crowded_corner(dims: int = 6) -> Iterator[Case]:
    """Records in a corner of a box of many columns, where two rounds of corrections lead out of it; one on its edge."""
    cube = np.clip(np.random.default_rng(7).normal(1.0, 0.05, (40, dims)), 0.0, 0.99)
    edge = np.vstack([cube, np.ones((1, dims))])
    for seed in range(4):
        yield Case(
            data=points(cube),
            neighbours=(points(edge),),
            others=(points(cube[:0]),),
            budget=Budget(epsilon=0.3),
            seed=seed,
        )


def adaptive_tree() -> Iterator[Case]:
    """Empty ground, easy steps, residual rounds of one center and of several, many columns, streams, a cap, replace.

    Two rounds; so many centers on so many records that the search is repeated; and clusterings that are compared.
    """
    budget = Budget(epsilon=1.0)
    yield add_remove(300, budget=budget, k=1)
    yield replaced(300, budget=budget, k=1)
    yield add_remove(300, budget=budget, unit=Unit(person_column="rider", cap=CAP))
    yield add_remove(40_000, budget=Budget(epsilon=2.0), side=64)
    first, second = cloud(200, 3)
    yield Case(data=first, neighbours=(second,), others=(), budget=budget)
    first, second = (streamed(one) for one in cloud(900, 4))
    yield Case(data=first, neighbours=(second,), others=(), budget=Budget(epsilon=4.0))
    yield from crowded_corner()
    searched = add_remove(40_000, budget=Budget(epsilon=2.0), side=64, k=16)
    yield replace(searched, neighbours=searched.neighbours[:1], others=searched.others[1:])
    compared = add_remove(4_000, budget=Budget(epsilon=4.0), side=32, k=10)
    for seed in range(4):
        yield replace(compared, neighbours=compared.neighbours[:1], seed=seed)
    yield from mirrored()


def mirrored() -> Iterator[Case]:
    """Two halves alike and an odd number of centers: two clusterings cost nearly the same, and one number decides."""
    half = town(10_000, side=32)
    cells = half + half[:, ::-1]
    near, far = with_one_more(cells, ((0, 0),))[0], np.rot90(cells).copy()
    others = (counts(cells * 0), counts(far))
    for seed in range(6):
        yield Case(
            data=counts(cells), neighbours=(counts(near),), others=others, budget=Budget(epsilon=1.0), k=9, seed=seed
        )


def capped(records: int = 300) -> Case:
    """Persons with three records each."""
    return add_remove(records, budget=Budget(epsilon=1.0), unit=Unit(person_column="rider", cap=CAP))


def genetic() -> Iterator[Case]:
    """Records in opposite corners, where one more moves costs by almost the squared diameter; a cap; replace."""
    corner = np.zeros((SIDE, SIDE), np.int64)
    budget = Budget(epsilon=1.0)
    for relation, unit in (
        ("add-remove", None),
        ("add-remove", Unit(person_column="rider", cap=CAP)),
        ("replace", None),
    ):
        records = 1 if unit is None else unit.records
        here, there = corner.copy(), corner.copy()
        there[0, 0] += records
        if relation == "replace":
            here[-1, -1] += records
        rows = 256_000
        yield Case(
            data=counts(here, relation, rows=rows, unit=unit),
            neighbours=(counts(there, relation, rows=rows, unit=unit),),
            others=(counts(corner + 1_000, relation, rows=rows, unit=unit),),  # enough records for more rounds
            budget=budget,
            k=1,
        )


def peeled_balls() -> Iterator[Case]:
    """Rounds and refinement under basic composition and under zCDP, both relations, boxes above two dimensions."""
    for delta in (0.0, DELTA):
        budget = Budget(epsilon=4.0, delta=delta)
        yield add_remove(1_500, budget=budget, k=1)
        yield replaced(1_500, budget=budget, k=1)


def peeled_balls_paper() -> Iterator[Case]:
    """Enough rows for the printed schedule to run its rounds."""
    yield replaced(60_000, budget=Budget(epsilon=8.0, delta=1e-5), k=1)


def sample_aggregate() -> Iterator[Case]:
    """Blocks of both sizes."""
    budget = Budget(epsilon=1.0)
    yield add_remove(300, budget=budget, k=1)
    yield replaced(300, budget=budget, k=1)
    first, second = cloud(60, 4)
    yield Case(data=first, neighbours=(second,), others=(), budget=budget)


def covering() -> Iterator[Case]:
    """Add-remove, and under replace the half that a record costs that leaves the box."""
    budget = Budget(epsilon=2.0, delta=DELTA)
    yield add_remove(300, budget=budget)
    yield add_remove(3_000, budget=budget)
    whole = Budget(epsilon=1.0 * (1 + 1e-9), delta=DELTA / 2)
    yield replaced(300, budget=budget, halves=whole)


def regional() -> Iterator[tuple[Mechanism, Case]]:
    """A strict region: a record in it costs its level, one elsewhere the budget; and persons with a cap."""
    ring = ((0.0, 0.0), (0.25, 0.0), (0.25, 0.25), (0.0, 0.25), (0.0, 0.0))
    strict = Region(outline=Outline(name="strict", polygons=((ring,),)), epsilon=0.1)
    cells = town(300)
    south_west, north_east = (SIDE - 1, 0), (0, SIDE - 1)
    inside, outside = with_one_more(cells, (south_west, north_east))
    budget = Budget(epsilon=1.0)
    method = Regional(catalogue.get("uniform_grid"), (strict,))
    yield (
        method,
        Case(
            data=counts(cells),
            neighbours=(counts(inside), counts(outside)),
            others=(counts(town(900, seed=9)),),
            budget=budget,
            claims=(Budget(epsilon=0.1), budget),
        ),
    )


def series() -> None:
    """A first period, and a later one on its cells, pure and by zCDP, for records and for persons."""
    first = catalogue.get("series_cells")
    data = counts(town(600))
    plan = first.plan(Public.of(data), k=2, budget=Budget(epsilon=1.0))
    past = past_of(dict(first.run(data, plan, replayable_source(6)).constants), SIDE)
    run_cases(first, iter([add_remove(600, budget=Budget(epsilon=1.0))]))
    for delta, unit in (
        (0.0, None),
        (0.0, Unit(person_column="rider", cap=CAP)),
        (DELTA, Unit(person_column="rider", cap=CAP)),
    ):
        run_cases(SeriesCells(past), iter([add_remove(600, budget=Budget(epsilon=1.0, delta=delta), unit=unit)]))


def regions() -> None:
    """Regions at their own levels, and a charge that covers the dearest part."""
    for method, case in regional():
        plan = method.plan(Public.of(case.data), k=case.k, budget=case.budget)
        demand(
            sum(charge.epsilon for charge in plan.charges) >= 1.0 - 1e-12,
            "the charge is smaller than what a record outside the regions costs",
        )
        run_cases(method, iter([case]))


def persons() -> None:
    """Caps in methods that count a noisy number of records, and in parts of a map."""
    run_cases(catalogue.get("uniform_grid"), iter([capped()]))
    run_cases(catalogue.get("noisy_lloyd"), iter([capped()]))
    for method, case in regional():
        unit = Unit(person_column="rider", cap=CAP)
        cells = town(300)
        (more,) = with_one_more(cells, ((0, SIDE - 1),))
        share = Budget(epsilon=case.budget.epsilon / CAP)  # parts protect single records, each at a share of the level
        one = replace(case, data=counts(cells, unit=unit), neighbours=(counts(more, unit=unit),), claims=(share,))
        run_cases(method, iter([replace(one, others=())]))


def subsampled() -> None:
    """A secret sample: its rate, its base, and that it is drawn at all."""
    method = catalogue.get("subsampled:uniform_grid")
    budget = Budget(epsilon=1.0)
    for case in (add_remove(300, budget=budget), replaced(300, budget=budget)):
        run_cases(method, iter([replace(case, others=case.others[:1])]))


def charges() -> None:
    """What every method charges adds up to its budget, whatever it is asked for."""
    for method in catalogue.METHODS:
        for relation in sorted(method.info.adjacencies):
            budget = Budget(epsilon=1.0, delta=DELTA if method.info.needs_delta else 0.0)
            if method.info.takes == "points" or method.info.dims[0] > 2:
                data: ExactData = cloud(30, max(2, method.info.dims[0]), relation=relation.value)[0]
            else:
                data = counts(town(30), relation.value)
            plan = method.plan(Public.of(data), k=2, budget=budget)
            verify(plan.charges, budget)
            demand(
                abs(sum(charge.epsilon for charge in plan.charges) - 1.0) < 1e-6,
                f"the charges of {method.info.name} add up to {sum(c.epsilon for c in plan.charges):g} instead of 1",
            )


def _of(name: str, cases: Callable[[], Iterator[Case]]) -> Callable[[], None]:
    @lru_cache(maxsize=1)
    def listed() -> tuple[Case, ...]:
        return tuple(cases())

    return lambda: run_cases(catalogue.get(name), iter(listed()))


def beside_a_map() -> None:
    """A release for both purposes with a public map that resembles its records, and one where nobody is."""
    frame = counts(town(10)).grid.frame
    like = PriorMap.from_array(frame, town(5_000, seed=4) + 0.5)
    for purpose in (Purpose.CENTERS, Purpose.ANY_QUESTION):
        run_cases(
            AdaptiveTree(purpose=purpose, prior=like), iter([add_remove(5_000, budget=Budget(epsilon=1.0), seed=2)])
        )


CHECKS: dict[str, Callable[[], None]] = {
    "transcripts of adaptive_tree": _of("adaptive_tree", adaptive_tree),
    "transcripts beside a public map": beside_a_map,
    "transcripts of uniform_grid": _of("uniform_grid", lambda: in_the_plane("uniform_grid")),
    "transcripts of noisy_lloyd": _of("noisy_lloyd", lambda: in_the_plane("noisy_lloyd")),
    "transcripts of hybrid": _of("hybrid", lambda: in_the_plane("hybrid", records=20_000)),
    "transcripts of peeled_balls": _of("peeled_balls", peeled_balls),
    "transcripts of peeled_balls_paper": _of("peeled_balls_paper", peeled_balls_paper),
    "transcripts of sample_aggregate": _of("sample_aggregate", sample_aggregate),
    "transcripts of genetic": _of("genetic", genetic),
    "transcripts of centred_lines": _of("centred_lines", lambda: in_the_plane("centred_lines")),
    "transcripts of grid_cover": _of("grid_cover", covering),
    "transcripts of balcan": _of("balcan", covering),
    "transcripts of a series": series,
    "transcripts of regions": regions,
    "transcripts of persons with a cap": persons,
    "transcripts of subsampled": subsampled,
    "charges of every method": charges,
}
