"""A release as metadata for data portals: DCAT-AP 3 as JSON-LD, with the names of the W3C's DCAT 3 and Dublin Core."""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import Any
from urllib.parse import quote, urlsplit

from dpviz.errors import InputError
from dpviz.life.folder_files import folder_files
from dpviz.life.publications import Publication, stored_release
from dpviz.releases.release import NoAnswer, Release
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
_KINDS = {
    ".csv": "text/csv",
    ".parquet": "application/vnd.apache.parquet",
    ".geojson": "application/geo+json",
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
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
        record["dcat:contactPoint"] = _contact(str(about["contact"]))
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


def _checked_address(url: str) -> str:
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise InputError(
            f"{url[:80]!a} is no address of a folder; give where the release will be found, such as "
            "https://data.example.org/trips/ (--url)."
        )
    return url.strip().rstrip("/") + "/"


def _listed(release: Release | NoAnswer) -> list[str]:
    return [name for name in sorted(folder_files(release)) if name not in SIGNED and PurePath(name).suffix in _KINDS]


def _distribution(base: str, name: str, release: Release | NoAnswer, licence: Any) -> dict[str, Any]:
    content = folder_files(release)[name]
    found: dict[str, Any] = {
        "@type": "dcat:Distribution",
        "dct:title": name,
        "dcat:accessURL": {"@id": base + quote(name)},
        "dcat:downloadURL": {"@id": base + quote(name)},
        "dcat:mediaType": {"@id": f"https://www.iana.org/assignments/media-types/{_KINDS[PurePath(name).suffix]}"},
        "dcat:byteSize": {"@type": "xsd:nonNegativeInteger", "@value": str(len(content))},
        "spdx:checksum": {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": {"@type": "xsd:hexBinary", "@value": hashlib.sha256(content).hexdigest()},
        },
    }
    return found | ({"dct:license": {"@type": "dct:LicenseDocument", "dct:title": str(licence)}} if licence else {})


def _contact(text: str) -> dict[str, Any]:
    if "@" in text and " " not in text and not text.startswith("http"):
        return {"@type": "vcard:Kind", "vcard:fn": text, "vcard:hasEmail": {"@id": f"mailto:{quote(text, safe='@')}"}}
    return {"@type": "vcard:Kind", "vcard:fn": text}


def _place(release: Release | NoAnswer, area: str) -> dict[str, Any]:
    (west, south), (east, north) = release.frame.low[:2], release.frame.high[:2]
    corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    outline = ", ".join(f"{x!r} {y!r}" for x, y in corners)
    place = {"@type": "dct:Location", "dcat:bbox": {"@type": "geo:wktLiteral", "@value": f"POLYGON(({outline}))"}}
    return place | ({"dct:title": area} if area else {})


def _typed(kind: str, value: str) -> dict[str, str]:
    return {"@type": f"xsd:{kind}", "@value": value}
