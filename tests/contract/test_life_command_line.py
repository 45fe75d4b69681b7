"""The life of a release on the command line: published with words, verified, corrected, withdrawn, backed up."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from dpviz.__main__ import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "books" / "ledger.sqlite3"))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture
def release(run: Run, tmp_path: Path) -> Path:
    points = np.random.default_rng(0).normal([-74.0, 40.75], 0.01, (2000, 2))
    rows = "\n".join(f"{lon:.6f},{lat:.6f}" for lon, lat in points)
    (tmp_path / "trips.csv").write_text("lon,lat\n" + rows + "\n")
    words = ["release", tmp_path / "trips.csv", "--box=-74.05,40.70,-73.90,40.80", "--k", 2, "--epsilon", 1.0]
    words += ["--side", 64, "--method", "uniform_grid", "--total", 2, "--out", tmp_path / "out"]
    words += ["--title", "Taxis", "--period", "2026-01", "--publisher", "Turin", "--licence", "CC-BY-4.0"]
    code, _, err = run(*words)
    assert code == 0, err
    return tmp_path / "out"


def test_a_release_from_its_publication_to_its_end(run: Run, release: Path, tmp_path: Path) -> None:
    code, out, _ = run("verify", release)
    assert code == 0 and "Whole: " in out and "Signed by you" in out
    (first,) = json.loads(run("publications", "--json")[1])
    assert (first["title"], first["state"], first["about"]["period_end"]) == ("Taxis", "published", "2026-01-31")
    code, out, err = run("correct", first["id"][:8], "--description", "Arrivals.", "--why", "asked for")
    assert code == 0, err
    second = json.loads(run("publications", "--json")[1])[-1]
    assert second["about"]["title"] == "Taxis" and second["about"]["description"] == "Arrivals."
    assert second["version"] == 2
    assert run("withdraw", second["id"], "--why", "wrong box", "--notice", "Wrong box.")[0] == 0
    code, out, _ = run("verify", tmp_path / "books" / "ledger.sqlite3.releases" / second["id"])
    assert code == 0 and "This release was withdrawn. Wrong box." in out
    words = ["release", tmp_path / "trips.csv", "--box=-74.05,40.70,-73.90,40.80", "--k", 2, "--epsilon", 1.0]
    words += ["--side", 64, "--method", "uniform_grid", "--title", "Cabs", "--out", tmp_path / "again"]
    code, _, err = run(*words)
    assert code == 0 and "this release was superseded by" in err and "dpviz correct" in err
    table = run("publications")[1]
    assert "superseded" in table and "withdrawn" in table
    assert float(json.loads(run("ledger", "--json")[1])["datasets"][0]["remaining_epsilon"]) == 1.0
    assert run("ledger", "verify")[0] == 0


def test_who_does_not_know_the_key_is_told_how_to_know_it(
    run: Run, release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = tmp_path / "publisher.pub"
    shutil.copy(tmp_path / "data" / "signing-key.pub", public)
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "elsewhere"))
    code, out, _ = run("verify", release)
    assert code == 2 and "Signature unknown" in out and "--remember" in out
    assert run("verify", release, "--key", public)[0] == 0
    assert run("verify", release, "--remember", "Turin")[0] == 2
    assert run("verify", release, "--key", public, "--remember", "Turin")[0] == 0
    code, out, _ = run("verify", release, "--json")
    assert code == 0 and json.loads(out)["signature"].startswith("signed by Turin (")
    (release / "manifest.sig").unlink()
    (release / "manifest.json").unlink()
    code, out, _ = run("verify", release)
    assert code == 2 and "No signature" in out
    (release / "map.html").write_text("<script>")
    code, _, err = run("verify", release)
    assert code == 2 and err.count("\n") == 1


def test_a_backup_brings_a_lost_ledger_back(run: Run, release: Path, tmp_path: Path) -> None:
    code, out, _ = run("ledger", "backup", "--out", tmp_path / "backup")
    assert code == 0 and "signing-key.pem" in out
    shutil.rmtree(tmp_path / "books")
    code, out, err = run("ledger", "restore", tmp_path / "backup")
    assert code == 0 and "Restored 1 release folders. Rows lost: 0." in out, err
    assert run("ledger", "verify")[1].startswith("In order: ")
    (found,) = (tmp_path / "books" / "ledger.sqlite3.releases").iterdir()
    (found / "centers.csv").write_text("lon,lat,weight\n")
    code, out, _ = run("ledger", "verify")
    assert code == 2 and out.startswith("WRONG: centers.csv")
    assert run("ledger", "restore", tmp_path / "backup")[0] == 0
    assert run("ledger", "verify")[0] == 0


@pytest.mark.parametrize("kind", ["registry", "dcat", "impact"])
def test_a_release_is_described_for_others(run: Run, release: Path, tmp_path: Path, kind: str) -> None:
    (first,) = json.loads(run("publications", "--json")[1])
    words = ["describe", first["id"], "--as", kind, "--out", tmp_path / "described", "--url", "https://x.example/"]
    words += [
        "--use",
        "planning",
        "--authors",
        "Ada",
        "--justification",
        "fixed",
        "--description",
        "d",
        "--region",
        "r",
    ]
    code, _, err = run(*words)
    assert code == 0, err
    written = (tmp_path / "described").read_text()
    assert written.startswith("#") if kind == "impact" else json.loads(written)
    code, _, err = run(*words)
    assert code == 2 and "--overwrite" in err
    assert run(*words, "--overwrite")[0] == 0
    (tmp_path / "thesis").write_text("years of work")
    words[words.index("--out") + 1] = tmp_path / "thesis"
    assert run(*words, "--overwrite")[0] == 2
    assert (tmp_path / "thesis").read_text() == "years of work"


@pytest.mark.parametrize(
    "words",
    [
        ("publications",),
        ("withdraw", "abcd", "--why", "x"),
        ("supersede", "abcd", "--by", "abce", "--why", "x"),
        ("correct", "abcd", "--title", "x", "--why", "x"),
        ("describe", "abcd", "--as", "dcat", "--out", "x"),
        ("describe", "abcd", "--as", "poem", "--out", "x"),
        ("ledger", "verify"),
        ("ledger", "backup", "--out", "x"),
        ("ledger", "restore", "x"),
        ("verify", "x"),
        ("verify", ".", "--key", "nonsense"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_leaves_nothing(
    run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:

    (tmp_path / "here").mkdir()
    with contextlib.chdir(tmp_path / "here"):
        code, _, err = run(*words)
    assert code == 2 and err.startswith("dpviz: ") and err.count("\n") == 1 and "Traceback" not in err
    assert list((tmp_path / "here").iterdir()) == []
    assert not (tmp_path / "books").exists() or list((tmp_path / "books").glob("ledger.sqlite3")) == []
