"""The variant as printed refuses, before it looks, files whose numbers its parts cannot hold."""

from __future__ import annotations

import pytest

from dpviz.domain import Adjacency, GeoBox, Unit
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget


def public_of(rows: int) -> Public:
    frame = GeoBox(-74.05, 40.70, -73.90, 40.80).frame
    return Public(frame=frame, side=256, relation=Adjacency.REPLACE_ONE, unit=Unit(), public_rows=rows)


def test_too_many_rows_are_refused_by_the_plan_from_their_public_number_alone() -> None:
    method, budget = catalogue.get("peeled_balls_paper"), Budget(epsilon=1.0, delta=1e-9)
    method.plan(public_of(2**30 - 1), k=1, budget=budget)
    with pytest.raises(InputError, match="fewer than 2\\^30 rows"):
        method.plan(public_of(2**30), k=1, budget=budget)
