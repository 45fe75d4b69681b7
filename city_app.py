"""The curators' app of a hosted house: the pages that the person who signed in may open."""

import streamlit as st

if __name__ == "__main__":  # a browser's session; the server itself imports this file
    from dpviz.ui.page_parts.elements import page_icon, start_page
    from dpviz.ui.person import page_person
    from dpviz.ui.serving import frame

    frame.begin()
    titles = frame.titles()
    st.set_page_config(page_title="dpviz", page_icon=page_icon(), layout="wide")
    person = page_person.current_desk().person
    page = st.navigation(page_person.pages_of(person, titles), position="top")
    start_page()
    frame.languages(page.url_path)
    page.run()
    page_person.draw_greeting(person)
else:
    from dpviz.ui.serving import city_server, server

    at_start = city_server.curators()
    app = st.App(__file__, middleware=at_start.middleware, routes=server.routes(), lifespan=at_start.lifespan)
