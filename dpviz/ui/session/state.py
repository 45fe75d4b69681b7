"""What the administrator has chosen, as one frozen value. Pages read it once and pass it on."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.privacy import Level, Region, level_by_name

DEFAULT_K = 5
DEFAULT_LEVEL = level_by_name("Balanced")
MOST_CLUSTERS = 256  # on the screen; the library and the command line go further
AUTO = "auto"
DATA = ("city", "trips", "own")
DAYS = (1, 7, 31)  # of the demonstration city's month
NIGHT = {"days": 1, "hour": 4}  # so few trips that the price of privacy can be seen on the map
ALL_DAY = -1  # in the list of hours; None would be an empty choice
SHOWN_AT_FIRST = frozenset({"coreset", "cells", "protected", "exact", "pairs", "regions"})


@dataclass(frozen=True, kw_only=True)
class ChooseState:
    """The page *Choose*, complete: the same state draws the same page."""

    level: Level = DEFAULT_LEVEL
    k: int = DEFAULT_K
    method: str = AUTO
    data: str = "city"  # city, trips or own
    hour: int | None = None  # None: all day
    days: int = DAYS[-1]
    layers: frozenset[str] = SHOWN_AT_FIRST
    watched: str = ""  # a borough, where the map has them and one is asked for
    watched_box: str = ""  # four typed numbers elsewhere
    regions: tuple[Region, ...] = ()  # places with a level of their own, as the curator wants them
    accept_measure: str = "error"  # what one can accept: a share of error, or metres of shift
    accept_value: float = 1.0  # per cent, or metres


@dataclass(kw_only=True)
class Pair:
    """Releases A and B by name; the page *Publications* chooses A too."""

    a: str = ""
    b: str = ""

    def put_first(self, a: str) -> None:
        """Another A; what was A is B."""
        self.a, self.b = a, self.a
