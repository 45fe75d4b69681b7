"""The compiled counting of paths counts what the plain paths say."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.domain import Frame
from dpviz.mechanisms.adaptive_tree.bisection import PathsAsked, halving_order, paths


@pytest.mark.parametrize("dims", [1, 3, 4, 5, 12])
def test_paths_are_counted_below_any_boxes(dims: int) -> None:
    rng = np.random.default_rng(dims)
    frame = Frame(
        names=tuple(f"x{axis}" for axis in range(dims)),
        low=(0.0,) * dims,
        high=tuple(float(side) for side in rng.uniform(0.5, 3.0, dims)),
        scale=(1.0,) * dims,
    )
    cube = np.clip(rng.normal(0.5, 0.2, (3000, dims)), 0.0, 1.0)
    cube[:20] = rng.integers(0, 2, (20, dims))  # on the border of the box
    axes = halving_order(frame)
    codes = paths(cube, axes)
    for first, further in ((0, min(10, len(axes))), (5, 3), (len(axes), 0), (len(axes) - 2, 2)):
        above = codes >> (len(axes) - first)
        roots = np.unique(above)[::2]
        asked = PathsAsked(axes=axes, first=first, roots=roots, further=further)
        answer = asked.empty()
        asked.add(cube[:1000], answer)
        asked.add(cube[1000:], answer)
        inside = np.isin(above, roots)
        place = np.searchsorted(roots, above[inside])
        rest = (codes[inside] >> (len(axes) - first - further)) & ((1 << further) - 1)
        assert (answer == np.bincount((place << further) | rest, minlength=len(answer))).all()
