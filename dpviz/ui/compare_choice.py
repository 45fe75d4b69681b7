"""What the page *Compare* has to show: the releases found, those opened from a file, and the two that are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.releases import NoAnswer, Release
from dpviz.ui import cache, compare, shelf
from dpviz.ui import compare_words as say
from dpviz.ui.shelf import Shelf

Examples = Callable[[], tuple[str, str]]


def unreadable(found: Shelf) -> None:
    """Which folders hold no release that can be read."""
    if found.unreadable:
        st.warning(say.UNREADABLE.format(names=_some([_plain(name) for name in found.unreadable])))


def _plain(text: str) -> str:
    """Somebody's free text inside a sentence: nothing in it is taken for Markdown."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: say.LONGEST_NAME])
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()#+!|~<>&$:" else letter for letter in shown)


def _some(names: Sequence[str]) -> str:
    listed = ", ".join(names[:5])
    return say.AND_MORE.format(names=listed, more=len(names) - 5) if len(names) > 5 else listed


def empty(found: Shelf, examples: Examples | None) -> None:
    """What to do where nothing has been published yet."""
    with st.container(border=True):
        st.header(say.EMPTY)
        st.markdown(say.EMPTY_ANALYST if examples is None else say.EMPTY_APP)
        if examples is not None:
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                _offer(examples)
                st.page_link("pages/choose.py", label=say.GO_CHOOSE, icon=":material/tune:")
        _open_file()
    no_answers(found)


def _offer(examples: Examples) -> None:
    if st.button(say.EXAMPLES, type="primary", icon=":material/compare:", key="examples"):
        with st.spinner(say.EXAMPLES_WORKING):
            cache.put("chosen", examples())
        st.rerun()


def _open_file() -> None:
    turn = cache.get("opened_turn", 0)
    file = st.file_uploader(
        say.ADD_FILE, type=["zip"], help=say.ADD_FILE_HELP, key=f"open_{turn}", max_upload_size=64, width=520
    )
    if file is None:
        return
    try:
        outcome = shelf.opened(file.getvalue())
    except DpvizError as problem:
        st.error(problem.message)
        return
    opened: list[Release | NoAnswer] = cache.keep("opened", list)
    opened.append(outcome)
    cache.put("opened_turn", turn + 1)
    if isinstance(outcome, Release):
        a, _ = cache.get("chosen", (outcome.id, ""))
        cache.put("chosen", (a, outcome.id))
    st.rerun()


def choose(found: Shelf, examples: Examples | None) -> tuple[Release, Release]:
    """Releases A and B, and the ways to more of them."""
    by_id = {release.id: release for release in found.releases}
    ids = list(by_id)
    first, second = cache.get("chosen", (ids[0], ""))
    first = first if first in by_id else ids[0]
    second = second if second in by_id else _partner(by_id, first)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compare_choice"):
        a = _pick(say.A, by_id, first)
        if st.button("", icon=":material/swap_horiz:", help=say.SWAP, key="swap", disabled=first == second):
            cache.put("chosen", (second, first))
            st.rerun()
        b = _pick(say.B, by_id, second)
        with st.popover(say.ADD, icon=":material/add:"):
            if examples is not None:
                _offer(examples)
            _open_file()
    cache.put("chosen", (a, b))
    return by_id[a], by_id[b]


def _pick(label: str, by_id: dict[str, Release], chosen: str) -> str:
    """One of the releases. The key holds the choice, so that another one from outside (swap, examples) is shown."""
    ids = list(by_id)
    picked = st.selectbox(
        label,
        ids,
        index=ids.index(chosen),
        format_func=lambda found: compare.title(by_id[found]),
        key=f"{label}-{chosen}-{len(ids)}",
    )
    return str(picked)


def _partner(by_id: dict[str, Release], a: str) -> str:
    """The newest other release of the same box; A itself where there is none."""
    others = [found for found in by_id if found != a and compare.comparable(by_id[a], by_id[found])]
    return others[0] if others else a


def no_answers(found: Shelf) -> None:
    """The requests that were charged and have no answer."""
    if not found.no_answers:
        return
    count = len(found.no_answers)
    told = say.NO_ANSWERS_ONE if count == 1 else say.NO_ANSWERS_MORE.format(count=count)
    with st.expander(f"{say.NO_ANSWERS}: {told}"):
        st.markdown(say.NO_ANSWERS_NOTE)
        st.markdown("\n".join(f"- {_plain_line(outcome)}" for outcome in found.no_answers[:20]))


def _plain_line(outcome: NoAnswer) -> str:
    line = compare.title_of_none(outcome)
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()#+!|~<>&$:" else letter for letter in line)
