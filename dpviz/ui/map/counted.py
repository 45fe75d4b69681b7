"""What a release counted, as one picture: darker where more records lie on the same ground. Pure, protected only.

Regular dots at the middles of cells read as a street grid, and tiny ones on water as traffic. Ground says what is
known: how many records lie on it. Trips are drawn by one of their ends: what many boxes say of the same ground adds up.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.trip_ends import axes_of, place_of
from dpviz.drawing.density import (
    counted_cells,
    density_scale,
    find_shades,
    ground_of_trips,
    spread_on_pixels,
    trips_scale,
)
from dpviz.drawing.looks import LOOKS, SHADE_OPACITY
from dpviz.releases.release import Release
from dpviz.ui.map.view import Box, Picture
from dpviz.ui.page_parts import icons
from dpviz.ui.page_parts.theme import Theme, rgb

_SIDE = 1024  # pixels


@dataclass(frozen=True, kw_only=True, eq=False)
class Counted:
    """The picture, its colours from faint to dark, and the records on a square kilometre at which each step begins."""

    picture: Picture
    colours: tuple[str, ...]
    begins: tuple[float, ...]


def counted(release: Release, box: Box, theme: Theme, *, end: str | None = None) -> Counted | None:
    """None where a release counted no cells, or no places. Trips are seen at one end, the last where none is named."""
    tree, frame = release.protected_cells, release.frame
    if release.protected_ends is not None:  # the map of one end, for itself
        tree = release.protected_ends[1 if end is None else place_of(frame, end)]
        frame, end = tree.frame, None
    if tree is None or not can_count(release):
        return None
    if frame.dims == 2:
        low, high, density, count = counted_cells(tree)
        begins = density_scale(density, count)
        low, high = (frame.to_local(corner) / frame.extent for corner in (low, high))
        ground = spread_on_pixels(low, high, count, _SIDE) / (float(np.prod(frame.extent)) / _SIDE**2 / 1e6)
    else:
        ground = ground_of_trips(tree, slice(2, 4) if end is None else axes_of(frame, end))
        begins = trips_scale(ground)
    if not len(begins):
        return None
    palette = LOOKS[theme.name].cells
    return Counted(
        picture=Picture(url=_png(find_shades(ground, begins), palette), box=box),
        colours=tuple(
            f"rgba({','.join(map(str, rgb(colour)[:3]))},{alpha / 255:.2f})"
            for colour, alpha in zip(palette, alphas(), strict=True)
        ),
        begins=tuple(begins.tolist()),
    )


def can_count(release: Release) -> bool:
    """Whether a release counted cells of places."""
    return release.protected_cells is not None and release.frame.metric == "m" and release.frame.dims in (2, 4)


def alphas() -> list[int]:
    """How opaque each shade is, of 255."""
    return [round(255 * opacity) for opacity in SHADE_OPACITY]


def _png(shades: NDArray[np.int64], colours: Sequence[str]) -> str:
    """A picture of few colours; shade -1 is clear."""
    from PIL import Image

    image = Image.fromarray((shades + 1).astype(np.uint8), "P")
    image.putpalette([0, 0, 0, *(part for colour in colours for part in rgb(colour)[:3])])
    file = io.BytesIO()
    image.save(file, "PNG", transparency=bytes([0, *alphas()]))
    return icons.png_uri(file.getvalue())
