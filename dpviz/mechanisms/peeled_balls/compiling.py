"""Compiling the kernels of `peeled_balls` ahead of need: it has most of all methods, some ten seconds' worth."""

import numpy as np

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.mechanisms.interface import Public
from dpviz.mechanisms.peeled_balls.mechanism import PeeledBalls
from dpviz.noise import replayable_source
from dpviz.privacy import Budget


def warm_up() -> None:
    """Runs the method once on a made-up map."""
    cells = np.zeros((256, 256), np.int64)
    cells[40:60, 40:60], cells[180:200, 150:170] = 200, 100
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 1.0, 1.0), 256), cells)
    method = PeeledBalls()
    plan = method.plan(Public.of(counts), k=2, budget=Budget(epsilon=2.0, delta=1e-6))
    method.run(counts, plan, replayable_source(0))
