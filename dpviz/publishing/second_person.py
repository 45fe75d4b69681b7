"""A second pair of eyes: where a population or a dataset asks for it, one person asks and another one approves.

Everything is a note in the ledger. A rule that was made stays; of two decisions the first one counts; who asked cannot
approve.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz.errors import InputError, LedgerRefusal
from dpviz.language import marked
from dpviz.ledger.dataset_names import checked_name, fold_name, same_look
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Step, Who, acting_person, house_policy
from dpviz.ledger.rows import NoteRow, person_at_work
from dpviz.publishing.record_similarity import POPULATION, known_alike, populations_of_datasets
from dpviz.releases.request import ReleaseRequest

RULE = "second person"
EVERYTHING = "everything"  # the subject, and the fact, of the rule that binds a whole ledger
ASKED = "approval asked"
DECIDED = "approval"
# What shows nothing makes no other name: control and format characters, fillers, selectors of variants.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
APPROVED, REFUSED, WAITING = marked("approved", "refused", "waiting")


@dataclass(frozen=True, kw_only=True)
class ApprovalRequest:
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


def require_second_person(name: str, *, ledger: Ledger, who: Who = "", why: str = "") -> None:
    """Require a second person's approval for every release of this population or dataset, for good."""
    person, known = acting_person(who, Step.MAKE_RULE), checked_name(name)
    row = ledger.dataset(known)
    named = ([] if row is None else [row.name]) + same_look(known, {note.subject for note in ledger.notes(POPULATION)})
    if not named:
        raise InputError(
            f"neither a dataset nor a population of this ledger is called {known!r}; a rule would bind nobody. "
            "Register it first."
        )
    for subject in dict.fromkeys(named):  # as the ledger spells it, so that every list shows it
        if subject not in rules(ledger):
            ledger.note(RULE, subject, {"needed": True}, who=person.name, why=why)


def note_house_rule(ledger: Ledger) -> None:
    """Note the rule of a house in its ledger, so that the command line on that ledger obeys it too."""
    policy = house_policy()
    if policy is not None and policy.always_second_person and not _is_noted_for_everything(ledger):
        facts = {"needed": True, EVERYTHING: True}
        ledger.note(RULE, EVERYTHING, facts, who=person_at_work(""), why="the configuration of the house")


def binds_everything(ledger: Ledger) -> bool:
    """Whether the whole ledger needs a second person: by its own note, or by the policy of this process."""
    policy = house_policy()
    if policy is not None and policy.always_second_person and not ledger.demonstration:
        return True
    return _is_noted_for_everything(ledger)


def rules(ledger: Ledger) -> tuple[str, ...]:
    """The datasets and populations that ask for a second person themselves."""
    return tuple(dict.fromkeys(note.subject for note in ledger.notes(RULE) if not note.facts.get(EVERYTHING)))


def needs_second_person(ledger: Ledger, dataset: str, *, population: str = "") -> bool:
    """Whether the house, the ledger, the dataset or its population asks for a second person.

    A rule also binds datasets with nearly the same records in the same box, and datasets that share its budget.
    `population` is the population of a dataset that is not registered yet.
    """
    if binds_everything(ledger):
        return True
    ruled = {fold_name(subject) for subject in rules(ledger)}  # also where a rule was noted in another spelling
    if not ruled:
        return False
    homes = populations_of_datasets(ledger)
    names = [dataset, *known_alike(ledger, dataset)]
    shared = {homes[name] for name in names if name in homes} | ({population} if population else set())
    names += [name for name, home in homes.items() if home in shared]
    return not ruled.isdisjoint(map(fold_name, (*names, *shared)))


def _is_noted_for_everything(ledger: Ledger) -> bool:
    return any(note.facts.get(EVERYTHING) for note in ledger.notes(RULE, EVERYTHING))


