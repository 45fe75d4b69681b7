"""The dialog *Use your own data*: a file, its columns, a public box, who is protected, a budget.

The box is public and never read off the data; the columns are guessed from their names alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.domain import GeoBox
from dpviz.errors import DpvizError, InputError, LedgerRefusal
from dpviz.hosting.config import names_another_machine
from dpviz.ingest.formats.text_table import COUNTED_NAMES as COUNTED
from dpviz.ingest.sources import TextForm
from dpviz.language.speaking import as_now, told
from dpviz.privacy import LEVELS, Budget, level_by_name
from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA, looked_at_through_standin
from dpviz.publishing.record_similarity import LikelySamePeople
from dpviz.ui.choose import words as say
from dpviz.ui.own_data import dialog_box, dialog_unit
from dpviz.ui.own_data import words as own_data_words
from dpviz.ui.own_data.registration import LooksConverted, Wish, form_of, open_file, own_words
from dpviz.ui.own_data.unit_choice import rewind
from dpviz.ui.page_parts import tables, words
from dpviz.ui.session import state
from dpviz.ui.session.session import Session, current_session, current_theme

_SHOWN = 20  # columns of rows without names, however many the first of them has


@dataclass(kw_only=True)
class Mending:
    """What a click on a report's suggestion asks of the next run."""

    fix: str = ""  # how the coordinates are written
    goes_on: bool = False  # read at once
    as_it_is: bool = False  # what looks converted is read as it stands
    alike: tuple[str, ...] = ()  # data sets whose people these records look like
    alike_name: str = ""  # the name that was asked for then


def open_own_data(session: Session) -> None:
    """The dialog."""
    st.dialog(say.OWN_TITLE, width="large", on_dismiss=session.close_dialog)(_body)(session)


def _body(session: Session) -> None:
    st.markdown(say.OWN_INTRO)
    left, right = st.columns(2, gap="medium")
    with left:
        upload = st.file_uploader(say.OWN_FILE, key="own_file", help=say.OWN_UPLOAD_TYPES)
        path = st.text_input(say.OWN_PATH, key="own_path", placeholder="/home/me/trips.parquet")
    with right:  # before the file is looked at: one that is refused takes nothing away that was said here
        box_text = dialog_box.choose(current_theme().name)
        suggested = _suggested_name(upload, path)
        name = st.text_input(say.OWN_NAME, value=suggested, key=f"own_name_{suggested}")
        total = _choose_total()
        share = _choose_strict()  # before the unit: a strict preview says nothing about what the file holds
    try:
        given = upload if upload is not None else _checked_path(path)
        names, guess, is_named = _look_at(given)
    except DpvizError as problem:
        left.error(own_words(problem))
        return
    except Exception:  # a reader's own message may quote a row
        left.error(own_data_words.OWN_UNREADABLE)
        return
    strict = share > 0 or _seen_through_standin(name)
    with left:
        separator, decimal = ("", "") if is_named else _choose_form()
        if not is_named:
            names = COUNTED[: _SHOWN if separator and decimal else 0]
        form = form_of(separator, decimal) if separator and decimal else TextForm()
        lon, lat = _choose_columns(names, guess)
        if not strict:
            _sample(given, names, form)
        if not is_named and not (lon and lat):  # nothing is read before it is said how
            return
        crs = _choose_crs() if given is not None else None
        unit = _choose_unit(given, lon, lat, strict=strict, form=form)
    mending = session.part(Mending)
    go_on, as_it_is = mending.goes_on, mending.as_it_is
    mending.goes_on = mending.as_it_is = False
    heard = st.container()  # above the button: below it nobody would see what was said
    people = st.container()
    is_asked = bool(mending.alike) and mending.alike_name == name
    with people:
        same, other = dialog_unit.ask_people(mending.alike if is_asked else ())
    asked = st.button(say.OWN_GO, type="primary", disabled=given is None or unit is None, key="own_go")
    if not (asked or go_on) or given is None or unit is None:
        if given is None or unit is None:
            st.caption(say.OWN_FIRST_FILE if given is None else say.OWN_UNIT_FIRST)
        return
    person, cap = unit
    try:
        box = GeoBox.parse(box_text)
        wish = Wish(
            box=box,
            lon=lon,
            lat=lat,
            person=person,
            cap=cap,
            name=name,
            total=total,
            standin_share=share,
            crs=crs,
            separator=separator,
            decimal=decimal,
            as_it_is=as_it_is,
            same_people=same,
            other_people=other,
        )
        with heard, st.spinner(say.OWN_READING):
            source = open_file(given, wish)
    except LikelySamePeople as alike:
        mending.alike, mending.alike_name = tuple(alike.values["alike"]), name
        if is_asked:
            heard.error(own_data_words.OWN_ALIKE_ANSWER)
            return
        with people:
            dialog_unit.ask_people(mending.alike)
        return
    except LedgerRefusal as refusal:
        heard.error(words.sentence(refusal.message))
        return
    except DpvizError as problem:
        with heard:
            st.error(own_words(problem))
            _offer(problem)
        return
    except Exception:
        heard.error(own_data_words.OWN_UNREADABLE)
        return
    mending.fix, mending.alike = "", ()
    session.open_own(source)
    session.close_dialog()
    st.rerun()


def _checked_path(path: str) -> str | None:
    text = path.strip()
    if "://" in text:
        raise InputError(say.OWN_NO_ADDRESS)
    if names_another_machine(text):  # opening it would show that machine who asks
        raise InputError(say.OWN_NO_SHARE)
    return text or None


