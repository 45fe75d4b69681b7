"""The publish dialog: what leaves, what it costs, the ledger before and after, one typed word; then the download."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from dpviz.errors import DpvizError, LedgerRefusal
from dpviz.privacy import odds_sentence
from dpviz.releases import (
    Dataset,
    NoAnswer,
    Quote,
    Release,
    ReleaseRequest,
    demonstration_dataset,
    privacy_label,
    publish,
    quote,
)
from dpviz.ui import cache, charts, elements, icons, methods, regions, words, workspace
from dpviz.ui import choose_words as say
from dpviz.ui.preview import Refused
from dpviz.ui.sources import Mode, Source
from dpviz.ui.state import ChooseState


def dataset_of(source: Source) -> Dataset:
    """The registered data set; built-in cities have a demonstration ledger with an ample total."""
    if source.dataset is not None:
        registered: Dataset = source.dataset
        return registered
    return demonstration_dataset(source.id, source.exact_data)


def request_of(chosen: ChooseState) -> ReleaseRequest:
    """What would be asked of the door."""
    budget = methods.budget_of(chosen.level, chosen.method)
    return ReleaseRequest(
        k=chosen.k, budget=budget, method=chosen.method, regions=regions.at_level(chosen.regions, chosen.level)
    )


def open_dialog(source: Source, chosen: ChooseState) -> None:
    """The dialog, titled with the level's name."""
    elements.dialog(say.PUBLISH_TITLE.format(level=chosen.level.name), "medium", _body, source, chosen)


def _body(source: Source, chosen: ChooseState) -> None:
    key = (source.id, chosen.level.number, chosen.k, chosen.method, chosen.regions)
    done = cache.get("published")
    if done is not None and done[0] == key:
        after_publishing(done[1], demonstration=source.mode is Mode.DEMONSTRATION)
        return
    try:
        dataset = dataset_of(source)
        request = request_of(chosen)
        price = quote(dataset, request)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    _explain(source, chosen, dataset, price)
    if not price.allowed:
        return
    typed = st.text_input(say.PUBLISH_CONFIRM.format(level=chosen.level.name), key="publish_word")
    if not st.button(say.PUBLISH_GO, type="primary", key="publish_go"):
        return
    if typed.strip().casefold() != chosen.level.name.casefold():
        st.error(say.PUBLISH_WRONG.format(level=chosen.level.name))
        return
    outcome = _publish(source, dataset, request)
    if outcome is not None:
        cache.put("published", (key, outcome))
        cache.put("published_again", price.stored)
        st.rerun(scope="fragment")


def _explain(source: Source, chosen: ChooseState, dataset: Dataset, price: Quote) -> None:
    st.markdown(f"**{say.PUBLISH_LEAVES}**\n\n" + say.PUBLISH_LEAVES_LIST.format(k=chosen.k))
    st.markdown(say.PUBLISH_FRESH_STRICT if source.mode is Mode.STRICT else say.PUBLISH_FRESH)
    guarantee = methods.guarantee_of(source, chosen.level, chosen.method)
    st.markdown(f"**{say.PUBLISH_RISK}**\n\n" + odds_sentence(guarantee, record=source.record))
    previews = workspace.previews(source, chosen.regions)
    if isinstance(previews.known(chosen.method, chosen.k).get(chosen.level.number), Refused) and not price.stored:
        costs = "" if source.mode is Mode.DEMONSTRATION else " " + say.PUBLISH_MAY_FAIL_COSTS
        st.warning(say.PUBLISH_MAY_FAIL + costs)
    st.markdown(f"**{say.PUBLISH_COST}**")
    for sentence in regions.told(chosen.regions, chosen.level, source.unit):
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
    theme = cache.theme()
    told = say.PUBLISH_BUDGET.format(
        dataset=dataset.name,
        before=parts_of_100(total - left, total),
        request=parts_of_100(cost, total),
        after=parts_of_100(max(left - cost, 0.0), total),
    )
    st.html(icons.picture(charts.budget_bar(total - left, cost, total, theme), told))
    if price.allowed:
        st.html(charts.budget_key(theme))
        st.markdown(told)
    elif cost > left:
        st.error(too_much(cost, left, total))
    else:
        st.error(say.PUBLISH_NO_EXTRA)


def too_much(requested: float, remaining: float, total: float) -> str:
    """Requested, remaining, difference, in parts of 100 of the budget."""
    return say.PUBLISH_REFUSED.format(
        requested=parts_of_100(requested, total),
        remaining=parts_of_100(remaining, total),
        difference=parts_of_100(requested - remaining, total),
    )


def parts_of_100(value: float, total: float) -> str:
    """A part of a budget as a number of 100, with one digit after the point where it is small."""
    share = 100 * value / total if total else 0.0
    return f"{share:.0f}" if share >= 9.95 or share == 0 else f"{share:.1f}"


def _publish(source: Source, dataset: Dataset, request: ReleaseRequest) -> Release | NoAnswer | None:
    try:
        with st.spinner(say.PUBLISH_WORKING):
            return publish(dataset, request, basemap=None if source.map is None else source.map.geojson(source.box))
    except LedgerRefusal as refusal:
        st.error(refusal_words(refusal, dataset))
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
    return None


def refusal_words(refusal: LedgerRefusal, dataset: Dataset) -> str:
    """Requested, remaining, difference where the ledger says them; its own sentence otherwise."""
    values = refusal.values
    if values.get("part") == "delta":
        return say.PUBLISH_NO_EXTRA
    if {"requested", "remaining"} <= set(values):
        return too_much(float(values["requested"]), float(values["remaining"]), float(dataset.total.epsilon))
    return words.sentence(refusal.message)


def after_publishing(outcome: Release | NoAnswer, *, demonstration: bool = False) -> None:
    """Download and label. What a demonstration gives away costs nobody anything."""
    if isinstance(outcome, NoAnswer):
        told = say.PUBLISH_NO_ANSWER.format(reason=words.REASONS.get(str(outcome.reason), str(outcome.reason)))
        st.warning(told if demonstration else f"{told} {say.PUBLISH_NO_ANSWER_COST}")
        return
    st.success(say.PUBLISH_AGAIN if cache.get("published_again") else say.PUBLISH_DONE)
    st.download_button(
        words.DOWNLOAD,
        data=zip_of(outcome),
        file_name=file_name(outcome),
        mime="application/zip",
        on_click="ignore",
        type="primary",
        icon=":material/download:",
    )
    with st.expander(words.LABEL, expanded=True):
        elements.label(privacy_label(outcome))


def zip_of(release: Release) -> bytes:
    """The release folder as one file, made once per session."""
    return cache.last("zip", release.id, release.zip_bytes)


def file_name(outcome: Any) -> str:
    """A file name that every system takes."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", str(outcome.dataset or "release")).strip("-") or "release"
    return f"{plain}-{outcome.id[:8]}.zip"
