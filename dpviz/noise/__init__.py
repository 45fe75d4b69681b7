"""Samplers: the only package that draws random numbers for mechanisms.

The exact samplers are loaded when a source is asked for, and no earlier.
"""

import secrets

from dpviz.noise.checks import LARGEST_SCALE
from dpviz.noise.decisions import selection_rate
from dpviz.noise.source import ExponentialLaw, NoiseSource, Question, Sampler

__all__ = [
    "LARGEST_SCALE",
    "ExponentialLaw",
    "NoiseSource",
    "Question",
    "Sampler",
    "preview_source",
    "replayable_source",
    "secure_source",
    "selection_rate",
]


def secure_source() -> Sampler:
    """Return noise from the operating system's generator through OpenDP's exact samplers."""
    from dpviz.noise.secure import SecureSource

    return SecureSource()


def replayable_source(seed: int) -> Sampler:
    """Return seeded noise of the same distributions, for tests and experiments; the door refuses its releases."""
    from dpviz.noise.replayable import ReplayableSource

    return ReplayableSource(seed)


def preview_source() -> Sampler:
    """Return fast noise of the same distributions for the curator's previews, its seed drawn from the system.

    It is a replayable source: the door refuses it, and its results are marked.
    """
    return replayable_source(secrets.randbits(63))
