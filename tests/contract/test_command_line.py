"""The command line keeps its contract: exit codes, one or two lines that say what to do, JSON, nothing half-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dpviz.__main__ import main
from dpviz.errors import StoreError
from dpviz.privacy import LEVELS

ROOT = Path(__file__).resolve().parents[2]
BOX = "-74.05,40.70,-73.90,40.80"


@pytest.fixture
def trips(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    middles = np.array([[-74.0, 40.72], [-73.95, 40.78]])
    points = middles[rng.integers(2, size=5000)] + rng.normal(0, 0.004, (5000, 2))
    path = tmp_path / "trips with spaces é.csv"
    rows = "\n".join(f"{lon:.6f},{lat:.6f}" for lon, lat in points)
    path.write_text("pickup_longitude,pickup_latitude\n" + rows + "\n", encoding="utf-8")
    return path


def dpviz(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    ledger = tmp_path / "ledger.sqlite"

    def call(*words: object) -> tuple[int, str, str]:
        needs_ledger = words[0] in ("release", "ledger") and "--ledger" not in words
        code = dpviz(monkeypatch, *words, *(["--ledger", ledger] if needs_ledger else []))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_trips_with_both_ends_are_published_and_evaluated_from_a_file(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    ends = rng.normal([-73.98, 40.75, -73.96, 40.77], 0.005, (3000, 4))
    names, path = "plon,plat,dlon,dlat", tmp_path / "both ends.csv"
    np.savetxt(path, ends, delimiter=",", header=names, comments="", fmt="%.6f")
    out = tmp_path / "release"
    asked = ("--columns", names, "--box", BOX)
    words = ("release", path, *asked, "--k", "2", "--epsilon", "1", "--out", out, "--json")
    code, said, _ = run(*words)
    assert code == 0 and json.loads(said)["report"]["rows"] == 3000
    assert (out / "centers.csv").read_text().startswith(names + ",")
    code, said, _ = run("evaluate", path, "--release", out, "--json")
    assert code == 0 and json.loads(said)["relative_error"] > 0
    for refused, told in (
        (("count", path, *asked, "--out", tmp_path / "counts.npz"), "cannot be counted on a grid"),
        (("release", path, "--columns", "plon,plat,dlon", *words[4:]), "in pairs, longitude first"),
        (("release", path, *asked, "--lon", "plon", *words[6:]), "leave out --lon"),
    ):
        code, _, error = run(*refused)
        assert code == 2 and told in error


def test_so_few_rows_of_six_columns_are_told_before_and_after(run, tmp_path: Path) -> None:
    places = np.random.default_rng(3).normal([-73.98, 40.75] * 3, 0.005, (200, 6))
    names, path, out = "a_lon,a_lat,b_lon,b_lat,c_lon,c_lat", tmp_path / "three.csv", tmp_path / "release"
    np.savetxt(path, places, delimiter=",", header=names, comments="", fmt="%.6f")
    asked = ("--columns", names, "--box", BOX, "--k", "12", "--epsilon", "0.1", "--out", out)
    code, said, noted = run("release", path, *asked)
    assert code == 0 and "That is a lot" in noted and "more than 1,000 % in 9 of 10 draws" in noted
    assert "so few records do not tell 12 groups apart" in said
    assert "so few records do not tell 12 groups apart" in (out / "PRIVACY.md").read_text(encoding="utf-8")


def release_words(source: object, out: Path, **changes: object) -> list[object]:
    options = {"box": BOX, "k": 2, "epsilon": 1.0, "side": 64, "out": out, **changes}
    words: list[object] = ["release", source]
    for name, value in options.items():
        if value is not None:
            words += [f"--{name}", value]
    return words


def test_the_published_page_of_any_city_has_its_ground_names_and_credit(run, tmp_path: Path) -> None:
    rows = "".join(f"{-122.42 + at % 7 / 500},{37.76 + at % 11 / 500}\n" for at in range(500))
    (tmp_path / "rides.csv").write_text("lon,lat\n" + rows)
    words = release_words(tmp_path / "rides.csv", tmp_path / "out", box="-122.52,37.70,-122.36,37.82", unit="record")
    assert run(*words)[0] == 0
    page = (tmp_path / "out" / "map.html").read_text(encoding="utf-8")
    assert "Chinatown</text>" in page and "OpenStreetMap contributors" in page


def test_release_then_the_same_again_spends_once(run, trips: Path, tmp_path: Path) -> None:
    code, out, err = run(*release_words(trips, tmp_path / "one"))
    assert code == 0 and "Differentially private" in out
    assert err.startswith("dpviz: 5,000 rows read") and len(err.splitlines()) == 1  # also where nobody's terminal is
    assert run(*release_words(trips, tmp_path / "two"))[0] == 0
    first = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    second = {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    assert first == second
    assert {"release.json", "coreset.parquet", "centers.geojson", "map.html", "PRIVACY.md"} <= set(first)
    report = json.loads(run("ledger", "--json")[1])
    assert len(report["charges"]) == 1 and report["datasets"][0]["remaining_epsilon"] == "0"


def test_a_second_different_release_is_refused_with_the_three_numbers(run, trips: Path, tmp_path: Path) -> None:
    assert run(*release_words(trips, tmp_path / "one"))[0] == 0
    code, _, err = run(*release_words(trips, tmp_path / "two", k=3))
    assert code == 3 and not (tmp_path / "two").exists()
    assert "requested" in err.lower() and "remain" in err.lower()


def test_json_is_one_document(run, trips: Path, tmp_path: Path) -> None:
    code, out, _ = run(*release_words(trips, tmp_path / "one"), "--json")
    found = json.loads(out)
    assert code == 0 and found["answer"] is True and len(found["centers"]) == 2
    assert found["guarantee"]["epsilon"] == 1.0


def test_evaluate_and_compare_speak_of_a_release(run, trips: Path, tmp_path: Path) -> None:
    run(*release_words(trips, tmp_path / "one"), "--total", 3)
    run(*release_words(trips, tmp_path / "two", epsilon=2.0), "--total", 3)
    code, out, _ = run("evaluate", trips, "--release", tmp_path / "one", "--json")
    assert code == 0 and json.loads(out)["exact"] is True
    code, out, _ = run("compare", tmp_path / "one", tmp_path / "two", "--json")
    assert code == 0 and len(json.loads(out)) == 2


def test_count_writes_a_file_for_the_curator_and_says_so(run, trips: Path, tmp_path: Path) -> None:
    code, out, _ = run("count", trips, "--box", BOX, "--side", 64, "--out", tmp_path / "counts.npz")
    assert code == 0 and "do not publish" in out and (tmp_path / "counts.npz").exists()


def test_counted_files_are_published_and_evaluated_in_place_of_the_records(run, trips: Path, tmp_path: Path) -> None:
    counted = tmp_path / "counts.npz"
    assert run("count", trips, "--box", BOX, "--side", 64, "--out", counted)[0] == 0
    assert run(*release_words(counted, tmp_path / "one", box=None, side=None))[0] == 0
    assert run("evaluate", counted, "--release", tmp_path / "one", "--json")[0] == 0
    code, _, err = run(*release_words(counted, tmp_path / "two"))
    assert code == 2 and "--box" in err and not (tmp_path / "two").exists()


@pytest.mark.parametrize("words", [("app",), ("analyst", "--releases", ".")])
def test_the_servers_start_on_this_machine_only(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    started: list[tuple[list[str], Path]] = []
    monkeypatch.setattr("dpviz.cli.servers.hand_over", lambda command, _, folder: started.append((command, folder)))
    assert dpviz(monkeypatch, *words, "--server.port", "8600") == 0
    command, folder = started[0]
    assert Path(command[4]).is_file() and (folder / ".streamlit" / "config.toml").is_file()
    assert command[command.index("--server.address") + 1] == "127.0.0.1" and command[-2:] == ["--server.port", "8600"]


def test_the_analysts_server_needs_a_folder(run, tmp_path: Path) -> None:
    code, _, err = run("analyst", "--releases", tmp_path / "nowhere")
    assert code == 2 and "--releases" in err


def test_methods_are_listed(run) -> None:
    code, out, _ = run("methods", "--json")
    assert code == 0 and {"adaptive_tree", "peeled_balls", "uniform_grid"} <= {row["name"] for row in json.loads(out)}


def test_no_answer_is_exit_code_4_charged_and_stored(run, trips: Path, tmp_path: Path) -> None:
    words = release_words(trips, tmp_path / "one", k=20, epsilon=0.001, method="peeled_balls")
    code, _, err = run(*words)
    assert code == 4 and "No answer" in err
    assert len(json.loads(run("ledger", "--json")[1])["charges"]) == 1


BAD = {
    "missing file": ({"source": "nowhere.csv"}, 2),
    "no box": ({"box": None}, 2),
    "box of three numbers": ({"box": "1,2,3"}, 2),
    "box upside down": ({"box": "-73.9,40.8,-74.05,40.7"}, 2),
    "unknown city": ({"box": "Nowhere-upon-Sea"}, 2),
    "zero epsilon": ({"epsilon": 0}, 2),
    "negative epsilon": ({"epsilon": -1}, 2),
    "NaN epsilon": ({"epsilon": "nan"}, 2),
    "infinite epsilon": ({"epsilon": "inf"}, 2),
    "level and epsilon": ({"level": 3}, 2),
    "neither level nor epsilon": ({"epsilon": None}, 2),
    "level beyond the last": ({"epsilon": None, "level": len(LEVELS) + 1}, 2),
    "zero clusters": ({"k": 0}, 2),
    "huge k": ({"k": 10_000}, 2),
    "text for k": ({"k": "five"}, 2),
    "side 100": ({"side": 100}, 2),
    "unknown method": ({"method": "magic"}, 2),
    "unknown relation": ({"relation": "sideways"}, 2),
    "unknown engine": ({"engine": "steam"}, 2),
    "cap without person": ({"cap": 3}, 2),
    "person without cap": ({"person": "rider"}, 2),
    "missing column": ({"lon": "nope", "lat": "pickup_latitude"}, 2),
    "wrong city": ({"box": "Berlin"}, 2),
    "big delta": ({"delta": 0.5}, 2),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_two_lines_charges_nothing_and_leaves_nothing(
    run, trips: Path, tmp_path: Path, name: str
) -> None:
    changes, expected = BAD[name]
    changes = dict(changes)
    source = tmp_path / str(changes.pop("source")) if "source" in changes else trips
    code, out, err = run(*release_words(source, tmp_path / "out", **changes))
    assert code == expected and out == ""
    assert "Traceback" not in err
    if not err.lstrip().startswith("Usage"):  # usage errors of the parser draw a frame
        assert len(err.strip().splitlines()) <= 2 and len(err.strip()) > 20
    assert not (tmp_path / "out").exists()
    ledger = tmp_path / "ledger.sqlite"
    if ledger.exists():
        assert json.loads(run("ledger", "--json")[1])["charges"] == []


def test_output_that_cannot_be_written_is_noticed_before_the_charge(run, trips: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    code, _, err = run(*release_words(trips, tmp_path / "file"))
    assert code == 2 and "folder" in err
    code, _, _ = run(*release_words(trips, tmp_path / "file" / "below"))
    assert code == 2


def test_a_copy_that_fails_after_the_charge_says_that_the_release_is_stored(
    run, trips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("cannot write the folder 'one': No space left on device.")

    with monkeypatch.context() as patch:
        patch.setattr("dpviz.releases.release.Release.save", full)
        code, out, err = run(*release_words(trips, tmp_path / "one"))
    assert code == 5 and out == "" and "published and stored" in err and len(err.strip().splitlines()) == 3
    assert run(*release_words(trips, tmp_path / "two"))[0] == 0
    assert len(json.loads(run("ledger", "--json")[1])["charges"]) == 1


def test_an_interruption_is_said_and_charges_nothing(
    run, trips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dpviz.ingest.count_records", interrupted)
    code, out, err = run(*release_words(trips, tmp_path / "out"))
    assert code == 130 and out == "" and "interrupted" in err and not (tmp_path / "out").exists()


def test_an_unforeseen_error_shows_its_kind_and_no_record(
    run, trips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("record 40.7128,-74.0060 of Alice")

    monkeypatch.setattr("dpviz.ingest.count_records", broken)
    code, out, err = run(*release_words(trips, tmp_path / "out"))
    assert code == 1 and "Alice" not in out + err and "RuntimeError" in err


def test_help_teaches_every_command(run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for command in (
        "release",
        "evaluate",
        "methods",
        "ledger",
        "audit",
        "bench",
        "reproduce",
        "count",
        "compare",
        "register",
        "preview",
        "odds",
        "app",
        "analyst",
    ):
        assert command in out
        assert run(command, "--help")[0] == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_names_in_any_script_are_printed_on_every_console(run, trips: Path, tmp_path: Path, encoding: str) -> None:
    name = "поездки 東京 é 🛴"
    assert run(*release_words(trips, tmp_path / "one"), "--dataset", name)[0] == 0
    words = [sys.executable, "-m", "dpviz", "ledger", "--ledger", str(tmp_path / "ledger.sqlite")]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
    plain, as_json = (
        subprocess.run([*words, *more], env=environment, capture_output=True, check=False) for more in ([], ["--json"])
    )
    assert plain.returncode == as_json.returncode == 0 and b"adaptive_tree" in plain.stdout
    assert json.loads(as_json.stdout.decode(encoding))["datasets"][0]["dataset"] == name


def test_the_odds_of_somebody_with_several_trips(run) -> None:
    code, out, _ = run("odds", "--level", 4, "--trips", 1, "--trips", 10, "--json")
    one, ten = json.loads(out)
    assert code == 0 and 0.5 <= one["epsilon"] < 0.5001 and (one["right_of_100"], ten["right_of_100"]) == (63, 100)
    assert 5.0 <= ten["epsilon"] < 5.0001 and ten["delta"] == 0
    assert json.loads(run("odds", "--epsilon", 0.1, "--delta", 1e-9, "--trips", 3, "--json")[1])[0]["delta"] > 3e-9
    assert "right of 100" in run("odds", "--epsilon", 0.1)[1]
    for words in (("--trips", 0), ("--trips", -2), ("--delta", -1), ("--delta", 2)):
        code, out, err = run("odds", "--level", 4, *words)
        assert code == 2 and out == "" and "Traceback" not in err
    assert run("odds")[0] == 2
