"""A release as an entry of OpenDP's registry of deployments of differential privacy.

The fields, their words and what is required are those of the registry's own schema (opendp/deployments-registry-data,
schemas/deployments-schema.yaml, commit 617ad178); a small copy of its shape lies in schema/registry-entry.json. What
the release and the ledger know fills itself; the rest is asked once (`Answers`). An entry is JSON, which is YAML too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpviz.errors import InputError
from dpviz.ledger.ledger import Ledger
from dpviz.life.publications import Publication, publications, stored_release
from dpviz.mechanisms import catalogue
from dpviz.privacy import Adjacency, odds_sentence
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.schema_check import find_breach, published_schema

SECTORS = ("Technology", "Healthcare", "Education", "Government")


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What only a person can say; what is left out of the first four is taken from the words about the release."""

    name: str = ""
    curator: str = ""
    description: str = ""
    region: str = ""
    intended_use: str = ""
    authors: str = ""  # of the entry, separated by commas
    sector: str = ""
    justification: str = ""


def registry_entry(publication: Publication, ledger: Ledger, answers: Answers) -> dict[str, Any]:
    """The entry of one publication; refused with the names of what is still to be said."""
    release, about = stored_release(publication), publication.about
    said = {
        "name": answers.name or about.get("title", ""),
        "data_curator": answers.curator or about.get("publisher", ""),
        "description": answers.description or about.get("description", ""),
        "data_product_region": answers.region or about.get("area", ""),
        "intended_use": answers.intended_use,
        "registry_authors": answers.authors,
        "justification": answers.justification,
    }
    missing = [name.replace("_", " ") for name, text in said.items() if not text.strip()]
    if missing:
        raise InputError(
            f"the registry asks for {', '.join(missing)}; say them (dpviz describe --help lists the options)."
        )
    if answers.sector and answers.sector not in SECTORS:
        raise InputError(f"{answers.sector!a} is no sector of the registry; use {', '.join(SECTORS)}, or leave it out.")
    deployment: dict[str, Any] = {
        "name": said["name"],
        "data_curator": said["data_curator"],
        "description": said["description"],
        "intended_use": said["intended_use"],
        "data_product_type": "Dataset",
        "data_product_region": said["data_product_region"],
        "publication_date": str(about.get("published") or publication.created[:10]),
        "dp_flavor": _flavor(release),
        "privacy_loss": _loss(release),
        "model": _model(release, publication, ledger),
        "accounting": _accounting(publication, ledger),
        "implementation": {**_implementation(release), "justification": said["justification"]},
        "additional_information": f"Release {release.id}, {release.signature}. Made with dpviz.",
    }
    if answers.sector:
        deployment["data_product_sector"] = answers.sector
    entry = {
        "status": "Draft",
        "registry_authors": [name.strip() for name in said["registry_authors"].split(",") if name.strip()],
        "tier": 3,
        "deployment": deployment,
    }
    wrong = find_breach(entry, published_schema("registry-entry"))
    if wrong is not None:
        raise InputError(f"the registry does not take what was said as {wrong}; say it otherwise.")
    return entry


def _flavor(release: Release | NoAnswer) -> dict[str, Any]:
    frame, guarantee = release.frame, release.guarantee
    box = ", ".join(
        f"{name} from {low!r} to {high!r}" for name, low, high in zip(frame.names, frame.low, frame.high, strict=True)
    )
    side = f" on a grid of {release.side} cells a side" if release.side else ""
    public = ["the box", "the grid", "level, method and number of clusters"]
    if guarantee.adjacency is Adjacency.REPLACE_ONE:
        public.append("the number of rows")
    return {
        "name": "Approximate DP" if guarantee.delta else "Pure DP",
        "data_domain": f"Any multiset of records with coordinates; those in the public box ({box}){side} are used.",
        "unprotected_quantities": f"None was computed from the records. Public beforehand: {', '.join(public)}.",
    }


def _loss(release: Release | NoAnswer) -> dict[str, Any]:
    guarantee = release.guarantee
    parameters = {"epsilon": guarantee.epsilon} | ({"delta": guarantee.delta} if guarantee.delta else {})
    neighbours = (
        "one has one unit more than the other"
        if guarantee.adjacency is Adjacency.ADD_REMOVE_ONE
        else "they have the same number of rows and one unit differs"
    )
    return {
        "privacy_unit": str(guarantee.unit),
        "privacy_unit_description": f"Two files are adjacent when {neighbours}. The unit is {guarantee.unit}.",
        "privacy_parameters": parameters,
        "privacy_parameters_description": f"{guarantee} {odds_sentence(guarantee, record='record')}",
    }


def _model(release: Release | NoAnswer, publication: Publication, ledger: Ledger) -> dict[str, Any]:
    others = len([one for one in publications(ledger, dataset=publication.dataset) if one.version == 1])
    row = ledger.dataset(publication.dataset)
    total = "unknown" if row is None else str(row.total)
    return {
        "model_name": "Central",
        "actors": "The curator holds the records and is trusted with them; whoever reads the release is not trusted, "
        "whatever they know and however long they compute.",
        "is_many_release": others > 1,
        "is_many_release_description": f"{others} from this dataset, whose total is {total}; it is never renewed, and "
        "nothing is drawn beyond it.",
        "is_dynamic": False,
        "is_dynamic_description": "The records were registered once and are recognised by their content.",
        "is_interactive": False,
        "is_interactive_description": "Questions are answered from the published files alone.",
    }


def _accounting(publication: Publication, ledger: Ledger) -> dict[str, Any]:
    remaining = ledger.remaining(publication.dataset)
    return {
        "post_processing": "Centers, other numbers of centers, costs and maps are computed from the noisy points.",
        "composition": "Inside a release by basic composition or zCDP, recomputed in a second way before the draw. "
        f"Releases of one dataset are added up in a ledger that refuses what exceeds the total; {remaining} remains.",
    }


def _implementation(release: Release | NoAnswer) -> dict[str, Any]:
    info = catalogue.describe(release.method)
    check = "an independent reader has checked its proof" if info.vetted else "its proof has not been vetted yet"
    cap = (
        f" At most {release.guarantee.unit.cap} records of each person were kept, by coins apart from the data."
        if release.guarantee.unit.cap is not None
        else ""
    )
    return {
        "pre_processing_eda_hyperparameter_tuning": f"Records outside the public box were ignored.{cap} Constants of "
        "the method are public. The guarantee is about what is published, not about choices that somebody made "
        "after looking at the records.",
        "mechanisms": f"{info.title} ({info.paper}); {check}. Noise: exact discrete samplers of the OpenDP library "
        "from the operating system's generator; no floating-point noise. Run on the curator's machine.",
    }
