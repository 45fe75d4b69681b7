"""Data of a hosted house: open what is registered, register new ones."""

from dpviz.ui.serving import frame

frame.needed("data")

from dpviz.ui.house import page_data
from dpviz.ui.person import page_person

page_data.draw(page_person.current_desk())
