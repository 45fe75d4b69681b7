"""A series: one population, one box, one k, published period after period with everything kept.

A series is begun once; `publish_period` then needs the records and the period's name alone. Each period is a dataset of
the population, charged to the window; it builds on the cells of the period before, which are public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.domain import ExactCounts, GeoBox, Unit
from dpviz.errors import InputError, LedgerRefusal
from dpviz.ledger.ledger import Ledger, LedgerLike, as_ledger
from dpviz.ledger.persons import Step, Who, acting_person
from dpviz.ledger.rows import person_at_work
from dpviz.life.feed import PUBLISHED_STATE
from dpviz.life.publications import publications
from dpviz.privacy import Budget
from dpviz.privacy.windows import Schedule, schedule
from dpviz.publishing.approvals import ApprovalRequest, ChargeRequest, ask_approval, check_asking, permit
from dpviz.publishing.datasets import Dataset, release_key
from dpviz.publishing.door import publish
from dpviz.publishing.populations import Population, begin_population, known_name, population
from dpviz.publishing.record_similarity import POPULATION
from dpviz.publishing.registration import register_member
from dpviz.releases.about import About
from dpviz.releases.period import ALWAYS, LABELS, OFFSETS, YEAR, Period, checked_label, days_of, in_words, window_of
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest, checked_k

if TYPE_CHECKING:
    from dpviz.ingest.periods import PeriodRows


SERIES = "series"
_PERIODS_OF_A_YEAR = {"day": 366, "week": 53, "month": 12}
METHOD = "series_cells"


@dataclass(frozen=True, kw_only=True, eq=False)
class Series:
    """What every period of a series keeps."""

    name: str
    people: Population
    box: GeoBox
    side: int
    k: int
    every: str
    periods: int  # of one window
    first_share: float | None
    ledger: Ledger = field(repr=False)

    @property
    def divided(self) -> Schedule:
        """How a window's budget is divided among its periods."""
        return schedule(self.people.whole, self.periods, together=self.people.together, first_share=self.first_share)

    def published(self) -> list[PublishedPeriod]:
        """The periods that were charged, in their order, with their releases where these are stored."""
        return [
            PublishedPeriod(period=period, dataset=charge.dataset, id=charge.key if charge.stored else None)
            for charge in self.ledger.charges()
            if (period := charge.request.period) is not None and period.series == self.name
        ]

    def next_label(self) -> str | None:
        """The period after the last one by the calendar; None before the first."""
        labels = [one.period.label for one in self.published()]
        return label_after(max(labels), self.every) if labels else None

    def facts(self) -> dict[str, Any]:
        """Plain values for the ledger."""
        return {
            "population": self.people.name,
            "box": [self.box.west, self.box.south, self.box.east, self.box.north],
            "side": self.side,
            "k": self.k,
            "every": self.every,
            "periods": self.periods,
            "first_share": self.first_share,
        }


@dataclass(frozen=True, kw_only=True)
class PublishedPeriod:
    """A period of a series, as its charge states it, and its release's id once it is stored."""

    period: Period
    dataset: str
    id: str | None


def begin_series(
    name: str,
    *,
    people: str,
    whole: Budget,
    box: GeoBox,
    k: int,
    side: int = 256,
    every: str = "month",
    unit: Unit = Unit(),  # noqa: B008 - frozen: one record
    window: str = YEAR,
    periods: int | None = None,
    at_most: int | None = None,
    first_share: float | None = None,
    ledger: LedgerLike = None,
    who: Who = "",
    why: str = "",
) -> Series:
    """Begin a series about a population, which is begun as well when the ledger does not know it.

    `whole` is what all releases about one unit may cost in one window. The same again changes nothing.
    """
    book = as_ledger(ledger)
    known = known_name(book, SERIES, name)
    if every not in LABELS:
        raise InputError(f"every={every!r}: a series is made every 'day', 'week' or 'month'.")
    named = known_name(book, POPULATION, people)
    series = Series(
        name=known,
        people=Population(name=named, whole=whole, window=window, unit=unit, at_most=at_most),
        box=box,
        side=side,
        k=checked_k(k),
        every=every,
        periods=_PERIODS_OF_A_YEAR[every] if periods is None else periods,
        first_share=first_share,
        ledger=book,
    )
    series.divided  # noqa: B018 - a division that means nothing is refused before anything is written
    notes = book.notes(SERIES, known)
    if notes and notes[0].facts != series.facts():
        raise LedgerRefusal(
            f"the series {known!r} was begun with another population, box, grid, k or rhythm, and keeps them.",
            series=known,
        )
    begin_population(people, whole=whole, unit=unit, window=window, at_most=at_most, ledger=book, who=who, why=why)
    if not notes:
        book.note(SERIES, known, series.facts(), who=acting_person(who, Step.REGISTER).name, why=why)
    return series


