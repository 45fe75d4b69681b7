"""A release described for others: DCAT-AP and DCAT-US metadata, an entry of OpenDP's registry, an annex on its impact.

The records are JSON-LD: with the names of the W3C's DCAT 3 and Dublin Core (DCAT-AP 3), or with those of DCAT-US 3.
Fields and words of an entry are those of the registry's schema (opendp/deployments-registry-data,
schemas/deployments-schema.yaml, commit 617ad178; a small copy lies in schema/registry-entry.json). The annex is
Markdown for a data protection impact assessment; it leaves a line wherever the answer is the controller's.

What each of them says stands in descriptions.json, with blanks for the facts that are gathered here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
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

_TEMPLATES: Mapping[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_BLANK = re.compile(r"\{(\w+)\}")
BLANK = "*(to be filled in by the controller)*"
SECTORS = ("Technology", "Healthcare", "Education", "Government")


def _filled(template: Any, facts: Mapping[str, Any]) -> Any:
    """The template with these facts. An entry that is one blank is the fact itself, and left out where there is none.

    What then holds nothing but its type is left out as well.
    """
    if isinstance(template, str):
        whole = _BLANK.fullmatch(template)
        return template.format_map(facts) if whole is None else facts.get(whole[1])
    if isinstance(template, list):
        return [made for held in template if (made := _filled(held, facts))] or None
    if not isinstance(template, dict):
        return template
    made = {name: _filled(held, facts) for name, held in template.items()}
    kept = {name: held for name, held in made.items() if held is not None and held != ""}
    return None if kept.keys() <= {"@type"} else kept


def dcat_record(publication: Publication, url: str) -> dict[str, Any]:
    """The record of one publication whose folder is to be found under this address."""
    return _record("dcat", publication, url)


def dcat_us_record(publication: Publication, url: str) -> dict[str, Any]:
    """The same facts as DCAT-US 3.0 asks for them: short names, lists, and a publisher."""
    record = _record("dcat_us", publication, url)
    if "publisher" not in record:
        raise InputError("DCAT-US asks who publishes; say it with dpviz correct --publisher NAME, then describe again.")
    return record


def _record(kind: str, publication: Publication, url: str) -> dict[str, Any]:
    """One publication as a record of this kind."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise InputError(
            f"{url[:80]!a} is no address of a folder; give where the release will be found, such as "
            "https://data.example.org/trips/ (--url)."
        )
    base, about = url.strip().rstrip("/") + "/", publication.about
    release, contact = stored_release(publication), str(about.get("contact") or "")
    mail = contact if "@" in contact and " " not in contact and not contact.startswith("http") else ""
    facts = {
        **about,
        "id": release.id,
        "base": base,
        "title": str(about.get("title") or f"Private coreset of {publication.dataset}"),
        "description": "\n".join(filter(None, [str(about.get("description", "")), str(release.guarantee)])),
        "issued": str(about.get("published") or publication.created[:10]),
        "version": str(publication.version),
        "method": release.method,
        "mail": mail and f"mailto:{quote(mail, safe='@')}",
        "mail_of": mail,
        "replaces": f"urn:dpviz:release:{about['corrects']}" if about.get("corrects") else "",
        "replaced_by": f"urn:dpviz:release:{publication.by}" if publication.by else "",
    }
    if publication.state != "published":
        facts["notes"] = " ".join(filter(None, [f"{publication.state}.", publication.notice]))
    if release.frame.metric == "m":
        (west, south), (east, north) = release.frame.low[:2], release.frame.high[:2]
        corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
        facts["outline"] = f"POLYGON(({', '.join(f'{x!r} {y!r}' for x, y in corners)}))"
        facts |= {"west": repr(west), "south": repr(south), "east": repr(east), "north": repr(north)}
        facts["place"] = about.get("area")
    facts["files"] = [
        _filled(
            _TEMPLATES[f"{kind}_file"],
            {
                "name": name,
                "url": base + quote(name),
                "type": f"https://www.iana.org/assignments/media-types/{MEDIA_TYPES[PurePath(name).suffix]}",
                "bytes": str(len(content)),
                "sha256": hashlib.sha256(content).hexdigest(),
                "licence": about.get("licence"),
            },
        )
        for name, content in sorted(folder_files(release).items())
        if name not in SIGNED and PurePath(name).suffix in MEDIA_TYPES
    ]
    found: dict[str, Any] = _filled(_TEMPLATES[kind], facts)
    return found


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
    frame, guarantee = release.frame, release.guarantee
    axes = zip(frame.names, frame.low, frame.high, strict=True)
    others = len([one for one in publications(ledger, dataset=publication.dataset) if one.version == 1])
    replaced = guarantee.adjacency is Adjacency.REPLACE_ONE
    cap, vetted = guarantee.unit.cap, catalogue.describe(release.method).vetted
    facts = _common_facts(publication, ledger, release) | {
        **said,
        "authors": [name.strip() for name in answers.authors.split(",") if name.strip()],
        "sector": answers.sector,
        "issued": str(about.get("published") or publication.created[:10]),
        "flavor": "Approximate DP" if guarantee.delta else "Pure DP",
        "box": ", ".join(f"{name} from {low!r} to {high!r}" for name, low, high in axes),
        "grid": f" on a grid of {release.side} cells a side" if release.side else "",
        "rows": ", the number of rows" if replaced else "",
        "epsilon": guarantee.epsilon,
        "delta": guarantee.delta or None,
        "neighbours": _TEMPLATES["neighbours"][guarantee.adjacency.value],
        "others": others,
        "is_many": others > 1,
        "cap": "" if cap is None else _TEMPLATES["cap"].format(cap=cap),
        "check": "an independent reader has checked its proof" if vetted else "its proof has not been vetted yet",
    }
    entry: dict[str, Any] = _filled(_TEMPLATES["registry"], facts)
    wrong = find_breach(entry, published_schema("registry-entry"))
    if wrong is not None:
        raise InputError(f"the registry does not take what was said as {wrong}; say it otherwise.")
    return entry


