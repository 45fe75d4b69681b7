"""At most `cap` records per person, chosen by that person's records and coins alone (docs/proofs/person_cap.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from dpviz.domain import ExactCounts, GeoBox
from dpviz.domain.box import plain_frame
from dpviz.ingest import read_counts
from dpviz.ingest.dask.capped_workers import keep_bucket
from dpviz.ingest.units.person_cap import bucket_of, keep
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.noise import replayable_source

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
ROOT = Path(__file__).resolve().parents[3]
Trips = list[tuple[int, int, int]]  # person, column of a cell, row of a cell; 9 and more lie outside


def table(trips: Trips) -> pd.DataFrame:
    rows = np.array(trips, dtype=np.float64).reshape(-1, 3)
    lon, lat = -74.05 + 0.15 / 8 * (rows[:, 1] + 0.5), 40.70 + 0.1 / 8 * (rows[:, 2] + 0.5)
    return pd.DataFrame(
        {"rider": [None if p < 0 else f"rider-number-{int(p):05d}" for p in rows[:, 0]], "lon": lon, "lat": lat}
    )


def counted(trips: Trips, cap: int, seed: int = 5) -> ExactCounts:
    return read_counts(
        table(trips), box=BOX, side=8, person="rider", cap=cap, noise=replayable_source(seed), strict=True
    )


TRIPS = st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 9), st.integers(0, 9)), max_size=40)


@given(trips=TRIPS, cap=st.integers(1, 4), person=st.integers(-1, 4), seed=st.integers(0, 3))
def test_taking_a_person_out_changes_at_most_cap_records_and_adds_none(
    trips: Trips, cap: int, person: int, seed: int
) -> None:
    with_all = counted(trips, cap, seed).to_numpy()
    without = counted([trip for trip in trips if trip[0] != person], cap, seed).to_numpy()
    assert (with_all >= without).all()
    assert (with_all - without).sum() <= cap


@given(trips=TRIPS, cap=st.integers(1, 4), order=st.randoms())
def test_the_order_of_rows_plays_no_part(trips: Trips, cap: int, order: Any) -> None:
    shuffled = list(trips)
    order.shuffle(shuffled)
    assert (counted(trips, cap).to_numpy() == counted(shuffled, cap).to_numpy()).all()


@given(trips=TRIPS, cap=st.integers(1, 4))
def test_every_person_keeps_as_many_records_as_the_cap_allows(trips: Trips, cap: int) -> None:
    inside = Counter(person for person, column, row in trips if column < 8 and row < 8)
    assert counted(trips, cap).exact_total == sum(min(cap, records) for records in inside.values())


def test_a_rule_that_keeps_the_first_rows_of_the_file_would_be_caught() -> None:
    """The planted mistake: a cap on the file instead of on each person moves other people's records."""

    def first_rows(trips: Trips, cap: int) -> np.ndarray[Any, Any]:
        kept = read_counts(table(trips[: cap * 2]), box=BOX, side=8, strict=True)
        return kept.to_numpy()

    trips = [(1, 0, 0), (1, 0, 1), (2, 3, 3), (2, 3, 4), (3, 5, 5)]
    without = [trip for trip in trips if trip[0] != 1]
    assert not (first_rows(trips, 1) >= first_rows(without, 1)).all()
    assert (counted(trips, 1).to_numpy() >= counted(without, 1).to_numpy()).all()


