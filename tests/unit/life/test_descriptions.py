"""What a release says of itself to registers, portals and an impact assessment."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest

from dpviz.errors import InputError
from dpviz.life.descriptions import BLANK, Answers, dcat_record, dcat_us_record, impact_annex, registry_entry
from dpviz.life.publications import Publication, publication, stored_release, withdraw
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish
from dpviz.releases.about import About
from dpviz.releases.request import ReleaseRequest
from dpviz.releases.schema_check import published_schema

ABOUT = About(
    title="Taxi drop-offs <b>",
    description="Where taxis arrive.",
    period_start="2026-01-01",
    period_end="2026-01-31",
    area="Manhattan",
    licence="CC-BY-4.0",
    contact="data@city.example",
    publisher="City | of Turin",
)
FROM_LEDGER = ("is_many_release", "is_many_release_description", "composition")
ANSWERS = Answers(intended_use="Planning of stands.", authors="Ada, Grace", justification="Fixed beforehand.")


@pytest.fixture
def published(dataset: Dataset) -> Publication:
    request = ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="uniform_grid")
    return publication(
        publish(dataset, request, about=ABOUT, who="Secret Person", why="secret reason").id, dataset.ledger
    )


def names_of_fields(part: Mapping[str, Any]) -> list[str]:
    """The names of all fields of an entry that hold a value; the parameters of privacy are one."""
    found = []
    for name, value in part.items():
        whole = name == "privacy_parameters" or not isinstance(value, Mapping)
        found += [name] if whole else names_of_fields(value)
    return found


def test_an_entry_of_the_registry_fills_itself_but_for_eight_answers(published: Publication, dataset: Dataset) -> None:
    entry = registry_entry(published, dataset.ledger, ANSWERS)
    jsonschema.validate(entry, published_schema("registry-entry"), cls=jsonschema.Draft202012Validator)
    fields = names_of_fields(entry)
    typed = sum(bool(text) for text in vars(ANSWERS).values())
    assert typed == 3 and sum(name in FROM_LEDGER for name in fields) == 3 and len(fields) - typed - 3 >= 15
    assert len(vars(Answers())) <= 8
    assert entry["deployment"]["privacy_loss"]["privacy_parameters"] == {"epsilon": 0.5}
    assert entry["deployment"]["model"]["is_many_release"] is False
    assert "epsilon 1.5" in entry["deployment"]["accounting"]["composition"]


def test_what_the_registry_still_asks_for_is_named(published: Publication, dataset: Dataset) -> None:
    with pytest.raises(InputError, match="intended use, registry authors, justification"):
        registry_entry(published, dataset.ledger, Answers())
    with pytest.raises(InputError, match="no sector"):
        registry_entry(published, dataset.ledger, Answers(**{**vars(ANSWERS), "sector": "Magic"}))


def test_metadata_for_portals_follow_their_shape(published: Publication, dataset: Dataset) -> None:
    record = dcat_record(published, "https://data.city.example/taxis")
    jsonschema.validate(record, published_schema("dcat-record"), cls=jsonschema.Draft202012Validator)
    assert record["dct:temporal"]["dcat:startDate"]["@value"] == "2026-01-01"
    assert record["dct:spatial"]["dcat:bbox"]["@value"].startswith("POLYGON((-74.05 40.7, -73.9 40.7")
    places = {part["dct:title"]: part["dcat:accessURL"]["@id"] for part in record["dcat:distribution"]}
    assert places["coreset.csv"] == "https://data.city.example/taxis/coreset.csv"
    withdrawn = withdraw(published.id, ledger=dataset.ledger, why="x", notice="Wrong box.")
    again = dcat_record(withdrawn, "https://data.city.example/taxis/")
    jsonschema.validate(again, published_schema("dcat-record"), cls=jsonschema.Draft202012Validator)
    assert again["adms:versionNotes"] == "withdrawn. Wrong box."


def written_anew(name: str) -> dict[str, Any]:
    """A schema of tests/fixtures, which says from which specification it was written."""
    path = Path(__file__).resolve().parents[2] / "fixtures" / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_the_record_for_american_portals_follows_dcat_us_3(published: Publication, dataset: Dataset) -> None:
    schema = written_anew("dcat-us-3")
    record = dcat_us_record(published, "https://data.city.example/taxis")
    jsonschema.validate(record, schema, cls=jsonschema.Draft202012Validator)
    assert record["publisher"]["name"] == "City | of Turin" and record["spatial"] == [
        {"@type": "Location", "prefLabel": "Manhattan"}
    ]
    assert record["temporal"] == [{"@type": "PeriodOfTime", "startDate": "2026-01-01", "endDate": "2026-01-31"}]
    assert record["geographicBoundingBox"][0]["westBoundingLongitude"] == "-74.05"
    assert {one["title"] for one in record["distribution"]} >= {"coreset.csv", "datapackage.json", "map.html"}
    withdrawn = withdraw(published.id, ledger=dataset.ledger, why="x", notice="Wrong box.")
    jsonschema.validate(dcat_us_record(withdrawn, "https://x.example/"), schema, cls=jsonschema.Draft202012Validator)
    for spoil in ({"publisher": "nobody"}, {"title": ""}, {"distribution": []}, {"issued": "yesterday"}, {"more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(record | spoil, schema, cls=jsonschema.Draft202012Validator)


def test_dcat_us_asks_for_a_publisher(dataset: Dataset) -> None:
    request = ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="uniform_grid")
    unnamed = publication(publish(dataset, request).id, dataset.ledger)
    with pytest.raises(InputError, match="who publishes"):
        dcat_us_record(unnamed, "https://x.example/")


def test_the_folder_is_a_data_package_of_what_lies_in_it(published: Publication) -> None:
    files = stored_release(published).files()
    package = json.loads(files["datapackage.json"])
    schema = written_anew("data-package-1")
    jsonschema.validate(package, schema, cls=jsonschema.Draft202012Validator)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(package | {"resources": [{"path": "../x"}]}, schema, cls=jsonschema.Draft202012Validator)
    listed = {one["path"]: one for one in package["resources"]}
    assert set(listed) == set(files) - {"datapackage.json", "release.json", "manifest.json", "manifest.sig"}
    for name, one in listed.items():
        assert one["bytes"] == len(files[name]) and one["hash"] == f"sha256:{hashlib.sha256(files[name]).hexdigest()}"
    heads = [field["name"] for field in listed["coreset.csv"]["schema"]["fields"]]
    assert heads == list(pd.read_csv(io.BytesIO(files["coreset.csv"])).columns)
    assert package["contributors"] == [{"title": "City | of Turin", "role": "publisher"}]


@pytest.mark.parametrize("url", ["", "taxis", "ftp://x/y", "file:///etc", "https://", "https://x/?a=1", "javascript:1"])
def test_an_address_that_is_none_is_refused(published: Publication, url: str) -> None:
    with pytest.raises(InputError, match="--url"):
        dcat_record(published, url)


def test_the_annex_fills_in_what_is_known_and_leaves_the_rest(published: Publication, dataset: Dataset) -> None:
    text = impact_annex(published, dataset.ledger)
    assert "City \\| of Turin" in text and "epsilon = 0.5" in text and published.id in text
    assert text.count(BLANK) >= 8
    assert "| Recipients | Everybody" in text and "| Means of the publication | A folder of files" in text
    assert "<b>" not in text.replace("\\<b\\>", "")


def test_no_description_tells_who_and_why(published: Publication, dataset: Dataset) -> None:
    texts = [
        json.dumps(registry_entry(published, dataset.ledger, ANSWERS)),
        json.dumps(dcat_record(published, "https://x.example/")),
        json.dumps(dcat_us_record(published, "https://x.example/")),
        impact_annex(published, dataset.ledger),
    ]
    for text in texts:
        assert "Secret Person" not in text and "secret reason" not in text and dataset.row.content not in text


@pytest.mark.parametrize(
    ("path", "value"),
    [(["tier"], 4), (["deployment", "name"], ""), (["deployment", "dp_flavor", "name"], "Best DP"), (["more"], 1)],
)
def test_the_shape_of_the_registry_refuses_other_things(
    published: Publication, dataset: Dataset, path: list[str], value: Any
) -> None:
    entry = registry_entry(published, dataset.ledger, ANSWERS)
    *parents, last = path
    place = entry
    for name in parents:
        place = place[name]
    place[last] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(entry, published_schema("registry-entry"), cls=jsonschema.Draft202012Validator)