def open_series(name: str, *, ledger: LedgerLike = None) -> Series:
    """A series by its name."""
    book = as_ledger(ledger)
    known = known_name(book, SERIES, name)
    notes = book.notes(SERIES, known)
    if not notes:
        others = ", ".join(map(repr, dict.fromkeys(note.subject for note in book.notes(SERIES))))
        hint = f" Known are {others}." if others else ""
        raise InputError(f"no series {known!r} is begun in this ledger; begin it (dpviz series begin).{hint}")
    facts: Mapping[str, Any] = notes[0].facts
    west, south, east, north = facts["box"]
    return Series(
        name=known,
        people=population(str(facts["population"]), ledger=book),
        box=GeoBox(west=west, south=south, east=east, north=north),
        side=int(facts["side"]),
        k=int(facts["k"]),
        every=str(facts["every"]),
        periods=int(facts["periods"]),
        first_share=facts["first_share"],
        ledger=book,
    )


def all_series(*, ledger: LedgerLike = None) -> list[Series]:
    """Every series of a ledger."""
    book = as_ledger(ledger)
    return [open_series(name, ledger=book) for name in dict.fromkeys(note.subject for note in book.notes(SERIES))]


def publish_period(
    series: Series, label: str, data: ExactCounts, *, who: Who = "", why: str = "", about: About | None = None
) -> Release | NoAnswer:
    """Publish one period: the records whose own time stamps lie in it, on the series' box and grid.

    The same period again gives the stored release and spends nothing. Its budget follows from its place in the window.
    `about` are its public words; left out, it is titled by its period and keeps the other words of the one before.
    """
    _refuse_other_ground(series, data)
    wanted = charge_of_period(series, label)
    if label not in {one.period.label for one in series.published()}:
        permit(who, wanted)  # before the period is registered: a refusal leaves nothing behind
    dataset = _register_period(series, label, data, who, why)
    return publish(dataset, wanted.request, who=who, why=why, about=about or _words_of(series, label))


def ask_for_period(
    series: Series, label: str, data: ExactCounts, *, who: Who = "", why: str, how: Mapping[str, Any] | None = None
) -> ApprovalRequest:
    """Ask somebody else to approve a period. It is registered with its records; nothing is charged or drawn."""
    _refuse_other_ground(series, data)
    wanted = charge_of_period(series, label)
    check_asking(who, wanted, why)
    dataset = _register_period(series, label, data, who, why)
    return ask_approval(who, replace(wanted, dataset=dataset.name, key=dataset.key_of(wanted.request)), why, how)


def charge_of_period(series: Series, label: str) -> ChargeRequest:
    """Return the charge that publishing this period asks for. Its key is known once its records are registered."""
    period, dataset = find_period(series, label), _dataset_name(series, label)
    budget, row = series.divided.budget(period.number), series.ledger.dataset(dataset)
    request = ReleaseRequest(k=series.k, budget=budget, method=METHOD, period=period)
    key = "" if row is None else release_key(series.ledger, row, request)
    return ChargeRequest(ledger=series.ledger, dataset=dataset, key=key, request=request)


