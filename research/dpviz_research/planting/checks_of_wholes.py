"""Checks of the choice by size and of parts: forced transcripts, and rows taken out of a table."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpviz.domain import Grid, PlainBox, Unit
from dpviz.domain.counts import LevelCounts
from dpviz.ingest import read_counts, read_parts
from dpviz.ingest.units.person_columns import UnitNotChosen
from dpviz.mechanisms import catalogue
from dpviz.privacy import Budget
from dpviz_research.planting.checks_of_methods import Case, run_cases
from dpviz_research.planting.finding import demand, refuses
from dpviz_research.transcripts import cases as walked
from dpviz_research.transcripts.cases import DELTA, Case as WalkedCase, cloud
from dpviz_research.transcripts.check import check_transcript
from dpviz_research.transcripts.data import points
from dpviz_research.transcripts.rare import FLORENCE, PERSON, of_parts, of_persons, on_sheet


@lru_cache(maxsize=1)
def sizes() -> tuple[Case, ...]:
    """Records and persons with a cap: one unit more, and clouds of other sizes, one of them empty."""
    cube = cloud(3, 200)
    others = (cube[:0], cloud(3, 1_200, seed=4))
    found = []
    for unit in (None, PERSON):
        more = np.vstack([cube, np.full((1 if unit is None else unit.records, 3), 0.99)])
        found.append(
            Case(
                data=points(cube, unit=unit),
                neighbours=(points(more, unit=unit),),
                others=tuple(points(one, unit=unit) for one in others),
                budget=Budget(epsilon=1.0),
            )
        )
    return tuple(found)


def mean_split() -> None:
    """Records at the ends of the box, persons, replaced rows; with and without δ."""
    for case in means():
        case.run()


def means() -> Iterator[WalkedCase]:
    """Enough records for cells and halves; neighbours whose offsets are as long as they may be."""
    for delta in (0.0, DELTA):
        yield walked.pointed("mean_split", 6, 900, "add-remove", Budget(epsilon=20.0, delta=delta)).shorter(4, 1)
        yield walked.pointed("mean_split", 5, 900, "replace", Budget(epsilon=30.0, delta=delta), k=2).shorter(3, 1)
        yield walked.capped("mean_split", 6, Budget(epsilon=60.0, delta=delta)).shorter(3, 1)


def by_size() -> None:
    """The number that chooses, and what is left for the chosen method."""
    run_cases(catalogue.get("by_size"), iter(sizes()))


def rows_and_parts() -> None:
    """A row more or fewer changes one cell of the sheet by one, whatever the others are."""
    times = [
        f"2026-0{month}-1{day} {hour:02d}:30" for month, day, hour in ((1, 2, 5), (2, 3, 9), (2, 4, 17), (7, 1, 20))
    ]
    table = pd.DataFrame(
        {"lon": [11.21, 11.21, 11.25, 11.29, 11.23, 11.25, 11.25], "lat": 43.77, "when": [*times, "", *times[2:3] * 2]}
    )
    for by in ("hour", "weekday", "month"):
        whole = on_sheet(table, by).exact_cells
        for row in range(len(table)):
            apart = np.abs(whole - on_sheet(table.drop(index=row), by).exact_cells)
            demand(int(apart.sum()) <= 1, f"a row that is taken out changes the {by}s' counts by {int(apart.sum())}")
    groups = table.assign(group=["b", "a", "", "b", "c", "a", "d"])
    for row in range(len(groups)):
        one, other = (
            read_parts(rows, box=FLORENCE, side=8, by="group", values="a,b")[0].exact_cells
            for rows in (groups, groups.drop(index=row))
        )
        apart = np.abs(one - other)
        demand(int(apart.sum()) <= 1, f"a row that is taken out changes the groups' counts by {int(apart.sum())}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trips.csv"
        table.assign(rider_id=1).to_csv(file, index=False)
        refuses(
            lambda: read_parts(file, box=FLORENCE, side=8, time="when"),
            UnitNotChosen,
            "a file of persons is counted as single records, and nobody was asked",
        )


def persons_and_parts() -> None:
    """A person more or fewer changes the sheet by the cap, and no row of another person."""
    places = {"lon": np.linspace(11.21, 11.29, 12), "lat": 43.77, "group": ["a", "b", "x"] * 4}
    table = pd.DataFrame({**places, "rider": np.repeat([0, 1, 2], 4)})
    table.loc[table["rider"] > 0, "group"] = ["b"] * 4 + ["x"] * 4  # one person alone has an "a"
    cap = PERSON.records
    for of_person in ((), ("group",)):
        whole = of_persons(pd.concat([table] * 3), of_person, "a,b").exact_cells
        for rider in (0, 1, 2):
            without = of_persons(pd.concat([table[table["rider"] != rider]] * 3), of_person, "a,b").exact_cells
            apart = int(np.abs(whole - without).sum())
            demand(apart <= cap, f"a person who is taken out changes the sheet by {apart}, and the cap is {cap}")


def transcripts_of_parts() -> None:
    """Times and groups on one sheet, on tables that differ in a row or a person."""
    for case in of_parts():
        case.run()


def own_levels() -> None:
    """One record, or person, of each level more; each may cost that level's ε, and none more than the ceiling."""
    levels, side, ceiling = (4.0, 0.3, 0.05), 16, 1.0
    draw = np.random.default_rng(3)
    sheets = draw.poisson(6.0, (len(levels), side, side))
    for person in (None, "rider"):
        unit = Unit(person_column=person, cap=None if person is None else 3, level_column="choice", levels=levels)

        def counted(cells: np.ndarray, unit: Unit = unit) -> LevelCounts:
            return LevelCounts(Grid(PlainBox((0.0, 0.0), (1.0, 1.0)), side), cells.astype(np.int64), unit=unit)

        more = [sheets + unit.records * (np.indices(sheets.shape)[0] == at) * corner(side) for at in range(len(levels))]
        check_transcript(
            catalogue.get("own_levels"),
            counted(sheets),
            [counted(one) for one in more],
            budget=Budget(epsilon=ceiling),
            claims=[Budget(epsilon=min(one, ceiling)) for one in levels],
            others=[counted(np.zeros_like(sheets)), counted(sheets[::-1])],
        )


