"""The page *Published releases* for readers: what was published, its label, its files. No ledger, no record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from dpviz.labels.privacy_label import privacy_label
from dpviz.language import speaking
from dpviz.releases.release import Release
from dpviz.ui.compare.release_list import on_disk
from dpviz.ui.compare.release_names import names_of
from dpviz.ui.page_parts import elements, words
from dpviz.ui.person import words as say
from dpviz.ui.session import shared_results


def draw(folders: Sequence[Path]) -> None:
    """The whole page."""
    st.title(say.RELEASES_TITLE)
    elements.banner(say.RELEASES_MODE, "dpv-strict")
    found = on_disk(folders)
    if not found.releases:
        st.markdown(say.NO_RELEASES)
        return
    names = names_of(found.releases)
    by_id = {release.id: release for release in found.releases}
    chosen = by_id[
        str(st.selectbox(say.RELEASE, list(by_id), format_func=lambda key: names[key], key="reader_release"))
    ]
    news = found.news.get(chosen.id)
    if news is not None:
        st.warning(words.as_text(f"{say.NEWS.get(news.state, news.state)}. {news.notice}".strip()))
    st.download_button(words.DOWNLOAD, _zip(chosen), f"{chosen.id[:8]}.zip", "application/zip", on_click="ignore")
    elements.label(privacy_label(chosen, speaking.language()), chosen.method)


def _zip(release: Release) -> bytes:
    return shared_results.get_or_make("zip", [release], (), release.zip_bytes)
