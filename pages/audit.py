"""The audit log of a hosted house."""

from dpviz.ui.serving import frame

frame.needed("audit")

from dpviz.ui.house import page_audit
from dpviz.ui.person import page_person

page_audit.draw(page_person.current_desk())