def _look_at(given: Any) -> tuple[tuple[str, ...], Any, bool]:
    """Return the columns, a guess which hold the place, and whether the first line holds names, never a record."""
    if given is None:
        return (), None, True
    from dpviz.ingest import guess_columns
    from dpviz.ingest.tables import open_tables

    table = open_tables(given)[0]
    rewind(given)
    is_named = table.kind != "csv" or table.has_header
    if table.geometry is not None:
        return (), None, is_named
    return tuple(table.names), guess_columns(table.names), is_named


def _choose_form() -> tuple[str, str]:
    """How rows are written that have no line of names: the curator says it, no row decides it."""
    st.caption(say.OWN_NO_NAMES)
    one, two = st.columns(2)
    with one:
        separator = st.selectbox(
            say.OWN_SEPARATOR,
            list(say.OWN_SEPARATORS),
            index=None,
            format_func=as_now(lambda sign: say.OWN_SEPARATORS[sign]),
            key="own_separator",
        )
    with two:
        decimal = st.selectbox(
            say.OWN_DECIMAL,
            list(say.OWN_DECIMALS),
            index=None,
            format_func=as_now(lambda sign: say.OWN_DECIMALS[sign]),
            key="own_decimal",
        )
    return separator or "", decimal or ""


def _choose_columns(names: tuple[str, ...], guess: Any) -> tuple[str, str]:
    if not names:
        return "", ""
    found = guess is not None and guess.found and guess.lon in names
    st.caption(say.OWN_COLUMNS_GUESSED if found else say.OWN_COLUMNS_ASK)
    options = ["", *names]
    one, two = st.columns(2)
    at = {name: options.index(name) for name in names}
    with one:
        lon = st.selectbox(say.OWN_LON, options, index=at.get(guess.lon, 0) if found else 0, key="own_lon")
    with two:
        lat = st.selectbox(say.OWN_LAT, options, index=at.get(guess.lat, 0) if found else 0, key="own_lat")
    return lon, lat


def _sample(given: Any, names: tuple[str, ...], form: TextForm) -> None:
    """The first rows, for the curator: what a column holds says more than its name."""
    if given is None or not names:
        return
    key = (getattr(given, "file_id", None) or str(given), names, form)
    rows = current_session().recent("own_sample", key, lambda: _first_rows(given, form), most=1)
    if rows:
        with st.expander(say.OWN_SAMPLE, expanded=names[0] == "column_1"):
            tables.show_sortable(rows, keeps_numbers=True, width="stretch")


def _first_rows(given: Any, form: TextForm) -> list[dict[str, str]]:
    from dpviz.ingest.tables import first_rows, open_tables

    try:
        return first_rows(open_tables(given, form=form)[0])
    except Exception:  # a reader's own message may quote a row, and the sample is only a help
        return []
    finally:
        rewind(given)


def _choose_crs() -> str | None:
    """How the coordinates are written; a click on what the report suggests sets it."""
    options = list(say.OWN_CRS_WORDS)
    fixed = current_session().part(Mending).fix
    chosen = st.selectbox(
        say.OWN_CRS,
        options,
        index=options.index(fixed),
        format_func=as_now(lambda name: say.OWN_CRS_WORDS[name]),
        key=f"own_crs_{fixed}",
    )
    if chosen != "EPSG":
        return str(chosen) or None
    code = st.text_input(say.OWN_EPSG, placeholder="2263", key="own_epsg").strip().upper().removeprefix("EPSG:")
    return f"EPSG:{code}" if code else None


def _offer(problem: DpvizError) -> None:
    """One click to read the coordinates as the report suggests, or as they are."""
    fix = problem.values.get("suggested_crs")
    if fix is None:
        return
    one, two = st.columns(2)
    with one:
        st.button(say.OWN_FIX[fix], key="own_fix_go", type="primary", on_click=_take, args=(fix, fix != "EPSG", False))
    if isinstance(problem, LooksConverted):
        with two:
            st.button(say.OWN_AS_IT_IS, key="own_as_it_is", on_click=_take, args=("", True, True))


def _take(fix: str, go: bool, as_it_is: bool) -> None:
    mending = current_session().part(Mending)
    mending.fix, mending.goes_on, mending.as_it_is = fix, go, as_it_is


def _choose_unit(given: Any, lon: str, lat: str, *, strict: bool, form: TextForm) -> dialog_unit.Unit | None:
    try:
        return dialog_unit.choose(given, lon=lon, lat=lat, strict=strict, form=form)
    except DpvizError as problem:
        st.error(own_words(problem))
    except Exception:  # a reader's own message may quote a row
        st.error(own_data_words.OWN_UNREADABLE)
    return None


def _seen_through_standin(name: str) -> bool:
    """Whether nothing exact may be shown about the file. So it is for a name that the ledger refuses."""
    try:
        return bool(name.strip()) and looked_at_through_standin(name)
    except DpvizError:  # is told when the data are opened
        return True


def _choose_total() -> Budget:
    one, two = st.columns(2)
    with one:
        times = st.number_input(
            say.OWN_TOTAL, min_value=1, max_value=100, value=2, key="own_times", help=say.OWN_TOTAL_HELP
        )
    with two:
        level = st.selectbox(
            say.OWN_TOTAL_LEVEL,
            [level.name for level in LEVELS],
            index=LEVELS.index(level_by_name("Detailed")),
            format_func=as_now(told),
            key="own_total_level",
        )
    return Budget(epsilon=min(100.0, times * state.level_named(level).epsilon), delta=DEFAULT_TOTAL_DELTA)


def _choose_strict() -> float:
    if not st.checkbox(say.OWN_STRICT, key="own_strict"):
        return 0.0
    share = st.slider(say.OWN_STRICT_SHARE, min_value=5, max_value=90, value=20, step=5, key="own_share")
    return share / 100


def _suggested_name(upload: Any, path: str) -> str:
    given = upload.name if upload is not None else path.strip().replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return str(given) or "data"  # the rule of the command line: one file has one name, however it was opened
