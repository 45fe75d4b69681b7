"""The analysts' server: published releases only, in a process without a path to exact data. At home and hosted."""

import os
from pathlib import Path

import streamlit as st

from dpviz.ui.serving import server


def published() -> None:
    """Compare releases and ask them."""
    from dpviz.ui.compare import page as compare_page

    compare_page.draw([Path(os.environ.get("DPVIZ_RELEASES", "."))])


def reading_room() -> None:
    """Read what was published."""
    from dpviz.ui.compare import page as compare_page

    compare_page.draw_reading_room([Path(os.environ.get("DPVIZ_RELEASES", "."))])


if __name__ == "__main__":  # a browser's session; the server itself imports this file
    from dpviz.ui.page_parts import words
    from dpviz.ui.page_parts.elements import page_icon, start_page
    from dpviz.ui.serving import frame

    frame.begin()
    titles = frame.titles()
    st.set_page_config(page_title=words.PAGE_ANALYSTS, page_icon=page_icon(), layout="wide")
    person = None
    pages = [st.Page(published, title=titles["releases"], default=True)]
    if os.environ.get("DPVIZ_CITY"):
        from dpviz.ui.person import page_person

        person = page_person.current_person()
        assert person is not None
        reads_only = {role.value for role in person.roles} == {"reader"}
        rooms = [st.Page(reading_room, title=titles["releases"], default=reads_only, url_path="releases")]
        pages = rooms if reads_only else [st.Page(published, title=titles["compare"], default=True), *rooms]
    page = st.navigation(pages, position="hidden" if len(pages) == 1 else "top")
    start_page()
    frame.languages(page.url_path)
    page.run()
    if person is not None:
        page_person.draw_greeting(person)
elif os.environ.get("DPVIZ_CITY"):
    from dpviz.ui.serving import city_server

    at_start = city_server.analysts()
    app = st.App(__file__, middleware=at_start.middleware, routes=server.routes(), lifespan=at_start.lifespan)
else:
    lifespan = server.warmed_up(server.for_analysts)
    middleware = server.at_the_door(os.environ.get("DPVIZ_PUBLIC_ADDRESS", ""))
    app = st.App(__file__, middleware=middleware, routes=server.routes(), lifespan=lifespan)
