"""The app for administrators and presenters: the list of pages and their frame."""

import streamlit as st

from dpviz.ui import serving

if serving.a_session_is_drawing():
    from dpviz.ui.elements import page_icon, start_page

    st.set_page_config(page_title="dpviz", page_icon=page_icon(), layout="wide")
    pages = [
        st.Page("pages/choose.py", title="Choose", icon=":material/tune:", default=True),
        st.Page("pages/compare.py", title="Compare", icon=":material/compare:"),
        st.Page("pages/demo.py", title="Demo", icon=":material/slideshow:"),
        st.Page("pages/evidence.py", title="Evidence", icon=":material/fact_check:"),
    ]
    page = st.navigation(pages, position="top")
    start_page()
    page.run()
else:
    lifespan = serving.warmed_up(serving.for_curators)
    app = st.App(__file__, middleware=serving.keep_to_named_pages_and_policy(), lifespan=lifespan)
