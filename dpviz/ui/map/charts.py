"""Small charts as SVG: lines of several methods, budget bars, small maps of draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.language.speaking import figures
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import icons, words
from dpviz.ui.page_parts.theme import ADDED, Theme


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten inside [low, high], with 2 and 5 between them where there are few."""
    tens = [10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    steps = (
        tens
        if len(tens) > 4
        else sorted(ten * digit for ten in tens for digit in ((1, 3) if len(tens) > 2 else (1, 2, 5)))
    )
    return [step for step in steps if low <= step * 1.0001 and step <= high * 1.0001]


_COLOURS = ("#0072B2", "#D55E00", "#008060", "#B0367A", "#8A6D00", "#56B4E9", "#7A3E9D", "#6B7580")


def tiny(share: float) -> str:
    """A share for an axis: in percent, and below a ten-thousandth of a percent as one in so many."""
    if share > 0.9e-6:
        return figures(f"{100 * share:,.6f}".rstrip("0").rstrip(".") + " %")
    group = min(round(math.log10(1 / share), 6) // 3, len(words.ONE_IN) - 1)
    return words.ONE_IN[int(group)].format(number=figures(f"{1 / share / 1000**group:.3g}"))


def lines(
    names: Sequence[str], series: Mapping[str, Sequence[float | None]], theme: Theme, *, narrow: bool = False
) -> str:
    """Several methods on one logarithmic axis, told apart by colour, mark and a key beside the chart.

    A value of 0 has no place there: it gets a triangle that points through the floor. On a telephone (`narrow`) the
    key stands below, so that all words keep a size that can be read.
    """
    height, left = 330, 106
    width, key = (400, 12) if narrow else (860, 282)
    shown = [value for line in series.values() for value in line if value is not None and value > 0]
    if not shown:
        return icons.svg(width, 20, "")
    bottom, top = min(shown) / 1.3, max(shown) * 1.3
    step = (width - key - left - 20) / max(1, len(names) - 1)

    def y(value: float) -> float:
        return height - 40 - (math.log(max(value, bottom) / bottom) / math.log(top / bottom)) * (height - 60)

    parts = []
    for tick in _ticks(bottom, top):
        parts.append(f'<path d="M{left} {y(tick):.1f} H{width - key}" stroke="{theme.grid}"/>')
        parts.append(_text(left - 6, y(tick) + 4, tiny(tick), "end", theme.faint))
    for index, name in enumerate(names):
        parts.append(_text(left + 10 + index * step, height - 20, f"ε = {escape(name)}", "middle", theme.faint))
    for number, (label, line) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        dash = f' stroke-dasharray="{3 + 3 * (number // 4)} 3"' if number >= 4 else ""
        for run in _runs([value is not None for value in line]):
            points = " L".join(f"{left + 10 + i * step:.1f} {y(line[i] or bottom):.1f}" for i in run)
            parts.append(f'<path d="M{points}" fill="none" stroke="{colour}" stroke-width="2.2"{dash}/>')
            parts += [_mark(left + 10 + i * step, y(line[i] or bottom), colour, floor=not line[i]) for i in run]
        across, at = (16, height + 8 + number * 20) if narrow else (width - key + 18, 24 + number * 20)
        parts.append(f'<path d="M{across} {at} h24" stroke="{colour}" stroke-width="3"{dash}/>')
        parts.append(_text(across + 32, at + 4, escape(label), "start", theme.text))
    return icons.svg(width, height + (len(series) * 20 + 8 if narrow else 0), "".join(parts))


def _mark(x: float, y: float, colour: str, *, floor: bool) -> str:
    if floor:
        return f'<path d="M{x - 5:.1f} {y - 4:.1f} h10 l-5 8 Z" fill="none" stroke="{colour}" stroke-width="2"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str, colour: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="12" font-weight="400" fill="{colour}">{text}</text>'


def _runs(there: Sequence[bool]) -> list[list[int]]:
    """Stretches of neighbouring indices that have a value."""
    runs: list[list[int]] = []
    for index, present in enumerate(there):
        if present and index and there[index - 1] and runs:
            runs[-1].append(index)
        elif present:
            runs.append([index])
    return runs


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
    return color_key(((theme.coin, words.BUDGET_SPENT), (ADDED, words.BUDGET_THIS), (theme.grid, words.BUDGET_LEFT)))


def small_height(box: Box, width: float) -> float:
    """How high a small map of this width is."""
    return width * (box.north - box.south) / ((box.east - box.west) * math.cos(math.radians(box.middle[1])))


def small_paths(
    box: Box,
    lon: NDArray[np.floating[Any]],
    lat: NDArray[np.floating[Any]],
    weight: NDArray[np.floating[Any]],
    centers: Sequence[tuple[float, float]],
    *,
    width: float = 150.0,
    most: int = 250,
) -> tuple[str, str]:
    """The heaviest points of one draw and its centers, as two paths of an SVG."""
    size = 6 * width / 150 if width <= 150 else 10.0
    height = small_height(box, width)

    def place(east: NDArray[Any], north: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        return (
            (east - box.west) / (box.east - box.west) * width,
            (box.north - north) / (box.north - box.south) * height,
        )

    keep = np.argsort(-weight, kind="stable")[:most]
    mass = np.maximum(weight[keep], 0)
    radius = np.maximum(
        np.sqrt(0.06 * width * height * mass / (math.pi * (float(np.maximum(weight, 0).sum()) or 1.0))), 0.5
    )
    xs, ys = place(lon[keep], lat[keep])
    dots = "".join(
        f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"
        for x, y, r in zip(xs, ys, radius, strict=True)
    )
    where = np.array(list(centers), dtype=np.float64).reshape(-1, 2)
    cx, cy = place(where[:, 0], where[:, 1])
    return dots, "".join(
        f"M{x:.1f} {y - size:.1f}L{x + size:.1f} {y:.1f}L{x:.1f} {y + size:.1f}L{x - size:.1f} {y:.1f}Z"
        for x, y in zip(cx, cy, strict=True)
    )
