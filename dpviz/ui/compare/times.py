"""Times that people compare: mornings and nights, working days and weekends, single parts, everything."""

from __future__ import annotations

from dpviz.domain.time_parts import TimeParts
from dpviz.ui.compare import words as say


def spans(layout: TimeParts) -> dict[str, tuple[int, ...]]:
    """What can be picked: the name of a time and the parts that it is made of; the first two are laid side by side."""
    every = range(len(layout.names))
    grouped: dict[str, tuple[int, ...]] = {}
    if layout.by == "hour":
        grouped = {name: tuple(range(first, last)) for name, (first, last) in say.TIMES_OF_DAY.items()}
    elif layout.by == "weekday":
        grouped = {say.WORKING_DAYS: (0, 1, 2, 3, 4), say.WEEKEND: (5, 6)}
    elif layout.by == "month":
        grouped = {say.SUMMER: (3, 4, 5, 6, 7, 8), say.WINTER: (0, 1, 2, 9, 10, 11)}
    elif len(every) > 1:
        half = len(every) // 2
        grouped = {say.FIRST_HALF: tuple(every[:half]), say.SECOND_HALF: tuple(every[half:])}
    return {**grouped, say.ALL_TIMES: tuple(every), **{layout.names[part]: (part,) for part in every}}
