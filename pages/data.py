"""Data of a hosted house: open what is registered, register new ones."""

from dpviz.ui import frame

frame.needed("data")

from dpviz.ui.hosting import page_data, page_desk

page_data.draw(page_desk.here())
