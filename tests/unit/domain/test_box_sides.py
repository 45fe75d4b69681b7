"""Boxes whose sides squared are no floats are refused, before anything can be asked in them."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz import PrivateKMeans
from dpviz.domain import PlainBox
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError


@pytest.mark.parametrize("side", [5e-324, 1e-200, 1e151])
def test_boxes_too_narrow_or_too_wide_for_squares_are_refused(side: float) -> None:
    for make in (
        lambda: plain_frame([0.0] * 3, [1.0, 1.0, side]),
        lambda: PlainBox((0.0, 0.0), (side, side)).frame,
        lambda: PrivateKMeans(n_clusters=2, epsilon=1.0, bounds=(0.0, side)).fit(np.zeros((5, 3))),
    ):
        with pytest.raises(InputError, match="Use units"):
            make()


def test_wide_and_narrow_boxes_are_taken() -> None:
    for side in (1e-150, 1e150):
        assert plain_frame([0.0], [side]).extent.tolist() == [side]
