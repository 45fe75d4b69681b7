"""Populations: the people behind several datasets, with one budget over a window of time.

A dataset may name its population when it is registered; what is then published of it is charged to the population's
window, whatever the dataset is called. Everything stands in the ledger as notes: who is added stays.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpviz.domain import Adjacency, Unit
from dpviz.errors import InputError, LedgerRefusal
from dpviz.ledger.ledger import Ledger, LedgerLike, as_ledger
from dpviz.ledger.persons import Step, Who, acting_person
from dpviz.ledger.rows import Amount, ChargeRow, checked_name, remaining_of, same_look
from dpviz.privacy import Budget, rho_within
from dpviz.privacy.accountant import Account
from dpviz.privacy.windows import Spending, Together, fits, window_account
from dpviz.publishing.record_similarity import MEMBER, POPULATION
from dpviz.releases.period import ALWAYS, WINDOWS, YEAR, kind_of, years_of
from dpviz.releases.request import ReleaseRequest


@dataclass(frozen=True, kw_only=True)
class Population:
    """The people: what all releases about one of them may cost in one window. `at_most`: periods per person."""

    name: str
    whole: Budget
    window: str
    unit: Unit
    at_most: int | None = None

    @property
    def together(self) -> Together:
        """How periods meet in one unit: a record lies in one period, a person may stand in all."""
        return Together(disjoint=self.unit.cap is None, relation=Adjacency.ADD_REMOVE_ONE, at_most=self.at_most)

    def facts(self) -> dict[str, Any]:
        """Plain values for the ledger."""
        return {
            "epsilon": repr(self.whole.epsilon),
            "delta": repr(self.whole.delta),
            "window": self.window,
            "unit": self.unit.facts(),
            "at_most": self.at_most,
        }

    @classmethod
    def from_facts(cls, name: str, facts: Mapping[str, Any]) -> Population:
        """The population of this name that `facts` wrote."""
        return cls(
            name=name,
            whole=Budget(epsilon=float(facts["epsilon"]), delta=float(facts["delta"])),
            window=str(facts["window"]),
            unit=Unit.from_facts(facts["unit"]),
            at_most=facts["at_most"],
        )


@dataclass(frozen=True, kw_only=True)
class Membership:
    """A dataset's place: its population, the window, and the period where it has one."""

    population: str
    window: str
    period: str | None
    when: str | None = field(default=None, compare=False)  # the time of the records, as it was given

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Membership:
        """The place that a note of the ledger tells."""
        return cls(
            population=str(facts["population"]),
            window=str(facts["window"]),
            period=facts["period"],
            when=facts.get("when", facts["period"]),  # notes of before hold it of periods alone
        )

    def windows(self, together: Together) -> frozenset[str]:
        """Its window, and where units are records of one time the years of its days (docs/proofs/series.md, 7)."""
        if self.when is None or self.window == ALWAYS or not together.disjoint:
            return frozenset((self.window,))
        return years_of(self.when) | {self.window}


def begin_population(
    name: str,
    *,
    whole: Budget,
    unit: Unit,
    window: str = YEAR,
    at_most: int | None = None,
    ledger: LedgerLike = None,
    who: Who = "",
    why: str = "",
) -> Population:
    """Register a population with what one of its units may be charged in a window; the same again changes nothing."""
    book, person = as_ledger(ledger), acting_person(who, Step.REGISTER)
    if window not in WINDOWS:
        raise InputError(f"window={window!r}: give 'year' (renewed every January) or 'always' (never renewed).")
    known = known_name(book, POPULATION, name)
    wanted = Population(name=known, whole=whole, window=window, unit=unit, at_most=at_most)
    wanted.together  # noqa: B018 - refuses what means nothing before anything is written
    present = find_population(known, ledger=book)
    if present is None:
        book.note(POPULATION, known, wanted.facts(), who=person.name, why=why)
        return wanted
    if present != wanted:
        raise LedgerRefusal(
            f"the population {known!r} was registered with epsilon {present.whole.epsilon:g} per {present.window} for "
            f"{present.unit}, and keeps that. Leave the budget out, or begin a population of other people.",
            population=known,
        )
    return present


def find_population(name: str, *, ledger: LedgerLike = None) -> Population | None:
    """The population of this name; one whose name only looks the same (spaces, case, letters) is found too."""
    book = as_ledger(ledger)
    notes = book.notes(POPULATION, known_name(book, POPULATION, name))
    if not notes:
        return None
    return Population.from_facts(notes[0].subject, notes[0].facts)  # the first note counts: it keeps what that says


