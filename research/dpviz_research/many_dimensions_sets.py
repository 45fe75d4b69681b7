"""Made mixtures in 3 to 16 dimensions on which no constant and no line of a table was chosen: for reports alone.

Groups have heavy tails (Student's t), covariances of their own that lie in any direction, and unlike sizes; a test
keeps `auto_table`, from which methods are chosen, away from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame

TAIL = 5.0  # degrees of freedom
FRAME = 6.0  # half a side of the public box


@dataclass(frozen=True, kw_only=True)
class Mixture:
    """One set: `inner` is the number of directions along which middles differ."""

    dims: int
    k: int
    records: int
    inner: int
    seed: int

    @property
    def name(self) -> str:
        return f"mixture of {self.k} groups, {self.dims} dimensions"

    def points(self) -> ExactPoints:
        """The records; those outside the box are moved to its border."""
        generator = np.random.default_rng([1009, self.seed])
        directions = np.linalg.qr(generator.normal(size=(self.dims, self.dims)))[0][: self.inner]
        middles = generator.normal(0.0, 1.6, (self.k, self.inner)) @ directions
        part = generator.choice(self.k, self.records, p=generator.dirichlet(np.full(self.k, 2.0)))
        raw = np.empty((self.records, self.dims))
        for group in range(self.k):
            own = np.flatnonzero(part == group)
            shape = generator.normal(size=(self.dims, self.dims)) / np.sqrt(self.dims)
            width = np.sqrt(generator.chisquare(TAIL, (len(own), 1)) / TAIL)
            spread = 0.35 * generator.normal(size=(len(own), self.dims)) @ (shape + 0.5 * np.eye(self.dims))
            raw[own] = middles[group] + spread / width
        return ExactPoints.from_array(plain_frame([-FRAME] * self.dims, [FRAME] * self.dims), raw, outside="clip")


HELD_BACK = (
    Mixture(dims=3, k=4, records=20_000, inner=3, seed=1),
    Mixture(dims=5, k=6, records=25_000, inner=5, seed=2),
    Mixture(dims=7, k=5, records=20_000, inner=7, seed=3),
    Mixture(dims=8, k=7, records=30_000, inner=3, seed=4),
    Mixture(dims=10, k=4, records=25_000, inner=10, seed=5),
    Mixture(dims=16, k=5, records=30_000, inner=4, seed=6),
)


def held_back() -> Iterator[tuple[str, ExactPoints, int]]:
    """Name, points and k of each."""
    for mixture in HELD_BACK:
        yield mixture.name, mixture.points(), mixture.k
