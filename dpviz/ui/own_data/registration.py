"""Read an own file and register it as a data set; reopen it by name. The dialog is elsewhere."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpviz.domain import ExactCounts
from dpviz.domain.parts import Parts
from dpviz.errors import DpvizError, InputError, LedgerRefusal
from dpviz.hosting.desk import Terms, register_terms
from dpviz.hosting.reading_process import OWN_LIMITS, Given, RunningReading, Wish
from dpviz.language.speaking import told as _
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Who
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, looked_at_through_standin, open_dataset
from dpviz.publishing.standin import make_standin, sample_from_standin
from dpviz.releases.paths import default_ledger_path
from dpviz.releases.release import Release
from dpviz.ui.own_data import dialog_form, words as say
from dpviz.ui.page_parts import words
from dpviz.ui.session.sources import Mode, Source, box_of

_TYPED = re.compile(
    r"\s*\(--[^)]*\)|,? ?--[a-z-]+\b|(,? or|:) read( them)? with crs='[^']*'| with crs(?= \()|crs=(?=')"
)


class LooksConverted(InputError):
    """Most rows would fit with `suggested_crs`; nothing was registered."""


def open_file(
    given: Any,
    wish: Wish,
    terms: Terms,
    *,
    as_it_is: bool = False,
    follow: Callable[[RunningReading, str], None] = lambda reading, name: None,
) -> Source:
    """Read, register, and, in strict mode, pay for the stand-in and look at that only.

    `as_it_is`: the curator has seen that most rows look swapped or projected, and goes on.
    """
    wish = replace(wish, strict=terms.standin_share > 0 or looked_at_through_standin(terms.name.strip()))
    if isinstance(given, str | Path):
        path = str(Path(given).expanduser().absolute())
        found, opened = Given(name=path, place=path, is_own=True), Opened(name=terms.name.strip(), path=path, wish=wish)
    else:
        found = Given(name=given.name, content=bytes(given.getbuffer()), is_own=True)
        opened = Opened(name=terms.name.strip(), file=given.name, wish=wish)
    # The ledger's coins: fresh ones would keep other records, and the same file would look changed next time.
    reading = RunningReading(found, wish, OWN_LIMITS, Ledger().cap_source().seed or 0 if wish.person else 0)
    follow(reading, Path(found.name).name)
    counts, hints = reading.counts()
    report, facts = reading.report, []
    if report and report["suggested_crs"] is not None and not as_it_is:
        raise LooksConverted(f"{report['sentence']} {' '.join(hints)}", suggested_crs=report["suggested_crs"])
    dataset, known = _register(terms, counts)
    if report:
        means = (  # for the curator: how many rows a cap kept, or what one record is
            dialog_form.kept_of(counts.exact_total, report["inside"], cap=wish.cap, column=wish.person)
            if wish.person
            else dialog_form.means_of_a_record(given, lon=wish.lon, lat=wish.lat, form=wish.form)
        )
        facts = [report["sentence"], means]
    if wish.parts is not None:
        told = _("They are published as {many} maps by {by}; here all are shown together.")
        facts.append(told.format(many=len(wish.parts.names), by=words.as_text(wish.parts.by)))
    notes = (*hints, *known, *([dataset.notice] if dataset.notice else []))
    source = replace(source_of(dataset, counts, parts=wish.parts), facts=tuple(filter(None, facts)), notes=notes)
    remember(replace(opened, name=dataset.name))
    return source


def reopen_file(record: Opened) -> Source:
    """Data that were opened before, read again where their file lies. Their budget and stand-in are the ledger's."""
    if not record.has_path:
        name = record.path or record.file or record.name
        raise InputError(
            (
                _(
                    "The file of “{name}” is not where it was ({file}). Choose “Use your own data” "
                    "and say where it is now"
                )
                if record.path
                else _(
                    "“{name}” came through the browser, which tells no program where a file lies. "
                    "To go on with it, choose “Use your own data” and give the same file again; its "
                    "privacy budget and its made-up data are kept"
                )
            ).format(name=record.name, file=name)
        )
    if Ledger().dataset(record.name) is None:
        raise InputError(
            _(
                "“{name}” does not stand in the book of what was given away (the ledger), perhaps because the book was "
                "moved. Choose “Use your own data” to open it anew; what was published before is still out, and adds up"
            ).format(name=record.name)
        )
    # A known data set keeps the budget that it has.
    return open_file(record.path, record.wish, Terms(name=record.name, total=Budget(epsilon=1.0)), as_it_is=True)


