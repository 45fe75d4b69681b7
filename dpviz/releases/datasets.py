"""Datasets: registered once with one frame, relation, unit and total, and recognised by their content afterwards."""

from __future__ import annotations

import unicodedata
import warnings
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpviz.domain import ExactCounts
from dpviz.errors import InputError, LedgerRefusal, NothingInBox
from dpviz.mechanisms.interface import ExactData
from dpviz.privacy import Budget
from dpviz.releases.amounts import Amount, share_of
from dpviz.releases.charging import spent
from dpviz.releases.ledger import Ledger
from dpviz.releases.ledger_rows import ChargeRow, DatasetRow, now, person_at_work, writable
from dpviz.releases.making import prepare, public_facts
from dpviz.releases.paths import demonstration_ledger_path
from dpviz.releases.request import STAND_IN, ReleaseRequest
from dpviz.releases.simulated import SimulatedCounts

LONGEST_NAME = 200
DEMONSTRATION_TOTAL = Amount(epsilon=Fraction(10_000), delta=Fraction(1, 1000))
DEFAULT_TOTAL_DELTA = 1e-6  # beside a total of ε: room for a thousand releases with the default δ
STANDIN_CLUSTERS = 10  # the stand-in is made once for every k; utility only
LedgerLike = Ledger | str | Path | None


class SameContentWarning(UserWarning):
    """The same records were registered under another name: their totals add up for the people in them."""


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

    @property
    def total(self) -> Amount:
        """What this dataset may spend in its life."""
        return self.row.total

    @property
    def remaining(self) -> Amount:
        """What it may still spend."""
        return self.ledger.remaining(self.name)

    @property
    def charges(self) -> list[ChargeRow]:
        """What it has spent."""
        return self.ledger.charges(self.name)

    @property
    def has_standin(self) -> bool:
        """Whether a stand-in was paid for at registration."""
        return any(charge.purpose == STAND_IN for charge in self.charges)

    @property
    def demonstration(self) -> bool:
        """Public demonstration data with an ample total."""
        return self.ledger.demonstration

    def with_data(self, data: ExactData) -> Dataset:
        """The same dataset with its records; refused when the content is not what was registered."""
        check_content(self.row, data, self.ledger)
        return replace(self, data=data)


def register(
    name: str,
    data: ExactData,
    *,
    total: Budget,
    ledger: LedgerLike = None,
    standin_share: float = 0.0,
    who: str = "",
    why: str = "",
) -> Dataset:
    """Register a dataset with all it may ever spend. Registering the same again gives the same dataset.

    With a `standin_share` above 0 that part of ε pays, now, for a private stand-in to look at instead of the data.
    """
    chosen = as_ledger(ledger)
    if chosen.demonstration:
        raise InputError(
            f"{str(chosen.path)!r} is the demonstration ledger, for built-in cities only; give another (--ledger)."
        )
    return _register(name, data, Amount.of(total), share_of(total, standin_share), standin_share, chosen, who, why)


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
    opened = Dataset(name=known, row=row, ledger=chosen)
    return opened if data is None else opened.with_data(data)


def looked_at_through_standin(name: str, *, ledger: LedgerLike = None) -> bool:
    """Whether this name is registered with a stand-in: then nothing is said about its file, however it is opened."""
    chosen = as_ledger(ledger)
    return chosen.dataset(name) is not None and open_dataset(name, ledger=chosen).has_standin


def register_or_open(
    name: str,
    data: ExactData,
    *,
    request: ReleaseRequest,
    total: Budget | None = None,
    ledger: LedgerLike = None,
    standin_share: float = 0.0,
    strict: bool = False,
    who: str = "",
    why: str = "",
) -> Dataset:
    """The dataset of this name; a new one gets `total`, or, without it, just what this request costs.

    Unless `strict`, data without any record inside the box are refused before the door (see docs/LIMITS.md).
    """
    if not strict:
        refuse_if_empty(data)
    prepare(request, public_facts(data))  # nothing is registered for a request that cannot be run
    chosen, known = as_ledger(ledger), checked_name(name)
    row = chosen.dataset(known)
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
    if total is not None and Amount.of(total) != row.total:
        raise _other_total(row, Amount.of(total))
    return open_dataset(known, data, ledger=chosen)


