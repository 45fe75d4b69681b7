from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from dpviz.errors import InputError
from dpviz.privacy import Budget
from dpviz.releases.request import ReleaseRequest, digest


def test_equal_requests_have_equal_keys() -> None:
    first = ReleaseRequest(k=5, budget=Budget(epsilon=1, delta=0))
    second = ReleaseRequest(k=np.int64(5), budget=Budget(epsilon=1.0), method="auto")
    assert first == second
    assert first.key("trips") == second.key("trips")


@pytest.mark.parametrize(
    "other",
    [
        ReleaseRequest(k=6, budget=Budget(epsilon=0.5)),
        ReleaseRequest(k=5, budget=Budget(epsilon=0.6)),
        ReleaseRequest(k=5, budget=Budget(epsilon=0.5, delta=1e-9)),
        ReleaseRequest(k=5, budget=Budget(epsilon=0.5), method="uniform_grid"),
        ReleaseRequest(k=5, budget=Budget(epsilon=0.5), purpose="stand-in"),
    ],
)
def test_every_field_is_part_of_the_key(other: ReleaseRequest) -> None:
    assert other.key("trips") != ReleaseRequest(k=5, budget=Budget(epsilon=0.5)).key("trips")


def test_the_dataset_is_part_of_the_key() -> None:
    request = ReleaseRequest(k=5, budget=Budget(epsilon=0.5))
    assert request.key("trips") != request.key("trips2")


def test_the_key_is_a_hash_of_one_canonical_spelling() -> None:
    spelled = (
        '{"dataset":"trips","request":{"delta":"1e-09","epsilon":"0.5","k":5,"method":"auto","purpose":"release"}}'
    )
    expected = hashlib.sha256(spelled.encode()).hexdigest()[:32]
    assert ReleaseRequest(k=5, budget=Budget(epsilon=0.5, delta=1e-9)).key("trips") == expected


@pytest.mark.parametrize("k", [0, -1, 4097, 2.5, "5", None, True, float("nan")])
def test_a_number_of_clusters_that_cannot_be_says_what_can(k: Any) -> None:
    with pytest.raises(InputError, match="from 1 to 4096"):
        ReleaseRequest(k=k, budget=Budget(epsilon=0.5))


@pytest.mark.parametrize(
    "fields", [{"budget": 0.5}, {"budget": None}, {"method": ""}, {"method": None}, {"purpose": "other"}]
)
def test_other_fields_that_cannot_be_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ReleaseRequest(**({"k": 5, "budget": Budget(epsilon=0.5)} | fields))


def test_digests_do_not_depend_on_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": "é"}) == digest({"b": "é", "a": 1})
