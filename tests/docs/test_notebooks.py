"""The worked notebook runs from top to bottom, and what it shows asks no other machine for anything."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

import dpviz

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
ASKS = re.compile(r"""(?:src|href|action)\s*=\s*["']?\s*(?:https?:)?//|url\(\s*["']?\s*(?:https?:)?//|@import""")


def run(notebook: Path) -> list[Any]:
    """The value that each cell of code ends in, as a notebook would show it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shown: list[Any] = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "outputs are not committed: they may hold what nobody meant to commit"
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, notebook.name, "exec"), names)
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), notebook.name, "eval"), names))
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_pictures(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    shown = run(notebook)
    pictures = [value._repr_html_() for value in shown if hasattr(value, "_repr_html_")]
    assert len(pictures) >= 4 and any("<svg" in one for one in pictures) and any("<iframe" in one for one in pictures)
    assert not [found.group() for one in pictures for found in ASKS.finditer(one)]
    assert "remain" in capsys.readouterr().out, "the second release was refused, with what is left"


def test_exact_things_show_no_number_and_a_release_shows_its_promise() -> None:
    counts = dpviz.builtin("nyc-trips")
    page = counts._repr_html_()
    release = dpviz.release(counts, 3, dpviz.Budget(epsilon=0.5), seed=1)
    assert "not shown" in page and not re.search(r"\b50,?000\b", page)
    picture = release._repr_html_()
    assert "63 times in 100" in picture and "UNLEDGERED" in picture and picture.count("<svg") == 2
    assert "<script" not in picture and not ASKS.search(picture)
    assert "63 of 100" in dpviz.LEVELS._repr_html_() and dpviz.LEVELS[3].name == "Balanced"
    planted = '<img src="https://tiles.example/1.png">'
    assert ASKS.search(planted)
