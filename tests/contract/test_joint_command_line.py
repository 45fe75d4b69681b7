"""Three holders at three command lines: plan, key, check, run, verify; and one of them is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.joint.holders import free_ports

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("a", "b", "c")
READING = ("--side", "64", "--k", "3", "--epsilon", "1", "--pooling", "1")


class House:
    """Three holders on one machine, each with a data folder and a ledger of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.before: dict[str, tuple[str, ...]] = {}  # what stands in front of a holder's commands
        for place, name in enumerate(NAMES):
            (root / name).mkdir()
            places = np.random.default_rng(place).normal((-73.98, 40.75), 0.01, (300, 2)).round(6)
            rows = "\n".join(f"{lon},{lat}" for lon, lat in places.tolist())
            (root / name / "trips.csv").write_text(f"lon,lat\n{rows}\n")

    def start(self, name: str, *words: str) -> subprocess.Popen[str]:
        own = {"DPVIZ_DATA": str(self.root / name), "DPVIZ_LEDGER": str(self.root / name / "ledger.sqlite3")}
        return subprocess.Popen(
            [*self.before.get(name, ()), sys.executable, "-m", "dpviz", *words],
            cwd=self.root,
            env={**os.environ, **own, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def call(self, name: str, *words: str) -> tuple[int, str, str]:
        return end_of(self.start(name, *words))

    def together(self, *words: str, **own: tuple[str, ...]) -> list[tuple[int, str, str]]:
        started = [self.start(name, *words, "--as", name, *own.get(name, ())) for name in NAMES]
        return [end_of(one) for one in started]

    def run(self, out: str, *more: str) -> list[tuple[int, str, str]]:
        files = {name: (f"{name}/trips.csv", "--out", f"{name}/{out}", *more) for name in NAMES}
        return self.together("joint", "run", "joint.toml", **files)


def end_of(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    told, said = process.communicate(timeout=240)
    return process.returncode, told, said


@pytest.fixture
def house(tmp_path: Path) -> House:
    found = House(tmp_path)
    holders = [
        word
        for name, port in zip(NAMES, free_ports(3), strict=True)
        for word in ("--holder", f"{name}=127.0.0.1:{port}")
    ]
    box = ("--box", "-74.05,40.70,-73.90,40.80")
    code, told, said = found.call("a", "joint", "plan", *holders, *box, *READING, "--out", "joint.toml", "--json")
    assert (code, said) == (0, "") and json.loads(told)["pooling"] == 1
    for name in NAMES:
        code, told, said = found.call(name, "joint", "key", "joint.toml", "--as", name, "--json")
        assert code == 0, said
    assert json.loads(told)["missing"] == []
    return found


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.slow
def test_three_holders_publish_one_folder_that_all_have_signed(house: House) -> None:
    checked = house.together("joint", "check", "joint.toml", "--json")
    assert [code for code, _, _ in checked] == [0, 0, 0]
    assert len({told for _, told, _ in checked}) == 1
    ran = house.run("out", "--total", "2", "--json")
    assert [code for code, _, _ in ran] == [0, 0, 0], ran
    found = [json.loads(told) for _, told, _ in ran]
    assert len({one["id"] for one in found}) == 1 and found[0]["centers"] == found[2]["centers"]
    folders = [content(house.root / name / "out") for name in NAMES]
    assert folders[0] == folders[1] == folders[2]
    code, told, _ = house.call("b", "verify", "c/out", "--json")
    verified: dict[str, Any] = json.loads(told)
    assert code == 0 and [line.split(":")[0] for line in verified["holders"]] == list(NAMES)
    code, told, _ = house.call("b", "ledger", "--json")
    assert [one["remaining_epsilon"] for one in json.loads(told)["datasets"]] == ["1"]
    again = house.run("again")
    assert [code for code, _, _ in again] == [0, 0, 0], again
    assert all("was run before" in said and "charges epsilon 1 anew" in said for _, _, said in again)
    assert content(house.root / "a" / "again")["release.json"] != folders[0]["release.json"]
    spent = house.call("a", "joint", "run", "joint.toml", "--as", "a", "a/trips.csv", "--out", "a/third", "--wait", "1")
    assert spent[0] in (2, 3) and "Nothing was charged" in spent[2]


@pytest.mark.slow
def test_a_holder_that_is_killed_leaves_the_others_with_one_sentence(house: House) -> None:
    files = {name: (f"{name}/trips.csv", "--out", f"{name}/out", "--wait", "60") for name in NAMES}
    started = {name: house.start(name, "joint", "run", "joint.toml", "--as", name, *files[name]) for name in NAMES}
    book = house.root / "b" / "ledger.sqlite3.work"
    until = time.monotonic() + 200
    while not list(book.glob("*.lock")):  # the lock is taken right before the charge
        assert time.monotonic() < until and started["b"].poll() is None
        time.sleep(0.005)
    started["b"].send_signal(signal.SIGKILL)
    ends = {name: end_of(one) for name, one in started.items()}
    for name in ("a", "c"):
        code, _, said = ends[name]
        lines = [line for line in said.splitlines() if "rows read" not in line]
        assert code in (2, 5) and len(lines) == 1 and "Traceback" not in said, said
        assert "b went away" in said or "ended the run" in said
        assert ("This holder was charged" in said) == (code == 5)
        assert not (house.root / name / "out").exists()
        assert not list((house.root / name / "ledger.sqlite3.releases").glob("*"))


def test_bad_words_are_refused_in_one_sentence(house: House) -> None:
    run = ("joint", "run", "joint.toml")
    for words, told in (
        ((*run, "--as", "z", "a/trips.csv", "--out", "z"), "no holder 'z'"),
        ((*run, "--as", "a", "a/trips.csv", "--out", "z", "--person", "x", "--cap", "2"), "leave out --person, --cap"),
        (("joint", "check", "joint.toml", "--as", "a", "--wait", "0.5"), "not reached within 0.5 s"),
        (("joint", "key", "no.toml", "--as", "a"), "cannot read the plan"),
        (("joint", "plan", *READING, "--holder", "a=x:1", "--box", "New York", "--out", "two.toml"), "1 holders"),
    ):
        code, _, said = house.call("a", *words)
        assert code == 2 and told in said and len(said.strip().splitlines()) <= 2, said
