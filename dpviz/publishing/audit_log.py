"""The audit log: every row of the ledger that somebody is behind, in one order, to read and to take away.

It is the curator's: it says who did what and why, and names datasets. Nothing in it was computed from records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from dpviz.language import marked
from dpviz.ledger.ledger import Ledger
from dpviz.publishing.approvals import APPROVED, ASKED, DECIDED, REFUSED, RULE
from dpviz.publishing.record_similarity import LIKENESS as LIKENESS, OTHER_PEOPLE
from dpviz.releases.request import STAND_IN
from dpviz.releases.spreadsheets import csv_text

VISIT = "visit"
AUDIT_LOG = "audit log"  # in which meaning screens show what was done
HOW = "how read"  # how the records of a dataset are read again
_WORDS = {
    VISIT: "signed in",
    RULE: "asked for a second person from now on",
    ASKED: "asked for approval",
    HOW: "noted how the records are read",
    "population": "began a population",
    "member": "put a dataset into a population",
    OTHER_PEOPLE: "said that alike records are of other people",
    "withdrawn": "withdrew a release",
    "superseded": "superseded a release",
    "version": "corrected a release's words",
    "dataset": "registered a dataset",
    "charge": "published",
    STAND_IN: "bought a stand-in",
    "no role": "signed in without a role",
    APPROVED: "approved a release",
    REFUSED: "refused a release",
    "too late": "answered too late",
}
marked(*_WORDS.values(), context=AUDIT_LOG)


@dataclass(frozen=True, kw_only=True)
class Event:
    """One thing that somebody did. `release` is the id of the release that it is about, where there is one."""

    when: str
    who: str
    what: str
    subject: str
    release: str = ""
    charged: str = ""
    why: str = ""


def events(ledger: Ledger) -> list[Event]:
    """Everything that the ledger holds, oldest first; hashes and keys of records are left out."""
    found = {
        ("datasets", number): Event(
            when=row.created, who=row.who, what=_WORDS["dataset"], subject=row.name, why=row.why
        )
        for number, row in enumerate(ledger.datasets(), 1)  # numbers of rows are dense
    }
    for charge in ledger.charges():
        found["charges", charge.number] = Event(
            when=charge.created,
            who=charge.who,
            what=_WORDS[STAND_IN if charge.purpose == STAND_IN else "charge"],
            subject=charge.dataset,
            release=charge.key,
            charged=str(charge.amount),
            why=charge.why,
        )
    answered: set[str] = set()  # requests; of two answers in one moment the first one counts
    for note in ledger.notes():
        if note.kind != LIKENESS:
            what, subject, release = _describe_note(note.kind, note.subject, note.facts)
            if note.kind == DECIDED:
                what = _WORDS["too late"] if note.subject in answered else what
                answered.add(note.subject)
            found["notes", note.number] = Event(
                when=note.created, who=note.who, what=what, subject=subject, release=release, why=note.why
            )
    order = ledger.order()
    return [found[place] for place in sorted(found, key=lambda place: order.get(place, len(order)))]


def as_rows(found: list[Event]) -> list[dict[str, str]]:
    """Plain values, for JSON."""
    return [asdict(event) for event in found]


def as_csv(found: list[Event]) -> str:
    """A table for a spreadsheet. What would be taken for a formula there is written as text."""
    return csv_text(list(Event.__dataclass_fields__), (list(row.values()) for row in as_rows(found)))


def _describe_note(kind: str, subject: str, facts: Mapping[str, Any]) -> tuple[str, str, str]:
    """What was done, to which dataset or person, and to which release."""
    if kind == ASKED:
        return _WORDS[kind], str(facts["dataset"]), str(facts["key"])
    if kind == DECIDED:
        return _WORDS[str(facts["decision"])], f"request {subject}", str(facts["key"])
    if kind == VISIT and not facts["roles"]:
        return _WORDS["no role"], subject, ""
    if kind in ("withdrawn", "superseded", "version"):
        return _WORDS[kind], "", subject
    return _WORDS.get(kind, kind), subject, ""
