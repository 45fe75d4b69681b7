"""The data that a curator's session looks at, and their previews. Never imported by the analysts' server."""

from __future__ import annotations

import threading

from dpviz.clustering import KMeansResult
from dpviz.domain import ExactCounts
from dpviz.privacy import Region
from dpviz.ui import cache, methods, sources, state
from dpviz.ui.preview import Outcome, Previews, Setting
from dpviz.ui.sources import Mode, Source
from dpviz.ui.view import Picture


def own_source() -> Source | None:
    """The curator's own data, once opened in this session."""
    found: Source | None = cache.get("own")
    return found


def current_source(data: str, hour: int | None, days: int = sources.MONTH) -> Source:
    """What the page *Choose* looks at."""
    own = own_source()
    if data == "own" and own is not None:
        return own
    return cache.keep("trips", sources.trips) if data == "trips" else city(hour, days)


class Opening:
    """What every session on this server begins with: the public city, its centers and one draw at the first level.

    Made once, by the server while the browser still loads or by the first session that needs it. The city is public
    demonstration data; nothing of anybody's own data is ever shared between sessions.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._city: Source | None = None
        self._drawn: tuple[KMeansResult, Setting, Outcome] | None = None

    def city(self) -> Source:
        """The part of the embedded city that a new visitor sees."""
        with self._lock:
            if self._city is None:
                self._city = sources.city(state.DEFAULT_HOUR, state.DEFAULT_DAYS)
            return self._city

    def drawn(self) -> tuple[KMeansResult, Setting, Outcome]:
        """The non-private centers, and the draw that the page shows first."""
        city = self.city()
        with self._lock:
            if self._drawn is None:
                first = Setting(method=state.AUTO, k=state.DEFAULT_K, level=state.DEFAULT_LEVEL.number)
                made = Previews(city.exact_data, budget_of=methods.budget_of)
                outcome = made.main(first)
                self._drawn = made.reference(first.k), first, outcome
            return self._drawn


OPENING = Opening()


def previews(source: Source, regions: tuple[Region, ...] = ()) -> Previews:
    """The previews of a source in this session; those with other regions are others."""
    name = f"previews-{source.id}" + (f"-{hash(regions)}" if regions else "")

    def make() -> Previews:
        made = Previews(source.exact_data, budget_of=methods.budget_of, regions=regions)
        if source is OPENING.city() and not regions:
            made.begin_with(*OPENING.drawn())
        return made

    return cache.keep(name, make)


def place(source: Source) -> str:
    """The name of a source's camera: all parts of the city share one."""
    return sources.CITY if source.mode is Mode.DEMONSTRATION else source.id


def city(hour: int | None, days: int = sources.MONTH) -> Source:
    """The demonstration city, whatever else is open."""
    if (hour, days) == (state.DEFAULT_HOUR, state.DEFAULT_DAYS):
        return OPENING.city()
    return cache.keep(f"city-{hour}-{days}", lambda: sources.city(hour, days))


def counts_of(source: Source) -> ExactCounts:
    """The counts of the demonstration city."""
    assert isinstance(source.exact_data, ExactCounts)
    return source.exact_data


def density(source: Source) -> Picture | None:
    """The exact records as a picture."""
    return sources.density_picture(source)
