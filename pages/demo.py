"""Demo: Find Her, a story for people without a technical background."""

from dpviz.ui.serving import frame

frame.needed("demo")

from dpviz.ui.demo import page

page.draw()
