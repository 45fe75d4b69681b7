"""The registry of reproductions, and how a reproduction is written down."""

from __future__ import annotations

import csv
import json
import math
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from dpviz.errors import InputError
from dpviz_research.papers import figures, records
from dpviz_research.papers.su2016_data import TABLE_1, blobs, examples, find_file, read_points
from dpviz_research.reproduce import REPRODUCTIONS, note_time, reproduce

S1 = next(known for known in TABLE_1 if known.name == "S1")


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_every_name_leads_to_a_function(name: str) -> None:
    entry = REPRODUCTIONS[name]
    assert callable(getattr(import_module(entry.module), entry.function))
    assert entry.title


def test_an_unknown_name_is_told_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="su2016-fig1"):
        reproduce("fig1", out=tmp_path)


def test_a_data_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        reproduce("su2016-fig1", out=tmp_path, data=tmp_path / "nowhere")


def test_every_row_of_a_table_names_the_commit(tmp_path: Path) -> None:
    path = records.write_table([{"a": 1, "b": 0.123456789}, {"a": 2, "c": None}], tmp_path / "t.csv")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [row["commit"] for row in rows] == [records.commit()] * 2
    assert rows[0]["b"] == "0.123457" and rows[1]["b"] == "" and rows[1]["c"] == ""


def test_the_same_figure_is_the_same_file(tmp_path: Path) -> None:
    texts = []
    for name in ("a", "b"):
        figure, (panel,) = figures.panels(1)
        figures.line(panel, [1.0, 2.0], [1.0, 3.0], figures.LOOKS[0], "x")
        (tmp_path / name).mkdir()
        svg, png = records.write_figure(figure, tmp_path / name / "same")
        assert png.stat().st_size > 0
        texts.append(svg.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]


def test_lines_differ_in_more_than_colour() -> None:
    assert len({look.colour for look in figures.LOOKS}) == len(figures.LOOKS)
    assert len({look.marker for look in figures.LOOKS}) == len(figures.LOOKS)


def test_a_record_holds_finite_numbers_and_its_origin(tmp_path: Path) -> None:
    path = records.write_record(
        tmp_path / "r.json",
        title="T",
        what="W",
        kind="table",
        rows=[{"x": math.inf, "y": np.float64(1 / 3), "z": np.int64(4)}],
        command="python -m dpviz methods",
        seed=1,
        data="made up",
    )
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["rows"] == [{"x": None, "y": 0.3333, "z": 4}]
    assert {"command", "seed", "commit", "date", "data", "machine"} == set(document["provenance"])


def test_a_user_s_file_is_found_by_its_name_and_scaled(tmp_path: Path) -> None:
    path = tmp_path / "bench_s1.csv"
    path.write_text("x,y,label\n0,10,1\n5,20,2\n10,30,1\n", encoding="utf-8")
    (tmp_path / "s100.csv").write_text("x,y\n0,1\n", encoding="utf-8")
    assert find_file(S1, tmp_path) == path
    assert read_points(path, S1).tolist() == [[-1, -1], [0, 0], [1, 1]]


def test_a_file_with_other_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s1.csv"
    path.write_text("x,y,z\n0,1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="3 columns of numbers; S1 needs 2"):
        read_points(path, S1)


def test_a_stand_in_is_never_shown_under_the_plain_name() -> None:
    found = examples(None, city=False)
    assert {example.name for example in found} == {"S1", "Adult-num", "Lifesci"}
    for example in found:
        assert not example.real
        assert example.title.startswith("stand-in for ") and example.facts()["stand_in"] is True


def test_made_up_clusters_are_apart_and_inside() -> None:
    rows = blobs(2_000, 4, 5, seed=3)
    assert np.abs(rows).max() <= 1.0
    groups = np.array([rows[index::5].mean(axis=0) for index in range(5)])
    gaps = np.linalg.norm(groups[:, None] - groups[None], axis=2)[np.triu_indices(5, 1)]
    assert gaps.min() > 6 * rows[0::5].std(axis=0).max()


def test_the_last_run_time_of_each_name_is_kept(tmp_path: Path) -> None:
    for name, seconds in (("a", 1.0), ("b", 2.0), ("a", 3.0)):
        path = note_time(tmp_path, {"name": name, "quick": True, "seconds": seconds, "cpu_seconds": seconds})
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [(row["name"], row["seconds"]) for row in rows] == [("b", "2"), ("a", "3")]
