"""Registering a dataset by its name, with the stand-in that its curator looks at where one is wanted."""

from __future__ import annotations

from dataclasses import replace

from dpviz.mechanisms.interface import ExactData
from dpviz.privacy import Budget
from dpviz.releases.dataset_names import checked_name
from dpviz.releases.datasets import Dataset, check_registration, enter, open_dataset, other_spelling, refuse_if_empty
from dpviz.releases.ledger import LedgerLike, as_ledger
from dpviz.releases.making import prepare, public_facts
from dpviz.releases.persons import Who
from dpviz.releases.request import ReleaseRequest
from dpviz.releases.standin import make_standin


def register(
    name: str,
    data: ExactData,
    *,
    total: Budget,
    ledger: LedgerLike = None,
    standin_share: float = 0.0,
    who: Who = "",
    why: str = "",
) -> Dataset:
    """Register a dataset with all it may ever spend. Registering the same again gives the same dataset.

    With a `standin_share` above 0 that part of ε pays, now, for a private stand-in to look at instead of the data.
    """
    entered = enter(name, data, total=total, ledger=ledger, standin_share=standin_share, who=who, why=why)
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
    who: Who = "",
    why: str = "",
) -> Dataset:
    """The dataset of this name; a new one gets `total`, or, without it, just what this request costs.

    Unless `strict`, data without any record inside the box are refused before the door (see docs/LIMITS.md).
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
            who=who,
            why=why,
        )
    return replace(open_dataset(row.name, data, ledger=chosen), notice=other_spelling(known, row.name))
