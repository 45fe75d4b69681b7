"""Our own scripts: types are checked, the linter and the formatter agree, and Node's own runner passes their tests.

Node.js alone runs the tests marked `node`. Those marked `npm` also need the tools of package.json (`npm install`).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OWN = sorted(path for folder in ("dpviz/**/web", "docs/web", "tests/browser") for path in ROOT.glob(f"{folder}/*.js"))
OWN = [path for path in OWN if path.name != "deck.js"]
TESTS = sorted((ROOT / "tests" / "javascript").glob("*.test.js"))
WIDEST = 160


def run(*words: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def tool(name: str) -> Path:
    return ROOT / "node_modules" / ".bin" / name


@pytest.mark.parametrize("path", OWN, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_a_script_asks_for_the_checker_of_types_and_has_no_endless_line(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert [line for line in lines if len(line) > WIDEST] == []


@pytest.mark.node
def test_node_can_read_every_script() -> None:
    assert len(OWN) > 20
    assert {path.name: done.stderr for path in OWN if (done := run("node", "--check", path)).returncode} == {}


@pytest.mark.node
def test_scripts_pass_their_tests_with_nodes_own_runner() -> None:
    done = run("node", "--test", *TESTS)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


@pytest.mark.npm
@pytest.mark.parametrize(
    "words", [("tsc", "--project", "jsconfig.json"), ("eslint", "."), ("prettier", "--check", ".")]
)
def test_a_tool_finds_nothing(words: tuple[str, ...]) -> None:
    done = run(tool(words[0]), *words[1:])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.npm
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("layers.js", "column(tip.numbers)[index]", "column(tip.number)[index]"),
        ("camera.js", "{ longitude: lon, latitude: lat,", "{ longitude: lon, latitud: lat,"),
        ("stage.js", "this.scene?.absent.includes(name)", "this.scene.absent.includes(name)"),
    ],
)
def test_a_planted_mistake_is_found_by_the_checker(file: str, old: str, new: str, tmp_path: Path) -> None:
    copy = tmp_path / "dpviz" / "ui" / "stage" / "web"
    shutil.copytree(ROOT / "dpviz" / "ui" / "stage" / "web", copy)
    shutil.copy(ROOT / "jsconfig.json", tmp_path)
    text = (copy / file).read_text(encoding="utf-8")
    assert old in text
    (copy / file).write_text(text.replace(old, new), encoding="utf-8")
    done = run(tool("tsc"), "--project", "jsconfig.json", folder=tmp_path)
    assert done.returncode != 0 and file in done.stdout
