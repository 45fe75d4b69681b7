"""Requests of a hosted house: what waits for a second person."""

from dpviz.ui import frame

frame.needed("requests")

from dpviz.ui.hosting import page_desk, page_requests

page_requests.draw(page_desk.here())
