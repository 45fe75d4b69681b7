"""Who looks at the page that is being drawn. At home that is the person at this computer, and nobody is asked."""

from __future__ import annotations

from urllib.parse import unquote

import streamlit as st

from dpviz.hosting import hosted_city
from dpviz.hosting.roles import Person, Role
from dpviz.ui.person import words as say

_KEY = "dpviz-person"


def here() -> Person | None:
    """The person of this session, in a hosted house; None at home."""
    if hosted_city.city() is None:
        return None
    name = unquote(str(st.user.get("person") or ""))
    held = str(st.user.get("roles") or "").split(",")
    found = Person(name=name, roles=frozenset(role for role in Role if role.value in held))
    if st.session_state.get(_KEY, name) != name:
        st.session_state.clear()  # a socket that somebody else took over gets none of what was open
    st.session_state[_KEY] = name
    return found


def greeting(person: Person) -> None:
    """Who is signed in, and the way out, at the foot of every page."""
    roles = ", ".join(say.ROLES[role.value] for role in Role if role in person.roles)
    st.html(
        f"<footer class='dpv-who'>{_escaped(person.name)} · {_escaped(roles)} · "
        f"<a href='/sign-out' target='_self'>{say.SIGN_OUT}</a></footer>"
    )


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)
