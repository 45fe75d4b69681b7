"""Whether centers survive the noise: the search done again on synthetic releases around a release. Post-processing.

A radius says how far a center may be off from the mean of its own records. It cannot see that another draw of the noise
might have ended in another good clustering; searching again on redrawn counts can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpviz.clustering import match_centers
from dpviz.releases.outcomes import Release
from dpviz.releases.questions.redrawing import redraw

if TYPE_CHECKING:
    import pandas as pd


def center_table(release: Release, redraws: int = 20) -> pd.DataFrame:
    """The centers with their 90 % radii, and how often each stayed where it is when the noise was drawn again.

    A center stayed where its partner in the redrawn clustering is nearer to it than half the way to its next neighbour.
    """
    centers = release.protected_centers.positions
    apart = np.linalg.norm(centers[:, None, :] - centers[None, :, :], axis=2)
    np.fill_diagonal(apart, np.inf)
    reach = apart.min(axis=1) / 2.0 if len(centers) > 1 else np.full(1, release.frame.diameter)
    moved = np.full((redraws, len(centers)), np.inf)
    for row, other in enumerate(redraw(release, redraws, k=len(centers))):
        found = other.protected_centers.positions
        for own, partner in match_centers(centers, found):
            moved[row, own] = float(np.linalg.norm(centers[own] - found[partner]))
    unit = "m" if release.frame.metric == "m" else "units"
    table = release.centers
    radii = release.constants.get("center_radii_90")
    if isinstance(radii, list | tuple) and len(radii) == len(table):
        table[f"radius_90_{unit}"] = np.array(radii, np.float64)
    table["stayed"] = (moved <= reach).mean(axis=0)
    table[f"moved_90_{unit}"] = np.quantile(np.minimum(moved, release.frame.diameter), 0.9, axis=0)
    return table
