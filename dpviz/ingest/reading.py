"""`Reading`: how records are read, stated and checked once. All its values are public and chosen before the data."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, TypedDict, TypeVar

from dpviz.domain import Adjacency, Frame, GeoBox, Grid, PlainBox, Unit
from dpviz.domain.parts import Parts
from dpviz.errors import InputError, show_name
from dpviz.ingest.cities import parse_box
from dpviz.ingest.conversions import checked_crs
from dpviz.ingest.parts import check_zone
from dpviz.ingest.sources import TextForm
from dpviz.ingest.units.own_levels import LEVEL, LEVEL_SCALES, OwnLevels
from dpviz.ingest.units.weights import HEAVIEST

Column = str | int
Progress = Callable[[int, int], None]
ENGINES = ("local", "dask")
WEIGHT_UNITS = ("row", "record")
DEFAULT_SIDE = 1024
Reader = TypeVar("Reader", bound=Callable[..., Any])


class ReadingKeywords(TypedDict, total=False):
    """Keywords of both readers, for type checkers. `Reading` holds their defaults."""

    engine: str
    scheduler: str | None
    relation: str | Adjacency
    person: str | None
    cap: int | None
    weight: str | None
    weight_unit: str | None
    weight_bound: float | None
    weight_step: float
    crs: str | None
    protect: str | None
    layer: str | None
    query: str | None
    separator: str | None
    decimal: str | None
    header: bool | None
    strict: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """All that is stated about a reading; refuses what means nothing, with what is accepted, before any file opens.

    `source`: a path, glob, folder, URL, upload, a list of these, a DataFrame or an array.
    For counts: `box` (a GeoBox, four numbers, "W,S,E,N" or a known city) and `side`, with the columns `lon` and `lat`.
    For points: `frame`, `box` or `boxes` (one for every pair of columns), with `columns`, and `stream`.
    For both: `engine` and `scheduler`, `relation`, `person` with `cap` or `protect="record"`, `weight` with what it
    means for the promise, `level` with `level_scale` (counts only), `crs`, `layer` or `query`, `separator`, `decimal`
    and `header` of separated text, and `strict`, which reads a source without a row inside the box all the same.
    """

    source: Any = field(repr=False)
    box: Any = None
    side: int = DEFAULT_SIDE
    lon: Column | None = None
    lat: Column | None = None
    columns: Sequence[Column] | None = None
    frame: Frame | None = None
    boxes: Sequence[Any] | None = None
    engine: str = "local"
    scheduler: str | None = None
    relation: str | Adjacency = Adjacency.ADD_REMOVE_ONE
    person: str | None = None
    cap: int | None = None
    weight: str | None = None
    weight_unit: str | None = None
    weight_bound: float | None = None
    weight_step: float = 1.0
    level: str | None = None
    level_scale: str = LEVEL
    crs: str | None = None
    layer: str | None = None
    query: str | None = None
    separator: str | None = None
    decimal: str | None = None
    header: bool | None = None
    strict: bool = False
    protect: str | None = None  # "record": said, where a column may tell persons apart
    parts: Parts | None = None  # counts: apart for each of these (`read_parts`)
    time: str | None = None  # the column that parts by time are told from
    stream: bool | None = None  # points: rows are read again for each question instead of kept; None: with Dask

    def __post_init__(self) -> None:
        settled: dict[str, Any] = {"relation": self.adjacency, "crs": checked_crs(self.crs)}
        self._check_weights()
        if self.level_scale not in LEVEL_SCALES:
            raise InputError(f"level_scale={self.level_scale!r}: give 'level' (names or numbers) or 'epsilon'.")
        unit, _ = self.unit, self.form  # refuse what belongs together and is not
        if self.engine not in ENGINES:
            raise InputError(f"engine={self.engine!r} is not known; use 'local' or 'dask'.", engine=self.engine)
        if self.scheduler is not None and self.engine != "dask":
            raise InputError("scheduler is given without engine='dask'.", scheduler=self.scheduler)
        has_level, on_workers = self.level is not None, self.engine == "dask"
        replaced = self.adjacency is Adjacency.REPLACE_ONE
        _refuse(
            (self.layer is not None and self.query is not None, "give a layer or a query, not both."),
            (not has_level and self.level_scale != LEVEL, "say which column holds the levels (level='choice')."),
            (has_level and on_workers, "a column of levels is read on this machine; leave out engine='dask'."),
            (
                replaced and unit != Unit(),
                "the relation 'replace' cannot be used with persons, weights or levels; use 'add-remove'.",
            ),
            (
                has_level and self.parts is not None,
                "parts and a column of levels cannot be used together; leave one of them out.",
            ),
            (
                self.stream and self.cap is not None and not on_workers,
                "a person cap needs all rows of a person together; leave out stream=True, or add engine='dask', whose "
                "workers bring them together.",
            ),
        )
        if self.parts is not None:
            self._check_parts(self.parts)
        if self.box is not None:
            settled["box"] = parse_box(self.box)
        if self.boxes is not None:
            settled["boxes"] = tuple(parse_box(one) for one in self.boxes)
        if self.columns is not None:
            if isinstance(self.columns, str) or not 0 < len(set(self.columns)) == len(self.columns):
                raise InputError(f"columns={self.columns!r}: give a list of different columns, such as ['lon', 'lat'].")
            settled["columns"] = tuple(self.columns)
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    @property
    def adjacency(self) -> Adjacency:
        """The neighbouring relation."""
        return Adjacency.parse(self.relation)

    @property
    def unit(self) -> Unit:
        """What one unit of protection is."""
        bound, step = self.weight_bound, self.weight_step
        return Unit(
            person_column=self.person,
            cap=self.cap,
            weight_column=self.weight,
            weight_bound=None if bound is None else int(Fraction(str(bound)) / Fraction(str(step))),
            weight_step=float(step),
            level_column=self.level,
            levels=() if self.own_levels is None else self.own_levels.epsilons,
        )

    @property
    def own_levels(self) -> OwnLevels | None:
        """How the column of levels is read, if there is one."""
        return None if self.level is None else OwnLevels(column=self.level, scale=self.level_scale)

    @property
    def form(self) -> TextForm:
        """How separated text is written."""
        return TextForm(separator=self.separator, decimal=self.decimal, header=self.header)

    @property
    def grid(self) -> Grid:
        """The public grid of counts: of all parts together where there are parts."""
        return Grid(parse_box(self.box), self.side) if self.parts is None else self.parts.sheet

    @property
    def divided_by(self) -> tuple[str, ...]:
        """The column of each division."""
        divisions = () if self.parts is None else self.parts.divisions
        return tuple(str(self.time) if one.is_time else one.by for one in divisions)

    @property
    def streams(self) -> bool:
        """Whether the rows of points stay where they are."""
        return bool(self.stream) or (self.stream is None and self.engine == "dask")

    def refuse_without_frame(self) -> None:
        """Points need exactly one statement of their public bounds, with columns that fit it."""
        columns = 0 if self.columns is None else len(self.columns)
        dims = columns if self.frame is None else self.frame.dims
        boxes = columns // 2 if self.boxes is None else len(self.boxes)
        _refuse(
            (
                sum(given is not None for given in (self.frame, self.box, self.boxes)) != 1,
                "give one of frame, box and boxes: the public bounds of the points.",
            ),
            (columns and columns != dims, f"{columns} columns are given for a frame of {dims} dimensions."),
            (self.frame is None and columns % 2, "columns come in pairs, longitude first, when a box is given."),
            (
                columns and 2 * boxes != columns and self.frame is None,
                f"{boxes} boxes are given for {columns} columns; one box for every two columns.",
            ),
        )

    def frame_of(self, names: tuple[str, ...]) -> Frame:
        """The public frame of points in these columns."""
        if self.frame is not None:
            if self.frame.dims != len(names):
                raise InputError(
                    f"the frame has {self.frame.dims} dimensions; {len(names)} columns were found. Name the columns."
                )
            return self.frame
        pairs = len(names) // 2
        each: list[GeoBox | PlainBox] = [self.box] * pairs if self.boxes is None else list(self.boxes)
        if len(each) != pairs:
            raise InputError(f"{len(each)} boxes are given for {pairs} pair of columns; one box for every pair.")
        frames = [one.frame for one in each]
        return Frame(
            names=frames[0].names if pairs == 1 else names,
            low=tuple(value for one in frames for value in one.low),
            high=tuple(value for one in frames for value in one.high),
            scale=tuple(value for one in frames for value in one.scale),
            metric="m" if all(isinstance(one, GeoBox) for one in each) else "units",
        )

    def _check_parts(self, parts: Parts) -> None:
        """Parts are told from columns that are named, under the relation that their proof is about."""
        if self.adjacency is not Adjacency.ADD_REMOVE_ONE:
            raise InputError("records are counted by parts under the relation 'add-remove'.")
        for one in parts.divisions:
            if one.is_time:
                check_zone(one.zone)
                if self.time is None:
                    raise InputError(f"say which column holds the times that {one.by}s are told from (time=, --time).")
        _refuse(
            (
                parts.of_person and self.person is None,
                "a part that belongs to the person needs a person column (person=, --person).",
            ),
            (
                parts.of_person and self.engine == "dask",
                "a person's part is settled on this machine; leave out engine='dask'.",
            ),
        )

    def _check_weights(self) -> None:
        """A weight says what it means for the promise, in numbers that are public."""
        unit, bound, step = self.weight_unit, self.weight_bound, self.weight_step
        if unit not in (None, *WEIGHT_UNITS):
            raise InputError(f"weight_unit={unit!r} is not known; use 'row' or 'record'.", weight_unit=unit)
        for name, value in (("weight_bound", bound), ("weight_step", step)):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if value is not None and not (number and math.isfinite(value) and value > 0):
                raise InputError(f"{name}={value!r}: give a number above 0, such as 1 or 0.5.")
        _refuse(
            (
                self.weight is None and (bound is not None or step != 1 or unit == "record"),
                "say which column holds the weights (weight='count').",
            ),
            (
                unit == "record" and bound is not None,
                "with weight_unit='record' each unit of weight is a record of its own and needs no weight_bound.",
            ),
            (
                self.weight is not None and unit != "record" and bound is None,
                f"say what a weight in {show_name(self.weight or '')!r} means for the promise: weight_bound=W protects "
                "a row with all its weight, of which at most W is counted; weight_unit='record' protects each unit of "
                "weight, as in a table that counts records. (--weight-bound, --weight-unit)",
            ),
            (
                bound is not None and not step <= bound < HEAVIEST * step,
                f"weight_bound={bound!r}: give at least one step ({step:g}), and fewer than 2^31 of them.",
            ),
        )


def _refuse(*faults: tuple[object, str]) -> None:
    """Refuse the first fault that there is."""
    for there, sentence in faults:
        if there:
            raise InputError(sentence)


def list_keywords(kind: type) -> Callable[[Reader], Reader]:
    """Give a reader's `**stated` the keywords of a typed dictionary, with the defaults of `Reading`."""
    known = {one.name: one for one in fields(Reading)}

    def list_them(read: Reader) -> Reader:
        plain = inspect.signature(read)
        own = [one for one in plain.parameters.values() if one.kind is not one.VAR_KEYWORD]
        stated = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=known[name].default, annotation=known[name].type
            )
            for name in sorted(kind.__annotations__, key=lambda name: name in ReadingKeywords.__annotations__)
        ]
        listed = plain.replace(parameters=[*own[:-2], *stated, *own[-2:]])  # noise and progress come last

        @functools.wraps(read)
        def call(*given: Any, **named: Any) -> Any:
            listed.bind(*given, **named)  # an unknown keyword is a TypeError, as in any function
            return read(*given, **named)

        call.__signature__ = listed  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return list_them
