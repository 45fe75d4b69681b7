"""The dialog *Use your own data*: a file, its columns, a public box, who is protected, a budget.

The box is public and never read off the data; the columns are guessed from their names alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz.errors import DpvizError, InputError, LedgerRefusal
from dpviz.hosting.config import names_another_machine
from dpviz.hosting.desk import Terms
from dpviz.hosting.reader import look_at_columns
from dpviz.hosting.reading_process import Wish
from dpviz.ingest.formats.text_table import COUNTED_NAMES as COUNTED
from dpviz.language.speaking import told as _
from dpviz.publishing.datasets import looked_at_through_standin
from dpviz.publishing.record_similarity import LikelySamePeople
from dpviz.ui.own_data import dialog_box, dialog_form, words as say
from dpviz.ui.own_data.page_running import follow_reading
from dpviz.ui.own_data.registration import LooksConverted, open_file, own_words
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.session.session import Session, current_session, current_theme, open_dialog

_SHOWN = 20  # columns of rows without names, however many the first of them has
_NOTHING: dict[str, Any] = {"names": [], "is_named": True, "found": False, "lon": "", "lat": ""}


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
    open_dialog(_("Use your own data"), _body, session, width="large", on_dismiss=session.close_dialog)


def _body(session: Session) -> None:
    st.markdown(_("Your file stays on this computer. Records outside the box you choose are ignored."))
    if st.button(_("My log is of one person: show what it would tell"), key="own_trace", type="tertiary"):
        session.close_dialog()
        st.switch_page("pages/trace.py")
    left, right = st.columns(2, gap="medium")
    with left:
        upload = st.file_uploader(_("A file with one record per row"), key="own_file", help=say.OWN_UPLOAD_TYPES)
        label = _("… or the path of a file or folder on this computer")
        path = st.text_input(label, key="own_path", placeholder="/home/me/trips.parquet")
    with right:  # before the file is looked at: one that is refused takes nothing away that was said here
        box = dialog_box.choose(current_theme().name)
        # The rule of the command line: one file has one name, however it was opened.
        suggested = upload.name if upload is not None else path.strip().replace("\\", "/").rstrip("/").split("/")[-1]
        name = st.text_input(say.OWN_NAME, value=suggested or "data", key=f"own_name_{suggested or 'data'}")
        total = dialog_form.choose_total()
        share = dialog_form.choose_strict()  # before the unit: a strict preview says nothing about what the file holds
    strict = share > 0 or _seen_through_standin(name)
    try:
        given = upload if upload is not None else _checked_path(path)
        columns = _NOTHING if given is None else look_at_columns(given)
        dialog_form.rewind(given)
        with left:
            separator, decimal = ("", "") if columns["is_named"] else _choose_form()
            names = columns["names"] if columns["is_named"] else COUNTED[: _SHOWN if separator and decimal else 0]
            wish = Wish(box=box, separator=separator if decimal else "", decimal=decimal if separator else "")
            lon, lat = dialog_form.choose_columns(columns, names)
            if not strict:
                _draw_sample(given, tuple(names), wish)
            if not columns["is_named"] and not (lon and lat):  # nothing is read before it is said how
                return
            crs = _choose_crs() if given is not None else ""
            unit = dialog_form.choose_unit(given, lon=lon, lat=lat, strict=strict, form=wish.form)
            level = dialog_form.choose_level(names, (lon, lat, *(unit or ())[:1]))
            divided = None if level[0] else dialog_form.choose_parts(names, (lon, lat), box=box, unit=unit)
    except DpvizError as problem:
        left.error(own_words(problem))
        return
    except Exception:  # a reader's own message may quote a row
        left.error(say.OWN_UNREADABLE)
        return
    mending = session.part(Mending)
    go_on, as_it_is = mending.goes_on, mending.as_it_is
    mending.goes_on = mending.as_it_is = False
    heard = st.container()  # above the button: below it nobody would see what was said
    people = st.container()
    is_asked = bool(mending.alike) and mending.alike_name == name
    with people:
        same, other = dialog_form.ask_people(mending.alike if is_asked else ())
    asked = st.button(_("Open these data"), type="primary", disabled=given is None or unit is None, key="own_go")
    if not (asked or go_on) or given is None or unit is None:
        if given is None or unit is None:
            st.caption(_("Choose a file or type a path first.") if given is None else _("Say first who is protected."))
        return
    parts, time = divided or (None, "")
    wish = replace(wish, lon=lon, lat=lat, person=unit[0], cap=unit[1], crs=crs, time=time, parts=parts)
    wish = replace(wish, level=level[0], level_scale=level[1])
    terms = Terms(name=name, total=total, standin_share=share, same_people=same, other_people=other)
    try:
        with heard:
            source = open_file(given, wish, terms, as_it_is=as_it_is, follow=follow_reading)
    except LikelySamePeople as alike:
        mending.alike, mending.alike_name = tuple(alike.values["alike"]), name
        if is_asked:
            heard.error(say.OWN_ALIKE_ANSWER)
        else:
            with people:
                dialog_form.ask_people(mending.alike)
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
        heard.error(say.OWN_UNREADABLE)
        return
    mending.fix, mending.alike = "", ()
    session.open_own(source)
    session.close_dialog()
    st.rerun()


def _checked_path(path: str) -> str | None:
    text = path.strip()
    if "://" in text:
        raise InputError(_("This page opens files on this computer only. Save the file first, then choose it here."))
    if names_another_machine(text):  # opening it would show that machine who asks
        raise InputError(
            _(
                "This page opens files of this computer only, none of other computers in the "
                "network. Copy the file here, then choose it."
            )
        )
    return text or None


def _choose_form() -> tuple[str, str]:
    """How rows are written that have no line of names: the curator says it, no row decides it."""
    st.caption(
        _(
            "The first line of this file holds no names of columns. Say how its rows are "
            "written: one row must not decide how all others are read."
        )
    )
    one, two = st.columns(2)

    def choose(place: Any, label: str, signs: dict[str, str], key: str) -> str:
        return place.selectbox(label, list(signs), index=None, format_func=signs.__getitem__, key=key) or ""

    return (
        choose(one, say.OWN_SEPARATOR, say.OWN_SEPARATORS, "own_separator"),
        choose(two, say.OWN_DECIMAL, say.OWN_DECIMALS, "own_decimal"),
    )


def _draw_sample(given: Any, names: tuple[str, ...], wish: Wish) -> None:
    """The first rows, for the curator: what a column holds says more than its name."""
    if given is None or not names:
        return
    key = (getattr(given, "file_id", None) or str(given), names, wish.form)
    rows = current_session().recent("own_sample", key, lambda: _first_rows(given, wish), most=1)
    if rows:
        with st.expander(_("First rows, for your eyes only"), expanded=names[0] == "column_1"):
            tables.show_sortable(rows, keeps_numbers=True, width="stretch")


def _first_rows(given: Any, wish: Wish) -> list[dict[str, str]]:
    from dpviz.ingest.tables import first_rows, open_tables

    try:
        return first_rows(open_tables(given, form=wish.form)[0])
    except Exception:  # a reader's own message may quote a row, and the sample is only a help
        return []
    finally:
        dialog_form.rewind(given)


def _choose_crs() -> str:
    """How the coordinates are written; a click on what the report suggests sets it."""
    options, fixed = say.OWN_CRS_WORDS, current_session().part(Mending).fix
    chosen = elements.choose(
        st.selectbox,
        _("How the coordinates are written"),
        options,
        index=list(options).index(fixed),
        key=f"own_crs_{fixed}",
    )
    if chosen != "EPSG":
        return chosen
    typed = st.text_input(_("EPSG code of the projection"), placeholder="2263", key="own_epsg")
    code = typed.strip().upper().removeprefix("EPSG:")
    return f"EPSG:{code}" if code else ""


def _offer(problem: DpvizError) -> None:
    """One click to read the coordinates as the report suggests, or as they are."""
    fix = problem.values.get("suggested_crs")
    if fix is None:
        return
    one, two = st.columns(2)
    one.button(say.OWN_FIX[fix], key="own_fix_go", type="primary", on_click=_take, args=(fix, fix != "EPSG", False))
    if isinstance(problem, LooksConverted):
        two.button(_("Open it as it is"), key="own_as_it_is", on_click=_take, args=("", True, True))


def _take(fix: str, go: bool, as_it_is: bool) -> None:
    mending = current_session().part(Mending)
    mending.fix, mending.goes_on, mending.as_it_is = fix, go, as_it_is


def _seen_through_standin(name: str) -> bool:
    """Whether nothing exact may be shown about the file. So it is for a name that the ledger refuses."""
    try:
        return bool(name.strip()) and looked_at_through_standin(name)
    except DpvizError:  # is told when the data are opened
        return True
