"""Cases of rare paths: one for each that ordinary data do not walk; and parts of time in one release."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from dpviz.domain import Adjacency, ExactCounts, GeoBox, Unit
from dpviz.domain.public_map import PriorMap
from dpviz.ingest import read_parts
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.adaptive_tree.partition import BELIEFS
from dpviz.mechanisms.baselines.centred_lines import CENTRED_LINES
from dpviz.mechanisms.baselines.noisy_lloyd import NOISY_LLOYD
from dpviz.mechanisms.by_size import BySize
from dpviz.mechanisms.interface import Purpose
from dpviz.mechanisms.peeled_balls.paper_mechanism import PeeledBallsPaper
from dpviz.mechanisms.peeled_balls.small_ball import PRACTICAL
from dpviz.mechanisms.series_cells import SeriesCells
from dpviz.noise import preview_source, replayable_source, secure_source
from dpviz.privacy import Budget
from dpviz_research.transcripts.cases import (
    CAP,
    DELTA,
    Case,
    budget_for,
    cells_of,
    cloud,
    counted,
    on_streams,
    past_of_a_first,
    pointed,
    regional,
)
from dpviz_research.transcripts.data import counts, points, with_one_more
from dpviz_research.transcripts.edges import (
    Alone,
    Limited,
    Refused,
    Step,
    box_found,
    joint_sums,
    line,
    middle_of_a_box,
    public_chance,
    searched,
    two_clouds,
)

LOUD = Budget(epsilon=100.0, delta=9e-4)
FLORENCE = GeoBox(11.20, 43.74, 11.30, 43.81)
PERSON = Unit(person_column="rider", cap=CAP)


def limited(case: Case, **limits: int) -> Case:
    """With smaller limits of time and memory; `adaptive_tree.growth:X` is written `adaptive_tree__growth__X`."""
    named = {"mechanisms." + ".".join(key.split("__")[:-1]) + ":" + key.split("__")[-1]: limits[key] for key in limits}
    base = case.mechanism or catalogue.get(case.method)
    return replace(case, label=f"small limits, {case.label}", mechanism=Limited(base, named))


def of_trees() -> Iterator[Case]:
    """Trees that may not grow further, parts without weight, periods of too many cells, other purposes."""
    strong = counted("adaptive_tree", "metropolis", "add-remove", Budget(epsilon=4.0), k=16).shorter(2, 1)
    yield limited(strong, adaptive_tree__growth__MOST_CHILDREN=64)
    yield limited(strong, adaptive_tree__surface__FINEST=8)
    yield limited(strong, adaptive_tree__residual__MOST_STEPS=1)
    yield limited(strong, adaptive_tree__growth__RESIDUAL_SIDE=8)
    for relation in ("add-remove", "replace"):
        case = counted("adaptive_tree", "metropolis", relation, Budget(epsilon=4.0), k=10).shorter(2, 1)
        yield limited(case, adaptive_tree__residual__LOSS=0)  # a pick wherever there is another clustering
        few = counted("adaptive_tree", "metropolis", relation, Budget(epsilon=4.0), k=3).shorter(2, 1)
        yield limited(few, adaptive_tree__residual__LOSS_OF_FEW=0)
        yield from beside_maps(few)
    for purpose in (Purpose.BALANCED, Purpose.ANY_QUESTION):
        for kind in ("city", "metropolis"):
            case = counted("adaptive_tree", kind, "add-remove", Budget(epsilon=1.0)).shorter(2, 1)
            yield replace(case, mechanism=AdaptiveTree(purpose=purpose), label=f"{purpose.value}, {case.label}")
    yield counted("adaptive_tree", "one", "add-remove", Budget(epsilon=0.5), k=1)
    yield counted("adaptive_tree", "corner", "add-remove", Budget(epsilon=8.0), k=40)
    yield counted("adaptive_tree", "corner", "replace", Budget(epsilon=50.0), k=60).shorter(2, 1)
    yield counted("adaptive_tree", "huge", "add-remove", Budget(epsilon=100.0), k=60).shorter(2, 1)
    yield pointed("adaptive_tree", 2, 400, "add-remove", Budget(epsilon=2.0))
    yield pointed("adaptive_tree", 1, 600, "add-remove", Budget(epsilon=20.0), k=40).shorter(2, 1)
    streams = on_streams(pointed("adaptive_tree", 3, 900, "add-remove", Budget(epsilon=20.0)).shorter(2, 1))
    yield limited(streams, adaptive_tree__bisection__TABLE_TURNS=5)
    small = counted("uniform_grid", "metropolis", "add-remove", Budget(epsilon=1.0)).shorter(2, 1)
    yield limited(small, uniform_grid__SOLVER_POINTS=64)
    for printed in catalogue.AS_PRINTED:
        yield counted(printed.info.name, "town", "add-remove", Budget(epsilon=1.0)).shorter(2, 1)
        yield pointed(printed.info.name, 3, 300, "replace", Budget(epsilon=4.0), k=2).shorter(2, 1)
    yield counted("centred_lines", "town", "add-remove", Budget(epsilon=2e-6), k=3).shorter(2, 1)
    few_cells = replace(BELIEFS, most_cells=8)
    first = counted("series_cells", "city", "add-remove", Budget(epsilon=2.0)).shorter(3, 1)
    yield replace(first, mechanism=SeriesCells(beliefs=few_cells), label=f"few cells, {first.label}")
    grown = SeriesCells(past_of_a_first("metropolis", None, 0.1), beliefs=replace(BELIEFS, most_cells=40))
    yield replace(first, mechanism=grown, label=f"little room for more cells, {first.label}")


def beside_maps(case: Case) -> Iterator[Case]:
    """The same with a public map: one like these records, one that says nothing of most ground, for both purposes."""
    frame, side = case.data.grid.frame, case.data.grid.side  # type: ignore[union-attr]
    like = cells_of("metropolis", side) + np.random.default_rng(8).poisson(3.0, (side, side))
    corner = np.zeros((5, 3))
    corner[0, 0] = 1.0
    for name, weights in (("like", like), ("corner", corner)):
        for purpose in (Purpose.CENTERS, Purpose.ANY_QUESTION):
            method = AdaptiveTree(purpose=purpose, prior=PriorMap.from_array(frame, weights, name=name))
            yield replace(case, mechanism=method, label=f"a public map ({name}), {purpose.value}, {case.label}")


def of_searches() -> Iterator[Case]:
    """Sums that are remembered, regions of which none answers, ranges of no width, coins that need more digits."""
    again = counted("peeled_balls", "city", "add-remove", Budget(epsilon=20.0), k=2).shorter(2, 1)
    yield replace(again, others=[again.data, *again.others], label=f"asked again, {again.label}")
    coin = Limited(catalogue.get("peeled_balls"), {"noise.decisions:_DIGITS": 4, "noise.decisions:WORDS": 1})
    yield replace(again, mechanism=coin, label=f"coins of four digits, {again.label}")
    yield regional("peeled_balls", "empty", Budget(epsilon=0.05))
    yield regional("peeled_balls", "one", Budget(epsilon=2.0), k=1)
    yield regional("uniform_grid", "town", Budget(epsilon=0.5), k=1, squares={"spot": ((0.39, 0.39), (0.4, 0.4))})
    average = counted("sample_aggregate", "town", "add-remove", Budget(epsilon=0.1), k=3).shorter(3, 1)
    yield limited(average, baselines__sample_aggregate__POSITIONS=2)
    secure = counted("peeled_balls", "town", "add-remove", Budget(epsilon=4.0), k=1).shorter(2, 1)
    yield replace(secure, noise=secure_source, label=f"secure noise, {secure.label}")
    yield replace(secure, noise=preview_source, label=f"noise of a preview, {secure.label}")


def of_the_printed_algorithm() -> Iterator[Case]:
    """Many rows of which none is in the box: no radius, no box."""
    every = PeeledBallsPaper(replace(PRACTICAL, name="every radius", radii=None))
    cells = np.zeros((64, 64), np.int64)
    near = with_one_more(cells, ((0, 0), (40, 40)))
    for mechanism in (None, every):
        yield Case(
            method="peeled_balls_paper",
            label="many rows outside the box",
            data=counts(cells, "replace", rows=400_000),
            neighbours=[counts(one, "replace", rows=400_000) for one in near],
            budget=LOUD,
            k=1,
            mechanism=mechanism,
        )


def of_covers() -> Iterator[Case]:
    """Grids that are hash tables, tables that must grow, images in fewer dimensions."""
    budget = budget_for("grid_cover", 0.1)
    yield limited(counted("grid_cover", "town", "add-remove", budget, k=3), baselines__grid_cover__DENSE=16)
    yield limited(pointed("grid_cover", 3, 40, "add-remove", budget), baselines__grid_cover__DENSE=16).shorter(3, 1)
    many = pointed("grid_cover", 3, 3000, "add-remove", budget_for("grid_cover", 2.0)).shorter(2, 1)
    yield limited(many, baselines__grid_cover__DENSE=16)
    yield pointed("grid_cover", 12, 2000, "add-remove", budget_for("grid_cover", 100.0), k=1).shorter(2, 1)
    yield pointed("balcan", 12, 2000, "add-remove", budget_for("balcan", 100.0), k=1).shorter(2, 1)


def of_sizes() -> Iterator[Case]:
    """The choice by size: sizes that each method is chosen for, persons with a cap, a chosen method that refuses."""
    for dims, records, epsilon, k in ((3, 3000, 8.0, 3), (3, 60, 0.2, 2), (4, 300, 4.0, 2), (4, 30, 4.0, 2)):
        yield pointed("by_size", dims, records, "add-remove", Budget(epsilon=epsilon), k=k).shorter(3, 2)
    cube = cloud(3, 300)
    more = [np.vstack([cube, np.tile(end, (CAP, 1))]) for end in (np.zeros(3), np.ones(3))]
    yield Case(
        method="by_size",
        label="persons with a cap",
        data=points(cube, unit=PERSON),
        neighbours=[points(one, unit=PERSON) for one in more],
        others=[points(cube[:0], unit=PERSON), points(cloud(3, 2000), unit=PERSON)],
        budget=Budget(epsilon=2.0),
    )
    refusing = BySize(dict.fromkeys(catalogue.BY_SIZE.candidates, CENTRED_LINES))
    silent = pointed("by_size", 3, 60, "add-remove", Budget(epsilon=3e-6)).shorter(2, 1)
    yield replace(silent, mechanism=refusing, label="the chosen method gives no answer")
    bare = BySize(dict.fromkeys(catalogue.BY_SIZE.candidates, NOISY_LLOYD))
    yield replace(pointed("by_size", 3, 400, "add-remove", Budget(epsilon=1.0)), mechanism=bare, label="no cells")


def of_parts() -> Iterator[Case]:
    """Hours, weekdays, months and groups of a table on one sheet; a row or a person more or fewer, another table."""
    rows = trips(900)
    for by, method, epsilon in (
        ("hour", "adaptive_tree", 1.0),
        ("weekday", "uniform_grid", 0.5),
        ("month", "peeled_balls", 4.0),
    ):
        tables = [rows.drop(index=number) for number in (0, 17, 899)]
        late = pd.DataFrame({"lon": [11.2999], "lat": [43.7401], "when": ["2026-12-31 23:59:59"]})
        tables.append(pd.concat([rows, late]))
        yield Case(
            method=f"parts:{method}",
            label=f"every {by}",
            data=on_sheet(rows, by),
            neighbours=[on_sheet(one, by) for one in tables],
            others=[on_sheet(trips(40, 5), by)],
            budget=Budget(epsilon=epsilon),
            mechanism=catalogue.get(method),
        )

    riders = trips(240).assign(rider=np.arange(240) % 60)
    for of_person in ((), ("group",)):
        yield Case(
            method="parts:adaptive_tree",
            label=f"groups and persons, {'of the person' if of_person else 'of the ride'}",
            data=of_persons(riders, of_person),
            neighbours=[of_persons(riders[riders["rider"] != rider], of_person) for rider in (0, 7, 59)],
            others=[of_persons(trips(40, 5).assign(rider=1), of_person)],
            budget=Budget(epsilon=float(PERSON.records)),
            mechanism=catalogue.get("adaptive_tree"),
        )


def of_persons(table: pd.DataFrame, of_person: tuple[str, ...], values: str = "member,guest") -> ExactCounts:
    """Counts by group of at most so many rows of each person; the coins are the same, so that neighbours are."""
    return read_parts(
        table,
        box=FLORENCE,
        side=8,
        by="group",
        values=values,
        of_person=of_person,
        person=PERSON.person_column,
        cap=PERSON.cap,
        noise=replayable_source(1),
    )[0]


def trips(rows: int, seed: int = 3) -> pd.DataFrame:
    """A year of places and times, some without a time, some outside the box."""
    draws = np.random.default_rng(seed)
    times = pd.to_datetime("2026-01-01") + pd.to_timedelta(draws.integers(0, 365 * 24 * 60, rows), unit="min")
    table = pd.DataFrame(
        {"lon": draws.normal(11.25, 0.02, rows), "lat": draws.normal(43.775, 0.015, rows), "when": times.astype(str)}
    )
    table.loc[draws.random(rows) < 0.05, "when"] = ""
    table["group"] = draws.choice(["member", "guest", "trial", ""], rows)
    return table


def on_sheet(table: pd.DataFrame, by: str, side: int = 8) -> ExactCounts:
    """The counts that are handed to a method."""
    return read_parts(table, box=FLORENCE, side=side, time="when", by=by, zone="Europe/Rome")[0]


def alone(name: str, step: Step, data: list[ExactCounts], budget: Budget, others: int = 1) -> Case:
    """A step on the first of these, forced on all others; the last ones are no neighbours."""
    first, *rest = data
    return Case(
        method=f"step: {name}",
        label=name,
        data=first,
        neighbours=rest[: len(rest) - others],
        others=rest[len(rest) - others :],
        budget=budget,
        mechanism=Alone(name, step, first.relation),
    )


def steps() -> Iterator[Case]:
    """Searches that find nothing, or everything; boxes that nobody is in; noise at the border of its support."""
    places = 64
    none, flat, peak = [0] * places, [500] * places, [0] * 20 + [900] + [0] * (places - 21)
    for values, promise, epsilon in ((none, 50, 1.0), (flat, 400, 20.0), (peak, 800, 20.0)):
        near = [line([*values[:at], values[at] + 1, *values[at + 1 :]]) for at in (0, 20, places - 1)]
        data = [line(values), *near, line([7] * places)]
        search = alone("search", searched(promise), data, Budget(epsilon=epsilon, delta=DELTA))
        yield search
        inner = Alone("search", searched(promise), Adjacency.ADD_REMOVE_ONE)
        for longest in (2, 3):
            deeper = Limited(inner, {"noise.recconcave:BASE_RANGE": longest})
            yield replace(search, mechanism=deeper, label=f"a search in more levels, down to {longest} places")
    empty = np.zeros((16, 16), np.int64)
    crowd = empty.copy()
    crowd[4, 5], crowd[12, 12] = 300, 2
    for cells in (empty, crowd):
        near_cells = with_one_more(cells, ((0, 0), (4, 5)))
        data = [counts(one, "replace", rows=400) for one in (cells, *near_cells, np.rot90(crowd).copy())]
        for heavy in (-(10**4), 10, 10**4):
            yield alone("box", box_found(heavy), data, Budget(epsilon=3.0, delta=DELTA))
        for epsilon in (0.5, 2.0, 5.0):
            yield alone("middle of a box", middle_of_a_box, data, Budget(epsilon=epsilon))
    row = [line([2, 0, 1, 0]), line([3, 0, 1, 0]), line([2, 1, 1, 0]), line([9, 9, 9, 9])]
    yield alone("joint noise", joint_sums, row, Budget(epsilon=1.0))
    yield alone("public chance", public_chance, row, Budget(epsilon=1.0))


def refusals() -> Iterator[Refused]:
    """Requests that no method may take: refused from public numbers alone."""
    plane = (counts(cells_of("town")), counts(cells_of("empty")))
    swapped = (counts(cells_of("town"), "replace", rows=400), counts(cells_of("empty"), "replace", rows=400))
    persons = (counts(cells_of("town"), unit=PERSON), counts(cells_of("empty"), unit=PERSON))
    space, wide = two_clouds(3), two_clouds(20)
    usual, many = Budget(epsilon=1.0), Budget(epsilon=1e-6)
    for method in (*catalogue.METHODS, catalogue.BY_SIZE):
        yield Refused(mechanism=method, data=wide if method.info.dims[1] < 20 else plane, budget=usual, k=0)
        yield Refused(mechanism=method, data=plane, budget=Budget(epsilon=1e-9))
        if method.info.dims[1] < 20:
            yield Refused(mechanism=method, data=wide, budget=budget_for(method.info.name, 1.0))
        if not method.info.person_cap and Adjacency.ADD_REMOVE_ONE in method.info.adjacencies:
            yield Refused(mechanism=method, data=persons, budget=usual)
        if Adjacency.REPLACE_ONE not in method.info.adjacencies:
            yield Refused(mechanism=method, data=swapped, budget=usual)
        if method.info.needs_delta:
            yield Refused(mechanism=method, data=swapped if "paper" in method.info.name else plane, budget=usual)
    aggregate = catalogue.get("sample_aggregate")
    yield Refused(mechanism=aggregate, data=space, budget=many, k=256)
    yield Refused(
        mechanism=SeriesCells(past_of_a_first("city", None)), data=(counts(np.zeros((64, 64), np.int64)),), budget=usual
    )
    yield Refused(mechanism=catalogue.get("regional:uniform_grid"), data=plane, budget=usual)


GROUPS: tuple[Callable[[], Iterator[Case]], ...] = (
    of_trees,
    of_searches,
    of_the_printed_algorithm,
    of_covers,
    of_sizes,
    of_parts,
    steps,
)


def rare() -> Iterator[Case]:
    """All of them; fast ones."""
    for group in GROUPS:
        yield from group()
