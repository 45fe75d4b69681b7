"""The steps of a release's life on screen: each asks who and why, and says what does not change by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.drawing.picture import foreign_exports, picture
from dpviz.errors import InputError
from dpviz.language import ENGLISH
from dpviz.language.speaking import spoken_in, told as _
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Who
from dpviz.life.publications import Publication, correct, stored_release, supersede, withdraw
from dpviz.releases.about import About
from dpviz.releases.release import Release
from dpviz.ui.own_data.page_running import say_later
from dpviz.ui.page_parts import elements
from dpviz.ui.person import page_person
from dpviz.ui.publications import logic, words as say
from dpviz.ui.publications.logic import Life
from dpviz.ui.session.session import current_session, open_dialog

Step = Callable[[Who, str], object]  # who, why


def ask_for(step: str, chosen: Publication) -> None:
    """Open the dialog of this step. It is remembered, because a run of the whole page closes dialogs."""
    life = current_session().part(Life)
    life.step, life.release = step, chosen.id


def draw(ledger: Ledger, all_of_them: Sequence[Publication]) -> None:
    """The dialog that is open, if it is about one of these releases."""
    life = current_session().part(Life)
    chosen = next((one for one in all_of_them if one.id == life.release), None)
    if chosen is None:
        return
    bodies: dict[str, Callable[[], None]] = {
        "withdraw": lambda: _withdraw(ledger, chosen),
        "supersede": lambda: _supersede(ledger, chosen, all_of_them),
        "correct": lambda: _correct(ledger, chosen),
        "picture": lambda: _picture(chosen, all_of_them),
    }
    open_dialog(say.DIALOGS[life.step].format(name=logic.title_of(chosen)), bodies[life.step], on_dismiss=_close)


def _close() -> None:
    life = current_session().part(Life)
    life.step = life.release = ""


def _withdraw(ledger: Ledger, chosen: Publication) -> None:
    st.markdown(
        _(
            "Readers of this release are told that it should no longer be used. What it gave away stays given away: "
            "the budget does not come back, and copies stay where they are."
        )
    )
    notice = st.text_input(say.NOTICE, help=say.NOTICE_HELP, max_chars=300, key="life_notice")
    _ask("withdraw", chosen, lambda who, why: withdraw(chosen.id, ledger=ledger, who=who, why=why, notice=notice))


def _supersede(ledger: Ledger, chosen: Publication, all_of_them: Sequence[Publication]) -> None:
    st.markdown(_("Readers of this release are told which one to use instead. The budget does not come back."))
    offered = {one.id: logic.name_of(one) for one in all_of_them if one.id != chosen.id and one.state == logic.STANDING}
    if not offered:
        st.info(_("There is no other published release of these data. Publish the better one first."))
        return
    heir = elements.choose(st.selectbox, _("The release to use instead"), offered, key="life_heir")
    notice = st.text_input(say.NOTICE, help=say.NOTICE_HELP, max_chars=300, key="life_notice")
    _ask(
        "supersede",
        chosen,
        lambda who, why: supersede(chosen.id, by=heir, ledger=ledger, who=who, why=why, notice=notice),
    )


def _correct(ledger: Ledger, chosen: Publication) -> None:
    st.markdown(
        _(
            "The same numbers under other words, as a further version. It costs nothing, "
            "and the former version points to it."
        )
    )
    given = {
        name: st.text_input(label, value=str(chosen.about.get(name, "")), key=f"life_{name}")
        for name, label in say.ABOUT.items()
    }
    kept = {name: str(chosen.about.get(name, "")) for name in ("period_start", "period_end", "language")}
    _ask(
        "correct", chosen, lambda who, why: correct(chosen.id, About(**given, **kept), ledger=ledger, who=who, why=why)
    )


def _ask(step: str, chosen: Publication, take: Step) -> None:
    """Who and why; then the step itself. Whatever is refused is said, and nothing is written."""
    who: Who = page_person.current_person() or st.text_input(
        say.WHO, value=current_session().part(Life).who, help=say.WHO_HELP, key="life_by", max_chars=100
    )
    name = who if isinstance(who, str) else who.name
    why = st.text_input(say.WHY, help=say.WHY_HELP, key="life_why", max_chars=300)
    if not st.button(say.GO[step], type="primary", key="life_go"):
        return
    if not name.strip() or not why.strip():
        st.error(say.WHO_MISSING if not name.strip() else say.WHY_MISSING)
        return
    if elements.show_errors(lambda: (take(who, why),)) is None:
        return
    _close()
    current_session().part(Life).who = name
    say_later("success", say.DONE[step].format(name=logic.title_of(chosen)))
    st.rerun()


def _picture(chosen: Publication, all_of_them: Sequence[Publication]) -> None:
    """Everything in the dialog."""
    st.markdown(_("Map, legend, promise, date and credit on one page, drawn from what was published."))
    title = st.text_input(_("Title"), value=str(chosen.about.get("title", "")), max_chars=160, key="picture_title")
    one, two = st.columns(2)
    foreign = {name: f".{name} ({found.package})" for name, found in foreign_exports().items()}
    style = elements.choose(one.selectbox, _("Appearance"), say.PICTURE_STYLES, key="picture_style")
    kind = elements.choose(two.selectbox, _("File"), say.PICTURE_KINDS | foreign, key="picture_kind")
    others = {one.id: one for one in all_of_them if one.id != chosen.id and one.folder is not None}
    names = {"": _("nothing")} | {id_: logic.name_of(one) for id_, one in others.items()}
    beside = elements.choose(st.selectbox, _("Beside it"), names, key="picture_beside")
    life, asked = current_session().part(Life), (chosen.id, beside, style, kind, title)
    if st.button(say.PICTURE_DRAW, type="primary", key="picture_go"):
        other = others.get(beside)
        with st.spinner(say.PICTURE_DRAW):
            drawn = elements.show_errors(lambda: _drawn(chosen, other, kind, style, title))
        if drawn is None:
            return
        life.picture, life.drawn_for = drawn, asked
    if life.drawn_for != asked:
        return
    if kind == "png":
        st.image(life.picture, width="stretch")
    elements.draw_download(_("Save the picture"), life.picture, f"map-{chosen.id[:8]}.{kind}", key="picture_save")


def _drawn(chosen: Publication, other: Publication | None, kind: str, style: str, title: str) -> bytes:
    shown = stored_release(chosen)
    beside = None if other is None else stored_release(other)
    if isinstance(shown, Release) and (beside is None or isinstance(beside, Release)):
        with spoken_in(ENGLISH):  # a picture is English as a whole
            return picture(shown, kind, beside=beside, style=style, title=title)
    raise InputError(_("There is nothing to draw: one of these holds no answer."))
