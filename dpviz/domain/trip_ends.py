"""The two ends of trips: a record in four dimensions is two places, and the plane of each has a frame of its own."""

from __future__ import annotations

from dataclasses import replace

from dpviz.domain.box import Frame
from dpviz.errors import InputError, NotOffered

AXES = (slice(0, 2), slice(2, 4))


def are_trips(frame: Frame) -> bool:
    """Whether records are two places on the map."""
    return frame.dims == 4 and frame.metric == "m"


def end_names(frame: Frame) -> tuple[str, str]:
    """Names of the two ends: the common prefix of their columns, such as pickup and dropoff."""
    if frame.dims != 4:
        raise NotOffered(f"this release has {frame.dims} dimensions; only trips, with four, have two ends.")
    first, second = (frame.names[at].rpartition("_")[0] for at in (0, 2))
    return (first, second) if first and second and first != second else ("start", "end")


def told_ends(frame: Frame) -> str:
    """How a caller names an end, for error messages."""
    return "end=" + " or ".join(repr(name) for name in end_names(frame)) if frame.dims == 4 else "end=…"


def place_of(frame: Frame, end: str) -> int:
    """The index of the named end, 0 or 1."""
    names = end_names(frame)
    if end not in names:
        raise InputError(f"end={end!r}: this release has the ends {names[0]!r} and {names[1]!r}.", end=end)
    return names.index(end)


def axes_of(frame: Frame, end: str) -> slice:
    """The two axes of an end, by its name."""
    return AXES[place_of(frame, end)]


def end_frame(frame: Frame, end: str) -> Frame:
    """The frame of one end; its columns are lon and lat on maps."""
    axes = axes_of(frame, end)
    names = ("lon", "lat") if frame.metric == "m" else frame.names[axes]
    return replace(frame, names=names, low=frame.low[axes], high=frame.high[axes], scale=frame.scale[axes])


def both_frames(frame: Frame) -> tuple[Frame, Frame]:
    """The frames of both ends."""
    first, second = end_names(frame)
    return end_frame(frame, first), end_frame(frame, second)
