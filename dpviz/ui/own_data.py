"""The way from a file of one's own to a registered data set on screen.

The box is public and never read off the data; the columns are guessed from their names alone.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz.domain import ExactCounts, GeoBox
from dpviz.errors import DpvizError, InputError, LedgerRefusal
from dpviz.privacy import LEVELS, Budget
from dpviz.releases import (
    DEFAULT_TOTAL_DELTA,
    Dataset,
    Ledger,
    Release,
    SameContentWarning,
    looked_at_through_standin,
    make_standin,
    open_dataset,
    register,
    sample_from_standin,
)
from dpviz.ui import cache, elements, state, words
from dpviz.ui import choose_words as say
from dpviz.ui.sources import Mode, Source, box_of

SIDE = 1024


@dataclass(frozen=True, kw_only=True)
class Wish:
    """All that the curator states, checked before anything is read."""

    box: GeoBox
    lon: str
    lat: str
    person: str | None
    cap: int | None
    name: str
    total: Budget
    standin_share: float


def open_dialog() -> None:
    """The dialog."""
    elements.dialog(say.OWN_TITLE, "large", _body)


def _body() -> None:
    st.markdown(say.OWN_INTRO)
    left, right = st.columns(2, gap="medium")
    with left:
        upload = st.file_uploader(say.OWN_FILE, key="own_file", help=say.OWN_UPLOAD_TYPES)
        path = st.text_input(say.OWN_PATH, key="own_path", placeholder="/home/me/trips.parquet")
    try:
        given = upload if upload is not None else _checked_path(path)
        names, guess = _columns(given)
    except DpvizError as problem:
        st.error(own_words(problem))
        return
    except Exception:  # a reader's own message may quote a row
        st.error(say.OWN_UNREADABLE)
        return
    with left:
        lon, lat = _choose_columns(names, guess)
    with right:
        box_text = _choose_box()
        person, cap = _choose_unit(names)
        suggested = _suggested_name(upload, path)
        name = st.text_input(say.OWN_NAME, value=suggested, key=f"own_name_{suggested}")
        total = _choose_total()
        share = _choose_strict()
    if not st.button(say.OWN_GO, type="primary", disabled=given is None, key="own_go"):
        if given is None:
            st.caption(say.OWN_FIRST_FILE)
        return
    try:
        box = GeoBox.parse(box_text)
        wish = Wish(box=box, lon=lon, lat=lat, person=person, cap=cap, name=name, total=total, standin_share=share)
        with st.spinner(say.OWN_READING):
            source, hints = opened(given, wish)
    except LedgerRefusal as refusal:
        st.error(words.sentence(refusal.message))
        return
    except DpvizError as problem:
        st.error(own_words(problem))
        return
    except Exception:
        st.error(say.OWN_UNREADABLE)
        return
    cache.put("own", replace(source, notes=hints))
    cache.put("opened_own", True)
    elements.ask_for_dialog(None)
    st.rerun()


def opened(given: Any, wish: Wish) -> tuple[Source, tuple[str, ...]]:
    """Read, register, and, in strict mode, pay for the stand-in and look at that only."""
    from dpviz.ingest import read_counts_with_report

    strict = _strict(wish)
    counts, report = read_counts_with_report(
        given,
        box=wish.box,
        side=SIDE,
        lon=wish.lon or None,
        lat=wish.lat or None,
        person=wish.person,
        cap=wish.cap,
        strict=strict,
        # The ledger's coins: fresh ones would keep other records, and the same file would look changed next time.
        noise=Ledger().cap_source() if wish.person else None,
    )
    dataset, known = _registered(wish, counts)
    hints = known if strict else (*report.hints, *known)
    if dataset.notice:
        hints = (*hints, dataset.notice)
    return source_of(dataset, counts), hints


def _strict(wish: Wish) -> bool:
    return wish.standin_share > 0 or looked_at_through_standin(wish.name.strip())


def _registered(wish: Wish, counts: ExactCounts) -> tuple[Dataset, tuple[str, ...]]:
    """The data set in the ledger: a known one keeps its budget, as on the command line; a new one gets the stated."""
    ledger = Ledger()
    if ledger.dataset(wish.name.strip()) is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SameContentWarning)  # its words are shown on the page
            made = register(wish.name, counts, total=wish.total, ledger=ledger, standin_share=wish.standin_share)
        return made, ()
    try:
        opened = open_dataset(wish.name, counts, ledger=ledger)
    except LedgerRefusal:
        raise LedgerRefusal(say.OWN_OTHER) from None
    if wish.standin_share > 0 and not opened.has_standin:
        raise LedgerRefusal(say.OWN_KNOWN_PLAIN)
    return opened, (say.OWN_KNOWN,)


def own_words(problem: DpvizError) -> str:
    """An error as one sentence of the page; hints about options of the command line are left out."""
    return words.sentence(re.sub(r"\s*\(--[^)]*\)|,? ?--[a-z-]+\b", "", problem.message))


def source_of(dataset: Dataset, counts: ExactCounts) -> Source:
    """The data set on screen: itself in preview mode, a sample of its stand-in in strict mode."""
    person = counts.unit.person_column is not None
    source = Source(
        id=f"own-{dataset.name}",
        title=dataset.name,
        mode=Mode.PREVIEW,
        exact_data=counts,
        box=box_of(counts),
        unit="person" if person else "record",
        record="record",
        dataset=dataset,
    )
    if not dataset.has_standin:
        return source
    standin = make_standin(dataset)
    if not isinstance(standin, Release):
        raise InputError(say.OWN_NO_STANDIN)
    return replace(source, mode=Mode.STRICT, standin=standin, exact_data=sample_from_standin(standin))


def _checked_path(path: str) -> str | None:
    text = path.strip()
    if "://" in text:
        raise InputError(say.OWN_NO_ADDRESS)
    return text or None


def _columns(given: Any) -> tuple[tuple[str, ...], Any]:
    if given is None:
        return (), None
    from dpviz.ingest import guess_columns
    from dpviz.ingest.tables import open_tables

    table = open_tables(given)[0]
    if hasattr(given, "seek"):
        given.seek(0)
    if table.geometry is not None:
        return (), None
    return tuple(table.names), guess_columns(table.names)


def _choose_columns(names: tuple[str, ...], guess: Any) -> tuple[str, str]:
    if not names:
        return "", ""
    found = guess.found
    st.caption(say.OWN_COLUMNS_GUESSED if found else say.OWN_COLUMNS_ASK)
    options = ["", *names]
    one, two = st.columns(2)
    at = {name: options.index(name) for name in names}
    with one:
        lon = st.selectbox(say.OWN_LON, options, index=at.get(guess.lon, 0) if found else 0, key="own_lon")
    with two:
        lat = st.selectbox(say.OWN_LAT, options, index=at.get(guess.lat, 0) if found else 0, key="own_lat")
    return lon, lat


def _choose_box() -> str:
    from dpviz.ingest.cities import CITY_BOXES

    city = st.selectbox(say.OWN_BOX, [say.OWN_BOX_TYPED, *sorted(CITY_BOXES)], key="own_city", help=say.OWN_BOX_NOTE)
    known = CITY_BOXES.get(city)
    text = "" if known is None else ", ".join(f"{value:g}" for value in known.as_tuple())
    typed = st.text_input(
        say.OWN_BOX_TYPED,
        value=text,
        key=f"own_box_{city}",
        disabled=known is not None,
        placeholder="-74.05, 40.70, -73.90, 40.80",
        label_visibility="collapsed",
    )
    return text or typed


def _choose_unit(names: tuple[str, ...]) -> tuple[str | None, int | None]:
    unit = st.radio(
        say.OWN_UNIT,
        ["record", "person"],
        format_func={"record": say.OWN_UNIT_RECORD, "person": say.OWN_UNIT_PERSON}.get,
        horizontal=True,
        key="own_unit",
        disabled=not names,
    )
    if unit != "person" or not names:
        return None, None
    one, two = st.columns(2)
    with one:
        person = st.selectbox(say.OWN_PERSON, names, key="own_person")
    with two:
        cap = st.number_input(say.OWN_CAP, min_value=1, max_value=1000, value=3, key="own_cap")
    return person, int(cap)


def _choose_total() -> Budget:
    one, two = st.columns(2)
    with one:
        times = st.number_input(
            say.OWN_TOTAL, min_value=1, max_value=100, value=2, key="own_times", help=say.OWN_TOTAL_HELP
        )
    with two:
        level = st.selectbox(say.OWN_TOTAL_LEVEL, [level.name for level in LEVELS], index=2, key="own_total_level")
    return Budget(epsilon=min(100.0, times * state.level_named(level).epsilon), delta=DEFAULT_TOTAL_DELTA)


def _choose_strict() -> float:
    if not st.checkbox(say.OWN_STRICT, key="own_strict"):
        return 0.0
    share = st.slider(say.OWN_STRICT_SHARE, min_value=5, max_value=90, value=20, step=5, key="own_share")
    return share / 100


def _suggested_name(upload: Any, path: str) -> str:
    given = upload.name if upload is not None else path.strip().replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return str(given) or "data"  # the rule of the command line: one file has one name, however it was opened
