"""Requests of a hosted house: what waits for a second person."""

from dpviz.ui.serving import frame

frame.needed("requests")

from dpviz.ui.house import page_requests
from dpviz.ui.person import page_person

page_requests.draw(page_person.current_desk())
