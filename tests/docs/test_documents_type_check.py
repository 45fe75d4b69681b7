"""The code of the documents passes the strict type checker, as the code of whoever copies it has to."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRONG = {
    "a name that is not there": "import dpviz\n\ndpviz.nothing\n",
    "an argument of another type": "import dpviz\n\ndpviz.read_counts('a.csv', box='Berlin', side='large')\n",
    "a result that may be no answer": (
        "import dpviz\n\nbudget = dpviz.Budget(epsilon=1.0)\n"
        "dpviz.release(dpviz.builtin('nyc-taxi'), 5, budget, 'peeled_balls').centers\n"
    ),
}


# What the project's own functions do inside is the matter of `run.py check`; here their signatures are enough.
SIGNATURES_ONLY = """
[[tool.mypy.overrides]]
module = ["dpviz.*"]
ignore_errors = true
"""


def checked(files: list[Path], folder: Path) -> tuple[int, str]:
    """What mypy says, with the settings of the project and a cache beside the project's."""
    settings = folder / "settings.toml"
    settings.write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8") + SIGNATURES_ONLY, encoding="utf-8")
    options = ["--strict", "--no-error-summary", f"--config-file={settings}", "--cache-dir=.mypy_cache/documents"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_the_code_of_the_documents_passes_mypy_and_wrong_code_does_not(tmp_path: Path) -> None:
    """One run of the checker for all: the documents, and three planted mistakes that it has to find."""
    files: list[Path] = runpy.run_path(str(ROOT / ".github" / "code_of_documents.py"))["code_of_pages"](tmp_path)
    planted = {name: tmp_path / f"wrong_{number}.py" for number, name in enumerate(WRONG)}
    for name, path in planted.items():
        path.write_text(WRONG[name], encoding="utf-8")
    _, said = checked([*files, *planted.values()], tmp_path)
    assert len(files) > 5
    for name, path in planted.items():
        assert f"{path.name}:" in said, f"{name} was not noticed"
    found = [line for line in said.splitlines() if "page_" in line]
    assert not found, "\n".join(found)
