"""Releases of methods that dpviz had: read, verified, asked; a new one is refused with what took its place."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.labels.privacy_label import privacy_label
from dpviz.releases.document import proof_of


@pytest.fixture
def house(tmp_path: Path, project_root: Path) -> Path:
    """A ledger with one release of 200 points in four dimensions, made with turned_tree."""
    with zipfile.ZipFile(project_root / "tests" / "golden" / "release-of-turned-tree.zip") as archive:
        archive.extractall(tmp_path / "house")
    return tmp_path / "house" / "ledger.sqlite3"


def records() -> ExactPoints:
    """Those that it was made of."""
    generator = np.random.default_rng(0)
    middles = generator.uniform(0.2, 0.8, (4, 4))
    raw = np.clip(middles[generator.integers(4, size=200)] + generator.normal(0, 0.04, (200, 4)), 0, 1)
    return ExactPoints.from_array(plain_frame([0.0] * 4, [1.0] * 4), raw, outside="clip")


def test_a_release_of_turned_tree_is_read_verified_and_asked(house: Path) -> None:
    (folder,) = house.with_name("ledger.sqlite3.releases").iterdir()
    found = dpviz.Release.load(folder)
    assert found.method == "turned_tree" and "earlier dpviz" in privacy_label(found)
    assert "earlier versions" in proof_of("turned_tree") and "earlier versions" in proof_of("subsampled:turned_tree")
    assert len(found.centers_for(k=3)) == 3 and found.cost(found.centers) > 0.0
    assert dpviz.evaluate(records(), found).coreset_size == 160


def test_the_same_request_gives_it_again_and_a_new_one_is_refused(house: Path) -> None:
    dataset = dpviz.open_dataset("columns", records(), ledger=house)
    before = dataset.remaining
    asked = dpviz.ReleaseRequest(k=4, budget=dpviz.Budget(epsilon=1.0), method="turned_tree")
    assert dpviz.publish(dataset, asked).method == "turned_tree"
    with pytest.raises(InputError, match="mean_split from five dimensions on, adaptive_tree below"):
        dpviz.publish(dataset, dpviz.ReleaseRequest(k=3, budget=dpviz.Budget(epsilon=1.0), method="turned_tree"))
    assert dataset.remaining == before
