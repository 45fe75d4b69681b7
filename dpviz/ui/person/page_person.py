"""The person who looks at the page, with the desk and the pages that are theirs. Nobody is signed in at home."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from urllib.parse import unquote

import streamlit as st

from dpviz.errors import InputError
from dpviz.hosting import hosted_city
from dpviz.hosting.config import LOOKS_AT_RECORDS
from dpviz.hosting.desk import Desk
from dpviz.language.speaking import told as _
from dpviz.ledger.persons import Person, Role

_KEY = "dpviz-person"


def current_person() -> Person | None:
    """Return the signed-in person of this session; None when the app runs on one's own computer."""
    if hosted_city.city() is None:
        return None
    name = unquote(str(st.user.get("person") or ""))
    held = str(st.user.get("roles") or "").split(",")
    found = Person(name=name, roles=frozenset(role for role in Role if role.value in held))
    if st.session_state.get(_KEY, name) != name:
        st.session_state.clear()  # a socket that somebody else took over gets none of what was open
    st.session_state[_KEY] = name
    return found


def draw_greeting(person: Person) -> None:
    """Draw who is signed in and the way out, at the foot of every page."""
    roles = ", ".join(_(role.value) for role in Role if role in person.roles)
    st.html(
        f"<footer class='dpv-who'>{escape(person.name)} · {escape(roles)} · "
        f"<a href='/sign-out' target='_self'>{_('Sign out')}</a></footer>"
    )


# ---- desk and pages of a person ----------------------------------------------------------------------------------


_ALL = frozenset({Role.STEWARD, Role.PUBLISHER, Role.APPROVER})
PAGES: tuple[tuple[str, str, str, frozenset[Role]], ...] = (
    ("pages/choose.py", "choose", ":material/tune:", LOOKS_AT_RECORDS),
    ("pages/data.py", "data", ":material/folder_open:", LOOKS_AT_RECORDS),
    ("pages/requests.py", "requests", ":material/rule:", _ALL),
    ("pages/compare.py", "compare", ":material/compare:", _ALL),
    ("pages/publications.py", "publications", ":material/inventory_2:", _ALL),
    ("pages/audit.py", "audit", ":material/history:", frozenset({Role.STEWARD, Role.APPROVER})),
    ("pages/demo.py", "demo", ":material/slideshow:", _ALL),
    ("pages/evidence.py", "evidence", ":material/fact_check:", _ALL),
)


def current_desk() -> Desk:
    """Return the desk of the signed-in person; refuse where the app is not hosted."""
    found, person = hosted_city.city(), current_person()
    if found is None or person is None:
        raise InputError("this page belongs to a hosted house (dpviz serve --config city.toml).")
    return Desk(found, person)


def desk_or_none() -> Desk | None:
    """Return the desk of the signed-in person; None when the app runs on one's own computer."""
    return None if hosted_city.city() is None else current_desk()


def pages_of(person: Person, titles: Mapping[str, str]) -> list[st.Page]:
    """List the pages that this person may open. No other page exists in their session."""
    allowed = [one for one in PAGES if person.may(*one[3])]
    path, name, icon, _ = allowed[0]  # the first page has the bare address; a link to it by its name leads there too
    return [
        st.Page(path, title=titles[name], icon=icon, default=True, url_path="first"),
        *(st.Page(path, title=titles[name], icon=icon) for path, name, icon, _ in allowed[1:]),
        st.Page(path, title=titles[name], icon=icon, url_path=name, visibility="hidden"),
    ]
