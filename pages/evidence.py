"""Evidence: methods, recorded experiments, audits, the promise and its limits."""

from dpviz.ui import evidence_parts

evidence_parts.page()
