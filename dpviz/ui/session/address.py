"""The address of the page *Choose*: what differs from the first view. No names, places or boxes of own data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz.language.speaking import told as _
from dpviz.privacy import LEVELS
from dpviz.ui.map import city_map
from dpviz.ui.session import methods, state
from dpviz.ui.session.state import ChooseState

DAYS = {"day": 1, "week": 7, "month": 31}
WHOLE_DAY = "all"
MOST = {"error": 1000.0, "shift": 1_000_000.0}  # per cent, metres
USUAL = ChooseState()


@dataclass(frozen=True, kw_only=True)
class AddressRequest:
    """What an address asks for: fields of the page's state, and the parts that it does not know."""

    fields: dict[str, Any] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def applied_to(self, chosen: ChooseState) -> ChooseState:
        """The state with what the address asks for, and the usual where it says nothing of what addresses tell."""
        return replace(chosen, **({name: getattr(USUAL, name) for name in _TOLD} | self.fields))


_TOLD = ("level", "k", "method", "data", "days", "hour", "watched", "accept_measure", "accept_value")


def read(parameters: Mapping[str, str]) -> AddressRequest:
    """An address typed by hand, or copied from another version, never breaks the page."""
    fields: dict[str, Any] = {}
    unknown = []
    for key in _READERS:
        if key not in parameters:
            continue
        found = _READERS[key](parameters[key].strip())
        if found is None:
            unknown.append(key)
        else:
            fields |= found
    return AddressRequest(fields=fields, unknown=tuple(unknown))


def written(chosen: ChooseState) -> dict[str, str]:
    """The parts of the address that differ from what everybody sees first."""
    texts = {
        "level": chosen.level.name,
        "k": str(chosen.k),
        "method": chosen.method,
        "data": chosen.data,
        "days": next((name for name, days in DAYS.items() if days == chosen.days), "day"),
        "hour": WHOLE_DAY if chosen.hour is None else str(chosen.hour),
        "watched": chosen.watched,
    }
    unfit = {"city": (), "trips": ("days", "hour"), "own": ("days", "hour", "watched")}[chosen.data]
    told = {
        name: text
        for name, text in texts.items()
        if name not in unfit and getattr(chosen, name) != getattr(USUAL, name)
    }
    if (chosen.accept_measure, chosen.accept_value) != (USUAL.accept_measure, USUAL.accept_value):
        told[chosen.accept_measure] = f"{chosen.accept_value:g}"
    return told


def complaint(unknown: tuple[str, ...]) -> str:
    """One sentence on the parts of an address that do not exist."""
    if not unknown:
        return ""
    said = _(
        {
            "level": "level",
            "k": "number of clusters",
            "method": "method",
            "data": "data set",
            "days": "number of days",
            "hour": "time of day",
            "watched": "watched area",
            "error": "limit of error",
            "shift": "limit of shift",
        }
    )
    parts = [said[key] for key in unknown]
    named = parts[0] if len(parts) == 1 else _("{parts} and {last}").format(parts=", ".join(parts[:-1]), last=parts[-1])
    return _(
        "The address of this page asks for something that is not offered here ({parts}). You see the usual choice."
    ).format(parts=named)


def _field(name: str, value: Any) -> dict[str, Any] | None:
    return None if value is None else {name: value}


def _method(text: str) -> dict[str, Any] | None:
    named = {name: name for name in (state.AUTO, *methods.rows())}
    return _field("method", (named | {methods.title(name).casefold(): name for name in named}).get(text.casefold()))


def _watched(text: str) -> dict[str, Any] | None:
    found = city_map.load()
    return _field("watched", text if found is not None and text in found.boroughs else None)


def _limit(measure: str, text: str) -> dict[str, Any] | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return {"accept_measure": measure, "accept_value": value} if 0 <= value <= MOST[measure] else None


def _whole(text: str, low: int, high: int) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 and low <= int(text) <= high else None


_LEVELS = {level.name.casefold(): level for level in LEVELS}
_READERS: dict[str, Callable[[str], dict[str, Any] | None]] = {
    "level": lambda text: _field("level", _LEVELS.get(text.casefold())),
    "k": lambda text: _field("k", _whole(text, 1, state.MOST_CLUSTERS)),
    "method": _method,
    "data": lambda text: _field("data", text if text in state.DATA else None),
    "days": lambda text: _field("days", DAYS.get(text)),
    "hour": lambda text: {"hour": None} if text == WHOLE_DAY else _field("hour", _whole(text, 0, 23)),
    "watched": _watched,
    "error": lambda text: _limit("error", text),
    "shift": lambda text: _limit("shift", text),
}
KEYS = tuple(_READERS)
