"""A key of 128 bits for every person id: short ids are the key, longer ones are hashed with a secret key.

Two ids of at most 15 bytes never share a key. Longer ids are hashed by SipHash-2-4 (Aumasson, Bernstein 2012) with
120 bits of result, so that among n ids two share a key with probability below n²/2^121 (docs/proofs/person_cap.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpviz.ingest._kernels import hash_slices
from dpviz.noise import NoiseSource, secure_source


@dataclass(frozen=True, kw_only=True)
class PersonHash:
    """The secret keys of one reading, drawn by `noise`: two words for the ids, two for the coins of the cap."""

    words: tuple[int, int, int, int] = field(repr=False)

    @classmethod
    def draw(cls, noise: NoiseSource | None) -> PersonHash:
        """Fresh keys, from the secure source unless another is given."""
        # [P1] once per reading, before any row is read
        source = secure_source() if noise is None else noise
        parts = [int(part) for part in source.integers(1 << 16, 16)]
        words = tuple(sum(part << (16 * j) for j, part in enumerate(parts[i : i + 4])) for i in range(0, 16, 4))
        return cls(words=(words[0], words[1], words[2], words[3]))

    def keys(self, data: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Keys of the texts data[begin:end], (rows, 2). All empty texts are one person."""
        # [P2] short ids are their own key, longer ones a keyed hash
        keys = np.empty((len(begins), 2), dtype=np.uint64)
        hash_slices(data, begins, ends, np.uint64(self.words[0]), np.uint64(self.words[1]), keys)
        return keys
