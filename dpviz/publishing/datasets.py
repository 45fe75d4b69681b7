"""Datasets: registered once with one frame, relation, unit and total, and recognised by their content afterwards."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dpviz.domain import ExactCounts
from dpviz.errors import InputError, LedgerRefusal, NothingInBox
from dpviz.ledger.ledger import Ledger, LedgerLike, as_ledger
from dpviz.ledger.persons import Step, Who, acting_person
from dpviz.ledger.rows import Amount, ChargeRow, DatasetRow, NoteRow, checked_name, share_of, writable
from dpviz.mechanisms.interface import ExactData
from dpviz.privacy import Budget
from dpviz.publishing.assemble import budget_spent
from dpviz.publishing.mechanism_run import Prepared, prepare, public_facts
from dpviz.publishing.populations import remaining_in_window
from dpviz.publishing.record_similarity import (
    LIKENESS as LIKENESS,
    OTHER_PEOPLE,
    alike_names,
    checked_reason,
    likeness_facts,
    possible_relatives,
    refuse_alike,
    relatives_sentence,
    taken_traces,
)
from dpviz.releases.document import frame_facts
from dpviz.releases.paths import demonstration_ledger_path
from dpviz.releases.request import STAND_IN, ReleaseRequest, digest

_DEMONSTRATION_TOTAL = Amount(epsilon=Fraction(10_000), delta=Fraction(1, 1000))
DEFAULT_TOTAL_DELTA = 1e-6  # beside a total of ε: room for a thousand releases with the default δ
_STANDIN_CLUSTERS = 10  # the stand-in is made once for every k; utility only


class SameContentWarning(UserWarning):
    """Records that may be of the same people as another dataset's were registered: both totals add up for them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Dataset:
    """A registered dataset: its row in the ledger, and its records when they are at hand.

    `notice` says what the curator should know about the registration.
    """

    name: str
    row: DatasetRow = field(repr=False)
    ledger: Ledger
    data: ExactData | None = field(default=None, repr=False)
    notice: str | None = None
    owes_standin: bool = False  # charged, and not drawn yet

    @property
    def total(self) -> Amount:
        """What this dataset may spend in its life."""
        return self.row.total

    @property
    def remaining(self) -> Amount:
        """What it may still spend; of a dataset with a population what is left of its window."""
        shared = remaining_in_window(self.ledger, self.name)
        return self.ledger.remaining(self.name) if shared is None else shared

    def cost(self, prepared: Prepared) -> Amount:
        """What a release takes from the total."""
        spent = budget_spent(prepared.request.budget, prepared.plan)
        return Amount.of_levels(spent, prepared.public.unit.levels, self.total)

    @property
    def charges(self) -> list[ChargeRow]:
        """What it has spent."""
        return self.ledger.charges(self.name)

    @property
    def has_standin(self) -> bool:
        """Whether a stand-in was paid for at registration."""
        return any(charge.purpose == STAND_IN for charge in self.charges)

    def key_of(self, request: ReleaseRequest) -> str:
        """The id that a release of this request has: no other ledger, and no other records, give the same."""
        return release_key(self.ledger, self.row, request)

    def charge_for(self, request: ReleaseRequest) -> ChargeRow | None:
        """The charge of this request, also where an older format of the ledger named it."""
        return self.ledger.charge(self.key_of(request)) or self.ledger.charge(request.key(self.name))

    @property
    def demonstration(self) -> bool:
        """Public demonstration data with an ample total."""
        return self.ledger.demonstration

    def with_data(self, data: ExactData) -> Dataset:
        """The same dataset with its records; refused when the content is not what was registered."""
        check_content(self.row, data, self.ledger)
        return replace(self, data=data)


def enter_dataset(
    name: str,
    data: ExactData,
    *,
    total: Budget,
    ledger: LedgerLike = None,
    standin_share: float = 0.0,
    other_people: str = "",
    who: Who = "",
    why: str = "",
    step: Step = Step.REGISTER,
) -> Dataset:
    """Enter a dataset in the ledger, its stand-in charged with it and not drawn yet (see `registering.register`)."""
    chosen, person = as_ledger(ledger), acting_person(who, step)
    if chosen.demonstration:
        raise InputError(
            f"{str(chosen.path)!r} is the demonstration ledger, for built-in cities only; give another (--ledger)."
        )
    standin = share_of(total, standin_share)
    return _register(name, data, Amount.of(total), standin, standin_share, chosen, other_people, person.name, why)


def open_dataset(name: str, data: ExactData | None = None, *, ledger: LedgerLike = None) -> Dataset:
    """A registered dataset by its name. Without `data` it gives what is stored and can draw nothing new."""
    chosen, known = as_ledger(ledger), checked_name(name)
    row = chosen.dataset(known)
    if row is None:
        raise InputError(
            f"no dataset {known!r} is registered in {str(chosen.path)!r}; register it with a total "
            "(dpviz.register, --dataset NAME --total EPSILON).",
            dataset=known,
        )
    opened = Dataset(name=row.name, row=row, ledger=chosen, notice=other_spelling(known, row.name))
    if data is None:
        return opened
    opened = opened.with_data(data)
    kept = chosen.notes(LIKENESS, row.name)
    if not kept or (taken_traces(data) is not None and "traces" not in kept[-1].facts):
        chosen.note(LIKENESS, row.name, likeness_facts(data, chosen.content_key))  # of an older version, or of arrays
    return opened


