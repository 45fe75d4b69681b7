"""Proof pages and code name the same numbered steps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dpviz.mechanisms import catalogue

ROOT = Path(__file__).resolve().parents[2]
METHODS = [
    *catalogue.METHODS,
    *(
        catalogue.get(name)
        for name in ("subsampled:uniform_grid", "regional:uniform_grid", "by_size", "ends:adaptive_tree")
    ),
]
PAGES = sorted({method.info.proof for method in METHODS})
TAG = re.compile(r"\[P\d+[a-z]?\]")


def tags(text: str) -> set[str]:
    return set(TAG.findall(text))


@pytest.mark.parametrize("page", PAGES)
def test_the_steps_of_a_proof_are_the_steps_of_its_code(page: str) -> None:
    proof = (ROOT / "docs" / "proofs" / f"{page}.md").read_text(encoding="utf-8")
    named = f"docs/proofs/{page}.md"
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "dpviz" / "mechanisms").rglob("*.py")]
    code = [text for text in sources if named in text]
    assert code, f"no module names {named}"
    assert tags(proof) == set().union(*(tags(text) for text in code))


def test_the_steps_of_the_weights_proof_are_those_of_the_reader() -> None:
    proof = (ROOT / "docs" / "proofs" / "weights.md").read_text(encoding="utf-8")
    code = [
        (ROOT / "dpviz" / "ingest" / name).read_text(encoding="utf-8") for name in ("units/weights.py", "binning.py")
    ]
    assert tags(proof) == set().union(*map(tags, code))


def test_the_steps_of_the_proof_of_parts_are_those_of_its_code() -> None:
    proof = (ROOT / "docs" / "proofs" / "parts.md").read_text(encoding="utf-8")
    names = ("domain/parts.py", "ingest/parts.py", "ingest/readers.py", "questions/parts.py")
    assert tags(proof) == set().union(*(tags((ROOT / "dpviz" / name).read_text(encoding="utf-8")) for name in names))


def test_the_steps_of_the_proof_of_joint_releases_are_those_of_its_code() -> None:
    proof = (ROOT / "docs" / "proofs" / "joint.md").read_text(encoding="utf-8")
    names = ("noise/shares.py", "joint/circle.py", "joint/source.py", "publishing/joint_door.py")
    assert tags(proof) == set().union(*(tags((ROOT / "dpviz" / name).read_text(encoding="utf-8")) for name in names))


def test_the_steps_of_the_proof_of_an_own_track_are_those_of_its_code() -> None:
    proof = (ROOT / "docs" / "proofs" / "own_track.md").read_text(encoding="utf-8")
    assert tags(proof) == tags((ROOT / "dpviz" / "publishing" / "own_track.py").read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", [*PAGES, "weights", "person_cap", "parts", "joint", "own_track"])
def test_a_proof_states_what_it_needs_and_what_it_gives(page: str) -> None:
    proof = (ROOT / "docs" / "proofs" / f"{page}.md").read_text(encoding="utf-8")
    for heading in ("## Precondition", "## Pseudocode", "## Postcondition", "## Proof", "## Fresh reader's record"):
        assert heading in proof, f"{page}.md lacks {heading!r}"


def test_a_method_is_vetted_only_with_a_dated_record() -> None:
    for method in catalogue.METHODS:
        proof = (ROOT / "docs" / "proofs" / f"{method.info.proof}.md").read_text(encoding="utf-8")
        record = proof.split("## Fresh reader's record")[-1]
        dated = re.search(r"\d{4}-\d{2}-\d{2}", record) is not None
        assert not method.info.vetted or dated, f"{method.info.name} claims a fresh reader's record that is not there"
