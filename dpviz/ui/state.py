"""What the administrator has chosen, as one frozen value. Pages read it once and pass it on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dpviz.privacy import DEFAULT_DELTA, LEVELS, Budget, Level, Region

DEFAULT_LEVEL = LEVELS[3]
DEFAULT_K = 5
MOST_CLUSTERS = 20  # on the screen; the library and the command line go further
AUTO = "auto"
DAYS = (1, 7, 31)  # of the demonstration city's month
# A new visitor sees one hour of one night: so few trips that the price of privacy can be seen on the map.
DEFAULT_DAYS, DEFAULT_HOUR = 1, 4
DEFAULT_WATCHED = "Manhattan"
ALL_DAY = -1  # in the list of hours; None would be an empty choice
LAYERS = ("coreset", "protected", "exact", "pairs", "spread", "density", "regions")
SHOWN_AT_FIRST = frozenset({"coreset", "protected", "exact", "pairs", "regions"})


@dataclass(frozen=True, kw_only=True)
class ChooseState:
    """The page *Choose*, complete: the same state draws the same page."""

    level: Level = DEFAULT_LEVEL
    k: int = DEFAULT_K
    method: str = AUTO
    data: str = "city"  # city, trips or own
    hour: int | None = DEFAULT_HOUR  # None: all day
    days: int = DEFAULT_DAYS
    layers: frozenset[str] = SHOWN_AT_FIRST
    watched: str = ""  # a borough, where the map has them
    watched_box: str = ""  # four typed numbers elsewhere
    regions: tuple[Region, ...] = ()  # places with a level of their own, as the curator wants them

    @property
    def budget(self) -> Budget:
        """The budget of the chosen level for the chosen method."""
        return budget_of(self.level, self.method)


def level_named(name: Any) -> Level:
    """The level of this name (or number), or the default: an address typed by hand never breaks the page."""
    for level in LEVELS:
        if str(name).strip().lower() in (level.name.lower(), str(level.number)):
            return level
    return DEFAULT_LEVEL


def budget_of(level: Level, method: str, needs_delta: Iterable[str] = ()) -> Budget:
    """The level's ε, with the public default δ for the methods that need one."""
    return Budget(epsilon=level.epsilon, delta=DEFAULT_DELTA if method in needs_delta else 0.0)


def parse(values: Mapping[str, Any], *, methods: Iterable[str] = ()) -> ChooseState:
    """The state in a session's (or an address's) values; whatever is missing or unknown takes its default."""
    known = {AUTO, *methods}
    method = str(values.get("method", AUTO))
    data = values.get("data", "city")
    data = data if data in ("city", "trips", "own") else "city"
    return ChooseState(
        level=level_named(values.get("level", DEFAULT_LEVEL.name)),
        k=_whole(values.get("k"), low=1, high=MOST_CLUSTERS, default=DEFAULT_K) or DEFAULT_K,
        method=method if method in known else AUTO,
        data=data,
        hour=_hour(values.get("hour", DEFAULT_HOUR)),
        days=values["days"] if values.get("days") in DAYS else DEFAULT_DAYS,
        layers=frozenset(name for name in LAYERS if bool(values.get(f"show_{name}", name in SHOWN_AT_FIRST))),
        watched=str(values.get("watched", "")),
        watched_box=str(values.get("watched_box", "")),
    )


def _hour(value: Any) -> int | None:
    """An hour of the day; None is the whole day."""
    return None if value in (None, ALL_DAY) else _whole(value, low=0, high=23, default=DEFAULT_HOUR)


def _whole(value: Any, *, low: int, high: int, default: int | None) -> int | None:
    try:
        number = int(value)
    except (TypeError, ValueError):
        return default
    return number if low <= number <= high else default
