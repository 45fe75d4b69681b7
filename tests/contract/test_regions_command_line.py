"""`dpviz release --regions`: the file's levels reach the release; a bad file costs nothing and leaves nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dpviz.__main__ import main
from dpviz.ledger.ledger import Ledger
from dpviz.releases.release import Release

ROWS = "lon,lat\n" + "".join(f"{-74.0 + i * 1e-4},{40.72 + i * 1e-4}\n" for i in range(300))
RING = [[-74.0, 40.72], [-73.98, 40.72], [-73.98, 40.74], [-74.0, 40.74], [-74.0, 40.72]]


def regions(**properties: object) -> str:
    geometry = {"type": "Polygon", "coordinates": [RING]}
    feature = {"type": "Feature", "properties": properties, "geometry": geometry}
    return json.dumps({"type": "FeatureCollection", "features": [feature]})


def run(patch: pytest.MonkeyPatch, folder: Path, content: str | None, *more: str) -> int:
    (folder / "trips.csv").write_text(ROWS)
    polygons = folder / "regions of Zürich.geojson"
    if content is not None:
        polygons.write_text(content)
    words = ["release", str(folder / "trips.csv"), "--box=-74.05,40.70,-73.90,40.80", "--k", "3", "--level", "4"]
    words += ["--side", "64", "--ledger", str(folder / "ledger"), "--out", str(folder / "out")]
    patch.setattr(sys, "argv", ["dpviz", *words, "--regions", str(polygons), *more])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_levels_of_the_file_reach_the_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(monkeypatch, tmp_path, regions(name="Hospital", level=6)) == 0
    assert "epsilon = 0.1 in Hospital" in capsys.readouterr().out
    found = Release.load(tmp_path / "out")
    assert [(level.name, level.epsilon) for level in found.guarantee.regions] == [("Hospital", 0.1)]
    (charge,) = Ledger(tmp_path / "ledger").charges()
    assert float(charge.amount.epsilon) == 0.5


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        (None, (), "No such file"),
        ("not json", (), "not a GeoJSON text"),
        (regions(name="Hospital"), (), "says no level"),
        (regions(name="Hospital", level=1), (), "a region is stricter"),
        (regions(name="Hospital", level=6).replace("40.7", "48.7"), (), "outside the public box"),
        (regions(name="Hospital", level=6), ("--relation", "replace"), "add-remove"),
        (regions(name="Hospital", level=6), ("--method", "genetic"), "coreset"),
    ],
)
def test_a_bad_file_costs_nothing_and_leaves_nothing(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    content: str | None,
    more: tuple[str, ...],
    words: str,
) -> None:
    assert run(monkeypatch, tmp_path, content, *more) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "ledger").exists() or not Ledger(tmp_path / "ledger").charges()
