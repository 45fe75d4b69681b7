"""Series on the page *Publications*: the window's meter, the next period in two clicks, what changed between two."""

from __future__ import annotations

import json
from collections.abc import Callable

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Step, is_allowed
from dpviz.life.publications import Publication
from dpviz.series.changes import Changes
from dpviz.ui.page_parts import icons, tables, words
from dpviz.ui.person import page_person
from dpviz.ui.publications import change_map, dialog_period, logic, series_logic
from dpviz.ui.publications import words as say
from dpviz.ui.publications.series_logic import Card
from dpviz.ui.session.accounts import Account
from dpviz.ui.session.session import current_session, current_theme

Releases = Callable[[Ledger, Account, str], None]


def draw(ledger: Ledger, releases: Releases) -> bool:
    """Every series, and whether there is one; `releases` draws an account's releases and what can be done with them."""
    cards = series_logic.cards(ledger)
    for number, card in enumerate(cards):
        _card(ledger, card, f"series-{number}", releases)
    dialog_period.draw(ledger)
    return bool(cards)


def _card(ledger: Ledger, card: Card, key: str, releases: Releases) -> None:
    account = card.account
    with st.container(border=True, key=f"account_{key}"):
        st.header(words.as_text(account.dataset))
        st.html(logic.meter(account, window=card.window))
        st.markdown(card.told)
        st.caption(logic.opened(account))
        label = say.PUBLISH_FIRST
        if card.next_label is not None:
            label = say.PUBLISH_NEXT.format(period=words.period(card.next_label))
        can_publish = is_allowed(page_person.current_person() or "", Step.PUBLISH)
        if can_publish and st.button(label, type="primary", key=f"next_{key}", icon=":material/event_upcoming:"):
            dialog_period.ask_for(card.series.name)
        if account.releases:
            releases(ledger, account, key)
        if len(series_logic.comparable(card)) > 1:
            _changes(card, key)


def _changes(card: Card, key: str) -> None:
    st.subheader(say.CHANGES_TITLE)
    offered = {one.id: one for one in series_logic.comparable(card)}
    names = {id_: words.period(series_logic.label_of(one, card.series)) for id_, one in offered.items()}
    left, right = st.columns(2)
    ids = list(offered)
    turn = len(ids)

    def named(id_: str) -> str:
        return names[id_]

    before = left.selectbox(say.CHANGES_FROM, ids, index=1, format_func=named, key=f"before_{key}_{turn}")
    after = right.selectbox(say.CHANGES_TO, ids, index=0, format_func=named, key=f"after_{key}_{turn}")
    if before == after:
        st.info(say.CHANGES_SAME)
        return
    try:
        found = current_session().recent(
            "changes", (before, after), lambda: _found(offered[str(before)], offered[str(after)])
        )
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    _map(found, card, key)


def _found(before: Publication, after: Publication) -> Changes:
    return series_logic.changes_of(before, after)


def _map(found: Changes, card: Card, key: str) -> None:
    box, theme = series_logic.box_of(card.series), current_theme()
    told = series_logic.summary(found)
    st.markdown(told)
    shown, listed = st.columns(2, gap="medium")
    with shown:
        st.html(icons.picture(change_map.drawing(found, box, theme), told, max_width=change_map.width_on_page(box)))
        st.html(change_map.key(theme))
    with listed:
        rows = series_logic.table(found, box)
        if len(rows):
            tables.show(rows, caption=say.CHANGES_CAPTION, numbers=say.CHANGES_COLUMNS[1:])
            st.caption(say.CHANGES_NOTE)
        else:
            st.info(say.CHANGES_NONE)
        st.download_button(
            say.CHANGES_FILE,
            json.dumps(found.to_geojson(), allow_nan=False),
            file_name=f"changes-{found.before}-{found.after}.geojson",
            mime="application/geo+json",
            on_click="ignore",
            icon=":material/download:",
            key=f"changes_{key}",
        )
