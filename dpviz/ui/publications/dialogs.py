"""The steps of a release's life on screen: each asks who and why, and says what does not change by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Who
from dpviz.life.publications import Publication, correct, supersede, withdraw
from dpviz.releases.about import About
from dpviz.ui.page_parts import words
from dpviz.ui.person import page_person
from dpviz.ui.publications import dialog_picture, logic
from dpviz.ui.publications import words as say
from dpviz.ui.publications.page_state import Life
from dpviz.ui.session.session import here

Step = Callable[[Who, str], object]  # who, why


def ask_for(step: str, chosen: Publication) -> None:
    """Open the dialog of this step. It is remembered, because a run of the whole page closes dialogs."""
    life = here().part(Life)
    life.step, life.release = step, chosen.id


def draw(ledger: Ledger, all_of_them: Sequence[Publication]) -> None:
    """The dialog that is open, if it is about one of these releases."""
    life = here().part(Life)
    chosen = next((one for one in all_of_them if one.id == life.release), None)
    if chosen is None:
        return
    bodies: dict[str, Callable[[], None]] = {
        "withdraw": lambda: _withdraw(ledger, chosen),
        "supersede": lambda: _supersede(ledger, chosen, all_of_them),
        "correct": lambda: _correct(ledger, chosen),
        "picture": lambda: dialog_picture.body(chosen, all_of_them),
    }
    title = say.DIALOGS[life.step].format(name=logic.title_of(chosen))
    st.dialog(title, width="medium", on_dismiss=_close)(bodies[life.step])()


def _close() -> None:
    life = here().part(Life)
    life.step = life.release = ""


def _withdraw(ledger: Ledger, chosen: Publication) -> None:
    st.markdown(say.WITHDRAW_NOTE)
    notice = st.text_input(say.NOTICE, help=say.NOTICE_HELP, max_chars=300, key="life_notice")
    _ask("withdraw", chosen, lambda who, why: withdraw(chosen.id, ledger=ledger, who=who, why=why, notice=notice))


def _supersede(ledger: Ledger, chosen: Publication, all_of_them: Sequence[Publication]) -> None:
    st.markdown(say.SUPERSEDE_NOTE)
    offered = {one.id: logic.name_of(one) for one in logic.heirs(chosen, all_of_them)}
    if not offered:
        st.info(say.NO_HEIR)
        return
    heir = st.selectbox(say.HEIR, list(offered), format_func=lambda key: offered[key], key="life_heir")
    notice = st.text_input(say.NOTICE, help=say.NOTICE_HELP, max_chars=300, key="life_notice")
    _ask(
        "supersede",
        chosen,
        lambda who, why: supersede(chosen.id, by=str(heir), ledger=ledger, who=who, why=why, notice=notice),
    )


def _correct(ledger: Ledger, chosen: Publication) -> None:
    st.markdown(say.CORRECT_NOTE)
    given = {
        name: st.text_input(label, value=str(chosen.about.get(name, "")), key=f"life_{name}")
        for name, label in say.ABOUT.items()
    }
    kept = {name: str(chosen.about.get(name, "")) for name in ("period_start", "period_end", "language")}
    _ask(
        "correct",
        chosen,
        lambda who, why: correct(chosen.id, About(**given, **kept), ledger=ledger, who=who, why=why),
    )


def _ask(step: str, chosen: Publication, take: Step) -> None:
    """Who and why; then the step itself. Whatever is refused is said, and nothing is written."""
    who: Who = page_person.here() or st.text_input(
        say.WHO, value=here().part(Life).who, help=say.WHO_HELP, key="life_by", max_chars=100
    )
    name = who if isinstance(who, str) else who.name
    why = st.text_input(say.WHY, help=say.WHY_HELP, key="life_why", max_chars=300)
    if not st.button(say.GO[step], type="primary", key="life_go"):
        return
    if not name.strip() or not why.strip():
        st.error(say.WHO_MISSING if not name.strip() else say.WHY_MISSING)
        return
    try:
        take(who, why)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    _close()
    life = here().part(Life)
    life.who, life.done = name, say.DONE[step].format(name=logic.title_of(chosen))
    st.rerun()
