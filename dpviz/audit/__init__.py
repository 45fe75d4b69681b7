"""Attack what methods publish: a lower bound on ε that holds, beside the exact maximum."""

from dpviz.audit.running import audit_method

__all__ = ["audit_method"]
