"""After publication: words are corrected, releases withdrawn or superseded, in the open and never as a refund."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pandas as pd
import pytest

from dpviz.domain import ExactCounts
from dpviz.errors import InputError, StoreError
from dpviz.ingest import read_counts
from dpviz.ledger.ledger import Ledger
from dpviz.life.feed import read_feed, state_sentence, verify_release
from dpviz.life.ledger_care import accept_ledger, backup_ledger, restore_ledger, verify_ledger
from dpviz.life.publications import correct, publication, publications, stored_release, supersede, withdraw
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases import load
from dpviz.releases.about import About
from dpviz.releases.request import ReleaseRequest


def request(k: int = 3) -> ReleaseRequest:
    return ReleaseRequest(k=k, budget=Budget(epsilon=0.25), method="uniform_grid")


def fresh(ledger: Ledger) -> Ledger:
    from dpviz.ledger.file import LedgerFile

    LedgerFile.forget()
    return Ledger(ledger.path)


def test_publications_are_listed_with_who_why_and_state(dataset: Dataset) -> None:
    first = publish(dataset, request(), who="Grace", why="asked", about=About(title="January"))
    (one,) = publications(dataset.ledger)
    assert (one.id, one.dataset, one.who, one.why, one.state) == (first.id, "trips", "Grace", "asked", "published")
    assert (one.k, one.epsilon, one.about["title"], one.version) == (3, 0.25, "January", 1)
    assert stored_release(one).files() == first.files()
    assert publication(first.id[:6], dataset.ledger).id == first.id


def test_a_withdrawn_release_is_no_refund_and_is_said_in_the_feed(dataset: Dataset, tmp_path: Path) -> None:
    first = publish(dataset, request())
    before = dataset.remaining
    found = withdraw(first.id, ledger=dataset.ledger, why="secret reason", who="Grace", notice="The box was wrong.")
    assert (found.state, found.notice) == ("withdrawn", "The box was wrong.")
    assert dataset.remaining == before
    feed = read_feed(dataset.ledger.store)
    assert feed is not None and feed.signature.known and feed.ledger == dataset.ledger.id
    said = "This release was withdrawn. The box was wrong."
    assert state_sentence(load(dataset.ledger.folder_of(first.id)), dataset.ledger.store) == said
    assert "secret reason" not in dataset.ledger.store.with_name("ledger.sqlite3.releases.json").read_text()
    assert verify_release(dataset.ledger.folder_of(first.id)).state == said
    (note,) = dataset.ledger.notes("withdrawn")
    assert (note.who, note.why) == ("Grace", "secret reason")


def test_a_superseded_release_names_its_heir(dataset: Dataset) -> None:
    first, second = publish(dataset, request()), publish(dataset, request(4))
    found = supersede(first.id, by=second.id[:8], ledger=dataset.ledger, why="finer")
    assert (found.state, found.by) == ("superseded", second.id)
    for again in (lambda: withdraw(first.id, ledger=dataset.ledger, why="x"),):
        with pytest.raises(InputError, match="stays"):
            again()
    with pytest.raises(InputError, match="cannot take the place"):
        supersede(second.id, by=second.id, ledger=dataset.ledger, why="x")
    with pytest.raises(InputError, match="cannot take the place"):
        supersede(second.id, by=first.id, ledger=dataset.ledger, why="x")


def test_every_step_asks_why_and_knows_its_release(dataset: Dataset) -> None:
    first = publish(dataset, request())
    with pytest.raises(InputError, match="say why"):
        withdraw(first.id, ledger=dataset.ledger, why="  ")
    for wrong in ("", "00", "zzzz", "f" * 32):
        with pytest.raises(InputError, match="no release has an id"):
            withdraw(wrong, ledger=dataset.ledger, why="x")
    with pytest.raises(InputError, match="at most 300"):
        withdraw(first.id, ledger=dataset.ledger, why="x", notice="n" * 301)
    assert dataset.ledger.notes("withdrawn") == []


def test_a_correction_is_a_further_version_of_the_same_draw_and_costs_nothing(dataset: Dataset) -> None:
    first = publish(dataset, request(), about=About(title="Januray"))
    before = dataset.remaining
    second = correct(first.id, About(title="January"), ledger=dataset.ledger, why="a typing error")
    third = correct(second.id, About(title="January 2026"), ledger=dataset.ledger, why="the year")
    assert dataset.remaining == before and len({first.id, second.id, third.id}) == 3
    assert (second.about["version"], third.about["version"]) == (2, 3)
    assert (second.about["corrects"], third.about["corrects"]) == (first.id, second.id)
    for name in ("coreset.csv", "centers.csv"):
        assert first.files()[name] == second.files()[name] == third.files()[name]
    assert [one.state for one in publications(dataset.ledger)] == ["superseded", "superseded", "published"]
    assert load(dataset.ledger.folder_of(third.id)).status == "published"
    assert dataset.ledger.strangers() == [] and verify_ledger(dataset.ledger.path).wrong == ()
    with pytest.raises(InputError, match="stays"):
        correct(first.id, About(title="late"), ledger=dataset.ledger, why="x")
    # Asking for the request again gives the first version, byte for byte: it is the one that was charged.
    assert publish(dataset, request()).files() == first.files()


def test_a_feed_counts_only_for_releases_of_the_same_key(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dpviz.life.feed import Entry, write_feed

    first = publish(dataset, request())
    folder = first.save(tmp_path / "releases" / "one")
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "somebody else"))
    forged = Entry(id=first.id, dataset="trips", version=1, state="withdrawn")
    write_feed(folder.parent, "f" * 32, [forged])
    assert state_sentence(load(folder), folder.parent) == ""


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"releases": 3}'])
def test_a_feed_that_was_changed_is_refused(dataset: Dataset, content: bytes) -> None:
    publish(dataset, request())
    dataset.ledger.store.with_name("ledger.sqlite3.releases.json").write_bytes(content)
    with pytest.raises(StoreError, match="signature does not fit"):
        read_feed(dataset.ledger.store)


def test_the_feed_names_no_person_and_no_reason(dataset: Dataset) -> None:
    publish(dataset, request(), who="Grace", why="the mayor asked")
    text = dataset.ledger.store.with_name("ledger.sqlite3.releases.json").read_text()
    assert "Grace" not in text and "mayor" not in text and json.loads(text)["releases"][0]["dataset"] == "trips"


# Care of the ledger


def test_a_ledger_in_order_says_so(dataset: Dataset) -> None:
    publish(dataset, request())
    found = verify_ledger(dataset.ledger.path)
    assert found.wrong == () and found.releases == 1 and found.rows == dataset.ledger.check().number


def test_everything_wrong_is_named_at_once(dataset: Dataset) -> None:
    first, second = publish(dataset, request()), publish(dataset, request(4))
    store = dataset.ledger.store
    (store / first.id / "centers.csv").write_text("lon,lat,weight\n")
    shutil.move(store / second.id, store / ("ab" * 16))
    wrong = verify_ledger(dataset.ledger.path).wrong
    assert len(wrong) == 3
    assert "centers.csv" in wrong[0] and second.id in wrong[1] and "never charged" in wrong[2]


def test_a_backup_brings_back_lost_folders(dataset: Dataset, tmp_path: Path) -> None:
    first, second = publish(dataset, request()), publish(dataset, request(4))
    backup_ledger(dataset.ledger.path, tmp_path / "backup")
    publish(dataset, request(5))
    shutil.rmtree(dataset.ledger.folder_of(first.id))
    (dataset.ledger.folder_of(second.id) / "map.html").write_text("changed")
    done = restore_ledger(tmp_path / "backup", dataset.ledger.path)
    assert done.rows_lost == 0 and sorted(done.folders) == sorted([first.id, second.id])
    assert publish(dataset, request()).files() == first.files()
    assert len(dataset.charges) == 3 and verify_ledger(dataset.ledger.path).wrong == ()


@pytest.mark.parametrize("how", ["deleted", "garbage", "all of it"])
def test_a_backup_brings_back_a_lost_ledger(dataset: Dataset, tmp_path: Path, how: str) -> None:
    first = publish(dataset, request())
    backup_ledger(dataset.ledger.path, tmp_path / "backup")
    path = dataset.ledger.path
    if how == "garbage":
        path.write_bytes(b"garbage" * 1000)
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    else:
        path.unlink()
    if how == "all of it":
        shutil.rmtree(dataset.ledger.store)
        path.with_name(path.name + ".head").unlink()
    done = restore_ledger(tmp_path / "backup", path)
    assert done.rows_lost == 0 and bool(done.kept_aside) == (how == "garbage")
    again = fresh(dataset.ledger)
    assert [charge.key for charge in again.charges()] == [first.id]
    assert verify_ledger(path).wrong == ()
    assert [note.kind for note in again.notes()][-1] == "restored"


def test_an_old_backup_needs_a_reason_and_the_ledger_says_so_for_good(dataset: Dataset, tmp_path: Path) -> None:
    backup_ledger(dataset.ledger.path, tmp_path / "backup")
    first = publish(dataset, request())
    dataset.ledger.path.unlink()
    with pytest.raises(StoreError, match="would be forgotten"):
        restore_ledger(tmp_path / "backup", dataset.ledger.path)
    assert not dataset.ledger.path.exists()
    done = restore_ledger(tmp_path / "backup", dataset.ledger.path, accept_loss=True, why="the disk broke")
    assert done.rows_lost == 4
    again = fresh(dataset.ledger)
    assert again.notes("restored")[0].facts["rows_lost"] == 4 and again.notes("restored")[0].why == "the disk broke"
    assert again.strangers() == [first.id]


def test_a_rolled_back_file_goes_on_only_with_a_reason(dataset: Dataset, tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copy(dataset.ledger.path, old)
    publish(dataset, request())
    shutil.copyfile(old, dataset.ledger.path)
    for ending in ("-wal", "-shm"):
        dataset.ledger.path.with_name(dataset.ledger.path.name + ending).unlink(missing_ok=True)
    with pytest.raises(StoreError, match="rolled back"):
        fresh(dataset.ledger)
    with pytest.raises(InputError, match="--why"):
        accept_ledger(dataset.ledger.path, why="")
    assert accept_ledger(dataset.ledger.path, why="moved to a new disk") == 4
    assert fresh(dataset.ledger).notes("accepted")[0].facts["rows_lost"] == 4


def test_rows_that_were_changed_are_not_accepted(dataset: Dataset) -> None:
    publish(dataset, request())
    with sqlite3.connect(dataset.ledger.path) as connection:
        connection.execute("DROP TRIGGER charges_never_UPDATE")
        connection.execute("UPDATE charges SET epsilon = '0'")
    connection.close()
    with pytest.raises(StoreError, match="was changed"):
        accept_ledger(dataset.ledger.path, why="I want it")


@pytest.mark.parametrize("what", ["not there", "a file", "no backup", "cut", "another ledger"])
def test_what_is_no_backup_changes_nothing(
    dataset: Dataset, other_counts: ExactCounts, tmp_path: Path, what: str
) -> None:
    first = publish(dataset, request())
    source = tmp_path / "backup"
    if what == "a file":
        source.write_text("x")
    elif what == "no backup":
        source.mkdir()
    elif what == "cut":
        backup_ledger(dataset.ledger.path, source)
        (source / "ledger.sqlite3").write_bytes((source / "ledger.sqlite3").read_bytes()[:5000])
    elif what == "another ledger":
        other = register("others", other_counts, total=Budget(epsilon=1.0), ledger=tmp_path / "other.sqlite3")
        backup_ledger(other.ledger.path, source)
    with pytest.raises((InputError, StoreError)):
        restore_ledger(source, dataset.ledger.path, accept_loss=True, why="x")
    assert publish(dataset, request()).files() == first.files()


def test_a_backup_overwrites_nothing(dataset: Dataset, tmp_path: Path) -> None:
    (tmp_path / "backup").mkdir()
    with pytest.raises(InputError, match="there already"):
        backup_ledger(dataset.ledger.path, tmp_path / "backup")


def test_where_everybody_chose_a_level_what_was_promised_is_listed_and_not_what_was_charged(ledger: Ledger) -> None:
    rows = pd.DataFrame({"lon": [11.25] * 500, "lat": [43.77] * 500, "said": ["Detailed", "Strict"] * 250})
    counts = read_counts(rows, box=(11.2, 43.74, 11.3, 43.81), side=32, level="said")
    own = register("own", counts, total=Budget(epsilon=8.0), ledger=ledger)
    publish(own, ReleaseRequest(k=2, budget=Budget(epsilon=0.5)))
    (one,) = publications(ledger)
    assert one.epsilon == 0.5 and float(own.remaining.epsilon) == 4.0
