"""The same people under another name are refused until somebody says who they are; a person cap keeps its rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox
from dpviz.domain.traces import Traces, share_persons, share_records
from dpviz.errors import InputError, LedgerRefusal
from dpviz.ingest import read_counts, read_points
from dpviz.ingest.saving import load_saved_counts, save_counts
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import Budget
from dpviz.publishing import audit_log as log
from dpviz.publishing.datasets import SameContentWarning, open_dataset
from dpviz.publishing.door import publish
from dpviz.publishing.populations import membership
from dpviz.publishing.record_similarity import OTHER_PEOPLE, LikelySamePeople
from dpviz.publishing.registration import register, register_same_people
from dpviz.releases.request import ReleaseRequest
from tests.oracles.overlap import TWINS

BOX = GeoBox(13.0, 52.3, 13.8, 52.7)
TOTAL = Budget(epsilon=2.0, delta=1e-6)
REQUEST = ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="uniform_grid")


def month(seed: int, rows: int = 20_000) -> pd.DataFrame:
    """One month of one city: places stay, records are drawn anew. Riders come back."""
    city = np.random.default_rng(1)
    centers = city.uniform([13.1, 52.4], [13.7, 52.6], (40, 2))
    spread, weight = city.uniform(0.001, 0.02, 40), city.dirichlet(np.full(40, 0.5))
    drawn = np.random.default_rng(seed)
    home = drawn.choice(40, rows, p=weight)
    place = centers[home] + drawn.normal(size=(rows, 2)) * spread[home][:, None]
    return pd.DataFrame({"lon": place[:, 0], "lat": place[:, 1], "rider": drawn.integers(0, 2000, rows)})


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite3")


def counts_of(table: pd.DataFrame | Path, box: GeoBox = BOX, side: int = 64, **more: object) -> ExactCounts:
    more = {"protect": "record", **more} if "person" not in more else more
    return read_counts(str(table) if isinstance(table, Path) else table, box=box, side=side, **more)  # type: ignore[arg-type]


def other_looks(table: pd.DataFrame) -> dict[str, tuple[pd.DataFrame, dict[str, object]]]:
    """The same file as it may come back: other rows, order, box, grid, names, numbers and beginning of columns."""
    fewer = table.sample(frac=0.95, random_state=1).reset_index(drop=True)
    renamed = table.rename(columns={"lon": "x_start", "lat": "y_start"})[["y_start", "rider", "x_start"]]
    half = {"box": GeoBox(13.4, 52.3, 14.2, 52.7), "side": 128}
    return {
        "five of a hundred rows less, shuffled": (fewer, {}),
        "another box, overlapping by half": (table, half),
        "another grid": (table, {"side": 32}),
        "other names of columns": (renamed, {"lon": "x_start", "lat": "y_start"}),
        "five digits": (table.round({"lon": 5, "lat": 5}), {}),
        "single precision": (table.astype({"lon": np.float32, "lat": np.float32}), {}),
        "two months in one file": (pd.concat([month(5), table]), {}),
        "all of it at once": (fewer.rename(columns={"lon": "x", "lat": "y"}), {**half, "lon": "x", "lat": "y"}),
    }


@pytest.mark.parametrize("look", list(other_looks(month(0, 10))))
def test_the_same_file_is_refused_under_another_name_whatever_it_looks_like(ledger: Ledger, look: str) -> None:
    first = month(2)
    register("january", counts_of(first), total=TOTAL, ledger=ledger)
    table, how = other_looks(first)[look]
    with pytest.raises(LikelySamePeople, match="'january'") as refused:
        register("again", counts_of(table, **how), total=TOTAL, ledger=ledger)  # type: ignore[arg-type]
    assert refused.value.exit_code == 3 and refused.value.values["alike"] == ("january",)
    assert [row.name for row in ledger.datasets()] == ["january"] and ledger.charges() == []


def test_other_months_of_one_city_are_other_records(ledger: Ledger) -> None:
    for seed in range(2, 14):
        register("abcdefghijklmn"[seed] * 3, counts_of(month(seed)), total=TOTAL, ledger=ledger)
    assert not ledger.notes(OTHER_PEOPLE)


@pytest.mark.parametrize("places", [800, 40])
def test_other_months_of_few_stations_are_other_records_and_fewer_rows_are_the_same(places: int) -> None:
    stations = month(1, places)[["lon", "lat"]].to_numpy()

    def table_of(points: np.ndarray) -> np.ndarray:
        traces = Traces.empty(1)
        traces.add((np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])))
        return traces.places[0]

    def taken(seed: int) -> np.ndarray:
        return stations[np.random.default_rng(seed).choice(places, 50_000)]

    tables = [table_of(taken(seed)) for seed in range(8)]
    assert not any(share_records(one, two) for i, one in enumerate(tables) for two in tables[:i])
    some = taken(0)[np.random.default_rng(9).random(50_000) < 0.95]
    assert share_records(tables[0], table_of(some)) or places == 40  # forty places say too little


def test_boxes_apart_hold_other_records_but_maybe_the_same_persons(ledger: Ledger) -> None:
    table = month(2)
    west, east = GeoBox(13.0, 52.3, 13.4, 52.7), GeoBox(13.4, 52.3, 13.8, 52.7)
    register("west", counts_of(table, west), total=TOTAL, ledger=ledger)
    register("east", counts_of(table, east), total=TOTAL, ledger=ledger)
    persons: dict[str, object] = {"person": "rider", "cap": 2, "noise": ledger.cap_source()}
    with pytest.raises(LikelySamePeople):
        register("east by riders", counts_of(table, east, **persons), total=TOTAL, ledger=ledger)  # type: ignore[arg-type]


def test_the_same_riders_in_another_month_are_refused_and_others_are_not(ledger: Ledger) -> None:
    persons: dict[str, object] = {"person": "rider", "cap": 2, "noise": ledger.cap_source()}
    register("january", counts_of(month(2), **persons), total=TOTAL, ledger=ledger)  # type: ignore[arg-type]
    with pytest.raises(LikelySamePeople, match="'january'"):
        register("february", counts_of(month(3), **persons), total=TOTAL, ledger=ledger)  # type: ignore[arg-type]
    others = month(4).assign(rider=lambda rows: rows.rider + 1_000_000)
    with pytest.warns(SameContentWarning, match="may be about the same people"):  # the same column and box: a note
        register("elsewhere", counts_of(others, **persons), total=TOTAL, ledger=ledger)  # type: ignore[arg-type]


def test_points_of_both_ends_and_counts_of_one_are_known_as_one_file(ledger: Ledger) -> None:
    trips = pd.concat([month(2, 3000)[["lon", "lat"]], month(3, 3000)[["lon", "lat"]].add_suffix("_to")], axis=1)
    ends = ["lon", "lat", "lon_to", "lat_to"]
    both = read_points(trips, columns=ends, box=BOX, protect="record")
    register("trips", both, total=TOTAL, ledger=ledger)
    with pytest.raises(LikelySamePeople):
        register("ends", counts_of(trips, lon="lon_to", lat="lat_to"), total=TOTAL, ledger=ledger)
    streamed = read_points(trips, columns=ends, box=BOX, protect="record", stream=True)
    with pytest.raises(LikelySamePeople):
        register("streamed", streamed, total=TOTAL, ledger=ledger)


@pytest.mark.filterwarnings("ignore::dpviz.publishing.datasets.SameContentWarning")
def test_saved_counts_keep_what_they_are_known_by(ledger: Ledger, tmp_path: Path) -> None:
    table = month(2)
    register("january", counts_of(table), total=TOTAL, ledger=ledger)
    half = counts_of(table, GeoBox(13.4, 52.3, 14.2, 52.7), person="rider", cap=2, noise=ledger.cap_source())
    saved = load_saved_counts(save_counts(half, tmp_path / "half.npz"))
    with pytest.raises(LikelySamePeople):
        register("half", saved, total=TOTAL, ledger=ledger)
    register("riders", saved, total=TOTAL, ledger=ledger, other_people="a test of persons")
    with pytest.raises(LikelySamePeople, match="'riders'"):
        other = counts_of(month(3), person="rider", cap=5, noise=ledger.cap_source())
        register("february", other, total=TOTAL, ledger=ledger)


def test_other_people_are_registered_with_the_reason_in_the_ledger(ledger: Ledger) -> None:
    table = month(2)
    register("january", counts_of(table), total=TOTAL, ledger=ledger)
    with pytest.raises(InputError, match="say why"):
        register("again", counts_of(table), total=TOTAL, ledger=ledger, other_people="  ")
    with pytest.warns(SameContentWarning, match="'january'"):
        found = register("again", counts_of(table, side=32), total=TOTAL, ledger=ledger, other_people="made anew")
    (note,) = ledger.notes(OTHER_PEOPLE)
    assert (note.subject, note.facts, note.why) == ("again", {"alike": ["january"]}, "made anew")
    assert found.remaining.epsilon == 2 and membership(ledger, "again") is None
    assert any("other people" in event.what and event.why == "made anew" for event in log.events(ledger))
    assert (
        register("again", counts_of(table, side=32), total=TOTAL, ledger=ledger).row == found.row
    )  # no match of itself


def test_the_same_people_share_one_budget(ledger: Ledger) -> None:
    table = month(2)
    first = register("january", counts_of(table), total=TOTAL, ledger=ledger)
    publish(first, REQUEST)
    second = register(
        "again", counts_of(table, side=32), total=Budget(epsilon=50.0), ledger=ledger, same_people="january"
    )
    assert first.remaining.epsilon == second.remaining.epsilon == 1.5
    publish(second, ReleaseRequest(k=3, budget=Budget(epsilon=1.0), method="uniform_grid"))
    for dataset in (first, second):
        assert dataset.remaining.epsilon == 0.5
        with pytest.raises(LedgerRefusal, match="people of january"):
            publish(dataset, ReleaseRequest(k=4, budget=Budget(epsilon=1.0), method="uniform_grid"))
    third = register_same_people("third", counts_of(table, side=128), like="again", ledger=ledger)
    assert third.remaining.epsilon == 0.5
    with pytest.raises(InputError, match="same person column"):
        capped = counts_of(table, person="rider", cap=1)
        register("riders", capped, total=TOTAL, ledger=ledger, same_people="january")
    with pytest.raises(InputError, match="not both"):
        register("x", counts_of(table), total=TOTAL, ledger=ledger, same_people="january", other_people="why")
    with pytest.raises(InputError, match="no dataset"):
        register("x", counts_of(table), total=TOTAL, ledger=ledger, same_people="nobody")


def test_members_of_one_population_are_no_match_and_outsiders_are(ledger: Ledger) -> None:
    table = month(2)
    unit = counts_of(table).unit
    dpviz.begin_population("riders", whole=TOTAL, unit=unit, ledger=ledger)
    dpviz.register_member("one", counts_of(table), of="riders", when="2026", ledger=ledger)
    dpviz.register_member("two", counts_of(table, side=32), of="riders", when="2026", ledger=ledger)
    with pytest.raises(LikelySamePeople):
        register("outside", counts_of(table), total=TOTAL, ledger=ledger)
    dpviz.begin_population("others", whole=TOTAL, unit=unit, ledger=ledger)
    with pytest.raises(LikelySamePeople):
        dpviz.register_member("three", counts_of(table), of="others", when="2026", ledger=ledger)
    assert membership(ledger, "three") is None


def test_without_the_key_likeness_is_noise_of_one_length(ledger: Ledger) -> None:
    register("few", counts_of(month(2, 50)), total=TOTAL, ledger=ledger)
    register("many", counts_of(month(3)), total=TOTAL, ledger=ledger)
    tables = [note.facts["traces"]["table"] for note in ledger.notes("likeness")]
    assert len(tables[0]) == len(tables[1])
    for table in tables:
        found = np.unpackbits(np.frombuffer(table.encode(), np.uint8))
        assert (
            len(set(table)) > 60
            and abs(found.mean() - np.unpackbits(np.frombuffer(tables[0].encode(), np.uint8)).mean()) < 0.02
        )


def test_the_loops_of_traces_are_those_of_their_plain_twins() -> None:
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.uniform(-180, 180, 5000), [np.nan, np.inf, 1e300, 13.1234, -0.0]])
    y = np.concatenate([rng.uniform(-90, 90, 5000), [1.0, 1.0, 1.0, 52.5, 0.0]])
    keys = rng.integers(0, 2**64, (5000, 2), dtype=np.uint64)
    for name, args, more in (
        ("mark_places", (x, y), (True,)),
        ("mark_places", (x, y), (False,)),
        ("mark_keys", (keys,), ()),
    ):
        compiled, plain = TWINS[name]
        one, two = np.zeros((4, 512), np.int64), np.zeros((4, 512), np.int64)
        compiled(*args, one, *more)
        plain(*args, two, *more)
        assert np.array_equal(one, two) and one[0].sum() >= 5000 * (more != (False,)) and 200 < one[1].sum() < 450


def test_the_table_of_a_large_file_does_not_depend_on_the_order_of_its_rows() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(13.4, 0.03, 1_100_000), rng.normal(52.5, 0.02, 1_100_000)
    found = []
    for order in (slice(None), slice(None, None, -1)):
        traces = Traces.empty(1)
        for begin in range(0, len(x), 1 << 18):
            piece = slice(begin, begin + (1 << 18))
            traces.add((np.ascontiguousarray(x[order][piece]), np.ascontiguousarray(y[order][piece])))
        found.append(traces.places)
    assert np.array_equal(*found) and not found[0][0, 0].any() and share_records(found[0][0], found[1][0])


def test_persons_are_known_by_their_keys_not_by_how_often_they_ride() -> None:
    def table_of(ids: np.ndarray) -> np.ndarray:
        traces = Traces.empty(0, with_persons=True)
        traces.add((), np.column_stack([ids, np.full(len(ids), 4)]).astype(np.uint64))
        assert traces.persons is not None
        return traces.persons

    rng = np.random.default_rng(1)
    for many in (5, 300, 20_000):
        ids = rng.integers(0, 2**40, many)
        others = table_of(rng.integers(0, 2**40, many))
        assert share_persons(table_of(ids), table_of(np.repeat(ids, 7))) and not share_persons(table_of(ids), others)


# Coins of a person cap


READ = """
import json, sys
from dpviz.domain import GeoBox
from dpviz.ingest import read_counts
from dpviz.ledger.ledger import Ledger
from dpviz.publishing.datasets import open_dataset
from dpviz.publishing.registration import register
from dpviz.privacy import Budget
book = Ledger(sys.argv[1])
counts = read_counts(sys.argv[2], box=GeoBox(13.0, 52.3, 13.8, 52.7), side=64, person="rider", cap=2,
                     noise=book.cap_source())
