"""Small charts as SVG: budget bars, small maps of draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.language.speaking import told as _
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import icons
from dpviz.ui.page_parts.theme import ADDED, Theme

SMALL = 150  # pixels of a small map's width


def budget_bar(before: float, request: float, total: float, theme: Theme) -> str:
    """The ledger before and after: spent, this release, left."""
    width, height = 400, 26
    spent, new = width * min(before / total, 1), width * min(request / total, 1)
    return icons.svg(
        width,
        height,
        f'<rect width="{width}" height="{height}" rx="5" fill="{theme.grid}"/>'
        f'<rect width="{spent:.1f}" height="{height}" rx="5" fill="{theme.coin}"/>'
        f'<rect x="{spent:.1f}" width="{max(new, 2):.1f}" height="{height}" fill="{ADDED}"/>',
    )


def shares_bar(shares: Sequence[float], theme: Theme) -> str:
    """Shares of a whole, one beside the other, paler and paler."""
    width, height, at, parts = 400, 18, 0.0, []
    for place, share in enumerate(shares):
        strength = 1.0 - 0.85 * place / max(len(shares) - 1, 1)
        rect = f'<rect x="{at:.1f}" width="{width * share:.1f}" height="{height}"'
        parts.append(f'{rect} fill="{theme.coin}" fill-opacity="{strength:.2f}"/>')
        at += width * share
    return icons.svg(width, height, "".join(parts))


def color_key(entries: Sequence[tuple[str, str]]) -> str:
    """Colours and what they mean, as HTML."""
    return " ".join(
        f"<span class='dpv-key'><i style='background:{colour}'></i>{label}</span>" for colour, label in entries
    )


def budget_key(theme: Theme) -> str:
    """What the parts of the bar are."""
    return color_key(((theme.coin, _("given away before")), (ADDED, _("this release")), (theme.grid, _("left"))))


def small_height(box: Box, width: float = SMALL) -> float:
    """How high a small map of this width is."""
    return width * (box.north - box.south) / ((box.east - box.west) * math.cos(math.radians(box.middle[1])))


def small_paths(
    box: Box, lon: NDArray[Any], lat: NDArray[Any], weight: NDArray[Any], centers: NDArray[Any], *, most: int = 250
) -> tuple[str, str]:
    """The heaviest points of one draw and its centers, as two paths of an SVG."""
    height = small_height(box)

    def place(east: NDArray[Any], north: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        return (
            (east - box.west) / (box.east - box.west) * SMALL,
            (box.north - north) / (box.north - box.south) * height,
        )

    keep = np.argsort(-weight, kind="stable")[:most]
    total = float(np.maximum(weight, 0).sum()) or 1.0
    radius = np.maximum(np.sqrt(0.06 * SMALL * height * np.maximum(weight[keep], 0) / (math.pi * total)), 0.5)
    dots = "".join(
        f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"
        for x, y, r in zip(*place(lon[keep], lat[keep]), radius, strict=True)
    )
    return dots, "".join(
        f"M{x:.1f} {y - 6:.1f}L{x + 6:.1f} {y:.1f}L{x:.1f} {y + 6:.1f}L{x - 6:.1f} {y:.1f}Z"
        for x, y in zip(*place(centers[:, 0], centers[:, 1]), strict=True)
    )
