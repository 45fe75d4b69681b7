"""One look for all figures: colours that stay apart for colour-blind readers, and a marker and dash besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Look:
    """How one line is drawn."""

    colour: str
    marker: str
    dash: str = "-"


# Okabe and Ito's colours; no two lines share colour, marker and dash.
LOOKS = (
    Look(colour="#0072B2", marker="o"),
    Look(colour="#D55E00", marker="s"),
    Look(colour="#009E73", marker="^"),
    Look(colour="#CC79A7", marker="v"),
    Look(colour="#E69F00", marker="D"),
    Look(colour="#56B4E9", marker="P", dash="--"),
    Look(colour="#000000", marker="X", dash="--"),
    Look(colour="#7F7F7F", marker="*", dash=":"),
)
BASELINE = "#000000"
MANY = 20  # a line with more points has a marker on every fifth
NARROW = 12.0  # an axis whose ends are closer than this has evenly spaced numbers
WIDE = 2_000.0  # an axis whose ends are farther apart than this shows powers of ten


def panels(count: int, *, columns: int = 2, width: float = 4.2, height: float = 3.2) -> tuple[Figure, list[Axes]]:
    """A figure with `count` panels in rows."""
    across = min(columns, count)
    down = -(-count // across)
    figure = Figure(figsize=(width * across, height * down), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False)
    axes = list(grid.ravel())
    for spare in axes[count:]:
        spare.set_visible(False)
    return figure, axes[:count]


def line(
    panel: Axes,
    x: Sequence[float],
    y: Sequence[float],
    look: Look,
    label: str,
    *,
    low: Sequence[float] | None = None,
    high: Sequence[float] | None = None,
) -> None:
    """A line with markers, and a band where both ends are given."""
    panel.plot(
        x,
        y,
        color=look.colour,
        marker=look.marker,
        linestyle=look.dash,
        markersize=5,
        markevery=1 if len(x) <= MANY else 5,
        linewidth=1.4,
        label=label,
    )
    if low is not None and high is not None:
        panel.fill_between(x, low, high, color=look.colour, alpha=0.13, linewidth=0)


def logarithmic(panel: Axes, *, x: bool = True, y: bool = True) -> None:
    """Logarithmic axes with few, plain numbers; called after the lines are drawn."""
    from matplotlib.ticker import FuncFormatter, LogFormatterMathtext, LogLocator, MaxNLocator, NullFormatter

    for wanted, name in ((x, "x"), (y, "y")):
        if not wanted:
            continue
        getattr(panel, f"set_{name}scale")("log")
        low, high = getattr(panel, f"get_{name}lim")()
        axis = panel.xaxis if name == "x" else panel.yaxis
        wide = high / low > WIDE
        powers = LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0), numticks=12)
        axis.set_major_locator(powers if high / low > NARROW else MaxNLocator(6))
        plain = FuncFormatter(lambda value, _: f"{value:g}")
        axis.set_major_formatter(LogFormatterMathtext() if wide else plain)
        axis.set_minor_formatter(NullFormatter())
    panel.tick_params(labelsize=8)
    panel.grid(alpha=0.25, linewidth=0.5)


def baseline(panel: Axes, value: float, label: str = "not private") -> None:
    """What no protection would give."""
    panel.axhline(value, color=BASELINE, linewidth=1.0, linestyle=(0, (1, 2)), label=label)


def printed(panel: Axes, x: float, y: float, text: str, *, dx: int = 10, dy: int = 10) -> None:
    """A value that the paper prints: an open circle with its words beside it."""
    panel.plot([x], [y], marker="o", markersize=10, markerfacecolor="none", markeredgecolor="#B00000", linestyle="none")
    panel.annotate(
        text,
        (x, y),
        xytext=(dx, dy),
        textcoords="offset points",
        fontsize=7.5,
        color="#B00000",
        arrowprops={"arrowstyle": "-", "color": "#B00000", "linewidth": 0.7},
    )


def legend(figure: Figure, axes: Sequence[Axes], *, columns: int = 4) -> None:
    """One legend below all panels, each label once."""
    seen: dict[str, Any] = {}
    for panel in axes:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            seen.setdefault(label, handle)
    figure.legend(
        list(seen.values()), list(seen), loc="outside lower center", ncols=columns, fontsize=8.5, frameon=False
    )


def heatmap(
    panel: Axes, values: NDArray[np.float64], x: Sequence[int], y: Sequence[int], *, top: float, floor: float
) -> None:
    """A map of positive numbers on a logarithmic scale that all panels share; each cell says its number."""
    from matplotlib.colors import LogNorm

    shown = np.clip(values, floor, top)
    panel.imshow(shown, origin="lower", cmap="cividis", norm=LogNorm(floor, top), aspect="auto")
    panel.tick_params(labelsize=8)
    panel.set_xticks(range(len(x)), [str(value) for value in x])
    panel.set_yticks(range(len(y)), [str(value) for value in y])
    middle = float(np.sqrt(floor * top))
    for (row, column), value in np.ndenumerate(values):
        tone = "white" if shown[row, column] < middle else "black"
        panel.text(column, row, short(value), ha="center", va="center", fontsize=6, color=tone)


def short(value: float) -> str:
    """A number in few signs: .031, 1.2, 0."""
    if abs(value) < 5e-4:
        return "0"
    return f"{value:.2g}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.1f}"
