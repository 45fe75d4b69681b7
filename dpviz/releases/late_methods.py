"""Methods of a release that other rooms implement, by name; their types stand in `late_methods.pyi`.

A release is a value and imports none of the code that answers questions about it, draws it or writes its files. Each
entry names a function that takes the release first. It is imported when it is first used, and then replaces its entry.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


class Late:
    """A method, given as "module:function"."""

    def __init__(self, place: str, kind: Callable[..., Any] | None = None) -> None:
        self.place, self.kind = place, kind

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, instance: object, owner: type) -> Any:
        module, function = self.place.split(":")
        found = getattr(import_module(module), function)
        if self.kind is not None:
            found = self.kind(found)
        setattr(self.owner, self.name, found)
        return getattr(owner if instance is None else instance, self.name)


class OutcomeMethods:
    """Methods of a release and of a no-answer."""

    files = Late("dpviz.life.folder_files:folder_files")
    save = Late("dpviz.life.folder_files:save_folder")
    zip_bytes = Late("dpviz.life.folder_files:zip_folder")


class NoAnswerMethods:
    """Methods of a no-answer alone."""

    _repr_html_ = Late("dpviz.drawing.notebook:no_answer_html")


class ReleaseMethods:
    """Methods of a release alone."""

    load = Late("dpviz.releases.store:load_release", classmethod)

    centers_for = Late("dpviz.questions.centers:centers_for")
    cost = Late("dpviz.questions.centers:cost_of")
    center_table = Late("dpviz.questions.redrawing:center_table")

    count = Late("dpviz.questions.counts:count_area")
    share = Late("dpviz.questions.counts:share_of_area")
    total = Late("dpviz.questions.counts:count_all")
    table = Late("dpviz.questions.counts:count_areas")
    streets = Late("dpviz.questions.streets:count_streets")
    flows = Late("dpviz.questions.counts:count_flows")
    distance_to = Late("dpviz.questions.counts:distance_to_sites")
    served_by = Late("dpviz.questions.counts:count_served")
    parts = Late("dpviz.questions.counts:view_parts", property)
    by_time = Late("dpviz.questions.counts:view_parts", property)  # its old name
    part = Late("dpviz.questions.counts:part_of_release")
    redraw = Late("dpviz.questions.redrawing:redraw")

    map = Late("dpviz.drawing.notebook:map_of_release")
    to_geodataframe = Late("dpviz.questions.data_frames:as_geodataframe")
    to_polars = Late("dpviz.questions.data_frames:as_polars")
    to_lonboard = Late("dpviz.drawing.other_maps:lonboard_map")
    to_folium = Late("dpviz.drawing.other_maps:folium_map")
    to_xarray = Late("dpviz.questions.data_frames:as_grid")
    _repr_html_ = Late("dpviz.drawing.notebook:release_html")
