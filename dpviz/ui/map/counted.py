"""What a release counted, as one picture: darker where more records lie on the same ground. Pure, protected only.

Regular dots at the middles of cells read as a street grid, and tiny ones on water as traffic. Ground says what is
known: how many records lie on it. Trips are drawn by one of their ends: what many boxes say of the same ground adds up.
"""

from __future__ import annotations

import io
from base64 import b64encode
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.trip_ends import axes_of, place_of
from dpviz.drawing.counted_ground import on_pixels
from dpviz.releases.release import Release
from dpviz.ui.map.view import Box, Picture
from dpviz.ui.page_parts.theme import Theme, rgb

Floats = NDArray[np.float64]
CELLS_FROM = 2000  # points of a coreset from which on cells are drawn unless dots are asked for
STEPS = 7
FAINTEST, DARKEST = 6, 215  # of 255: the faintest lies nearly everywhere and must not veil the map
# So many of all records lie on the emptiest ground, which is not painted: mostly noise, over water too.
LEFT_OUT, LEFT_OUT_OF_TRIPS = 0.01, 0.06
_SIDE, _SIDE_OF_TRIPS = 1024, 512  # pixels


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
    ends = slice(frame.dims - 2, frame.dims) if end is None else axes_of(frame, end)
    low = frame.to_local(tree.low[tree.cell])[:, ends] / frame.extent[ends]
    high = frame.to_local(tree.high[tree.cell])[:, ends] / frame.extent[ends]
    heard = tree.count >= np.sqrt(tree.spread) if frame.dims == 2 else tree.count > 0.0
    if not heard.any():
        return None
    side = _SIDE if frame.dims == 2 else _SIDE_OF_TRIPS
    ground = on_pixels(low[heard], high[heard], tree.count[heard], side)
    pixel_km2 = float(np.prod(frame.extent[ends])) / side**2 / 1e6
    shades, begins = steps(ground, LEFT_OUT if frame.dims == 2 else LEFT_OUT_OF_TRIPS)
    return Counted(
        picture=Picture(url=_png(shades, theme), box=box),
        colours=tuple(f"rgba({','.join(map(str, rgb(theme.accent)[:3]))},{alpha / 255:.2f})" for alpha in alphas()),
        begins=tuple(float(value) / pixel_km2 for value in begins),
    )


def can_count(release: Release) -> bool:
    """Whether a release counted cells of places."""
    return release.protected_cells is not None and release.frame.metric == "m" and release.frame.dims in (2, 4)


def steps(ground: Floats, left_out: float) -> tuple[NDArray[np.uint8], Floats]:
    """0 where next to nothing is, else 1 to STEPS, each with an equal share of all records; and where steps begin."""
    values = np.sort(ground[ground > 1e-9 * ground.max()])
    held = np.cumsum(values)
    shares = np.maximum(np.arange(STEPS) / STEPS, left_out)
    begins = values[np.minimum(np.searchsorted(held, held[-1] * shares), len(values) - 1)]
    shades = np.searchsorted(begins, ground * (1.0 + 1e-9), side="right")
    return shades.astype(np.uint8), begins


def alphas() -> list[int]:
    """How opaque each step is."""
    return [round(FAINTEST + (DARKEST - FAINTEST) * step / (STEPS - 1)) for step in range(STEPS)]


def _png(shades: NDArray[np.uint8], theme: Theme) -> str:
    """A picture of few colours."""
    from PIL import Image

    image = Image.fromarray(shades, "P")
    image.putpalette(rgb(theme.accent)[:3] * (STEPS + 1))
    file = io.BytesIO()
    image.save(file, "PNG", transparency=bytes([0, *alphas()]))
    return "data:image/png;base64," + b64encode(file.getvalue()).decode()
