"""A population's window holds whatever its datasets are called; a series publishes period after period from it."""

from __future__ import annotations

import itertools
import sqlite3
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz import Budget, ExactCounts, GeoBox, Grid, Ledger, ReleaseRequest, Unit
from dpviz.errors import InputError, LedgerRefusal, NotOffered, StoreError
from dpviz.labels.sentences import period_told
from dpviz.ledger.rows import Amount, ChargeRow, remaining_of
from dpviz.noise import replayable_source
from dpviz.publishing.assemble import Circumstances
from dpviz.publishing.datasets import SameContentWarning
from dpviz.publishing.door import past_of
from dpviz.publishing.mechanism_run import prepare, public_facts, run
from dpviz.publishing.populations import allowance, spent_in_window
from dpviz.releases.period import Period, checked_label, window_of
from dpviz.releases.release import UNLEDGERED, Release
from dpviz.series.changes import changes_between
from dpviz.series.series import Series, counts_of_period, label_after, publish_period, records_of, remember_records

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
SIDE = 16
RIDERS = Unit(person_column="rider", cap=2)


def month(seed: int, records: int = 4000, unit: Unit = RIDERS) -> ExactCounts:
    generator = np.random.default_rng(seed)
    points = np.array([[4, 4], [11, 9]])[generator.integers(2, size=records)] + generator.normal(0, 1.5, (records, 2))
    cells = np.zeros((SIDE, SIDE), np.int64)
    np.add.at(cells, tuple(np.clip(points.astype(int), 0, SIDE - 1).T), 1)
    return ExactCounts.from_array(Grid(BOX, SIDE), cells, unit=unit)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite3")


def begun(ledger: Ledger, **more: Any) -> Series:
    stated: dict[str, Any] = {
        "people": "riders",
        "whole": Budget(epsilon=1.0),
        "box": BOX,
        "k": 2,
        "side": SIDE,
        "unit": RIDERS,
        "periods": 3,
        "ledger": ledger,
    }
    return dpviz.begin_series("trips", **(stated | more))


def test_periods_are_published_from_one_window_and_no_more_than_it_holds(ledger: Ledger) -> None:
    series = begun(ledger)
    published = [publish_period(series, label, month(at)) for at, label in enumerate(("2026-01", "2026-02", "2026-03"))]
    assert [one.guarantee.epsilon for one in published] == pytest.approx([0.7, 0.15, 0.15])
    assert spent_in_window(series.people, "2026", ledger=ledger).epsilon == pytest.approx(1.0, abs=1e-8)
    assert [one.request.period.previous for one in published if one.request.period] == [
        None,
        published[0].id,
        published[1].id,
    ]
    with pytest.raises(InputError, match="3 periods"):
        publish_period(series, "2026-04", month(4))
    with pytest.raises(LedgerRefusal, match=r"population 'riders' may spend epsilon 1 in 2026"):
        outside = dpviz.register_member("survey", month(9), of="riders", when="2026-05", ledger=ledger)
        dpviz.publish(outside, ReleaseRequest(k=2, budget=Budget(epsilon=0.1)))
    assert len(ledger.charges()) == 3
    renewed = publish_period(series, "2027-01", month(5))
    assert renewed.guarantee.epsilon == pytest.approx(0.7)
    assert renewed.request.period is not None and renewed.request.period.previous == published[2].id


def test_the_same_period_again_is_the_stored_release_and_costs_nothing(ledger: Ledger) -> None:
    series = begun(ledger)
    first = publish_period(series, "2026-01", month(1))
    again = publish_period(dpviz.open_series("trips", ledger=ledger), "2026-01", month(1))
    assert first.files() == again.files() and len(ledger.charges()) == 1
    with pytest.raises(LedgerRefusal, match="not those that were registered"):
        publish_period(series, "2026-01", month(2))