def corner(side: int) -> np.ndarray:
    """1 in one cell of a sheet."""
    cells = np.zeros((side, side), np.int64)
    cells[2, 3] = 1
    return cells


def rows_and_levels() -> None:
    """Each row's level by itself, missing ones as the strictest, and the strictest of a person's rows."""
    rows = pd.DataFrame({"lon": 11.25, "lat": 43.78, "said": ["0.3", None, "x", "3"], "rider": ["a", "a", "b", "c"]})
    stated: dict[str, Any] = {"box": FLORENCE, "side": 2, "level": "said", "level_scale": "epsilon"}
    cases: tuple[tuple[dict[str, Any], list[int]], ...] = (
        ({}, [0, 1, 0, 0, 1, 0, 2]),
        ({"person": "rider", "cap": 1}, [0, 1, 0, 0, 0, 0, 2]),
    )
    for more, wanted in cases:
        found = read_counts(rows, **stated, **more)
        assert isinstance(found, LevelCounts)
        held = found.exact_by_level.sum(axis=(1, 2)).tolist()
        demand(held == wanted, f"rows were counted by level as {held}, and are {wanted}")


CHECKS: dict[str, Callable[[], None]] = {
    "transcripts of by_size": by_size,
    "transcripts of mean_split": mean_split,
    "rows and parts": rows_and_parts,
    "persons and parts": persons_and_parts,
    "transcripts of parts": transcripts_of_parts,
    "transcripts of own_levels": own_levels,
    "rows and levels": rows_and_levels,
}
