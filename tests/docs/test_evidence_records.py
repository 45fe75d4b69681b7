"""docs/evidence: every record says where it comes from, the page can read it, and no audit found a fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpviz.mechanisms import catalogue
from dpviz.ui.evidence import logic as evidence
from dpviz_research.planting.battery import BUGS
from dpviz_research.reproduce import REPRODUCTIONS

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "evidence"
PATHS = sorted(FOLDER.glob("*.json"))


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return found


def test_the_page_reads_every_record() -> None:
    assert PATHS
    found = evidence.read_records(FOLDER)
    assert set(found) == {path.stem for path in PATHS}
    for record in found.values():
        assert len(record.table()) == len(record.rows) and record.what and "Commit" in record.origin()


def test_every_proof_and_the_list_of_methods_can_be_read() -> None:
    found = evidence.list_documents()
    assert {f"proofs/{path.name}" for path in FOLDER.parent.glob("proofs/*.md")} | {"reference/methods.md"} <= set(
        found
    )
    for name, title in found.items():
        assert title and len(evidence.read_document(name)) > 200


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_record_says_command_seed_commit_date_data_and_machine(path: Path) -> None:
    origin = json.loads(path.read_text(encoding="utf-8"))["provenance"]
    assert {"command", "seed", "commit", "date", "data", "machine"} <= set(origin)
    assert all(str(value) for value in origin.values())
    name = origin["command"].removeprefix("python -m dpviz ").split()
    assert name[0] != "reproduce" or name[1] in REPRODUCTIONS or name[1] == "NAME"


def test_no_attack_got_more_than_a_method_claims_or_its_files_can_lose() -> None:
    for row in rows("audit-methods"):
        reached = max(row["lower_bound"], row["bound_from_all_numbers"] or 0.0)
        assert not row["violated"] and reached <= row["claim"]
        assert row["exact_maximum"] is None or reached <= row["exact_maximum"] + 1e-9 <= row["claim"] + 2e-4


def test_ten_attacks_reach_half_of_what_their_files_can_lose() -> None:
    strong = [row for row in rows("audit-methods") if row["exact_maximum"] and row["claim"] == 1.0]
    near = [
        row
        for row in strong
        if max(row["lower_bound"], row["bound_from_all_numbers"] or 0.0) >= row["exact_maximum"] / 2
    ]
    assert len([row for row in near if row["exact_maximum"] >= 0.25]) >= 10


def test_half_the_noise_and_every_planted_bug_were_found() -> None:
    halved = rows("audit-planted")
    assert {row["method"] for row in halved} >= {method.info.name for method in catalogue.METHODS}
    assert all(row["found"] and row["as_it_must_be"] for row in halved)
    planted = rows("planted")
    assert [row for row in planted if not row["as_it_must_be"]] == []
    assert {(row["room"], row["bug"]) for row in planted if row["found"]} == {(bug.room, bug.name) for bug in BUGS}


def test_forced_transcripts_cost_at_most_what_is_claimed_and_walk_nearly_all_of_every_method() -> None:
    found = {row["method"]: row for row in rows("transcripts")}
    assert set(found) >= {method.info.name for method in catalogue.METHODS}
    for row in found.values():
        assert max(row["worst_share_of_epsilon"], row["worst_exact_ratio"], row["stated_share"]) <= 1
        assert min(row["lines_walked_%"] or 100, row["branches_walked_%"] or 100) >= 95
    assert not [row["file"] for row in rows("transcripts-coverage") if row["lines_not_walked"] and not row["why_not"]]