def population(name: str, *, ledger: LedgerLike = None) -> Population:
    """The population of this name, or a sentence that says how to begin one."""
    found = find_population(name, ledger=ledger)
    if found is None:
        raise InputError(
            f"no population {name!r} is registered in this ledger; begin one with its budget (dpviz.begin_population, "
            "dpviz series begin)."
        )
    return found


def known_name(ledger: Ledger, kind: str, name: str) -> str:
    """The name under which a population or a series stands already, where this one looks the same; else this one."""
    wanted = checked_name(name)
    alike = same_look(wanted, dict.fromkeys(note.subject for note in ledger.notes(kind)))
    if len(alike) > 1:
        raise LedgerRefusal(f"the name {name!a} looks like {', '.join(map(ascii, alike))}; write it as one of them.")
    return alike[0] if alike else wanted


def populations(*, ledger: LedgerLike = None) -> list[Population]:
    """All populations in the order of their registration."""
    book = as_ledger(ledger)
    names = dict.fromkeys(note.subject for note in book.notes(POPULATION))
    return [population(name, ledger=book) for name in names]


def membership(ledger: Ledger, dataset: str) -> Membership | None:
    """A dataset's place in a population; the first one noted counts."""
    notes = ledger.notes(MEMBER, dataset)
    if not notes:
        return None
    return Membership.from_facts(notes[0].facts)


def share_budget(ledger: Ledger, name: str, *, who: Who = "", why: str = "") -> Membership:
    """The place of a registered dataset whose budget others are to share; one without a population begins one.

    That population has the dataset's total, for all time, and what the dataset spent so far counts in it.
    """
    person, row = acting_person(who, Step.REGISTER), ledger.dataset(checked_name(name))
    if row is None:
        raise InputError(f"no dataset {name!r} is registered in this ledger; give the name of one that is.")
    place = membership(ledger, row.name)
    if place is not None:
        return place
    if row.facts["relation"] != Adjacency.ADD_REMOVE_ONE.value or ledger.demonstration:
        raise LedgerRefusal(
            f"the dataset {row.name!r} is registered with the relation 'replace' or for demonstration, and shares its "
            "budget with no other. Publish from that dataset. Nothing was charged or registered.",
            dataset=row.name,
        )
    whole = Budget(epsilon=float(row.total.epsilon), delta=float(row.total.delta))
    unit = Unit.from_facts(row.facts["unit"])
    called = f"people of {row.name}"
    people = begin_population(called, whole=whole, unit=unit, window=ALWAYS, ledger=ledger, who=who, why=why)
    facts = {"population": people.name, "window": ALWAYS, "period": None, "when": row.created[:4]}
    ledger.note(MEMBER, row.name, facts, who=person.name, why=why)
    return Membership(population=people.name, window=ALWAYS, period=None, when=row.created[:4])


def spent_in_window(people: Population, window: str, *, ledger: LedgerLike = None) -> Account:
    """What all releases about one unit of the population come to in this window."""
    book = as_ledger(ledger)
    return window_account(_spendings(book, people, window), people.together, delta=people.whole.delta)


def remaining_in_window(ledger: Ledger, dataset: str) -> Amount | None:
    """What a dataset's population may still spend in its window; None for a dataset without a population."""
    place = membership(ledger, dataset)
    if place is None:
        return None
    people = population(place.population, ledger=ledger)
    spent = spent_in_window(people, place.window, ledger=ledger)
    left = max(Fraction(repr(people.whole.epsilon)) - Fraction(repr(round(spent.epsilon, 9))), Fraction(0))
    shared = Amount(epsilon=left, delta=Fraction(repr(people.whole.delta)))
    row = ledger.dataset(dataset)
    if row is None or not _binds(row.total, people):
        return shared
    own = ledger.remaining(dataset)
    return Amount(epsilon=min(own.epsilon, shared.epsilon), delta=min(own.delta, shared.delta))


def windows_of(people: Population, *, ledger: LedgerLike = None) -> list[str]:
    """The windows in which something was registered."""
    places = _places(as_ledger(ledger))
    mine = [place for place in places.values() if place.population == people.name]
    found = {window for place in mine for window in place.windows(people.together)}
    return sorted(found - {ALWAYS}) + sorted(found & {ALWAYS})


