"""What people give by mistake or in malice, through the library and through the command line: the same rules in both.

A file of valid structure goes through whatever it holds. Everything else is refused with exit code 2 (an InputError or
StoreError in the library), charges nothing and leaves nothing.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpviz
from dpviz.__main__ import main
from dpviz.errors import DpvizError
from dpviz.ledger.ledger import Ledger
from dpviz.releases.release import Release

ROOT = Path(__file__).resolve().parents[2]
BOX = "-74.05,40.70,-73.90,40.80"
REFUSED, CHARGED = 2, 5


def rows(points: Any, head: str = "lon,lat") -> bytes:
    return (head + "\n" + "".join(f"{lon},{lat}\n" for lon, lat in points)).encode()


def parquet(points: Any) -> bytes:
    lon, lat = np.asarray(points, dtype=float).T
    out = io.BytesIO()
    pq.write_table(pa.table({"lon": lon, "lat": lat}), out)
    return out.getvalue()


@dataclass(frozen=True, kw_only=True)
class Case:
    """One mistake: what is given, and whether it goes through (0) or is refused (2)."""

    content: bytes
    ends: int
    name: str = "trips.csv"
    k: Any = 2
    epsilon: Any = 1.0
    strict: bool = False
    lon: str | None = None
    lat: str | None = None


SOME = [(-74.0 + i / 2000, 40.72 + i / 3000) for i in range(90)]
SWAPPED = [(lat, lon) for lon, lat in SOME]
GOOD = rows(SOME)
FORMULA = "=cmd|' /C calc'!A0,\"<script>alert(1)</script>\",lon,lat\n"

CASES: dict[str, Case] = {
    "a picture": Case(content=b"\x89PNG\r\n\x1a\n" + bytes(50), ends=2, name="trips.png"),
    "a picture called csv": Case(content=b"\x89PNG\r\n\x1a\n" + bytes(50), ends=2),
    "an empty file": Case(content=b"", ends=2),
    "a header and no rows": Case(content=b"lon,lat\n", ends=2),
    "a header and no rows, strict": Case(content=b"lon,lat\n", ends=0, strict=True),
    "one row": Case(content=rows(SOME[:1]), ends=0),
    "fewer rows than clusters": Case(content=rows(SOME[:3]), ends=0, k=20),
    "a million times the same row": Case(
        content=parquet(np.tile([-74.0, 40.75], (10**6, 1))), ends=0, name="d.parquet"
    ),
    "NaN among numbers": Case(content=rows([*SOME, ("nan", 40.75), ("", "")]), ends=0),
    "nothing but NaN": Case(content=rows([("nan", "nan")] * 9), ends=2),
    "infinities among numbers": Case(content=rows([*SOME, ("inf", 40.75), (-74.0, "-inf"), ("1e999", 1)]), ends=0),
    "nothing but infinities": Case(content=parquet([(np.inf, -np.inf)] * 9), ends=2, name="i.parquet"),
    "longitude and latitude swapped": Case(content=rows(SWAPPED), ends=2),
    "longitude and latitude swapped, strict": Case(content=rows(SWAPPED), ends=0, strict=True),
    "all rows outside": Case(content=rows([(2.35, 48.85)] * 9), ends=2),
    "all rows outside, strict": Case(content=rows([(2.35, 48.85)] * 9), ends=0, strict=True),
    "degrees beyond the earth": Case(content=rows([*SOME, (999, -999), (1e300, 1e-300)]), ends=0),
    "text among numbers": Case(content=rows([*SOME, ("here", "there"), ("'; DROP TABLE", 1)]), ends=0),
    "nothing but text": Case(content=rows([("here", "there")] * 9), ends=2),
    "columns of other names": Case(content=rows(SOME, "a,b"), ends=2),
    "a column that is not there": Case(content=GOOD, ends=2, lon="length", lat="lat"),
    "the same column twice": Case(content=GOOD, ends=2, lon="lon", lat="lon"),
    "Parquet cut in the middle": Case(content=parquet(SOME)[:300], ends=2, name="t.parquet"),
    "Parquet without its end": Case(content=parquet(SOME)[:-20], ends=2, name="t.parquet"),
    "a file cut off in its last row": Case(content=GOOD[:-5], ends=0),
    "no clusters": Case(content=GOOD, ends=2, k=0),
    "fewer than no clusters": Case(content=GOOD, ends=2, k=-3),
    "too many clusters": Case(content=GOOD, ends=2, k=10**6),
    "no budget": Case(content=GOOD, ends=2, epsilon=0.0),
    "less than no budget": Case(content=GOOD, ends=2, epsilon=-0.5),
    "a budget that is no number": Case(content=GOOD, ends=2, epsilon=float("nan")),
    "a budget without end": Case(content=GOOD, ends=2, epsilon=float("inf")),
    "formulas and scripts as names": Case(
        content=(FORMULA + "".join(f"1,2,{lon},{lat}\n" for lon, lat in SOME)).encode(), ends=0, lon="lon", lat="lat"
    ),
    "a formula as a coordinate's name": Case(
        content=rows(SOME, "=HYPERLINK(1),</script><b>"), ends=0, lon="=HYPERLINK(1)", lat="</script><b>"
    ),
    "spaces and other letters in the path": Case(content=GOOD, ends=0, name="поездки 東京 é ñ.csv"),
    "a command as the file's name": Case(content=GOOD, ends=0, name="$(touch hacked); `id` & 'x' \"y\".csv"),
    "an option as the file's name": Case(content=GOOD, ends=0, name="--out.csv"),
    "a glob as the file's name": Case(content=GOOD, ends=0, name="[a-z]*?.csv"),
    "a line end in the file's name": Case(content=GOOD, ends=2, name="trips\nof may.csv"),  # no name for a dataset
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "books" / "ledger.sqlite3"))
    return tmp_path


def by_library(case: Case, place: Path) -> int:
    """Read, register, publish and save, as the documents show it."""
    try:
        budget = dpviz.Budget(epsilon=case.epsilon)
        request = dpviz.ReleaseRequest(k=case.k, budget=budget)
        counts = dpviz.read_counts(place / case.name, box=BOX, side=64, lon=case.lon, lat=case.lat, strict=case.strict)
        dataset = dpviz.register_or_open(case.name, counts, request=request, strict=case.strict)
        dpviz.publish(dataset, request).save(place / "out")
    except DpvizError as error:
        assert error.message.isprintable() or case.name in error.message
        assert error.__cause__ is None
        return error.exit_code
    return 0


def by_command_line(case: Case, place: Path) -> int:
    words = ["dpviz", "release", "--box", BOX, "--side", "64", f"--k={case.k}", f"--epsilon={case.epsilon}"]
    words += [f"--{name}={value}" for name, value in (("lon", case.lon), ("lat", case.lat)) if value is not None]
    words += ["--strict"] * case.strict + ["--out", "out", "--", case.name]
    return command(words[1:])


def command(words: list[str]) -> int:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as left:
        patch.setattr(sys, "argv", ["dpviz", *words])
        main()
    return int(left.value.code or 0)


@pytest.mark.parametrize("way", [by_library, by_command_line], ids=["library", "command line"])
@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str, way: Any, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    (place / case.name).write_bytes(case.content)
    assert way(case, place) == case.ends
    told = capsys.readouterr()
    assert "Traceback" not in told.err and not (place / "hacked").exists()
    if case.ends:
        assert told.out == "" and not (place / "out").exists()
        ledger = place / "books" / "ledger.sqlite3"
        assert not ledger.exists() or Ledger(ledger).charges() == []
    else:
        found = Release.load(place / "out")
        assert len(found.centers) <= case.k and np.isfinite(found.centers[["weight"]].to_numpy()).all()


UNWRITABLE = {
    "a file where a folder should be": "file",
    "a folder inside of a file": "file/below",
    "a device": "/dev/null",
    "a folder inside of a device": "/dev/null/below",
    "a name that is too long": "x" * 300,
    "a NUL in the name": "a\x00b",
    "a folder of somebody's work": "work",
}


@pytest.mark.parametrize("name", UNWRITABLE)
def test_an_output_that_cannot_be_written(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "trips.csv").write_bytes(GOOD)
    (place / "file").write_text("mine", encoding="utf-8")
    (place / "work").mkdir()
    (place / "work" / "thesis.txt").write_text("mine", encoding="utf-8")
    words = ["release", "trips.csv", "--box", BOX, "--side", "64", "--k", "2", "--level", "4"]
    ends = command([*words, "--out", UNWRITABLE[name]])
    told = capsys.readouterr()
    assert ends == REFUSED and told.out == "" and "Traceback" not in told.err
    if not told.err.startswith("Usage"):  # the parser of the command line draws a frame
        assert 0 < len(told.err.strip().splitlines()) <= 2
    assert {path.name for path in place.iterdir()} <= {"trips.csv", "file", "work", "books"}
    assert [path.name for path in (place / "work").iterdir()] == ["thesis.txt"]
    ledger = place / "books" / "ledger.sqlite3"
    assert not ledger.exists() or Ledger(ledger).charges() == []


def child(code: str, place: Path) -> subprocess.CompletedProcess[str]:
    """`code`, then the command line, in a process of its own that may be killed."""
    return subprocess.run(
        [sys.executable, "-c", f"import os, signal, sys\n{code}\nfrom dpviz.__main__ import main\nmain()"],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


RELEASE = ["release", "trips.csv", "--box", BOX, "--side", "64", "--k", "2", "--level", "4", "--out", "out"]
COUNT = ["count", "trips.csv", "--box", BOX, "--side", "64", "--out", "out.npz"]

# A moment: the command, and code that makes it send itself the signal in the middle of one step.
MOMENTS = {
    "reading": (RELEASE, "from dpviz.ingest import readers as room; name = 'add_batch'"),
    "making the ledger": (RELEASE, "from dpviz.ledger import file as room; name = 'schema'"),
    "drawing": (RELEASE, "from dpviz.publishing import door as room; name = 'run'"),
    "writing the store": (RELEASE, "from dpviz.releases import store as room; name = 'flush_folder'"),
    "writing counts": (COUNT, "import numpy as room; name = 'savez_compressed'"),
}
# SIGKILL at every step of publishing: test_door_crashes.
SIGNALS = [
    *(("SIGINT", moment) for moment in MOMENTS),
    *(("SIGTERM", moment) for moment in ("making the ledger", "writing the store", "writing counts")),
    *(("SIGKILL", moment) for moment in ("making the ledger", "writing counts")),
]
KILL_ITSELF = """
whole = getattr(room, name)
def step(*given, **more):
    found = whole(*given, **more)
    os.kill(os.getpid(), signal.{name})
    return found
