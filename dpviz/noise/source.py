"""The interface of a source of noise, and the two ways to get one."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class NoiseSource(Protocol):
    """Integer noise and exact selections. `kind` is "secure" or "replayable"; only secure output may be published."""

    kind: str
    seed: int | None

    def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
        """`size` draws of discrete Laplace, P(z) ∝ exp(−|z|/scale). Draws in vectors are cheap, calls are not."""
        ...

    def gaussian(self, scale: float, size: int) -> NDArray[np.int64]:
        """`size` draws of discrete Gaussian: P(z) ∝ exp(−z²/(2·scale²))."""
        ...

    def select(
        self,
        scores: NDArray[np.int64],
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: NDArray[np.int64] | None = None,
    ) -> int:
        """Exponential mechanism: index i with P ∝ multiplicity_i · exp(ε·score_i / (2·sensitivity)).

        `monotone` leaves out the 2: for scores that move in one direction under add/remove, never under replace.
        """
        ...

    def integers(self, high: int, size: int) -> NDArray[np.int64]:
        """Uniform integers in [0, high)."""
        ...

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        """Independent coins."""
        ...

    def permutation(self, size: int) -> NDArray[np.int64]:
        """A uniform permutation of 0 … size − 1."""
        ...


def secure_source() -> NoiseSource:
    """Noise from the operating system's generator through OpenDP's exact samplers."""
    from dpviz.noise.secure import SecureSource

    return SecureSource()


def replayable_source(seed: int) -> NoiseSource:
    """Seeded noise of the same distributions, for tests and experiments; its releases are refused by the door."""
    from dpviz.noise.replayable import ReplayableSource

    return ReplayableSource(seed)
