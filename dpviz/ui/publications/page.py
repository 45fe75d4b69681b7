"""The page *Publications*: every data set with its meter, its releases, and what can be done with each of them."""

from __future__ import annotations

import json
from pathlib import Path

import streamlit as st

from dpviz.labels import sentences
from dpviz.language.speaking import told as _
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Step, is_allowed
from dpviz.life.publications import Publication, stored_release
from dpviz.series.changes import Changes
from dpviz.ui.map import charts
from dpviz.ui.own_data.page_running import draw_message
from dpviz.ui.page_parts import elements, icons, tables, words
from dpviz.ui.person import page_person
from dpviz.ui.publications import dialog_period, dialogs, logic, words as say
from dpviz.ui.publications.logic import Card
from dpviz.ui.session import accounts as session_accounts
from dpviz.ui.session.accounts import Account
from dpviz.ui.session.session import current_session, current_theme
from dpviz.ui.session.state import Pair


def draw(own: Path, demonstration: Path) -> None:
    """The whole page: the curator's ledger, then that of the public examples."""
    st.title(_("What was published, and what is left"))
    elements.banner(say.MODE, "dpv-preview")
    st.html(Path(__file__).with_name("page.css"))
    draw_message()
    ledger = elements.show_errors(lambda: Ledger(own))
    has_accounts = ledger is not None and _own(ledger)
    examples = elements.show_errors(lambda: Ledger(demonstration, demonstration=True))
    shown = [] if examples is None else [account for account in session_accounts.accounts(examples) if account.releases]
    if shown and examples is not None:
        with st.expander(_("Public examples"), expanded=not has_accounts):
            st.markdown(_("Releases of the built-in cities. Their records are public, so their budget never runs out."))
            for number, account in enumerate(shown):
                _releases(examples, account, f"example-{number}")


def _own(ledger: Ledger) -> bool:
    """Draw the curator's series and other data sets; whether there is one of these."""
    cards = logic.cards(ledger)
    for number, card in enumerate(cards):
        _card(ledger, card, f"series-{number}")
    dialog_period.draw(ledger)
    periods = {one.dataset for card in cards for one in card.series.published()}
    alone = [one for one in session_accounts.accounts(ledger) if one.dataset not in periods]
    for number, account in enumerate(alone):
        _account(ledger, account, f"own-{number}")
    if not cards and not alone:
        with st.container(border=True):
            st.header(_("Nothing has been registered yet"))
            st.markdown(
                _(
                    "A data set gets its budget on the page *Choose*, when it is opened for the first time. Every "
                    "release of it is charged here, and what is spent never comes back."
                )
            )
            st.page_link("pages/choose.py", label=_("Choose a level and publish it"), icon=":material/tune:")
    return bool(alone)


def _account(ledger: Ledger, account: Account, key: str) -> None:
    with st.container(border=True, key=f"account_{key}"):
        st.header(words.as_text(account.dataset))
        st.html(logic.draw_meter(account))
        told = [account.suffices, _("Protects {unit}").format(unit=account.unit) + "."]
        if account.stand_in:
            told.append(_("Made-up data for the strict preview are made, and the ledger counted them."))
        st.markdown(" ".join(told))
        st.caption(logic.tell_opening(account))
        if account.releases:
            _releases(ledger, account, key)
        else:
            st.markdown(_("Nothing of it has been published."))


def _releases(ledger: Ledger, account: Account, key: str) -> None:
    caption = _("Releases of {dataset}").format(dataset=account.dataset)
    latest, older = account.releases[: logic.SHOWN], account.releases[logic.SHOWN :]
    tables.show(logic.make_table(latest, account.releases), caption=caption)
    if older:
        with st.expander(_("{count} older releases").format(count=len(older))):
            tables.show(logic.make_table(older, account.releases), caption=caption)
    by_id = {one.id: one for one in account.releases}
    names = {id_: logic.name_of(one) for id_, one in by_id.items()}
    label = _("A release of {dataset}").format(dataset=account.dataset)
    chosen = by_id[elements.choose(st.selectbox, label, names, key=f"publication_{key}_{len(by_id)}")]
    with st.container(horizontal=True, key=f"life_{key}"):
        _actions(chosen, key)
    dialogs.draw(ledger, account.releases)
    if chosen.holders:
        told = _("Held by {holders}, each its own records: none saw those of another.")
        st.caption(told.format(holders=", ".join(chosen.holders)))
    why_not = {
        "charged": _(
            "It was charged, and something stopped the program before it was stored. Publish the same once more: that "
            "completes it and costs nothing."
        ),
        "lost": _("Its folder is not where it was put. Copy it back from a backup; the ledger knows its checksum."),
        "ended": _(
            "Several holders ran this together, and the run ended before they had a map. It was charged. Running their "
            "plan again changes the numbers anew and is charged anew."
        ),
    }.get(chosen.state)
    if why_not is not None:
        st.info(why_not)