def test_a_period_keeps_everything_and_says_what_its_promise_is_over_time(ledger: Ledger, tmp_path: Path) -> None:
    series = begun(ledger)
    publish_period(series, "2026-01", month(1))
    assert series.next_label() == "2026-02"
    release = publish_period(series, "2026-02", month(2))
    release.save(tmp_path / "february")
    loaded = Release.load(tmp_path / "february")
    assert loaded.request == release.request and loaded.request.period is not None
    label = (tmp_path / "february" / "PRIVACY.md").read_text().replace("\\", "")
    assert period_told(loaded.request.period) in label and "this limit starts anew" in period_told(
        loaded.request.period
    )
    assert "2026" in period_told(loaded.request.period)
    assert (loaded.request.k, loaded.method, loaded.side) == (2, "series_cells", SIDE)
    assert loaded.count(BOX).estimate == pytest.approx(4000, abs=600)


def test_other_ground_other_rhythm_and_periods_that_come_too_late_are_refused(ledger: Ledger) -> None:
    series = begun(ledger)
    publish_period(series, "2026-02", month(1))
    with pytest.raises(InputError, match="comes too late"):
        publish_period(series, "2026-01", month(2))
    for label in ("2026-13", "2026-W02", "2026-02-01", "February", "2026-1"):
        with pytest.raises(InputError):
            publish_period(series, label, month(2))
    coarse = ExactCounts.from_array(Grid(BOX, 8), np.ones((8, 8), np.int64), unit=RIDERS)
    with pytest.raises(InputError, match="16 cells a side"):
        publish_period(series, "2026-03", coarse)
    with pytest.raises(InputError, match="protects one person"):
        publish_period(series, "2026-03", month(2, unit=Unit()))
    assert [one.period.label for one in series.published()] == ["2026-02"] and len(ledger.charges()) == 1


