"""docs/evidence: every record says where it comes from, the page can read it, and no audit found a fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpviz.experiments.accuracy_report import LEAST_ERROR
from dpviz.experiments.reproduce import REPRODUCTIONS
from dpviz.ui import evidence
from dpviz.ui.theme import LIGHT

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "evidence"
PATHS = sorted(FOLDER.glob("*.json"))


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return found


def test_the_page_reads_every_record() -> None:
    assert PATHS
    assert {record.name for record in evidence.records([FOLDER])} == {path.stem for path in PATHS}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_record_says_command_seed_commit_date_data_and_machine(path: Path) -> None:
    origin = json.loads(path.read_text(encoding="utf-8"))["provenance"]
    assert {"command", "seed", "commit", "date", "data", "machine"} <= set(origin)
    assert all(str(value) for value in origin.values())
    name = origin["command"].removeprefix("python -m dpviz ").split()
    assert name[0] != "reproduce" or name[1] in REPRODUCTIONS or name[1] == "NAME"


def test_every_accuracy_record_can_be_drawn() -> None:
    for record in evidence.records([FOLDER]):
        if record.kind == "accuracy":
            for _, cell in evidence.cells(record):
                assert len({row["epsilon"] for row in cell}) > 1
                assert all(row["median"] >= 0 for row in cell)
                drawing, told = evidence.accuracy_chart(cell, LIGHT)
                zeros = sum(row["median"] <= evidence.END_OF_DIGITS for row in cell)
                assert drawing.count("l-5 8 Z") == zeros == told.count(": 0 % at") + told.count(", 0 % at")


def test_no_attack_got_more_than_a_method_claims() -> None:
    assert [row for row in rows("audit-methods") if row["violated"] or row["lower_bound"] > row["claim"]] == []


def test_every_planted_fault_was_found_and_the_control_passed() -> None:
    found = rows("audit-planted")
    assert len(found) == 5 and all(row["as_it_must_be"] for row in found)


def test_an_error_of_nothing_is_marked_at_the_floor_and_told() -> None:
    rows = [
        {"epsilon": epsilon, "method": method, "median": median}
        for method, median in (("one", 0.01), ("two", 0.0))
        for epsilon in (1.0, 2.0)
    ]
    drawing, told = evidence.accuracy_chart(rows, LIGHT)
    assert drawing.count("l-5 8 Z") == 2 and drawing.count("<circle") == 2
    assert "0 % at Very detailed" in told and "1 % at Detailed" in told
    assert evidence.END_OF_DIGITS == LEAST_ERROR
