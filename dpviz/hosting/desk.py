"""What hosted people do with data and releases: register, open again, ask, decide. Pure: the pages draw.

Each step checks the person's role again, takes the name for the ledger from the sign-in, and never a path from anybody.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpviz.domain import ExactCounts
from dpviz.errors import InputError, LedgerRefusal
from dpviz.hosting.config import City
from dpviz.hosting.reading_process import Given, HowRead, RunningReading, Wish
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Step, Who, acting_person
from dpviz.privacy import Budget
from dpviz.publishing import approvals as second
from dpviz.publishing.approvals import ChargeRequest, NeedsApproval, Permit, Refused, ask_approval, what_is_needed
from dpviz.publishing.audit_log import HOW
from dpviz.publishing.datasets import Dataset, SameContentWarning, open_dataset
from dpviz.publishing.door import publish
from dpviz.publishing.populations import populations
from dpviz.publishing.registration import register, register_member
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest
from dpviz.series.series import (
    Series,
    ask_for_period,
    charge_of_period,
    publish_period,
    refuse_another_time_stamp,
    rows_of_series,
    series_of_request,
)

_MOST_HELD = 8


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What is stated of a new dataset beside its reading."""

    name: str
    total: Budget
    why: str = ""
    standin_share: float = 0.0
    second_person: bool = False
    population: str = ""
    when: str = ""  # the time of the records, where they belong to a population
    same_people: str = ""  # the dataset of the same people, whose budget is shared
    other_people: str = ""  # why the people are others than those of a dataset that they look like


def register_terms(terms: Terms, counts: ExactCounts, ledger: Ledger, who: Who = "") -> Dataset:
    """Enter a dataset into the ledger as it was stated; the page shows the words of the warning about its content."""
    stated: dict[str, Any] = {"ledger": ledger, "other_people": terms.other_people, "who": who, "why": terms.why}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SameContentWarning)
        if terms.population:
            return register_member(terms.name, counts, of=terms.population, when=terms.when, **stated)
        share = 0.0 if terms.same_people else terms.standin_share
        return register(
            terms.name, counts, total=terms.total, standin_share=share, same_people=terms.same_people, **stated
        )


@dataclass(frozen=True, kw_only=True)
class Ruled:
    """A population or a data set, and whether publishing of it needs a second person."""

    name: str
    needed: bool
    is_population: bool = False


