"""Find columns that may tell persons apart by their names, and ask what is to be protected before a row is read.

`look_at_units` looks at the content of every column: exact, and for the curator alone. It decides nothing. A choice
that is made after this survey is made after seeing the data (docs/LIMITS.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain._exact import Exact
from dpviz.errors import DpvizError, InputError, show_name
from dpviz.ingest.batches import Table, Wanted
from dpviz.ingest.columns import guess_columns, split_words
from dpviz.ingest.sources import TextForm
from dpviz.ingest.tables import open_tables
from dpviz.ingest.units.person_keys import PersonHash

RECORD = "record"
# Whoever or whatever moves as one; written without accents.
_PERSONS = {
    "person", "people", "user", "rider", "driver", "customer", "passenger", "member", "subscriber", "client", "visitor",
    "patient", "employee", "resident", "household", "participant", "respondent", "courier", "owner", "account",
    "device", "imei", "imsi", "msisdn", "phone", "mobile", "handset", "mac", "adid", "maid", "idfa", "gaid", "cookie",
    "cab", "taxi", "medallion", "hack", "plate", "vehicle", "car", "bike", "bicycle", "scooter", "truck", "bus",
    "fahrer", "nutzer", "kunde", "fahrzeug", "utilisateur", "conducteur", "usuario", "conductor", "utente", "usuaria",
    "乘客", "司机", "用户", "ユーザー", "пользователь", "водитель",
}  # fmt: skip
_PLACES = {"lon", "lat", "lng", "long", "longitude", "latitude", "easting", "northing", "plon", "plat", "dlon", "dlat",
           "altitude", "elevation", "heading", "bearing"}  # fmt: skip
# Beside one of these a name is about persons, but tells none from another.
_ABOUT = {
    "type", "class", "zone", "count", "number_of", "model", "brand", "make", "kind", "status", "age", "gender", "sex",
    "casual", "fare", "fee", "price", "speed", "rating", "category", "group", "share", "flag", "capacity", "stop",
    "station", "lane", "birth", "year", "size", "lon", "lat", "longitude", "latitude", "time", "date",
}  # fmt: skip

MOST_ROWS = 20_000_000  # looked at; counts are "at least" beyond
CAPS = (1, 2, 3, 5, 10, 20, 50)
ENOUGH = 0.5  # of the rows; a larger cap keeps more and needs more noise
FEW_VALUES = 20
ALMOST_ALL = 0.98
_TIMES = {"date", "time", "datetime", "timestamp", "day", "month", "year", "hour", "minute", "second", "utc", "epoch"}


class UnitNotChosen(InputError):
    """A column may tell persons apart, and nobody said what one unit of protection is. `columns` names them."""


def words_of(name: str) -> list[str]:
    """A column's name cut into plain words; `userid` is two."""
    return [part for word in split_words(name) for part in _without_id(word)]


def named_like_a_person(name: str) -> bool:
    """Whether a name says that its values tell persons (or what moves as one) apart."""
    words = {word.removesuffix("s") if word not in ("bus",) else word for word in words_of(name)} | set(words_of(name))
    return bool(words & _PERSONS) and not words & _ABOUT


def person_columns(names: Sequence[str], used: Sequence[str] = ()) -> tuple[str, ...]:
    """Columns that may be persons by their names; `used` are coordinates."""
    return tuple(name for name in dict.fromkeys(names) if name not in used and named_like_a_person(name))


def noun_of(name: str) -> str:
    """What a value of this column is called in a sentence: rider_id is a rider."""
    words = [word for word in words_of(name) if word not in ("id", "ids", "hash", "key", "uuid", "nr", "no")]
    return show_name(" ".join(words) or name)


def settle_unit(
    tables: Sequence[Table], columns: Sequence[Sequence[str]], *, person: str | None, stated: str | None
) -> None:
    """Refuse to guess what the promise is about, before any row is read. Names decide; tables in memory pass."""
    if stated not in (None, RECORD):
        raise InputError(
            f"protect={stated!r}: give 'record' (--unit record), or a person column with a cap (--person, --cap)."
        )
    if stated is not None and person is not None:
        raise InputError("unit 'record' and a person column contradict each other; give one of them.")
    for table, used in zip(tables, columns, strict=True):
        if person is not None:
            if person in table.names and is_a_place(person, table.names):
                raise InputError(
                    f"column {show_name(person)!r} of {table.label} is a coordinate by its name, and rows at one place "
                    "are not one person. Name the column that tells persons apart (--person COLUMN), or protect a "
                    "single row (--unit record)."
                )
        elif stated is None and table.place is not None and (found := person_columns(table.names, used)):
            _ask(table, found)


def is_a_place(name: str, names: Sequence[str]) -> bool:
    """Whether a column is a coordinate by its name or by its partner's."""
    pairs = guess_columns(names).candidates
    alone = bool(set(words_of(name)) & _PLACES) and not named_like_a_person(name)
    return alone or any(name in (pair.lon, pair.lat) for pair in pairs)


