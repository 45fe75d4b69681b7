"""What a release says of itself to registers, portals and an impact assessment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from dpviz.errors import InputError
from dpviz.life.descriptions import BLANK, Answers, dcat_record, impact_annex, registry_entry
from dpviz.life.publications import Publication, publication, withdraw
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


@pytest.mark.parametrize("url", ["", "taxis", "ftp://x/y", "file:///etc", "https://", "https://x/?a=1", "javascript:1"])
def test_an_address_that_is_none_is_refused(published: Publication, url: str) -> None:
    with pytest.raises(InputError, match="--url"):
        dcat_record(published, url)


def test_the_annex_fills_in_what_is_known_and_leaves_the_rest(published: Publication, dataset: Dataset) -> None:
    text = impact_annex(published, dataset.ledger)
    assert "City \\| of Turin" in text and "epsilon = 0.5" in text and published.id in text
    assert text.count(BLANK) >= 8
    assert "<b>" not in text.replace("\\<b\\>", "")


def test_no_description_tells_who_and_why(published: Publication, dataset: Dataset) -> None:
    texts = [
        json.dumps(registry_entry(published, dataset.ledger, ANSWERS)),
        json.dumps(dcat_record(published, "https://x.example/")),
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
