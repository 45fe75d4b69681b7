"""A reading that a page follows leaves nothing of itself on it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from dpviz.ui.own_data.page_running import follow_reading

    ended = iter([False, True])
    reading = SimpleNamespace(share=0.5, wait=lambda seconds: next(ended), cancel=lambda: None)
    follow_reading(reading, "walk.gpx", "trace")
    st.text("what was read")


def test_a_reading_that_ended_offers_nothing_to_cancel() -> None:
    app = AppTest.from_function(page).run()
    assert not app.exception and app.text[0].value == "what was read"
    assert not app.button and "Reading" not in str(app.main)
