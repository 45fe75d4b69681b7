"""Kernels that one method uses agree with their plain twins (others are tested beside their method)."""

from __future__ import annotations

import numpy as np

from dpviz.mechanisms.baselines._kernels import block_centers
from tests.oracles import methods


def test_centers_of_many_blocks_agree_with_their_twin() -> None:
    rng = np.random.default_rng(4)
    for dims in (1, 2, 5):
        starts = np.array([0, 1, 1, 9, 40])  # a block of one point, and one of none
        points = rng.normal(size=(40, dims))
        fallback = np.full((3, dims), 0.25)
        given = points, starts, 3, 4, fallback
        assert np.allclose(block_centers(*given), methods.block_centers(*given))
