"""`dpviz register` and `dpviz preview`: a stand-in is bought once, and levels are looked at without the records."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.__main__ import main
from dpviz.ingest import load_saved_counts
from dpviz.privacy import LEVELS

BOX = "-74.05,40.70,-73.90,40.80"


@pytest.fixture
def trips(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    points = np.array([[-74.0, 40.72], [-73.95, 40.78]])[rng.integers(2, size=4000)] + rng.normal(0, 0.004, (4000, 2))
    path = tmp_path / "trips.csv"
    path.write_text("lon,lat\n" + "\n".join(f"{lon:.6f},{lat:.6f}" for lon, lat in points), encoding="utf-8")
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words), "--ledger", str(tmp_path / "ledger.sqlite")])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return call


def registering(source: Path, **changes: object) -> list[object]:
    options = {"box": BOX, "side": 64, "dataset": "january", "total": 2, "standin-share": 0.25, **changes}
    return ["register", source, *(word for name, value in options.items() for word in (f"--{name}", value))]


def charges(run: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("ledger", "--json")[1])["charges"]
    return found


def test_registering_buys_the_stand_in_once(run: Any, trips: Path) -> None:
    for _ in range(2):
        code, out, err = run(*registering(trips), "--json")
        assert (code, err) == (0, "")
        assert json.loads(out) == {
            "dataset": "january", "total_epsilon": "2", "remaining_epsilon": "1.5", "standin": True,
        }  # fmt: skip
    assert [charge["purpose"] for charge in charges(run)] == ["stand-in"]


def test_previewing_needs_no_records_and_costs_nothing(run: Any, trips: Path) -> None:
    assert run(*registering(trips))[0] == 0
    trips.unlink()
    code, out, err = run("preview", "--dataset", "january", "--k", 2, "--draws", 2, "--json")
    found = json.loads(out)
    assert (code, err) == (0, "") and found["simulated"] is True and found["remaining_epsilon"] == "1.5"
    assert [row["level"] for row in found["rows"]] == [level.number for level in LEVELS]
    assert [row["affordable"] for row in found["rows"]] == [False, False, *[True] * (len(LEVELS) - 2)]
    assert found["rows"][0]["relative_error"] < found["rows"][-1]["relative_error"]
    assert len(charges(run)) == 1


def test_one_level_or_one_budget_can_be_previewed(run: Any, trips: Path) -> None:
    run(*registering(trips))
    for chosen, level in ((("--level", 3), 3), (("--epsilon", 1.0), None)):
        code, out, _ = run("preview", "--dataset", "january", "--k", 2, "--draws", 1, *chosen, "--json")
        (row,) = json.loads(out)["rows"]
        assert code == 0 and (row["level"], row["epsilon"]) == (level, 1.0)
    code, out, _ = run("preview", "--dataset", "january", "--k", 2, "--draws", 1, "--level", 3)
    assert code == 0 and "not on its records" in out and "Epsilon 1.5 remains" in out


def test_a_level_without_an_answer_says_why(run: Any, trips: Path) -> None:
    run(*registering(trips))
    words = ("preview", "--dataset", "january", "--k", 20, "--epsilon", 0.001, "--method", "peeled_balls")
    code, out, _ = run(*words, "--draws", 1)
    assert code == 0 and "no answer: " in out


def test_what_is_published_later_comes_from_the_same_total(run: Any, trips: Path, tmp_path: Path) -> None:
    run(*registering(trips))
    words = ["release", trips, "--box", BOX, "--side", 64, "--dataset", "january", "--k", 2, "--out", tmp_path / "out"]
    assert run(*words, "--epsilon", 1.6)[0] == 3
    assert run(*words, "--epsilon", 1.5, "--strict")[0] == 0


def test_a_data_set_with_a_stand_in_is_published_without_hints_and_without_a_look(
    run: Any, trips: Path, tmp_path: Path
) -> None:
    """Nobody has to remember --strict for it: neither rows outside the box nor an empty box are spoken of."""
    with trips.open("a", encoding="utf-8") as more:
        more.write("\n" + "\n".join(["2.35,48.85"] * 3000))
    nothing = tmp_path / "nothing.csv"
    nothing.write_text("lon,lat\n2.35,48.85\n", encoding="utf-8")
    for source, name in ((trips, "january"), (nothing, "empty")):
        assert run(*registering(source, dataset=name))[0] == 0
        words = ("--box", BOX, "--side", 64, "--dataset", name, "--k", 2, "--epsilon", 0.5, "--out", tmp_path / name)
        code, _, err = run("release", source, *words)
        assert (code, err) == (0, "")


def test_a_file_without_a_row_inside_is_registered_like_any_other(run: Any, tmp_path: Path) -> None:
    """With a stand-in nobody looks at the records first, not even to see whether there are any."""
    nothing = tmp_path / "nothing.csv"
    nothing.write_text("lon,lat\n2.35,48.85\n", encoding="utf-8")
    code, _, err = run(*registering(nothing, **{"standin-share": 0}))
    assert code == 2 and "box" in err
    assert run(*registering(nothing, dataset="empty"))[0] == 0
    assert run("preview", "--dataset", "empty", "--k", 2, "--draws", 1, "--level", 4)[0] == 0


def test_counted_files_can_be_registered(run: Any, trips: Path, tmp_path: Path) -> None:
    counted = tmp_path / "counts.npz"
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(sys, "argv", ["dpviz", "count", str(trips), "--box", BOX, "--side", "64", "--out", str(counted)])
        main()
    assert load_saved_counts(counted).grid.side == 64
    assert run("register", counted, "--dataset", "january", "--total", 1)[0] == 0
    code, _, err = run("preview", "--dataset", "january", "--k", 2)
    assert code == 2 and "registration" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("preview", "--dataset", "nobody", "--k", 2), "no ledger"),
        (("preview", "--dataset", "january"), "--k"),
        (("register", "trips.csv", "--box", BOX), "--total"),
        (("register", "trips.csv", "--box", BOX, "--total", 0), "epsilon"),
        (("register", "trips.csv", "--box", BOX, "--total", "inf"), "epsilon"),
        (("register", "{trips}", "--box", BOX, "--total", 1, "--standin-share", 1), "share"),
        (("register", "{trips}", "--box", BOX, "--total", 1, "--standin-share", "nan"), "share"),
        (("register", "{trips}", "--box", BOX, "--total", 1, "--dataset", "a\nb"), "printable"),
    ],
)
def test_a_bad_request_is_told_and_charges_nothing(run: Any, trips: Path, words: tuple[Any, ...], told: str) -> None:
    code, out, err = run(*(trips if word == "{trips}" else word for word in words))
    assert code == 2 and out == "" and told in err and "Traceback" not in err


def test_previews_of_what_cannot_be_previewed_are_refused(run: Any, trips: Path) -> None:
    run(*registering(trips))
    for words, told in (
        (("--dataset", "nobody", "--k", 2), "no dataset"),
        (("--dataset", "january", "--k", 0), "clusters"),
        (("--dataset", "january", "--k", 2, "--draws", 0), "--draws"),
        (("--dataset", "january", "--k", 2, "--method", "magic"), "not known"),
        (("--dataset", "january", "--k", 2, "--level", 9), "--level 9"),
    ):
        code, out, err = run("preview", *words)
        assert code == 2 and out == "" and told in err and "Traceback" not in err
    assert len(charges(run)) == 1


@pytest.mark.parametrize("name", ["january\u200b", "january\n", "x" * 201, "\u202ejanuary"])
@pytest.mark.parametrize("command", ["release", "register"])
def test_a_name_that_cannot_be_kept_is_refused_before_the_file_is_read(
    run: Any, trips: Path, tmp_path: Path, command: str, name: str
) -> None:
    run(*registering(trips))
    words = registering(trips, dataset=name)
    if command == "release":
        words = ["release", trips, "--box", BOX, "--dataset", name, "--k", 2, "--level", 5, "--out", tmp_path / "out"]
    code, out, err = run(*words)
    assert (code, out) == (2, "") or name.strip() == "january"
    assert "4,000" not in err and "rows" not in err.replace("borrows", "")
    assert len(err.strip().splitlines()) <= 1


def test_a_wrong_total_is_refused_before_the_file_is_read(run: Any, trips: Path, tmp_path: Path) -> None:
    run("register", trips, "--box", BOX, "--side", 64, "--dataset", "january", "--total", 2)
    asked = ["release", trips, "--box", BOX, "--side", 64, "--dataset", "january", "--k", 2, "--level", 5]
    code, _, err = run(*asked, "--total", 3, "--out", tmp_path / "out")
    assert code == 3 and "keeps it" in err and "rows" not in err


def test_registering_again_without_the_share_tells_nothing_of_the_rows(run: Any, trips: Path) -> None:
    run(*registering(trips))
    code, out, err = run("register", trips, "--box", BOX, "--side", 64, "--dataset", "january", "--total", 2)
    assert code == 3 and "stand-in" in err and "rows" not in err and out == ""


def test_a_stand_in_is_not_given_out_as_a_release(run: Any, trips: Path, tmp_path: Path) -> None:
    assert run(*registering(trips))[0] == 0
    out = tmp_path / "out"
    known = ("--box", BOX, "--side", 64, "--dataset", "january", "--out", out)
    code, _, err = run("release", trips, *known, "--k", 10, "--epsilon", 0.5, "--purpose", "stand-in")
    assert code == 2 and "not given out" in err and not out.exists()
