"""The audit log of a hosted house."""

from dpviz.ui import frame

frame.needed("audit")

from dpviz.ui.hosting import page_audit, page_desk

page_audit.draw(page_desk.here())
