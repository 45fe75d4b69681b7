"""The data that a curator's session looks at, and their previews. Never imported by the analysts' server."""

from __future__ import annotations

from dpviz.domain import ExactCounts
from dpviz.privacy import Region
from dpviz.ui import cache, methods, sources
from dpviz.ui.preview import Previews
from dpviz.ui.sources import Mode, Source
from dpviz.ui.view import Picture


def own_source() -> Source | None:
    """The curator's own data, once opened in this session."""
    found: Source | None = cache.get("own")
    return found


def current_source(data: str, hour: int | None) -> Source:
    """What the page *Choose* looks at."""
    own = own_source()
    if data == "own" and own is not None:
        return own
    return cache.keep("trips", sources.trips) if data == "trips" else city(hour)


def previews(source: Source, regions: tuple[Region, ...] = ()) -> Previews:
    """The previews of a source in this session; those with other regions are others."""
    name = f"previews-{source.id}" + (f"-{hash(regions)}" if regions else "")
    return cache.keep(name, lambda: Previews(source.exact_data, budget_of=methods.budget_of, regions=regions))


def place(source: Source) -> str:
    """The name of a source's camera: all hours of the city share one."""
    return sources.CITY if source.mode is Mode.DEMONSTRATION else source.id


def city(hour: int | None) -> Source:
    """The demonstration city, whatever else is open."""
    return cache.keep(f"city-{hour}", lambda: sources.city(hour))


def counts_of(source: Source) -> ExactCounts:
    """The counts of the demonstration city."""
    assert isinstance(source.exact_data, ExactCounts)
    return source.exact_data


def density(source: Source) -> Picture | None:
    """The exact records as a picture."""
    return sources.density_picture(source)
