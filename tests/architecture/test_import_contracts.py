"""The rooms' import rules hold, and a planted violation of each of them is caught."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import run


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package in a folder, as `run.py check` does."""
    return subprocess.run(
        [sys.executable, "-c", run.IMPORT_RULES],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def copied(tmp_path: Path, project_root: Path) -> Path:
    """A copy of the package and its contracts that a test may spoil."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(project_root / "dpviz", tmp_path / "dpviz", ignore=ignored)
    shutil.copy(project_root / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_rooms_keep_their_contracts(project_root: Path) -> None:
    result = lint_imports(project_root)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("room", "line", "broken"),
    [
        ("domain", "import dpviz.releases", "Imports run down only"),
        ("noise", "import dpviz.clustering", "Imports run down only"),
        ("ingest", "from dpviz import mechanisms", "Imports run down only"),
        ("experiments", "import dpviz.ui", "Imports run down only"),
        ("releases", "import streamlit", "Only the screen's room knows Streamlit and pydeck"),
        ("mechanisms", "import pydeck", "Only the screen's room knows Streamlit and pydeck"),
        ("ui", "import dpviz.mechanisms", "The screen reaches mechanisms only through releases"),
    ],
)
def test_a_planted_import_breaks_its_contract(copied: Path, room: str, line: str, broken: str) -> None:
    (copied / "dpviz" / room / "planted.py").write_text(f'"""Planted."""\n\n{line}\n', encoding="utf-8")
    result = lint_imports(copied)
    assert result.returncode == 1, result.stdout + result.stderr
    assert f"{broken} BROKEN" in result.stdout
