"""What `pip install dpviz` brings is enough: the walk of the workflows with every package of the extras hidden."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpviz.errors import _EXTRAS

# Python runs this file before anything else, in every process that the walk starts.
HIDING = f"""
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {set(_EXTRAS) - {"PIL"}!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
"""


def in_a_core(project_root: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the extras cannot be imported."""
    (folder / "sitecustomize.py").write_text(HIDING, encoding="utf-8")
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(project_root)])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_core_reads_releases_publishes_asks_and_says_what_is_missing(project_root: Path, tmp_path: Path) -> None:
    done = in_a_core(project_root, tmp_path, str(project_root / ".github" / "smoke.py"), "core")
    assert done.returncode == 0, done.stderr
    assert "what is missing is said" in done.stdout


def test_what_is_hidden_is_really_hidden(project_root: Path, tmp_path: Path) -> None:
    done = in_a_core(project_root, tmp_path, "-c", "import scipy")
    assert done.returncode == 1 and "No module named 'scipy'" in done.stderr
