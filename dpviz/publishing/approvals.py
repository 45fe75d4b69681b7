"""The one place that decides whether a charge may happen. Every way to a charge asks here; pages show the answer.

The order of the checks, from a request to its charge:

0. a method of another package, which the request has to name as unvetted and the house has to allow
   (`refuse_unvetted_method`);
1. who acts, and whether their role allows this step (`persons.acting_person`);
2. the second person: the rule of the house, of the ledger, of the dataset, of its population, and of datasets whose
   records are nearly the same (`likeness`), whichever is strictest (`needs_second_person`);
3. in the transaction of the charge, the window of the population and the total of the dataset (`charge_once`).

The second person: one person asks and another one approves. Everything is a note in the ledger. A rule that was made
stays; of two decisions the first one counts; who asked cannot approve.

The words and the state of a release (correct, supersede, withdraw) cost nothing and draw nothing: they need the role
alone.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.errors import InputError, LedgerRefusal, NotYourRole
from dpviz.language import marked
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Role, Step, Who, acting_person, foreign_methods_allowed, house_policy
from dpviz.ledger.rows import Amount, ChargeRow, NoteRow, checked_name, fold_name, person_at_work, same_look
from dpviz.mechanisms import catalogue
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.populations import allowance
from dpviz.publishing.record_similarity import POPULATION, known_alike, populations_of_datasets
from dpviz.releases.request import STAND_IN, ReleaseRequest

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
    row, populations = ledger.dataset(known), {note.subject for note in ledger.notes(POPULATION)}
    named = ([] if row is None else [row.name]) + same_look(known, populations)
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
    always = policy is not None and policy.always_second_person and not ledger.demonstration
    return always or _is_noted_for_everything(ledger)


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
    decisions = {note.subject: note for note in reversed(ledger.notes(DECIDED))}  # the first one counts
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
    return ApprovalRequest(
        id=note.subject,
        dataset=str(facts["dataset"]),
        key=str(facts["key"]),
        request=ReleaseRequest.from_facts(facts["request"]),
        who=note.who,
        why=note.why,
        created=note.created,
        how=facts["how"],
        state=WAITING if decision is None else str(decision.facts["decision"]),
        decided_by="" if decision is None else decision.who,
        reason="" if decision is None else decision.why,
        decided="" if decision is None else decision.created,
    )


@dataclass(frozen=True, kw_only=True)
class ChargeRequest:
    """What is to be charged: `key` is the id that the request has as it was asked."""

    ledger: Ledger
    dataset: str
    key: str
    request: ReleaseRequest

    @classmethod
    def of(cls, dataset: Dataset, request: ReleaseRequest) -> ChargeRequest:
        """The charge of this request on a registered dataset."""
        return cls(ledger=dataset.ledger, dataset=dataset.name, key=dataset.key_of(request), request=request)

    @property
    def of_standin(self) -> bool:
        """Whether it is a stand-in's, which is charged when its dataset is registered."""
        return self.request.purpose == STAND_IN


@dataclass(frozen=True, kw_only=True)
class Permit:
    """The charge may happen, under this name. `alone`: no second person approved it, because none was needed."""

    asked: ChargeRequest
    who: str
    alone: bool = False


@dataclass(frozen=True, kw_only=True)
class NeedsApproval:
    """Somebody else has to approve first. `waiting` is the request for it that was made already."""

    waiting: ApprovalRequest | None
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Refused:
    """This person may not do it."""

    sentence: str


def what_is_needed(who: Who, asked: ChargeRequest) -> Permit | NeedsApproval | Refused:
    """Return whether this charge may happen, for this person and now. Charges and changes nothing."""
    refuse_unvetted_method(asked.request)
    if asked.ledger.demonstration and not isinstance(who, Person):
        return Permit(asked=asked, who=person_at_work(who))  # public data: nobody's records are charged
    approval = request_of(asked.ledger, asked.key)
    approved = approval is not None and approval.state == APPROVED
    try:
        name = _name_charged(who, asked, approval if approved else None)
    except NotYourRole as refusal:
        return Refused(sentence=refusal.message)
    if asked.of_standin or asked.ledger.demonstration:
        return Permit(asked=asked, who=name)  # a stand-in is bought with its dataset, and is not given out
    period = asked.request.period
    population = "" if period is None else period.population  # its dataset is registered with its first charge
    if approved or not needs_second_person(asked.ledger, asked.dataset, population=population):
        return Permit(asked=asked, who=name, alone=not approved)
    joint = "dpviz approval ask" if asked.request.joint is None else "dpviz joint run … --ask"
    command = joint if period is None else "dpviz series publish … --ask"
    return NeedsApproval(
        waiting=approval if approval is not None and approval.state == WAITING else None,
        sentence=f"releases of {asked.dataset!r} need a second person: ask for approval on the page, or with "
        f"'{command}', and somebody else approves. Nothing was charged or drawn.",
    )


