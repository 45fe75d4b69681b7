"""docs/REPRODUCTION.md: every table comes from the files beside it, and every name of the registry is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dpviz.errors import InputError
from dpviz_research.papers.document import FOLDER, PAGE, filled
from dpviz_research.reproduce import REPRODUCTIONS

TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLE = "<!-- numbers file=t rows=data columns=epsilon value=x -->\nold\n<!-- end -->\n"


def test_no_number_of_a_table_was_typed() -> None:
    assert filled(TEXT, FOLDER) == TEXT


def test_a_typed_number_is_caught() -> None:
    rows = [line for line in TEXT.splitlines() if re.match(r"\| .*\d", line)]
    assert rows
    assert filled(TEXT.replace(rows[0], rows[0] + " 99 |"), FOLDER) == TEXT


@pytest.mark.parametrize("name", [name for name in REPRODUCTIONS if not name.startswith("evidence")])
def test_the_page_tells_about(name: str) -> None:
    assert f"`{name}`" in TEXT


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert pictures
    assert [place for place in pictures if not (PAGE.parent / place).is_file()] == []


def test_a_table_is_a_pivot_of_its_file_with_its_origin(tmp_path: Path) -> None:
    lines = ["data,epsilon,x,seed,commit", "A,0.1,1.23456,7,abc", "A,0.5,0.5,7,abc", "B,0.1,,7,abc"]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = filled(EXAMPLE, tmp_path)
    assert "| A | 1.235 | 0.5 |" in made and "| B | – | – |" in made and "old" not in made
    assert "*`t.csv` · seed 7 · commit abc*" in made


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.csv"):
        filled(EXAMPLE, tmp_path)
