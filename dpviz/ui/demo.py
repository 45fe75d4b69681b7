"""The five scenes below their words: lonely squares, two worlds, the attack game. Only public demonstration data."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts
from dpviz.noise import replayable_source
from dpviz.ui import icons
from dpviz.ui.basemap import Basemap
from dpviz.ui.theme import EXACT, PROTECTED, Theme

NIGHT = 4  # the hour of the scenes: between 4 and 5 in the morning few taxis drive
WINDOW = 7  # squares per side of the pictures
ROUND = 4  # a rounded square is so many squares wide
AT_LEAST = 5  # the rule "show only squares with at least so many trips"
ROUNDS = 1000
TALLY = 20  # guesses that are shown one by one

Cells = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Place:
    """A square of the grid and where it lies."""

    row: int
    column: int
    lon: float
    lat: float
    name: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Story:
    """What the scenes tell, found in the public data once."""

    total: int
    alone: int  # squares with exactly one trip
    alone_rounded: int  # the same after rounding
    lonely: Place
    lonely_window: Cells
    rounded_window: Cells
    threshold: Place  # a rounded square with exactly AT_LEAST trips
    threshold_window: Cells


def find_story(counts: ExactCounts, names: Basemap | None) -> Story:
    """The loneliest trip of the night, and a square that the "at least five" rule just lets through."""
    cells = counts.exact_cells
    lonely = _loneliest(counts, cells, names)
    coarse = counts.coarsened(counts.grid.side // ROUND)
    rounded = coarse.exact_cells
    threshold = _threshold(coarse, rounded, names)
    row, column = lonely.row // ROUND, lonely.column // ROUND
    return Story(
        total=int(cells.sum()),
        alone=int((cells == 1).sum()),
        alone_rounded=int((rounded == 1).sum()),
        lonely=lonely,
        lonely_window=window(cells, lonely.row, lonely.column),
        rounded_window=window(rounded, row, column),
        threshold=threshold,
        threshold_window=window(rounded, threshold.row, threshold.column),
    )


def window(cells: Cells, row: int, column: int, size: int = WINDOW) -> Cells:
    """The squares around one; zeros beyond the edge."""
    half = size // 2
    wide = np.pad(cells, half)
    return wide[row : row + size, column : column + size].copy()


def _loneliest(counts: ExactCounts, cells: Cells, names: Basemap | None) -> Place:
    """A square with one trip in a rounded square of one, on land in the city, with the fewest trips around it."""
    side = counts.grid.side
    rounded = cells.reshape(side // ROUND, ROUND, side // ROUND, ROUND).sum(axis=(1, 3))
    alone = np.kron(rounded == 1, np.ones((ROUND, ROUND), dtype=bool)) & (cells == 1)
    rows, columns = np.nonzero(alone)
    if not len(rows):
        rows, columns = np.nonzero(cells == cells[cells > 0].min())
    around = [
        int(window(cells, row, column, 25).sum()) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    order = np.argsort(around, kind="stable")
    inside = [index for index in order if _in_city(counts, int(rows[index]), int(columns[index]), names)]
    best = inside[0] if inside else order[0]
    return _place(counts, int(rows[best]), int(columns[best]), names)


def _threshold(coarse: ExactCounts, rounded: Cells, names: Basemap | None) -> Place:
    rows, columns = np.nonzero(rounded == AT_LEAST)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        shown = window(rounded, row, column) >= AT_LEAST
        if 8 <= shown.sum() <= 30 and _in_city(coarse, row, column, names):
            return _place(coarse, row, column, names)
    row, column = (int(rows[0]), int(columns[0])) if len(rows) else (0, 0)
    return _place(coarse, row, column, names)


def _in_city(counts: ExactCounts, row: int, column: int, names: Basemap | None) -> bool:
    if names is None:
        return True
    place = _place(counts, row, column, names)
    return any(found.name == place.name and found.borough for found in names.neighbourhoods)


def _place(counts: ExactCounts, row: int, column: int, names: Basemap | None) -> Place:
    grid = counts.grid
    x, y = (column + 0.5) * grid.cell_width, (grid.side - row - 0.5) * grid.cell_height
    lon, lat = (float(value) for value in grid.frame.to_raw(np.array([x, y])))
    name = None if names is None else names.place_names([lon], [lat])[0]
    return Place(row=row, column=column, lon=lon, lat=lat, name=name)


# ---- the attack game ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """Two noisy pictures, one made with her trip and one without. `with_trip` is the answer: 0 left, 1 right."""

    left: Cells
    right: Cells
    with_trip: int


@dataclass(frozen=True, kw_only=True)
class Score:
    """Right guesses so far."""

    right: int = 0
    played: int = 0
    rounds: tuple[bool, ...] = ()  # the latest ones, for the tally

    def after(self, correct: bool) -> Score:
        """The score after one more guess."""
        rounds = (*self.rounds, correct)[-TALLY:]
        return replace(self, right=self.right + int(correct), played=self.played + 1, rounds=rounds)


def deal(cells: Cells, epsilon: float, seed: int | None = None) -> Round:
    """One round. Each picture gets half of the dial's ε, so that the pair of them keeps the dial's promise.

    Swapping the two pictures changes one count by one in each; the ratio of the chances is at most e^(ε/2) · e^(ε/2).
    """
    noise = replayable_source(secrets.randbits(62) if seed is None else seed)
    with_trip = int(noise.coins(0.5, 1)[0])
    middle = cells.shape[0] // 2
    without = cells.copy()
    without[middle, middle] -= 1
    pictures = []
    for side in (0, 1):
        exact = cells if side == with_trip else without
        pictures.append(exact + noise.laplace(2.0 / epsilon, cells.size).reshape(cells.shape))
    return Round(left=pictures[0], right=pictures[1], with_trip=with_trip)


def with_chance(cells: Cells, epsilon: float, seed: int | None = None) -> Cells:
    """One picture as it would be published: every square gets its own chance, zeros included."""
    noise = replayable_source(secrets.randbits(62) if seed is None else seed)
    return cells + noise.laplace(1.0 / epsilon, cells.size).reshape(cells.shape)


def machine_score(epsilon: float, rounds: int = ROUNDS, seed: int | None = None) -> Score:
    """A machine that knows everything but the answer: it names the picture whose middle square holds more.

    That is the best rule there is: the noise falls off evenly, so the larger number speaks for the added trip. With
    equal numbers it tosses a coin.
    """
    noise = replayable_source(secrets.randbits(62) if seed is None else seed)
    draws = noise.laplace(2.0 / epsilon, 2 * rounds)
    difference = draws[:rounds] + 1 - draws[rounds:]
    coins = noise.coins(0.5, rounds)
    right = int((difference > 0).sum() + ((difference == 0) & coins).sum())
    return Score(right=right, played=rounds)


def luck(rounds: int) -> int:
    """By how much luck alone moves a score of so many rounds, 19 times of 20."""
    return int(np.ceil(1.96 * np.sqrt(0.25 * rounds)))


# ---- pictures -------------------------------------------------------------------------------------------------


def squares(
    cells: Cells, theme: Theme, *, ring: bool = True, hide_below: int | None = None, highlight: str = EXACT
) -> str:
    """Squares with their numbers; the middle one ringed; those below a threshold hidden; zeros less prominent."""
    size = cells.shape[0]
    step = 44
    top = max(1.0, float(np.abs(cells).max()))
    parts = [f'<rect width="{size * step}" height="{size * step}" fill="{theme.land}"/>']
    for row in range(size):
        for column in range(size):
            value = int(cells[row, column])
            x, y = column * step, row * step
            hidden = hide_below is not None and value < hide_below
            strength = 0.0 if hidden else min(1.0, max(0.0, value) / top)
            parts.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{step - 2}" height="{step - 2}" rx="4" fill="{PROTECTED}" '
                f'fill-opacity="{0.04 + 0.5 * strength:.2f}" stroke="{theme.grid}"/>'
            )
            if not hidden:
                ink = theme.text if value else theme.faint
                parts.append(
                    f'<text x="{x + step / 2}" y="{y + step / 2 + 6.5}" text-anchor="middle" font-size="18" '
                    f'fill="{ink}">{number(value)}</text>'
                )
    if ring:
        at = size // 2 * step
        parts.append(
            f'<rect x="{at + 1}" y="{at + 1}" width="{step - 2}" height="{step - 2}" rx="5" fill="none" '
            f'stroke="{highlight}" stroke-width="4.5"/>'
        )
    return icons.svg(size * step, size * step, "".join(parts))


def number(value: int) -> str:
    """A whole number with a true minus sign."""
    return f"−{-value:,}" if value < 0 else f"{value:,}"


def squares_alt(cells: Cells, title: str, *, hide_below: int | None = None) -> str:
    """The squares in words."""
    middle = int(cells[cells.shape[0] // 2, cells.shape[1] // 2])
    shown = cells if hide_below is None else np.where(cells >= hide_below, cells, 0)
    state = "hidden" if hide_below is not None and middle < hide_below else number(middle)
    return f"{title}: {cells.size} squares, {int((shown != 0).sum())} of them with a number; the middle one is {state}."


def pictures(drawings: Sequence[tuple[str, str, str]]) -> str:
    """Pictures side by side, two of them on a telephone: title, drawing, description of each."""
    figures = "".join(
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f"<img src='{icons.data_uri(drawing)}' alt='{escape(alt, quote=True)}'></figure>"
        for title, drawing, alt in drawings
    )
    return f"<div class='dpv-squares dpv-squares-{len(drawings)}'>{figures}</div>"


def tally(rounds: Sequence[bool], theme: Theme) -> str:
    """The latest guesses, oldest first: a filled disc for a right one, a ring for a wrong one."""
    step = 20
    parts = []
    for at, correct in enumerate(rounds):
        x = at * step + step / 2
        paint = f'fill="{theme.accent}"' if correct else f'fill="none" stroke="{theme.faint}" stroke-width="2"'
        parts.append(f'<circle cx="{x:g}" cy="10" r="7" {paint}/>')
    return icons.svg(TALLY * step, step, "".join(parts))


def score_bar(right: int, rounds: int, promised: int, theme: Theme) -> str:
    """The machine's score of 100 against the promise; labels above and below the bar never meet."""
    width, height, edge = 420.0, 84.0, 10.0

    def at(share: float) -> float:
        return edge + (width - 2 * edge) * share

    share, bound = right / rounds, promised / 100
    anchor = "end" if bound > 0.75 else "start" if bound < 0.25 else "middle"
    body = [
        f'<rect x="{edge}" y="30" width="{width - 2 * edge}" height="24" rx="4" fill="{theme.grid}"/>',
        f'<rect x="{edge}" y="30" width="{at(share) - edge:.1f}" height="24" rx="4" fill="{theme.accent}"/>',
        f'<path d="M{at(bound):.1f} 22 V60" stroke="{EXACT}" stroke-width="3.5"/>',
        f'<path d="M{at(0.5):.1f} 26 V60" stroke="{theme.text}" stroke-width="1.5" stroke-dasharray="3 3"/>',
        f'<text x="{at(bound):.1f}" y="16" text-anchor="{anchor}" font-size="15" font-weight="600" '
        f'fill="{theme.text}">promised: at most {promised}</text>',
        f'<text x="{at(0.5):.1f}" y="77" text-anchor="middle" font-size="15" fill="{theme.faint}">a coin: 50</text>',
    ]
    return icons.svg(width, height, "".join(body))