def ask_for_approval(
    ledger: Ledger,
    *,
    dataset: str,
    key: str,
    request: ReleaseRequest,
    who: Who,
    why: str,
    how: Mapping[str, Any] | None = None,
) -> ApprovalRequest:
    """Ask somebody else to approve this release. Nothing is charged or drawn."""
    if not _is_named(who) or not why.strip():
        raise InputError("say who asks and why: whoever approves reads it, and the ledger keeps it.")
    person = acting_person(who, Step.ASK)
    waiting = next((one for one in requests(ledger) if one.key == key and one.state == WAITING), None)
    if waiting is not None:
        return waiting
    facts = {"dataset": dataset, "key": key, "request": request.facts(), "how": dict(how or {})}
    number = secrets.token_hex(8)
    ledger.note(ASKED, number, facts, who=person.name, why=why)
    return find_request(ledger, number)


def approve(ledger: Ledger, number: str, *, who: Who, why: str = "") -> ApprovalRequest:
    """Approve as somebody else than who asked. The door then publishes it for whoever holds the records."""
    return _decide(ledger, number, APPROVED, who, why)


def refuse(ledger: Ledger, number: str, *, who: Who, why: str) -> ApprovalRequest:
    """Refuse, with a reason that who asked can read."""
    if not why.strip():
        raise InputError("say why it is refused: whoever asked reads it, and the ledger keeps it.")
    return _decide(ledger, number, REFUSED, who, why)


def requests(ledger: Ledger) -> list[ApprovalRequest]:
    """All requests for approval in their order."""
    decisions: dict[str, NoteRow] = {}
    for note in ledger.notes(DECIDED):
        decisions.setdefault(note.subject, note)  # the first one counts
    return [_asked(note, decisions.get(note.subject)) for note in ledger.notes(ASKED)]


def find_request(ledger: Ledger, number: str) -> ApprovalRequest:
    """The request of this number."""
    found = next((one for one in requests(ledger) if one.id == number), None)
    if found is None:
        raise InputError(f"no request for approval has the number {number[:40]!a}.")
    return found


def request_of(ledger: Ledger, key: str) -> ApprovalRequest | None:
    """The request for approval of this release: the approved one, else the last one; None where nobody asked."""
    found = [one for one in requests(ledger) if one.key == key]
    return next((one for one in found if one.state == APPROVED), found[-1] if found else None)


def same_person(one: str, other: str) -> bool:
    """Whether two names may be one person's, however they are written.

    This comparison only ever refuses (who asked cannot approve), so it matches too much rather than too little: it
    folds case, compatibility forms and letters of other scripts that look alike. Never grant anything by it.
    """
    return fold_name(_UNSEEN.sub("", one)) == fold_name(_UNSEEN.sub("", other))


def _is_named(who: Who) -> bool:
    return bool((who if isinstance(who, str) else who.name).strip())


def _decide(ledger: Ledger, number: str, decision: str, who: Who, why: str) -> ApprovalRequest:
    found = find_request(ledger, number)
    if not _is_named(who):
        raise InputError("say who decides: the ledger keeps it.")
    person = acting_person(who, Step.DECIDE)
    if same_person(person.name, found.who):
        raise LedgerRefusal(
            f"{person.name} asked for this release; somebody else decides on it. Nothing was charged or drawn.",
            dataset=found.dataset,
        )
    if found.state == WAITING:
        ledger.note(DECIDED, number, {"decision": decision, "key": found.key}, who=person.name, why=why)
        found = find_request(ledger, number)
    if found.state != decision:
        raise LedgerRefusal(f"{found.decided_by} {found.state} this request already.", dataset=found.dataset)
    return found


def _asked(note: NoteRow, decision: NoteRow | None) -> ApprovalRequest:
    facts = note.facts
    found = ApprovalRequest(
        id=note.subject,
        dataset=str(facts["dataset"]),
        key=str(facts["key"]),
        request=ReleaseRequest.from_facts(facts["request"]),
        who=note.who,
        why=note.why,
        created=note.created,
        how=facts["how"],
    )
    if decision is None:
        return found
    state = str(decision.facts["decision"])
    return replace(found, state=state, decided_by=decision.who, reason=decision.why, decided=decision.created)
