"""Every method of the catalogue through the door: whole folders that follow the schema, read back as they were."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.errors import NotOffered
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import ExactData, MethodInfo
from dpviz.privacy import Budget
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases import load
from dpviz.releases.document import schema
from dpviz.releases.release import NoAnswer
from dpviz.releases.request import ReleaseRequest


def suitable(info: MethodInfo) -> ExactData:
    rng = np.random.default_rng(3)
    relation = Adjacency.ADD_REMOVE_ONE if Adjacency.ADD_REMOVE_ONE in info.adjacencies else Adjacency.REPLACE_ONE
    if info.takes == "points" or info.dims[0] > 2:
        dims = max(2, info.dims[0])
        frame = plain_frame((0.0,) * dims, (1.0,) * dims)
        return ExactPoints.from_array(frame, np.clip(rng.normal(0.4, 0.1, (2000, dims)), 0, 0.99), relation=relation)
    cells = rng.poisson(2.0, (32, 32))
    cells[5:8, 20:24] += 200
    return ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells, relation=relation)


@pytest.mark.parametrize("name", [method.info.name for method in catalogue.METHODS])
def test_every_method_of_the_catalogue_goes_through_the_door(name: str, tmp_path: Path) -> None:
    info = catalogue.get(name).info
    dataset = register(
        "trips", suitable(info), total=Budget(epsilon=4.0, delta=1e-6), ledger=tmp_path / "ledger.sqlite3"
    )
    budget = Budget(epsilon=1.0, delta=1e-8 if info.needs_delta else 0.0)
    found = publish(dataset, ReleaseRequest(k=2, budget=budget, method=name))
    assert (found.method, found.status, found.noise, found.dataset) == (name, "published", "secure", "trips")
    assert found.guarantee.epsilon == 1.0 and found.guarantee.delta <= budget.delta
    jsonschema.validate(json.loads(found.files()["release.json"]), schema(), cls=jsonschema.Draft202012Validator)
    again = load(found.save(tmp_path / "out"))
    assert again.files() == found.files() == publish(dataset, found.request).files()
    assert len(dataset.charges) == 1
    if isinstance(found, NoAnswer):
        return
    assert len(found.centers) == 2
    assert (found.raw_centers >= found.frame.low).all() and (found.raw_centers <= found.frame.high).all()
    if info.gives_coreset:
        assert found.coreset is not None and len(found.coreset) <= 4096
        assert len(found.centers_for(5)) == 5 and np.isfinite(found.cost(found.centers))
    else:
        with pytest.raises(NotOffered):
            found.centers_for(5)