def series_of_request(request: ReleaseRequest, *, ledger: LedgerLike = None) -> tuple[Series, str]:
    """The series and the label of a period that was asked for; refused where another period came in between."""
    assert request.period is not None
    series, label = open_series(request.period.series, ledger=ledger), request.period.label
    if charge_of_period(series, label).request != request:
        raise LedgerRefusal(
            f"{series.name!r} has published another period since {label} was asked for, and periods build on each "
            "other. Nothing was charged or drawn; ask for this period again.",
            series=series.name,
        )
    return series, label


def budget_of_next(series: Series, label: str) -> Budget:
    """What publishing this period would be charged."""
    known = _published_period(series, label)
    return series.divided.budget(_number_in_window(series, label) if known is None else known.number)


def find_period(series: Series, label: str) -> Period:
    """The period as it was published, or as it would be now; refuses one that is too late or of another rhythm."""
    return _published_period(series, label) or _new_period(series, label, series.published())


def _published_period(series: Series, label: str) -> Period | None:
    checked_label(label, series.every)
    return next((one.period for one in series.published() if one.period.label == label), None)


def label_after(label: str, every: str) -> str:
    """The period after this one by the calendar."""
    after = date.fromisoformat(days_of(label)[1]) + timedelta(days=1)
    year, week, _ = after.isocalendar()
    return {"month": f"{after:%Y-%m}", "week": f"{year:04d}-W{week:02d}"}.get(every, after.isoformat())


def _words_of(series: Series, label: str) -> About:
    """Title and days of a period; licence, contact and what else the last published one says."""
    names = {one.dataset for one in series.published()}
    before = [one for one in publications(series.ledger) if one.dataset in names and one.state == PUBLISHED_STATE]
    kept = About.from_facts(before[-1].about) if before else About()
    start, end = days_of(label)
    return replace(kept, title=f"{series.name}, {in_words(label)}", period_start=start, period_end=end)


def _register_period(series: Series, label: str, data: ExactCounts, who: Who, why: str) -> Dataset:
    """The period's dataset, registered the first time."""
    return register_member(
        _dataset_name(series, label),
        data,
        of=series.people.name,
        when=label,
        period=True,
        ledger=series.ledger,
        who=who,
        why=why,
        step=Step.PUBLISH,  # the steward registered the series; its periods are the publisher's
    )


def _new_period(series: Series, label: str, before: list[PublishedPeriod]) -> Period:
    unfinished = [one.period.label for one in before if one.id is None]
    if unfinished:
        raise LedgerRefusal(
            f"the period {unfinished[0]} of {series.name!r} was charged and not stored (an interruption); publish it "
            "first: the same command completes it and charges nothing more.",
            series=series.name,
        )
    later = [one.period.label for one in before if one.period.label > label]
    if later:
        raise InputError(
            f"the period {max(later)} of {series.name!r} is published already, and periods build on each other: "
            f"{label} comes too late. Publish it outside the series, or go on with {series.next_label()}."
        )
    people = series.people
    return Period(
        series=series.name,
        label=label,
        number=_number_in_window(series, label),
        population=people.name,
        window=window_of(label, people.window),
        whole_epsilon=repr(people.whole.epsilon),
        whole_delta=repr(people.whole.delta),
        disjoint=people.together.disjoint,
        at_most=people.at_most,
        previous=before[-1].id if before else None,
    )


def _number_in_window(series: Series, label: str) -> int:
    window = window_of(label, series.people.window)
    return sum(one.period.window == window for one in series.published())


def _dataset_name(series: Series, label: str) -> str:
    return f"{series.name} {label}"


def _refuse_other_ground(series: Series, data: Any) -> None:
    if not isinstance(data, ExactCounts):
        raise InputError(f"a period is counted on the series' grid; these data are {type(data).__name__}.")
    if data.grid.box != series.box or data.grid.side != series.side:
        raise InputError(
            f"the series {series.name!r} has the box {series.box} and {series.side} cells a side, and these counts "
            "have others; read the records with those (series.box, series.side)."
        )


READING = "series reading"
_CLOCK = "series clock"  # the kind of the notes on the column of dates and its time zone


@dataclass(frozen=True, kw_only=True)
class Records:
    """Where the records of a series lie, and which columns hold their dates and places (guessed where None)."""

    files: tuple[str, ...]
    time: str
    lon: str | None = None
    lat: str | None = None


