"""The workflows for a public forge: valid YAML of the shape that forges read, and files that are there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
A_FILE = re.compile(r"(?:python|\$GITHUB_WORKSPACE/)\s*([\w./-]+\.py)")


def faults(text: str) -> list[str]:
    """What a forge would refuse, or find missing."""
    try:
        found: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        return [f"no YAML: {error}"]
    if not {"name", True, "jobs", "permissions"} <= set(found):  # YAML reads the word "on" as true
        return [f"a part is missing: {sorted(map(str, found))}"]
    said = []
    for name, job in found["jobs"].items():
        for step in job["steps"]:
            if len({"run", "uses"} & set(step)) != 1:
                said.append(f"{name}: a step runs or uses: {step}")
            if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@[\w./]+", step["uses"]):
                said.append(f"{name}: no version of {step['uses']}")
            for file in A_FILE.findall(step.get("run", "")):
                if not (ROOT / file.removeprefix("/")).is_file():
                    said.append(f"{name}: there is no {file}")
        if job.get("needs", name) not in found["jobs"]:
            said.append(f"{name}: there is no job {job['needs']}")
    return said


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_one_that_a_forge_can_read(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("python run.py test", "tool --only :all: --further words"),
        ("python run.py test", "python run_.py test"),
        ("- run: python run.py test", "- name: nothing is done"),
        ("actions/checkout@v4", "actions/checkout"),
    ],
)
def test_a_planted_fault_of_a_workflow_is_found(good: str, bad: str) -> None:
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert good in text and faults(text.replace(good, bad))
