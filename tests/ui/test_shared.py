"""What is made of published releases is made once for all visitors, and of each release only its own."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.life.feed import load_releases
from dpviz.releases.release import PREVIEW, Release, own_id
from dpviz.ui.session import shared_results


@pytest.fixture
def release() -> Iterator[Release]:
    cells = np.zeros((16, 16), np.int64)
    cells[4:8, 4:8] = 400
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16), cells)
    found = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), method="uniform_grid", seed=1)
    assert isinstance(found, Release)
    yield found


def test_fifty_visitors_wait_for_one_piece_of_work(release: Release) -> None:
    made, together = [], threading.Barrier(50)

    def visitor(_: int) -> list[int]:
        together.wait()
        return shared_results.get_or_make("kind", [release], 5, lambda: made.append(1) or [1])  # type: ignore[func-returns-value]

    with ThreadPoolExecutor(50) as visitors:
        answers = list(visitors.map(visitor, range(50)))
    assert len(made) == 1
    assert len({id(answer) for answer in answers}) == 1


def test_a_file_that_bears_the_name_of_a_release_gets_nothing_of_it_and_gives_it_nothing(release: Release) -> None:
    forged = replace(release, raw_centers=release.raw_centers + 0.01)
    assert forged.id == release.id
    assert shared_results.get_or_make("centers", [forged], 2, lambda: "forged") == "forged"
    assert shared_results.get_or_make("centers", [release], 2, lambda: "true") == "true"
    assert (
        shared_results.get_or_make("pair", [release, forged], 2, lambda: "with the forged one") == "with the forged one"
    )
    assert shared_results.get_or_make("pair", [release, release], 2, lambda: "with itself") == "with itself"


def test_what_was_made_goes_with_its_release_and_of_one_kind_not_more_than_said(release: Release) -> None:
    for number in range(10):
        shared_results.get_or_make("kind", [release], number, lambda: "made", most=3)
    again = []
    shared_results.get_or_make("kind", [release], 9, lambda: again.append("the newest") or "", most=3)  # type: ignore[func-returns-value]
    shared_results.get_or_make("kind", [release], 0, lambda: again.append("the oldest") or "", most=3)  # type: ignore[func-returns-value]
    assert again == ["the oldest"]
    opened = replace(release)
    held = weakref.ref(shared_results.get_or_make("kind", [opened], 1, lambda: np.zeros(1)))
    assert held() is not None
    del opened
    gc.collect()
    assert held() is None


def test_previews_are_not_shared(release: Release) -> None:
    with pytest.raises(AssertionError, match="one session"):
        shared_results.get_or_make("kind", [replace(release, status=PREVIEW)], 1, lambda: "made")


def test_a_new_release_leaves_those_that_are_known_as_they_are(release: Release, tmp_path: Path) -> None:
    release.save(tmp_path / "one")
    (known,) = load_releases([tmp_path]).releases
    other = replace(release, seed=99, loaded_files=None)
    replace(other, id=own_id(other)).save(tmp_path / "two")
    after = load_releases([tmp_path]).releases
    assert len(after) == 2
    assert any(found is known for found in after)
