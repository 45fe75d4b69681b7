"""What the page *Compare* has to show: the releases found, those opened from a file, and the two that are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import streamlit as st

from dpviz.domain.parts import Division, Parts
from dpviz.errors import NotOffered
from dpviz.language.speaking import told as _
from dpviz.life.feed import Shelf
from dpviz.questions.counts import view_parts
from dpviz.releases.release import NoAnswer, Release
from dpviz.ui.compare import logic, release_list, words as say
from dpviz.ui.page_parts import elements, words
from dpviz.ui.session.session import current_session
from dpviz.ui.session.state import Pair

Examples = Callable[[], tuple[str, str]]
_SHORT = 12  # letters of a release's name in the address


MOST_OPENED = 8


@dataclass(kw_only=True)
class Opened:
    """Releases that were opened from files, and how often: the control that opened one starts afresh."""

    outcomes: list[Release | NoAnswer] = field(default_factory=list)
    turn: int = 0

    def add(self, outcome: Release | NoAnswer) -> None:
        """One more; beyond so many the oldest is let go, so that one page cannot fill a shared server's memory."""
        self.outcomes.append(outcome)
        del self.outcomes[:-MOST_OPENED]


def unreadable(found: Shelf) -> None:
    """Which folders hold no release that can be read."""
    if found.unreadable:
        names = [words.as_text(name, say.LONGEST_NAME) for name in found.unreadable]
        listed = ", ".join(names[:5])
        told = _("{names} and {more} more").format(names=listed, more=len(names) - 5) if len(names) > 5 else listed
        st.warning(
            _("Not read, because damaged or changed after they were written: {names}. Copy them again.").format(
                names=told
            )
        )


def empty(found: Shelf, examples: Examples | None) -> None:
    """What to do where nothing has been published yet."""
    with st.container(border=True):
        st.header(_("Nothing has been published yet"))
        st.markdown(
            _(
                "The folder of releases is empty. A release is a folder with a file "
                "release.json in it, as the curator’s page *Choose* gives it out. Unpack it "
                "into the folder and load this page again, or open the file here."
            )
            if examples is None
            else _(
                "This page lays two releases side by side: where their centers lie, how far they moved, and what each "
                "gives away. Look at two examples of the demonstration city, or publish one of your own first."
            )
        )
        if examples is not None:
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                _offer(examples)
                st.page_link("pages/choose.py", label=_("Choose a level and publish it"), icon=":material/tune:")
        _open_file()
    no_answers(found)


def _offer(examples: Examples) -> None:
    if st.button(_("Show two examples"), type="primary", icon=":material/compare:", key="examples"):
        with st.spinner(_("Making two examples from the demonstration city …")):
            _put(*examples())
        st.rerun()


def _open_file() -> None:
    opened = current_session().part(Opened)
    file = st.file_uploader(
        _("Open a release file (zip)"),
        type=["zip"],
        help=_("The file that “Download the release” gives. It stays in this session and is stored nowhere."),
        key=f"open_{opened.turn}",
        max_upload_size=64,
        width=520,
    )
    if file is None:
        return
    outcome = elements.show_errors(lambda: release_list.open_zip(file.getvalue()))
    if outcome is None:
        return
    opened.add(outcome)
    opened.turn += 1
    if isinstance(outcome, Release):
        _put(current_session().part(Pair).a or outcome.id, outcome.id)
    st.rerun()


def choose(found: Shelf, examples: Examples | None) -> tuple[Release, Release | None]:
    """Releases A and B, and the ways to more of them. B is another release, of A's data until somebody wants more."""
    by_id = {release.id: release for release in found.releases}
    pair = _pair_of_address(found)
    if pair.a in by_id:
        a = by_id[pair.a]
        b = release_list.find_partner(found.releases, a, pair.b, found.news)
    else:
        a, b = release_list.choose_first_pair(found.releases, found.news)
    names = release_list.name_releases(found.releases, found.news)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compare_choice"):
        picked = by_id[str(_pick(say.A, names, a))]
        if (
            st.button("", icon=":material/swap_horiz:", help=_("Swap A and B"), key="swap", disabled=b is None)
            and b is not None
        ):
            _put(b.id, a.id)
            st.rerun()
        if picked.id != a.id:  # B stays, or what A was before takes its place, where either is of the same data
            kept = [one for one in (b, a) if one is not None and one.id != picked.id]
            _put(picked.id, next((one.id for one in kept if release_list.are_of_same_data(picked, one)), ""))
            st.rerun()
        others = release_list.list_others(found.releases, a)
        if others:
            strange = _("Other data: {name}")
            offered = {
                one.id: names[one.id] if release_list.are_of_same_data(a, one) else strange.format(name=names[one.id])
                for one in others
            }
            other = _pick(say.B, offered, b, a.id)
            b = None if other is None else by_id[str(other)]
        with st.popover(_("Add a release"), icon=":material/add:"):
            if examples is not None:
                _offer(examples)
            _open_file()
    _put(a.id, "" if b is None else b.id)
    return a, b


