"""One person's own track: a log of places, a hidden place, and what a stranger could still guess."""

from dpviz.ui.serving import frame

frame.needed()

from dpviz.ui.choose import page_trace

page_trace.draw()
