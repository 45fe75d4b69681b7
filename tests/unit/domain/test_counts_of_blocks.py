from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpviz.domain import ExactCounts, Grid, PlainBox
from tests.oracles.overlap import TWINS

SQUARE = PlainBox((0.0, 0.0), (3.0, 2.0))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), power=st.integers(0, 5))
def test_sums_of_blocks_are_those_of_the_plain_twin_down_to_one_block(seed: int, power: int) -> None:
    cells = np.random.default_rng(seed).poisson(0.7, (2**power, 2**power))
    counts = ExactCounts.from_array(Grid(SQUARE, 2**power), cells)
    _, plain = TWINS["halve"]
    wanted = cells
    for level in counts.exact_halvings:
        assert np.array_equal(level, wanted)
        wanted = plain(wanted) if len(wanted) > 1 else wanted
    assert [len(level) for level in counts.exact_halvings] == [2**step for step in range(power, -1, -1)]


def test_sums_of_blocks_are_made_once_and_cannot_be_written_to() -> None:
    counts = ExactCounts.from_array(Grid(SQUARE, 8), np.ones((8, 8), np.int64))
    assert counts.exact_halvings is counts.exact_halvings
    for level in counts.exact_halvings:
        with pytest.raises(ValueError, match="read-only"):
            level[0, 0] = 5