def demonstration_dataset(name: str, data: ExactData, *, ledger: LedgerLike = None) -> Dataset:
    """A built-in, public dataset in the demonstration ledger, whose total is ample. Every file says that it is one."""
    if ledger is None:
        ledger = Ledger(demonstration_ledger_path(), demonstration=True)
    chosen, known = as_ledger(ledger), checked_name(name)
    if not chosen.demonstration:
        raise InputError(
            f"{str(chosen.path)!r} is no demonstration ledger; make it with Ledger(path, demonstration=True)."
        )
    row = chosen.dataset(known)
    if row is not None and row.content != data.keyed_digest(chosen.content_key):
        # The same city on another grid, relation or unit: public data, so it simply gets a name of its own.
        known = checked_name(f"{known} ({_frame_words(data)})")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SameContentWarning)
        return _register(known, data, DEMONSTRATION_TOTAL, None, 0.0, chosen, "dpviz", "built-in data")


def refuse_if_empty(data: ExactData) -> None:
    """The curator-side look before the door: no record at all usually means swapped columns or the wrong box."""
    if data.exact_total == 0:
        raise NothingInBox(
            "no valid row lies inside the box; longitude and latitude may be swapped, or the box may be of another "
            "place. Check --lon, --lat and --box. Nothing was charged. (--strict publishes such a file all the same.)"
        )


def checked_name(name: Any) -> str:
    """A name of 1 to 200 printable characters in any script. It is never used as a path."""
    if not isinstance(name, str):
        raise InputError(f"the dataset's name is {type(name).__name__}; give a text such as 'trips-2026'.")
    tidy = unicodedata.normalize("NFC", name).strip()
    if not tidy or len(tidy) > LONGEST_NAME or not tidy.isprintable():
        shown = name[:40] + ("…" if len(name) > 40 else "")
        raise InputError(
            f"the dataset's name {shown!a} has {len(name)} characters; give 1 to {LONGEST_NAME} printable characters "
            "in any script, such as 'trips-2026' (--dataset NAME).",
        )
    return tidy


def as_ledger(ledger: LedgerLike) -> Ledger:
    """The ledger given, the one at this path, or the user's own."""
    return ledger if isinstance(ledger, Ledger) else Ledger(ledger)


def check_content(row: DatasetRow, data: ExactData, ledger: Ledger) -> None:
    """Refuse records that are not those of the registration: another frame, relation or unit, or other records."""
    if facts_of(data) != dict(row.facts):
        raise LedgerRefusal(
            f"the dataset {row.name!r} was registered with another box, grid, relation or unit of protection, and "
            "keeps them. Use those, or register under another name: totals then add up for the people in both.",
            dataset=row.name,
        )
    if data.keyed_digest(ledger.content_key) != row.content:
        capped = (
            " With a person column, read the file with the ledger's coins (noise=ledger.cap_source()): fresh ones keep "
            "other records of a person at every reading."
        )
        raise LedgerRefusal(
            f"the records given are not those that were registered as {row.name!r}. Give the same file, or register "
            "the new records under a new name with a total of their own (--dataset NAME --total EPSILON)."
            + (capped if data.unit.cap is not None else ""),
            dataset=row.name,
        )