CSS = """
<style>
.st-key-scene [data-testid=stMarkdownContainer] p, .st-key-scene [data-testid=stMarkdownContainer] li {
  font-size:1.1rem; line-height:1.55; }
.st-key-scene [data-testid=stCaptionContainer] p { font-size:.95rem !important; }
.dpv-squares { display:grid; gap:1rem 1.3rem; grid-template-columns:repeat(4,minmax(0,1fr)); }
.dpv-squares-2 { grid-template-columns:repeat(2,minmax(0,1fr)); max-width:820px; }
.dpv-squares figure { margin:0; min-width:0; display:flex; flex-direction:column; justify-content:flex-end; }
.dpv-squares figcaption { font-weight:600; font-size:1rem; line-height:1.3; margin-bottom:.45rem; }
.dpv-squares img { width:100%; max-width:400px; height:auto; display:block; border-radius:.3rem; }
.dpv-level { display:grid; grid-template-columns:112px 1fr; gap:1rem; align-items:center; font-size:1.02rem;
  line-height:1.45; margin-top:.7rem; }
.dpv-level p { margin:0 0 .3rem 0; }
@media (max-width: 900px) { .dpv-squares-4 { grid-template-columns:repeat(2,minmax(0,1fr)); } }
@media (max-width: 640px) {
  .st-key-scene_buttons kbd, .st-key-scene_buttons [data-testid$=Shortcut] { display:none !important; }
  .dpv-squares { gap:.8rem; } .dpv-squares figcaption { font-size:.92rem; }
  .st-key-scene [data-testid=stMarkdownContainer] p { font-size:1.02rem; }
}
</style>
"""
