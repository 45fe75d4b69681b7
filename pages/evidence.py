"""Evidence: methods, recorded experiments, audits, the promise and its limits."""

from dpviz.ui.serving import frame

frame.needed("evidence")

from dpviz.ui.evidence import page

page.draw()
