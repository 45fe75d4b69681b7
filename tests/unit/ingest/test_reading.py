"""A reading is stated once, checks itself, and has the same words in the library and on the command line."""

from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from dpviz.cli.parameters.reading import ReadingOptions
from dpviz.domain import GeoBox
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.ingest import Reading, read_counts, read_parts, read_points

BOX = (-74.05, 40.70, -73.90, 40.80)
STATED = {field.name for field in fields(Reading)}
OF_PARTS = {"parts", "time"}  # taken by read_parts alone
NOT_STATED = {"noise", "progress"}  # who draws and who watches are no part of what is read


def keywords(function: Any) -> set[str]:
    return set(inspect.signature(function).parameters) - NOT_STATED


def test_the_readers_take_what_a_reading_holds_and_nothing_else() -> None:
    assert keywords(read_counts) | keywords(read_points) == STATED - OF_PARTS
    assert "time" in keywords(read_parts)


def test_the_command_line_offers_what_a_reading_of_counts_holds_and_the_columns_of_points() -> None:
    named = {field.name for field in fields(ReadingOptions)} - {"files"}
    offered = {"level" if name == "level_column" else name for name in named}  # --level is that of the release
    assert offered - {"columns"} == keywords(read_counts) - {"source"}
    assert "columns" in offered & keywords(read_points)


def test_defaults_are_the_same_everywhere() -> None:
    options = {field.name: field.default for field in fields(ReadingOptions)}
    for field in fields(Reading):
        for function in (read_counts, read_points):
            given = inspect.signature(function).parameters.get(field.name)
            if given is not None and given.default is not given.empty:
                assert given.default == field.default, field.name
        if field.name in options:
            assert options[field.name] == field.default, field.name


def test_it_is_frozen_and_settles_what_it_is_given() -> None:
    reading = Reading(source="trips.csv", box="-74.05,40.70,-73.90,40.80", relation="replace", side=64)
    assert reading.box == GeoBox(*BOX) and reading.adjacency.value == "replace" and reading.grid.side == 64
    with pytest.raises(FrozenInstanceError):
        reading.side = 128  # type: ignore[misc]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a person without a cap": ({"person": "rider"}, "cap"),
    "a cap without a person": ({"cap": 3}, "person"),
    "a cap of nothing": ({"person": "rider", "cap": 0}, "1 or more"),
    "persons that are replaced": ({"person": "rider", "cap": 3, "relation": "replace"}, "add-remove"),
    "an unknown relation": ({"relation": "swap"}, "add-remove"),
    "an unknown engine": ({"engine": "spark"}, "'local' or 'dask'"),
    "a scheduler for nobody": ({"scheduler": "tcp://host:8786"}, "engine='dask'"),
    "a box of three numbers": ({"box": "1,2,3"}, "four numbers"),
    "a box that is none": ({"boxes": [BOX, "Nowhere-upon-Sea"]}, "known"),
    "one text for columns": ({"columns": "lon"}, "list"),
    "the same column twice": ({"columns": ["lon", "lon"]}, "different"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_means_nothing_is_refused_with_what_is_accepted(name: str) -> None:
    given, word = REFUSED[name]
    with pytest.raises(InputError, match=word):
        Reading(source="no file is opened", **given)


def test_points_need_one_statement_of_their_bounds() -> None:
    frame = plain_frame((0.0, 0.0), (1.0, 1.0))
    for given in ({}, {"box": BOX, "frame": frame}, {"boxes": [BOX], "columns": ["a", "b", "c", "d"]}):
        with pytest.raises(InputError, match="box"):
            Reading(source=[[0.0, 0.0]], **given).refuse_without_frame()
