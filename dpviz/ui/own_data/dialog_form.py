"""The form of one's own data, at home and hosted: columns, unit, box, name and budget; nothing is read off records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.language.speaking import as_now, told
from dpviz.privacy import LEVELS, Budget, level_by_name
from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA
from dpviz.ui.own_data import words as say
from dpviz.ui.page_parts import words


def choose_columns(columns: Mapping[str, Any], names: Sequence[str]) -> tuple[str, str]:
    """Ask which columns hold the place; `columns` holds a guess from their names."""
    if not names:
        return "", ""
    found = columns["found"] and columns["lon"] in names
    st.caption(say.OWN_COLUMNS_GUESSED if found else say.OWN_COLUMNS_ASK)
    options = ["", *names]
    chosen = []
    for place, label, key in zip(st.columns(2), (say.OWN_LON, say.OWN_LAT), ("lon", "lat"), strict=True):
        at = options.index(columns[key]) if found and columns[key] in options else 0
        chosen.append(str(place.selectbox(label, options, index=at, key=f"own_{key}")))
    return chosen[0], chosen[1]


def choose_total() -> Budget:
    """Ask for the budget of a data set, as so many releases at a level."""
    one, two = st.columns(2)
    times = one.number_input(
        say.OWN_TOTAL, min_value=1, max_value=100, value=2, key="own_times", help=say.OWN_TOTAL_HELP
    )
    names = [level.name for level in LEVELS]
    level = two.selectbox(
        say.OWN_TOTAL_LEVEL, names, index=names.index("Detailed"), format_func=as_now(told), key="own_total_level"
    )
    epsilon = min(100.0, times * level_by_name(str(level)).epsilon)
    return Budget(epsilon=epsilon, delta=DEFAULT_TOTAL_DELTA)


def choose_strict() -> float:
    """Ask whether to look at made-up data only, and for the share of the budget that they cost."""
    if not st.checkbox(say.OWN_STRICT, key="own_strict"):
        return 0.0
    return st.slider(say.OWN_STRICT_SHARE, min_value=5, max_value=90, value=20, step=5, key="own_share") / 100


def ask_people(alike: tuple[str, ...]) -> tuple[str, str]:
    """Ask whether these are the people of a data set that they look like: its name, or why they are others."""
    if not alike:
        return "", ""
    st.warning(words.as_text(say.OWN_ALIKE.format(names="”, “".join(alike[:3])), 600))
    called = {name: say.OWN_ALIKE_SAME.format(name=name) for name in alike} | {"": say.OWN_ALIKE_OTHER}
    answer = st.radio(
        say.OWN_ALIKE_ANSWER,
        [*alike, ""],
        index=None,
        format_func=as_now(lambda name: called[name]),
        key="own_people",
    )
    if answer is None or answer:
        return str(answer or ""), ""
    return "", st.text_input(say.OWN_ALIKE_WHY, key="own_other_people", max_chars=300)
