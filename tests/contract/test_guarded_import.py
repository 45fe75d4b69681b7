"""What became of the rows is always said to the curator: on the terminal, in JSON, in code; in strict mode never."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.__main__ import main
from dpviz.errors import NothingInBox

BOX = "-74.05,40.70,-73.90,40.80"
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "books" / "ledger.sqlite3"))
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return run


def write(name: str, lon: list[float], lat: list[float], **more: list[object]) -> None:
    pd.DataFrame({"lon": lon, "lat": lat, **more}).to_csv(name, index=False)


MANY = [-74.0 + i / 2000 for i in range(95)], [40.72 + i / 3000 for i in range(95)]


def test_rows_that_are_mostly_swapped_are_said_and_never_passed_over(call: Call, tmp_path: Path) -> None:
    write("trips.csv", [*MANY[1], *[-74.0] * 5], [*MANY[0], *[40.75] * 5])
    for words in (["count", "--out", "c.npz"], ["release", "--k", 1, "--epsilon", 1, "--out", "r"]):
        code, _, err = call(words[0], "trips.csv", "--box", BOX, "--side", 16, *words[1:])
        assert code == 0 and "100 rows read from the columns lon, lat: 5 used, 95 outside the box" in err
        assert "95 inside if longitude and latitude were swapped" in err and "--lon" not in err
        assert "swapped: name the columns the other way round" in err
    code, out, _ = call("evaluate", "trips.csv", "--release", "r", "--json")
    report = json.loads(out)["report"]
    assert (report["rows"], report["used"], report["outside"], report["suspected_swapped"]) == (100, 5, 95, 95)
    assert report["exact"] is True
    code, out, _ = call("count", "trips.csv", "--crs", "swapped", "--box", BOX, "--out", "d.npz", "--json")
    assert code == 0 and json.loads(out)["report"]["used"] == 95
    counts = dpviz.read_counts("trips.csv", box=BOX)
    assert counts.report is not None and counts.report.exact_swapped == 95


def test_in_strict_mode_nothing_is_said_about_the_exact_file(call: Call) -> None:
    write("trips.csv", *MANY)
    words = ["trips.csv", "--box", BOX, "--side", 16]
    assert call("register", *words, "--total", 2, "--standin-share", 0.3, "--dataset", "t")[2] == ""
    release = ["release", *words, "--dataset", "t", "--k", 1, "--epsilon", 1]
    code, out, err = call(*release, "--out", "r", "--json")
    assert code == 0 and err == "" and "report" not in json.loads(out)
    write("trips.csv", [-73.92] * 40, [40.705] * 40)
    code, out, err = call("release", *words, "--strict", "--k", 1, "--epsilon", 1, "--out", "s", "--json")
    assert code == 0 and err == "" and "report" not in json.loads(out)


def test_count_writes_no_file_without_a_record_inside_the_box(call: Call) -> None:
    write("far.csv", [2.35] * 9, [48.85] * 9)
    code, out, err = call("count", "far.csv", "--box", BOX, "--out", "c.npz")
    assert code == 2 and out == "" and "no row lies inside" in err and not Path("c.npz").exists()
    assert call("count", "far.csv", "--box", BOX, "--out", "c.npz", "--strict")[0] == 0 and Path("c.npz").exists()


def test_a_table_that_counts_records_is_asked_about(call: Call) -> None:
    write("cells.csv", *MANY, count=[7] * 95)
    words = ["count", "cells.csv", "--box", BOX, "--out", "c.npz"]
    code, _, err = call(*words)
    assert code == 2 and "--weight" in err and not Path("c.npz").exists()
    code, out, _ = call(*words, "--weight", "count", "--weight-unit", "record", "--json")
    assert code == 0 and json.loads(out)["report"]["counted"] == 7 * 95
    code, _, err = call(*words, "--overwrite", "--weight", "count", "--weight-bound", 3)
    assert code == 0 and "95 used, which count 285" in err and "95 cut to the weight bound" in err


WRITTEN = {"E7": (1e7, 1e7, 0.0, "E7"), "0-360": (1.0, 1.0, 360.0, "0-360")}


@pytest.mark.parametrize("name", WRITTEN)
def test_degrees_in_other_clothes_are_recognised_and_asked(name: str) -> None:
    by_x, by_y, shift, crs = WRITTEN[name]
    lon, lat = (np.array(part) for part in MANY)
    frame = pd.DataFrame({"lon": (lon + shift) * by_x, "lat": lat * by_y})
    with pytest.raises(NothingInBox, match=f"crs='{crs}'"):
        dpviz.read_counts(frame, box=BOX)
    read = dpviz.read_counts(frame, box=BOX, side=16, crs=crs.lower())
    plain = dpviz.read_counts(pd.DataFrame({"lon": lon, "lat": lat}), box=BOX, side=16)
    assert read.exact_total == 95 and np.abs(read.to_numpy() - plain.to_numpy()).sum() <= 4  # rounding at edges


def test_a_person_cap_says_how_much_it_keeps(call: Call) -> None:
    write("cabs.csv", *MANY, cab=["a"] * 90 + ["b"] * 5)
    _, _, err = call("count", "cabs.csv", "--box", BOX, "--person", "cab", "--cap", 3, "--out", "c.npz")
    assert "95 used, which count 6" in err


def test_a_column_that_is_no_person_is_refused_before_anything_is_counted(call: Call) -> None:
    every = list(range(95))
    write("rides.csv", *MANY, ride=every, fare=[one / 7 for one in every], rider=[f"r{one % 9}" for one in every])
    for column in ("ride", "fare", "lon"):
        code, _, err = call("count", "rides.csv", "--box", BOX, "--person", column, "--cap", 3, "--out", "c.npz")
        assert code == 2 and ("no person column" in err or "not one person" in err) and not Path("c.npz").exists()
    code, _, err = call("count", "rides.csv", "--box", BOX, "--person", "rider", "--cap", 3, "--out", "c.npz")
    assert code == 0 and "keeps 27 of 95 rows" in err
