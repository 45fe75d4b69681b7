"""The form of one's own data, at home and hosted: columns, budget, unit of protection.

The curator sees what the columns hold; in a strict preview only their names are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.domain import GeoBox
from dpviz.domain.parts import Division, Parts
from dpviz.errors import InputError
from dpviz.hosting.reading_process import SIDE
from dpviz.ingest.parts import check_zone
from dpviz.ingest.sources import TextForm
from dpviz.ingest.units.own_levels import EPSILON, LEVEL
from dpviz.ingest.units.person_columns import (
    CAPS,
    ColumnLook,
    Verdict,
    is_a_place,
    look_at_units,
    noun_of,
    person_columns,
    words_of,
)
from dpviz.language.speaking import as_now, told, told as _
from dpviz.privacy import LEVELS, Budget, level_by_name
from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA
from dpviz.ui.own_data import words as say
from dpviz.ui.page_parts import elements, words
from dpviz.ui.session.session import current_session

LEVEL_WORDS = {"privacy", "consent", "epsilon", "level", "choice", "stufe", "datenschutz"}  # in names of columns


def choose_columns(columns: Mapping[str, Any], names: Sequence[str]) -> tuple[str, str]:
    """Ask which columns hold the place; `columns` holds a guess from their names."""
    if not names:
        return "", ""
    found = columns["found"] and columns["lon"] in names
    st.caption(
        _("These two columns were found by the file’s heading. If they are wrong, choose others here.")
        if found
        else _("Which columns hold the place? More than one could.")
    )
    options = ["", *names]
    chosen = []
    for place, label, key in zip(
        st.columns(2), (_("East–west (longitude)"), _("North–south (latitude)")), ("lon", "lat"), strict=True
    ):
        at = options.index(columns[key]) if found and columns[key] in options else 0
        chosen.append(str(place.selectbox(label, options, index=at, key=f"own_{key}")))
    return chosen[0], chosen[1]


def choose_total() -> Budget:
    """Ask for the budget of a data set, as so many releases at a level."""
    one, two = st.columns(2)
    times = one.number_input(
        _("Privacy budget: enough for … releases"),
        min_value=1,
        max_value=100,
        value=2,
        key="own_times",
        help=_(
            "The privacy budget is the most that all releases of these data may give away "
            "together. It cannot be raised later."
        ),
    )
    names = {level.name: told(level.name) for level in LEVELS}
    at = list(names).index("Detailed")
    level = elements.choose(two.selectbox, _("at level"), names, index=at, key="own_total_level")
    return Budget(epsilon=min(100.0, times * level_by_name(level).epsilon), delta=DEFAULT_TOTAL_DELTA)


def choose_strict() -> float:
    """Ask whether to look at made-up data only, and for the share of the budget that they cost."""
    if not st.checkbox(
        _(
            "Strict preview: look only at made-up data that resemble yours. Making them "
            "uses up a part of the privacy budget"
        ),
        key="own_strict",
    ):
        return 0.0
    return (
        st.slider(
            _("Part of the privacy budget for the made-up data (of 100 parts; 20 is usual)"),
            min_value=5,
            max_value=90,
            value=20,
            step=5,
            key="own_share",
        )
        / 100
    )


def ask_people(alike: tuple[str, ...]) -> tuple[str, str]:
    """Ask whether these are the people of a data set that they look like: its name, or why they are others."""
    if not alike:
        return "", ""
    st.warning(
        words.as_text(
            _(
                "These records, or the people in them, look like those of “{names}”. A second data set would give the "
                "same people a second privacy budget. Are they the same people?"
            ).format(names="”, “".join(alike[:3])),
            600,
        )
    )
    called = {
        name: _("Yes. Both data sets share the privacy budget of “{name}”").format(name=name) for name in alike
    } | {"": _("No, these are other people")}
    answer = st.radio(
        say.OWN_ALIKE_ANSWER, [*alike, ""], index=None, format_func=as_now(lambda name: called[name]), key="own_people"
    )
    if answer is None or answer:
        return str(answer or ""), ""
    return "", st.text_input(_("Why they are other people (kept in the ledger)"), key="own_other_people", max_chars=300)


def choose_level(names: Sequence[str], used: Sequence[str]) -> tuple[str, str]:
    """Ask for the column in which each row says how much it may tell, where a name suggests one: column, and scale."""
    offered = [name for name in names if name not in used and LEVEL_WORDS & set(words_of(name))]
    if not offered:
        return "", ""
    sure = bool({"privacy", "consent", "epsilon"} & set(words_of(offered[0])))
    column = elements.choose(
        st.selectbox,
        _("Does a column say how much may be told about each record?"),
        {"": _("no")} | {name: name for name in offered},
        index=int(sure),
        key="own_level",
        help=_("Everybody then keeps the level they chose; a missing or unknown value counts as the strictest."),
    )
    if not column:
        return "", ""
    scales = {LEVEL: _("names or numbers of levels"), EPSILON: _("values of epsilon")}
    at = int("epsilon" in words_of(column))
    scale = elements.choose(st.radio, _("What it holds"), scales, index=at, key="own_level_scale", horizontal=True)
    st.caption(_("What everybody chose is about all releases of these data together: one release uses it up."))
    return column, scale


# ---- parts: a map for each hour, or for each value of a column whose list is public ----

LARGEST_SHEET = 4096  # cells along a side of all parts together: a reading has to end while somebody waits


def choose_parts(names: Sequence[str], used: Sequence[str], *, box: str, unit: Unit | None) -> tuple[Parts | None, str]:
    """The parts that are published apart, and the column of their times; None where all is one map."""
    offered = [name for name in names if name not in (*used, *(unit or ())[:1])]
    if not offered or not box:
        return None, ""
    with st.expander(_("A map for each group or hour")):
        column = str(st.selectbox(_("Divide by the column"), ["", *offered], key="own_parts"))
        if not column:
            return None, ""
        by = elements.choose(st.selectbox, _("What the column holds"), say.PARTS_KINDS, key="own_parts_by")
        if by:
            zone = st.text_input(
                _("Time zone of the hours"), value="UTC", key="own_parts_zone", help="Europe/Rome"
            ).strip()
            division = Division(by=by, zone=zone)
            check_zone(zone)
        else:
            listed = st.text_input(
                _("Names of the groups, with commas between"),
                key="own_parts_values",
                placeholder="member, guest",
                help=say.PARTS_PUBLIC,
            )
            of_person = bool(unit and unit[0]) and st.checkbox(
                _("The group belongs to the person: each person is in one group only"), key="own_parts_person"
            )
            if not listed.strip():
                st.caption(say.PARTS_PUBLIC)
                raise InputError(_("Name the groups, or choose no column to divide by."))
            values = tuple(value for value in listed.split(",") if value.strip())
            division = Division(by=column, values=values, of_person=of_person)
        side = max(1, min(SIDE, LARGEST_SHEET // division.across))
        parts = Parts(box=GeoBox.parse(box), side=side, divisions=(division,))
        st.caption(_("{many} maps, which together cost as much as one.").format(many=len(parts.names)))
        return parts, column if by else ""


# ---- the unit of protection: asked where a column may identify persons, never guessed ----

Unit = tuple[str, int]  # a person column and a cap; "" and 0 where one record is protected
LOOKED_AT = 250_000  # rows; a look has to take a moment, not a minute
USUAL_CAP = 3
MOST_REFUSED = 6  # columns that are named with the reason why they are not offered


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Candidate:
    """A column, and what a look at it found; in strict mode nobody looked."""

    name: str
    able: bool
    why_not: str = ""
    look: ColumnLook | None = None

    @property
    def noun(self) -> str:
        """What one of its values is called."""
        return words.as_text(noun_of(self.name))

    @property
    def proposal(self) -> str:
        """The question that stands there until somebody answers it."""
        if self.look is None:
            return _(
                "{column} seems to tell who made which row. Protect a whole {noun} (safer), or single rows?"
            ).format(column=words.as_text(self.name), noun=self.noun)
        return _(
            "{column}: {values} different values, up to {most} rows each{where}. Protect a "
            "whole {noun} (safer), or single rows?"
        ).format(
            column=words.as_text(self.name),
            values=f"{self.look.exact_values:,}",
            most=f"{self.look.exact_most:,}",
            noun=self.noun,
            where=_where(self.look),
        )

    @property
    def record(self) -> str:
        """What protecting one record means where one value has many rows."""
        if self.look is None:
            return _("One record is one row. It is hidden, and a {noun} with many rows is not.").format(noun=self.noun)
        return record_means(self.look)

    def kept(self, cap: int) -> str:
        """How many rows caps keep; "" where nobody looked."""
        look = self.look
        if look is None or not look.exact_rows:
            return ""
        shown = {one: rows for one, rows in look.exact_kept if one in CAPS}
        parts = [f"{one}: {_share(rows, look.exact_rows)}" for one, rows in shown.items()]
        told = _("Keeps {kept} of {rows} rows. ")
        exactly = told.format(kept=f"{shown[cap]:,}", rows=f"{look.exact_rows:,}") if cap in shown else ""
        return exactly + _(
            "How many rows stay, by the most rows kept of each {noun}{where}: {parts}. The others are left out."
        ).format(noun=self.noun, parts=", ".join(parts), where=_where(look))


def candidates(
    given: Any, *, lon: str = "", lat: str = "", strict: bool = False, form: TextForm | None = None
) -> list[Candidate]:
    """Every column of the source: those that may be persons first, the likeliest before the others."""
    if strict:
        from dpviz.ingest.tables import open_tables

        names = list(dict.fromkeys(name for table in open_tables(given, form=form) for name in table.names))
        rewind(given)
        return by_names(names, lon, lat)
    looks = look_at_units(given, lon=lon or None, lat=lat or None, most_rows=LOOKED_AT, form=form)
    rewind(given)
    return [
        Candidate(
            name=look.name,
            able=look.refusal is None or (look.named and look.verdict in (Verdict.CATEGORY, Verdict.ROW)),
            why_not=look.verdict.value,
            look=look,
        )
        for look in looks
    ]


def refused(others: Sequence[Candidate]) -> str:
    """Why the other columns are not offered."""
    told = [f"{words.as_text(one.name)} {one.why_not}" for one in others if one.why_not][:MOST_REFUSED]
    return _("Not offered as persons: {columns}.").format(columns="; ".join(told)) if told else ""


def record_means(look: ColumnLook) -> str:
    """What one record is, told where a value has many of them; "" where each has one."""
    if look.verdict is not Verdict.PERSON or look.exact_most <= 1:
        return ""
    return _(
        "One record is one row: one of up to {most} rows of a single {noun}. That one row is hidden, and the {noun} is "
        "not: whoever looks for the {noun} may find it by all its rows together."
    ).format(most=f"{look.exact_most:,}", noun=words.as_text(noun_of(look.name)))


def means_of_a_record(given: Any, *, lon: str = "", lat: str = "", form: TextForm | None = None) -> str:
    """The same for a source that is opened with single records: of its likeliest person column; "" without one."""
    found = next((one for one in candidates(given, lon=lon, lat=lat, form=form) if one.able), None)
    return "" if found is None or found.look is None else record_means(found.look)


def kept_of(kept: int, inside: int, *, cap: int, column: str) -> str:
    """How many rows a cap kept, for the page on which everything is about those."""
    noun = words.as_text(noun_of(column))
    return _(
        "{kept} of {inside} rows are kept, at most {cap} of each {noun} ({share}). Everything here is about those."
    ).format(kept=f"{kept:,}", inside=f"{inside:,}", cap=cap, noun=noun, share=_share(kept, max(inside, 1)))


def by_names(names: Sequence[str], lon: str, lat: str) -> list[Candidate]:
    """The same where nobody looks at the rows: the names of the columns alone decide."""
    likely = person_columns(names, (lon, lat))
    able = [name for name in names if name not in (lon, lat) and not is_a_place(name, names)] if likely else []
    return [Candidate(name=name, able=True) for name in sorted(able, key=lambda name: name not in likely)]


def rewind(given: Any) -> None:
    """Set an uploaded file back to its start."""
    if hasattr(given, "seek"):
        given.seek(0)


def _where(look: ColumnLook) -> str:
    return _(" (in the first {rows} rows)").format(rows=f"{look.exact_rows:,}") if look.exact_rows >= LOOKED_AT else ""


def _share(rows: int, of: int) -> str:
    share = 100.0 * rows / of
    return f"{share:.0f} %" if share >= 9.95 else f"{share:.1f} %" if share >= 0.05 else "less than 0.1 %"


def choose_unit(given: Any, *, lon: str, lat: str, strict: bool, form: TextForm | None = None) -> Unit | None:
    """The unit of protection; None while the curator has not said it."""
    if given is None:
        return "", 0
    key = (getattr(given, "file_id", None) or str(given), lon, lat, strict, form)
    with st.spinner(_("Looking at the columns …")):
        found = current_session().recent(
            "own_units", key, lambda: candidates(given, lon=lon, lat=lat, strict=strict, form=form), most=1
        )
    return ask_unit(found)


def ask_unit(found: list[Candidate]) -> Unit | None:
    """The question about these columns; None while nobody has answered it."""
    able = {one.name: one for one in found if one.able}
    unit = st.radio(
        _("Who is protected"),
        ["record", "person"],
        index=None if able else 0,
        format_func={"record": _("One record (one trip)"), "person": _("One person")}.get,
        horizontal=True,
        key=f"own_unit_{bool(able)}",
        disabled=not able,
    )
    best = next(iter(able.values()), None)
    if best is None:
        st.caption(_("No column tells persons apart, so what is protected is one row."))
        return "", 0
    if unit is None:
        st.caption(best.proposal)
        return None
    if unit == "record":
        st.caption(best.record)
        return "", 0
    return _person(able, [one for one in found if not one.able])


def _person(able: dict[str, Candidate], others: list[Candidate]) -> Unit:
    one, two = st.columns(2)
    chosen = able[str(one.selectbox(_("Column that tells persons apart"), list(able), key="own_person"))]
    cap = two.number_input(
        _("Records kept per person, at most"),
        min_value=1,
        max_value=1000,
        value=(None if chosen.look is None else chosen.look.advised_cap) or USUAL_CAP,
        key=f"own_cap_{chosen.name}",
    )
    for sentence in (chosen.kept(int(cap)), refused(others)):
        if sentence:
            st.caption(sentence)
    return chosen.name, int(cap)
