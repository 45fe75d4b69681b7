"""How fast noise and selection are on this machine: rows for `dpviz bench noise`."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dpviz.noise import replayable_source, secure_source
from dpviz.noise.source import Sampler


def measure(*, draws: int = 20_000, repeats: int = 3) -> list[dict[str, object]]:
    """One row per call: source, what, how many, CPU and wall seconds (best of the repeats), microseconds a draw."""
    rows: list[dict[str, object]] = []
    for noise in (secure_source(), replayable_source(1)):
        for what, count, call in _calls(noise, draws):
            call()  # builds what is remembered
            cpu, wall = min(_timed(call) for _ in range(repeats))
            rows.append(
                {
                    "source": noise.kind,
                    "what": what,
                    "draws": count,
                    "cpu_seconds": cpu,
                    "wall_seconds": wall,
                    "microseconds_a_draw": 1e6 * cpu / count,
                }
            )
    return rows


def _calls(noise: Sampler, draws: int) -> list[tuple[str, int, Callable[[], object]]]:
    steps = np.arange(100_000, dtype=np.int64)
    few = steps[:41] * 7 % 41
    narrow = steps * 7919 % 50  # 100,000 candidates with 50 different scores
    wide = steps * 7919 % 3000
    times = steps % 13 + 1
    return [
        ("Laplace, scale 2, in a vector", draws, lambda: noise.laplace(2.0, draws)),
        ("Laplace, scale 1e9, in a vector", draws, lambda: noise.laplace(1e9, draws)),
        ("Laplace, one draw a call", 200, lambda: [noise.laplace(2.0, 1) for _ in range(200)]),
        ("Gaussian, scale 20, in a vector", draws, lambda: noise.gaussian(20.0, draws)),
        ("selection among 41", 20, lambda: [noise.select(few, epsilon=0.1) for _ in range(20)]),
        ("selection among 100,000 with 50 scores", 5, lambda: [noise.select(narrow, epsilon=0.1) for _ in range(5)]),
        ("selection among 100,000 with 3,000 scores", 5, lambda: [noise.select(wide, epsilon=0.01) for _ in range(5)]),
        (
            "selection among 3,000 scores with multiplicities",
            5,
            lambda: [noise.select(wide, epsilon=0.01, multiplicity=times) for _ in range(5)],
        ),
        ("uniform whole numbers below 1,000", 1_000_000, lambda: noise.integers(1000, 1_000_000)),
        ("coins", 1_000_000, lambda: noise.coins(0.3, 1_000_000)),
        ("permutation", 1_000_000, lambda: noise.permutation(1_000_000)),
    ]


def _timed(call: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.process_time() - cpu, time.perf_counter() - wall
