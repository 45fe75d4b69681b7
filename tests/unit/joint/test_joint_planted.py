"""A plan that a holder changes after the check, over real connections. Other bugs: dpviz_research/planting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpviz.errors import JointError
from dpviz.joint.circle import Circle
from dpviz.joint.plan import JointPlan
from dpviz.releases.request import digest
from tests.unit.joint.holders import Holders


def check_changed_plan(three: Holders) -> None:
    """A plan that one holder has changed since the check ends the run of all, and costs nothing."""

    def look(name: str, place: int) -> None:
        with Circle(three.plan, name, wait=20, purpose="check") as circle:
            circle.compare("check", b"")

    assert three.each(look) == [None] * 3
    request = replace(three.plan.request, k=4)
    changed = [replace(three.plan, request=request) if place == 1 else three.plan for place in range(3)]
    found = three.sums(lambda source, place: source.add_laplace(np.array([1]), 1.0), plans=changed)
    assert all(isinstance(one, JointError) and "Nothing was charged" in str(one) for one in found)


def test_a_plan_that_is_changed_after_the_check_is_found(three: Holders) -> None:
    check_changed_plan(three)


def test_a_digest_that_leaves_the_request_out_is_found(three: Holders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JointPlan, "digest", property(lambda plan: digest({"id": plan.id}) * 2))
    with pytest.raises(AssertionError):
        check_changed_plan(three)