def looked_at_through_standin(name: str, *, ledger: LedgerLike = None) -> bool:
    """Whether this name is registered with a stand-in: then nothing is said about its file, however it is opened."""
    chosen, known = as_ledger(ledger), checked_name(name)
    return chosen.dataset(known) is not None and open_dataset(known, ledger=chosen).has_standin


def check_registration(name: str, *, total: Budget | None = None, ledger: LedgerLike = None) -> DatasetRow | None:
    """The row of this name, before any record is read; refuses a name or a total that the ledger would refuse."""
    row = as_ledger(ledger).dataset(checked_name(name))
    if row is not None and total is not None and Amount.of(total) != row.total:
        raise _refusal_of_total(row, Amount.of(total))
    return row


def demonstration_dataset(name: str, data: ExactData, *, ledger: LedgerLike = None) -> Dataset:
    """A built-in, public dataset in the demonstration ledger, whose total is ample. Every file says that it is one."""
    if ledger is None:
        ledger = Ledger(demonstration_ledger_path(), demonstration=True)
    chosen, known = as_ledger(ledger), checked_name(name)
    if data.report is not None or taken_traces(data) is not None or data.unit.holds_several:
        raise InputError(
            f"{name!r} was read from somebody's files, and the demonstration ledger is for built-in cities only. "
            "Register it with a total of its own (dpviz.register, --dataset NAME --total EPSILON)."
        )
    if not chosen.demonstration:
        raise InputError(
            f"{str(chosen.path)!r} is no demonstration ledger; make it with Ledger(path, demonstration=True)."
        )
    row = chosen.dataset(known)
    if row is not None and row.content != data.keyed_digest(chosen.content_key):
        # The same city on another grid, relation or unit: public data, so it simply gets a name of its own.
        public = public_facts(data)
        edges = zip(public.frame.low, public.frame.high, strict=True)
        side = f"side {public.side}, " if public.side is not None else ""
        place = ", ".join(f"{low:g} to {high:g}" for low, high in edges)
        known = checked_name(f"{known} ({side}{public.relation.value}, {public.unit}, {place})")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SameContentWarning)
        return _register(known, data, _DEMONSTRATION_TOTAL, None, 0.0, chosen, "", "dpviz", "built-in data")


def refuse_if_empty(data: ExactData) -> None:
    """The curator-side look before the door: no record at all usually means swapped columns or the wrong box."""
    if data.exact_total == 0:
        raise NothingInBox(
            "no valid row lies inside the box; longitude and latitude may be swapped, or the box may be of another "
            "place. Check --lon, --lat and --box. Nothing was charged. (--strict publishes such a file all the same.)"
        )


def check_content(row: DatasetRow, data: ExactData, ledger: Ledger) -> None:
    """Refuse records that are not those of the registration: another frame, relation or unit, or other records."""
    if facts_of(data) != dict(row.facts):
        raise LedgerRefusal(
            f"the dataset {row.name!r} was registered with another box, grid, relation or unit of protection, and "
            "keeps them. Use those; under another name the same people share its budget (--same-people "
            f"{row.name!r}).",
            dataset=row.name,
            changed="reading",
        )
    if data.keyed_digest(ledger.content_key) == row.content:
        return
    if data.unit.cap is not None:
        raise LedgerRefusal(
            f"the records that the person cap keeps are not those that were registered as {row.name!r}. If the file is "
            "the same, read it with the ledger's coins (noise=ledger.cap_source()): fresh ones keep other records of a "
            "person at every reading. If it was registered with fresh ones, or the file has changed, register it under "
            f"another name that shares this one's budget (--same-people {row.name!r}).",
            dataset=row.name,
            changed="kept rows",
        )
    raise LedgerRefusal(
        f"the records given are not those that were registered as {row.name!r}. Give the same file, or register "
        "the new records under a new name with a total of their own (--dataset NAME --total EPSILON).",
        dataset=row.name,
        changed="records",
    )


def release_key(ledger: Ledger, row: DatasetRow, request: ReleaseRequest) -> str:
    """Made of the ledger's id, the dataset's name, the keyed hash of its records, and the request.

    Who does not have the ledger's key learns nothing about the records from it.
    """
    return digest({"ledger": ledger.id, "dataset": row.name, "content": row.content, "request": request.facts()})


def facts_of(data: ExactData) -> dict[str, Any]:
    """The public facts that a dataset keeps for life, as JSON values."""
    public = public_facts(data)
    return {
        "kind": "counts" if isinstance(data, ExactCounts) else "points",
        "frame": frame_facts(public.frame),
        "side": public.side,
        "relation": public.relation.value,
        "unit": public.unit.facts(),
        "public_rows": public.public_rows,
    }


