"""Noise of previews: fast, of the right law, different every time, and never published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.errors import DpvizError
from dpviz.noise import preview_source, replayable_source
from dpviz.publishing import door
from dpviz.publishing.mechanism_run import preview


def small_city() -> ExactCounts:
    cells = np.zeros((16, 16), np.int64)
    cells[3:6, 4:9] = 200
    return ExactCounts.from_array(Grid(PlainBox((0.0, 0.0), (1.0, 1.0)), 16), cells)


def test_every_source_has_a_seed_of_its_own_and_can_be_replayed() -> None:
    one, other = preview_source(), preview_source()
    assert one.kind == other.kind == "replayable"
    assert one.seed is not None
    assert one.seed != other.seed
    drawn = one.laplace(20.0, 1000)
    assert np.array_equal(replayable_source(one.seed).laplace(20.0, 1000), drawn)


@pytest.mark.parametrize("scale", [0.3, 4.0, 5e7])
def test_its_laplace_noise_has_the_law_of_the_published_one(scale: float) -> None:
    drawn = preview_source().laplace(scale, 40_000)
    decay = np.exp(-1.0 / scale)
    variance = 2.0 * decay / (1.0 - decay) ** 2
    fourth = variance * (1.0 + 10.0 * decay + decay**2) / (1.0 - decay) ** 2  # E z⁴ of the discrete Laplace law
    assert abs(drawn.mean()) < 7.0 * np.sqrt(variance / drawn.size)
    assert abs(np.mean(drawn.astype(float) ** 2) - variance) < 7.0 * np.sqrt((fourth - variance**2) / drawn.size)
    zero = (1.0 - decay) / (1.0 + decay)
    assert abs(np.mean(drawn == 0) - zero) < 7.0 * np.sqrt(zero / drawn.size) + 1e-9


def test_a_preview_is_marked_and_is_neither_stored_nor_published(tmp_path: Path) -> None:
    seen = preview(small_city(), 2, dpviz.Budget(epsilon=1.0))
    assert seen.status == "preview"
    assert (seen.noise, seen.seed is None) == ("replayable", False)
    with pytest.raises(DpvizError):
        seen.save(tmp_path / "release")
    assert not (tmp_path / "release").exists()


def test_two_previews_are_two_draws_and_a_release_outside_the_door_is_secure() -> None:
    first, second = (preview(small_city(), 2, dpviz.Budget(epsilon=1.0)) for _ in range(2))
    assert not np.array_equal(first.raw_centers, second.raw_centers)
    assert dpviz.release(small_city(), 2, dpviz.Budget(epsilon=1.0)).noise == "secure"


def test_the_door_charges_nothing_where_somebody_puts_a_source_of_previews_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = dpviz.register("city", small_city(), total=dpviz.Budget(epsilon=2.0), ledger=tmp_path / "ledger.sqlite")
    monkeypatch.setattr(door, "secure_source", preview_source)
    before = data.remaining
    with pytest.raises(DpvizError, match="secure source only"):
        dpviz.publish(data, dpviz.ReleaseRequest(k=2, budget=dpviz.Budget(epsilon=1.0)))
    assert data.remaining == before
