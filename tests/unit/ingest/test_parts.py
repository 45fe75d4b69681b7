"""Parts by a column: every row by itself, the list is public, a person's rows in one part where that is stated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import dpviz
from dpviz.domain.parts import Division, Parts, divisions_of
from dpviz.errors import InputError
from dpviz.ingest.parts import part_of
from dpviz.noise import replayable_source

BOX = dpviz.GeoBox(11.20, 43.74, 11.30, 43.81)
GROUPS = "member,guest,Schüler"


def tiles(counts: dpviz.ExactCounts, parts: Parts) -> dict[str, int]:
    """How many records are counted in each part."""
    cells, found = counts.to_numpy(), {}
    for number, name in enumerate(parts.names):
        row, column = parts.corner(number)
        found[name] = int(cells[row : row + parts.side, column : column + parts.side].sum())
    return found


def rows(*groups: object) -> pd.DataFrame:
    draws = np.random.default_rng(len(groups))
    return pd.DataFrame(
        {
            "lon": draws.uniform(11.2, 11.3, len(groups)),
            "lat": draws.uniform(43.74, 43.81, len(groups)),
            "group": groups,
        }
    )


def test_p1_a_value_is_told_by_its_row_and_the_list_alone() -> None:
    listed = Division(by="group", values=("member", "guest", "Schüler"))
    column = pa.array(["member", " MEMBER ", "Guest", "schu\u0308ler", "x", "", None])
    assert part_of(column, listed).tolist() == [0, 0, 1, 2, 3, 3, 3]
    assert part_of(
        pa.array([b"guest", "Schüler".encode("latin-1"), "Schüler".encode()], pa.large_binary()), listed
    ).tolist() == [1, 2, 2]
    numbers = Division(by="plan", values=("1", "2"))
    for kind in (pa.int64(), pa.float64(), pa.large_string()):
        assert part_of(pa.array([1, 2, 3]).cast(kind), numbers).tolist() == [0, 1, 2]
    assert part_of(pa.array([True, False]), Division(by="adaptive", values=("true",))).tolist() == [0, 1]
    assert part_of(pa.array(["guest", "x"]).dictionary_encode(), listed).tolist() == [1, 3]


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "geojson"])
def test_files_of_every_kind_hold_the_same_parts(tmp_path: Path, ending: str) -> None:
    table = rows("member", "Guest", "Schüler", "trial", None, "guest")
    file = tmp_path / f"rides.{ending}"
    if ending == "parquet":
        table.to_parquet(file)
    elif ending == "geojson":
        import geopandas

        places = geopandas.points_from_xy(table["lon"], table["lat"])
        geopandas.GeoDataFrame(table[["group"]], geometry=places, crs=4326).to_file(file)
    else:
        table.to_csv(file, index=False)
    counts, parts = dpviz.read_parts(file, box=BOX, side=8, by="group", values=GROUPS)
    assert tiles(counts, parts) == {"member": 1, "guest": 2, "Schüler": 1, "other": 2}
    assert counts.report is not None and any("'trial'" in hint for hint in counts.report.hints), "the curator is told"


def test_one_row_more_changes_one_cell_by_one() -> None:
    table = rows("member", "guest", "x", "member", None, "nan")
    whole = dpviz.read_parts(table, box=BOX, side=8, by="group", values=GROUPS)[0].to_numpy()
    for row in range(len(table)):
        without = dpviz.read_parts(table.drop(index=row), box=BOX, side=8, by="group", values=GROUPS)[0].to_numpy()
        assert np.abs(whole - without).sum() == 1


def test_two_divisions_make_a_part_of_every_pair_and_blocks_of_the_first() -> None:
    table = rows("member", "guest", "guest").assign(when=["2026-03-02 08:10", "2026-03-02 08:50", "2026-03-02 23:00"])
    counts, parts = dpviz.read_parts(table, box=BOX, side=4, by=["group", "hour"], values="member,guest", time="when")
    found = tiles(counts, parts)
    assert len(parts.names) == 3 * 24 and sum(found.values()) == 3
    assert found["member · 08 h"] == found["guest · 08 h"] == found["guest · 23 h"] == 1
    rows_, columns = parts.tile(np.arange(24))
    assert rows_.max() < 8 and columns.max() < 8, "all hours of the first group are one aligned block of the sheet"
    at = parts.cells_of(np.repeat(np.arange(72), 16), np.tile(np.arange(16), 72))
    assert len(np.unique(at)) == len(at)
    part, cell = parts.part_and_cell(at)
    assert (part == np.repeat(np.arange(72), 16)).all() and (cell == np.tile(np.arange(16), 72)).all()
    assert Parts.from_facts(parts.facts()) == parts
    assert parts.named("guest") == tuple(range(24, 48)) and parts.named("hour=8") == (8, 32, 56) == parts.named("08 h")


def test_a_column_called_like_a_time_is_a_column_where_it_has_values() -> None:
    table = rows("8", "9", "8").rename(columns={"group": "hour"})
    counts, parts = dpviz.read_parts(table, box=BOX, side=4, by="hour", values=["8", "9"])
    assert tiles(counts, parts) == {"8": 2, "9": 1, "other": 0}


@pytest.mark.parametrize(
    ("by", "values", "told"),
    [
        ("group", None, "list is never read off the data"),
        ("group", [], "list is empty"),
        ("group", "", "is empty"),
        ("group", "member,Member ", "two spellings of one value"),
        ("group", "other", "name one besides 'other'"),
        ("group", [f"g{n}" for n in range(400)], "at most 366"),
        (["group", "plan"], "a,b", "which list belongs to which column"),
        (["group", "group"], "a,b", "two that differ"),
        ("group", {"plan": "a"}, "divides nothing"),
        ("group", ["a" * 80], "longer than"),
        ("group", "lists/groups.TXT", "reads like a file.s name"),
        ("group", Path("groups.txt"), "lines of a file as a list"),
    ],
)
def test_lists_that_say_nothing_are_refused(by: object, values: object, told: str) -> None:
    with pytest.raises(InputError, match=told):
        dpviz.read_parts(rows("a"), box=BOX, side=4, by=by, values=values)


def test_a_part_named_other_is_the_part_of_all_that_is_not_listed() -> None:
    counts, parts = dpviz.read_parts(rows("a", "Other", "x"), box=BOX, side=4, by="group", values="a,other")
    assert parts.names == ("a", "other") and tiles(counts, parts) == {"a": 1, "other": 2}


def test_a_column_that_tells_rows_apart_is_refused_and_a_strict_reading_looks_at_nothing() -> None:
    table = rows(*(f"trip {number}" for number in range(300)))
    with pytest.raises(InputError, match="tells records apart"):
        dpviz.read_parts(table, box=BOX, side=4, by="group", values="trip 1,trip 2")
    counts, _ = dpviz.read_parts(table, box=BOX, side=4, by="group", values="trip 1,trip 2", strict=True)
    assert counts.exact_total == 300


def test_columns_that_are_used_already_and_missing_columns_are_refused() -> None:
    with pytest.raises(InputError, match="is also a coordinate"):
        dpviz.read_parts(rows("a"), box=BOX, side=4, by="lon", values="1")
    with pytest.raises(InputError, match="no column 'plan'"):
        dpviz.read_parts(rows("a"), box=BOX, side=4, by="plan", values="1")
    with pytest.raises(InputError, match="which column holds the times"):
        dpviz.read_parts(rows("a"), box=BOX, side=4)
    with pytest.raises(InputError, match="add-remove"):
        dpviz.read_parts(rows("a"), box=BOX, side=4, by="group", values="a", relation="replace")
    with pytest.raises(InputError, match="needs a person column"):
        dpviz.read_parts(rows("a"), box=BOX, side=4, by="group", values="a", of_person="group")


def test_persons_keep_at_most_their_cap_in_all_parts_together() -> None:
    table = rows(*("member", "guest") * 10).assign(rider=["anna"] * 12 + ["ben"] * 8)
    noise = replayable_source(1)
    counts, parts = dpviz.read_parts(
        table, box=BOX, side=8, by="group", values="member,guest", person="rider", cap=3, noise=noise
    )
    assert counts.exact_total == 6 and counts.unit.cap == 3 and sum(tiles(counts, parts).values()) == 6


@pytest.mark.parametrize("weighed", [False, True])
def test_a_value_of_the_person_puts_all_their_rows_into_the_part_that_is_first_in_the_list(weighed: bool) -> None:
    table = rows("guest", "member", "guest", "x", "guest", "x").assign(
        rider=["anna", "anna", "anna", "anna", "ben", "ben"], many=[1, 2, 1, 1, 2, 2]
    )
    stated = {"weight": "many", "weight_bound": 2} if weighed else {}
    counts, parts = dpviz.read_parts(
        table, box=BOX, side=8, by="group", values="member,guest", person="rider", cap=9, of_person="group", **stated
    )
    assert tiles(counts, parts) == (
        {"member": 5, "guest": 4, "other": 0} if weighed else {"member": 4, "guest": 2, "other": 0}
    )
    assert counts.report is not None and any("2 persons have several values" in hint for hint in counts.report.hints)
    alone, _ = dpviz.read_parts(
        table[table["rider"] == "ben"], box=BOX, side=8, by="group", values="member,guest", person="rider", cap=9,
        of_person="group", **stated,
    )  # fmt: skip
    assert (counts.to_numpy() - alone.to_numpy()).min() >= 0, "what Anna rode moves no row of Ben's"


def test_weights_fill_the_cell_of_their_part() -> None:
    table = rows("member", "guest").assign(many=[3, 40])
    counts, parts = dpviz.read_parts(
        table, box=BOX, side=8, by="group", values="member,guest", weight="many", weight_bound=10
    )
    assert tiles(counts, parts) == {"member": 3, "guest": 10, "other": 0} and counts.unit.weight_bound == 10


def test_workers_count_the_same_parts(tmp_path: Path) -> None:
    table = pd.concat([rows(*("member", "guest", "x") * 40)])
    for number in range(2):
        table.to_csv(tmp_path / f"{number}.csv", index=False)
    files = str(tmp_path / "*.csv")
    here, _ = dpviz.read_parts(files, box=BOX, side=8, by="group", values="member,guest")
    there, _ = dpviz.read_parts(files, box=BOX, side=8, by="group", values="member,guest", engine="dask")
    assert (here.to_numpy() == there.to_numpy()).all() and here.exact_total == 240


def test_the_traces_of_a_file_are_those_of_the_same_file_without_parts(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows(*("member", "guest") * 30).to_csv(file, index=False)
    divided, _ = dpviz.read_parts(file, box=BOX, side=8, by="group", values="member,guest")
    plain = dpviz.read_counts(file, box=BOX, side=8)
    assert divided.report is not None and plain.report is not None
    assert repr(divided.report.traces) == repr(plain.report.traces)
    assert divided.report.exact_inside == plain.report.exact_inside == 60


def test_a_mapping_states_the_lists_of_two_columns() -> None:
    found = divisions_of(["group", "plan"], {"group": "a,b", "plan": ["x"]}, of_person=["plan"])
    assert [one.names for one in found] == [("a", "b", "other"), ("x", "other")] and found[1].of_person
    parts = Parts(box=BOX, side=4, divisions=found)
    with pytest.raises(InputError, match="part of both"):
        parts.named("other")
    assert parts.named("plan=other") == (1, 3, 5) and Parts.from_facts(parts.facts()) == parts
