"""The ways to get a source of noise. What draws exactly is loaded when somebody wants noise, and no earlier."""

from __future__ import annotations

import secrets

from dpviz.noise.source import Sampler

_SEED_DIGITS = 63


def secure_source() -> Sampler:
    """Noise from the operating system's generator through OpenDP's exact samplers."""
    from dpviz.noise.secure import SecureSource

    return SecureSource()


def replayable_source(seed: int) -> Sampler:
    """Seeded noise of the same distributions, for tests and experiments; its releases are refused by the door."""
    from dpviz.noise.replayable import ReplayableSource

    return ReplayableSource(seed)


def preview_source() -> Sampler:
    """Fast noise of the same distributions for a curator's own eyes, its seed drawn from the system and known to nobody
    before. It is a replayable source like any other: the door refuses it, and what it drew is marked.
    """
    return replayable_source(secrets.randbits(_SEED_DIGITS))
