"""The ledger is the authority: each way round it that was once open, and the sentence that closes it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dpviz.domain import ExactCounts, ExactPoints, GeoBox
from dpviz.domain.box import plain_frame
from dpviz.errors import DpvizError, InputError, LedgerRefusal, StoreError
from dpviz.ledger.file import LedgerFile
from dpviz.ledger.heads import noted_here
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, looked_at_through_standin, open_dataset
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.publishing.standin import make_standin
from dpviz.releases.request import ReleaseRequest

TOTAL = Budget(epsilon=2.0, delta=1e-6)
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


def request(epsilon: float = 0.5, k: int = 3) -> ReleaseRequest:
    return ReleaseRequest(k=k, budget=Budget(epsilon=epsilon), method="uniform_grid")


def forget_notes(ledger: Ledger) -> None:
    """A machine, and a folder, that never saw this ledger."""
    shutil.rmtree(os.environ["DPVIZ_DATA"], ignore_errors=True)
    ledger.path.with_name(ledger.path.name + ".head").unlink(missing_ok=True)


def edited(ledger: Ledger, *statements: str) -> None:
    """What somebody with the file and SQL can do: the triggers go first."""
    with sqlite3.connect(ledger.path) as connection:
        named = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in named:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
    connection.close()


def fresh(ledger: Ledger) -> Ledger:
    """As another process would open it: nothing of the chain is known yet."""
    from dpviz.ledger.file import LedgerFile

    LedgerFile.forget()
    return Ledger(ledger.path)


# One identity


@pytest.mark.parametrize("kind", ["symlink", "dots", "folder link"])
def test_every_name_of_a_ledger_leads_to_one_lock_and_one_store(dataset: Dataset, tmp_path: Path, kind: str) -> None:
    path = dataset.ledger.path
    elsewhere = tmp_path / "elsewhere"
    if kind == "symlink":
        elsewhere.symlink_to(path)
        other = Ledger(elsewhere)
    elif kind == "dots":
        elsewhere.mkdir()
        other = Ledger(elsewhere / ".." / path.name)
    else:
        elsewhere.symlink_to(path.parent)
        other = Ledger(elsewhere / path.name)
    assert (other.path, other.store, other.workshop, other.id) == (
        path,
        dataset.ledger.store,
        dataset.ledger.workshop,
        dataset.ledger.id,
    )
    first = publish(dataset, request())
    assert publish(open_dataset("trips", ledger=other), request()).files() == first.files()
    assert len(other.charges()) == 1


def test_a_hard_link_leads_to_the_ledger_that_it_was_made_from(dataset: Dataset, tmp_path: Path) -> None:
    (tmp_path / "twin").mkdir()
    twin = tmp_path / "twin" / "ledger.sqlite3"
    os.link(dataset.ledger.path, twin)
    assert Ledger(twin).path == dataset.ledger.path
    forget_notes(dataset.ledger)
    with pytest.raises(StoreError, match="second name"):
        Ledger(twin)


def test_links_that_go_in_a_circle_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(StoreError, match="--ledger"):
        Ledger(tmp_path / "a").make()


def test_a_copy_is_no_second_budget(dataset: Dataset, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / "ledger.sqlite3"
    with sqlite3.connect(dataset.ledger.path) as connection, sqlite3.connect(copy) as target:
        connection.backup(target)
    connection.close()
    target.close()
    with pytest.raises(StoreError, match="is a copy of the ledger"):
        Ledger(copy)


def test_a_ledger_that_was_moved_with_its_store_goes_on(dataset: Dataset, tmp_path: Path) -> None:
    first = publish(dataset, request())
    home = dataset.ledger.path.parent
    moved = tmp_path / "moved"
    moved.mkdir()
    for path in [path for path in home.iterdir() if path.name.startswith("ledger.sqlite3")]:
        path.rename(moved / path.name)
    again = Ledger(moved / "ledger.sqlite3")
    assert publish(open_dataset("trips", ledger=again), request()).files() == first.files()


def test_two_draws_under_one_charge_are_never_both_shown(dataset: Dataset, tmp_path: Path) -> None:
    """Two processes with two stores (a single file mounted elsewhere): the first that is noted is the one."""
    from dpviz.publishing import door

    real = door.write_folder

    def overtaken(folder: Path, files: dict[str, bytes], **how: object) -> Path:
        dataset.ledger.mark_stored(folder.name, "answer", "f" * 64)  # the other process was quicker
        return real(folder, files, **how)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(door, "write_folder", overtaken)
        with pytest.raises(StoreError, match="gone"):
            publish(dataset, request())
    assert list(dataset.ledger.store.iterdir()) == []


def test_a_claim_stands_beside_every_charge(dataset: Dataset) -> None:
    publish(dataset, request())
    with sqlite3.connect(dataset.ledger.path) as connection:
        claims = connection.execute("SELECT key, process FROM claims").fetchall()
    connection.close()
    assert claims == [(dataset.charges[0].key, str(os.getpid()))]


# Rows stay as they were written


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT OR REPLACE INTO charges SELECT number, dataset, key, purpose, '0', delta, request, who, why, created "
        "FROM charges",
        "INSERT OR REPLACE INTO datasets SELECT number, name, facts, content, '100', total_delta, standin_share, who, "
        "why, created FROM datasets",
        "INSERT OR REPLACE INTO datasets SELECT number + 7, name, facts, content, '100', total_delta, standin_share, "
        "who, why, created FROM datasets",
        "INSERT INTO datasets SELECT number, name, facts, content, '100', total_delta, standin_share, who, why, "
        "created FROM datasets WHERE true ON CONFLICT (name) DO UPDATE SET total_epsilon = '100'",
        "UPDATE OR REPLACE charges SET epsilon = '0'",
        "REPLACE INTO settings VALUES (2, 'ledger', 'mine')",
        "REPLACE INTO chain SELECT number, part, row + 1, hash FROM chain",
    ],
)
def test_no_replacement_changes_a_row(dataset: Dataset, statement: str) -> None:
    publish(dataset, request())
    with sqlite3.connect(dataset.ledger.path) as connection, pytest.raises(sqlite3.DatabaseError, match="append-only"):
        connection.execute(statement)
    connection.close()
    assert (float(dataset.total.epsilon), float(dataset.remaining.epsilon)) == (2.0, 1.5)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE charges SET epsilon = '0'", "row 1 of its table 'charges' was changed"),
        ("UPDATE datasets SET total_epsilon = '100'", "row 1 of its table 'datasets' was changed"),
        ("DELETE FROM charges", "row 1 of its table 'charges' is missing"),
        ("DELETE FROM stored", "row 1 of its table 'stored' is missing"),
        (
            "INSERT INTO stored VALUES (9, 'f', 'answer', '', '')",
            r"its table 'stored' holds a row that no dpviz wrote \(row 9\)",
        ),
        ("DELETE FROM chain WHERE number > 7", "rows? .*(missing|no dpviz wrote)"),
    ],
)
def test_rows_changed_behind_its_back_are_noticed(dataset: Dataset, statement: str, said: str) -> None:
    publish(dataset, request())
    edited(dataset.ledger, statement)
    with pytest.raises(StoreError, match=said):
        fresh(dataset.ledger)


def test_a_rolled_back_ledger_is_noticed_and_nothing_is_charged(dataset: Dataset, tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copy(dataset.ledger.path, old)
    publish(dataset, request())
    for ending in ("-wal", "-shm"):
        dataset.ledger.path.with_name(dataset.ledger.path.name + ending).unlink(missing_ok=True)
    shutil.copyfile(old, dataset.ledger.path)
    with pytest.raises(StoreError, match="rolled back or cut: its last 4 rows are missing"):
        fresh(dataset.ledger)
    with pytest.raises(StoreError, match="not as it was left"):
        publish(dataset, request(0.25))


@pytest.mark.parametrize("left", ["beside", "at home"])
def test_either_note_is_enough_to_notice_a_rollback(dataset: Dataset, tmp_path: Path, left: str) -> None:
    old = tmp_path / "old"
    shutil.copy(dataset.ledger.path, old)
    publish(dataset, request())
    shutil.copyfile(old, dataset.ledger.path)
    if left == "beside":
        shutil.rmtree(os.environ["DPVIZ_DATA"], ignore_errors=True)
    else:
        dataset.ledger.path.with_name("ledger.sqlite3.head").unlink()
    with pytest.raises(StoreError, match="rolled back"):
        fresh(dataset.ledger)


def test_a_fork_of_an_old_copy_is_noticed(dataset: Dataset, tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copy(dataset.ledger.path, old)
    publish(dataset, request())
    theirs = dataset.ledger.path.with_name("ledger.sqlite3.head").read_bytes()
    home = Path(os.environ["DPVIZ_DATA"]) / "ledgers"
    shutil.copytree(home, tmp_path / "home")
    shutil.copyfile(old, dataset.ledger.path)
    forget_notes(dataset.ledger)
    shutil.rmtree(dataset.ledger.store)
    opened = fresh(dataset.ledger)
    for kind in ("a", "b", "c", "d", "e"):
        opened.note(kind, "", {})
    dataset.ledger.path.with_name("ledger.sqlite3.head").write_bytes(theirs)
    with pytest.raises(StoreError, match="written into an old copy"):
        fresh(dataset.ledger)


def test_another_ledger_in_the_place_of_one_is_noticed(
    dataset: Dataset, tmp_path: Path, other_counts: ExactCounts
) -> None:
    register("others", other_counts, total=TOTAL, ledger=tmp_path / "other.sqlite3")
    os.replace(tmp_path / "other.sqlite3", dataset.ledger.path)
    with pytest.raises(StoreError, match="belongs to another ledger"):
        fresh(dataset.ledger)


def test_a_ledger_that_is_ahead_of_its_notes_is_in_order(dataset: Dataset) -> None:
    """As a process that was killed between its transaction and the notes leaves it."""
    beside = dataset.ledger.path.with_name("ledger.sqlite3.head")
    before = beside.read_bytes()
    first = publish(dataset, request())
    shutil.rmtree(os.environ["DPVIZ_DATA"])
    beside.write_bytes(before)
    assert publish(open_dataset("trips", ledger=fresh(dataset.ledger)), request()).files() == first.files()


def test_a_row_that_somebody_else_writes_during_a_look_is_no_foreign_row(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, others = sqlite3.connect, iter([0.25])

    class Looking(sqlite3.Connection):
        def execute(self, question: str, *given: object) -> sqlite3.Cursor:  # type: ignore[override]
            if "MIN(number)" in question and "charges" in question:
                for epsilon in others:  # between the first question of the look and its last
                    publish(dataset, request(epsilon))
            return super().execute(question, *given)  # type: ignore[arg-type]

    publish(dataset, request())
    LedgerFile.forget()
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, factory=Looking, **named))
    assert len(Ledger(dataset.ledger.path).charges()) == 2 and next(others, None) is None


def test_a_deleted_ledger_beside_its_store_is_noticed(dataset: Dataset) -> None:
    publish(dataset, request())
    dataset.ledger.path.unlink()
    with pytest.raises(StoreError, match="would forget what was spent"):
        Ledger(dataset.ledger.path)
    dataset.ledger.path.with_name("ledger.sqlite3.head").unlink()
    with pytest.raises(StoreError, match="would forget what was spent"):
        Ledger(dataset.ledger.path)


def test_a_ledger_that_is_gone_with_all_beside_it_is_missed_by_the_note_at_home(dataset: Dataset) -> None:
    publish(dataset, request())
    path = dataset.ledger.path
    for left in list(path.parent.glob(path.name + "*")):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    with pytest.raises(StoreError, match="notes that there was one"):
        Ledger(path)
    Ledger(path.with_name("another.sqlite3"))
    noted = noted_here(path)
    assert noted is not None
    noted.unlink()  # somebody says that nothing of it matters any more
    Ledger(path)


def test_releases_that_were_never_charged_are_named(dataset: Dataset) -> None:
    first = publish(dataset, request())
    assert dataset.ledger.strangers() == []
    shutil.copytree(dataset.ledger.folder_of(first.id), dataset.ledger.store / ("ab" * 16))
    assert dataset.ledger.strangers() == ["ab" * 16]


def test_the_door_hands_out_no_byte_that_was_changed(dataset: Dataset) -> None:
    """Every checksum in the folder is made to fit, as somebody who edits a folder would do."""
    import hashlib
    import json

    first = publish(dataset, request())
    folder = dataset.ledger.folder_of(first.id)
    centers = (folder / "centers.csv").read_text().replace("-73.9", "-73.8")
    (folder / "centers.csv").write_text(centers)
    facts = json.loads((folder / "release.json").read_text())
    facts["files"]["centers.csv"] = hashlib.sha256(centers.encode()).hexdigest()
    (folder / "release.json").write_text(json.dumps(facts))
    with pytest.raises(StoreError):
        publish(dataset, request())


# Names and contents


def test_two_ledgers_never_give_two_releases_one_id(
    counts: ExactCounts, other_counts: ExactCounts, tmp_path: Path
) -> None:
    one = register("trips.csv", counts, total=TOTAL, ledger=tmp_path / "one.sqlite3")
    two = register("trips.csv", other_counts, total=TOTAL, ledger=tmp_path / "two.sqlite3")
    same = register("trips.csv", counts, total=TOTAL, ledger=tmp_path / "three.sqlite3")
    assert len({publish(dataset, request()).id for dataset in (one, two, same)}) == 3


@pytest.mark.parametrize("spelled", ["city ", " City", "CITY", "сity", "ｃity", "ci\u200bty".replace("\u200b", "")])
def test_a_name_that_looks_the_same_is_the_same_dataset(
    counts: ExactCounts, other_counts: ExactCounts, ledger: Ledger, spelled: str
) -> None:
    register("city", counts, total=TOTAL, ledger=ledger, standin_share=0.25)
    assert looked_at_through_standin(spelled, ledger=ledger)
    found = open_dataset(spelled, counts, ledger=ledger)
    assert found.name == "city" and found.has_standin
    assert (found.notice is None) == (spelled.strip() == "city")
    with pytest.raises(LedgerRefusal, match="not those that were registered as 'city'"):
        register(spelled, other_counts, total=TOTAL, ledger=ledger)
    assert len(ledger.datasets()) == 1


def test_a_row_less_or_another_grid_gets_no_fresh_total_without_a_word(
    dataset: Dataset, counts: ExactCounts, other_counts: ExactCounts
) -> None:
    cells = counts.to_numpy()
    cells[3, 3] -= 1
    few = cells.copy()
    few[:4, 0] = 0
    others = {
        "a row less": ExactCounts.from_array(counts.grid, cells),
        "another grid": counts.coarsened(16),
        "a few rows less": ExactCounts.from_array(counts.grid, few),
        "another relation": ExactCounts.from_array(counts.grid, counts.to_numpy(), relation="replace"),
    }
    for name, other in others.items():
        with pytest.raises(LedgerRefusal, match="likely those of 'trips'") as refused:
            register(name, other, total=TOTAL, ledger=dataset.ledger)
        assert str(int(counts.to_numpy().sum())) not in str(refused.value)
    assert len(dataset.ledger.datasets()) == 1
    assert register("others", other_counts, total=TOTAL, ledger=dataset.ledger).notice is None


def test_points_with_other_names_of_columns_or_a_row_less_are_recognised(ledger: Ledger) -> None:
    values = np.random.default_rng(3).random((400, 3))

    def points(names: tuple[str, ...], rows: int) -> ExactPoints:
        frame = plain_frame((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), names)
        return ExactPoints(frame, values[:rows])

    register("points", points(("x", "y", "z"), 400), total=TOTAL, ledger=ledger)
    for name, other in {"less": points(("x", "y", "z"), 399), "columns": points(("a", "b", "c"), 400)}.items():
        with pytest.raises(LedgerRefusal, match="likely those of"):
            register(name, other, total=TOTAL, ledger=ledger)


def test_whoever_is_refused_leaves_no_ledger_behind(tmp_path: Path, counts: ExactCounts) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    assert ledger.datasets() == [] and ledger.charges() == [] and ledger.dataset("trips") is None
    with pytest.raises(InputError):
        register("", counts, total=TOTAL, ledger=ledger)
    with pytest.raises(InputError):
        open_dataset("trips", ledger=ledger)
    assert list(tmp_path.iterdir()) == []


def test_coins_are_those_of_the_ledger_that_another_process_made_meanwhile(tmp_path: Path, counts: ExactCounts) -> None:
    late = Ledger(tmp_path / "ledger.sqlite3")
    register("trips", counts, total=TOTAL, ledger=tmp_path / "ledger.sqlite3")
    assert late.cap_source().seed == Ledger(tmp_path / "ledger.sqlite3").cap_source().seed


# Ledgers of format 1


@pytest.fixture
def old_ledger(tmp_path: Path, project_root: Path) -> Path:
    """Made by dpviz before format 2: a stand-in, two releases, one charge whose draw was interrupted."""
    with zipfile.ZipFile(project_root / "tests" / "golden" / "ledger-format-1.zip") as archive:
        archive.extractall(tmp_path / "old")
    return tmp_path / "old" / "ledger.sqlite3"


def test_an_old_ledger_goes_on_and_nothing_is_lost(old_ledger: Path, counts: ExactCounts) -> None:
    bytes_before = {path: path.read_bytes() for path in old_ledger.with_name("ledger.sqlite3.releases").rglob("*.*")}
    opened = open_dataset("trips", counts, ledger=old_ledger)
    assert [(float(charge.amount.epsilon), charge.who, charge.why, charge.stored) for charge in opened.charges] == [
        (0.5, "Ada", "made with format 1", True),
        (0.5, "Grace", "first", True),
        (0.25, "Grace", "second", True),
        (0.125, "Grace", "interrupted", False),
    ]
    assert (float(opened.total.epsilon), float(opened.remaining.epsilon)) == (2.0, 0.625)
    # The same requests give the stored bytes and cost nothing; the interrupted one is completed under its charge.
    assert publish(opened, ReleaseRequest(k=3, budget=Budget(epsilon=0.5))).id == opened.charges[1].key
    assert publish(opened, request(0.25, 4)).id == opened.charges[2].key
    assert make_standin(opened).id == opened.charges[0].key
    assert publish(opened, request(0.125, 5)).id == opened.charges[3].key
    assert float(opened.remaining.epsilon) == 0.625 and all(charge.stored for charge in opened.charges)
    assert {path: path.read_bytes() for path in bytes_before} == bytes_before
    assert all(charge.seal for charge in opened.charges)
    assert opened.ledger.check().number > 0
    assert [note.kind for note in opened.ledger.notes()] == ["upgraded", "likeness"]


def test_the_file_of_the_old_format_is_kept_beside(old_ledger: Path) -> None:
    Ledger(old_ledger)
    with sqlite3.connect(old_ledger.with_name("ledger.sqlite3.format-1")) as connection:
        kept = connection.execute("SELECT COUNT(*) FROM charges").fetchone()
    connection.close()
    assert kept == (4,)


def test_an_upgrade_that_fails_leaves_the_old_ledger(old_ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dpviz.ledger import file as upgrade

    def full(*_: object) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(upgrade, "append", full)
        with pytest.raises(StoreError, match="disk is full"):
            Ledger(old_ledger)
    assert len(Ledger(old_ledger).charges()) == 4


# Files that are not what they should be


def test_a_pipe_in_the_place_of_a_ledger_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ledger.sqlite3")
    with pytest.raises(StoreError, match="no ordinary file"):
        Ledger(tmp_path / "ledger.sqlite3")


@pytest.mark.parametrize("what", ["folder", "pipe", "link", "empty", "half", "no text"])
def test_a_broken_note_beside_the_ledger_costs_nothing(dataset: Dataset, what: str, tmp_path: Path) -> None:
    beside = dataset.ledger.path.with_name("ledger.sqlite3.head")
    kept = beside.read_bytes()
    beside.unlink()
    if what == "folder":
        beside.mkdir()
    elif what == "pipe":
        os.mkfifo(beside)
    elif what == "link":
        (tmp_path / "target").write_text("somebody's file")
        beside.symlink_to(tmp_path / "target")
    else:
        beside.write_bytes({"empty": b"", "half": kept[:20], "no text": b"\xff" * 50}[what])
    if what in ("folder", "pipe", "link"):
        with pytest.raises(StoreError, match="cannot use the ledger"):
            publish(dataset, request())
        assert dataset.charges == []
        assert what != "link" or (tmp_path / "target").read_text() == "somebody's file"
    else:
        publish(dataset, request())
        assert len(dataset.charges) == 1


def test_a_full_disk_charges_nothing(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    from dpviz.ledger import rows as ledger_rows

    def full(*_: object) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(ledger_rows, "append", full)
        with pytest.raises(DpvizError, match="disk is full"):
            publish(dataset, request())
    assert dataset.charges == []
    publish(dataset, request())
    assert len(dataset.charges) == 1
