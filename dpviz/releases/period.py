"""The place of a release in a series, as part of its request: public, and written into the release."""

from __future__ import annotations

import calendar
import contextlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from dpviz.errors import InputError

# A day, a week (ISO 8601) or a month: the calendar decides, nobody's records do.
LABELS = {
    "day": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "week": re.compile(r"\d{4}-W(0[1-9]|[1-4]\d|5[0-3])"),
    "month": re.compile(r"\d{4}-(0[1-9]|1[0-2])"),
}
OFFSETS = "offsets"  # the clock of times that are written with an offset other than that of UTC
_LAST_YEAR = 9999  # of the calendar that Python has
EXAMPLES = {"day": "2026-03-14", "week": "2026-W11", "month": "2026-03"}
YEAR, ALWAYS = "year", "always"
WINDOWS = (YEAR, ALWAYS)


@dataclass(frozen=True, kw_only=True)
class Period:
    """One period of a series. `previous` is the release it builds on; the window's budget is shared by its releases.

    `whole_epsilon` and `whole_delta` are what all releases about one unit of the population may cost in the window.
    """

    series: str
    label: str
    number: int  # of the window, from 0
    population: str
    window: str
    whole_epsilon: str  # decimals, as the ledger spells them
    whole_delta: str
    disjoint: bool
    at_most: int | None = None
    previous: str | None = None

    def facts(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_facts(cls, values: Mapping[str, Any]) -> Period:
        """The period that `facts` wrote."""
        texts = {
            name: values[name] for name in ("series", "label", "population", "window", "whole_epsilon", "whole_delta")
        }
        at_most, previous, number = values["at_most"], values["previous"], values["number"]
        if not (
            all(isinstance(text, str) for text in texts.values())
            and isinstance(values["disjoint"], bool)
            and isinstance(number, int)
            and number >= 0
            and (at_most is None or (isinstance(at_most, int) and at_most >= 1))
            and (previous is None or re.fullmatch(r"[0-9a-f]{32}", previous) is not None)
        ):
            raise InputError("the period of this release is not what a period holds; the release is damaged or edited.")
        return cls(**texts, number=number, disjoint=values["disjoint"], at_most=at_most, previous=previous)


def kind_of(label: str) -> str:
    """day, week or month; refuses what is none."""
    for kind, pattern in LABELS.items():
        if isinstance(label, str) and pattern.fullmatch(label) and int(label[:4]) < _LAST_YEAR:
            with contextlib.suppress(ValueError):  # there is no 30 February, and no week 53 in most years
                _first_day(label, kind)
                return kind
    shown = ", ".join(EXAMPLES.values())
    raise InputError(f"period {label!r}: give a day, a week or a month, such as {shown} (--period).")


def _first_day(label: str, kind: str) -> date:
    if kind == "week":
        return date.fromisocalendar(int(label[:4]), int(label[6:]), 1)
    return date.fromisoformat(label if kind == "day" else f"{label}-01")


def in_words(label: str) -> str:
    """2026-03 is March 2026."""
    week = re.fullmatch(r"(\d{4})-W(\d\d)", label)
    if week:
        return f"week {int(week[2])} of {week[1]}"
    year, month, *day = label.split("-")
    named = f"{calendar.month_name[int(month)]} {year}"
    return f"{int(day[0])} {named}" if day else named


def days_of(label: str) -> tuple[str, str]:
    """The first and the last day of a period."""
    kind = kind_of(label)
    first = _first_day(label, kind)
    days = {"day": 1, "week": 7, "month": calendar.monthrange(first.year, first.month)[1]}[kind]
    return first.isoformat(), (first + timedelta(days=days - 1)).isoformat()


def years_of(when: str) -> frozenset[str]:
    """The years in which a period, or a whole year, has days; refuses what is neither."""
    if isinstance(when, str) and re.fullmatch(r"\d{4}", when) and 0 < int(when) < _LAST_YEAR:
        return frozenset((when,))
    return frozenset(day[:4] for day in days_of(when))


def checked_label(label: str, every: str) -> str:
    """A period of this kind."""
    if every not in LABELS:
        raise InputError(f"every={every!r}: a series is made every 'day', 'week' or 'month'.")
    if kind_of(label) != every:
        raise InputError(f"period {label!r} is no {every}; this series goes by {every}s, such as {EXAMPLES[every]}.")
    return label


def window_of(label: str, window: str) -> str:
    """The window that a period belongs to: its year, or the one window that there is."""
    if window not in WINDOWS:
        raise InputError(f"window={window!r}: give 'year' (renewed every January) or 'always' (never renewed).")
    return label[:4] if window == YEAR else ALWAYS
