"""Samplers: the only package that draws random numbers for mechanisms."""

from dpviz.noise.checks import LARGEST_SCALE
from dpviz.noise.getting import preview_source, replayable_source, secure_source
from dpviz.noise.joint import joint_laplace
from dpviz.noise.recconcave import promise_needed, rec_concave
from dpviz.noise.source import Decision, NoiseSource, Question, Sampler

__all__ = [
    "LARGEST_SCALE",
    "Decision",
    "NoiseSource",
    "Question",
    "Sampler",
    "joint_laplace",
    "preview_source",
    "promise_needed",
    "rec_concave",
    "replayable_source",
    "secure_source",
]