def _ask(table: Table, found: tuple[str, ...]) -> None:
    shown = ", ".join(repr(show_name(name)) for name in found)
    first, noun = show_name(found[0]), noun_of(found[0])
    raise UnitNotChosen(
        f"{table.label} says who made which row ({shown}), so say what is to be protected: one {noun} with all its "
        f"rows (--person {first} --cap 3), or a single row (--unit record), which is weaker for a {noun} with many "
        "rows. 'dpviz units FILE' shows both, for you alone. In code: person=… with cap=…, or protect='record'.",
        columns=found,
    )


def _without_id(word: str) -> list[str]:
    """`userid` is two words."""
    for ending in ("id", "ids", "hash", "uuid"):
        beginning = word.removesuffix(ending)
        if beginning != word and beginning in _PERSONS:
            return [beginning, ending]
    return [word]


class Verdict(StrEnum):
    """What a column can be in a sentence about protection."""

    PERSON = "may tell persons apart"
    ROW = "has another value in every row"
    COORDINATE = "is a coordinate"
    TIME = "is a time"
    MEASURE = "is a measure"
    CATEGORY = "is a category"
    NOTHING = "holds no values"
    UNREADABLE = "holds no texts or numbers"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ColumnLook(Exact):
    """One column: exact numbers, for the curator. `kept` says per cap how many rows would stay."""

    name: str
    verdict: Verdict
    exact_rows: int = 0
    exact_values: int = 0
    exact_most: int = 0  # rows of the value that has most
    exact_kept: tuple[tuple[int, int], ...] = ()
    named: bool = False

    @property
    def proposal(self) -> str | None:
        """The question for the curator, for a column that may tell persons apart."""
        if self.verdict is not Verdict.PERSON:
            return None
        return (
            f"{show_name(self.name)}: {self.exact_values:,} values, up to {self.exact_most:,} rows each – "
            f"protect {_a(noun_of(self.name))}?"
        )

    @property
    def refusal(self) -> str | None:
        """Why this column is no person; None where it may be one."""
        reasons = {
            Verdict.ROW: "every row has a value of its own, so that a person of this column is one record",
            Verdict.COORDINATE: "it is a coordinate, and rows at one place are not one person",
            Verdict.TIME: "it is a time, and rows of one time are not one person",
            Verdict.MEASURE: "it holds numbers with decimals: a measure, and rows of equal measure are not one person",
            Verdict.CATEGORY: "it has few values, or one that most rows share: a category that many persons share",
            Verdict.NOTHING: "it holds no values",
            Verdict.UNREADABLE: "it holds neither texts nor whole numbers",
        }
        reason = reasons.get(self.verdict)
        return None if reason is None else f"{show_name(self.name)} is no person column: {reason}."

    @property
    def advised_cap(self) -> int | None:
        """The smallest usual cap that keeps half of the rows, or the one with which noise and loss are least."""
        if self.verdict is not Verdict.PERSON or not self.exact_rows:
            return None
        enough = (cap for cap, kept in self.exact_kept if kept >= ENOUGH * self.exact_rows)
        return next(enough, CAPS[2])

    @property
    def advice(self) -> str | None:
        """What the advised cap keeps, in one sentence."""
        if (cap := self.advised_cap) is None:
            return None
        return kept_sentence(dict(self.exact_kept)[cap], self.exact_rows, cap=cap, column=self.name)

    def __repr__(self) -> str:
        return f"<ColumnLook of {show_name(self.name)}: exact, curator only>"


def kept_sentence(kept: int, rows: int, *, cap: int, column: str) -> str:
    """How many rows a cap keeps, for the curator."""
    share = 100.0 * kept / rows if rows else 100.0
    words = f"{share:.0f} %" if share >= 10 else f"{share:.1f} %" if share >= 0.1 else "less than 0.1 %"
    noun = noun_of(column)
    return f"At most {cap} row{'s' if cap > 1 else ''} of each {noun} keeps {kept:,} of {rows:,} rows ({words})."


def record_sentence(look: ColumnLook) -> str:
    """What "one record" means where one value has many rows."""
    noun, most = noun_of(look.name), look.exact_most
    if look.verdict is not Verdict.PERSON or most <= 1:
        return "One record is one row of the file."
    return (
        f"One record is one row: one of up to {most:,} rows of a single {noun}. The promise then hides that one row, "
        f"and not the {noun}: for {_a(noun)} with {most:,} rows the odds are those of {most:,} times the epsilon."
    )


