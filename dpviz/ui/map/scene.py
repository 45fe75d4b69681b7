"""The maps of a stage as one typed value: every stop of its slider, with layers, legend and tables.

A scene belongs to one choice of data, method, clusters, places, mode, theme and layers. It is large and sent once. A
hidden layer is not part of a scene, so it is never sent. Names with `exact` are for the curator; a scene of a strict
preview has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray

from dpviz.ui.map.view import Box

Values = dict[str, Any]  # as the browser takes them


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Stop:
    """What one stop of the slider shows: a map with its tables, or the reason why there is none."""

    layers: tuple[Layer, ...] = ()
    alt: str = ""  # the map for a screen reader
    centers: tuple[Spot, ...] = ()
    told: Mapping[int, str] = field(default_factory=dict)  # each center in one line
    tables: Sequence[Values] = ()
    shades: Values | None = None  # the key of the ground's colours, where it is coloured
    line: str = ""  # what the colours or the points say
    swap: str = ""  # a button from the one to the other
    reason: Values | None = None  # why there is none


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

    @property
    def absent(self) -> tuple[str, ...]:
        """The switches that are off: their layers are not in the scene and have to be asked for."""
        return tuple(switch.name for switch in self.legend if switch.name not in self.shown)

    @property
    def layers(self) -> Sequence[Layer]:
        """All layers of all stops."""
        return [*self.base, *(layer for stop in self.stops if stop is not None for layer in stop.layers)]
