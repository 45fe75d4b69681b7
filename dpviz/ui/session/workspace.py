"""The data that a curator's session looks at, and their previews. Never imported by the analysts' server."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from dpviz.clustering import KMeansResult
from dpviz.privacy import Region
from dpviz.ui.map import charts
from dpviz.ui.session import methods, sources, state
from dpviz.ui.session.preview import Outcome, Previews, Setting
from dpviz.ui.session.session import Session, current_session
from dpviz.ui.session.sources import Source
from dpviz.ui.session.state import ChooseState


@dataclass(kw_only=True)
class Opened:
    """The previews that one session has open."""

    # Never forgotten: a preview that is drawn again would let a curator average its noise away by accident.
    previews: dict[tuple[str, tuple[Region, ...]], Previews] = field(default_factory=dict)  # by source


def current_source(session: Session) -> Source:
    """What the page *Choose* looks at."""
    chosen = session.chosen
    if chosen.data == "own" and session.own_name in session.own:
        return session.own[session.own_name]
    if chosen.data == "trips":
        return session.recent("trips", None, sources.trips)
    return city(chosen.hour, chosen.days)


class Opening:
    """The first view that all sessions share: the public city, its centers and one preview at the first level.

    Made once, while the first browser loads. The city is public demonstration data; own data are never shared.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._city: Source | None = None
        self._drawn: tuple[KMeansResult, Setting, Outcome] | None = None

    def city(self) -> Source:
        """The part of the embedded city that a new visitor sees."""
        with self._lock:
            if self._city is None:
                self._city = sources.city()
            return self._city

    def drawn(self) -> tuple[KMeansResult, Setting, Outcome]:
        """The non-private centers, and the draw that the page shows first."""
        city = self.city()
        with self._lock:
            if self._drawn is None:
                first = Setting(method=state.AUTO, k=state.DEFAULT_K, level=state.DEFAULT_LEVEL.number)
                made = Previews(city.exact_data, budget_of=methods.budget_of, purpose_of=methods.usual_purpose)
                outcome = made.main(first)
                self._drawn = made.reference(first.k), first, outcome
            return self._drawn


OPENING = Opening()


def previews(source: Source, regions: tuple[Region, ...] = ()) -> Previews:
    """The previews of a source in this session; those with other regions are others."""
    held, key = current_session().part(Opened).previews, (source.id, regions)
    if key not in held:
        held[key] = Previews(
            source.exact_data, budget_of=methods.budget_of, purpose_of=methods.usual_purpose, regions=regions
        )
        if source is OPENING.city() and not regions:
            held[key].begin_with(*OPENING.drawn())
    return held[key]


def looked_at(source: Source, chosen: ChooseState) -> Outcome | None:
    """The main preview that the page shows; None before it is drawn."""
    return previews(source, chosen.regions).known(chosen.method, chosen.k).get(chosen.level.number)


def city(hour: int | None, days: int = sources.MONTH) -> Source:
    """The demonstration city, whatever else is open."""
    if (hour, days) == (None, sources.MONTH):
        return OPENING.city()
    return current_session().recent("city", (hour, days), lambda: sources.city(hour, days))


def water(source: Source) -> str:
    """The water beneath small maps of a source, as a path."""
    found = source.map
    if found is None:
        return ""
    size = charts.SMALL, charts.small_height(source.box)
    return current_session().recent("water", source.id, lambda: found.water_path(source.box, *size), most=4)
