"""Registering a dataset by its name, with the stand-in that its curator looks at where one is wanted."""

from __future__ import annotations

from dataclasses import replace

from dpviz.errors import InputError
from dpviz.ledger.dataset_names import checked_name
from dpviz.ledger.ledger import LedgerLike, as_ledger
from dpviz.ledger.persons import Who
from dpviz.mechanisms.interface import ExactData
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, check_registration, enter, open_dataset, other_spelling, refuse_if_empty
from dpviz.publishing.mechanism_run import prepare, public_facts
from dpviz.publishing.member_registration import check_shared, register_same_people
from dpviz.publishing.standin import make_standin
from dpviz.releases.request import ReleaseRequest


def register(
    name: str,
    data: ExactData,
    *,
    total: Budget,
    ledger: LedgerLike = None,
    standin_share: float = 0.0,
    same_people: str = "",
    other_people: str = "",
    who: Who = "",
    why: str = "",
) -> Dataset:
    """Register a dataset with all it may ever spend. Registering the same again gives the same dataset.

    With a `standin_share` above 0 that part of ε pays, now, for a private stand-in to look at instead of the data.

    Records that look like those of a registered dataset, or like records of its people, are refused until it is said
    what they are: `same_people` names that dataset, and both share its budget (`total` is not used); `other_people`
    says why the people are others, which the ledger keeps.
    """
    if same_people and other_people:
        raise InputError("give same_people or other_people (--same-people, --other-people), not both.")
    if same_people:
        if standin_share > 0:
            raise InputError(
                "a dataset that shares the budget of another one buys no stand-in; leave out standin_share "
                "(--standin-share), or look at the stand-in of that one."
            )
        return register_same_people(name, data, like=same_people, ledger=ledger, who=who, why=why)
    entered = enter(
        name,
        data,
        total=total,
        ledger=ledger,
        standin_share=standin_share,
        other_people=other_people,
        who=who,
        why=why,
    )
    if not entered.owes_standin:
        return entered
    make_standin(entered, who=who)
    return replace(entered, owes_standin=False)


def register_or_open(
    name: str,
    data: ExactData,
    *,
    request: ReleaseRequest,
    total: Budget | None = None,
    ledger: LedgerLike = None,
    standin_share: float = 0.0,
    strict: bool = False,
    same_people: str = "",
    other_people: str = "",
    who: Who = "",
    why: str = "",
) -> Dataset:
    """The dataset of this name; a new one gets `total`, or, without it, just what this request costs.

    `same_people` and `other_people` are those of `register`; a registered dataset does not need them again. Unless
    `strict`, data without any record inside the box are refused before the door (see docs/LIMITS.md).
    """
    if not strict:
        refuse_if_empty(data)
    prepare(request, public_facts(data))  # nothing is registered for a request that cannot be run
    chosen, known = as_ledger(ledger), checked_name(name)
    row = check_registration(known, total=total, ledger=chosen)
    if row is None:
        return register(
            known,
            data,
            total=request.budget if total is None else total,
            ledger=chosen,
            standin_share=standin_share,
            same_people=same_people,
            other_people=other_people,
            who=who,
            why=why,
        )
    if same_people:
        check_shared(row.name, same_people, ledger=chosen)
    return replace(open_dataset(row.name, data, ledger=chosen), notice=other_spelling(known, row.name))
