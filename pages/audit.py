"""The audit log of a hosted house."""

from dpviz.ui.serving import frame

frame.needed("audit")

from dpviz.ui.house import page_requests
from dpviz.ui.person import page_person

page_requests.draw_audit_log(page_person.current_desk())
