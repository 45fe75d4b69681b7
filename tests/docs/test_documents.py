"""What the documents say works: every command and every piece of code in them runs, and every link leads somewhere.

Python blocks of one document share their names, in order, and run in an empty folder with the file `trips.csv` that the
tutorial makes. Shell blocks run line by line; a line that ends in `# exit code N` has to end with N.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import run as starter
from dpviz.__main__ import main
from dpviz.language import catalogue

ROOT = Path(__file__).resolve().parents[2]
TOP = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
GUIDES = [*TOP, *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "how-to").glob("*.md"))]
PAGES = [*TOP, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TUTORIAL = ROOT / "docs" / "tutorial.md"
FENCE = re.compile(r"^```([a-z]*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = ("sh", "console", "bash")
LINK = re.compile(r"(?<!\\)\[[^\]\n]*\]\(([\w./#:~-]+)\)")
TO_FILE = re.compile(r" > (\S+)$")
EXPECTED = re.compile(r"\s+# exit code (\d+)$")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced piece of a document, with the line it begins at."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(language=found[1], text=found[2], line=text[: found.start()].count("\n") + 2)
        for found in FENCE.finditer(text)
    ]


def commands(text: str) -> list[str]:
    """Whole commands, with their continued lines joined; comments and blank lines left out."""
    joined = text.replace("\\\n", " ")
    lines = [line.strip() for line in joined.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


RUNNABLE = [page for page in GUIDES if any(block.language in ("python", *SHELL) for block in blocks(page))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder with the file of the tutorial, a ledger of its own, and `dpviz` on the path for pipes."""
    folder, programs = tmp_path / "work", tmp_path / "programs"
    folder.mkdir()
    programs.mkdir()
    shim = programs / "dpviz"
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m dpviz "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger" / "ledger.sqlite3"))
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr("dpviz.cli.servers.hand_over", lambda *_: None)
    yield folder


def make_trips() -> None:
    """The file that the tutorial makes with its first piece of code."""
    first = next(block for block in blocks(TUTORIAL) if block.language == "python")
    exec(compile(first.text, name_of(TUTORIAL), "exec"), {"__name__": "__main__"})


def run_line(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = int(found[1]) if (found := EXPECTED.search(line)) else 0
    line = EXPECTED.sub("", line)
    target = found[1] if (found := TO_FILE.search(line)) and line.startswith("dpviz ") else None
    line = line if target is None else TO_FILE.sub("", line)
    words = shlex.split(line)
    if words[:2] in (["python3", "run.py"], ["python", "run.py"]):
        check_starter(words[2:], monkeypatch)
    elif words[:2] == ["pip", "install"]:
        assert words[2:] == ["."], "tests/platform/test_wheel.py tries the wheel of this folder only"
    elif words[0] == "dpviz" and not set(line) & set("|<>;$"):
        with contextlib.ExitStack() as stack:
            if target is not None:
                stack.enter_context(contextlib.redirect_stdout(stack.enter_context(open(target, "w"))))
            assert call_dpviz(words[1:], monkeypatch) == expected, line
    else:
        done = subprocess.run(["sh", "-ec", line], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == expected, f"{line}\n{done.stderr}"


def check_starter(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The starter's commands install packages or serve pages; its own tests try that. Here: that they exist."""
    assert words[0] in starter.COMMANDS, words
    if words[0] == "cli":
        assert call_dpviz(words[1:], monkeypatch) == 0, words


def call_dpviz(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["dpviz", *words])
        with pytest.raises(SystemExit) as left:
            main()
    return int(left.value.code or 0)


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=name_of)
def test_every_command_of_a_document_runs(page: Path, workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page != TUTORIAL:
        make_trips()
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python":
            code = "\n" * (block.line - 1) + block.text
            exec(compile(code, name_of(page), "exec"), names)
        elif block.language in SHELL:
            for line in commands(block.text):
                run_line(line, monkeypatch)


def test_a_broken_command_would_be_noticed(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in ("dpviz methods --no-such-option", "python3 run.py fly", "dpviz methods | grep nothing-like-this"):
        with pytest.raises(AssertionError):
            run_line(line, monkeypatch)


def anchors(page: Path) -> set[str]:
    """The names that a heading gets on the usual hosts: lower case, hyphens, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", heading.lower()).strip() for heading in headings)
    return {re.sub(r"\s", "-", heading) for heading in plain}


def links(page: Path) -> list[str]:
    return LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        target, _, anchor = link.partition("#")
        found = (page.parent / target).resolve() if target else page
        assert found.exists() and found.is_relative_to(ROOT), f"{name_of(page)} links to {link}"
        if anchor:
            assert anchor in anchors(found), f"{name_of(page)} links to {link}"


def test_every_page_for_users_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / link.partition("#")[0]).resolve() for link in links(index)}
    wanted = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "how-to").glob("*.md")]
    wanted += [*(ROOT / "docs" / "reference").glob("*.md"), *(ROOT / "docs" / "decisions").glob("*.md")]
    assert {page for page in wanted if page != index} <= listed


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_documents_name_no_place_of_one_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    places = re.findall(r"(?<![\w.~])/(?:home|Users|root|work|tmp|mnt)/[\w.-]+", text)
    registries = re.findall(r"https?://[\w.:-]*(?:pypi|registry|index-url|simple/|mirror)[\w./:-]*", text)
    assert not places and not registries


def test_the_reference_is_current() -> None:
    with contextlib.chdir(ROOT):
        built = __import__("runpy").run_path(str(ROOT / "docs" / "build_reference.py"))["pages"]()
    for name, text in built.items():
        written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
        assert written == text, f"docs/reference/{name} is old; type: python docs/build_reference.py"
    assert {path.name for path in (ROOT / "docs" / "reference").glob("*.md")} == set(built)


def test_the_tutorial_names_buttons_as_the_screen_does() -> None:
    section = TUTORIAL.read_text(encoding="utf-8").split("## 3. On the screen")[1].split("\n## ")[0]
    named = re.findall(r"\*\*([^*]+)\*\*", " ".join(section.split()))
    on_screen = {sentence for _, sentence, _ in catalogue("de")}
    assert len(named) > 5 and not set(named) - on_screen
