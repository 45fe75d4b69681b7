"""Ledger, store and locks missing, cut, swapped or replaced: one sentence, nothing lost, nothing charged twice."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from dpviz.domain import ExactCounts
from dpviz.errors import DpvizError, StoreError
from dpviz.ledger.file import LedgerFile
from dpviz.ledger.ledger import Ledger
from dpviz.life.publications import publications
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, open_dataset
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases.request import ReleaseRequest

REQUEST = ReleaseRequest(k=3, budget=Budget(epsilon=0.25), method="uniform_grid")
OTHER = ReleaseRequest(k=4, budget=Budget(epsilon=0.25), method="uniform_grid")


def replaced(path: Path, kind: str, spare: Path) -> None:
    """Put something else in the place of a file or folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "link to nowhere":
        path.symlink_to(spare / "nowhere")
    elif kind == "link in a circle":
        path.symlink_to(path)
    elif kind == "file":
        path.write_text("somebody's file")


def fresh(path: Path) -> Ledger:
    LedgerFile.forget()
    return Ledger(path)


KINDS = ("pipe", "link to nowhere", "link in a circle")


@pytest.mark.parametrize("kind", ["file", *KINDS])
@pytest.mark.parametrize("which", ["store", "workshop"])
def test_a_place_that_is_no_folder_is_told_before_the_charge(
    dataset: Dataset, tmp_path: Path, which: str, kind: str
) -> None:
    place = getattr(dataset.ledger, which)
    replaced(place, kind, tmp_path)
    with pytest.raises(DpvizError) as told:
        publish(dataset, REQUEST)
    assert "\n" not in str(told.value) and dataset.charges == []
    place.unlink()
    publish(dataset, REQUEST)
    assert len(dataset.charges) == 1


@pytest.mark.parametrize("kind", ["missing", "file", "folder", *KINDS])
def test_a_stored_release_that_was_replaced_is_not_drawn_again(dataset: Dataset, tmp_path: Path, kind: str) -> None:
    first = publish(dataset, REQUEST)
    folder = dataset.ledger.folder_of(first.id)
    kept = tmp_path / "kept"
    shutil.copytree(folder, kept)
    replaced(folder, kind, tmp_path)
    with pytest.raises(StoreError) as told:
        publish(dataset, REQUEST)
    assert "\n" not in str(told.value) and len(dataset.charges) == 1
    assert publications(dataset.ledger)[0].state in ("lost", "published")
    if folder.is_dir() and not folder.is_symlink():
        folder.rmdir()
    else:
        folder.unlink(missing_ok=True)
    shutil.copytree(kept, folder)
    assert publish(dataset, REQUEST).files() == first.files()
    assert len(dataset.charges) == 1


@pytest.mark.parametrize("kind", ["folder", *KINDS])
def test_a_ledger_that_was_replaced_is_refused(dataset: Dataset, tmp_path: Path, kind: str) -> None:
    publish(dataset, REQUEST)
    path = dataset.ledger.path
    path.rename(tmp_path / "kept")
    for ending in ("-wal", "-shm"):
        if path.with_name(path.name + ending).exists():
            path.with_name(path.name + ending).rename(tmp_path / f"kept{ending}")
    replaced(path, kind, tmp_path)
    with pytest.raises(StoreError) as told:
        fresh(path).make()
    assert "\n" not in str(told.value)
    if path.is_dir():
        path.rmdir()
    else:
        path.unlink()
    os.replace(tmp_path / "kept", path)
    assert len(fresh(path).charges()) == 1


@pytest.mark.parametrize("length", [0, 50, 100, 4096, 9000])
def test_a_ledger_that_was_cut_is_refused(dataset: Dataset, length: int) -> None:
    publish(dataset, REQUEST)
    path = dataset.ledger.path
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(StoreError) as told:
        opened = fresh(path)
        opened.check()
    assert "\n" not in str(told.value)
    with pytest.raises(StoreError):
        publish(dataset, OTHER)


def test_a_journal_that_was_thrown_away_is_noticed(dataset: Dataset) -> None:
    path = dataset.ledger.path
    keeper = sqlite3.connect(path)  # as another process has it open: rows are in the journal only
    keeper.execute("SELECT * FROM charges").fetchall()
    publish(dataset, REQUEST)
    cut = path.read_bytes()
    keeper.close()
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.write_bytes(cut)
    with pytest.raises(StoreError, match="not as it was left"):
        fresh(path)


def test_clocks_that_disagree_change_nothing(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows stand in the order in which they were written, whatever the clocks of two hosts say."""
    from dpviz.ledger import rows

    for year in ("2031", "1970", "2026"):
        monkeypatch.setattr(rows, "now", lambda year=year: f"{year}-01-01T00:00:00+00:00")
        k = {"2031": 3, "1970": 4, "2026": 5}[year]
        publish(dataset, ReleaseRequest(k=k, budget=Budget(epsilon=0.25), method="uniform_grid"))
    assert [charge.created[:4] for charge in fresh(dataset.ledger.path).charges()] == ["2031", "1970", "2026"]
    assert float(dataset.remaining.epsilon) == 1.25
    assert publish(dataset, REQUEST).id == dataset.charges[0].key


@pytest.mark.parametrize(
    "name", ["with spaces é.db", "percent%20#?.db", "-dash", "'quote\".db", "東京", "a" * 200, "new\nline", ".hidden"]
)
def test_odd_names_of_ledgers_are_names(tmp_path: Path, counts: ExactCounts, name: str) -> None:
    path = tmp_path / name
    dataset = register("trips", counts, total=Budget(epsilon=1.0), ledger=path)
    first = publish(dataset, REQUEST)
    again = open_dataset("trips", ledger=fresh(path))
    assert publish(again, REQUEST).files() == first.files()


def unwritable(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("what", ["notes at home", "the key's folder"])
def test_a_data_folder_that_cannot_be_written_costs_nothing(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "file" / "data"))
    with pytest.raises(StoreError, match="cannot"):
        publish(dataset, REQUEST)
    assert dataset.charges == []


def test_a_feed_that_cannot_be_written_costs_no_release(dataset: Dataset) -> None:
    feed = dataset.ledger.store.with_name(dataset.ledger.store.name + ".json")
    feed.mkdir()
    first = publish(dataset, REQUEST)
    assert publish(dataset, REQUEST).files() == first.files()
    assert [path.name for path in feed.parent.glob(".*.new")] == []


def test_two_who_open_an_old_ledger_at_once_upgrade_it_once(tmp_path: Path, project_root: Path) -> None:
    import threading

    shutil.unpack_archive(project_root / "tests" / "golden" / "ledger-format-1.zip", tmp_path / "old")
    found: list[str] = []
    troubles: list[BaseException] = []

    def opened() -> None:
        try:
            found.append(Ledger(tmp_path / "old" / "ledger.sqlite3").id)
        except BaseException as trouble:
            troubles.append(trouble)

    threads = [threading.Thread(target=opened) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == [] and len(found) == 4 and len(set(found)) == 1


def test_every_refusal_of_a_ledger_says_what_to_do(dataset: Dataset) -> None:
    publish(dataset, REQUEST)
    dataset.ledger.path.unlink()
    told: list[str] = []
    attempts: list[Callable[[], object]] = [
        lambda: Ledger(dataset.ledger.path),
        lambda: publish(dataset, OTHER),
        lambda: dataset.remaining,
    ]
    for attempt in attempts:
        with pytest.raises(DpvizError) as error:
            attempt()
        told.append(str(error.value))
    assert all("Restore" in text or "ask again" in text for text in told)
