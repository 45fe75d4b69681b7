"""All hours in one release: each row in one tile, parts read back, errors against separate releases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.clustering import cost
from dpviz.domain.parts import PARTS, Division, Parts
from dpviz.drawing.film import film
from dpviz.errors import InputError, NothingInBox, NotOffered
from dpviz.ingest import read_parts
from dpviz.ingest.formats.memory_table import pandas_column
from dpviz.ingest.parts import part_of
from dpviz.ingest.units.person_columns import UnitNotChosen
from dpviz.questions.parts import PartsView

BOX = dpviz.GeoBox(11.20, 43.74, 11.30, 43.81)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    draws = np.random.default_rng(3)
    rows = 24_000
    hour = draws.integers(0, 24, rows)
    lon = draws.normal(np.where(hour < 12, 11.23, 11.27), 0.006)
    stamps = (
        pd.to_datetime("2026-02-02")
        + pd.to_timedelta(hour, unit="h")
        + pd.to_timedelta(draws.integers(0, 3600, rows), unit="s")
    )
    return pd.DataFrame(
        {"lon": lon, "lat": draws.normal(43.775, 0.006, rows), "when": stamps.strftime("%Y-%m-%d %H:%M:%S")}
    )


@pytest.fixture(scope="module")
def view(table: pd.DataFrame) -> Iterator[PartsView]:
    counts, parts = read_parts(table, box=BOX, side=32, time="when", zone="Europe/Rome")
    found = dpviz.release(counts, k=5, budget=dpviz.Budget(epsilon=1.0), method="adaptive_tree", seed=2)
    assert isinstance(found, dpviz.Release)
    yield PartsView(found, parts)


@pytest.mark.parametrize("by", sorted(PARTS))
def test_p2_every_pair_of_part_and_cell_has_one_cell_of_the_sheet(by: str) -> None:
    parts = Parts(box=BOX, side=4, divisions=(Division(by=by),))
    part, cell = np.divmod(np.arange(len(parts.names) * 16), 16)
    at = parts.cells_of(part, cell)
    assert len(np.unique(at)) == len(at) and at.min() >= 0 and at.max() < parts.sheet.side**2
    assert (parts.cells_of(np.array([-1, 0, 99]), np.array([3, -1, 3])) == -1).all()
    for number in range(len(parts.names)):
        row, column = parts.corner(number)
        assert at[number * 16] == row * parts.sheet.side + column


def test_one_row_more_changes_one_cell_by_one(table: pd.DataFrame) -> None:
    with_all, _ = read_parts(table, box=BOX, side=32, time="when")
    for row in (0, 7, 23_999):
        without, _ = read_parts(table.drop(index=row), box=BOX, side=32, time="when")
        apart = with_all.to_numpy() - without.to_numpy()
        assert np.abs(apart).sum() <= 1


def test_p1_a_time_is_told_by_its_row_and_the_stated_zone_alone() -> None:
    parts = Division(zone="Europe/Rome")
    times = pd.Series(
        ["2026-02-01 17:30", "2026-02-01T17:30:00Z", "2026-07-01T17:30:00+00:00", "2026-02-01", "", "soon", None]
    )
    assert part_of(pandas_column(times), parts).tolist() == [17, 18, 19, 0, -1, -1, -1]
    for row in range(len(times)):
        assert part_of(pandas_column(times[row : row + 1]), parts)[0] == part_of(pandas_column(times), parts)[row]
    days = Division(by="weekday", zone="Europe/Rome")
    assert part_of(pandas_column(pd.Series(["2026-02-01T23:30:00Z", "2026-02-01 23:30"])), days).tolist() == [0, 6]
    with pytest.raises(InputError, match="holds numbers"):
        part_of(pandas_column(pd.Series([1, 2])), parts)


STRANGE = [
    "2026-03-14T09:00:00.123456789Z",
    "2026-03-14T08Z",
    "20260314T0830+0200",
    "2262-04-11T23:40:00Z",
    "9999-12-31T23:30:00Z",
    "2026-03-29T02:30",
    "2026-10-25T00:30:00Z",
    "2026-02-30 08:00",
    "2026-03-14 08:30+99:99",
    "now",
    "",
]


@pytest.mark.parametrize("strange", STRANGE)
def test_p1_no_time_changes_how_another_row_is_read(strange: str) -> None:
    parts = Division(zone="Europe/Rome")
    rows = ["1500-01-01 08:00:00", "2300-06-01 12:00", "2026-03-14 09:00+02:00", "2026-03-14 09:00:00.5"]
    alone = part_of(pandas_column(pd.Series(rows)), parts).tolist()
    assert alone == [8, 12, 8, 9]
    assert part_of(pandas_column(pd.Series([strange, *rows])), parts).tolist()[1:] == alone


def test_p1_hours_that_a_clock_skips_or_repeats_are_one_part_each() -> None:
    parts = Division(zone="Europe/Rome")
    texts = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z"]
    assert part_of(pandas_column(pd.Series(texts)), parts).tolist() == [2, 2, 1, 3]
    for unit in ("s", "ms", "us", "ns"):
        assert part_of(
            pandas_column(pd.Series(pd.to_datetime(texts, utc=True)).astype(f"datetime64[{unit}, UTC]")), parts
        ).tolist() == [2, 2, 1, 3]
    naive = pd.Series(pd.to_datetime(["2026-03-29 02:30", None]))
    assert part_of(pandas_column(naive), parts).tolist() == [2, -1], "taken as written, and no time is no part"


@pytest.mark.parametrize(
    "row", ["9,9,11.25,43.77,2026-02-01 08:00", "1", "", '"11,25",x,soon', "11.25,43.77,2026-02-01 08:00,9"]
)
@pytest.mark.parametrize("at", [0, 2])
def test_a_broken_row_of_a_file_moves_no_other_row(tmp_path: Path, row: str, at: int) -> None:
    rows = ["11.25,43.77,2026-02-01 08:00", "11.26,43.78,2026-02-01T09:00:00Z"]
    found = []
    for lines in (rows, [*rows[:at], row, *rows[at:]]):
        file = tmp_path / "rows.csv"
        file.write_text("\n".join(["lon,lat,when", *lines]) + "\n")
        counts, _ = read_parts(file, box=BOX, side=4, time="when", protect="record")
        found.append(counts.to_numpy())
    more = found[1] - found[0]
    assert found[0].sum() == 2 and more.min() >= 0 and more.sum() <= 1


def test_files_of_other_kinds_hold_the_same_parts(tmp_path: Path, table: pd.DataFrame) -> None:
    some = table.head(300)
    some.to_csv(tmp_path / "a.csv", index=False, sep=";")
    some.to_csv(tmp_path / "b.csv.gz", index=False)
    some.assign(when=pd.to_datetime(some["when"])).to_parquet(tmp_path / "c.parquet")
    read = [read_parts(file, box=BOX, side=32, time="when")[0].to_numpy() for file in sorted(tmp_path.iterdir())]
    assert len(read) == 3 and all((one == read[0]).all() for one in read) and read[0].sum() == 300


def test_parts_are_read_back_and_their_sum_is_the_day(view: PartsView, table: pd.DataFrame) -> None:
    day = sum(float(view.cells(hour).count.sum()) for hour in range(24))
    tree = view.release.protected_cells
    assert tree is not None and day == pytest.approx(len(table), rel=0.05)
    west = view.curve((11.20, 43.74, 11.25, 43.81))
    assert list(west["part"]) == list(PARTS["hour"])
    truth = (
        table[table["lon"] < 11.25]["when"]
        .str.slice(11, 13)
        .astype(int)
        .value_counts()
        .reindex(range(24), fill_value=0)
    )
    held = (west["low"] <= truth.to_numpy()) & (truth.to_numpy() <= west["high"])
    assert held.sum() >= 17, "of 24 ranges that hold in 90 of 100 draws"
    assert abs(view.centers(3, 1)["lon"][0] - 11.23) < 0.004 and abs(view.centers(20, 1)["lon"][0] - 11.27) < 0.004


def test_an_hour_is_no_worse_than_in_24_releases_of_the_same_total(view: PartsView, table: pd.DataFrame) -> None:
    grid = dpviz.Grid(BOX, 32)
    hour = table["when"].str.slice(11, 13).astype(int)
    ours, apart = 0.0, 0.0
    for number in (1, 6, 13, 21):
        here = table[hour == number]
        points = grid.frame.to_local(here[["lon", "lat"]].to_numpy())
        counts = dpviz.read_counts(here[["lon", "lat"]], box=BOX, side=32)
        single = dpviz.release(counts, k=3, budget=dpviz.Budget(epsilon=1 / 24), method="adaptive_tree", seed=number)
        weights = np.ones(len(points))
        ours += cost(points, weights, grid.frame.to_local(view.centers(number, 3)[["lon", "lat"]].to_numpy()))
        apart += cost(points, weights, grid.frame.to_local(single.centers[["lon", "lat"]].to_numpy()))
    assert ours <= apart


def test_a_release_whose_cells_do_not_follow_the_parts_is_not_read_by_them(table: pd.DataFrame) -> None:
    counts, parts = read_parts(table, box=BOX, side=32, time="when")
    found = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), method="uniform_grid", seed=1)
    assert isinstance(found, dpviz.Release)
    with pytest.raises(NotOffered, match="lie across several hours"):
        PartsView(found, parts)


def test_a_film_holds_every_part_and_asks_for_nothing(view: PartsView) -> None:
    page = film(view, title="A day <of> Florence").decode()
    assert all(page.count(f'<g class="part" data-part="{part}">') == 2 for part in range(24)), (
        "cells and centers of each"
    )
    assert "A day &lt;of&gt; Florence" in page
    assert "Europe/Rome" in page and "default-src 'none'" in page and "OpenStreetMap" in page


def test_names_of_groups_stand_whole_under_their_bars_or_say_that_they_are_cut() -> None:
    draws = np.random.default_rng(2)
    riders = pd.DataFrame({"lon": draws.uniform(11.2, 11.3, 300), "lat": draws.uniform(43.74, 43.81, 300), "plan": "x"})
    names = ["low income", *(f"a group with a long name {number}" for number in range(6))]
    counts, parts = read_parts(riders, box=BOX, side=16, by="plan", values=names)
    page = film(dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), seed=2, parts=parts).parts).decode()
    assert '"short":["low income","a group with\\u2026"' in page


def test_a_file_is_asked_about_persons_and_refused_where_nothing_fits(tmp_path: Path, table: pd.DataFrame) -> None:
    file = tmp_path / "trips.csv"
    table.assign(rider_id=1).head(200).to_csv(file, index=False)
    with pytest.raises(UnitNotChosen):
        read_parts(file, box=BOX, side=32, time="when")
    counts, parts = read_parts(file, box=BOX, side=32, time="when", by="month", protect="record")
    assert counts.report is not None and counts.report.exact_inside == counts.exact_total == 200
    row, column = parts.corner(1)
    assert counts.to_numpy()[row : row + 32, column : column + 32].sum() == 200, "all of February"
    with pytest.raises(InputError, match="no time zone"):
        read_parts(file, box=BOX, side=32, time="when", zone="Florence")
    with pytest.raises(InputError, match="no column 'gone'"):
        read_parts(file, box=BOX, side=32, time="gone", protect="record")
    with pytest.raises(NothingInBox):
        read_parts(file, box=(0, 0, 1, 1), side=32, time="when", protect="record")
    with pytest.raises(InputError, match="not of that box"):
        PartsView(dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), seed=1), Parts(box=BOX, side=32))


def test_a_sheet_goes_through_the_door(table: pd.DataFrame, tmp_path: Path) -> None:
    from dpviz.ledger.ledger import Ledger
    from dpviz.publishing.door import publish
    from dpviz.publishing.registration import register
    from dpviz.releases.request import ReleaseRequest

    counts, parts = read_parts(table, box=BOX, side=32, time="when")
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    dataset = register("florence by hour", counts, total=dpviz.Budget(epsilon=1.0), ledger=ledger)
    made = publish(dataset, ReleaseRequest(k=5, budget=dpviz.Budget(epsilon=1.0), purpose="any question"))
    assert isinstance(made, dpviz.Release) and made.status == "published"
    loaded = dpviz.Release.load(made.save(tmp_path / "out"))
    assert len(PartsView(loaded, parts).curve((11.2, 43.74, 11.3, 43.81))) == 24


GROUPS = ("member", "guest", "rare")


@pytest.fixture(scope="module")
def grouped() -> tuple[dpviz.ExactCounts, Parts, pd.DataFrame]:
    draws = np.random.default_rng(8)
    group = draws.choice(3, 20_000, p=(0.7, 0.299, 0.001))
    table = pd.DataFrame(
        {
            "lon": draws.normal(np.where(group == 1, 11.27, 11.23), 0.006),
            "lat": draws.normal(43.775, 0.006, len(group)),
            "group": np.array(GROUPS)[group],
        }
    )
    return *dpviz.read_parts(table, box=BOX, side=32, by="group", values=GROUPS), table


def test_areas_are_told_by_part_with_their_share_and_small_parts_are_marked(
    grouped: tuple[dpviz.ExactCounts, Parts, pd.DataFrame],
) -> None:
    counts, parts, table = grouped
    found = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=0.1), seed=4, parts=parts)
    west = (11.20, 43.74, 11.25, 43.81)
    told = found.parts.table([west, (11.25, 43.74, 11.30, 43.81)])
    assert list(told["part"][:4]) == [*GROUPS, "other"] and told["area"].nunique() == 2 and len(told) == 8
    inside = table[table["lon"] < 11.25]
    for row, name in enumerate(GROUPS[:2]):
        true = (inside["group"] == name).mean()
        assert told["share_low"][row] - 0.01 <= true <= told["share_high"][row] + 0.01
    whole = found.parts.table()
    assert whole.set_index("part")["weak"].to_dict() == {"member": False, "guest": False, "rare": True, "other": True}
    assert found.part("guest").total().estimate == pytest.approx(whole["estimate"][1])
    assert found.by_time is found.parts


def test_what_to_expect_of_every_part_is_what_is_found(grouped: tuple[dpviz.ExactCounts, Parts, pd.DataFrame]) -> None:
    counts, parts, table = grouped
    request = dpviz.ReleaseRequest(k=2, budget=dpviz.Budget(epsilon=0.1), parts=parts)
    expected = dpviz.expected_parts(counts, request).set_index("part")
    assert expected["exact_records"].to_dict() == {**table["group"].value_counts().to_dict(), "other": 0}
    found = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=0.1), seed=4, parts=parts).parts.table()
    assert (found["reach"] / expected["reach"].to_numpy()).between(0.5, 2.0).all()
    assert list(expected["weak"]) == [False, False, True, True]
    with pytest.raises(InputError, match="not divided into parts"):
        dpviz.expected_parts(counts, dpviz.ReleaseRequest(k=2, budget=dpviz.Budget(epsilon=0.1)))


def test_few_records_in_many_parts_are_still_told_by_part() -> None:
    """Every tile is counted, so nothing is paid for that cannot be read."""
    table = pd.DataFrame({"lon": [11.25] * 40, "lat": [43.775] * 40, "group": [f"g{n % 20}" for n in range(40)]})
    counts, parts = dpviz.read_parts(table, box=BOX, side=64, by="group", values=[f"g{n}" for n in range(100)])
    found = dpviz.release(counts, k=1, budget=dpviz.Budget(epsilon=0.05), seed=1, parts=parts)
    assert len(found.parts.table()) == 101


def test_a_page_of_two_divisions_chooses_the_first_and_slides_along_the_second(table: pd.DataFrame) -> None:
    halves = table.assign(group=np.where(np.arange(len(table)) % 2, "a", "b"))
    counts, parts = dpviz.read_parts(
        halves, box=BOX, side=16, by=["group", "weekday"], values="a,<b>", time="when", zone="UTC"
    )
    release = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), seed=2, parts=parts)
    page = film(release.parts).decode()
    assert '<select id=group aria-label="group">' in page and "&lt;b&gt;</option>" not in page
    assert '"short":["Mon' in page
    assert "&lt;b&gt;" in page and "max=6" in page and page.count('<g class="part" data-part="20">') == 2


def test_compare_lays_two_groups_side_by_side_by_their_shares_and_lists_all(
    grouped: tuple[dpviz.ExactCounts, Parts, pd.DataFrame],
) -> None:
    from dpviz.ui.compare import areas, words as say
    from dpviz.ui.compare.page_choice import list_parts

    counts, parts, _ = grouped
    whole = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), seed=4, parts=parts)
    names = list(list_parts(parts))
    assert names[:2] == ["member", "guest"] and names[-1] == "All together"
    halves = [(11.20, 43.74, 11.25, 43.81), (11.25, 43.74, 11.30, 43.81)]
    member, guest = (areas.counts_of(whole.part(name), halves, None, shares=True) for name in ("member", "guest"))
    told = areas.compare_counts(member.table, guest.table, shares=True)
    assert list(told[say.AREA_VERDICT]) == [say.AREA_DIFFERS] * 2 and told["A about"].sum() == pytest.approx(100, abs=1)
    same = areas.compare_counts(member.table, member.table, shares=True)
    assert list(same[say.AREA_VERDICT]) == [say.AREA_SAME] * 2
    listed = areas.parts_by_area(whole, member.zones)
    assert list(listed.columns) == [say.AREA, *parts.names] and len(listed) == 2
