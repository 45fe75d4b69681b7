"""A large error is told before it is paid for; the words read public facts and a number of records."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz import PrivateKMeans
from dpviz.domain import Adjacency, Unit
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import MUCH, expected_error, warning
from dpviz.releases.request import ReleaseRequest


def public(dims: int) -> Public:
    return Public(
        frame=plain_frame((0.0,) * dims, (1.0,) * dims),
        side=None,
        relation=Adjacency.ADD_REMOVE_ONE,
        unit=Unit(),
        public_rows=None,
    )


@pytest.mark.parametrize("dims", [2, 3, 4, 5, 10, 20, 24, 64])
def test_few_records_are_warned_of_and_many_are_not(dims: int) -> None:
    asked = ReleaseRequest(k=4, budget=Budget(epsilon=0.1))
    few, many = (expected_error(asked, public(dims), records) for records in (100, 10**7))
    assert few is not None and many is not None and many.expected < MUCH < few.expected
    assert "That is a lot" in warning(few) and warning(many) == ""


def test_what_the_table_does_not_know_is_not_told() -> None:
    budget = Budget(epsilon=0.1)
    assert expected_error(ReleaseRequest(k=4, budget=budget, method="genetic"), public(3), 100) is None
    assert expected_error(ReleaseRequest(k=4, budget=budget, purpose="any question"), public(2), 100) is None
    assert expected_error(ReleaseRequest(k=4, budget=budget), public(65), 100) is None
    assert warning(None) == ""


def test_automatic_answers_in_twenty_dimensions() -> None:
    generator = np.random.default_rng(0)
    rows = np.concatenate([generator.normal(middle, 0.5, (1000, 20)) for middle in (-4, 0, 4)])
    model = PrivateKMeans(n_clusters=3, epsilon=5.0, bounds=(-8, 8), random_state=1).fit(rows)
    assert model.cluster_centers_.shape == (3, 20)
