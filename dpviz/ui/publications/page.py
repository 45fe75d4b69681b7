"""The page *Publications*: every data set with its meter, its releases, and what can be done with each of them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Step, is_allowed
from dpviz.life.publications import Publication, stored_release
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.person import page_person, page_running
from dpviz.ui.publications import dialogs, logic, page_series, series_logic
from dpviz.ui.publications import words as say
from dpviz.ui.publications.logic import Life
from dpviz.ui.session import accounts as session_accounts
from dpviz.ui.session.accounts import Account
from dpviz.ui.session.session import current_session
from dpviz.ui.session.state import Pair


def draw(own: Path, demonstration: Path) -> None:
    """The whole page: the curator's ledger, then that of the public examples."""
    st.title(say.TITLE)
    elements.banner(say.MODE, "dpv-preview")
    st.html(logic.CSS)
    if page_person.desk_or_none() is not None:
        page_running.settle()
        with st.container():
            page_running.head()
    life = current_session().part(Life)
    if life.done:
        st.success(life.done, icon=":material/check:")
        life.done = ""
    ledger = _opened(own, demonstration=False)
    periods = set() if ledger is None else series_logic.members(ledger)
    accounts = (
        [] if ledger is None else [one for one in session_accounts.accounts(ledger) if one.dataset not in periods]
    )
    series = ledger is not None and page_series.draw(ledger, _releases)
    if ledger is not None and not accounts and not series:
        _empty()
    for number, account in enumerate(accounts):
        assert ledger is not None
        _account(ledger, account, f"own-{number}")
    examples = _opened(demonstration, demonstration=True)
    shown = [] if examples is None else [account for account in session_accounts.accounts(examples) if account.releases]
    if shown and examples is not None:
        with st.expander(say.EXAMPLES, expanded=not accounts):
            st.markdown(say.EXAMPLES_NOTE)
            for number, account in enumerate(shown):
                _releases(examples, account, f"example-{number}")


def _opened(path: Path, *, demonstration: bool) -> Ledger | None:
    """The ledger of this file; what is wrong with it is said and the page stays up."""
    try:
        return Ledger(path, demonstration=demonstration)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return None


def _empty() -> None:
    with st.container(border=True):
        st.header(say.EMPTY)
        st.markdown(say.EMPTY_TEXT)
        st.page_link("pages/choose.py", label=say.GO_CHOOSE, icon=":material/tune:")


def _account(ledger: Ledger, account: Account, key: str) -> None:
    with st.container(border=True, key=f"account_{key}"):
        st.header(words.as_text(account.dataset))
        st.html(logic.meter(account))
        told = [account.suffices, say.PROTECTS.format(unit=account.unit) + "."]
        if account.stand_in:
            told.append(say.STAND_IN)
        st.markdown(" ".join(told))
        st.caption(logic.opened(account))
        if account.releases:
            _releases(ledger, account, key)
        else:
            st.markdown(say.NO_RELEASES)


def _releases(ledger: Ledger, account: Account, key: str) -> None:
    caption = say.RELEASES.format(dataset=account.dataset)
    latest, older = account.releases[: logic.SHOWN], account.releases[logic.SHOWN :]
    tables.show(logic.table(latest, account.releases), caption=caption)
    if older:
        with st.expander(say.OLDER.format(count=len(older))):
            tables.show(logic.table(older, account.releases), caption=caption)
    chosen = _chosen(account, key)
    with st.container(horizontal=True, key=f"life_{key}"):
        _actions(chosen, key)
    dialogs.draw(ledger, account.releases)
    if chosen.state in ("charged", "lost"):
        st.info(say.UNFINISHED if chosen.state == "charged" else say.LOST)


def _chosen(account: Account, key: str) -> Publication:
    by_id = {one.id: one for one in account.releases}
    picked = st.selectbox(
        say.CHOOSE.format(dataset=account.dataset),
        list(by_id),
        format_func=lambda found: logic.name_of(by_id[found]),
        key=f"publication_{key}_{len(by_id)}",
    )
    return by_id[str(picked)]


def _actions(chosen: Publication, key: str) -> None:
    there = chosen.folder is not None
    if st.button(say.COMPARE, key=f"compare_{key}", icon=":material/compare:", disabled=not there):
        current_session().part(Pair).put_first(chosen.id)
        st.switch_page("pages/compare.py")
    if there:
        _download(chosen, key)
        if st.button(say.PICTURE, key=f"picture_{key}", icon=":material/image:"):
            dialogs.ask_for("picture", chosen)
    stands = chosen.state == logic.STANDING and is_allowed(page_person.current_person() or "", Step.CHANGE_RELEASE)
    if st.button(say.CORRECT, key=f"correct_{key}", disabled=not stands):
        dialogs.ask_for("correct", chosen)
    if st.button(say.SUPERSEDE, key=f"supersede_{key}", disabled=not stands):
        dialogs.ask_for("supersede", chosen)
    if st.button(say.WITHDRAW, key=f"withdraw_{key}", disabled=not stands):
        dialogs.ask_for("withdraw", chosen)


def _download(chosen: Publication, key: str) -> None:
    try:
        content = current_session().recent(
            f"again-{key}", chosen.id, lambda: stored_release(chosen).zip_bytes(), most=1
        )
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    st.download_button(
        say.DOWNLOAD,
        content,
        file_name=f"release-{chosen.id[:8]}.zip",
        mime="application/zip",
        on_click="ignore",
        icon=":material/download:",
        key=f"download_{key}",
    )
