"""Read an own file and register it as a data set; reopen it by name. The dialog is elsewhere."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpviz.domain import ExactCounts, GeoBox
from dpviz.errors import DpvizError, InputError, LedgerRefusal
from dpviz.ingest.sources import TextForm
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Who
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, SameContentWarning, looked_at_through_standin, open_dataset
from dpviz.publishing.registration import register
from dpviz.publishing.standin import make_standin, sample_from_standin
from dpviz.releases.release import Release
from dpviz.ui.own_data import unit_choice
from dpviz.ui.own_data import words as own_data_words
from dpviz.ui.own_data.recent_files import Opened, remember
from dpviz.ui.page_parts import words
from dpviz.ui.session.sources import Mode, Source, box_of

SIDE = 1024


@dataclass(frozen=True, kw_only=True)
class Wish:
    """The statements of the curator, checked before anything is read."""

    box: GeoBox
    lon: str
    lat: str
    person: str | None
    cap: int | None
    name: str
    total: Budget
    standin_share: float
    crs: str | None = None  # how coordinates are written that are no degrees
    separator: str = ""  # of rows without a line of column names, with the decimal sign
    decimal: str = ""
    as_it_is: bool = False  # the curator has seen that most rows look swapped or projected, and goes on
    same_people: str = ""  # the data set of the same people, whose budget is shared
    other_people: str = ""  # why the people are others than those that they look like


def form_of(separator: str, decimal: str) -> TextForm:
    """How rows are written that have no line of column names; nothing where they have one."""
    return TextForm(separator=separator, decimal=decimal, header=False) if separator else TextForm()


class LooksConverted(InputError):
    """Most rows would fit with `suggested_crs`; nothing was registered."""


_TYPED = re.compile(
    r"\s*\(--[^)]*\)|,? ?--[a-z-]+\b|(,? or|:) read( them)? with crs='[^']*'| with crs(?= \()|crs=(?=')"
)


def open_file(given: Any, wish: Wish) -> Source:
    """Read, register, and, in strict mode, pay for the stand-in and look at that only."""
    from dpviz.ingest import read_counts

    strict, form = _strict(wish), form_of(wish.separator, wish.decimal)
    counts = read_counts(
        given,
        box=wish.box,
        side=SIDE,
        lon=wish.lon or None,
        lat=wish.lat or None,
        person=wish.person,
        cap=wish.cap,
        weight_unit="row",
        protect=None if wish.person else "record",
        crs=wish.crs,
        separator=form.separator,
        decimal=form.decimal,
        header=form.header,
        strict=strict,
        # The ledger's coins: fresh ones would keep other records, and the same file would look changed next time.
        noise=Ledger().cap_source() if wish.person else None,
    )
    if counts.report is not None and not strict and not wish.as_it_is:
        suggested = counts.report.suggested_crs
        if suggested is not None:
            text = f"{counts.report.sentence} {' '.join(counts.report.hints)}"
            raise LooksConverted(text, suggested_crs=suggested)
    dataset, known = _registered(wish, counts)
    facts: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    if counts.report is not None and not strict:
        facts, hints = (counts.report.sentence, *_unit_told(given, wish, counts)), counts.report.hints
    notices = (dataset.notice,) if dataset.notice else ()
    source = replace(source_of(dataset, counts), facts=facts, notes=(*hints, *known, *notices))
    remember(record_of(given, wish, dataset.name))
    return source


def _unit_told(given: Any, wish: Wish, counts: ExactCounts) -> tuple[str, ...]:
    """Explain what one record is, or how many rows a cap kept. For the curator."""
    if wish.person is None or wish.cap is None or counts.report is None:
        form = form_of(wish.separator, wish.decimal)
        means = unit_choice.means_of_a_record(given, lon=wish.lon, lat=wish.lat, form=form)
        return (means,) if means else ()
    return (unit_choice.kept_of(counts.exact_total, counts.report.exact_inside, cap=wish.cap, column=wish.person),)


def record_of(given: Any, wish: Wish, name: str) -> Opened:
    """How these data were read, for the list of data that can be opened again."""
    is_path = isinstance(given, str | Path)
    return Opened(
        name=name,
        path=str(Path(given).expanduser().absolute()) if is_path else "",
        file="" if is_path else str(getattr(given, "name", "")),
        box=", ".join(f"{value!r}" for value in wish.box.as_tuple()),
        lon=wish.lon,
        lat=wish.lat,
        person=wish.person or "",
        cap=wish.cap or 0,
        crs=wish.crs or "",
        separator=wish.separator,
        decimal=wish.decimal,
    )


def reopen_file(record: Opened) -> Source:
    """Data that were opened before, read again where their file lies. Their budget and stand-in are the ledger's."""
    if not record.has_path:
        name = record.path or record.file or record.name
        raise InputError(
            (own_data_words.OWN_MOVED if record.path else own_data_words.OWN_AGAIN).format(name=record.name, file=name)
        )
    if Ledger().dataset(record.name) is None:
        raise InputError(own_data_words.OWN_UNKNOWN.format(name=record.name))
    wish = Wish(
        box=GeoBox.parse(record.box),
        lon=record.lon,
        lat=record.lat,
        person=record.person or None,
        cap=record.cap or None,
        crs=record.crs or None,
        separator=record.separator,
        decimal=record.decimal,
        as_it_is=True,
        name=record.name,
        total=Budget(epsilon=1.0),  # a known data set keeps the budget that it has
        standin_share=0.0,
    )
    return open_file(record.path, wish)