def facts_of(data: ExactData) -> dict[str, Any]:
    """The public facts that a dataset keeps for life, as JSON values."""
    public = public_facts(data)
    frame, unit = public.frame, public.unit
    return {
        "kind": "counts" if isinstance(data, ExactCounts) else "points",
        "frame": {
            "names": list(frame.names),
            "low": list(frame.low),
            "high": list(frame.high),
            "scale": list(frame.scale),
            "metric": frame.metric,
        },
        "side": public.side,
        "relation": public.relation.value,
        "unit": {"person_column": unit.person_column, "cap": unit.cap},
        "public_rows": public.public_rows,
    }


def _register(
    name: str,
    data: ExactData,
    total: Amount,
    standin: Budget | None,
    share: float,
    ledger: Ledger,
    who: str,
    why: str,
) -> Dataset:
    known = checked_name(name)
    if isinstance(data, SimulatedCounts):
        raise InputError("simulated data come from a stand-in and are protected already; register the real records.")
    row = DatasetRow(
        name=known,
        facts=facts_of(data),
        content=data.keyed_digest(ledger.content_key),
        total=total,
        standin_share=repr(float(share)),
        who=person_at_work(who),
        why=writable(why),
        created=now(),
    )
    asked, reserved = None, None
    if standin is not None:
        asked, reserved = _reserved(row, data, standin)
    present = ledger.dataset(known)
    same = None if present is not None else ledger.add_dataset(row, reserved, asked)
    if same is None:
        return _registered_before(known, data, row, ledger)
    notice = None
    if same:
        notice = (
            f"the records of {known!r} are registered as {', '.join(map(repr, same))} too: the same people stand in "
            "both, and what both names spend adds up for them."
        )
        warnings.warn(notice, SameContentWarning, stacklevel=3)
    registered = Dataset(name=known, row=row, ledger=ledger, data=data, notice=notice)
    if reserved is not None:
        from dpviz.releases.standin import make_standin

        make_standin(registered)
    return registered


def standin_request(budget: Budget) -> ReleaseRequest:
    """What is asked of the door for a stand-in."""
    return ReleaseRequest(k=STANDIN_CLUSTERS, budget=budget, method="auto", purpose=STAND_IN)


def _reserved(row: DatasetRow, data: ExactData, budget: Budget) -> tuple[str, ChargeRow]:
    request = standin_request(budget)
    prepared = prepare(request, public_facts(data))
    resolved = replace(request, method=prepared.mechanism.info.name)
    charge = ChargeRow(
        number=0,
        dataset=row.name,
        key=resolved.key(row.name),
        purpose=STAND_IN,
        amount=Amount.of(spent(budget, prepared.plan)),
        request=resolved.facts(),
        who=row.who,
        why=row.why,
        created=row.created,
        stored=False,
    )
    return request.key(row.name), charge


def _registered_before(name: str, data: ExactData, wanted: DatasetRow, ledger: Ledger) -> Dataset:
    present = ledger.dataset(name)
    if present is None:
        raise LedgerRefusal(f"the dataset {name!r} vanished from the ledger {str(ledger.path)!r}; restore the file.")
    check_content(present, data, ledger)
    if present.total != wanted.total:
        raise _other_total(present, wanted.total)
    if present.standin_share != wanted.standin_share:
        raise LedgerRefusal(
            f"the dataset {name!r} was registered with a stand-in share of {present.standin_share} and keeps it.",
            dataset=name,
        )
    return Dataset(name=name, row=present, ledger=ledger, data=data)


def _other_total(row: DatasetRow, wanted: Amount) -> LedgerRefusal:
    return LedgerRefusal(
        f"the dataset {row.name!r} was registered with a total of {row.total} and keeps it; {wanted} was given. "
        "Leave the total out (--total), or give the one that was registered.",
        dataset=row.name,
    )


def _frame_words(data: ExactData) -> str:
    public = public_facts(data)
    place = ", ".join(f"{low:g} to {high:g}" for low, high in zip(public.frame.low, public.frame.high, strict=True))
    side = f"side {public.side}, " if public.side is not None else ""
    return f"{side}{public.relation.value}, {public.unit}, {place}"
