"""The pages about the code say what the code is: rooms, layers, paths and the names that recipes send people to."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ABOUT_THE_CODE = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/STYLE.md")
# A path in code font: below one of our folders, or a file at the top. NAME stands for what a reader fills in.
PATH = re.compile(r"`((?:dpviz|docs|tests|data|pages|static)(?:/[\w.-]+)+|[\w-]+\.(?:py|toml))`")
# What a recipe asks for, and the file that it names in the same line.
ASKED = re.compile(r"`([A-Z_]{4,})`[^.\n]*?\bin \[`[^`]+`\]\(([\w./-]+\.py)\)")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def paths(text: str) -> set[str]:
    """Paths of the project that a text names; file names without a folder are looked for among the modules."""
    return {path for path in PATH.findall(text) if "NAME" not in path}


def missing(text: str) -> list[str]:
    known = {path.name for path in (ROOT / "dpviz").rglob("*.py")}
    return [path for path in sorted(paths(text)) if not (ROOT / path).exists() and path not in known]


@pytest.mark.parametrize("name", ABOUT_THE_CODE)
def test_every_path_that_is_named_is_there(name: str) -> None:
    assert not missing(text_of(name))


def test_every_fault_that_was_found_is_held_by_a_test_that_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text_of("SECURITY.md"))
    assert len(named) > 15
    assert [f"{file}::{test}" for file, test in named if f"def {test}(" not in text_of(file)] == []


def test_a_path_that_is_gone_would_be_noticed() -> None:
    assert missing("see `dpviz/releases/gone.py`, `tests/nowhere` and `gone.py`") == [
        "dpviz/releases/gone.py",
        "gone.py",
        "tests/nowhere",
    ]


def test_the_drawing_of_the_layers_is_the_contract() -> None:
    settings = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in settings if contract["id"] == "rooms")
    section = text_of("ARCHITECTURE.md").split("## Who may import whom")[1]
    drawn = [line.strip() for line in section.split("```")[1].splitlines() if line.strip()]
    assert drawn == [layer.replace("dpviz.", "") for layer in layers]


def test_every_room_of_the_house_is_in_its_table() -> None:
    rooms = {path.name for path in (ROOT / "dpviz").iterdir() if (path / "__init__.py").is_file()}
    table = text_of("ARCHITECTURE.md").split("## How data flow")[0]
    assert rooms == set(re.findall(r"^\| `dpviz/(\w+)` \|", table, re.MULTILINE))


def test_every_screens_room_is_named() -> None:
    rooms = {path.parent.name for path in (ROOT / "dpviz" / "ui").glob("*/page.py")}
    named = set(re.findall(r"`dpviz/ui/(\w+)`", text_of("ARCHITECTURE.md")))
    assert rooms <= named, f"ARCHITECTURE.md does not name {rooms - named}"


def test_every_folder_of_tests_is_in_the_table() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if any(path.glob("*.py")) or any(path.glob("*/*.py"))}
    told = set(re.findall(r"^\| `tests/(\w+)` \|", text_of("CONTRIBUTING.md"), re.MULTILINE))
    assert folders - {"__pycache__"} == told


def test_the_recipes_send_nobody_to_a_name_that_is_gone() -> None:
    sent = ASKED.findall(text_of("CONTRIBUTING.md"))
    assert {name for name, _ in sent} >= {"LEVELS", "KINDS"}
    for name, path in sent:
        assert re.search(rf"\b{name}\b", text_of(path)), f"{path} holds no {name}"
    for name, path in (("METHODS", "dpviz/mechanisms/catalogue.py"), ("SCENES", "dpviz/ui/demo/story.toml")):
        assert f"`{name}`" in text_of("CONTRIBUTING.md") and re.search(rf"^\[*{name}\b", text_of(path), re.MULTILINE)


def test_every_kind_of_file_has_a_reader_and_is_in_the_how_to_and_on_the_screen() -> None:
    from dpviz.ingest.formats.kinds import KINDS
    from dpviz.ingest.tables import READERS
    from dpviz.ui.own_data.words import OWN_UPLOAD_TYPES

    assert {kind.name for kind in KINDS} == set(READERS) - {"postgresql"}
    how_to = text_of("docs/how-to/bring-your-own-file.md")
    for kind in KINDS:
        for shown in kind.shown.partition(" (")[0].split(", ") if kind.shown else ():
            word = shown.split(" ")[0]
            assert word in how_to, f"bring-your-own-file.md does not name {word}"
            assert not kind.endings or word.removeprefix("Geo") in OWN_UPLOAD_TYPES, f"the screen does not name {word}"
