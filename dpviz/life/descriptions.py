"""A release described for others: DCAT-AP and DCAT-US metadata, an entry of OpenDP's registry, an annex on its impact.

The records are JSON-LD: with the names of the W3C's DCAT 3 and Dublin Core (DCAT-AP 3), or with those of DCAT-US 3.
Fields and words of an entry are those of the registry's schema (opendp/deployments-registry-data,
schemas/deployments-schema.yaml, commit 617ad178; a small copy lies in schema/registry-entry.json). The annex is
Markdown for a data protection impact assessment; it leaves a line wherever the answer is the controller's.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any
from urllib.parse import quote, urlsplit

from dpviz.errors import InputError
from dpviz.labels.privacy_label import CHOICES_SENTENCE, harmless_markdown
from dpviz.ledger.ledger import Ledger
from dpviz.life.folder_files import MEDIA_TYPES, folder_files
from dpviz.life.publications import Publication, publications, stored_release
from dpviz.mechanisms import catalogue
from dpviz.privacy import Adjacency, limits_sentence, odds_sentence
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.schema_check import find_breach, published_schema
from dpviz.releases.signing import SIGNED

_CONTEXT = {
    "adms": "http://www.w3.org/ns/adms#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def dcat_record(publication: Publication, url: str) -> dict[str, Any]:
    """The record of one publication whose folder is to be found under this address."""
    base = _checked_address(url)
    release, about = stored_release(publication), publication.about
    record: dict[str, Any] = {
        "@context": _CONTEXT,
        "@id": f"{base}release.json",
        "@type": "dcat:Dataset",
        "dct:identifier": release.id,
        "dct:title": str(about.get("title") or f"Private coreset of {publication.dataset}"),
        "dct:description": "\n".join(filter(None, [str(about.get("description", "")), str(release.guarantee)])),
        "dct:issued": _typed("date", str(about.get("published") or publication.created[:10])),
        "dcat:version": str(publication.version),
        "dct:provenance": {
            "@type": "dct:ProvenanceStatement",
            "dct:description": f"Drawn once by a differentially private method ({release.method}) and charged in a "
            "ledger before the draw; PRIVACY.md says what is promised and what is not.",
        },
        "dcat:distribution": [_distribution(base, name, release, about.get("licence")) for name in _listed(release)],
    }
    if about.get("publisher"):
        record["dct:publisher"] = {"@type": "foaf:Agent", "foaf:name": about["publisher"]}
    if about.get("contact"):
        contact = str(about["contact"])
        record["dcat:contactPoint"] = {"@type": "vcard:Kind", "vcard:fn": contact}
        if "@" in contact and " " not in contact and not contact.startswith("http"):
            record["dcat:contactPoint"]["vcard:hasEmail"] = {"@id": f"mailto:{quote(contact, safe='@')}"}
    if about.get("period_start") or about.get("period_end"):
        edges = {"dcat:startDate": about.get("period_start"), "dcat:endDate": about.get("period_end")}
        period = {name: _typed("date", str(day)) for name, day in edges.items() if day}
        record["dct:temporal"] = {"@type": "dct:PeriodOfTime", **period}
    if release.frame.metric == "m":
        record["dct:spatial"] = _place(release, str(about.get("area", "")))
    if about.get("corrects"):
        record["dct:replaces"] = {"@id": f"urn:dpviz:release:{about['corrects']}"}
    if publication.by:
        record["dct:isReplacedBy"] = {"@id": f"urn:dpviz:release:{publication.by}"}
    if publication.state != "published":
        record["adms:versionNotes"] = " ".join(filter(None, [f"{publication.state}.", publication.notice]))
    return record


def dcat_us_record(publication: Publication, url: str) -> dict[str, Any]:
    """The same facts as DCAT-US 3.0 asks for them: short names, lists, and a publisher."""
    known, about = dcat_record(publication, url), publication.about
    if not about.get("publisher"):
        raise InputError("DCAT-US asks who publishes; say it with dpviz correct --publisher NAME, then describe again.")
    release = stored_release(publication)
    record: dict[str, Any] = {
        "@context": "https://raw.githubusercontent.com/DOI-DO/dcat-us/main/context/dcat-us-3.0.jsonld",
        "@id": known["@id"],
        "@type": "Dataset",
        "identifier": [known["dct:identifier"]],
        "title": known["dct:title"],
        "description": known["dct:description"],
        "issued": known["dct:issued"]["@value"],
        "version": known["dcat:version"],
        "publisher": {"@type": "Organization", "name": str(about["publisher"])},
        "provenance": [{"@type": "ProvenanceStatement", "label": known["dct:provenance"]["dct:description"]}],
        "distribution": [_us_distribution(one, about.get("licence")) for one in known["dcat:distribution"]],
    }
    contact = known.get("dcat:contactPoint", {})
    if "vcard:hasEmail" in contact:
        email = contact["vcard:hasEmail"]["@id"]
        record["contactPoint"] = [{"@type": "Kind", "fn": contact["vcard:fn"], "hasEmail": email}]
    if "dct:temporal" in known:
        edges = {name.removeprefix("dcat:"): day for name, day in known["dct:temporal"].items() if name != "@type"}
        record["temporal"] = [{"@type": "PeriodOfTime"} | {name: day["@value"] for name, day in edges.items()}]
    if release.frame.metric == "m":
        (west, south), (east, north) = release.frame.low[:2], release.frame.high[:2]
        record["geographicBoundingBox"] = [
            {
                "@type": "GeographicBoundingBox",
                "westBoundingLongitude": repr(west),
                "southBoundingLatitude": repr(south),
                "eastBoundingLongitude": repr(east),
                "northBoundingLatitude": repr(north),
            }
        ]
    if about.get("area"):
        record["spatial"] = [{"@type": "Location", "prefLabel": str(about["area"])}]
    if "dct:replaces" in known:
        record["replaces"] = [known["dct:replaces"]["@id"]]
    if "adms:versionNotes" in known:
        record["versionNotes"] = known["adms:versionNotes"]
    return record


def _us_distribution(one: dict[str, Any], licence: Any) -> dict[str, Any]:
    digest = one["spdx:checksum"]["spdx:checksumValue"]["@value"]
    algorithm = "http://spdx.org/rdf/terms#checksumAlgorithm_sha256"
    found: dict[str, Any] = {
        "@type": "Distribution",
        "title": one["dct:title"],
        "accessURL": one["dcat:accessURL"]["@id"],
        "downloadURL": one["dcat:downloadURL"]["@id"],
        "mediaType": one["dcat:mediaType"]["@id"],
        "byteSize": one["dcat:byteSize"]["@value"],
        "checksum": {"@type": "Checksum", "algorithm": algorithm, "checksumValue": digest},
    }
    return found | ({"license": {"@type": "LicenseDocument", "licenseText": str(licence)}} if licence else {})


def _checked_address(url: str) -> str:
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise InputError(
            f"{url[:80]!a} is no address of a folder; give where the release will be found, such as "
            "https://data.example.org/trips/ (--url)."
        )
    return url.strip().rstrip("/") + "/"


def _listed(release: Release | NoAnswer) -> list[str]:
    return [
        name for name in sorted(folder_files(release)) if name not in SIGNED and PurePath(name).suffix in MEDIA_TYPES
    ]


def _distribution(base: str, name: str, release: Release | NoAnswer, licence: Any) -> dict[str, Any]:
    content = folder_files(release)[name]
    found: dict[str, Any] = {
        "@type": "dcat:Distribution",
        "dct:title": name,
        "dcat:accessURL": {"@id": base + quote(name)},
        "dcat:downloadURL": {"@id": base + quote(name)},
        "dcat:mediaType": {"@id": f"https://www.iana.org/assignments/media-types/{MEDIA_TYPES[PurePath(name).suffix]}"},
        "dcat:byteSize": {"@type": "xsd:nonNegativeInteger", "@value": str(len(content))},
        "spdx:checksum": {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": {"@type": "xsd:hexBinary", "@value": hashlib.sha256(content).hexdigest()},
        },
    }
    return found | ({"dct:license": {"@type": "dct:LicenseDocument", "dct:title": str(licence)}} if licence else {})


def _place(release: Release | NoAnswer, area: str) -> dict[str, Any]:
    (west, south), (east, north) = release.frame.low[:2], release.frame.high[:2]
    corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    outline = ", ".join(f"{x!r} {y!r}" for x, y in corners)
    place = {"@type": "dct:Location", "dcat:bbox": {"@type": "geo:wktLiteral", "@value": f"POLYGON(({outline}))"}}
    return place | ({"dct:title": area} if area else {})


def _typed(kind: str, value: str) -> dict[str, str]:
    return {"@type": f"xsd:{kind}", "@value": value}


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
        "accounting": {
            "post_processing": "Centers, other numbers of centers, costs and maps are computed from the noisy points.",
            "composition": "Inside a release by basic composition or zCDP, recomputed in a second way before the draw. "
            "Releases of one dataset are added up in a ledger that refuses what exceeds the total; "
            f"{ledger.remaining(publication.dataset)} remains.",
        },
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


BLANK = "*(to be filled in by the controller)*"


def impact_annex(publication: Publication, ledger: Ledger) -> str:
    """The annex for one publication."""
    release = stored_release(publication)
    parts = [
        "# Annex: protection of the persons behind a published map",
        "To be attached to an assessment under Article 35 of Regulation (EU) 2016/679, or to its like elsewhere. It "
        "says what the technique does and does not do; whether that is enough is for the controller to judge.",
        *_processing(publication),
        *_measure(release),
        *_spending(publication, ledger),
        *_risks(release),
        *_after(publication, release),
    ]
    return "\n\n".join(parts) + "\n"


def _processing(publication: Publication) -> list[str]:
    about = publication.about
    named = {
        "Title": about.get("title"),
        "Controller": about.get("publisher"),
        "Contact": about.get("contact"),
        "Area": about.get("area"),
        "Period of the records": " to ".join(filter(None, [about.get("period_start"), about.get("period_end")])),
        "Purpose of the publication": about.get("description"),
        "Recipients": "Everybody: the files are published, and whoever has them may pass them on",
        "Means of the publication": "A folder of files (map page, tables, label, proof), signed by the publisher; "
        "no person or program asks the records",
        "Legal basis": None,
        "Whose records, and where they come from": None,
        "Opinion of the data protection officer": None,
    }
    rows = [
        f"| {name} | {harmless_markdown(' '.join(str(text).split())) if text else BLANK} |"
        for name, text in named.items()
    ]
    return ["## 1. The processing", "| | |\n|---|---|\n" + "\n".join(rows)]


def _measure(release: Release | NoAnswer) -> list[str]:
    guarantee, info = release.guarantee, catalogue.describe(release.method)
    check = "An independent reader has checked its proof." if info.vetted else "Its proof has not been vetted yet."
    return [
        "## 2. The measure: differential privacy",
        f"{harmless_markdown(str(guarantee))} {odds_sentence(guarantee, record='record')}",
        f"Protected is {guarantee.unit}. {limits_sentence(guarantee, record='record')}",
        f"Method: {info.title} ({info.paper}). {check} Noise comes from exact samplers and the operating system's "
        "generator; the budget was charged in a ledger before the first random number.",
        "Only what came out of this method is published. Records, counts and checksums of the file are not.",
    ]


def _spending(publication: Publication, ledger: Ledger) -> list[str]:
    row = ledger.dataset(publication.dataset)
    total = "unknown" if row is None else str(row.total)
    rows = [
        f"| {one.about.get('published') or one.created[:10]} | {one.epsilon:g} | {one.delta:g} | {one.state} "
        f"| {one.id} |"
        for one in publications(ledger, dataset=publication.dataset, stand_ins=True)
        if one.version == 1
    ]
    return [
        "## 3. What adds up",
        f"Dataset {harmless_markdown(publication.dataset)}: total {total}, of which "
        f"{ledger.remaining(publication.dataset)} remains. What several releases give away about the same people adds "
        "up; the ledger refuses what exceeds the total, and a withdrawn release is not given back.",
        "| day | epsilon | delta | state | release |\n|---|---|---|---|---|\n" + "\n".join(rows),
    ]


def _risks(release: Release | NoAnswer) -> list[str]:
    one = "one person" if release.guarantee.unit.person_column is not None else "one record, such as one trip"
    rows = [
        ("Somebody is recognised from the release", f"bounded for {one} by the odds of section 2"),
        ("Somebody with many records is recognised", "weaker: what is given away about each record adds up"),
        ("People of one household or one bus", "protected as a group only as far as the sum of their records allows"),
        ("What is true of everybody at a place", "stays visible; this is what the release is for"),
        ("Choices made after looking at the records", CHOICES_SENTENCE),
        ("The records leak by another way", "not covered: access to file and ledger is the controller's task"),
    ]
    listed = "\n".join(f"| {risk} | {answer} | {BLANK} |" for risk, answer in rows)
    return ["## 4. Risks that remain", "| risk | what the measure does | further measures |\n|---|---|---|\n" + listed]


def _after(publication: Publication, release: Release | NoAnswer) -> list[str]:
    state = f"The release is {publication.state}." + (f" {publication.notice}" if publication.notice else "")
    return [
        "## 5. Afterwards",
        f"{harmless_markdown(state)} Its id is {release.id}; {release.signature}. Anybody can check its files with "
        "`dpviz verify`. It can be withdrawn or superseded in the open (`dpviz withdraw`, `dpviz supersede`); copies "
        "that others made stay with them.",
        f"Review on: {BLANK}",
    ]
