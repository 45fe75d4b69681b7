"""What names a release that no ledger knows: its request, its public facts and what came out."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import digest


def own_id(outcome: Release | NoAnswer) -> str:
    """The id of a release outside the door, which no ledger named."""
    came_out = {"reason": outcome.reason} if isinstance(outcome, NoAnswer) else {"content": _content(outcome)}
    return digest(_identity(outcome) | came_out)


def _identity(outcome: Release | NoAnswer) -> dict[str, Any]:
    """What names a release outside the door: the request and what came out; nothing exact, no clock."""
    return {
        "request": outcome.request.facts(),
        "status": outcome.status,
        "method": outcome.method,
        "seed": outcome.seed,
        "frame": [list(outcome.frame.names), list(outcome.frame.low), list(outcome.frame.high)],
        "relation": outcome.guarantee.adjacency.value,
        "unit": str(outcome.guarantee.unit),
        "constants": outcome.constants,
    }


def _content(release: Release) -> str:
    arrays = [release.raw_centers, release.center_weights, release.raw_coreset, release.coreset_weights]
    return digest_of(*(array for array in arrays if array is not None))


def digest_of(*arrays: NDArray[np.float64]) -> str:
    """A name of what arrays hold."""
    content = hashlib.sha256()
    for array in arrays:
        content.update(repr(array.shape).encode())
        content.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return content.hexdigest()
