"""One release of several holders, none of whom sees another's records (docs/how-to/several-holders.md)."""

from dpviz.joint.plan import Holder, JointPlan, make_plan, read_plan
from dpviz.joint.run import check, run

__all__ = ["Holder", "JointPlan", "check", "make_plan", "read_plan", "run"]
