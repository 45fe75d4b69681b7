"""Registering a dataset by its name, with the stand-in that its curator looks at where one is wanted."""

from __future__ import annotations

import warnings
from dataclasses import replace

from dpviz.domain import Adjacency, Unit
from dpviz.errors import InputError, LedgerRefusal
from dpviz.ledger.ledger import Ledger, LedgerLike, as_ledger
from dpviz.ledger.persons import Step, Who, acting_person
from dpviz.ledger.rows import checked_name, now
from dpviz.mechanisms.interface import ExactData
from dpviz.privacy import Budget
from dpviz.publishing.datasets import (
    Dataset,
    SameContentWarning,
    check_registration,
    enter_dataset,
    facts_of,
    open_dataset,
    other_spelling,
    refuse_if_empty,
)
from dpviz.publishing.mechanism_run import prepare, public_facts
from dpviz.publishing.populations import Membership, Population, membership, population, share_budget
from dpviz.publishing.record_similarity import MEMBER, alike_names, checked_reason, likeness_facts, refuse_alike
from dpviz.publishing.standin import make_standin
from dpviz.releases.period import window_of, years_of
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
    entered = enter_dataset(
        name, data, total=total, ledger=ledger, standin_share=standin_share, other_people=other_people, who=who, why=why
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
        _check_shared(row.name, same_people, ledger=chosen)
    return replace(open_dataset(row.name, data, ledger=chosen), notice=other_spelling(known, row.name))


def register_member(
    name: str,
    data: ExactData,
    *,
    of: str,
    when: str,
    period: bool = False,
    total: Budget | None = None,
    ledger: LedgerLike = None,
    other_people: str = "",
    who: Who = "",
    why: str = "",
    step: Step = Step.REGISTER,
) -> Dataset:
    """Register a dataset of a population's people. It needs no total of its own: the window's budget holds.

    `when` is the time of its records, a period such as "2026-03" or a year, which decides the window. `period=True`
    says that the records are those of exactly this period, by their own time stamps. Records that look like those of a
    dataset outside the population are refused, unless `other_people` says why their people are others. `step` is what
    `who` has to be allowed: a period of a series is entered by its publisher.
    """
    book, people = as_ledger(ledger), population(of, ledger=ledger)
    known = checked_name(name)
    if data.unit != people.unit or data.relation is not Adjacency.ADD_REMOVE_ONE:
        raise InputError(
            f"the population {people.name!r} protects {people.unit} under add-remove; these records are read for "
            f"{data.unit} under {data.relation.value}. Read them with the population's person column and cap."
        )
    years_of(when)  # 'March 2026' would be a window of its own
    place = Membership(
        population=people.name, window=window_of(when, people.window), period=when if period else None, when=when
    )
    before = membership(book, known)
    if before is None and book.dataset(known) is not None:
        raise LedgerRefusal(
            f"the dataset {known!r} is registered without a population and keeps its own total; give these records "
            "another name.",
            dataset=known,
        )
    if before is not None and before != place:
        raise LedgerRefusal(
            f"the dataset {known!r} belongs to the window {before.window} of {before.population!r}, and keeps that.",
            dataset=known,
        )
    if before is not None and book.dataset(known) is not None:
        return open_dataset(known, data, ledger=book)
    person = acting_person(who, step)
    if before is None:  # noted first: a dataset without its place would have a budget beside the window's
        if book.dataset(known) is None:
            _refuse_alike(known, data, place, people, book, other_people)
        facts = {"population": place.population, "window": place.window, "period": place.period, "when": when}
        book.note(MEMBER, known, facts, who=person.name, why=why)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SameContentWarning)  # the window adds up what the same people spend
        whole = people.whole if total is None else total
        return enter_dataset(
            known, data, total=whole, ledger=book, other_people=other_people, who=who, why=why, step=step
        )


def register_same_people(
    name: str, data: ExactData, *, like: str, ledger: LedgerLike = None, who: Who = "", why: str = ""
) -> Dataset:
    """Register records of the people of the dataset `like`: from now on both spend one budget.

    It is the window of that dataset's population, or else that dataset's own total.
    """
    book, known = as_ledger(ledger), checked_name(name)
    row = book.dataset(checked_name(like))
    if row is not None and row.facts["unit"] != data.unit.facts():
        raise InputError(
            f"the dataset {row.name!r} protects {Unit.from_facts(row.facts['unit'])}, and these records are read for "
            f"{data.unit}: one budget holds for one unit. Read them with the same person column, cap and weight, under "
            "the same names."
        )
    if book.dataset(known) is not None:
        _check_shared(known, like, ledger=book)
        return open_dataset(known, data, ledger=book)
    place = share_budget(book, like, who=who, why=why)
    when = place.when or place.period or now()[:4]
    return register_member(known, data, of=place.population, when=when, ledger=book, who=who, why=why)


def _check_shared(name: str, like: str, *, ledger: Ledger) -> None:
    """Refuse to take a registered dataset for one that shares the budget of `like` where it does not."""
    mine, theirs = (ledger.dataset(checked_name(one)) for one in (name, like))
    if mine is None or (theirs is not None and theirs.name == mine.name):
        return
    place, other = membership(ledger, mine.name), None if theirs is None else membership(ledger, theirs.name)
    if place is None or other is None or place.population != other.population:
        raise LedgerRefusal(
            f"the dataset {mine.name!r} is registered and shares no budget with {like!r}; it keeps its own. Register "
            "these records under another name that shares it, or leave out --same-people. Nothing was charged.",
            dataset=mine.name,
        )


def _refuse_alike(
    name: str, data: ExactData, place: Membership, people: Population, book: Ledger, other_people: str
) -> None:
    """Before anything is noted: records that look like those of a dataset that does not share their window's budget.

    A record has one time. So where units are records, those of another window of this population are looked at too, but
    for a period, whose records were told by their dates.
    """
    book.make()
    mine, rows = likeness_facts(data, book.content_key), book.datasets()
    windows, one_time = place.windows(people.together), people.together.disjoint and place.period is None
    inside = {
        row.name
        for row in rows
        if (other := membership(book, row.name)) is not None
        and other.population == people.name
        and not (one_time and windows.isdisjoint(other.windows(people.together)))
    }
    outside = [row for row in rows if row.name not in inside]
    content = data.keyed_digest(book.content_key)
    equal = [row.name for row in outside if row.content == content]
    refuse_alike(name, alike_names(name, facts_of(data), mine, outside, book, equal), checked_reason(other_people))