def test_an_interrupted_period_is_completed_first(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    series = begun(ledger)
    with monkeypatch.context() as patched:
        patched.setattr("dpviz.publishing.door._drawn_and_stored", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            publish_period(series, "2026-01", month(1))
    with pytest.raises(LedgerRefusal, match="charged and not stored"):
        publish_period(series, "2026-02", month(2))
    publish_period(series, "2026-01", month(1))
    second = publish_period(series, "2026-02", month(2))
    assert second.request.period is not None and second.request.period.number == 1 and len(ledger.charges()) == 2


def _interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_refused_period_leaves_the_series_as_it_was(ledger: Ledger) -> None:
    series = begun(ledger)
    survey = dpviz.register_member("survey", month(9), of="riders", when="2026-01", ledger=ledger)
    dpviz.publish(survey, ReleaseRequest(k=2, budget=Budget(epsilon=0.5)))
    with pytest.raises(LedgerRefusal, match=r"would bring it to 1\.2"):
        publish_period(series, "2026-01", month(1))
    assert series.published() == [] and series.next_label() is None
    assert publish_period(series, "2027-01", month(1)).guarantee.epsilon == pytest.approx(0.7)
    assert dpviz.open_dataset("survey", ledger=ledger).remaining.epsilon == pytest.approx(0.5)


def test_a_period_whose_predecessor_left_the_store_is_refused_before_any_charge(ledger: Ledger) -> None:
    series = begun(ledger)
    first = publish_period(series, "2026-01", month(1))
    ledger.folder_of(first.id).rename(ledger.path.with_name("elsewhere"))
    with pytest.raises(StoreError):
        publish_period(series, "2026-02", month(2))
    assert len(ledger.charges()) == 1


def test_a_new_name_for_a_known_population_needs_no_budget_and_gets_none(ledger: Ledger) -> None:
    dpviz.begin_population("riders", whole=Budget(epsilon=0.5), unit=RIDERS, ledger=ledger)
    for name in ("trips", "trips again"):
        member = dpviz.register_member(name, month(len(name)), of="riders", when="2026-02", ledger=ledger)
        dpviz.publish(member, ReleaseRequest(k=2, budget=Budget(epsilon=0.25)))
    third = dpviz.register_member("a third name", month(7), of="riders", when="2026-12", ledger=ledger)
    with pytest.raises(LedgerRefusal, match=r"has spent 0\.5, and this release would bring it to 0\.51"):
        dpviz.publish(third, ReleaseRequest(k=2, budget=Budget(epsilon=0.01)))
    later = dpviz.register_member("next year", month(8), of="riders", when="2027-01", ledger=ledger)
    assert dpviz.publish(later, ReleaseRequest(k=2, budget=Budget(epsilon=0.5))).guarantee.epsilon == 0.5


def test_a_window_that_would_be_forgotten_would_be_noticed(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    def own_total(ledger: Ledger, charge: ChargeRow) -> Callable[[sqlite3.Connection], Amount]:
        return lambda connection: remaining_of(connection, charge.dataset)

    monkeypatch.setattr("dpviz.publishing.approvals.allowance", own_total)
    with pytest.raises(pytest.fail.Exception):
        test_a_new_name_for_a_known_population_needs_no_budget_and_gets_none(ledger)


def test_a_populations_promise_is_kept_as_it_was_registered(ledger: Ledger) -> None:
    dpviz.begin_population("riders", whole=Budget(epsilon=0.5), unit=RIDERS, ledger=ledger)
    dpviz.begin_population("riders", whole=Budget(epsilon=0.5), unit=RIDERS, ledger=ledger)
    with pytest.raises(LedgerRefusal, match="keeps that"):
        dpviz.begin_population("riders", whole=Budget(epsilon=5.0), unit=RIDERS, ledger=ledger)
    with pytest.raises(LedgerRefusal, match="keeps that"):
        begun(ledger)
    dpviz.register_member("trips", month(1), of="riders", when="2026-02", ledger=ledger)
    with pytest.raises(LedgerRefusal, match="belongs to the window 2026"):
        dpviz.register_member("trips", month(1), of="riders", when="2027-02", ledger=ledger)
    with pytest.raises(InputError, match="no population 'drivers'"):
        dpviz.register_member("other", month(2), of="drivers", when="2026-02", ledger=ledger)
    with pytest.warns(SameContentWarning):
        dpviz.register("free", month(3), total=Budget(epsilon=1.0), ledger=ledger)
    with pytest.raises(LedgerRefusal, match="without a population"):
        dpviz.register_member("free", month(3), of="riders", when="2026-02", ledger=ledger)


def test_disjoint_periods_of_records_may_each_spend_the_whole(ledger: Ledger) -> None:
    series = begun(ledger, unit=Unit())
    for at, label in enumerate(("2026-01", "2026-02", "2026-03")):
        assert publish_period(series, label, month(at, unit=Unit())).guarantee.epsilon == 1.0
    assert spent_in_window(series.people, "2026", ledger=ledger).epsilon == pytest.approx(1.0)
    beside = dpviz.register_member("all of it", month(9, unit=Unit()), of="riders", when="2026-01", ledger=ledger)
    with pytest.raises(LedgerRefusal):
        dpviz.publish(beside, ReleaseRequest(k=2, budget=Budget(epsilon=0.1)))


def test_many_small_periods_are_paid_by_zcdp(ledger: Ledger) -> None:
    series = begun(ledger, whole=Budget(epsilon=1.0, delta=1e-6), every="day", periods=200)
    for day in (1, 2, 3):
        release = publish_period(series, f"2026-01-{day:02d}", month(day, 20_000))
    assert release.guarantee.delta == 1e-6 and release.charges[0].rho is not None
    account = spent_in_window(series.people, "2026", ledger=ledger)
    assert account.accounting == "mixed" and account.epsilon < 0.7 + 2 * release.guarantee.epsilon


def test_january_and_february_of_the_same_people_are_warned_about(ledger: Ledger) -> None:
    dpviz.register("trips-january", month(1), total=Budget(epsilon=1.0), ledger=ledger)
    with pytest.warns(SameContentWarning, match=r"'trips-february' may be about the same people as 'trips-january'"):
        dpviz.register("trips-february", month(2), total=Budget(epsilon=1.0), ledger=ledger)
    plain = {"total": Budget(epsilon=1.0), "ledger": ledger}
    dpviz.register("scooters 2026-01", month(3, unit=Unit()), **plain)  # type: ignore[arg-type]
    with pytest.warns(SameContentWarning, match="may be about the same people"):
        dpviz.register("scooters 2026-02", month(4, unit=Unit()), **plain)  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("error", SameContentWarning)
        dpviz.register("parcels", month(5, unit=Unit()), **plain)  # type: ignore[arg-type]
        begun(ledger, people="riders of a series")
        publish_period(dpviz.open_series("trips", ledger=ledger), "2026-01", month(6))


def test_periods_follow_the_calendar() -> None:
    assert [label_after(*pair) for pair in (("2026-12", "month"), ("2026-W53", "week"), ("2026-02-28", "day"))] == [
        "2027-01",
        "2027-W01",
        "2026-03-01",
    ]
    assert window_of("2026-W01", "year") == "2026" and window_of("2026-01", "always") == "always"
    with pytest.raises(InputError):
        window_of("2026-01", "month")
    with pytest.raises(InputError):
        checked_label("2026-01", "fortnight")


def test_a_series_keeps_what_it_was_begun_with(ledger: Ledger) -> None:
    begun(ledger)
    begun(ledger)
    with pytest.raises(LedgerRefusal, match="keeps them"):
        begun(ledger, k=3)
    with pytest.raises(InputError, match="Known are 'trips'"):
        dpviz.open_series("tripps", ledger=ledger)
    assert dpviz.open_series("trips", ledger=ledger).published() == []


def two_periods(first: ExactCounts, second: ExactCounts, seed: int) -> tuple[Release, Release]:
    """Releases outside the door, for many draws."""
    place = Period(
        series="trips",
        label="2026-01",
        number=0,
        population="riders",
        window="2026",
        whole_epsilon="1",
        whole_delta="0",
        disjoint=False,
    )
    noise = replayable_source(seed)
    where = Circumstances(status=UNLEDGERED, noise=noise.kind, seed=seed)
    request = ReleaseRequest(k=2, budget=Budget(epsilon=1.0), method="series_cells", period=place)
    before = run(prepare(request, public_facts(first)), first, noise, where)
    assert isinstance(before, Release)
    following_one = replace(request, period=replace(place, label="2026-02", number=1), budget=Budget(epsilon=0.5))
    past = past_of(dict(before.constants), before.side)
    after = run(prepare(following_one, public_facts(second), past), second, noise, where)
    assert isinstance(after, Release)
    return before, after


def test_ninety_of_a_hundred_intervals_hold_the_true_change() -> None:
    first, second = month(1, 6000), month(2, 9000)
    inside = total = 0
    for seed in range(60):
        table = changes_between(*two_periods(first, second, seed)).table
        exact = second.to_numpy() - first.to_numpy()
        for row in table.to_dict(orient="records"):
            west, east = (round((row[name] - BOX.west) / (BOX.east - BOX.west) * SIDE) for name in ("west", "east"))
            top, bottom = (
                round((BOX.north - row[name]) / (BOX.north - BOX.south) * SIDE) for name in ("north", "south")
            )
            inside += row["low"] <= exact[top:bottom, west:east].sum() <= row["high"]
            total += 1
    assert total > 900 and 0.86 <= inside / total <= 0.94


def test_the_map_of_changes_tiles_the_box_and_only_periods_of_one_series_are_compared() -> None:
    before, after = two_periods(month(1), month(2), 3)
    changes = changes_between(before, after)
    areas = [
        (row["east"] - row["west"]) * (row["north"] - row["south"]) for row in changes.table.to_dict(orient="records")
    ]
    assert sum(areas) == pytest.approx((BOX.east - BOX.west) * (BOX.north - BOX.south))
    collection = changes.to_geojson()
    assert len(collection["features"]) == len(changes.table)
    assert (changes.clear["change"].abs() > 0).all() and set(changes.clear["clear"]) <= {True}
    with pytest.raises(InputError, match="give two periods"):
        changes_between(before, before)
    with pytest.raises(NotOffered):
        changes_between(replace(before, request=replace(before.request, period=None)), after)
    assert list(itertools.islice(collection["features"][0]["geometry"]["coordinates"][0], 1))


def test_series_of_other_rhythms_share_one_budget_because_their_periods_overlap(ledger: Ledger) -> None:
    """A record of 14 March lies in its month, its week and its day: together they cost it what all three cost."""
    data = month(1, 500, Unit())
    whole = Budget(epsilon=1.0)
    for every, label in (("month", "2026-03"), ("week", "2026-W11"), ("day", "2026-03-14")):
        one = dpviz.begin_series(
            f"by {every}", people="rides", whole=whole, box=BOX, k=2, side=SIDE, every=every, ledger=ledger
        )
        if every == "month":
            publish_period(one, label, data)
            continue
        with pytest.raises(LedgerRefusal, match="would bring it to 2"):
            publish_period(one, label, data)
    assert spent_in_window(one.people, "2026", ledger=ledger).epsilon == 1.0


def test_a_dataset_that_joins_while_a_charge_waits_is_counted(ledger: Ledger) -> None:
    """Who belongs to a window is read in the transaction that charges."""
    people = dpviz.begin_population("rides", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    first = dpviz.register_member("first", month(1, 500, Unit()), of="rides", when="2026", ledger=ledger)
    request = ReleaseRequest(k=2, budget=Budget(epsilon=0.8), method="uniform_grid")
    charge = ChargeRow(
        number=0,
        dataset="first",
        key=first.key_of(request),
        purpose="release",
        amount=Amount.of(request.budget),
        request_facts=request.facts(),
        who="",
        why="",
        created="now",
        stored=False,
    )
    waiting = allowance(ledger, charge)
    second = dpviz.register_member("second", month(2, 700, Unit()), of="rides", when="2026", ledger=ledger)
    dpviz.publish(second, request)
    with pytest.raises(LedgerRefusal, match=r"would bring it to 1\.6"):
        ledger.reserve(charge, charge.key, "token", waiting)
    assert spent_in_window(people, "2026", ledger=ledger).epsilon == 0.8


def _rows(path: Path, days: list[str], column: str = "day") -> str:
    """One person, once on each day."""
    lines = [f"rider,lon,lat,{column}", *(f"ada,-74.0,40.75,{day}" for day in days)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_first_periods_are_counted_in_files_that_hold_the_earlier_ones(ledger: Ledger, tmp_path: Path) -> None:
    series = begun(ledger, at_most=1)
    january = counts_of_period(series, "2026-01", _rows(tmp_path / "a.csv", ["2026-01-02"]), time="day")
    assert january.exact_total == 1
    publish_period(series, "2026-01", january)
    with pytest.raises(InputError, match="hold no row of 2026-01"):
        counts_of_period(series, "2026-02", _rows(tmp_path / "b.csv", ["2026-02-02"]), time="day")
    with pytest.raises(InputError, match="no row of the files lies in 2026-02"):  # ada stood in January
        counts_of_period(series, "2026-02", _rows(tmp_path / "c.csv", ["2026-01-02", "2026-02-02"]), time="day")


def test_periods_are_told_by_one_column_where_a_record_may_lie_in_one(ledger: Ledger, tmp_path: Path) -> None:
    series = begun(ledger, unit=Unit())
    remember_records(series, records_of([_rows(tmp_path / "a.csv", ["2026-01-02"])], time="day"))
    other = dpviz.begin_series(
        "others", people="riders", whole=Budget(epsilon=1.0), box=BOX, k=2, side=SIDE, periods=3, ledger=ledger
    )
    ended = _rows(tmp_path / "b.csv", ["2026-02-02"], column="ended")
    for one in (series, other):
        with pytest.raises(InputError, match="two columns a record could lie in two periods"):
            counts_of_period(one, "2026-02", ended, time="ended")
