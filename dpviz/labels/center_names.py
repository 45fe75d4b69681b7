"""What a center is called: the name of the place where most of its records are, not of the ground that it stands on.

A mean may lie in a river or on an island where nobody is. Post-processing of published points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.releases.release import Release

Floats = NDArray[np.float64]
NamePlaces = Callable[[Floats, Floats], Sequence[str | None]]  # of longitudes and latitudes


def names_by_records(
    release: Release, raw_centers: Floats, name_places: NamePlaces, *, axes: tuple[int, int] = (-2, -1)
) -> list[str | None]:
    """One name a center; that of its own place where a release has no points, or none of them has a name.

    Trips are named by their last end, or by the one with these axes.
    """
    lon, lat = axes
    own = list(name_places(raw_centers[:, lon], raw_centers[:, lat]))
    coreset = release.protected_coreset
    if coreset is None or release.raw_coreset is None or not len(coreset.weights):
        return own
    places = name_places(release.raw_coreset[:, lon], release.raw_coreset[:, lat])
    owner = assign(coreset.positions, release.frame.to_local(raw_centers))
    held: list[dict[str, float]] = [{} for _ in own]
    for center, place, weight in zip(owner.tolist(), places, coreset.weights.tolist(), strict=True):
        if place and weight > 0.0:
            held[center][place] = held[center].get(place, 0.0) + weight
    return [max(found, key=found.__getitem__) if found else name for found, name in zip(held, own, strict=True)]
