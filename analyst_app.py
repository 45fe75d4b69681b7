"""The analysts' server: one page over a folder of published releases, in a process without a path to exact data."""

import os
from pathlib import Path

import streamlit as st

from dpviz.ui import serving


def published() -> None:
    """The only page."""
    from dpviz.ui import compare_parts

    compare_parts.page([Path(os.environ.get("DPVIZ_RELEASES", "."))])


if serving.a_session_is_drawing():
    from dpviz.ui.elements import page_icon, start_page

    st.set_page_config(page_title="dpviz for analysts", page_icon=page_icon(), layout="wide")
    page = st.navigation([st.Page(published, title="Published releases", default=True)], position="hidden")
    start_page()
    page.run()
else:
    lifespan = serving.warmed_up(serving.for_analysts)
    app = st.App(__file__, middleware=serving.keep_to_named_pages_and_policy(), lifespan=lifespan)
