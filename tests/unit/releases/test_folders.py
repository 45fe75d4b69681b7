from __future__ import annotations

import csv
import errno
import io
import json
import os
import struct
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from dpviz.domain import Coreset, ExactCounts, ExactPoints, Frame, Unit
from dpviz.domain.box import plain_frame
from dpviz.errors import NoAnswerError, StoreError
from dpviz.mechanisms.interface import MAX_CLUSTERS, Answer, Plan, Public
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import release
from dpviz.releases import load, store
from dpviz.releases.document import CODE_VERSION, SCHEMA_VERSION, schema
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest

BUDGET = Budget(epsilon=0.5)
REQUEST = ReleaseRequest(k=3, budget=BUDGET, method="uniform_grid")


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def published(dataset: Dataset) -> Release:
    found = publish(dataset, REQUEST)
    assert isinstance(found, Release)
    return found


def test_a_folder_holds_every_file_of_the_contract(published: Release, tmp_path: Path) -> None:
    published.save(tmp_path / "out")
    assert set(bytes_of(tmp_path / "out")) == {
        "release.json",
        "coreset.parquet",
        "coreset.csv",
        "coreset.geojson",
        "centers.csv",
        "centers.geojson",
        "cells.parquet",
        "cells.geojson",
        "measurements.parquet",
        "map.html",
        "PRIVACY.md",
        "PROOF.md",
        "datapackage.json",
        "manifest.json",
        "manifest.sig",
    }


def test_loading_and_saving_gives_the_same_bytes(published: Release, counts: ExactCounts, tmp_path: Path) -> None:
    seeded = release(counts, 3, BUDGET, "uniform_grid", seed=3)
    for number, found in enumerate((published, seeded)):
        found.save(tmp_path / f"first{number}")
        Release.load(tmp_path / f"first{number}").save(tmp_path / f"second{number}")
        assert bytes_of(tmp_path / f"first{number}") == bytes_of(tmp_path / f"second{number}")


def test_a_loaded_release_rendered_anew_is_the_same_folder(counts: ExactCounts, tmp_path: Path) -> None:
    from dataclasses import replace

    found = release(counts, 3, BUDGET, "uniform_grid", seed=3)
    loaded = Release.load(found.save(tmp_path / "out"))
    assert replace(loaded, loaded_files=None).files() == found.files()


def test_a_loaded_release_answers_as_the_saved_one(published: Release, tmp_path: Path) -> None:
    loaded = Release.load(published.save(tmp_path / "out"))
    pd.testing.assert_frame_equal(loaded.centers, published.centers)
    pd.testing.assert_frame_equal(loaded.centers_for(6), published.centers_for(6))
    assert loaded.cost(published.centers) == published.cost(published.centers)
    assert (loaded.guarantee, loaded.charges, loaded.request) == (
        published.guarantee,
        published.charges,
        published.request,
    )


def test_the_store_and_the_copy_are_the_same_bytes(dataset: Dataset, published: Release, tmp_path: Path) -> None:
    published.save(tmp_path / "copy")
    assert bytes_of(tmp_path / "copy") == bytes_of(dataset.ledger.folder_of(published.id))


def documents(counts: ExactCounts, published: Release, tmp_path: Path) -> list[dict[str, Any]]:
    plain = ExactPoints.from_array(plain_frame((0.0,) * 3, (1.0,) * 3), np.random.default_rng(0).random((90, 3)))
    capped = ExactCounts.from_array(counts.grid, counts.to_numpy(), unit=Unit(person_column="rider", cap=2))
    replaced = ExactCounts.from_array(counts.grid, counts.to_numpy(), relation="replace")
    outcomes = [published]
    for data in (counts, plain, capped, replaced):
        outcomes.append(release(data, 2, BUDGET, "uniform_grid", seed=1))  # type: ignore[arg-type]
    return [json.loads(found.files()["release.json"]) for found in outcomes]


def test_every_release_document_follows_the_published_schema(
    counts: ExactCounts, published: Release, centers_method: object, silent_method: object, tmp_path: Path
) -> None:
    found = documents(counts, published, tmp_path)
    for method in ("made_centers", "made_silent"):
        found.append(json.loads(release(counts, 2, BUDGET, method, seed=1).files()["release.json"]))
    jsonschema.Draft202012Validator.check_schema(schema())
    for document in found:
        jsonschema.validate(document, schema(), cls=jsonschema.Draft202012Validator)


