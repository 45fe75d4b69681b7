from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.adaptive_tree.mechanism import LARGEST_BALANCED_SHARE, MAPS
from dpviz.mechanisms.interface import Purpose
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import prepare, public_facts, release
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest
from dpviz.releases.store import read_folder

BUDGET = Budget(epsilon=1.0)


@pytest.fixture(scope="module")
def city() -> ExactCounts:
    rng = np.random.default_rng(7)
    return ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), rng.poisson(40.0, size=(32, 32)))


def test_a_request_for_centers_keeps_the_key_that_it_always_had() -> None:
    """The key in words: what releases were stored under before there was a choice."""
    facts = ReleaseRequest(k=5, budget=Budget(epsilon=0.5)).facts()
    assert facts == {"k": 5, "epsilon": "0.5", "delta": "0.0", "method": "auto", "purpose": "release"}
    assert ReleaseRequest(k=5, budget=BUDGET, purpose="release") == ReleaseRequest(k=5, budget=BUDGET)
    keys = {ReleaseRequest(k=5, budget=BUDGET, purpose=purpose.value).key("a") for purpose in Purpose}
    assert len(keys) == 3


def test_an_unknown_purpose_is_refused() -> None:
    with pytest.raises(InputError, match="any question"):
        ReleaseRequest(k=5, budget=BUDGET, purpose="everything")


@pytest.mark.parametrize("strength", [1e3, 1e5, 1e7])
@pytest.mark.parametrize("k", [1, 5])
def test_purposes_leave_more_and_more_to_the_tree(strength: float, k: int) -> None:
    shares = [sum(MAPS.residual_shares(strength, k, purpose), Fraction(0)) for purpose in Purpose]
    assert shares[0] >= shares[1] >= shares[2] == 0
    assert shares[1] <= LARGEST_BALANCED_SHARE


def test_every_purpose_charges_the_same_and_says_so_in_the_folder(city: ExactCounts, tmp_path: object) -> None:
    for number, purpose in enumerate(Purpose):
        found = release(city, 2, BUDGET, seed=1, purpose=purpose.value)
        assert isinstance(found, Release)
        assert sum(charge.epsilon for charge in found.charges) <= 1.0
        assert found.guarantee.epsilon == 1.0
        loaded = read_folder(found.save(tmp_path / str(number)))  # type: ignore[operator]
        assert loaded.request == found.request
        document = json.loads(found.files()["release.json"])
        assert document["constants"].get("purpose", "centers") == purpose.value


def test_wrappers_pass_the_purpose_on_and_methods_without_cells_refuse(city: ExactCounts) -> None:
    wrapped = release(city, 2, BUDGET, "subsampled:adaptive_tree", seed=1, purpose="any question")
    assert isinstance(wrapped, Release) and wrapped.constants["residual_shares"] == []
    for method in ("noisy_lloyd", "peeled_balls", "subsampled:genetic"):
        with pytest.raises(InputError, match="no cells"):
            release(city, 2, BUDGET, method, seed=1, purpose="balanced")
    assert catalogue.divide_for_purpose(catalogue.get("uniform_grid"), Purpose.ANY_QUESTION) is catalogue.get(
        "uniform_grid"
    )


def test_auto_takes_the_method_with_cells_when_questions_matter(city: ExactCounts) -> None:
    asked = ReleaseRequest(k=3, budget=BUDGET, purpose="any question")
    assert prepare(asked, public_facts(city)).mechanism.info.name == "adaptive_tree"