def _register(terms: Terms, counts: ExactCounts) -> tuple[Dataset, tuple[str, ...]]:
    """The data set in the ledger: a known one keeps its budget, as on the command line; a new one gets the stated."""
    ledger = Ledger()
    if ledger.dataset(terms.name.strip()) is None:
        return register_terms(terms, counts, ledger), ()
    try:
        opened = open_dataset(terms.name, counts, ledger=ledger)
    except LedgerRefusal as refusal:
        raise LedgerRefusal(say.OWN_OTHER.get(str(refusal.values.get("changed")), refusal.message)) from None
    if terms.standin_share > 0 and not opened.has_standin:
        raise LedgerRefusal(
            _(
                "A data set of this name was opened before without strict preview, so somebody "
                "may have seen its records. Give another name for a strict preview."
            )
        )
    return opened, (_("This data set was opened before. It keeps the privacy budget that it got then."),)


def own_words(problem: DpvizError) -> str:
    """Phrase an error for the page, without command-line options: the page has buttons instead."""
    return words.sentence(_TYPED.sub("", problem.message))


def source_of(dataset: Dataset, counts: ExactCounts, *, parts: Parts | None = None, who: Who = "") -> Source:
    """Return the source to show: the data in preview mode, a sample of the stand-in in strict mode.

    If a crash interrupted the stand-in, it is sampled now, in the name of `who`.
    """
    whole = counts if parts is None else parts.together(counts)
    source = Source(
        id=f"own-{dataset.name}",
        title=dataset.name,
        mode=Mode.PREVIEW,
        exact_data=whole,
        box=box_of(whole),
        parts=parts,
        unit="record" if counts.unit.person_column is None else "person",
        record="record",
        dataset=dataset,
    )
    if not dataset.has_standin:
        return source
    standin = make_standin(dataset, who=who)
    if not isinstance(standin, Release):
        raise InputError(
            _(
                "The part of the privacy budget for the made-up data was too small. It is used up. You may open your "
                "data under another name with a larger part; what is given away under both names adds up."
            )
        )
    sample: ExactCounts = sample_from_standin(standin)
    if parts is not None:
        sample = parts.together(sample)
    return replace(source, mode=Mode.STRICT, standin=standin, exact_data=sample)


# ---- the list of what was opened on this computer ----------------------------------------------------------------


MOST = 50


@dataclass(frozen=True, kw_only=True)
class Opened:
    """One data set and how it was read."""

    name: str
    path: str = ""  # empty where the file came through the browser
    file: str = ""  # what that file was called
    wish: Wish

    @property
    def has_path(self) -> bool:
        """Whether the file can be read again without asking."""
        return bool(self.path) and Path(self.path).expanduser().exists()


def place() -> Path:
    """Return the path of the list."""
    return default_ledger_path().with_name("opened.json")


def list_known() -> tuple[Opened, ...]:
    """Read the list, newest first; an unreadable list is empty."""
    try:
        return tuple(
            Opened(name=str(row["name"]), path=row.get("path", ""), file=row.get("file", ""), wish=Wish.from_facts(row))
            for row in json.loads(place().read_text(encoding="utf-8"))
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return ()


def remember(opened: Opened) -> None:
    """Put a data set at the head of the list. The list is replaced as a whole, so that it is never half-written."""
    kept = [opened, *(other for other in list_known() if other.name != opened.name)][:MOST]
    rows = [{"name": one.name, "path": one.path, "file": one.file, **one.wish.facts()} for one in kept]
    path = place()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    new.replace(path)
