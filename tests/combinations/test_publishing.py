"""All that a curator may combine in one publication: each pair of choices at least once, from file to picture."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz.__main__ import main
from dpviz.cli import approval
from tests.combinations.covering import Pair, Row, covering

Call = Callable[..., tuple[int, str, str]]
OLD_LEDGER = Path(__file__).parents[1] / "golden" / "ledger-format-1.zip"
BOX = "-74.05,40.70,-73.90,40.80"
TABLE = {
    "unit": ("record", "person", "counted rows", "weighted rows"),
    "source": ("csv", "parquet", "counts"),
    "parts": ("none", "hour", "weekday", "regions"),
    "purpose": ("centers", "balanced", "any question"),
    "method": ("auto", "adaptive_tree", "uniform_grid", "grid_cover"),
    "relation": ("add-remove", "replace"),
    "language": ("en", "de"),
    "ledger": ("fresh", "second start", "of version 1", "stand-in", "second person"),
}
OPTIONS = {
    "record": "--unit record",
    "person": "--person rider --cap 3",
    "counted rows": "--weight n --weight-unit record",
    "weighted rows": "--weight n --weight-bound 4",
    "hour": "--by hour --time when --zone America/New_York",
    "weekday": "--by weekday --time when --zone America/New_York",
    "de": "--language de",
}
# What is not offered; every other pair must work.
REFUSED: dict[Pair, str] = {
    frozenset(pair): told
    for told, pairs in {
        "cannot be used with persons, weights or levels": [
            (("unit", unit), ("relation", "replace")) for unit in ("person", "counted rows", "weighted rows")
        ],
        "holds no parts": [(("parts", part), ("source", "counts")) for part in ("hour", "weekday")],
        "under the relation 'add-remove'": [(("parts", part), ("relation", "replace")) for part in ("hour", "weekday")],
        "not for 'replace'": [(("parts", "regions"), ("relation", "replace"))],
        "leave the method out": [
            (("parts", part), ("method", method))
            for part in ("hour", "weekday")
            for method in ("uniform_grid", "grid_cover")
        ],
        "under another name the same people share its budget": [
            (("parts", part), ("ledger", "stand-in")) for part in ("hour", "weekday")
        ],
        "not proved for persons with a cap or records with a weight": [
            (("method", "grid_cover"), ("unit", unit)) for unit in ("person", "weighted rows")
        ],
        "no cells to spend the budget on": [
            (("purpose", purpose), ("method", "grid_cover")) for purpose in ("balanced", "any question")
        ],
    }.items()
    for pair in pairs
}
ROWS = covering(TABLE, lambda row: not any(pair <= row.items() for pair in REFUSED))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rides of 120 riders, as text and as Parquet, and a region."""
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(4)
    rows = 900
    rides = pd.DataFrame(
        {
            "rider": rng.integers(0, 120, rows),
            "lon": rng.choice([-74.0, -73.94], rows) + rng.normal(0, 0.005, rows).round(5),
            "lat": rng.choice([40.73, 40.77], rows) + rng.normal(0, 0.005, rows).round(5),
            "n": rng.integers(1, 6, rows),
            "when": pd.Timestamp("2026-03-02") + pd.to_timedelta(rng.integers(0, 28 * 24 * 60, rows), unit="min"),
        }
    )
    for name, table in (("rides", rides), ("table", rides.drop(columns="rider"))):
        table.to_csv(folder / f"{name}.csv", index=False)
        table.to_parquet(folder / f"{name}.parquet")
    corner = [[-74.01, 40.72], [-73.99, 40.72], [-73.99, 40.74], [-74.01, 40.74], [-74.01, 40.72]]
    area = {
        "type": "Feature",
        "properties": {"name": "Hospital", "level": 7},
        "geometry": {"type": "Polygon", "coordinates": [corner]},
    }
    (folder / "regions.json").write_text(json.dumps({"type": "FeatureCollection", "features": [area]}))
    return folder


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))

    def command(*words: object, who: str = "Ada") -> tuple[int, str, str]:
        monkeypatch.setattr(approval, "account", lambda: who)
        monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return command


def reading_words(row: Row, files: Path) -> list[object]:
    name = "table" if "rows" in row["unit"] else "rides"
    suffix = "parquet" if row["source"] == "parquet" else "csv"
    words = [files / f"{name}.{suffix}", f"--box={BOX}", "--side", 64, "--relation", row["relation"]]
    return [*words, *OPTIONS[row["unit"]].split()]


def request_words(row: Row, files: Path) -> list[object]:
    words: list[object] = ["--k", 3, "--epsilon", 0.5, "--purpose", row["purpose"], "--method", row["method"]]
    return [*words, "--regions", files / "regions.json"] if row["parts"] == "regions" else words