class Desk:
    """The steps of one person in a house."""

    def __init__(self, house: City, person: Person, ledger: Ledger | None = None) -> None:
        self.house, self.person = house, person
        self.ledger = Ledger() if ledger is None else ledger

    # ---- data ----

    def given(self, *, source: str = "", upload: Any = None) -> Given:
        """What is to be read: data that the administrator named, or an upload within the role's limit."""
        if upload is None:
            found = self.house.source(source)
            return Given(name=found.name, place=found.place)
        acting_person(self.person, Step.READ_UPLOAD)
        most = self.house.limits.upload_bytes(self.person.roles)
        content = bytes(upload.getbuffer())
        if len(content) > most:
            raise InputError(
                f"“{upload.name}” has {len(content) / 2**20:,.1f} MB; your role may send {most // 2**20} MB."
            )
        return Given(name=Path(str(upload.name)).name, content=content)

    def register(
        self, given: Given, wish: Wish, reading: RunningReading, terms: Terms
    ) -> tuple[Dataset, tuple[str, ...]]:
        """Enter a dataset into the ledger under the steward's name, with how its records are read again."""
        who = acting_person(self.person, Step.REGISTER)
        if not terms.why.strip():
            raise InputError("say why: the ledger keeps it.")
        counts, hints = reading.counts()
        dataset = register_terms(terms, counts, self.ledger, who)
        self._note_how(dataset.name, given, wish, terms.why)
        if terms.second_person:
            second.require_second_person(dataset.name, ledger=self.ledger, who=who, why=terms.why)
        return dataset, hints if not dataset.notice else (*hints, dataset.notice)

    def _note_how(self, dataset: str, given: Given, wish: Wish, why: str) -> None:
        """Keep how the records are read again, for whoever opens or approves."""
        how = HowRead(wish=wish, source=given.name if given.place else "", file=given.name)
        if not self.ledger.notes(HOW, dataset):
            self.ledger.note(HOW, dataset, how.facts(), who=self.person.name, why=why)

    def how(self, dataset: str) -> HowRead | None:
        """How the records of a dataset were read."""
        notes = self.ledger.notes(HOW, dataset)
        return HowRead.from_facts(notes[0].facts) if notes else None

    def begin_reading(self, dataset: str, upload: Any = None) -> RunningReading:
        """Read a registered dataset again: from its named source, or from the same upload."""
        how = self.how(dataset)
        if how is None:
            raise InputError(
                f"{dataset!r} was not registered here, so it is not known how to read it; the steward can."
            )
        if not how.source and upload is None:
            raise InputError(f"the records of {dataset!r} came as the file “{how.file}”; send it again.")
        return self.reading(self.given(source=how.source, upload=None if how.source else upload), how.wish)

    def reading(self, given: Given, wish: Wish | None) -> RunningReading:
        """Begin to read; with a person cap by the ledger's coins, so that the same file stays the same."""
        return RunningReading(given, wish, self.house.limits, self.ledger.cap_source().seed or 0)

    def opened(self, dataset: str, counts: ExactCounts) -> Dataset:
        """The registered dataset with its records; other records than those registered are refused."""
        return open_dataset(dataset, counts, ledger=self.ledger)

    # ---- the second person ----

    def ruled(self) -> list[Ruled]:
        """Populations, then data sets, and whether a second person is needed for them."""
        return [
            Ruled(name=one.name, is_population=True, needed=one.name in second.rules(self.ledger))
            for one in populations(ledger=self.ledger)
        ] + [Ruled(name=row.name, needed=self.needs_second_person(row.name)) for row in self.ledger.datasets()]

    @property
    def always_needs_second_person(self) -> bool:
        """Whether everything that is published here needs a second person."""
        return second.binds_everything(self.ledger)

    def require_second_person(self, name: str, why: str) -> None:
        """Make the rule for a population or a data set. It stays."""
        if not why.strip():
            raise InputError("say why: the ledger keeps it.")
        second.require_second_person(name, ledger=self.ledger, who=self.person, why=why)

    # ---- releases ----

    def needs_second_person(self, dataset: str) -> bool:
        """Whether somebody else has to approve what is published of it."""
        return second.needs_second_person(self.ledger, dataset)

    def publish(self, dataset: Dataset, request: ReleaseRequest, **more: Any) -> Release | NoAnswer:
        """Publish as this person; the door refuses what this person may not, or may not alone."""
        return publish(dataset, request, who=self.person, even_if_answered=True, **more)  # the dialog asked first

    def what_is_needed(self, dataset: Dataset, request: ReleaseRequest) -> Permit | NeedsApproval | Refused:
        """Whether this person may publish it now."""
        return what_is_needed(self.person, ChargeRequest.of(dataset, request))

    def ask(self, dataset: Dataset, request: ReleaseRequest, why: str) -> second.ApprovalRequest:
        """Ask for approval. Records that came as an upload stay in memory until somebody decides."""
        found = ask_approval(self.person, ChargeRequest.of(dataset, request), why)
        how = self.how(dataset.name)
        if dataset.data is not None and (how is None or not how.source):
            _hold(found.id, dataset)
        return found

    # ---- periods of a series ----

    def what_a_period_needs(self, series: Series, label: str) -> Permit | NeedsApproval | Refused:
        """Whether this person may publish the period now."""
        return what_is_needed(self.person, charge_of_period(series, label))

    def wish_of_period(self, series: Series, label: str, *, time: str, lon: str = "", lat: str = "") -> Wish:
        """How the records of a period are read: by the series' own box, grid, unit and cap."""
        box, unit = series.box, series.people.unit
        return Wish(
            box=",".join(repr(float(edge)) for edge in (box.west, box.south, box.east, box.north)),
            lon=lon,
            lat=lat,
            person=unit.person_column or "",
            cap=unit.cap or 0,
            side=series.side,
            strict=True,
            period=rows_of_series(series, label, time),
        )

    def publish_period(
        self, series: Series, label: str, given: Given, wish: Wish, reading: RunningReading, why: str
    ) -> Release | NoAnswer | second.ApprovalRequest:
        """Publish the period that was read; where a second person is needed, ask for approval instead."""
        assert wish.period is not None
        acting_person(self.person, Step.PUBLISH)  # before anything is noted
        needed = self.what_a_period_needs(series, label)
        if wish.period != rows_of_series(series, label, wish.period.time):
            raise LedgerRefusal(
                f"{series.name!r} has published another period since these records were read for {wish.period.label}, "
                "and which rows count may depend on it. Nothing was charged or drawn; read them again.",
                series=series.name,
            )
        counts, _ = reading.counts()
        refuse_another_time_stamp(series, label, wish.period.time, reading.clock)
        if not isinstance(needed, NeedsApproval):
            outcome = publish_period(series, label, counts, who=self.person, why=why)
            self._note_how(str(outcome.dataset), given, wish, why)
            return outcome
        asked = ask_for_period(series, label, counts, who=self.person, why=why)
        self._note_how(asked.dataset, given, wish, why)
        if not given.place:
            _hold(asked.id, self.opened(asked.dataset, counts))
        return asked

    # ---- the answer to a request ----

    def needs_reading(self, asked: second.ApprovalRequest) -> bool:
        """Whether the records have to be read again before this can be published."""
        return asked.id not in _HELD

    def approve(self, asked: second.ApprovalRequest, counts: ExactCounts | None, why: str = "") -> Release | NoAnswer:
        """Approve and publish: the fresh draw is made now. Who approves sees no record."""
        acting_person(self.person, Step.DECIDE)
        dataset = _HELD.get(asked.id) if counts is None else self.opened(asked.dataset, counts)
        if dataset is None:
            raise InputError(f"the records of this request are not held here any more; {asked.who} can ask again.")
        if asked.request.period is None:
            second.approve(self.ledger, asked.id, who=self.person, why=why)
            outcome = publish(dataset, asked.request, who=self.person, why=asked.why, even_if_answered=True)
        else:
            series, label = series_of_request(asked.request, ledger=self.ledger)
            second.approve(self.ledger, asked.id, who=self.person, why=why)
            assert isinstance(dataset.data, ExactCounts)
            outcome = publish_period(series, label, dataset.data, who=self.person, why=asked.why)
        _HELD.pop(asked.id, None)
        return outcome

    def refuse(self, asked: second.ApprovalRequest, why: str) -> second.ApprovalRequest:
        """Refuse, with the reason that who asked will read."""
        found = second.refuse(self.ledger, asked.id, who=self.person, why=why)
        _HELD.pop(asked.id, None)
        return found


_HELD: OrderedDict[str, Dataset] = OrderedDict()  # exact; in this process only, until somebody decides


def _hold(number: str, dataset: Dataset) -> None:
    _HELD[number] = dataset
    while len(_HELD) > _MOST_HELD:
        _HELD.popitem(last=False)
