"""What one browser session keeps on the page *Compare*: the two releases, the chosen pair of centers, the sites."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpviz.releases.release import NoAnswer, Release
from dpviz.ui.compare.siting import Site, SitePlan

MOST_OPENED = 8


@dataclass(kw_only=True)
class Opened:
    """Releases that were opened from files, and how often: the control that opened one starts afresh."""

    outcomes: list[Release | NoAnswer] = field(default_factory=list)
    turn: int = 0

    def add(self, outcome: Release | NoAnswer) -> None:
        """One more; beyond so many the oldest is let go, so that one page cannot fill a shared server's memory."""
        self.outcomes.append(outcome)
        del self.outcomes[:-MOST_OPENED]


@dataclass(kw_only=True)
class Picked:
    """The pair of centers that is chosen, in the table or on a map, and what each of them has told."""

    number: int | None = None
    rows: tuple[int, ...] = ()  # that are ticked in the table
    picks: dict[str, int] = field(default_factory=dict)  # by map: how often something was picked there
    table_turn: int = 0  # how often a map has chosen: the table starts afresh
    maps_turn: int = 0  # how often the table has chosen: the maps obey
    drawn_as: str | None = None  # cells or dots
    asked: tuple[int, str, str] | None = None  # how many centers, which they keep small, one map or two


@dataclass(kw_only=True)
class Sites:
    """Sites that are tried out, by the name of the demand, and remembered plans."""

    given: dict[str, list[Site]] = field(default_factory=dict)  # what the table starts with
    typed: dict[str, list[Site]] = field(default_factory=dict)  # with what was typed into it since
    turn: int = 0  # how often the table started afresh
    plans: list[SitePlan] = field(default_factory=list)
    plans_made: int = 0
