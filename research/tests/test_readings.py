"""Code that a proof names has a dated reading, or is said to have changed since: never anything in between."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dpviz.mechanisms import catalogue
from dpviz.mechanisms.proof_pages import READ, load_readings
from dpviz_research import PROJECT, readings

HOW = (
    "Read the proof against the code and run `python -m dpviz_research.readings {page} --reader 'second reader'`, "
    "or say that it is unread: `python -m dpviz_research.readings --changed`."
)


@pytest.mark.parametrize("page", readings.pages())
def test_a_page_is_read_as_it_stands_or_said_to_have_changed(page: str) -> None:
    entry = load_readings().get(page, {})
    honest = readings.state_of(page, entry, load_readings())
    assert entry.get("state") == honest, f"{readings.changes(page, entry, load_readings())}: {HOW.format(page=page)}"


@pytest.mark.parametrize("page", readings.pages())
def test_a_reading_has_a_role_and_a_date_and_stands_on_its_page(page: str) -> None:
    entry = load_readings()[page]
    if entry["state"] != READ:
        return
    assert entry["reader"].strip() and re.fullmatch(r"\d{4}-\d{2}-\d{2}", entry["date"])
    told = (readings.PROOFS / f"{page}.md").read_text(encoding="utf-8").split(readings.RECORD_HEADING)[-1]
    assert entry["date"] in told, f"{page}.md does not tell what the reading of {entry['date']} found"


@pytest.mark.parametrize("page", readings.pages())
def test_a_file_that_a_page_names_is_digested_with_it(page: str) -> None:
    named = readings.named_by(page)
    if load_readings()[page]["state"] != readings.UNREAD:  # nothing is held to a reading that has yet to come
        digested = {name for inside in named for name in readings.digest_module(PROJECT / inside)}
        assert digested <= set(load_readings()[page]["code"])
    assert all((PROJECT / inside).is_file() for inside in named)


def test_every_step_of_a_method_belongs_to_a_page() -> None:
    covered = {name for page in readings.pages() for name in readings.code_of(page)}
    missing = set()
    for path in (PROJECT / "dpviz" / "mechanisms").rglob("*.py"):
        if "[P" in path.read_text(encoding="utf-8") and path.name != "proof_pages.py":  # a table about pages
            missing |= set(readings.digest_module(path)) - covered
    assert missing == set(), "steps of a proof that no page names: see CODE in research/dpviz_research/readings.py"


def test_a_method_is_unvetted_while_its_page_or_its_base_is_unread() -> None:
    for method in [*catalogue.METHODS, catalogue.get("subsampled:uniform_grid"), catalogue.get("by_size")]:
        if method.info.vetted:
            assert load_readings()[method.info.proof]["state"] == READ


SOURCE = '''"""Words."""
import math
LIMIT = 3  # a comment


def one(x: int) -> int:
    """Words."""
    return x + LIMIT


class Two:
    """Words."""

    def three(self) -> int:
        """Words."""
        return 3
'''


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ('"""Words."""', '"""Other words, longer."""', set()),
        ("  # a comment", "", set()),
        ("return x + LIMIT", "return (\n        x\n        + LIMIT\n    )", set()),
        ("import math", "import math, re", set()),
        ("return x + LIMIT", "return x - LIMIT", {"one"}),
        ("        return 3", "        return 4", {"Two"}),
        ("LIMIT = 3", "LIMIT = 4", {"LIMIT"}),
        ("x: int) -> int", "x: float) -> object", set()),
        ("        return 3", "        x: int = 3\n        return x", {"Two"}),
        ("class Two:", "print(LIMIT)\n\n\nclass Two:", {readings.REST}),
    ],
)
def test_digests_see_code_and_nothing_else(tmp_path: Path, old: str, new: str, changed: set[str]) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text(SOURCE)
    second.write_text(SOURCE.replace(old, new))
    assert SOURCE.replace(old, new) != SOURCE
    before, after = readings.digest_module(first), readings.digest_module(second)
    assert {name for name in {*before, *after} if before.get(name) != after.get(name)} == changed


def test_changed_code_is_named_function_by_function(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = readings.read_today("uniform_grid", "test")
    assert readings.state_of("uniform_grid", entry, load_readings()) == READ
    entry["code"]["noisy_synopsis"] = "other"
    assert readings.changes("uniform_grid", entry, load_readings()) == ["noisy_synopsis"]
    assert readings.state_of("uniform_grid", entry, load_readings()) == readings.CHANGED
    assert readings.state_of("uniform_grid", {}, load_readings()) == readings.UNREAD
