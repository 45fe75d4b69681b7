from __future__ import annotations

import numpy as np

from dpviz.noise import replayable_source
from tests.oracles.recorded_source import Draw, RecordedSource


def use(noise: object) -> list[object]:
    scores = np.array([1, 5, 3])
    return [
        noise.laplace(2.0, 3).tolist(),  # type: ignore[attr-defined]
        noise.gaussian(4.0, 2).tolist(),  # type: ignore[attr-defined]
        noise.select(scores, epsilon=0.5, sensitivity=2.0, monotone=True),  # type: ignore[attr-defined]
        noise.integers(9, 4).tolist(),  # type: ignore[attr-defined]
        noise.coins(0.5, 5).tolist(),  # type: ignore[attr-defined]
        noise.permutation(6).tolist(),  # type: ignore[attr-defined]
    ]


def test_a_recorded_source_draws_what_the_source_draws_and_lists_the_calls() -> None:
    recorded = RecordedSource(replayable_source(8))
    assert use(recorded) == use(replayable_source(8))
    assert (recorded.kind, recorded.seed) == ("replayable", 8)
    assert recorded.draws == [
        Draw(kind="laplace", size=3, scale=2.0),
        Draw(kind="gaussian", size=2, scale=4.0),
        Draw(kind="select", size=3, epsilon=0.5, sensitivity=2.0, monotone=True),
        Draw(kind="integers", size=4),
        Draw(kind="coins", size=5),
        Draw(kind="permutation", size=6),
    ]
