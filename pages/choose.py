"""Choose: move the level, look at what it costs and what it risks, publish."""

import streamlit as st

from dpviz.ui import choose_parts as parts
from dpviz.ui import choose_results, elements, words, workspace
from dpviz.ui.preview import Drawn, Setting
from dpviz.ui.sources import MODE_CLASSES, MODE_WORDS

chosen = parts.read_state()
source = workspace.current_source(chosen.data, chosen.hour)

st.title(words.CHOOSE_TITLE)
elements.banner(MODE_WORDS[source.mode], MODE_CLASSES[source.mode])
parts.hints(source)

left, right = st.columns([0.32, 0.68], gap="medium")
with left:
    chosen = parts.controls(source)

previews = workspace.previews(source, chosen.regions)
setting = Setting(method=chosen.method, k=chosen.k, level=chosen.level.number)
drawn = previews.main(setting)
previews.prepare(chosen.method, chosen.k, chosen.level)

with right:
    if isinstance(drawn, Drawn):
        view = parts.map_panel(source, chosen, drawn)
    else:
        parts.no_answer(chosen, drawn, previews)

if isinstance(drawn, Drawn):
    choose_results.results(source, chosen, drawn, previews, parts.watched_area(source, chosen))
    parts.tables(source, chosen, view)
