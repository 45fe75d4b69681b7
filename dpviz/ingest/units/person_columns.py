"""Find columns that may tell persons apart by their names, and ask what is to be protected before a row is read.

`dpviz.ingest.units.unit_survey` looks at the content, for the curator.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.errors import InputError, show_name
from dpviz.ingest.batches import Table
from dpviz.ingest.columns import guess_columns, split_words

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