def test_as_many_centers_as_a_release_may_have_are_stored_and_read_again(dataset: Dataset) -> None:
    request = ReleaseRequest(k=300, budget=Budget(epsilon=0.5), method="uniform_grid")
    made = publish(dataset, request)
    assert isinstance(made, Release) and len(made.centers) == 300
    limits = schema(SCHEMA_VERSION)["properties"]
    assert limits["request"]["properties"]["k"]["maximum"] == limits["centers"]["maximum"] == MAX_CLUSTERS


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["status"], "preview"),
        (["schema_version"], 3),
        (["noise", "kind"], "replayable"),
        (["noise", "seed"], 5),
        (["dataset"], None),
        (["exact_total"], 12),
        (["duration_seconds"], 0.2),
        (["charges"], []),
        (["outcome"], "no answer"),
        (["files", "notes.txt"], "0" * 64),
    ],
)
def test_the_schema_refuses_what_no_published_release_says(published: Release, path: list[str], value: Any) -> None:
    document = json.loads(published.files()["release.json"])
    *parents, last = path
    place = document
    for name in parents:
        place = place[name]
    place[last] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema(), cls=jsonschema.Draft202012Validator)


def test_the_published_schema_is_the_one_in_the_docs(project_root: Path) -> None:
    text = (project_root / "docs" / "PROMISE.md").read_text(encoding="utf-8")
    assert "dpviz/releases/schema/release-2.json" in text


