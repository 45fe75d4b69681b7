"""A second pair of eyes: where a population or a dataset asks for it, one person asks and another one approves.

Everything is a note in the ledger. A rule that was made stays; of two decisions the first one counts; who asked cannot
approve. The door itself looks here before it charges, and the fresh draw is made when somebody approves.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.errors import InputError, LedgerRefusal
from dpviz.releases.dataset_names import checked_name
from dpviz.releases.ledger import Ledger
from dpviz.releases.ledger_rows import NoteRow, person_at_work
from dpviz.releases.likeness import known_alike
from dpviz.releases.relatives import MEMBER, POPULATION
from dpviz.releases.request import STAND_IN, ReleaseRequest

RULE = "second person"
ASKED = "approval asked"
DECIDED = "approval"
APPROVED, REFUSED, WAITING = "approved", "refused", "waiting"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request for approval and what became of it. `how` says how the records are read again."""

    id: str
    dataset: str
    key: str  # of the release that would be made
    request: ReleaseRequest
    who: str
    why: str
    created: str
    state: str = WAITING
    decided_by: str = ""
    reason: str = ""
    decided: str = ""
    how: Mapping[str, Any] = field(default_factory=dict)


def require_second_person(name: str, *, ledger: Ledger, who: str = "", why: str = "") -> None:
    """From now on nothing is published of this population or dataset that nobody else approved. This stays so."""
    known = checked_name(name)
    if ledger.dataset(known) is None and not ledger.notes(POPULATION, known):
        raise InputError(
            f"neither a dataset nor a population of this ledger is called {known!r}; a rule would bind nobody. "
            "Register it first."
        )
    if not ledger.notes(RULE, known):
        ledger.note(RULE, known, {"needed": True}, who=person_at_work(who), why=why)


def rules(ledger: Ledger) -> tuple[str, ...]:
    """The datasets and populations that ask for a second person themselves."""
    return tuple(dict.fromkeys(note.subject for note in ledger.notes(RULE)))


def needs_second_person(ledger: Ledger, dataset: str) -> bool:
    """Whether the dataset, or the population that it belongs to, asks for a second person.

    So does what was registered with nearly the same records in the same box: another name for them is no way around.
    """
    subjects = rules(ledger)
    if not subjects:
        return False
    return any(_is_ruled(ledger, name, subjects) for name in (dataset, *known_alike(ledger, dataset)))


def _is_ruled(ledger: Ledger, dataset: str, subjects: tuple[str, ...]) -> bool:
    member = ledger.notes(MEMBER, dataset)
    return dataset in subjects or (bool(member) and str(member[0].facts["population"]) in subjects)


def ask_for_approval(
    ledger: Ledger,
    *,
    dataset: str,
    key: str,
    request: ReleaseRequest,
    who: str,
    why: str,
    how: Mapping[str, Any] | None = None,
) -> Asked:
    """Ask somebody else to approve this release. Nothing is charged or drawn."""
    if not who.strip() or not why.strip():
        raise InputError("say who asks and why: whoever approves reads it, and the ledger keeps it.")
    waiting = next((one for one in requests(ledger) if one.key == key and one.state == WAITING), None)
    if waiting is not None:
        return waiting
    facts = {"dataset": dataset, "key": key, "request": request.facts(), "how": dict(how or {})}
    number = secrets.token_hex(8)
    ledger.note(ASKED, number, facts, who=who, why=why)
    return asked(ledger, number)


def approve(ledger: Ledger, number: str, *, who: str, why: str = "") -> Asked:
    """Approve as somebody else than who asked. The door then publishes it for whoever holds the records."""
    return _decide(ledger, number, APPROVED, who, why)


def refuse(ledger: Ledger, number: str, *, who: str, why: str) -> Asked:
    """Refuse, with a reason that who asked can read."""
    if not why.strip():
        raise InputError("say why it is refused: whoever asked reads it, and the ledger keeps it.")
    return _decide(ledger, number, REFUSED, who, why)


def requests(ledger: Ledger) -> list[Asked]:
    """All requests for approval in their order."""
    decisions: dict[str, NoteRow] = {}
    for note in ledger.notes(DECIDED):
        decisions.setdefault(note.subject, note)  # the first one counts
    return [_asked(note, decisions.get(note.subject)) for note in ledger.notes(ASKED)]


def asked(ledger: Ledger, number: str) -> Asked:
    """The request of this number."""
    found = next((one for one in requests(ledger) if one.id == number), None)
    if found is None:
        raise InputError(f"no request for approval has the number {number[:40]!a}.")
    return found


def refuse_unapproved(ledger: Ledger, dataset: str, key: str, request: ReleaseRequest) -> None:
    """For the door: what needs a second person and has none is refused before anything is charged."""
    if request.purpose == STAND_IN or not needs_second_person(ledger, dataset):
        return  # a stand-in is bought when a dataset is registered, and is not given out
    if not any(one.key == key and one.state == APPROVED for one in requests(ledger)):
        raise LedgerRefusal(
            f"releases of {dataset!r} need a second person: ask for approval on the page, or with "
            "'dpviz approval ask', and somebody else approves. Nothing was charged or drawn.",
            dataset=dataset,
        )


def same_person(one: str, other: str) -> bool:
    """Whether two names may be one person's, however they are written.

    This comparison only ever refuses (who asked cannot approve), so it matches too much rather than too little: it
    folds case and compatibility forms. Never grant anything by it.
    """
    return _plain(one) == _plain(other)


def _plain(name: str) -> str:
    seen = "".join(
        sign for sign in name if unicodedata.category(sign) != "Cf"
    )  # what shows nothing makes no other name
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def _decide(ledger: Ledger, number: str, decision: str, who: str, why: str) -> Asked:
    found = asked(ledger, number)
    if not who.strip():
        raise InputError("say who decides: the ledger keeps it.")
    if same_person(who, found.who):
        raise LedgerRefusal(
            f"{who} asked for this release; somebody else decides on it. Nothing was charged or drawn.",
            dataset=found.dataset,
        )
    if found.state == WAITING:
        ledger.note(DECIDED, number, {"decision": decision, "key": found.key}, who=who, why=why)
        found = asked(ledger, number)
    if found.state != decision:
        raise LedgerRefusal(f"{found.decided_by} {found.state} this request already.", dataset=found.dataset)
    return found


def _asked(note: NoteRow, decision: NoteRow | None) -> Asked:
    facts = note.facts
    return Asked(
        id=note.subject,
        dataset=str(facts["dataset"]),
        key=str(facts["key"]),
        request=ReleaseRequest.from_facts(facts["request"]),
        who=note.who,
        why=note.why,
        created=note.created,
        state=WAITING if decision is None else str(decision.facts["decision"]),
        decided_by="" if decision is None else decision.who,
        reason="" if decision is None else decision.why,
        decided="" if decision is None else decision.created,
        how=facts["how"],
    )
