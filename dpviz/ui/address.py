"""The address of the page *Choose*: whoever opens a copied one sees the same screen.

Level, clusters and method are bound to their widgets by Streamlit. The rest is written here in short words: which data,
how many days of them, which hour, the watched area, and what one can accept. Own data, their places and typed boxes
never stand in an address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dpviz.privacy import LEVELS
from dpviz.ui import basemap, cache, methods, state
from dpviz.ui import choose_words as say

KEYS = ("data", "days", "hour", "watched", "error", "shift")
BOUND = ("level", "k", "method")
DAYS = {"day": 1, "week": 7, "month": 31}
WHOLE_DAY = "all"
MOST = {"error": 1000.0, "shift": 1_000_000.0}  # per cent, metres
USUAL: dict[str, Any] = {
    "data": "city",
    "days": state.DEFAULT_DAYS,
    "hour": state.DEFAULT_HOUR,
    "watched": state.DEFAULT_WATCHED,
    "accept_measure": "error",
    "accept_value": 1.0,
}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What an address asks for: values for the page's widgets, and the parts that it does not know."""

    values: dict[str, Any] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()


def read(parameters: Mapping[str, str]) -> Asked:
    """An address typed by hand, or copied from another version, never breaks the page."""
    values: dict[str, Any] = {}
    unknown = []
    for key in (*BOUND, *KEYS):
        if key not in parameters:
            continue
        found = _READERS[key](parameters[key].strip())
        if found is None:
            unknown.append(key)
        else:
            values |= found
    return Asked(values=values, unknown=tuple(unknown))


def written(values: Mapping[str, Any]) -> dict[str, str]:
    """The parts of the address that differ from what everybody sees first."""
    found = {key: values.get(key, usual) for key, usual in USUAL.items()}
    told = {}
    if found["data"] == "trips":
        told["data"] = "trips"
    if found["data"] == "city":
        if found["days"] != USUAL["days"]:
            told["days"] = next((name for name, days in DAYS.items() if days == found["days"]), "day")
        if found["hour"] != USUAL["hour"]:
            told["hour"] = WHOLE_DAY if found["hour"] in (None, state.ALL_DAY) else str(found["hour"])
    if found["data"] != "own" and found["watched"] != USUAL["watched"]:
        told["watched"] = str(found["watched"])
    if (found["accept_measure"], found["accept_value"]) != (USUAL["accept_measure"], USUAL["accept_value"]):
        told[str(found["accept_measure"])] = f"{float(found['accept_value'] or 0.0):g}"
    return told


def take_over() -> None:
    """Before any widget: what a new address asks for becomes the widgets' values.

    An address is new at the first visit, and when the browser goes back or forward. Who comes back from another page
    of the app finds the widgets forgotten and the address empty, and gets what stood there before.
    """
    asked = {key: st.query_params[key] for key in KEYS if key in st.query_params}
    before = cache.get("address")
    if before is None:
        first = read({key: st.query_params[key] for key in (*BOUND, *KEYS) if key in st.query_params})
        st.session_state.update(first.values)
        cache.put("address_unknown", first.unknown)
    elif "data" not in st.session_state and asked in ({}, before):
        st.session_state.update(cache.get("address_values", {}))
    elif asked != before:
        st.session_state.update(USUAL | read(asked).values)


def show(chosen: state.ChooseState) -> None:
    """After the controls: the address says what the page shows. Only ever in a run of the whole page: in a part of it
    Streamlit does not know what the other widgets have put into the address meanwhile.
    """
    values = {key: st.session_state[key] for key in USUAL if key in st.session_state}
    wanted = written(values)
    for key in KEYS:
        if key in wanted and st.query_params.get(key) != wanted[key]:
            st.query_params[key] = wanted[key]
        elif key not in wanted and key in st.query_params:
            del st.query_params[key]
    cache.put("address", wanted)
    cache.put("address_values", values)
    if cache.get("address_unknown") and cache.get("address_first") is None:
        cache.put("address_first", chosen)


def complaint(chosen: state.ChooseState) -> str:
    """One sentence on the parts of the first address that do not exist, until something is chosen."""
    unknown = cache.get("address_unknown", ())
    if not unknown or cache.get("address_first", chosen) != chosen:
        return ""
    parts = [say.ADDRESS_PARTS[key] for key in unknown]
    named = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return say.ADDRESS_UNKNOWN.format(parts=named)


def complain(chosen: state.ChooseState) -> None:
    """Say so on the page."""
    told = complaint(chosen)
    if told:
        st.info(told, icon=":material/link_off:")


def _level(text: str) -> dict[str, Any] | None:
    names = {level.name.casefold(): level.name for level in LEVELS}
    return {"level": names[text.casefold()]} if text.casefold() in names else None


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
    return {"data": text} if text in ("city", "trips") else None


def _days(text: str) -> dict[str, Any] | None:
    return {"days": DAYS[text]} if text in DAYS else None


def _hour(text: str) -> dict[str, Any] | None:
    if text == WHOLE_DAY:
        return {"hour": state.ALL_DAY}
    hour = _whole(text, 0, 23)
    return None if hour is None else {"hour": hour}


def _watched(text: str) -> dict[str, Any] | None:
    found = basemap.load()
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
