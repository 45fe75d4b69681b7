"""A further level of privacy is one line of `dpviz/privacy/levels.py`: screens, texts, tests and documents follow.

The line is added in a copy of the project; then the tests run that fail wherever somebody counts the levels by hand.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpviz.privacy import LEVELS

LAST = f'("{LEVELS[-1].name}", {LEVELS[-1].epsilon}),'
COUNT_THE_LEVELS = (
    "tests/unit/privacy/test_values.py::test_levels_run_from_most_leakage_to_least",
    "tests/unit/privacy/test_odds.py::test_the_levels_have_the_odds_of_the_slider",
    "tests/unit/privacy/test_regions.py",
    "tests/unit/labels/test_promise_page.py",
    "tests/contract/test_strict_command_line.py::test_previewing_needs_no_records_and_costs_nothing",
    "tests/contract/test_command_line.py::test_bad_input_gets_two_lines_charges_nothing_and_leaves_nothing",
    "tests/ui/test_regions_logic.py",
    "tests/ui/test_words_and_state.py",
    "tests/ui/test_speaking.py::test_a_language_has_every_sentence_of_the_screens_with_the_same_blanks",
    "tests/docs/test_documents.py::test_the_reference_is_current",
)


def copy_of(project: Path, folder: Path) -> Path:
    """What the package, its documents and its tests need, apart from the project itself."""
    for name in ("dpviz", "research", "docs", "tests", "pages", "static", ".streamlit"):
        shutil.copytree(project / name, folder / name)  # with what numba has compiled
    for path in project.glob("*"):
        if path.is_file():
            shutil.copy(path, folder)
    (folder / "data").symlink_to(project / "data", target_is_directory=True)
    return folder


def run_in(folder: Path, *command: str) -> str:
    """The end of what a command said; it has to succeed."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    places = os.pathsep.join([str(folder), str(folder / "research")])
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=settings | {"PYTHONPATH": places, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout


@pytest.mark.slow
def test_a_further_level_is_one_line(project_root: Path, tmp_path: Path) -> None:
    folder = copy_of(project_root, tmp_path)
    levels = folder / "dpviz" / "privacy" / "levels.py"
    text = levels.read_text(encoding="utf-8")
    assert text.count(LAST) == 1
    levels.write_text(text.replace(LAST, f'{LAST}\n            ("Utmost", 0.02),'), encoding="utf-8")
    run_in(folder, "docs/build_reference.py")
    assert f"| {len(LEVELS) + 1} Utmost | 0.02 | 51 of 100 |" in (folder / "docs" / "PROMISE.md").read_text("utf-8")
    run_in(folder, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--durations=5", *COUNT_THE_LEVELS)
