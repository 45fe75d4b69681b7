"""CHANCE: the only room that draws random numbers for mechanisms."""

from dpviz.noise.joint import joint_laplace
from dpviz.noise.recconcave import promise_needed, rec_concave
from dpviz.noise.recorded import Draw, RecordedSource
from dpviz.noise.source import NoiseSource, replayable_source, secure_source

__all__ = [
    "Draw",
    "NoiseSource",
    "RecordedSource",
    "joint_laplace",
    "promise_needed",
    "rec_concave",
    "replayable_source",
    "secure_source",
]