def look_at_units(
    source: Any,
    *,
    lon: str | None = None,
    lat: str | None = None,
    columns: Sequence[str] | None = None,
    most_rows: int = MOST_ROWS,
    form: TextForm | None = None,
) -> list[ColumnLook]:
    """Every column of a source, or those named: those that may tell persons apart first. Exact, for the curator.

    Looks at the first `most_rows` rows; beyond them every number is "at least".
    """
    tables = open_tables(source, form=form)
    names = list(dict.fromkeys(name for table in tables for name in table.shown_names))
    if columns is not None:
        unknown = [name for name in columns if name not in names]
        if unknown:
            shown = ", ".join(repr(show_name(name)) for name in names[:30])
            raise InputError(f"there is no column {show_name(unknown[0])!r}; the columns are {shown}.")
        names = list(columns)
    places = {name for name in (lon, lat) if name is not None} | {
        name for table in tables for name in table.geometry or ()
    }
    looks = [_look(tables, name, places, most_rows) for name in names]
    order = {Verdict.PERSON: 0, Verdict.ROW: 1}
    return sorted(looks, key=lambda look: (order.get(look.verdict, 2), not look.named, -look.exact_most))


def best_person(looks: Sequence[ColumnLook]) -> ColumnLook | None:
    """The column to propose: one named like a person before any other; None where nothing may be one."""
    return next((look for look in looks if look.verdict is Verdict.PERSON), None)


def refuse_implausible_person(
    source: Any,
    person: str,
    *,
    lon: str | None = None,
    lat: str | None = None,
    most_rows: int = MOST_ROWS,
    form: TextForm | None = None,
) -> ColumnLook:
    """The look at a column that the curator named as person; raises where it cannot be one."""
    (look,) = look_at_units(source, lon=lon, lat=lat, columns=[person], most_rows=most_rows, form=form)
    if look.refusal is not None and not (look.named and look.verdict in (Verdict.CATEGORY, Verdict.ROW)):
        raise InputError(f"{look.refusal} Name another (--person COLUMN), or protect a single row (--unit record).")
    return look


def _look(tables: Sequence[Table], name: str, places: set[str], most_rows: int) -> ColumnLook:
    named = named_like_a_person(name)
    words = set(words_of(name))
    if name in places or any(is_a_place(name, table.names) for table in tables):
        return ColumnLook(name=name, verdict=Verdict.COORDINATE)
    if words & _TIMES and not named:
        return ColumnLook(name=name, verdict=Verdict.TIME)
    try:
        keys, fractions = _values(tables, name, most_rows)
    except DpvizError:
        return ColumnLook(name=name, verdict=Verdict.UNREADABLE)
    sizes = _rows_per_value(keys)
    rows, values, most = len(keys), len(sizes), int(sizes.max(initial=0))
    return ColumnLook(
        name=name,
        verdict=_verdict(rows, values, most, fractions, named),
        exact_rows=rows,
        exact_values=values,
        exact_most=most,
        exact_kept=tuple((cap, int(np.minimum(sizes, cap).sum())) for cap in CAPS),
        named=named,
    )


def _verdict(rows: int, values: int, most: int, fractions: float, named: bool) -> Verdict:
    if rows == 0 or values == 0:
        return Verdict.NOTHING
    if fractions > 0.01:
        return Verdict.MEASURE
    if values >= ALMOST_ALL * rows and rows > 1:
        return Verdict.ROW
    if not named and (values < FEW_VALUES or (most > rows / 5 and values > 1)):
        return Verdict.CATEGORY
    return Verdict.PERSON


def _values(tables: Sequence[Table], name: str, most_rows: int) -> tuple[NDArray[np.uint64], float]:
    """Keys of the rows that have a value, and the share of numbers with decimals in the first rows."""
    hashed = PersonHash.draw(None)
    parts: list[NDArray[np.uint64]] = []
    rows, fractional = 0, 0.0
    for table in tables:
        if name in table.names and rows < most_rows:
            fractional += _with_decimals(table, name)
            for batch in table.batches(Wanted(columns=(), person=name, hashed=hashed)):
                assert batch.persons is not None  # a person column was asked for
                parts.append(batch.persons[batch.persons.any(axis=1)].copy())
                rows += batch.rows
                if rows >= most_rows:
                    break
    return np.concatenate([np.zeros((0, 2), np.uint64), *parts]), fractional / max(len(tables), 1)


def _with_decimals(table: Table, name: str) -> float:
    """The share of the first rows' numbers that have decimals; 0 where there are no numbers."""
    for batch in table.batches(Wanted(columns=(name,))):
        numbers = batch.axes[0][np.isfinite(batch.axes[0])]
        return float((numbers != np.floor(numbers)).mean()) if len(numbers) else 0.0
    return 0.0


def _rows_per_value(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    if not len(keys):
        return np.zeros(0, np.int64)
    ordered = keys[np.lexsort((keys[:, 1], keys[:, 0]))]
    begins = np.flatnonzero(np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)]))
    return np.diff(np.append(begins, len(ordered)))


def _a(noun: str) -> str:
    return f"an {noun}" if noun[:1].casefold() in "aeio" else f"a {noun}"
