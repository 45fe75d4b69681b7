"""A command that has done its work keeps its exit code, whatever threads of libraries do while the process ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ABORTING = """
import atexit, os, sys
class Aborting:
    def __del__(self):
        os.abort()
sys.modules["aborting"] = Aborting()
from dpviz import __main__ as entry
known = entry.guarded
def guarded(run):
    atexit.register(print, "handlers run")
    return known(run)
entry.guarded = guarded
sys.argv = ["dpviz", *sys.argv[1:]]
entry.program()
"""


@pytest.mark.parametrize(("arguments", "code"), [(("odds", "--level", "4"), 0), (("odds",), 2)])
def test_an_abort_while_the_interpreter_is_taken_down_changes_no_exit_code(
    project_root: Path, arguments: tuple[str, ...], code: int
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ABORTING, *arguments],
        cwd=project_root,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    assert "handlers run" in ended.stdout


def test_a_command_within_a_process_leaves_that_process_its_own_exit_code(project_root: Path) -> None:
    script = """
import sys
from dpviz.__main__ import main
sys.argv = ["dpviz", "odds"]
try:
    main()
except SystemExit as left:
    assert left.code == 2
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=project_root, timeout=120, check=False)
    assert ended.returncode == 0
