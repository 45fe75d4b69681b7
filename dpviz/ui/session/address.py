"""The address of the page *Choose*: whoever opens a copied one sees the same screen.

It says in short words what differs from what everybody sees first: level, clusters, method, which data, how many
days of them, which hour, the watched area, what one can accept. Names of own data, their places and typed boxes never
stand in an address; that own data are looked at does, so that a reload opens them again. Nothing here speaks to a
browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz.privacy import LEVELS
from dpviz.ui.map import city_map
from dpviz.ui.page_parts import words
from dpviz.ui.session import methods, state
from dpviz.ui.session.state import ChooseState

KEYS = ("level", "k", "method", "data", "days", "hour", "watched", "error", "shift")
DAYS = {"day": 1, "week": 7, "month": 31}
WHOLE_DAY = "all"
MOST = {"error": 1000.0, "shift": 1_000_000.0}  # per cent, metres
USUAL = ChooseState()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What an address asks for: fields of the page's state, and the parts that it does not know."""

    fields: dict[str, Any] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def applied_to(self, chosen: ChooseState) -> ChooseState:
        """The state with what the address asks for, and the usual where it says nothing of what addresses tell."""
        told = {name: getattr(USUAL, name) for name in _TOLD}
        return replace(chosen, **(told | self.fields))


_TOLD = ("level", "k", "method", "data", "days", "hour", "watched", "accept_measure", "accept_value")


def read(parameters: Mapping[str, str]) -> Asked:
    """An address typed by hand, or copied from another version, never breaks the page."""
    fields: dict[str, Any] = {}
    unknown = []
    for key in KEYS:
        if key not in parameters:
            continue
        found = _READERS[key](parameters[key].strip())
        if found is None:
            unknown.append(key)
        else:
            fields |= found
    return Asked(fields=fields, unknown=tuple(unknown))


def written(chosen: ChooseState) -> dict[str, str]:
    """The parts of the address that differ from what everybody sees first."""
    told: dict[str, str] = {}
    if chosen.level != USUAL.level:
        told["level"] = chosen.level.name
    if chosen.k != USUAL.k:
        told["k"] = str(chosen.k)
    if chosen.method != USUAL.method:
        told["method"] = chosen.method
    if chosen.data != USUAL.data:
        told["data"] = chosen.data
    if chosen.data == "city":
        if chosen.days != USUAL.days:
            told["days"] = next((name for name, days in DAYS.items() if days == chosen.days), "day")
        if chosen.hour != USUAL.hour:
            told["hour"] = WHOLE_DAY if chosen.hour is None else str(chosen.hour)
    if chosen.data != "own" and chosen.watched != USUAL.watched:
        told["watched"] = chosen.watched
    if (chosen.accept_measure, chosen.accept_value) != (USUAL.accept_measure, USUAL.accept_value):
        told[chosen.accept_measure] = f"{chosen.accept_value:g}"
    return told


def complaint(unknown: tuple[str, ...]) -> str:
    """One sentence on the parts of an address that do not exist."""
    if not unknown:
        return ""
    parts = [words.ADDRESS_PARTS[key] for key in unknown]
    named = parts[0] if len(parts) == 1 else words.ADDRESS_AND.format(parts=", ".join(parts[:-1]), last=parts[-1])
    return words.ADDRESS_UNKNOWN.format(parts=named)


def _level(text: str) -> dict[str, Any] | None:
    levels = {level.name.casefold(): level for level in LEVELS}
    return {"level": levels[text.casefold()]} if text.casefold() in levels else None


def _k(text: str) -> dict[str, Any] | None:
    k = _whole(text, 1, state.MOST_CLUSTERS)
    return None if k is None else {"k": k}


def _method(text: str) -> dict[str, Any] | None:
    names = {state.AUTO: state.AUTO, methods.title(state.AUTO).casefold(): state.AUTO}
    for name in methods.names():
        names |= {name: name, methods.title(name).casefold(): name}
    found = names.get(text.casefold())
    return None if found is None else {"method": found}


def _data(text: str) -> dict[str, Any] | None:
    return {"data": text} if text in state.DATA else None


def _days(text: str) -> dict[str, Any] | None:
    return {"days": DAYS[text]} if text in DAYS else None


def _hour(text: str) -> dict[str, Any] | None:
    if text == WHOLE_DAY:
        return {"hour": None}
    hour = _whole(text, 0, 23)
    return None if hour is None else {"hour": hour}


def _watched(text: str) -> dict[str, Any] | None:
    found = city_map.load()
    return {"watched": text} if found is not None and text in found.boroughs else None


def _limit(measure: str, text: str) -> dict[str, Any] | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return {"accept_measure": measure, "accept_value": value} if 0 <= value <= MOST[measure] else None


def _whole(text: str, low: int, high: int) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 and low <= int(text) <= high else None


_READERS: dict[str, Callable[[str], dict[str, Any] | None]] = {
    "level": _level,
    "k": _k,
    "method": _method,
    "data": _data,
    "days": _days,
    "hour": _hour,
    "watched": _watched,
    "error": lambda text: _limit("error", text),
    "shift": lambda text: _limit("shift", text),
}