def test_all_rows_without_a_person_are_one_person() -> None:
    missing = table([(-1, i % 8, i // 8) for i in range(30)])
    for holes in (missing, missing.assign(rider=""), missing.assign(rider=np.nan), missing.assign(rider="  ")):
        counts = read_counts(holes, box=BOX, side=8, person="rider", cap=4, noise=replayable_source(1))
        assert counts.exact_total == 4


SAME: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "whole numbers": lambda trips: trips,
    "texts": lambda trips: trips.astype({"rider": str}),
    "floats": lambda trips: trips.astype({"rider": float}),
    "objects": lambda trips: trips.astype({"rider": object}),
    "categories": lambda trips: trips.astype({"rider": "category"}),
    "nullable": lambda trips: trips.astype({"rider": "Int64"}),
    "spaces": lambda trips: trips.assign(rider=[f" {rider}\t" for rider in trips["rider"]]),
}


@pytest.mark.parametrize("kind", SAME)
def test_a_person_is_the_same_in_every_kind_of_column_and_file(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    trips = pd.DataFrame(
        {"rider": rng.integers(0, 40, 500), "lon": rng.uniform(-74.05, -73.9, 500), "lat": rng.uniform(40.7, 40.8, 500)}
    )
    expected = read_counts(trips, box=BOX, side=8, person="rider", cap=3, noise=replayable_source(2)).to_numpy()
    changed = SAME[kind](trips)
    changed[:300].to_parquet(tmp_path / "a.parquet", row_group_size=50)
    trips[300:].to_csv(tmp_path / "b.csv", index=False)
    for source in (changed, tmp_path):
        found = read_counts(source, box=BOX, side=8, person="rider", cap=3, noise=replayable_source(2))
        assert (found.to_numpy() == expected).all()
        assert found.unit.cap == 3 and "one person" in str(found.unit)


def test_in_separated_text_an_id_is_its_text_and_in_columns_of_numbers_it_is_the_number(tmp_path: Path) -> None:
    trips = pd.DataFrame({"rider": [7] * 3, "lon": [-74.0] * 3, "lat": [40.75] * 3})
    trips.to_csv(tmp_path / "whole.csv", index=False)
    floats = trips.astype({"rider": float})
    floats.to_csv(tmp_path / "floats.csv", index=False)
    floats.to_parquet(tmp_path / "floats.parquet")

    def kept(*files: str) -> int:
        read = read_counts([str(tmp_path / file) for file in files], box=BOX, side=8, person="rider", cap=2)
        return int(read.to_numpy().sum())

    assert kept("whole.csv", "floats.parquet") == 2
    assert kept("whole.csv", "floats.csv") == 4  # as docs/LIMITS.md and docs/proofs/person_cap.md say


def test_without_a_source_of_noise_two_readings_choose_differently() -> None:
    trips = table([(person, i % 8, i // 8) for person in range(20) for i in range(60)])
    first, second = (read_counts(trips, box=BOX, side=8, person="rider", cap=2).to_numpy() for _ in range(2))
    assert (first != second).any()


@pytest.mark.parametrize("cap", [1, 3])
def test_workers_keep_the_rows_that_are_kept_here(cap: int) -> None:
    """Persons stand in several pieces, and their keys differ in single bits only: one bucket each, the same coins."""
    rng, hashed = np.random.default_rng(2), PersonHash(words=(1, 2, 3, 4))
    people = [(0, 0), *((1 << bit, 0) for bit in range(0, 64, 3)), *((0, 1 << bit) for bit in range(0, 64, 3))]
    owner = rng.integers(len(people), size=600)
    keys, raw = np.array(people, np.uint64)[owner], rng.random((600, 2))
    kept = keep(keys, (raw[:, 0], raw[:, 1]), cap, hashed)
    assert kept.sum() == cap * len(people)
    buckets = bucket_of(keys, 5)
    assert all(len(set(buckets[owner == person])) == 1 for person in range(len(people)))
    frame, found = plain_frame([0.0, 0.0], [1.0, 1.0]), []
    for bucket in range(5):
        pieces = [rows[buckets[rows] == bucket] for rows in np.array_split(np.arange(600), 4)]
        found.append(keep_bucket([(keys[rows], raw[rows]) for rows in pieces], frame, cap, hashed))
    assert sorted(map(tuple, np.concatenate(found))) == sorted(map(tuple, raw[kept]))


@pytest.mark.statistical
def test_every_record_of_a_person_is_kept_equally_often() -> None:
    """6,000 persons with 5 records each, cap 2: every place, and every pair of places, within 6.5 deviations."""
    persons, records, cap = 6000, 5, 2
    keys = np.stack([np.repeat(np.arange(persons), records), np.zeros(persons * records)], axis=1).astype(np.uint64)
    place = np.tile(np.arange(records), persons)
    kept = keep(keys, (place,), cap, PersonHash(words=(1, 2, 3, 4)))
    share = kept.reshape(persons, records).mean(axis=0)
    tolerance = 6.5 * np.sqrt(0.4 * 0.6 / persons)
    assert (np.abs(share - cap / records) < tolerance).all()
    pairs = Counter(tuple(np.flatnonzero(row)) for row in kept.reshape(persons, records))
    assert len(pairs) == 10 and all(abs(n / persons - 0.1) < 6.5 * np.sqrt(0.09 / persons) for n in pairs.values())
    first_kept = np.tile(np.arange(records) < cap, persons)  # the planted mistake: always the first
    assert (np.abs(first_kept.reshape(persons, records).mean(axis=0) - cap / records) > tolerance).any()


def test_the_steps_of_the_proof_are_the_steps_of_the_code() -> None:
    tag = re.compile(r"\[P\d+\]")
    proof = (ROOT / "docs" / "proofs" / "person_cap.md").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "dpviz" / "ingest").rglob("*.py"))
    assert set(tag.findall(proof)) == set(tag.findall(code))


def test_numbers_as_categories_are_the_same_persons_also_where_some_are_missing() -> None:
    trips = table([(person, i % 8, person % 8) for person in range(6) for i in range(8)])
    numbered = trips.assign(rider=[None if i % 7 == 0 else i // 8 for i in range(len(trips))])
    plain, categories = (
        read_counts(frame, box=BOX, side=8, person="rider", cap=2, noise=replayable_source(4)).to_numpy()
        for frame in (numbered, numbered.astype({"rider": "category"}))
    )
    assert (plain == categories).all()
