"""Small charts as SVG: curves over the levels with the current one ringed, budget bars, small maps of draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.ui import choose_words as say
from dpviz.ui import icons
from dpviz.ui.theme import EXACT, PROTECTED, Theme
from dpviz.ui.view import Box

_WIDTH, _HEIGHT = 360, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 12, 14, 46


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten inside [low, high], with 2 and 5 between them where there are few."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    tens = [10.0**power for power in exponents]
    steps = (
        tens
        if len(tens) > 4
        else sorted(ten * digit for ten in tens for digit in ((1, 3) if len(tens) > 2 else (1, 2, 5)))
    )
    return [step for step in steps if low <= step * 1.0001 and step <= high * 1.0001]


def curve(
    names: Sequence[str],
    middle: Sequence[float | None],
    low: Sequence[float | None],
    high: Sequence[float | None],
    current: int,
    theme: Theme,
    *,
    percent: bool,
    note: str = "…",
) -> str:
    """Values over the levels on a logarithmic axis; levels without an answer leave a gap, all without one a note."""
    floor, least, most = (1e-5, 1e-5, 1.0) if percent else (1.0, 10.0, 1e4)  # one scale, so that charts compare
    highest = 10.0 if percent else math.inf  # beyond that the curve runs along the upper edge
    shown = [
        max(value, floor)
        for series in (middle, low, high)
        for value in series
        if value is not None and math.isfinite(value)
    ]
    if not shown:
        return icons.svg(_WIDTH, _HEIGHT, _text(_WIDTH / 2, _HEIGHT / 2, escape(note), "middle", theme.faint))
    bottom, top = min(least, *shown) / 1.3, min(max(most, *shown), highest) * 1.15
    step = (_WIDTH - _LEFT - _RIGHT) / max(1, len(names) - 1) * 0.94

    def x(index: int) -> float:
        return _LEFT + 10 + index * step

    def y(value: float) -> float:
        place = (math.log(max(value, floor)) - math.log(bottom)) / (math.log(top) - math.log(bottom))
        return _HEIGHT - _BOTTOM - min(max(place, 0.0), 1.0) * (_HEIGHT - _TOP - _BOTTOM)

    parts = []
    for tick in _ticks(bottom, top):
        text = f"{100 * tick:,g} %" if percent else f"{tick:,.0f}"
        parts.append(f'<path d="M{_LEFT} {y(tick):.1f} H{_WIDTH - _RIGHT}" stroke="{theme.grid}" stroke-width="1"/>')
        parts.append(_text(_LEFT - 6, y(tick) + 4, text, "end", theme.faint))
    for index, name in enumerate(names):
        weight = "700" if index == current else "400"
        colour = theme.text if index == current else theme.faint
        row = _HEIGHT - _BOTTOM + (16 if index % 2 == 0 else 30)
        anchor = "start" if index == 0 else "end" if index == len(names) - 1 else "middle"
        at = x(index) - 10 if index == 0 else x(index) + 14 if index == len(names) - 1 else x(index)
        parts.append(_text(at, row, escape(name), anchor, colour, weight))
    for run in _runs([a is not None and b is not None for a, b in zip(low, high, strict=True)]):
        upper = [f"{x(i):.1f} {y(high[i] or floor):.1f}" for i in run]
        lower = [f"{x(i):.1f} {y(low[i] or floor):.1f}" for i in reversed(run)]
        parts.append(f'<path d="M{" L".join(upper + lower)} Z" fill="{theme.band}" fill-opacity=".2"/>')
    for run in _runs([value is not None for value in middle]):
        points = [f"{x(i):.1f} {y(middle[i] or floor):.1f}" for i in run]
        parts.append(f'<path d="M{" L".join(points)}" fill="none" stroke="{theme.accent}" stroke-width="2.2"/>')
        parts += [
            f'<circle cx="{x(i):.1f}" cy="{y(middle[i] or floor):.1f}" r="3.4" fill="{theme.accent}"/>' for i in run
        ]
    for index, value in enumerate(middle):
        if value is None and any(other is not None for other in middle):
            parts.append(_text(x(index), _HEIGHT - _BOTTOM - 4, "×", "middle", theme.faint, "700"))
    if middle[current] is not None:
        at_ring = f'cx="{x(current):.1f}" cy="{y(middle[current] or floor):.1f}"'
        parts.append(f'<circle {at_ring} r="8" fill="none" stroke="{EXACT}" stroke-width="2.6"/>')
    return icons.svg(_WIDTH, _HEIGHT, "".join(parts))


_COLOURS = ("#0072B2", "#D55E00", "#008060", "#B0367A", "#8A6D00", "#56B4E9", "#7A3E9D", "#6B7580")


_LARGE = ("", " thousand", " million", " billion", " trillion", " quadrillion")


def tiny(share: float) -> str:
    """A share for an axis: in percent, and below a ten-thousandth of a percent as one in so many."""
    if share > 0.9e-6:
        return f"{100 * share:.6f}".rstrip("0").rstrip(".") + " %"
    group = min(round(math.log10(1 / share), 6) // 3, len(_LARGE) - 1)
    return f"1 in {1 / share / 1000**group:.3g}{_LARGE[int(group)]}"


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


def _text(x: float, y: float, text: str, anchor: str, colour: str, weight: str = "400") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="12" font-weight="{weight}" fill="{colour}">{text}</text>'


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
    body = (
        f'<rect width="{width}" height="{height}" rx="5" fill="{theme.grid}"/>'
        f'<rect width="{spent:.1f}" height="{height}" rx="5" fill="{theme.coin}"/>'
        f'<rect x="{spent:.1f}" width="{max(new, 2):.1f}" height="{height}" fill="{EXACT}"/>'
    )
    return icons.svg(width, height, body)


def budget_key(theme: Theme) -> str:
    """What the parts of the bar are."""
    entries = ((theme.coin, say.BUDGET_SPENT), (EXACT, say.BUDGET_THIS), (theme.grid, say.BUDGET_LEFT))
    return "".join(
        f"<span class='dpv-key'><i style='background:{colour}'></i>{label}</span>" for colour, label in entries
    )


def small_height(box: Box, width: float) -> float:
    """How high a small map of this width is."""
    stretch = math.cos(math.radians(box.middle[1]))
    return width * (box.north - box.south) / ((box.east - box.west) * stretch)


def small_map(
    box: Box,
    lon: NDArray[np.floating[Any]],
    lat: NDArray[np.floating[Any]],
    weight: NDArray[np.floating[Any]],
    centers: Sequence[tuple[float, float]],
    water: str,
    theme: Theme,
    *,
    width: float = 150.0,
    most: int = 250,
) -> str:
    """One draw as a small map: its heaviest points and the centers."""
    size = 6 * width / 150 if width <= 150 else 10.0
    height = small_height(box, width)

    def place(east: NDArray[Any], north: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        return (
            (east - box.west) / (box.east - box.west) * width,
            (box.north - north) / (box.north - box.south) * height,
        )

    keep = np.argsort(-weight, kind="stable")[:most]
    mass = np.maximum(weight[keep], 0)
    total = float(np.maximum(weight, 0).sum()) or 1.0
    radius = np.maximum(np.sqrt(0.06 * width * height * mass / (math.pi * total)), 0.5)
    xs, ys = place(lon[keep], lat[keep])
    dots = "".join(
        f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"
        for x, y, r in zip(xs, ys, radius, strict=True)
    )
    where = np.array(list(centers), dtype=np.float64).reshape(-1, 2)
    cx, cy = place(where[:, 0], where[:, 1])
    marks = "".join(
        f"M{x:.1f} {y - size:.1f}L{x + size:.1f} {y:.1f}L{x:.1f} {y + size:.1f}L{x - size:.1f} {y:.1f}Z"
        for x, y in zip(cx, cy, strict=True)
    )
    body = (
        f'<rect width="{width:g}" height="{height:.1f}" fill="{theme.land}"/>'
        f'<path d="{water}" fill="{theme.water}" fill-rule="evenodd"/>'
        f'<path d="{dots}" fill="{theme.dot}" fill-opacity=".75"/>'
        f'<path d="{marks}" fill="{PROTECTED}" stroke="#fff" stroke-width="1.2"/>'
    )
    return icons.svg(width, round(height, 1), body)