def _actions(chosen: Publication, key: str) -> None:
    there = chosen.folder is not None
    if st.button(_("Show in Compare"), key=f"compare_{key}", icon=":material/compare:", disabled=not there):
        current_session().part(Pair).put_first(chosen.id)
        st.switch_page("pages/compare.py")
    if there:
        content = elements.show_errors(
            lambda: current_session().recent(
                f"again-{key}", chosen.id, lambda: stored_release(chosen).zip_bytes(), most=1
            )
        )
        if content is not None:
            elements.draw_download(_("Download again"), content, f"release-{chosen.id[:8]}.zip", key=f"download_{key}")
        if st.button(_("A picture of it"), key=f"picture_{key}", icon=":material/image:"):
            dialogs.ask_for("picture", chosen)
    stands = chosen.state == logic.STANDING and is_allowed(page_person.current_person() or "", Step.CHANGE_RELEASE)
    for step, label in (
        ("correct", _("Correct its words …")),
        ("supersede", _("Supersede …")),
        ("withdraw", _("Withdraw …")),
    ):
        alone = step != "correct" or not chosen.holders  # the words of several holders are signed by all of them
        if st.button(label, key=f"{step}_{key}", disabled=not stands or not alone):
            dialogs.ask_for(step, chosen)


def _card(ledger: Ledger, card: Card, key: str) -> None:
    account = card.account
    with st.container(border=True, key=f"account_{key}"):
        st.header(words.as_text(account.dataset))
        st.html(logic.draw_meter(account, window=card.window))
        st.markdown(card.told)
        st.caption(logic.tell_opening(account))
        label = _("Publish the first period …")
        if card.next_label is not None:
            label = _("Publish {period} …").format(period=words.period(card.next_label))
        if is_allowed(page_person.current_person() or "", Step.PUBLISH) and st.button(
            label, type="primary", key=f"next_{key}", icon=":material/event_upcoming:"
        ):
            dialog_period.ask_for(card.series.name)
        if account.releases:
            _releases(ledger, account, key)
        if len(logic.comparable(card)) > 1:
            _changes(card, key)


def _changes(card: Card, key: str) -> None:
    st.subheader(_("What changed"))
    offered = {one.id: one for one in logic.comparable(card)}
    labels = {one.dataset: words.period(one.period.label) for one in card.series.published()}
    names = {id_: labels[one.dataset] for id_, one in offered.items()}
    left, right = st.columns(2)
    turn = f"{key}_{len(names)}"
    before = elements.choose(left.selectbox, _("From"), names, index=1, key=f"before_{turn}")
    after = elements.choose(right.selectbox, _("to"), names, index=0, key=f"after_{turn}")
    if before == after:
        st.info(_("Choose two different periods."))
        return
    pair = (before, after)
    found = elements.show_errors(
        lambda: current_session().recent(
            "changes", pair, lambda: logic.changes_of(*(offered[str(id_)] for id_ in pair))
        )
    )
    if found is not None:
        _map(found, card, key)


def _map(found: Changes, card: Card, key: str) -> None:
    box, theme = logic.box_of(card.series), current_theme()
    told = logic.tell_changes(found)
    width = logic.WIDTH * min(1.0, logic.HIGHEST / charts.small_height(box, logic.WIDTH))  # never higher than a screen
    st.markdown(told)
    shown, listed = st.columns(2, gap="medium")
    with shown:
        st.html(icons.picture(logic.draw_changes(found, box, theme), told, max_width=f"{width:.0f}px"))
        st.html(logic.changes_key(theme))
    with listed:
        rows = logic.changes_table(found, box)
        if len(rows):
            tables.show(rows, caption=_("The largest clear changes"), numbers=say.CHANGES_COLUMNS[1:])
            st.caption(f"{_('“Likely between” holds the true change 90 times in 100.')} {sentences.OF_FILE}")
        else:
            st.info(_("No change here is clear of chance. That is what a small budget of a later period costs."))
        name, content = f"changes-{found.before}-{found.after}.geojson", json.dumps(found.to_geojson(), allow_nan=False)
        elements.draw_download(_("Download this map (GeoJSON)"), content, name, key=f"changes_{key}")
