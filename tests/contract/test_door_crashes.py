"""Killed at any moment: never more released than charged, never half a folder; asking again completes the charge."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FORKS = Path(__file__).with_name("door_forks.py")


def forks(project_root: Path, *arguments: object) -> dict[str, Any]:
    name, folder, *rest = arguments
    done = subprocess.run(
        [sys.executable, str(FORKS), str(name), str(folder), *(json.dumps(value) for value in rest)],
        cwd=project_root,
        env={**os.environ, "PYTHONPATH": str(project_root)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if hasattr(os, "fork"):

    @pytest.fixture(scope="module")
    def seen(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
        return forks(project_root, "quick", tmp_path_factory.mktemp("door"))

    @pytest.mark.slow
    def test_sixty_kills_at_random_moments_break_nothing(project_root: Path, tmp_path: Path) -> None:
        kills = forks(project_root, "random_kills", tmp_path, 60)
        assert kills["violations"] == []
        assert kills["kills"] >= 60
        assert kills["left"] == []
        # The kills must have hit both sides of the charge, or the test has shown nothing.
        assert kills["before"] > 0 and kills["charged"] > 0

    def test_a_kill_before_or_after_any_step_breaks_nothing(seen: dict[str, Any]) -> None:
        steps = seen["steps"]
        assert steps["violations"] == []
        assert steps["charges"] == len(steps["steps"]) == 16
        assert steps["left"] == []
        # Only a kill before the charge leaves no charge.
        uncharged = [step for step in steps["steps"] if step.endswith("not charged")]
        assert uncharged == ["before reserve: not charged"]

    def test_a_door_that_charges_after_writing_is_caught(seen: dict[str, Any]) -> None:
        assert seen["late charge"]["violations"] == ["released and not charged"]

    def test_a_door_that_writes_in_place_is_caught(seen: dict[str, Any]) -> None:
        (broken,) = seen["in place"]["violations"]
        assert broken.startswith("half a folder")

    def test_eight_processes_at_once_never_exceed_the_total(seen: dict[str, Any]) -> None:
        different = seen["different"]
        assert different["violations"] == []
        assert (different["charges"], different["stored"], different["spent"]) == (10, 10, 1.0)
        assert 3 in different["codes"]  # 24 requests of 0.1 were made
        assert set(different["codes"]) <= {0, 3}

    def test_one_charge_gives_one_draw_under_every_name_of_the_ledger(seen: dict[str, Any]) -> None:
        names = seen["names"]
        assert names["violations"] == [] and names["codes"] == [0] * 8
        assert (names["charges"], names["shown"], names["draws"]) == (5, 40, 5)
        assert names["stores"] == ["ledger.sqlite3.releases", "rehearsal.sqlite3.releases"]

    def test_a_kill_while_an_old_ledger_is_upgraded_loses_nothing(seen: dict[str, Any]) -> None:
        upgrades = seen["upgrades"]
        assert upgrades["violations"] == [] and upgrades["kills"] == 8

    def test_eight_processes_with_the_same_request_charge_once(seen: dict[str, Any]) -> None:
        same = seen["same"]
        assert same["violations"] == []
        assert same["codes"] == [0] * 8
        assert (same["charges"], same["stored"], same["spent"]) == (1, 1, 0.1)
