"""Choose: move the level, look at what it costs and what it risks, publish."""

from dpviz.ui.serving import frame

frame.needed()

from dpviz.ui.choose import page

page.draw()