def _register(
    name: str,
    data: ExactData,
    total: Amount,
    standin: Budget | None,
    share: float,
    ledger: Ledger,
    other_people: str,
    who: str,
    why: str,
) -> Dataset:
    known, reason = checked_name(name), checked_reason(other_people)
    if isinstance(data, SimulatedCounts):
        raise InputError("simulated data come from a stand-in and are protected already; register the real records.")
    if standin is not None:
        prepare(standin_request(standin), public_facts(data))  # refused before anything is made
    facts = facts_of(data)
    ledger.make()
    row = DatasetRow(
        name=known,
        facts=facts,
        content=data.keyed_digest(ledger.content_key),
        total=total,
        standin_share=repr(float(share)),
        who=who,
        why=writable(why),
    )
    asked, reserved = (None, None) if standin is None else _reserved(row, data, standin, ledger)
    if ledger.dataset(known) is not None:
        return _registered_before(known, data, row, ledger)
    relatives = [] if ledger.demonstration else possible_relatives(ledger, known, facts)
    mine = likeness_facts(data, ledger.content_key)
    likeness = NoteRow(kind=LIKENESS, subject=known, facts=mine, who=row.who, created=row.created)
    notice = relatives_sentence(known, relatives)

    def check(rows: Sequence[DatasetRow], equal: Sequence[str]) -> list[NoteRow]:
        """Refuse likely the same people, unless the ledger is told why they are not."""
        nonlocal notice
        alike = [] if ledger.demonstration else alike_names(known, facts, likeness.facts, rows, ledger, equal)
        refuse_alike(known, alike, reason)
        if not alike:
            return []
        notice = (
            f"the records of {known!r}, or the people in them, look like those of {', '.join(map(repr, alike))}; the "
            "ledger keeps the reason why they are others. Who is in both all the same pays for both: costs add up."
        )
        return [replace(likeness, kind=OTHER_PEOPLE, facts={"alike": alike}, why=writable(reason))]

    if not ledger.add_dataset(row, reserved, asked, [likeness], check):
        return _registered_before(known, data, row, ledger)
    if notice:
        warnings.warn(notice, SameContentWarning, stacklevel=4)
    return Dataset(name=known, row=row, ledger=ledger, data=data, notice=notice, owes_standin=reserved is not None)


def standin_request(budget: Budget) -> ReleaseRequest:
    """What is asked of the door for a stand-in."""
    return ReleaseRequest(k=_STANDIN_CLUSTERS, budget=budget, method="auto", purpose=STAND_IN)


def other_spelling(asked: str, known: str) -> str | None:
    """What is said when a dataset is found under a name that only looks like its own."""
    return None if asked == known else f"{asked!a} is taken for the registered dataset {known!a}."


def _reserved(row: DatasetRow, data: ExactData, budget: Budget, ledger: Ledger) -> tuple[str, ChargeRow]:
    request = standin_request(budget)
    prepared = prepare(request, public_facts(data))
    resolved = replace(request, method=prepared.mechanism.info.name)
    return release_key(ledger, row, request), ChargeRow(
        dataset=row.name,
        key=release_key(ledger, row, resolved),
        purpose=STAND_IN,
        amount=Amount.of(budget_spent(budget, prepared.plan)),
        request_facts=resolved.facts(),
        who=row.who,
        why=row.why,
        created=row.created,
    )


def _registered_before(name: str, data: ExactData, wanted: DatasetRow, ledger: Ledger) -> Dataset:
    present = ledger.dataset(name)
    if present is None:
        raise LedgerRefusal(f"the dataset {name!r} vanished from the ledger {str(ledger.path)!r}; restore the file.")
    check_content(present, data, ledger)
    if present.total != wanted.total:
        raise _refusal_of_total(present, wanted.total)
    if present.standin_share != wanted.standin_share:
        raise LedgerRefusal(
            f"the dataset {name!r} was registered with a stand-in share of {present.standin_share} and keeps it.",
            dataset=name,
        )
    return Dataset(name=present.name, row=present, ledger=ledger, data=data, notice=other_spelling(name, present.name))


def _refusal_of_total(row: DatasetRow, wanted: Amount) -> LedgerRefusal:
    """What is said where another total is given than the one that was registered."""
    return LedgerRefusal(
        f"the dataset {row.name!r} was registered with a total of {row.total} and keeps it; {wanted} was given. "
        "Leave the total out (--total), or give the one that was registered.",
        dataset=row.name,
    )


class SimulatedCounts(ExactCounts):
    """Post-processing of a stand-in. Nobody's record is in it; screens say *simulated*; the door refuses it."""

    __slots__ = ("standin_id",)

    standin_id: str

    def __repr__(self) -> str:
        return f"<SimulatedCounts {self.grid.side}x{self.grid.side}, from the stand-in {self.standin_id[:8]}>"
