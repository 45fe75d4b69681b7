"""Further ways round the ledger, each tried on the code before it was shut: behind a running process, by notes, keys
and old files, by names of populations, by calendars and clocks.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz.domain import ExactCounts, Grid, Unit
from dpviz.errors import InputError, LedgerRefusal, StoreError
from dpviz.ledger.file import LedgerFile
from dpviz.ledger.ledger import Ledger
from dpviz.life.feed import feed_beside, verify_release
from dpviz.life.ledger_care import backup_ledger, restore_ledger, verify_ledger
from dpviz.life.publications import correct, unheard_sentence, withdraw
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, open_dataset
from dpviz.publishing.door import publish
from dpviz.publishing.populations import begin_population, population, spent_in_window
from dpviz.publishing.registration import register_member
from dpviz.releases.about import About
from dpviz.releases.period import kind_of
from dpviz.releases.request import ReleaseRequest
from dpviz.releases.signing import own_key_file, own_public_key, public_key, remember_key
from dpviz.series.series import Series, begin_series, counts_of_period, open_series, publish_period
from tests.unit.conftest import BOX


def request(epsilon: float = 0.5, k: int = 3) -> ReleaseRequest:
    return ReleaseRequest(k=k, budget=Budget(epsilon=epsilon), method="uniform_grid")


def some_counts(seed: int = 1) -> ExactCounts:
    return ExactCounts.from_array(Grid(BOX, 32), np.random.default_rng(seed).poisson(3.0, size=(32, 32)))


# The file, behind a running process


def test_a_row_changed_behind_a_running_process_is_noticed_before_the_next_charge(dataset: Dataset) -> None:
    publish(dataset, request(1.5))
    with sqlite3.connect(dataset.ledger.path) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE charges SET epsilon = '0'")
    connection.close()
    with pytest.raises(StoreError, match="row 1 of its table 'charges' was changed"):
        publish(dataset, request(1.0))
    assert len(dataset.charges) == 1


def test_a_hard_link_of_ledger_and_note_leads_to_the_ledger_from_another_account(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(dataset, request())
    other = tmp_path / "elsewhere"
    other.mkdir()
    for name in ("ledger.sqlite3", "ledger.sqlite3.head"):
        os.link(dataset.ledger.path.with_name(name), other / name)
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "of another account"))
    assert Ledger(other / "ledger.sqlite3").path == dataset.ledger.path


def test_a_copied_data_folder_is_no_second_budget_where_the_first_cannot_be_looked_at(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = dataset.ledger.path, tmp_path / "theirs.sqlite3"
    shutil.copyfile(mine, theirs)
    LedgerFile.forget()
    real = os.stat

    def hidden(path: Any, *more: Any, **options: Any) -> os.stat_result:
        if str(path) == str(mine):
            raise PermissionError(13, "Permission denied")
        return real(path, *more, **options)

    monkeypatch.setattr(os, "stat", hidden)
    with pytest.raises(StoreError, match="where this account may not look"):
        Ledger(theirs)


# Store, feed, backup, key


def test_whatever_lies_in_the_store_and_was_never_charged_is_named(dataset: Dataset) -> None:
    first = publish(dataset, request())
    store = dataset.ledger.store
    (store / "page.html").write_text("hello")
    os.rename(store / first.id, store.with_name("moved"))
    os.symlink(store.with_name("moved"), store / first.id)
    assert dataset.ledger.strangers() == sorted([first.id, "page.html"])


def test_an_old_feed_that_hides_a_withdrawal_is_named(dataset: Dataset) -> None:
    first = publish(dataset, request())
    files = [feed_beside(dataset.ledger.store)]
    files.append(files[0].with_name(files[0].name + ".sig"))
    old = [file.read_bytes() for file in files]
    withdraw(first.id, ledger=dataset.ledger, why="the box was wrong")
    assert verify_ledger(dataset.ledger.path).wrong == ()
    for file, content in zip(files, old, strict=True):
        file.write_bytes(content)
    (said,) = verify_ledger(dataset.ledger.path).wrong
    assert "says otherwise than the ledger" in said and "publications --refresh" in said


def test_a_withdrawal_that_another_key_signs_says_that_readers_are_not_told(dataset: Dataset) -> None:
    first = publish(dataset, request())
    before = own_public_key()
    for file in (own_key_file(), own_key_file().with_suffix(".pub")):
        file.unlink()
    assert own_public_key() != before
    remember_key(before, "the city")
    gone = withdraw(first.id, ledger=dataset.ledger, why="the box was wrong")
    assert gone.folder is not None and verify_release(gone.folder).state == ""
    assert "its readers are not told" in unheard_sentence(gone, own_public_key())
    assert any("its readers are not told" in said for said in verify_ledger(dataset.ledger.path).wrong)


def test_the_public_half_that_is_handed_out_is_that_of_the_key_that_signs(dataset: Dataset) -> None:
    publish(dataset, request())
    file = own_key_file().with_suffix(".pub")
    file.write_text("a" * 64)
    own_public_key()
    assert public_key(str(file)) == own_public_key()


def test_an_old_backup_is_not_put_back_beside_a_newer_store_although_all_notes_are_gone(
    dataset: Dataset, tmp_path: Path
) -> None:
    publish(dataset, request())
    backup_ledger(dataset.ledger.path, tmp_path / "backup")
    publish(dataset, request(1.0))
    for left in dataset.ledger.path.parent.glob("ledger.sqlite3*"):
        if left.is_file():
            left.unlink()
    shutil.rmtree(os.environ["DPVIZ_DATA"])
    LedgerFile.forget()
    with pytest.raises(StoreError, match="holds 1 releases that the backup never charged"):
        restore_ledger(tmp_path / "backup", dataset.ledger.path)
    assert not dataset.ledger.path.exists()
    restore_ledger(tmp_path / "backup", dataset.ledger.path, accept_loss=True, why="the disk broke")
    assert len(open_dataset("trips", ledger=dataset.ledger.path).charges) == 1


def test_a_correction_that_was_killed_between_its_folder_and_its_rows_can_be_made_again(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = publish(dataset, request())

    def killed(_: Ledger) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Ledger, "transaction", killed)
        correct(first.id, About(title="One"), ledger=dataset.ledger, why="no title")
    made = correct(first.id, About(title="Two"), ledger=dataset.ledger, why="no title")
    assert made.about["title"] == "Two" and verify_ledger(dataset.ledger.path).wrong == ()


# Populations and series


@pytest.mark.parametrize("twin", ["Riders", " riders", "ri\u0501ers", "r\u0456ders", "\uff52iders"])
def test_a_population_or_series_whose_name_looks_the_same_gets_no_fresh_budget(ledger: Ledger, twin: str) -> None:
    begin_population("riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    with pytest.raises(LedgerRefusal, match="was registered with epsilon 1"):
        begin_population(twin, whole=Budget(epsilon=5.0), unit=Unit(), ledger=ledger)
    assert population(twin, ledger=ledger).name == "riders"
    begun = begin_series("riders", people=twin, whole=Budget(epsilon=1.0), box=BOX, k=3, side=32, ledger=ledger)
    assert begun.people.name == "riders" and open_series(twin, ledger=ledger).name == "riders"


def test_a_members_own_total_holds_beside_the_windows_budget(ledger: Ledger) -> None:
    begin_population("riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    member = register_member(
        "january", some_counts(), of="riders", when="2026-01", total=Budget(epsilon=0.1), ledger=ledger
    )
    assert float(member.remaining.epsilon) == 0.1
    with pytest.raises(LedgerRefusal, match=r"0\.1 remains"):
        publish(member, request(0.5))
    publish(member, request(0.1))
    assert float(member.remaining.epsilon) == 0.0


@pytest.mark.parametrize("when", ["March 2026", "2026 ", "26-03", "02026", "", "2026-3"])
def test_a_time_that_is_no_period_is_no_window_of_its_own(ledger: Ledger, when: str) -> None:
    begin_population("riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    with pytest.raises(InputError, match="give a day, a week or a month"):
        register_member("march", some_counts(), of="riders", when=when, ledger=ledger)
    assert ledger.dataset("march") is None


@pytest.mark.parametrize("label", ["2025-W53", "2026-02-30", "0000-01", "0000-W01", "9999-12", "9999-12-31"])
def test_periods_that_no_calendar_has_are_refused(label: str) -> None:
    with pytest.raises(InputError, match="give a day, a week or a month"):
        kind_of(label)


def weeks_and_months(ledger: Ledger, unit: Unit) -> tuple[Series, Series]:
    def begun(name: str, every: str) -> Series:
        return begin_series(
            name,
            people="riders",
            whole=Budget(epsilon=1.0),
            box=BOX,
            k=3,
            side=32,
            every=every,
            unit=unit,
            first_share=None,
            ledger=ledger,
        )

    return begun("by week", "week"), begun("by month", "month")


def test_a_record_of_the_years_turn_costs_once_whatever_the_rhythm(ledger: Ledger) -> None:
    """1 January 2027 lies in 2026-W53 and in 2027-01: two windows by their labels, and one record."""
    weekly, monthly = weeks_and_months(ledger, Unit())
    publish_period(weekly, "2026-W53", some_counts())
    with pytest.raises(LedgerRefusal, match="in 2027, has spent 1, and this release would bring it to 2"):
        publish_period(monthly, "2027-01", some_counts(2))
    spent = [spent_in_window(weekly.people, window, ledger=ledger).epsilon for window in ("2026", "2027", "2028")]
    assert spent == [1.0, 1.0, 0.0]
    assert publish_period(weekly, "2027-W01", some_counts(3)).status == "published"  # weeks never overlap weeks


def test_a_week_that_comes_after_the_month_of_its_last_days_must_fit_into_their_year_too(ledger: Ledger) -> None:
    """The label of the week names 2026, where nothing is spent; it has days of January 2027 all the same."""
    weekly, monthly = weeks_and_months(ledger, Unit())
    publish_period(monthly, "2027-01", some_counts())
    with pytest.raises(LedgerRefusal, match="in 2027, has spent 1"):
        publish_period(weekly, "2026-W53", some_counts(2))
    week = register_member("week", some_counts(4), of="riders", when="2026-W53", ledger=ledger)
    with pytest.raises(LedgerRefusal, match="in 2027, has spent 1"):
        publish(week, request(0.5))
    assert len(ledger.charges()) == 1


def test_records_of_a_week_without_a_series_count_in_both_years_too(ledger: Ledger) -> None:
    begin_population("riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    week = register_member("week", some_counts(), of="riders", when="2026-W53", ledger=ledger)
    publish(week, request(1.0))
    january = register_member("january", some_counts(2), of="riders", when="2027-01", ledger=ledger)
    with pytest.raises(LedgerRefusal, match="in 2027, has spent 1"):
        publish(january, request(0.5))


def zoned(folder: Path) -> Callable[[str], str]:
    """One file, and the same records written by another clock: evening of 31 January, night of 1 February."""
    rng = np.random.default_rng(0)
    times = pd.Timestamp("2026-01-31 20:00", tz="America/New_York") + pd.to_timedelta(rng.integers(0, 9000, 60), "s")
    table = pd.DataFrame({"lon": rng.uniform(-74.04, -73.91, 60), "lat": rng.uniform(40.71, 40.79, 60), "at": times})
    table.to_parquet(folder / "there.parquet")
    table.assign(at=times.tz_convert("UTC")).to_parquet(folder / "utc.parquet")
    texts = table.assign(at=[time.isoformat() for time in times])
    texts.to_csv(folder / "there.csv", index=False)
    table.assign(at=times.tz_convert("UTC").strftime("%Y-%m-%dT%H:%M:%SZ")).to_csv(folder / "utc.csv", index=False)
    return lambda name: str(folder / name)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_one_record_lies_in_one_month_although_a_later_file_has_another_clock(
    ledger: Ledger, tmp_path: Path, kind: str
) -> None:
    file = zoned(tmp_path)
    series = begin_series("trips", people="riders", whole=Budget(epsilon=1.0), box=BOX, k=3, side=32, ledger=ledger)
    counted = counts_of_period(series, "2026-02", file(f"utc.{kind}"), time="at")  # looked at, never published
    assert int(counted.exact_total) == 60
    publish_period(series, "2026-01", counts_of_period(series, "2026-01", file(f"there.{kind}"), time="at"))
    with pytest.raises(InputError, match="by two clocks a record could lie in two periods"):
        counts_of_period(series, "2026-02", file(f"utc.{kind}"), time="at")
