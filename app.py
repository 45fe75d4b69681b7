"""The app for administrators and presenters: the list of pages and their frame."""

import streamlit as st

from dpviz.ui.serving import server

if __name__ == "__main__":  # a browser's session; the server itself imports this file
    from dpviz.ui.page_parts.elements import page_icon, start_page
    from dpviz.ui.serving import frame

    frame.begin()
    titles = frame.titles()
    st.set_page_config(page_title="dpviz", page_icon=page_icon(), layout="wide")
    pages = [
        st.Page("pages/choose.py", title=titles["choose"], icon=":material/tune:", default=True, url_path="first"),
        st.Page("pages/compare.py", title=titles["compare"], icon=":material/compare:"),
        st.Page("pages/publications.py", title=titles["publications"], icon=":material/inventory_2:"),
        st.Page("pages/demo.py", title=titles["demo"], icon=":material/slideshow:"),
        st.Page("pages/evidence.py", title=titles["evidence"], icon=":material/fact_check:"),
        st.Page("pages/choose.py", title=titles["choose"], url_path="choose", visibility="hidden"),
        st.Page("pages/trace.py", title=titles["trace"], visibility="hidden"),
    ]
    page = st.navigation(pages, position="top")
    start_page()
    frame.languages(page.url_path)
    page.run()
else:
    lifespan = server.warmed_up(server.for_curators)
    app = st.App(__file__, middleware=server.at_the_door(), routes=server.routes(), lifespan=lifespan)
