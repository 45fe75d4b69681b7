"""Datasets that may be about the same people although nothing says so: January and February under two names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpviz.domain import Unit

if TYPE_CHECKING:
    from dpviz.ledger.ledger import Ledger

POPULATION = "population"  # the kind of the notes that begin one
MEMBER = "member"  # the kind of the ledger's notes that name a dataset's population
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember"
)
_DATED = re.compile(rf"(?<![^\W\d_])({_MONTHS})(?![^\W\d_])|[\d\W_]+|(?<=\d)w(?=\d)", re.IGNORECASE)


def possible_relatives(ledger: Ledger, name: str, facts: Mapping[str, Any]) -> list[str]:
    """Registered datasets of the same box that have the same person column, or the same name but for a date.

    None for a dataset whose population is named: the window's budget holds for all of it.
    """
    members = {note.subject for note in ledger.notes(MEMBER)}
    if name in members:
        return []
    found = []
    for row in ledger.datasets():
        if row.name == name or _ground(row.facts) != _ground(facts):
            continue
        person = Unit.from_facts(facts["unit"]).person_column
        if (person is not None and row.unit.person_column == person) or (
            _DATED.search(name) is not None and _undated(row.name) == _undated(name) != ""
        ):
            found.append(row.name)
    return found


def relatives_sentence(name: str, relatives: list[str]) -> str | None:
    """What is said about them at registration."""
    if not relatives:
        return None
    shown = ", ".join(map(repr, relatives[:3])) + (" and others" if len(relatives) > 3 else "")
    return (
        f"{name!r} may be about the same people as {shown}: if they are in both, what both spend adds up for them. "
        "A population gives them one budget together (dpviz.register_member, dpviz series begin)."
    )


def _undated(name: str) -> str:
    return _DATED.sub("", name).casefold()


def _ground(facts: Mapping[str, Any]) -> tuple[Any, Any]:
    return list(facts["frame"]["low"]), list(facts["frame"]["high"])
