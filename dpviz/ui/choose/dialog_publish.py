"""The publish dialog: what leaves, what it costs, the ledger before and after, one typed word; then the download."""

from __future__ import annotations

import re
from dataclasses import replace

import streamlit as st

from dpviz.errors import DpvizError, LedgerRefusal
from dpviz.labels.privacy_label import privacy_label
from dpviz.language import ENGLISH, speaking
from dpviz.language.speaking import as_now
from dpviz.publishing.approvals import Permit
from dpviz.publishing.approvals import Refused as NotPermitted
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import Quote, StoredAnswer, publish, quote
from dpviz.releases.about import About
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.choose import words as say
from dpviz.ui.map import charts
from dpviz.ui.own_data.page_running import shown_errors
from dpviz.ui.page_parts import elements, icons, tables, words
from dpviz.ui.person import page_person
from dpviz.ui.person import words as hosted
from dpviz.ui.session import methods, regions, workspace
from dpviz.ui.session.preview import Refused
from dpviz.ui.session.session import Published, Session, current_session, current_theme
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import AUTO, ChooseState

CENTERS = "centers"


def open_publishing(session: Session, source: Source) -> None:
    """The dialog, titled with the level's name. It is about what is chosen: a step of the slider that the server hears
    of after the click opens it anew, for the level that the page shows.
    """
    title = say.PUBLISH_TITLE.format(level=words.level_name(session.chosen.level))
    st.dialog(title, width="medium", on_dismiss=session.close_dialog)(_body)(source, session.chosen)


def _body(source: Source, chosen: ChooseState) -> None:
    purpose = _purpose(chosen)
    key = (source.id, chosen.level.number, chosen.k, chosen.method, chosen.regions, purpose)
    done = current_session().published
    if done is not None and done.key == key:
        after_publishing(done, demonstration=source.mode is Mode.DEMONSTRATION)
        return
    package = "" if chosen.method == AUTO else methods.rows()[chosen.method]["package"]
    if package and not st.checkbox(words.as_text(say.PUBLISH_UNVETTED.format(package=package)), key="publish_unvetted"):
        return
    try:
        dataset = methods.dataset_of(source)
        request = replace(methods.request_of(chosen), purpose=purpose, unvetted=bool(package))
        price = quote(dataset, request)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    _explain(source, chosen, dataset, price, purpose)
    if not _goes_on_although_answered(price.answered_by, chosen.k):
        return
    if not price.allowed or _is_asked_elsewhere(dataset, request, price):
        return
    typed = st.text_input(say.PUBLISH_CONFIRM.format(level=words.level_name(chosen.level)), key="publish_word")
    if not st.button(say.PUBLISH_GO, type="primary", key="publish_go"):
        return
    if typed.strip().casefold() != words.level_name(chosen.level).casefold():
        st.error(say.PUBLISH_WRONG.format(level=words.level_name(chosen.level)))
        return
    outcome = _publish(source, dataset, request)
    if outcome is not None:
        current_session().published = Published(key=key, outcome=outcome, again=price.stored)
        st.rerun(scope="fragment")


def _goes_on_although_answered(answer: StoredAnswer | None, k: int) -> bool:
    """Offer what a stored release answers for nothing; whether the curator wants to pay all the same."""
    if answer is None:
        return True
    told = {"k": k, "day": answer.published or answer.release.id[:8]}
    st.info(words.as_text(say.PUBLISH_ANSWERED.format(**told), 300))
    if st.toggle(say.PUBLISH_ANSWERED_SHOW, key=f"publish_answered_{answer.release.id}_{k}"):
        held = current_session().recent(
            "answered", (answer.release.id, k), lambda: answer.release.centers_for(k=k), most=1
        )
        tables.show(
            held.round(5).assign(weight=held["weight"].round()), caption=say.PUBLISH_ANSWERED_TABLE.format(**told)
        )
    return st.checkbox(say.PUBLISH_ANSWERED_PAY, key=f"publish_pay_{answer.release.id}_{k}")


def _is_asked_elsewhere(dataset: Dataset, request: ReleaseRequest, price: Quote) -> bool:
    """In a hosted house: whether this person may not publish, or somebody else has to approve it."""
    desk = page_person.desk_or_none()
    if desk is None or price.stored:
        return False
    needed = desk.what_is_needed(dataset, request)
    if isinstance(needed, Permit):
        return False
    if isinstance(needed, NotPermitted):
        st.info(hosted.NOT_PUBLISHER)
        return True
    if needed.waiting is not None:
        st.success(hosted.ASK_DONE)
        return True
    st.info(words.as_text(hosted.ASK_NOTE.format(dataset=dataset.name), 300))
    why = st.text_input(hosted.ASK_WHY, key="publish_why", max_chars=300)
    if st.button(hosted.ASK_GO, type="primary", key="publish_ask"):
        with shown_errors():
            desk.ask(dataset, request, why)
            st.rerun(scope="fragment")
    return True


def _purpose(chosen: ChooseState) -> str:
    """What the budget is for, in words with what each choice costs the other; only where a method can be made so."""
    if not methods.takes_purposes(chosen.method):
        return CENTERS
    found = st.radio(
        say.PURPOSE,
        list(say.PURPOSES),
        format_func=as_now(lambda name: say.PURPOSES[name][0]),
        captions=[caption for _, caption in say.PURPOSES.values()],
        key="publish_purpose",
    )
    return str(found)