def _put(a: str, b: str) -> None:
    pair = current_session().part(Pair)
    pair.a, pair.b = a, b
    for letter, id_ in (("a", a), ("b", b)):  # the address holds both
        if id_ and st.query_params.get(letter) != id_[:_SHORT]:
            st.query_params[letter] = id_[:_SHORT]


def _pair_of_address(found: Shelf) -> Pair:
    """What was chosen here, or else what the address asks for."""
    pair = current_session().part(Pair)
    if not pair.a:
        asked = [str(st.query_params.get(letter, "")) for letter in "ab"]
        pair.a, pair.b = (
            next((one.id for one in found.releases if len(start) >= 8 and one.id.startswith(start)), "")
            for start in asked
        )
    return pair


def _pick(label: str, names: dict[str, str], chosen: Release | None, beside: str = "") -> str | None:
    """One of the releases. The key holds the choice, so that another one from outside (swap, examples) is shown."""
    ids, id_ = list(names), "" if chosen is None else chosen.id
    return st.selectbox(
        label,
        ids,
        index=ids.index(id_) if id_ else None,
        format_func=lambda one: names[one],
        placeholder=_("a release to compare with …"),
        key=f"{label}-{beside}-{id_}-{len(ids)}",
    )


def no_answers(found: Shelf) -> None:
    """The requests that were charged and have no answer."""
    if not found.no_answers:
        return
    with st.expander(f"{_('Published without an answer')}: {say.NO_ANSWERS_COUNT.of(len(found.no_answers))}"):
        st.markdown(
            _("These requests were charged and answered with “no answer”, which is protected like any other answer.")
        )
        st.markdown(
            "\n".join(f"- {words.as_text(logic.title_of_none(outcome), 400)}" for outcome in found.no_answers[:20])
        )


# ---- the parts of releases by time or by a column ------------------------------------------------------------------


def choose_parts(a: Release, b: Release | None) -> tuple[Release, Release | None]:
    """A and B in the chosen parts; a release that is divided, and alone, is compared with itself in another part."""
    b = a if b is None and a.request.parts is not None else b
    layout = a.request.parts or (None if b is None else b.request.parts)
    if layout is None:
        return a, b
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="compare_when"):
        first = _pick_part(a, "A", 0)
        second = None if b is None else _pick_part(b, "B", 1)
    said = _("All {many} parts by {by} are one release and give away no more about a record than one does.")
    zone = _(" Times are those of {zone}.").format(zone=layout.zone) if layout.zone else ""
    st.caption(said.format(many=len(layout.names), by=words.as_text(layout.by, say.LONGEST_NAME)) + zone)
    return first, second


def _pick_part(release: Release, letter: str, start: int) -> Release:
    """The release in the part that is picked; as it is, where it is not divided or its parts cannot be told."""
    layout = release.request.parts
    if layout is None:
        return release
    offered = list_parts(layout)
    label = _("Release {letter}, when") if layout.word != "part" else _("Release {letter}, which part")
    picked = st.selectbox(
        label.format(letter=letter),
        list(offered),
        index=min(start, len(offered) - 1),
        key=f"when-{letter}-{release.id}",
        width=260,
    )
    try:
        return _in_part(release, str(picked), offered[str(picked)])
    except NotOffered as problem:
        st.warning(problem.message)
        return release


@lru_cache(maxsize=32)
def _in_part(release: Release, name: str, parts: tuple[int, ...]) -> Release:
    """Releases are public, so all sessions may share what is made of them."""
    return view_parts(release).at(*parts, called=name)


def list_parts(layout: Parts) -> dict[str, tuple[int, ...]]:
    """What can be picked: a name and the parts that it is made of; the first two are laid side by side."""
    found: dict[str, tuple[int, ...]] = {}
    digits = layout.digits(np.arange(len(layout.names)))
    for one, of_part in zip(layout.divisions, digits, strict=True):
        for name, chosen in _grouped(one).items():
            found.setdefault(name, tuple(np.flatnonzero(np.isin(of_part, chosen)).tolist()))
    found[_("All together")] = tuple(range(len(layout.names)))
    return found | {name: (at,) for at, name in enumerate(layout.names) if name not in found}


def _grouped(division: Division) -> dict[str, tuple[int, ...]]:
    """Groups of one division's parts that a reader may want, and, of a column, each of its values."""
    if division.values:
        return {name: (at,) for at, name in enumerate(division.names)}
    if division.by == "hour":
        return {
            _("Mornings, 6 to 12"): tuple(range(6, 12)),
            _("Nights, 22 to 24"): (22, 23),
            _("Small hours, 0 to 6"): tuple(range(6)),
            _("Afternoons, 12 to 18"): tuple(range(12, 18)),
            _("Evenings, 18 to 22"): tuple(range(18, 22)),
        }
    if division.by == "weekday":
        return {_("Monday to Friday"): (0, 1, 2, 3, 4), _("Saturday and Sunday"): (5, 6)}
    if division.by == "month":
        return {_("April to September"): (3, 4, 5, 6, 7, 8), _("October to March"): (0, 1, 2, 9, 10, 11)}
    every = tuple(range(len(division.names)))
    half = len(every) // 2
    return {_("The first half"): every[:half], _("The second half"): every[half:]} if half else {}