def allowance(ledger: Ledger, charge: ChargeRow) -> Callable[[sqlite3.Connection], Amount]:
    """For the door: what may still be spent on a dataset, with its population where it has one."""

    def what_remains(connection: sqlite3.Connection) -> Amount:
        """Inside the transaction of the charge, so that two charges cannot both be the last.

        A dataset can get a population at any time (`share_budget`), so that is read here as well.
        """
        notes = connection.execute("SELECT subject, facts FROM notes WHERE kind = ? ORDER BY number", (MEMBER,))
        listed = _first_places((str(row["subject"]), json.loads(row["facts"])) for row in notes)
        place = listed.get(charge.dataset)
        if place is None:
            return remaining_of(connection, charge.dataset)
        people = population(place.population, ledger=ledger)
        rows = connection.execute("SELECT dataset, epsilon, delta, request FROM charges").fetchall()
        wanted = _spending(place, people.together, *charge.amount.text(), charge.request)
        for window in sorted(place.windows(people.together)):
            members = {name: other for name, other in listed.items() if _counts_in(other, people, window)}
            spent = [
                _spending(members[row["dataset"]], people.together, row["epsilon"], row["delta"], _asked(row))
                for row in rows
                if row["dataset"] in members
            ]
            if not fits([*spent, wanted], people.together, people.whole):
                raise _refused(people, window, spent, wanted)
        total = connection.execute(
            "SELECT total_epsilon, total_delta FROM datasets WHERE name = ?", (charge.dataset,)
        ).fetchone()
        if _binds(Amount.parse(total["total_epsilon"], total["total_delta"]), people):
            return remaining_of(connection, charge.dataset)
        return charge.amount

    return what_remains


def _binds(total: Amount, people: Population) -> bool:
    """Whether a dataset was registered with a total of its own, which then holds beside the window's budget."""
    return total != Amount.of(people.whole)


def _refused(people: Population, window: str, spent: Sequence[Spending], wanted: Spending) -> LedgerRefusal:
    delta = people.whole.delta
    before = window_account(spent, people.together, delta=delta).epsilon
    after = window_account([*spent, wanted], people.together, delta=delta).epsilon
    when = f"in {window}" if window != ALWAYS else "in all"
    return LedgerRefusal(
        f"the ledger refuses: the population {people.name!r} may spend epsilon {people.whole.epsilon:g} {when}, has "
        f"spent {before:g}, and this release would bring it to {after:g}. Nothing was charged or drawn. Ask for less, "
        "wait for the next window, or ask again for what was published before, which costs nothing.",
        part="epsilon",
        population=people.name,
        requested=wanted.epsilon,
        remaining=max(people.whole.epsilon - before, 0.0),
    )


def _places(ledger: Ledger) -> dict[str, Membership]:
    return _first_places((note.subject, note.facts) for note in ledger.notes(MEMBER))


def _first_places(notes: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Membership]:
    """Where each dataset belongs: the first note about it counts."""
    found: dict[str, Membership] = {}
    for dataset, facts in notes:
        found.setdefault(dataset, Membership.from_facts(facts))
    return found


def _counts_in(place: Membership, people: Population, window: str) -> bool:
    return place.population == people.name and window in place.windows(people.together)


def _spendings(ledger: Ledger, people: Population, window: str) -> list[Spending]:
    places = {name: place for name, place in _places(ledger).items() if _counts_in(place, people, window)}
    return [
        _spending(places[charge.dataset], people.together, *charge.amount.text(), charge.request)
        for charge in ledger.charges()
        if charge.dataset in places
    ]


def _asked(row: sqlite3.Row) -> ReleaseRequest:
    return ReleaseRequest.from_facts(json.loads(row["request"]))


def _spending(place: Membership, together: Together, epsilon: str, delta: str, request: ReleaseRequest) -> Spending:
    """A charge as the account of a window sees it; ρ where the method drew Gaussian noise of that ρ alone.

    Periods that may hold the same records are of different tracks (docs/proofs/series.md, section 6). Persons are
    counted in their first periods by series only: what is no series is added for everybody.
    """
    rho, period = None, request.period
    if float(delta) > 0 and request.method == "series_cells" and period is not None and period.previous:
        rho = rho_within(request.budget)
    series = "" if period is None else period.series
    if place.period is None or (together.at_most is not None and not series):
        return Spending(epsilon=float(epsilon), delta=float(delta), rho=rho)
    # Months never overlap months, and they do overlap weeks; whose first periods count is a series' own rule.
    track = kind_of(place.period) if together.disjoint else series
    return Spending(epsilon=float(epsilon), delta=float(delta), rho=rho, period=place.period, track=track)