def _explain(source: Source, chosen: ChooseState, dataset: Dataset, price: Quote, purpose: str) -> None:
    st.markdown(f"**{say.PUBLISH_LEAVES}**\n\n" + say.PUBLISH_LEAVES_LIST.format(k=chosen.k))
    fresh = say.PUBLISH_FRESH_STRICT if source.mode is Mode.STRICT else say.PUBLISH_FRESH
    st.markdown(fresh if purpose == CENTERS else f"{fresh} {say.PUBLISH_FRESH_PURPOSE}")
    guarantee = methods.guarantee_of(source, chosen.level, chosen.method)
    st.markdown(f"**{say.PUBLISH_RISK}**\n\n" + words.odds_told(guarantee, source.record))
    previews = workspace.previews(source, chosen.regions)
    if isinstance(previews.known(chosen.method, chosen.k).get(chosen.level.number), Refused) and not price.stored:
        costs = "" if source.mode is Mode.DEMONSTRATION else " " + say.PUBLISH_MAY_FAIL_COSTS
        st.warning(say.PUBLISH_MAY_FAIL + costs)
    st.markdown(f"**{say.PUBLISH_COST}**")
    for sentence in regions.describe(chosen.regions, chosen.level, source.unit):
        st.markdown(f"- {sentence}")
    if price.stored:
        st.info(say.PUBLISH_AGAIN)
    elif source.mode is Mode.DEMONSTRATION:
        st.markdown(say.PUBLISH_DEMO_BUDGET)
    else:
        _budget(dataset, price)
    if source.mode is not Mode.STRICT and price.allowed:
        st.caption(say.PUBLISH_CHOICE)


def _budget(dataset: Dataset, price: Quote) -> None:
    """The ledger before and after, in parts of 100; what is missing where it does not suffice."""
    total = float(dataset.total.epsilon)
    left, cost = float(price.before.epsilon), float(price.cost.epsilon)
    told = say.PUBLISH_BUDGET.format(
        dataset=dataset.name,
        before=words.parts_of_100(total - left, total),
        request=words.parts_of_100(cost, total),
        after=words.parts_of_100(max(left - cost, 0.0), total),
    )
    st.html(icons.picture(charts.budget_bar(total - left, cost, total, current_theme()), told))
    if price.allowed:
        st.html(charts.budget_key(current_theme()))
        st.markdown(told)
    elif cost > left:
        st.error(too_much(cost, left, total))
    else:
        st.error(say.PUBLISH_NO_EXTRA)


def too_much(requested: float, remaining: float, total: float) -> str:
    """Requested, remaining, difference, in parts of 100 of the budget."""
    return say.PUBLISH_REFUSED.format(
        requested=words.parts_of_100(requested, total),
        remaining=words.parts_of_100(remaining, total),
        difference=words.parts_of_100(requested - remaining, total),
    )


def _publish(source: Source, dataset: Dataset, request: ReleaseRequest) -> Release | NoAnswer | None:
    desk, spoken = page_person.desk_or_none(), speaking.language()
    about = None if spoken == ENGLISH else About(language=spoken)
    try:
        with st.spinner(say.PUBLISH_WORKING):
            ground = None if source.map is None else source.map.geojson(source.box)
            if desk is not None:
                return desk.publish(dataset, request, about=about, basemap=ground)
            return publish(dataset, request, about=about, basemap=ground, even_if_answered=True)
    except DpvizError as problem:
        st.error(refusal_words(problem, dataset))
    return None


def refusal_words(problem: DpvizError, dataset: Dataset) -> str:
    """Requested, remaining, difference where the ledger says them; the sentence of the error otherwise."""
    values = problem.values if isinstance(problem, LedgerRefusal) else {}
    if values.get("part") == "delta":
        return say.PUBLISH_NO_EXTRA
    if {"requested", "remaining"} <= set(values):
        return too_much(float(values["requested"]), float(values["remaining"]), float(dataset.total.epsilon))
    return words.sentence(problem.message)


def after_publishing(done: Published, *, demonstration: bool = False) -> None:
    """Download and label. What a demonstration gives away costs nobody anything."""
    outcome = done.outcome
    if isinstance(outcome, NoAnswer):
        told = say.PUBLISH_NO_ANSWER.format(reason=words.REASONS.get(str(outcome.reason), str(outcome.reason)))
        st.warning(told if demonstration else f"{told} {say.PUBLISH_NO_ANSWER_COST}")
        return
    st.success(say.PUBLISH_AGAIN if done.again else say.PUBLISH_DONE)
    plain = re.sub(r"[^A-Za-z0-9]+", "-", str(outcome.dataset or "release")).strip("-") or "release"
    st.download_button(
        words.DOWNLOAD,
        data=current_session().recent("zip", outcome.id, outcome.zip_bytes, most=1),
        file_name=f"{plain}-{outcome.id[:8]}.zip",  # every system takes it
        mime="application/zip",
        on_click="ignore",
        type="primary",
        icon=":material/download:",
    )
    with st.expander(words.LABEL, expanded=True):
        elements.label(privacy_label(outcome, speaking.language()), outcome.method)
