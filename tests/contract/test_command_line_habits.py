"""What people expect of a command line: a version, completion, standard input, minus signs and brackets, JSON."""

from __future__ import annotations

import inspect
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dpviz as package
from dpviz.__main__ import app, main
from dpviz.domain import GeoBox
from dpviz.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
ROWS = "lon,lat\n" + "".join(f"{-74.0 + i / 2000},{40.72 + i / 3000}\n" for i in range(90))
SERVERS = {"app", "analyst", "serve", "ask-server", "warm"}  # they print what a server prints, or that all is well


def run(tmp_path: Path, *words: str, given: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DPVIZ_LEDGER": str(tmp_path / "l.sqlite3"), **variables}
    return subprocess.run(
        [sys.executable, "-m", "dpviz", *words],
        input=given,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """The same in this process, where nothing of a process of its own is tested."""

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "l.sqlite3"))
        monkeypatch.setattr(sys, "argv", ["dpviz", *words])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return call


def test_it_says_its_version(here: Callable[..., tuple[int, str, str]]) -> None:
    assert here("--version")[:2] == (0, f"dpviz {package.__version__}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "pwsh"])
def test_completion_is_offered_for_every_shell(tmp_path: Path, shell: str) -> None:
    done = run(tmp_path, "--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert done.returncode == 0 and "_DPVIZ_COMPLETE" in done.stdout.upper()


def test_records_come_from_standard_input(
    tmp_path: Path, here: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a real pipe once; the other ways to give a hyphen in this process."""

    def piped(*words: str, given: str) -> tuple[int, str, str]:
        pipe = io.BytesIO(given.encode())
        pipe.name = "<stdin>"  # type: ignore[attr-defined]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
        return here(*words)

    box = "\u221274.05,40.70,\u221273.90,40.80"  # with the minus signs of a printed text
    done = run(tmp_path, "count", "-", "--box", box, "--side", "16", "--out", "c.npz", given=ROWS)
    assert done.returncode == 0 and "90 used" in done.stderr, done.stderr
    words = ["release", "-", "--box", f"[{box}]", "--side", "16", "--k", "1", "--epsilon", "1", "--out", "r"]
    code, _, error = piped(*words, given=ROWS)
    assert code == 2 and "--dataset" in error and not (tmp_path / "l.sqlite3").exists()
    assert piped(*words, "--dataset", "piped", given=ROWS)[0] == 0
    code, _, error = piped("count", "-", "--box", box, "--out", "d.npz", given="")
    assert code == 2 and "standard input is empty" in error


@pytest.mark.parametrize(
    "text", ["-74,40,-73,41", "[-74, 40, -73, 41]", "(-74;40;-73;41)", "\u221274,40,\u221273,41", " –74,40,–73,41 "]
)
def test_a_box_is_read_as_people_write_it(text: str) -> None:
    assert GeoBox.parse(text) == GeoBox(-74, 40, -73, 41)


@pytest.mark.parametrize("text", ["[-74,40,-73,41", "[[-74,40,-73,41]]", "-74 40 -73 41", "1,2,3", "a,b,c,d", ""])
def test_other_boxes_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match=r"such as -74\.05"):
        GeoBox.parse(text)


def test_an_unknown_city_is_refused_with_the_known_ones(
    tmp_path: Path, here: Callable[..., tuple[int, str, str]]
) -> None:
    (tmp_path / "t.csv").write_text(ROWS)
    code, _, error = here("count", "t.csv", "--box", "Nowhere-upon-Sea", "--out", "c.npz")
    assert code == 2 and "Berlin" in error and "Known are" in error


def test_every_command_that_prints_prints_json_too() -> None:
    groups = [group.typer_instance for group in app.registered_groups]
    commands = [command for each in (app, *groups) if each is not None for command in each.registered_commands]
    assert len(groups) >= 4 and len(commands) > 35
    for command in commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        assert name in SERVERS or "as_json" in inspect.signature(command.callback).parameters, name


@pytest.mark.parametrize(
    ("package", "extra", "words"),
    [
        ("streamlit", "app", ["app"]),
        ("matplotlib", "research", ["reproduce", "blocki2021-groups", "--quick", "--out", "f"]),
        (
            "distributed",
            "dask",
            ["count", "t.csv", "--engine", "dask", "--box", "-74.05,40.7,-73.9,40.8", "--out", "c"],
        ),
        ("fsspec", "dask", ["count", "https://example.org/t.csv", "--box", "-74.05,40.7,-73.9,40.8", "--out", "c"]),
        ("pyproj", "geo", ["count", "t.csv", "--crs", "EPSG:2263", "--box", "-74.05,40.7,-73.9,40.8", "--out", "c"]),
    ],
)
def test_a_missing_extra_is_named_with_the_command_that_brings_it(
    tmp_path: Path, package: str, extra: str, words: list[str]
) -> None:
    (tmp_path / "t.csv").write_text(ROWS)
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "sitecustomize.py").write_text(
        "import sys, importlib.abc\n"
        "class Absent(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] == {package!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
    )
    done = run(tmp_path, *words, PYTHONPATH=os.pathsep.join([str(tmp_path / "absent"), str(ROOT)]))
    assert done.returncode == 2 and f"dpviz[{extra}]" in done.stderr and package in done.stderr, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("words", [("bench", "--json"), ("reproduce", "list", "--json"), ("methods", "--json")])
def test_lists_are_json_when_that_is_asked(here: Callable[..., tuple[int, str, str]], words: tuple[str, ...]) -> None:
    assert len(json.loads(here(*words)[1])) > 5