setattr(room, name, step)
sys.argv = ["dpviz", *{words}]
"""

if hasattr(signal, "SIGKILL"):

    @pytest.mark.slow
    @pytest.mark.parametrize(("name", "moment"), SIGNALS)
    def test_a_signal_in_the_middle_leaves_nothing_half_written(place: Path, name: str, moment: str) -> None:
        code = {"SIGINT": 130, "SIGTERM": 143, "SIGKILL": -9}[name]
        (place / "trips.csv").write_bytes(GOOD)
        words, where = MOMENTS[moment]
        done = child(where + KILL_ITSELF.format(name=name, words=words), place)
        assert done.returncode == code, done.stderr
        assert done.stdout == "" and "Traceback" not in done.stderr
        assert name == "SIGKILL" or "interrupted; nothing was left half-written" in done.stderr
        assert not (place / "out").exists() and not (place / "out.npz").exists()
        books = [path.name for path in (place / "books").rglob("*")] if (place / "books").exists() else []
        if name != "SIGKILL":  # what a killed process leaves is hidden
            assert not [path for path in place.iterdir() if path.name.startswith(".")]
            assert not [entry for entry in books if entry.startswith(".")]
        assert command(words) == 0
        if words is RELEASE:
            assert len(Ledger(place / "books" / "ledger.sqlite3").charges()) == 1
            assert isinstance(Release.load(place / "out"), Release)
            assert not [path for path in (place / "books").rglob("*") if path.name.startswith(".")]


if sys.platform == "linux":

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("words", "limit", "ends"), [(RELEASE, 20_000, REFUSED), (RELEASE, 100_000, CHARGED), (COUNT, 20_000, REFUSED)]
    )
    def test_a_disk_that_is_full_is_told_and_the_same_command_works_later(
        place: Path, words: list[str], limit: int, ends: int
    ) -> None:
        """No file may grow beyond a limit, which the ledger meets at 20,000 bytes and the release at 100,000."""
        scattered = np.random.default_rng(0).uniform((-74.05, 40.70), (-73.90, 40.80), (20_000, 2))
        (place / "trips.csv").write_bytes(rows(scattered))
        words = [*words, "--side", "1024"] if words is COUNT else words
        full = "import resource\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nsys.dont_write_bytecode = True\n"
        full += f"sys.argv = ['dpviz', *{words}]\nimport dpviz.ingest.readers, dpviz.publishing.door\n"
        full += f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
        done = child(full, place)
        assert done.returncode == ends and done.stdout == "", done.stderr
        assert ("completes it" in done.stderr) == (ends == CHARGED)
        assert len(done.stderr.strip().splitlines()) == 2 + (ends == CHARGED)  # the first says what was read
        assert not (place / "out").exists() and not (place / "out.npz").exists()
        assert not [path for path in place.rglob("*") if path.name.startswith(".")]
        assert command(words) == 0
        if words is RELEASE:
            assert len(Ledger(place / "books" / "ledger.sqlite3").charges()) == 1