def rows_of_series(series: Series, label: str, time: str) -> PeriodRows:
    """Which rows of a source are a period of this series."""
    from dpviz.ingest.periods import PeriodRows

    window, published = window_of(label, series.people.window), [one.period for one in series.published()]
    return PeriodRows(
        label=label,
        every=series.every,
        time=time,
        at_most=series.people.at_most,
        window="" if window == ALWAYS else window,
        earlier=tuple(sorted({one.label for one in published if one.window == window and one.label < label})),
    )


def counts_of_period(
    series: Series, label: str, source: Any, *, time: str, lon: str | None = None, lat: str | None = None
) -> ExactCounts:
    """The rows whose date lies in the period, capped with the ledger's coins where persons are protected."""
    from dpviz.ingest.periods import count_period

    counts, clock = count_period(
        source,
        rows_of_series(series, label, time),
        box=series.box,
        side=series.side,
        unit=series.people.unit,
        lon=lon,
        lat=lat,
        noise=series.ledger.cap_source(),
    )
    refuse_another_time_stamp(series, label, time, clock)
    return counts


def refuse_another_time_stamp(series: Series, label: str, time: str, clock: str) -> None:
    """A record has one time stamp: by two columns, or two clocks, it could lie in two periods (series.md, section 2).

    Noted with its period before anything is published; what was read and not published binds nobody.
    """
    people = series.people
    if not people.together.disjoint and people.at_most is None:
        return  # periods add up, whoever stands in them
    alike = (one for one in all_series(ledger=series.ledger) if one.people.name == people.name)
    for column, other in filter(None, map(_time_stamp, alike)):
        if column != time:
            raise InputError(
                f"the periods of the population {people.name!r} are told by the column {column!r}, and {time!r} is "
                "another one: by two columns a record could lie in two periods. Give --time "
                f"{column}, or name the column so if it is the same in other files."
            )
        if other not in (None, clock):
            raise InputError(
                f"the times in {time!r} are {_clock_in_words(clock)}, and those of the periods published before were "
                f"{_clock_in_words(str(other))}: by two clocks a record could lie in two periods. Give files whose "
                "times are as they were."
            )
    facts = {"time": time, "clock": clock, "period": label}
    noted = series.ledger.notes(_CLOCK, series.name)
    if not noted or dict(noted[-1].facts) != facts:
        series.ledger.note(_CLOCK, series.name, facts)


def _time_stamp(series: Series) -> tuple[str, str | None] | None:
    """The column of dates by which a series is read, and its clock where known; None before its first period."""
    published = {one.period.label for one in series.published()}
    notes = [note.facts for note in series.ledger.notes(_CLOCK, series.name)]
    # Notes of before name no period.
    counted = [facts for facts in notes if published and facts.get("period") in {None, *published}]
    if counted:
        return str(counted[-1]["time"]), str(counted[-1]["clock"])
    records = last_records(series)
    return None if records is None else (records.time, None)


def _clock_in_words(clock: str) -> str:
    return {"": "without a time zone", OFFSETS: "written with their offsets"}.get(clock, f"in the time zone {clock}")


def records_of(files: Sequence[str], *, time: str, lon: str | None = None, lat: str | None = None) -> Records:
    """These files under their full names, so that they are found again from another folder."""
    full = tuple(file if "://" in file else str(Path(file).expanduser().absolute()) for file in files)
    return Records(files=full, time=time, lon=lon, lat=lat)


def remember_records(series: Series, records: Records, *, who: str = "") -> None:
    """Note where the records lie, for the next period. The note stays in the ledger and is not published."""
    if last_records(series) != records:
        series.ledger.note(READING, series.name, asdict(records), who=person_at_work(who))


def last_records(series: Series) -> Records | None:
    """Where the records of the last period lay; None before the first."""
    notes = series.ledger.notes(READING, series.name)
    if not notes:
        return None
    facts = notes[-1].facts
    return Records(files=tuple(facts["files"]), time=str(facts["time"]), lon=facts["lon"], lat=facts["lat"])
