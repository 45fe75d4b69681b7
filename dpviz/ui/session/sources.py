"""The data that a session looks at: the demonstration city (a month of trips or fewer) or own data."""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from dpviz.domain import ExactCounts, ExactPoints
from dpviz.domain.parts import Parts
from dpviz.language import speaking
from dpviz.language.speaking import told as _
from dpviz.ui.map import city_map
from dpviz.ui.map.view import Box, Picture
from dpviz.ui.page_parts import icons, words

CITY = "nyc-taxi"
TRIPS = "nyc-trips"
MONTH = 31  # days in the city's file


class Mode(StrEnum):
    """The three modes of looking, each named on screen."""

    DEMONSTRATION = "demonstration"
    PREVIEW = "preview"
    STRICT = "strict"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Source:
    """A data set as the screen uses it.

    `exact_data` stays in this session; in strict mode it is a sample of the stand-in.
    """

    id: str
    title: str
    mode: Mode
    exact_data: ExactCounts | ExactPoints
    box: Box
    unit: str = "record"  # the word for one protected unit: trip, record, person
    record: str = "record"  # the word for one row
    dataset: Any = None  # releases.Dataset once registered
    parts: Parts | None = None  # published apart for these; `exact_data` is then all of them together
    standin: Any = None  # releases.Release: what a strict preview looks at
    hour: int | None = None
    days: int = MONTH
    facts: tuple[str, ...] = ()  # how its file was read, for the curator
    notes: tuple[str, ...] = ()  # what looks like a mistake in it

    @property
    def called(self) -> str:
        """The title as the screen says it now: all sessions share the city, whatever language they speak."""
        return city_title(self.hour, self.days) if self.id.startswith(CITY) else speaking.told(self.title)

    @property
    def map(self) -> city_map.Basemap | None:
        """The embedded basemap where it covers this box."""
        found = city_map.load()
        return found if found is not None and found.covers(self.box) else None

    @property
    def has_trips(self) -> bool:
        """Whether a record is a way from one place to another."""
        return isinstance(self.exact_data, ExactPoints) and self.exact_data.frame.dims == 4


def box_of(data: ExactCounts | ExactPoints) -> Box:
    """The public box of some data, in degrees."""
    frame = data.grid.frame if isinstance(data, ExactCounts) else data.frame
    return Box(west=frame.low[0], south=frame.low[1], east=frame.high[0], north=frame.high[1])


def city(hour: int | None = None, days: int = MONTH) -> Source:
    """The embedded city, all day or one hour of the day, with the trips of a month or of fewer days."""
    from dpviz.ingest.cities import load_counts

    counts = fewer_days(load_counts(CITY, None if hour is None else [hour]), days)
    parts = ["" if hour is None else f", {hour:02d} h", "" if days == MONTH else f", {days} of {MONTH} days"]
    return Source(
        id=CITY + "".join(parts),
        title=city_title(hour, days),
        mode=Mode.DEMONSTRATION,
        exact_data=counts,
        box=box_of(counts),
        unit="trip",
        record="trip",
        hour=hour,
        days=days,
    )


def city_title(hour: int | None, days: int) -> str:
    """Name the selected trips of the city."""
    part = (_({1: "one day", 7: "one week", 31: "one month"})[days], _("all day") if hour is None else words.hour(hour))
    return _("New York taxi drop-offs, {part}").format(part=", ".join(part))


def fewer_days(counts: ExactCounts, days: int) -> ExactCounts:
    """Keep the share of trips that so many days have: of every 31 trips that end in a cell, `days` stay.

    The file has no dates. Rounding depends on the cell's position alone, so one more trip in the file is at most one
    more trip here.
    """
    if days == MONTH:
        return counts
    cells = counts.exact_cells.astype(np.int64)
    start = (np.arange(cells.size, dtype=np.int64).reshape(cells.shape) * 2_654_435_761 >> 9) % MONTH
    return ExactCounts.from_array(counts.grid, (cells * days + start) // MONTH)


def trips() -> Source:
    """The embedded trips: pick-up and drop-off of each, four numbers a trip."""
    from dpviz.ingest.cities import load_points

    points = load_points(TRIPS)
    return Source(
        id=TRIPS,
        title=_("New York taxi trips, from pick-up to drop-off"),
        mode=Mode.DEMONSTRATION,
        exact_data=points,
        box=box_of(points),
        unit="trip",
        record="trip",
    )


def density_picture(source: Source) -> Picture | None:
    """The exact records as a picture of cells, darker where there are more. For the curator."""
    from PIL import Image

    data = source.exact_data
    if not isinstance(data, ExactCounts):
        return None
    cells = data.exact_cells
    while cells.shape[0] > 512:
        side = cells.shape[0] // 2
        cells = cells.reshape(side, 2, side, 2).sum(axis=(1, 3))
    shade = np.log1p(cells)
    strength = (shade / (float(shade.max()) or 1.0) * 255).astype(np.uint8)
    pixels = np.empty((*cells.shape, 4), np.uint8)
    pixels[..., :3] = (0xB0, 0x36, 0x7A)
    pixels[..., 3] = strength
    file = io.BytesIO()
    Image.fromarray(pixels, "RGBA").save(file, "PNG", optimize=True)
    return Picture(url=icons.png_uri(file.getvalue()), box=source.box)
