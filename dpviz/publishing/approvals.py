"""The one place that decides whether a charge may happen. Every way to a charge asks here; pages show the answer.

The order of the checks, from a request to its charge:

0. a method of another package, which the request has to name as unvetted and the house has to allow
   (`refuse_unvetted_method`);
1. who acts, and whether their role allows this step (`persons.acting_person`);
2. the second person: the rule of the house, of the ledger, of the dataset, of its population, and of datasets whose
   records are nearly the same (`likeness`), whichever is strictest (`second_person.needs_second_person`);
3. in the transaction of the charge, the window of the population and the total of the dataset (`charge_once`).

The words and the state of a release (correct, supersede, withdraw) cost nothing and draw nothing: they need the role
alone.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpviz.errors import InputError, LedgerRefusal, NotYourRole
from dpviz.ledger.amounts import Amount
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Role, Step, Who, acting_person, foreign_methods_allowed
from dpviz.ledger.rows import ChargeRow, person_at_work
from dpviz.mechanisms import catalogue
from dpviz.publishing import second_person
from dpviz.publishing.populations import allowance
from dpviz.releases.request import STAND_IN, ReleaseRequest

if TYPE_CHECKING:
    from dpviz.publishing.datasets import Dataset


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

    waiting: second_person.ApprovalRequest | None
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
    approval = second_person.request_of(asked.ledger, asked.key)
    approved = approval is not None and approval.state == second_person.APPROVED
    try:
        name = _name_charged(who, asked, approval if approved else None)
    except NotYourRole as refusal:
        return Refused(sentence=refusal.message)
    if asked.of_standin or asked.ledger.demonstration:
        return Permit(asked=asked, who=name)  # a stand-in is bought with its dataset, and is not given out
    period = asked.request.period
    population = "" if period is None else period.population  # its dataset is registered with its first charge
    if approved or not second_person.needs_second_person(asked.ledger, asked.dataset, population=population):
        return Permit(asked=asked, who=name, alone=not approved)
    joint = "dpviz approval ask" if asked.request.joint is None else "dpviz joint run … --ask"
    command = joint if period is None else "dpviz series publish … --ask"
    return NeedsApproval(
        waiting=approval if approval is not None and approval.state == second_person.WAITING else None,
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


def ask_approval(
    who: Who, asked: ChargeRequest, why: str, how: Mapping[str, Any] | None = None
) -> second_person.ApprovalRequest:
    """Ask somebody else to approve this charge. `how` says how the records are read again. Nothing is charged."""
    check_asking(who, asked, why)
    return second_person.ask_for_approval(
        asked.ledger, dataset=asked.dataset, key=asked.key, request=asked.request, who=who, why=why, how=how
    )


def charge_once(permit: Permit, charge: ChargeRow) -> None:
    """Charge under this permit: window and total hold in the same transaction. A charge that is there stays one."""
    ledger, dataset = permit.asked.ledger, permit.asked.dataset
    assert charge.dataset == dataset, "a permit is for its own dataset"
    remaining = allowance(ledger, charge)

    def still_allowed(connection: sqlite3.Connection) -> Amount:
        """Inside the transaction, since a rule may have been made while the release was prepared."""
        if permit.alone and second_person.needs_second_person(ledger, dataset):
            raise LedgerRefusal(
                f"a rule was made meanwhile: releases of {dataset!r} need a second person. Ask for approval. Nothing "
                "was charged or drawn.",
                dataset=dataset,
            )
        return remaining(connection)

    ledger.reserve(charge, permit.asked.key, secrets.token_hex(16), still_allowed)


def _name_charged(who: Who, asked: ChargeRequest, approved: second_person.ApprovalRequest | None) -> str:
    """The name for the ledger. An approver completes what somebody else asked for, under that person's name."""
    if approved is not None and isinstance(who, Person) and who.may(Role.APPROVER):
        acting_person(who, Step.DECIDE)
        return approved.who
    return acting_person(who, Step.DRAW_STAND_IN if asked.of_standin else Step.PUBLISH).name
