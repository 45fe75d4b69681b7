"""A release with a person cap is evaluated on what its cap keeps, in the unit it protects, or not at all."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from dpviz.__main__ import main

BOX = "-74.05,40.70,-73.90,40.80"


def dpviz(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few cabs with very many rows in one corner, and many riders with one row each around two middles."""
    found = tmp_path_factory.mktemp("cabs")
    rng = np.random.default_rng(1)
    middles = np.array([[-74.0, 40.72], [-73.95, 40.78]])
    riders = middles[rng.integers(2, size=4000)] + rng.normal(0, 0.002, (4000, 2))
    cabs = np.array([-73.91, 40.705]) + rng.normal(0, 0.0005, (20_000, 2))
    rows = [f"{lon:.6f},{lat:.6f},r{i}" for i, (lon, lat) in enumerate(riders)]
    rows += [f"{lon:.6f},{lat:.6f},c{i % 5}" for i, (lon, lat) in enumerate(cabs)]
    (found / "trips.csv").write_text("lon,lat,who\n" + "\n".join(rows) + "\n")
    return found


@pytest.fixture
def place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, with the ledger whose coins chose the records that the cap keeps."""
    monkeypatch.setenv("DPVIZ_LEDGER", str(folder / "books" / "ledger.sqlite3"))
    return folder


@pytest.fixture(scope="module")
def release(folder: Path) -> Path:
    """One release for all: evaluating changes nothing in it."""
    out = folder / "release"
    words = ["--box", BOX, "--side", 64, "--k", 2, "--epsilon", 4, "--person", "who", "--cap", 2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_LEDGER", str(folder / "books" / "ledger.sqlite3"))
        assert dpviz(patch, "release", folder / "trips.csv", *words, "--out", out) == 0
    return out


def test_the_error_is_that_of_the_capped_records(
    place: Path, release: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    for more in ([], ["--person", "who"], ["--person", "who", "--cap", 2]):
        assert dpviz(monkeypatch, "evaluate", place / "trips.csv", "--release", release, "--json", *more) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["relative_error"] < 0.2 and found["shift_m"] < 300  # read row by row it is 20 times and kilometres


@pytest.mark.parametrize(
    ("more", "word"),
    [(["--cap", 3], "cap of 2"), (["--person", "rider"], "rider"), (["--person", "who", "--cap", 9], "cap of 2")],
)
def test_another_cap_or_a_column_that_is_not_there_is_refused(
    place: Path,
    release: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[object],
    word: str,
) -> None:
    capsys.readouterr()
    assert dpviz(monkeypatch, "evaluate", place / "trips.csv", "--release", release, *more) == 2
    said = capsys.readouterr()
    assert word in said.err and said.out == ""


def test_counts_of_another_unit_are_refused(
    place: Path, release: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counted = place / "counts.npz"
    assert dpviz(monkeypatch, "count", place / "trips.csv", "--box", BOX, "--side", 64, "--out", counted) == 0
    capsys.readouterr()
    assert dpviz(monkeypatch, "evaluate", counted, "--release", release) == 2
    said = capsys.readouterr().err
    assert "one person (at most 2 records each)" in said and "one record" in said


def test_a_release_of_records_refuses_a_person_column(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = place / "plain"
    words = [
        "--box",
        BOX,
        "--side",
        64,
        "--k",
        2,
        "--epsilon",
        4,
        "--out",
        out,
        "--dataset",
        "plain",
        "--other-people",
        "a test",
    ]
    assert dpviz(monkeypatch, "release", place / "trips.csv", *words) == 0
    capsys.readouterr()
    assert dpviz(monkeypatch, "evaluate", place / "trips.csv", "--release", out, "--person", "who", "--cap", 2) == 2
    assert "protects one record" in capsys.readouterr().err