def permit(who: Who, asked: ChargeRequest) -> Permit:
    """Return the permit for this charge, or raise why there is none."""
    found = what_is_needed(who, asked)
    if isinstance(found, Permit):
        return found
    kind = NotYourRole if isinstance(found, Refused) else LedgerRefusal
    raise kind(found.sentence, dataset=asked.dataset)


def refuse_unvetted_method(request: ReleaseRequest) -> None:
    """Refuse a method of another package unless the request says `unvetted` and the house allows such methods."""
    package = "" if request.method == "auto" else catalogue.get(request.method).info.package
    if package and not (request.unvetted and foreign_methods_allowed()):
        how = "name it as unvetted: --unvetted, ReleaseRequest(unvetted=True)"
        if not foreign_methods_allowed():
            how = "the file of this house has to allow it: [publishing] foreign_methods"
        raise LedgerRefusal(
            f"{request.method!r} comes from {package}, and nobody has checked for dpviz whether it protects. To "
            f"publish with it, {how}. Nothing was charged or drawn."
        )
    if request.unvetted and not package:
        raise InputError(f"{request.method!r} is no method of another package; leave out unvetted (--unvetted).")


def check_asking(who: Who, asked: ChargeRequest, why: str) -> None:
    """Refuse a request for approval that this person may not make, that says no reason, or that nothing needs."""
    if not why.strip():
        raise InputError("say why: whoever approves reads it, and the ledger keeps it.")
    found = what_is_needed(who, asked)
    if isinstance(found, Refused):
        raise NotYourRole(found.sentence, dataset=asked.dataset)
    if isinstance(found, Permit):
        raise InputError(
            f"{asked.dataset!r} needs no second person for this: publish it. 'dpviz approval need' makes the rule."
        )


def ask_approval(who: Who, asked: ChargeRequest, why: str, how: Mapping[str, Any] | None = None) -> ApprovalRequest:
    """Ask somebody else to approve this charge. `how` says how the records are read again. Nothing is charged."""
    check_asking(who, asked, why)
    return ask_for_approval(
        asked.ledger, dataset=asked.dataset, key=asked.key, request=asked.request, who=who, why=why, how=how
    )


def charge_once(permit: Permit, charge: ChargeRow) -> None:
    """Charge under this permit: window and total hold in the same transaction. A charge that is there stays one."""
    ledger, dataset = permit.asked.ledger, permit.asked.dataset
    assert charge.dataset == dataset, "a permit is for its own dataset"
    remaining = allowance(ledger, charge)

    def still_allowed(connection: sqlite3.Connection) -> Amount:
        """Inside the transaction, since a rule may have been made while the release was prepared."""
        if permit.alone and needs_second_person(ledger, dataset):
            raise LedgerRefusal(
                f"a rule was made meanwhile: releases of {dataset!r} need a second person. Ask for approval. Nothing "
                "was charged or drawn.",
                dataset=dataset,
            )
        return remaining(connection)

    ledger.reserve(charge, permit.asked.key, secrets.token_hex(16), still_allowed)


def _name_charged(who: Who, asked: ChargeRequest, approved: ApprovalRequest | None) -> str:
    """The name for the ledger. An approver completes what somebody else asked for, under that person's name."""
    if approved is not None and isinstance(who, Person) and who.may(Role.APPROVER):
        acting_person(who, Step.DECIDE)
        return approved.who
    return acting_person(who, Step.DRAW_STAND_IN if asked.of_standin else Step.PUBLISH).name