def _strict(wish: Wish) -> bool:
    return wish.standin_share > 0 or looked_at_through_standin(wish.name.strip())


def _registered(wish: Wish, counts: ExactCounts) -> tuple[Dataset, tuple[str, ...]]:
    """The data set in the ledger: a known one keeps its budget, as on the command line; a new one gets the stated."""
    ledger = Ledger()
    if ledger.dataset(wish.name.strip()) is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SameContentWarning)  # its words are shown on the page
            made = register(
                wish.name,
                counts,
                total=wish.total,
                ledger=ledger,
                standin_share=0.0 if wish.same_people else wish.standin_share,
                same_people=wish.same_people,
                other_people=wish.other_people,
            )
        return made, ()
    try:
        opened = open_dataset(wish.name, counts, ledger=ledger)
    except LedgerRefusal as refusal:
        changed = str(refusal.values.get("changed", ""))
        raise LedgerRefusal(own_data_words.OWN_OTHER.get(changed, refusal.message)) from None
    if wish.standin_share > 0 and not opened.has_standin:
        raise LedgerRefusal(own_data_words.OWN_KNOWN_PLAIN)
    return opened, (own_data_words.OWN_KNOWN,)


def own_words(problem: DpvizError) -> str:
    """Phrase an error for the page, without command-line options: the page has buttons instead."""
    return words.sentence(_TYPED.sub("", problem.message))


def source_of(dataset: Dataset, counts: ExactCounts, *, who: Who = "") -> Source:
    """Return the source to show: the data in preview mode, a sample of the stand-in in strict mode.

    If a crash interrupted the stand-in, it is sampled now, in the name of `who`.
    """
    person = counts.unit.person_column is not None
    source = Source(
        id=f"own-{dataset.name}",
        title=dataset.name,
        mode=Mode.PREVIEW,
        exact_data=counts,
        box=box_of(counts),
        unit="person" if person else "record",
        record="record",
        dataset=dataset,
    )
    if not dataset.has_standin:
        return source
    standin = make_standin(dataset, who=who)
    if not isinstance(standin, Release):
        raise InputError(own_data_words.OWN_NO_STANDIN)
    return replace(source, mode=Mode.STRICT, standin=standin, exact_data=sample_from_standin(standin))
