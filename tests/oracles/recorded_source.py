"""A source that writes down what is drawn from it: how a second computation of the charges sees the noise itself.

A plan says what it charges; the record says what was drawn. A test that knows the sensitivities computes the price
from the record alone, so a charge that is missing, or noise that is missing, shows as a difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.noise.adding import Adding
from dpviz.noise.source import Sampler


@dataclass(frozen=True, kw_only=True)
class Draw:
    """One call. `scale` for noise, `epsilon` over sensitivity for a selection; chance without a price has neither."""

    kind: str  # "laplace", "gaussian", "select", "integers", "coins", "permutation"
    size: int
    scale: float | None = None
    epsilon: float | None = None
    sensitivity: float | None = None
    monotone: bool = False


class RecordedSource(Adding):
    """Passes every call on to a source and keeps a list of the calls, never of the results."""

    def __init__(self, source: Sampler) -> None:
        self._source = source
        self.kind: str = source.kind
        self.seed: int | None = source.seed
        self.draws: list[Draw] = []

    def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
        """Discrete Laplace noise, (size,)."""
        self.draws.append(Draw(kind="laplace", size=size, scale=float(scale)))
        return self._source.laplace(scale, size)

    def gaussian(self, scale: float, size: int, *, exactly: bool = False) -> NDArray[np.int64]:
        """Discrete Gaussian noise, (size,)."""
        self.draws.append(Draw(kind="gaussian", size=size, scale=float(scale)))
        return self._source.gaussian(scale, size, exactly=exactly)

    def select(
        self,
        scores: NDArray[np.int64],
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: NDArray[np.int64] | None = None,
    ) -> int:
        """The exponential mechanism."""
        self.draws.append(
            Draw(kind="select", size=len(scores), epsilon=epsilon, sensitivity=sensitivity, monotone=monotone)
        )
        return self._source.select(
            scores, epsilon=epsilon, sensitivity=sensitivity, monotone=monotone, multiplicity=multiplicity
        )

    def integers(self, high: int, size: int) -> NDArray[np.int64]:
        """Uniform whole numbers in [0, high), (size,)."""
        self.draws.append(Draw(kind="integers", size=size))
        return self._source.integers(high, size)

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        """Independent coins, (size,)."""
        self.draws.append(Draw(kind="coins", size=size))
        return self._source.coins(probability, size)

    def permutation(self, size: int) -> NDArray[np.int64]:
        """A uniform permutation of 0 … size − 1."""
        self.draws.append(Draw(kind="permutation", size=size))
        return self._source.permutation(size)