def test_the_code_version_is_the_packages(project_root: Path) -> None:
    import tomllib

    project = tomllib.loads((project_root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == CODE_VERSION


def test_the_parquet_file_is_a_geoparquet_of_points(published: Release) -> None:
    table = pq.read_table(io.BytesIO(published.files()["coreset.parquet"]))
    facts = json.loads(table.schema.metadata[b"geo"])
    assert facts["primary_column"] == "geometry" and facts["columns"]["geometry"]["encoding"] == "WKB"
    places = [struct.unpack("<BIdd", geometry.as_py())[2:] for geometry in table["geometry"]]
    assert published.coreset is not None
    assert places == list(published.coreset[["lon", "lat"]].itertuples(index=False, name=None))


def test_the_tables_hold_the_same_points(published: Release) -> None:
    files = published.files()
    header, *rows = csv.reader(io.StringIO(files["coreset.csv"].decode()))
    by_csv = pd.DataFrame([[float(cell) for cell in row] for row in rows], columns=header)
    by_parquet = pd.read_parquet(io.BytesIO(files["coreset.parquet"]))
    pd.testing.assert_frame_equal(by_csv, by_parquet.drop(columns="geometry"))
    pd.testing.assert_frame_equal(by_csv[["lon", "lat", "weight"]], published.coreset)
    places = json.loads(files["centers.geojson"])["features"]
    assert [place["geometry"]["type"] for place in places] == ["Point"] * 3
    assert [place["geometry"]["coordinates"] for place in places] == published.centers[["lon", "lat"]].values.tolist()


def test_trips_become_lines_from_pick_up_to_drop_off(add_method: Any) -> None:
    frame = Frame(
        names=("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat"),
        low=(-74.05, 40.7) * 2,
        high=(-73.9, 40.8) * 2,
        scale=(84_000.0, 111_320.0) * 2,
        metric="m",
    )
    points = ExactPoints.from_array(frame, np.tile([-74.0, 40.75, -73.95, 40.78], (20, 1)))
    found = release(points, 1, Budget(epsilon=5.0), "uniform_grid", seed=1)
    geometry = json.loads(found.files()["centers.geojson"])["features"][0]["geometry"]
    assert geometry["type"] == "LineString" and len(geometry["coordinates"]) == 2
    assert found.files()["map.html"].count(b"<svg class=map") == 2


def test_coordinates_that_are_no_degrees_get_no_geojson() -> None:
    points = ExactPoints.from_array(plain_frame((0.0,), (1.0,)), np.random.default_rng(0).random((90, 1)))
    found = release(points, 2, BUDGET, "uniform_grid", seed=1)
    assert not [name for name in found.files() if name.endswith(".geojson")]
    assert found.files()["map.html"].count(b"<svg class=map") == 1


def test_no_answer_is_stored_and_comes_back(dataset: Dataset, silent_method: Any, tmp_path: Path) -> None:
    request = ReleaseRequest(k=3, budget=BUDGET, method="made_silent")
    first = publish(dataset, request)
    second = publish(dataset, request)
    assert isinstance(first, NoAnswer) and isinstance(second, NoAnswer)
    assert silent_method.runs == 1 and first.files() == second.files()
    assert float(dataset.remaining.epsilon) == 1.5  # never refunded
    first.save(tmp_path / "out")
    assert set(bytes_of(tmp_path / "out")) == {
        "release.json",
        "PRIVACY.md",
        "PROOF.md",
        "datapackage.json",
        "manifest.json",
        "manifest.sig",
    }
    with pytest.raises(NoAnswerError) as refused:
        Release.load(tmp_path / "out")
    assert refused.value.exit_code == 4
    assert isinstance(load(tmp_path / "out"), NoAnswer)


def test_saving_twice_to_the_same_folder_changes_nothing(published: Release, tmp_path: Path) -> None:
    published.save(tmp_path / "out")
    published.save(tmp_path / "out")
    assert Release.load(tmp_path / "out").id == published.id


def test_a_folder_with_something_else_is_not_overwritten(published: Release, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.doc").write_text("years of work")
    with pytest.raises(StoreError, match="already holds something else"):
        published.save(tmp_path / "out")
    assert bytes_of(tmp_path / "out") == {"thesis.doc": b"years of work"}
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError):
        published.save(tmp_path / "file")


def test_an_empty_folder_is_filled(published: Release, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    published.save(tmp_path / "out")
    assert Release.load(tmp_path / "out").id == published.id


def full_disk(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("when", ["fsync", "rename", "mkdir"])
def test_a_full_disk_leaves_nothing_half_written(
    published: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    (tmp_path / "place").mkdir()
    with monkeypatch.context() as patched:
        patched.setattr(store.os, when, full_disk)
        with pytest.raises(StoreError, match="No space left"):
            published.save(tmp_path / "place" / "out")
    assert list((tmp_path / "place").iterdir()) == []


def test_a_full_disk_while_publishing_keeps_the_charge_and_completes_later(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(store.os, "rename", full_disk)
        with pytest.raises(StoreError, match="No space left"):
            publish(dataset, REQUEST)
    assert list(dataset.ledger.store.iterdir()) == []
    (charge,) = dataset.charges
    assert not charge.stored
    assert isinstance(publish(dataset, REQUEST), Release)
    (again,) = dataset.charges
    assert again.number == charge.number and again.stored


if os.name == "posix" and os.geteuid() != 0:

    def test_an_unwritable_place_is_said_plainly(published: Release, tmp_path: Path) -> None:
        place = tmp_path / "locked"
        place.mkdir(mode=0o500)
        with pytest.raises(StoreError, match="cannot write"):
            published.save(place / "out")


@pytest.mark.parametrize("name", ["centers.csv", "coreset.csv", "map.html", "PRIVACY.md", "coreset.parquet"])
def test_an_edited_file_is_noticed(published: Release, tmp_path: Path, name: str) -> None:
    folder = published.save(tmp_path / "out")
    (folder / name).write_bytes((folder / name).read_bytes() + b" ")
    with pytest.raises(StoreError, match="was changed"):
        Release.load(folder)
    (folder / name).unlink()
    with pytest.raises(StoreError, match="missing"):
        Release.load(folder)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"null", b"{", b'{"files": 3}', b'{"files": {"../../etc/passwd": "0"}}', b'{"files": {}}'],
)
def test_a_damaged_document_is_refused_without_a_traceback(published: Release, tmp_path: Path, content: bytes) -> None:
    folder = published.save(tmp_path / "out")
    (folder / "release.json").write_bytes(content)
    with pytest.raises(StoreError):
        load(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 3},
        {"frame": None},
        {"request": {}},
        {"guarantee": []},
        {"id": "<script>"},
        {"status": "preview"},
        {"noise": {"kind": "replayable", "seed": 1}},
        {"method": {"name": "<b>"}},
        {"dataset": {"a": 1}},
        {"coreset": {"points": 1, "variances": True}},
        {"outcome": "maybe"},
    ],
)
def test_a_document_of_another_kind_is_refused(published: Release, tmp_path: Path, change: dict[str, Any]) -> None:
    folder = published.save(tmp_path / "out")
    document = json.loads((folder / "release.json").read_bytes()) | change
    (folder / "release.json").write_text(json.dumps(document))
    with pytest.raises(StoreError, match=r"release\.json"):
        load(folder)


def test_what_is_no_folder_says_so(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(StoreError, match="not a release folder"):
            load(path)


def test_a_release_whose_folder_was_taken_away_is_not_drawn_again(dataset: Dataset, published: Release) -> None:
    import shutil

    shutil.move(dataset.ledger.folder_of(published.id), dataset.ledger.path.parent / "elsewhere")
    with pytest.raises(StoreError, match="second draw would need a second charge"):
        publish(dataset, REQUEST)
    shutil.move(dataset.ledger.path.parent / "elsewhere", dataset.ledger.folder_of(published.id))
    assert publish(dataset, REQUEST).files() == published.files()


def test_another_release_in_its_folder_is_noticed(dataset: Dataset, published: Release) -> None:
    other = publish(dataset, ReleaseRequest(k=4, budget=BUDGET, method="uniform_grid"))
    import shutil

    shutil.rmtree(dataset.ledger.folder_of(published.id))
    shutil.copytree(dataset.ledger.folder_of(other.id), dataset.ledger.folder_of(published.id))
    with pytest.raises(StoreError, match="not those that were published"):
        publish(dataset, REQUEST)


def test_the_zip_is_the_folder_and_always_the_same(published: Release, tmp_path: Path) -> None:
    first, second = published.zip_bytes(), load(published.save(tmp_path / "out")).zip_bytes()
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {name.partition("/")[2]: archive.read(name) for name in archive.namelist()} == published.files()


def test_names_of_columns_are_no_formulas_in_spreadsheets() -> None:
    frame = plain_frame((0.0, 0.0), (1.0, 1.0), names=("=HYPERLINK(1)", "a,b\n@c"))
    points = ExactPoints.from_array(frame, np.random.default_rng(0).random((90, 2)))
    found = release(points, 2, BUDGET, "uniform_grid", seed=1)
    assert isinstance(found, Release)
    header = pd.read_csv(io.BytesIO(found.files()["centers.csv"])).columns
    assert list(header) == ["'=HYPERLINK(1)", "a,b\n'@c", "weight"]  # a line break may begin a cell of its own
    assert found.centers.columns[0] == "=HYPERLINK(1)"


def test_a_release_with_hostile_names_comes_back(tmp_path: Path) -> None:
    frame = plain_frame((0.0, 0.0), (1.0, 1.0), names=("</script><b>x", '"q"'))
    points = ExactPoints.from_array(frame, np.random.default_rng(0).random((90, 2)))
    found = release(points, 2, BUDGET, "uniform_grid", seed=1)
    loaded = Release.load(found.save(tmp_path / "out"))
    pd.testing.assert_frame_equal(loaded.centers, found.centers)  # type: ignore[union-attr]


def test_constants_of_any_kind_are_written_as_json(counts: ExactCounts, add_method: Any) -> None:
    strange = {"a": np.int64(3), "b": np.array([1.5, np.inf]), "c": (1, None), "d": {"e": float("nan")}, "f": Path("x")}

    def answer(public: Public, plan: Plan) -> Answer:
        coreset = Coreset(frame=public.frame, positions=np.ones((5, 2)), weights=np.ones(5))
        return Answer(coreset=coreset, constants=strange)  # type: ignore[arg-type]

    add_method("made", answer)
    document = json.loads(release(counts, 2, BUDGET, "made", seed=1).files()["release.json"])
    assert document["constants"] == {
        "rounds": 3,
        "a": 3,
        "b": [1.5, "inf"],
        "c": [1, None],
        "d": {"e": "nan"},
        "f": "x",
    }