register("riders", counts, total=Budget(epsilon=2.0), ledger=book)
print(counts.keyed_digest(b"test"))
"""


def test_two_processes_at_once_on_a_fresh_folder_keep_the_same_rows(tmp_path: Path) -> None:
    month(2, 4000).to_csv(tmp_path / "riders.csv", index=False)
    arguments = [sys.executable, "-c", READ, str(tmp_path / "new" / "ledger.sqlite3"), str(tmp_path / "riders.csv")]
    begun = [subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [one.communicate(timeout=120)[0] for one in begun]
    assert [one.returncode for one in begun] == [0, 0] and told[0] == told[1]
    again = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=True)
    assert again.stdout == told[0]


def test_coins_make_the_ledger_and_looking_without_a_cap_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    ledger = Ledger(path)
    assert ledger.datasets() == [] and ledger.dataset("riders") is None
    counts_of(month(2, 100))
    assert not path.exists()
    seed = ledger.cap_source().seed
    assert path.exists() and Ledger(path).cap_source().seed == seed


def test_other_kept_rows_name_the_way_out_and_it_works(ledger: Ledger) -> None:
    table = month(2)
    fresh = counts_of(table, person="rider", cap=2)  # coins of nobody's ledger, as an older version had
    register("riders", fresh, total=TOTAL, ledger=ledger)
    again = counts_of(table, person="rider", cap=2, noise=ledger.cap_source())
    with pytest.raises(LedgerRefusal, match="--same-people 'riders'") as refused:
        open_dataset("riders", again, ledger=ledger)
    assert refused.value.values["changed"] == "kept rows"
    with pytest.raises(LikelySamePeople):
        register("riders two", again, total=TOTAL, ledger=ledger)
    second = register("riders two", again, total=TOTAL, ledger=ledger, same_people="riders")
    publish(second, REQUEST)
    assert open_dataset("riders", ledger=ledger).remaining.epsilon == 1.5


# The command line


def dpviz_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "dpviz", *arguments], capture_output=True, text=True, timeout=300)


def test_the_command_line_refuses_and_takes_both_answers(tmp_path: Path) -> None:
    file, book = tmp_path / "rides.csv", tmp_path / "new" / "ledger.sqlite3"
    month(2, 5000).to_csv(file, index=False)
    where = [str(file), "--box", "13.0,52.3,13.8,52.7", "--side", "64", "--ledger", str(book), "--json"]
    persons = ["--person", "rider", "--cap", "2"]
    first = dpviz_command("register", *where, *persons, "--dataset", "riders", "--total", "2")
    assert first.returncode == 0, first.stderr
    same = dpviz_command("register", *where, *persons, "--dataset", "riders", "--total", "2")  # restarted
    assert same.returncode == 0, same.stderr
    other = [*where[:2], "13.0,52.3,13.7,52.7", *where[3:], *persons]
    release = ["release", *other, "--dataset", "second", "--k", "3", "--level", "4", "--method", "uniform_grid"]
    refused = dpviz_command(*release, "--out", str(tmp_path / "out"))
    assert refused.returncode == 3 and "'riders'" in refused.stderr and "--other-people" in refused.stderr
    assert not (tmp_path / "out").exists() and Ledger(book).charges() == []
    joined = dpviz_command(*release, "--out", str(tmp_path / "out"), "--same-people", "riders")
    assert joined.returncode == 0, joined.stderr
    assert Ledger(book).datasets()[-1].name == "second" and open_dataset("riders", ledger=book).remaining.epsilon < 2
    others = dpviz_command(
        "register", *where, "--unit", "record", "--dataset", "third", "--total", "1", "--other-people", "a test"
    )
    assert others.returncode == 0 and json.loads(others.stdout)["remaining_epsilon"] == "1", others.stderr


def test_parts_of_time_of_the_same_file_are_known_too(tmp_path: Path) -> None:
    file, book = tmp_path / "rides.csv", tmp_path / "ledger.sqlite3"
    times = pd.Timestamp("2026-03-01") + pd.to_timedelta(np.arange(5000) * 300, unit="s")
    month(2, 5000).assign(at=times.astype(str)).to_csv(file, index=False)
    where = [str(file), "--box", "13.0,52.3,13.8,52.7", "--unit", "record", "--side", "64", "--ledger", str(book)]
    assert dpviz_command("register", *where, "--total", "2", "--dataset", "rides").returncode == 0
    hours = ["release", *where, "--by", "weekday", "--time", "at", "--zone", "UTC", "--k", "2", "--level", "4"]
    refused = dpviz_command(*hours, "--out", str(tmp_path / "out"))
    assert refused.returncode == 3 and "'rides'" in refused.stderr, refused.stderr
    shared = dpviz_command(*hours, "--out", str(tmp_path / "out"), "--same-people", "rides")
    assert shared.returncode == 0 and open_dataset("rides", ledger=book).remaining.epsilon == 1.5, shared.stderr
