"""The publish dialog: what leaves, what it costs, the ledger before and after, one typed word; then the download."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.errors import DpvizError, LedgerRefusal
from dpviz.releases import Dataset, NoAnswer, Release, ReleaseRequest, demonstration_dataset, privacy_label, publish
from dpviz.ui import cache, charts, elements, icons, methods, regions, words
from dpviz.ui.sources import Mode, Source
from dpviz.ui.state import ChooseState


@dataclass(frozen=True, kw_only=True)
class LedgerView:
    """The ledger for one request, in shares of the total."""

    before: float
    request: float
    total: float
    published_before: bool

    @property
    def after(self) -> float:
        """What would be left."""
        return self.total - self.before - (0.0 if self.published_before else self.request)

    @property
    def fits(self) -> bool:
        """Whether the ledger would allow it; the ledger itself has the last word."""
        return self.published_before or self.after >= -1e-9


def dataset_of(source: Source) -> Dataset:
    """The registered data set; built-in cities have a demonstration ledger with an ample total."""
    if source.dataset is not None:
        registered: Dataset = source.dataset
        return registered
    name = source.id if source.hour is None else f"{source.id.split('@')[0]}, {source.hour:02d} h"
    return demonstration_dataset(name, source.exact_data)


def request_of(chosen: ChooseState) -> ReleaseRequest:
    """What would be asked of the door."""
    budget = methods.budget_of(chosen.level, chosen.method)
    return ReleaseRequest(
        k=chosen.k, budget=budget, method=chosen.method, regions=regions.at_level(chosen.regions, chosen.level)
    )


def ledger_view(dataset: Dataset, request: ReleaseRequest) -> LedgerView:
    """The ledger before and after this request."""
    total, left = float(dataset.total.epsilon), float(dataset.remaining.epsilon)
    charged = dataset.ledger.charge(request.key(dataset.name))
    return LedgerView(
        before=total - left,
        request=request.budget.epsilon,
        total=total,
        published_before=charged is not None and charged.stored,
    )


def open_dialog(source: Source, chosen: ChooseState) -> None:
    """The dialog, titled with the level's name."""
    st.dialog(words.PUBLISH_TITLE.format(level=chosen.level.name), width="medium")(_body)(source, chosen)


def _body(source: Source, chosen: ChooseState) -> None:
    key = (source.id, chosen.level.number, chosen.k, chosen.method, chosen.regions)
    done = cache.get("published")
    if done is not None and done[0] == key:
        after_publishing(done[1])
        return
    try:
        dataset = dataset_of(source)
        request = request_of(chosen)
        view = ledger_view(dataset, request)
    except DpvizError as problem:
        st.error(problem.message)
        return
    _explain(source, chosen, dataset, view)
    typed = st.text_input(words.PUBLISH_CONFIRM.format(level=chosen.level.name), key="publish_word")
    if not st.button(words.PUBLISH_GO, type="primary", disabled=not view.fits, key="publish_go"):
        return
    if typed.strip().casefold() != chosen.level.name.casefold():
        st.error(words.PUBLISH_WRONG.format(level=chosen.level.name))
        return
    outcome = _publish(source, dataset, request)
    if outcome is not None:
        cache.put("published", (key, outcome))
        cache.put("published_again", view.published_before)
        st.rerun(scope="fragment")


def _explain(source: Source, chosen: ChooseState, dataset: Dataset, view: LedgerView) -> None:
    st.markdown(f"**{words.PUBLISH_LEAVES}**\n\n" + words.PUBLISH_LEAVES_LIST.format(k=chosen.k))
    st.markdown(words.PUBLISH_FRESH)
    st.markdown(f"**{words.PUBLISH_COST}**")
    for sentence in regions.told(chosen.regions, chosen.level, source.unit):
        st.markdown(f"- {sentence}")
    if view.published_before:
        st.info(words.PUBLISH_AGAIN)
    elif source.mode is Mode.DEMONSTRATION:
        st.markdown(words.PUBLISH_DEMO_BUDGET)
    else:
        theme = cache.theme()
        parts = [_parts(value, view.total) for value in (view.before, view.request, max(view.after, 0.0))]
        told = words.PUBLISH_BUDGET.format(dataset=dataset.name, before=parts[0], request=parts[1], after=parts[2])
        st.html(icons.picture(charts.budget_bar(view.before, view.request, view.total, theme), told))
        st.markdown(told)
        if not view.fits:
            st.error(words.PUBLISH_TOO_MUCH)
    if source.mode is not Mode.STRICT:
        st.caption(words.PUBLISH_CHOICE)


def _parts(value: float, total: float) -> str:
    share = 100 * value / total if total else 0.0
    return f"{share:.0f}" if share >= 9.95 or share == 0 else f"{share:.1f}"


def _publish(source: Source, dataset: Dataset, request: ReleaseRequest) -> Release | NoAnswer | None:
    try:
        with st.spinner(words.PUBLISH_WORKING):
            return publish(dataset, request, basemap=None if source.map is None else source.map.geojson(source.box))
    except LedgerRefusal as refusal:
        st.error(refusal_words(refusal))
    except DpvizError as problem:
        st.error(problem.message)
    return None


def refusal_words(refusal: LedgerRefusal) -> str:
    """Requested, remaining, difference where the ledger says them; its own sentence otherwise."""
    values = refusal.values
    if {"requested", "remaining", "difference"} <= set(values):
        return words.PUBLISH_REFUSED.format(**{name: str(values[name]) for name in values})
    return refusal.message


def after_publishing(outcome: Release | NoAnswer) -> None:
    """Download and label."""
    if isinstance(outcome, NoAnswer):
        st.warning(words.PUBLISH_NO_ANSWER.format(reason=words.REASONS.get(str(outcome.reason), str(outcome.reason))))
        return
    st.success(words.PUBLISH_AGAIN if cache.get("published_again") else words.PUBLISH_DONE)
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