def _common_facts(publication: Publication, ledger: Ledger, release: Release | NoAnswer) -> dict[str, Any]:
    """What the entry and the annex both tell of a release and its ledger."""
    row, info = ledger.dataset(publication.dataset), catalogue.describe(release.method)
    return {
        "id": release.id,
        "signature": release.signature,
        "guarantee": release.guarantee,
        "odds": odds_sentence(release.guarantee, record="record"),
        "unit": str(release.guarantee.unit),
        "method": f"{info.title} ({info.paper})",
        "total": "unknown" if row is None else str(row.total),
        "remaining": ledger.remaining(publication.dataset),
    }


def impact_annex(publication: Publication, ledger: Ledger) -> str:
    """The annex for one publication."""
    release, about = stored_release(publication), publication.about
    guarantee, vetted = release.guarantee, catalogue.describe(release.method).vetted
    told = {**about, "days": " to ".join(filter(None, [about.get("period_start"), about.get("period_end")]))}
    processing = ((name, _filled(text, told)) for name, text in _TEMPLATES["annex_processing"].items())
    spending = [
        f"| {one.about.get('published') or one.created[:10]} | {one.epsilon:g} | {one.delta:g} | {one.state} "
        f"| {one.id} |"
        for one in publications(ledger, dataset=publication.dataset, stand_ins=True)
        if one.version == 1
    ]
    state = f"The release is {publication.state}." + (f" {publication.notice}" if publication.notice else "")
    facts = _common_facts(publication, ledger, release) | {
        "processing": "\n".join(
            f"| {name} | {harmless_markdown(' '.join(str(text).split())) if text else BLANK} |"
            for name, text in processing
        ),
        "guarantee": harmless_markdown(str(guarantee)),
        "limits": limits_sentence(guarantee, record="record"),
        "check": "An independent reader has checked its proof." if vetted else "Its proof has not been vetted yet.",
        "dataset": harmless_markdown(publication.dataset),
        "spending": "\n".join(spending),
        "one": "one person" if guarantee.unit.person_column is not None else "one record, such as one trip",
        "choices": CHOICES_SENTENCE,
        "state": harmless_markdown(state),
        "blank": BLANK,
    }
    return "\n\n".join(_filled(_TEMPLATES["annex"], facts)) + "\n"