class Curator:
    """Somebody who publishes one row of the table with the commands, and whose every step must succeed."""

    def __init__(self, row: Row, files: Path, call: Call, folder: Path) -> None:
        self.row, self.call, self.folder = row, call, folder
        self.records = reading_words(row, files)
        self.asked = [*request_words(row, files), "--dataset", "rides"]
        self.more = [*OPTIONS.get(row["parts"], "").split(), *OPTIONS.get(row["language"], "").split()]
        if row["source"] == "counts":
            self.does("count", *self.records, "--out", folder / "counts.npz")
            self.records = [folder / "counts.npz"]

    def does(self, *words: object, who: str = "Ada") -> str:
        code, out, error = self.call(*words, who=who)
        assert code == 0, (self.row, words, error)
        assert "Traceback" not in out + error
        return out

    def spent(self) -> float:
        accounts = json.loads(self.does("ledger", "--json"))["datasets"]
        rides = [one for one in accounts if one["dataset"] == "rides"]
        return sum(float(one["total_epsilon"]) - float(one["remaining_epsilon"]) for one in rides)

    def prepares(self) -> None:
        """The ledger as this row finds it."""
        if self.row["ledger"] == "of version 1":
            with zipfile.ZipFile(OLD_LEDGER) as archive:
                archive.extractall(self.folder)
            (self.folder / "ledger.sqlite3").rename(self.folder / "ledger.sqlite")
            (self.folder / "ledger.sqlite3.releases").rename(self.folder / "ledger.sqlite.releases")
        elif self.row["ledger"] in ("second start", "second person"):
            apart = self.row["parts"] in ("hour", "weekday")  # counts of parts are a dataset of the same people
            name, more = ("earlier", ["--same-people", "earlier"]) if apart else ("rides", [])
            self.does("register", *self.records, "--dataset", name, "--total", 2)
            self.asked += more
            if self.row["ledger"] == "second person":
                self.does("approval", "need", name, "--why", "rule")
            else:
                self.does(
                    "release", *self.records, "--dataset", name, "--k", 2, "--level", 6, "--out", self.folder / "0"
                )
        elif self.row["ledger"] == "stand-in":
            share = ("--total", 2, "--standin-share", 0.2, "--why", "plan")
            self.does("register", *self.records, "--dataset", "rides", *share)
            self.does("preview", "--dataset", "rides", "--k", 3, "--draws", 2, "--epsilon", 0.5)

    def is_approved(self) -> None:
        """Nothing is published before somebody else has agreed."""
        words = ("release", *self.records, *self.asked, *self.more, "--why", "plan", "--out", self.folder / "no")
        self.does(*words, "--ask")
        code, _, error = self.call(*words)
        assert code == 3 and "second person" in error and not (self.folder / "no").exists()
        (number,) = [one["number"] for one in json.loads(self.does("approval", "--json"))["requests"]]
        self.does("approval", "approve", number, who="Grace")

    def publishes(self, out: str) -> dict[str, Any]:
        words = ("release", *self.records, *self.asked, *self.more, "--out", self.folder / out, "--json")
        made: dict[str, Any] = json.loads(self.does(*words))
        return made


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row.values()))
def test_every_pair_of_choices_is_published_asked_drawn_and_kept(
    row: Row, files: Path, call: Call, tmp_path: Path
) -> None:
    curator = Curator(row, files, call, tmp_path)
    curator.prepares()
    if row["ledger"] == "second person":
        curator.is_approved()
    before = curator.spent()
    made = curator.publishes("first")
    spent = curator.spent()
    assert spent == pytest.approx(before + 0.5)
    again = curator.publishes("second")
    assert curator.spent() == spent and again["id"] == made["id"]
    for path in (tmp_path / "first").rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "second" / path.relative_to(tmp_path / "first")).read_bytes()
    release = tmp_path / "first"
    curator.does("verify", release)
    curator.does("ask", release, "--k", 2)
    if row["parts"] not in ("hour", "weekday"):  # their map page shows one part after the other
        curator.does("picture", release, "--out", tmp_path / "poster.svg")
    curator.does(
        "describe",
        release,
        "--as",
        "dcat",
        "--url",
        "https://data.example.org/rides/",
        "--out",
        tmp_path / "entry.json",
    )
    assert made["id"] in curator.does("publications", "--json")
    curator.does("withdraw", made["id"], "--why", "a trial")
    assert "withdrawn" in curator.does("publications", "--json")


@pytest.mark.parametrize(
    "pair", sorted(REFUSED, key=sorted), ids=lambda pair: " ".join(value for _, value in sorted(pair))
)
def test_what_is_not_offered_is_refused_in_words_and_charged_to_nobody(
    pair: Pair, files: Path, call: Call, tmp_path: Path
) -> None:
    row = {name: values[0] for name, values in TABLE.items()} | dict(pair)
    curator = Curator(row, files, call, tmp_path)
    curator.prepares()
    before = curator.spent()
    code, _, error = call("release", *curator.records, *curator.asked, *curator.more, "--out", tmp_path / "out")
    assert code in (2, 3) and REFUSED[pair] in error and "Traceback" not in error
    assert not (tmp_path / "out").exists() and curator.spent() == before
