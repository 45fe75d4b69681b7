"""The content of a stage as one typed value: every stop of its slider, with map, odds, figures, curves and tables.

A scene belongs to one choice of data, method, clusters, places, mode, theme and layers. The maps of the stops are large
and sent once; the *news* are figures that grow while previews are sampled. A hidden layer is not part of a scene, so it
is never sent. Names with `exact` are for the curator; a scene of a strict preview has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray

from dpviz.ui.map.view import Box

Wish = Mapping[str, object]


@dataclass(frozen=True, kw_only=True, eq=False)
class Column:
    """One attribute of many marks: `size` numbers a mark, as 32-bit floats."""

    values: NDArray[np.float32]
    size: int = 1

    def __len__(self) -> int:
        return self.values.size // self.size


def column(*values: NDArray[Any]) -> Column:
    """One array a number of the attribute."""
    return Column(values=np.column_stack(values).astype(np.float32).ravel(), size=len(values))


@dataclass(frozen=True, kw_only=True, eq=False)
class Tip:
    """The tooltips of a long layer: a text with a number, and the name of a place."""

    text: str  # with {count}
    numbers: Column
    places: Column  # for each mark the index of its place in `names`
    names: tuple[str, ...]  # an empty one where a place has no name
    elsewhere: str  # for the table of places


@dataclass(frozen=True, kw_only=True, eq=False)
class Layer:
    """A layer in one place: its look as pydeck describes it, its data, the switches that show it, what its marks say.

    A short layer brings rows in its `look`, each with its own `tip`. A long one has no rows: `columns` names deck.gl's
    accessors, and `tip` says what a mark says.
    """

    look: pdk.Layer
    order: int  # bottom-up
    shows: tuple[str, ...] = ()  # the names of the legend's switches that must all be on
    columns: Mapping[str, Column] = field(default_factory=dict)
    tip: Tip | None = None

    @property
    def id(self) -> str:
        """The layer's name; it says `exact` where it was computed from people."""
        return str(self.look.id)

    def __len__(self) -> int:
        lengths = [len(found) for found in self.columns.values()]
        return lengths[0] if lengths else len(self.look.data or ())


@dataclass(frozen=True, kw_only=True)
class Switch:
    """One entry of the legend."""

    name: str
    label: str
    help: str
    picture: str  # a data address


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A center that one can zoom to; `around` is what is to be seen then, where that is more than the center."""

    number: int
    name: str
    lon: float
    lat: float
    around: Box | None = None


@dataclass(frozen=True, kw_only=True)
class Shades:
    """The key of the ground's colours, faintest first."""

    colours: tuple[str, ...]
    opaque: tuple[int, ...]  # of 255, by which the picture tells its steps
    told: tuple[str, ...]  # what each says of a place


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of plain texts; its first column names the rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()  # columns aligned to the right
    note: str = ""
    picks: str = ""  # what marks a row: a picked center or place


@dataclass(frozen=True, kw_only=True)
class Way:
    """An alternative to a stop without an answer: another stop, or a request to the server."""

    label: str
    level: int | None = None
    wish: Wish | None = None


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Why a stop has no answer: public words, and the ways out."""

    title: str
    why: str
    help: str
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Stop:
    """What one stop of the slider shows: a map with its tables, or the reason why there is none."""

    layers: tuple[Layer, ...] = ()
    alt: str = ""  # the map for a screen reader
    centers: tuple[Spot, ...] = ()
    told: Mapping[int, str] = field(default_factory=dict)  # each center in one line
    tables: tuple[Table, ...] = ()
    shades: Shades | None = None  # of the ground, where it is coloured
    line: str = ""  # what the colours or the points say
    swap: str = ""  # a button from the one to the other
    reason: Reason | None = None


@dataclass(frozen=True, kw_only=True)
class Odds:
    """What one stop gives away, in a sentence and as dots of a hundred."""

    name: str  # of the level
    before: str
    right: str  # the part of the sentence that stands out
    after: str
    dots: int
    alt: str
    budget: tuple[float, float] | None = None  # of own data: the shares used up before and by this level
    left: str = ""  # the same in words


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of one stop: name, value and note of each; a warning where they are mostly chance."""

    items: tuple[tuple[str, str, str], ...]
    warning: str = ""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A value over the stops, with its band; None where there is no answer."""

    title: str
    note: str
    alt: str
    names: tuple[str, ...]
    middle: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    scale: str  # share or count
    refused: tuple[bool, ...]  # which have no answer; other gaps are not computed yet
    nothing: str  # what stands there without any value


@dataclass(frozen=True, kw_only=True)
class Aside:
    """A remark beside the answer, the same at every stop or one for each; perhaps with a wish to the server."""

    text: str = ""
    levels: tuple[str, ...] | None = None
    label: str = ""
    wish: Wish | None = None


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """Which level keeps a limit, or the progress of the samples that decide it."""

    told: str
    progress: float | None = None
    found: int | None = None  # Level.number
    here: str = ""
    go: str = ""
    asides: tuple[Aside, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SmallMap:
    """One further draw: paths of an SVG, and what they show in words."""

    dots: str
    centers: str
    alt: str
    told: str


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Further draws of one level."""

    level: int
    note: str
    wide: float
    high: float
    land: str
    water: str
    water_path: str
    draws: tuple[SmallMap, ...]


@dataclass(frozen=True, kw_only=True)
class News:
    """What grows while further draws are made."""

    figures: tuple[Figures | None, ...] = ()
    curves: tuple[Curve, ...] = ()
    accept: Accepted | None = None
    levels: Mapping[str, object] | None = None  # all levels as a table
    chance: Chance | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """All that a stage shows."""

    about: str  # what it is a scene of: another one forgets what was picked
    place: str  # the name of its camera: scenes of one place keep the view
    box: Box
    stops: tuple[Stop | None, ...]  # None: not computed yet
    base: tuple[Layer, ...] = ()  # the same at every stop
    legend: tuple[Switch, ...] = ()
    shown: frozenset[str] = frozenset()  # the switches that are on
    ground: str = "app/static/style.json"  # the style file beneath it, an address of this server
    watermark: str = ""
    note: str = ""
    hits: bool = False  # whether the server wants to hear of other marks that were clicked
    together: str = ""  # stages of one name here show the same picked center, and look at the same place
    picked: int | None = None  # the center that the server picks, obeyed like the level where `turn` is another one
    odds: tuple[Odds, ...] = ()
    news: News = field(default_factory=News)

    @property
    def absent(self) -> tuple[str, ...]:
        """The switches that are off: their layers are not in the scene and have to be asked for."""
        return tuple(switch.name for switch in self.legend if switch.name not in self.shown)

    @property
    def layers(self) -> Sequence[Layer]:
        """All layers of all stops."""
        return [*self.base, *(layer for stop in self.stops if stop is not None for layer in stop.layers)]
