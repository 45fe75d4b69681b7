"""No command writes over an input, a ledger, a store, or anything else than an earlier output of its own kind."""

from __future__ import annotations

import errno
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dpviz.__main__ import main
from dpviz.cli import publishing
from dpviz.errors import CHARGED, StoreError
from dpviz.ingest import is_saved_counts, read_counts, save_counts
from dpviz.releases.release import Release

BOX = "-74.05,40.70,-73.90,40.80"
Call = Callable[..., tuple[int, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    def run(*words: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), capsys.readouterr().err

    return run


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with records, a ledger that was used, and a note of somebody's."""
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "books" / "ledger.sqlite3"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    rows = "".join(f"{-74.0 + i / 2000},{40.72 + i / 3000}\n" for i in range(90))
    (tmp_path / "in" / "trips.csv").write_text("lon,lat\n" + rows)
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


def count(out: object, *more: object) -> list[object]:
    return ["count", "in/trips.csv", "--box", BOX, "--side", 16, "--out", out, *more]


def release(out: object, *more: object, k: int = 2) -> list[object]:
    words = ["release", "in/trips.csv", "--box", BOX, "--side", 16, "--k", k, "--epsilon", 1, "--total", 9]
    return [*words, "--dataset", "trips", "--out", out, *more]


def everything(folder: Path) -> dict[str, str]:
    """Every file below a folder with a checksum; the ledger's own notes while it is open aside."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm", ".lock")))
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def refused(call: Call, place: Path, words: list[object], said: str) -> None:
    before = everything(place)
    code, err = call(*words)
    assert code == 2 and said in err, err
    assert len(err.strip().splitlines()) <= 2 and everything(place) == before


OVER_AN_INPUT = {
    "its own name": "in/trips.csv",
    "a way around": "in/../in/./trips.csv",
    "a link": "link.csv",
    "a hard link": "hard.csv",
    "a link to its folder": "door/trips.csv",
}


@pytest.mark.parametrize("name", OVER_AN_INPUT)
def test_no_output_replaces_what_is_read(name: str, place: Path, call: Call) -> None:
    (place / "link.csv").symlink_to(place / "in" / "trips.csv")
    (place / "door").symlink_to(place / "in")
    os.link(place / "in" / "trips.csv", place / "hard.csv")
    for more in ([], ["--overwrite"]):
        refused(call, place, count(OVER_AN_INPUT[name], *more), "what is read")
        refused(call, place, release(OVER_AN_INPUT[name], *more), "what is read")


def test_no_folder_of_records_takes_a_release(place: Path, call: Call) -> None:
    refused(call, place, release("in"), "folder of a file that is read")
    words = ["release", "in", "--box", BOX, "--k", 2, "--epsilon", 1, "--out"]
    refused(call, place, [*words, "in/published"], "read as records")
    refused(call, place, [*words, "in"], "what is read")
    refused(call, place, ["release", "in/*.csv", *words[2:], "in"], "folder of a file that is read")


def test_no_output_replaces_a_ledger_or_what_belongs_to_it(place: Path, call: Call) -> None:
    assert call(*release("one"))[0] == 0  # now the ledger of the environment is in use
    ledger = place / "books" / "ledger.sqlite3"
    (place / "ledger.npz").symlink_to(ledger)
    os.link(ledger, place / "hard.npz")
    stored = next((place / "books" / "ledger.sqlite3.releases").iterdir())
    for more in ([], ["--overwrite"]):
        refused(call, place, count(ledger, *more), "ledger")
        refused(call, place, count("ledger.npz", *more), "ledger")
        refused(call, place, count("hard.npz", *more), "ledger")
        refused(call, place, count(f"{ledger}-wal", *more), "ledger")
        refused(call, place, count(stored / "counts.npz", *more), "ledger")
        refused(call, place, release(stored, *more), "ledger")
        refused(call, place, release("books", *more), "ledger")
        refused(call, place, release("books/new.releases/x", *more, "--ledger", "books/new"), "ledger")
        refused(call, place, release("new", *more, "--ledger", "new/ledger.sqlite3"), "ledger lies")
        refused(call, place, count("other", *more, "--ledger", "other"), "ledger")
        refused(call, place, count("Other", *more, "--ledger", "other"), "ledger")  # one name to some systems


def test_another_ledgers_store_is_guarded_too(place: Path, call: Call) -> None:
    assert call(*release("one", "--ledger", "other.sqlite3"))[0] == 0
    stored = next((place / "other.sqlite3.releases").iterdir())
    refused(call, place, release(stored, "--overwrite"), "store of a ledger")
    refused(call, place, count("other.sqlite3", "--overwrite"), "something else")


def test_what_is_read_becomes_no_ledger(place: Path, call: Call) -> None:
    (place / "in" / "empty.csv").write_text("")
    refused(call, place, release("one", "--ledger", "in/trips.csv"), "what is read")
    words = ["register", "in/empty.csv", "--total", 1, "--box", BOX, "--ledger", "in/empty.csv"]
    refused(call, place, words, "what is read")


def test_refused_calls_leave_no_ledger(place: Path, call: Call) -> None:
    person = ["--person", "lat", "--cap", 2]  # which is a coordinate
    for more in ([], person, ["--ledger", "new/ledger.sqlite3"]):
        refused(call, place, release("one", "--box", "Berlin", *more), "person" if more == person else "no row")
        refused(call, place, release("one", "--lon", "x", "--lat", "y", *more), "person" if more == person else "'x'")
    assert not (place / "books").exists() and not (place / "new").exists()


def test_nothing_else_is_replaced(place: Path, call: Call) -> None:
    (place / "pages").mkdir()
    (place / "pages" / "index.html").write_text("hello")
    os.mkfifo(place / "pipe")
    for more in ([], ["--overwrite"]):
        refused(call, place, count("notes.txt", *more), "something else")
        refused(call, place, count("pages", *more), "is a folder")
        refused(call, place, count("pipe", *more), "ordinary file")
        refused(call, place, count("nowhere/counts.npz", *more), "is no folder")
        refused(call, place, release("notes.txt", *more), "is a file")
        refused(call, place, release("pages", *more), "something else")


def test_an_earlier_output_is_replaced_only_when_that_is_said(place: Path, call: Call) -> None:
    assert call(*count("counts.npz"))[0] == 0
    refused(call, place, count("counts.npz"), "--overwrite")
    (place / "link.npz").symlink_to("counts.npz")
    first = (place / "counts.npz").stat().st_ino
    assert call(*count("link.npz", "--overwrite"))[0] == 0
    assert (place / "link.npz").is_symlink() and is_saved_counts(place / "counts.npz")
    assert (place / "counts.npz").stat().st_ino != first

    assert call(*release("one"))[0] == 0
    again = everything(place)
    assert call(*release("one"))[0] == 0 and everything(place) == again  # the same request is no overwriting
    refused(call, place, release("one", k=3), "--overwrite")
    assert call(*release("one", "--overwrite", "--again", k=3))[0] == 0
    assert len(Release.load(place / "one").centers) == 3
    assert {path.name for path in place.iterdir()} >= {"one", "in", "notes.txt"}
    assert not [path for path in place.iterdir() if path.name.startswith(".")]
    (place / "one" / "note.txt").write_text("mine")
    refused(call, place, release("one", "--overwrite", k=2), "something else")


def test_experiments_are_kept_from_other_files_too(place: Path, call: Call) -> None:
    (place / "figures").mkdir()
    (place / "figures" / "blocki2021-groups.csv").write_text("my,own\n")
    words = ["reproduce", "blocki2021-groups", "--quick", "--out", "figures"]
    refused(call, place, words, "something else")
    refused(call, place, [*words, "--overwrite"], "something else")
    (place / "figures" / "bench_noise.csv").write_text("text of mine")
    refused(call, place, ["bench", "noise", "--out", "figures"], "something else")
    (place / "figures" / "bench_noise.csv").write_text("name,seconds\n")
    refused(call, place, ["bench", "noise", "--out", "figures"], "--overwrite")


def test_the_demonstration_is_written_over_an_earlier_one_only(place: Path, call: Call) -> None:
    refused(call, place, ["demo", "--out", "in/trips.csv", "--overwrite"], "something else")
    refused(call, place, ["demo", "--out", "in"], "is a folder")
    assert call("demo", "--out", "demo.html")[0] == 0
    refused(call, place, ["demo", "--out", "demo.html"], "--overwrite")
    assert call("demo", "--out", "demo.html", "--overwrite")[0] == 0


def test_a_file_that_appears_meanwhile_is_not_replaced(place: Path) -> None:
    counts = read_counts(place / "in" / "trips.csv", box=BOX, side=16)
    with pytest.raises(StoreError, match="there already"):
        save_counts(counts, place / "notes.txt", overwrite=True)
    assert (place / "notes.txt").read_text() == "mine"
    assert not list(place.glob(".notes*"))


def test_a_copy_that_cannot_be_written_is_found_before_the_charge(call: Call, place: Path) -> None:
    (place / "file").write_text("mine")
    long = "a" * 300
    for out in ("file/deep/er", f"new/{long}", long, f"new/{'é' * 130}", "/".join(["deep" * 20] * 60), "/proc/x/y"):
        code, err = call(*release(out))
        assert code == 2 and len(err.strip().splitlines()) == 1 and "unexpected" not in err, (out[:40], err)
        assert not (place / "books" / "ledger.sqlite3").exists() and not (place / "new").exists(), out[:40]
    assert call(*release("new/er"))[0] == 0


def test_a_folder_that_nobody_may_write_to_is_found_before_the_charge(
    call: Call, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object, **__: object) -> str:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(tempfile, "mkdtemp", read_only)  # what a read-only file system answers, also to root
    code, err = call(*release("new/er"))
    assert code == 2 and "cannot be written" in err
    assert not (place / "books" / "ledger.sqlite3").exists() and not (place / "new").exists()


@pytest.mark.parametrize("letters", ["市" * 84, "🚲" * 63, "a" * 255])
def test_a_name_as_long_as_the_system_takes_is_written_and_replaced(call: Call, place: Path, letters: str) -> None:
    assert call(*release(letters))[0] == 0
    assert call(*release(letters, "--overwrite", "--again", k=3))[0] == 0
    assert Release.load(place / letters).request.k == 3
    assert sorted(one.name for one in place.iterdir()) == sorted(["books", "in", "notes.txt", letters])


def test_what_goes_wrong_after_the_charge_never_ends_with_two(
    call: Call, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> list[str]:
        raise StoreError("the ledger cannot be read.")

    monkeypatch.setattr(publishing, "_say_notes", fails)
    code, err = call(*release("new"))
    assert code == CHARGED and "stored all the same" in err


LONG = "a" * 300
LONG_NAMES = {
    "release": ["release", LONG, "--box", BOX, "--k", 2, "--epsilon", 1, "--out", "out"],
    "release to a ledger": release("out", "--ledger", LONG),
    "release with regions": release("out", "--regions", LONG),
    "count": ["count", LONG, "--box", BOX, "--out", "c.npz"],
    "count to": count(LONG),
    "register": ["register", LONG, "--box", BOX, "--total", 1],
    "register in": ["register", "in/trips.csv", "--box", BOX, "--total", 1, "--ledger", LONG],
    "evaluate": ["evaluate", LONG, "--release", LONG],
    "units": ["units", LONG],
    "compare": ["compare", LONG, LONG],
    "verify": ["verify", LONG],
    "withdraw": ["withdraw", LONG, "--why", "x"],
    "supersede": ["supersede", LONG, "--by", LONG, "--why", "x"],
    "correct": ["correct", LONG, "--title", "x", "--why", "x"],
    "publications": ["publications", "--ledger", LONG],
    "ledger": ["ledger", "--ledger", LONG],
    "ledger verify": ["ledger", "verify", "--ledger", LONG],
    "ledger backup": ["ledger", "backup", "--out", LONG],
    "ledger restore": ["ledger", "restore", LONG],
    "series": ["series", "--ledger", LONG],
    "series changes": ["series", "changes", LONG, LONG],
    "approval": ["approval", "--ledger", LONG],
    "preview": ["preview", "--dataset", "x", "--k", 2, "--ledger", LONG],
    "picture": ["picture", LONG, "--out", "map.png"],
    "demo": ["demo", "--out", LONG],
}


@pytest.mark.parametrize("words", LONG_NAMES.values(), ids=LONG_NAMES)
def test_a_path_of_300_letters_gives_one_sentence(call: Call, place: Path, words: list[object]) -> None:
    code, err = call(*words)
    assert code == 2 and "unexpected" not in err and len(err.strip().splitlines()) == 1, err
