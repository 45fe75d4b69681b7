"""The page *Published releases* for readers: what was published, its label, its files. No ledger, no record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from dpviz.labels.privacy_label import privacy_label
from dpviz.language import speaking
from dpviz.language.speaking import told
from dpviz.language.speaking import told as _
from dpviz.life.feed import load_releases
from dpviz.ui.compare.release_list import name_releases
from dpviz.ui.page_parts import elements, words
from dpviz.ui.person import words as say
from dpviz.ui.session import shared_results


def draw(folders: Sequence[Path]) -> None:
    """The whole page."""
    st.title(_("Published releases"))
    elements.banner(say.RELEASES_MODE, "dpv-strict")
    found = load_releases(folders)
    if not found.releases:
        st.markdown(say.NO_RELEASES)
        return
    names = name_releases(found.releases)
    by_id = {release.id: release for release in found.releases}
    chosen = by_id[
        str(st.selectbox(say.RELEASE, list(by_id), format_func=lambda key: names[key], key="reader_release"))
    ]
    news = found.news.get(chosen.id)
    if news is not None:
        st.warning(words.as_text(f"{told(news.state)}. {news.notice}".strip()))
    content = shared_results.get_or_make("zip", [chosen], (), chosen.zip_bytes)
    elements.draw_download(words.DOWNLOAD, content, f"{chosen.id[:8]}.zip", icon=False)
    elements.label(privacy_label(chosen, speaking.language()), chosen.method)
