"""The desk of the person who looks at the page, and the pages that a person may open."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.errors import InputError
from dpviz.hosting import hosted_city
from dpviz.hosting.desk import Desk
from dpviz.hosting.roles import LOOKS_AT_RECORDS, Person, Role
from dpviz.ui.person import page_person

Listed = tuple[str, str, str, frozenset[Role]]

_ALL = frozenset({Role.STEWARD, Role.PUBLISHER, Role.APPROVER})
PAGES: tuple[Listed, ...] = (
    ("pages/choose.py", "choose", ":material/tune:", LOOKS_AT_RECORDS),
    ("pages/data.py", "data", ":material/folder_open:", LOOKS_AT_RECORDS),
    ("pages/requests.py", "requests", ":material/rule:", _ALL),
    ("pages/compare.py", "compare", ":material/compare:", _ALL),
    ("pages/publications.py", "publications", ":material/inventory_2:", _ALL),
    ("pages/audit.py", "audit", ":material/history:", frozenset({Role.STEWARD, Role.APPROVER})),
    ("pages/demo.py", "demo", ":material/slideshow:", _ALL),
    ("pages/evidence.py", "evidence", ":material/fact_check:", _ALL),
)


def here() -> Desk:
    """The desk of this session's person; only in a hosted house."""
    found, person = hosted_city.city(), page_person.here()
    if found is None or person is None:
        raise InputError("this page belongs to a hosted house (dpviz serve --config city.toml).")
    return Desk(found, person)


def desk_or_none() -> Desk | None:
    """The same for pages that stand at home too."""
    return None if hosted_city.city() is None else here()


def pages_of(person: Person, titles: Mapping[str, str]) -> list[st.Page]:
    """What this person may open; everything else does not exist for them."""
    allowed = [one for one in PAGES if person.may(*one[3])]
    path, name, icon, _ = allowed[0]  # the first page has the bare address; a link to it by its name leads there too
    return [
        st.Page(path, title=titles[name], icon=icon, default=True, url_path="first"),
        *(st.Page(path, title=titles[name], icon=icon) for path, name, icon, _ in allowed[1:]),
        st.Page(path, title=titles[name], icon=icon, url_path=name, visibility="hidden"),
    ]
