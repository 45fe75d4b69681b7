"""Neighbouring files of separated text give neighbouring counts: no record decides how another one is read."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpviz.errors import DpvizError
from dpviz.ingest import read_counts, read_parts, read_points

BOX = (-74.05, 40.70, -73.90, 40.80)
NAMES = ["lon", "lat", "when", "note"]
COUNTED = {"lon": "column_1", "lat": "column_2"}

places = st.tuples(
    st.floats(-74.049, -73.901).map(lambda x: f"{x:.5f}"),
    st.floats(40.701, 40.799).map(lambda x: f"{x:.5f}"),
    st.sampled_from(["2026-03-01 08:30", "2026-03-01T23:59:59Z", ""]),
    st.text(st.sampled_from("ab,;|\t\"'.5 é\n"), max_size=6),
)
# What a hostile record may be: empty fields, names of columns, other marks, other numbers of fields, the wrong sign.
oddities = st.one_of(
    places,
    st.just(("lon", "lat", "when", "note")),
    st.just(("", "", "", "")),
    st.just(("a", "b", "c")),
    st.just(("-74,01", "40,75", "", "")),
    st.just(("1;2;3", "4;5", "|||", "\t\t")),
    st.just(("{[<PAR1", "BZh", "PK", "%PDF")),
    st.just(("sep=;", "", "", "")),
    st.lists(st.text(st.sampled_from('0123456789.,;|\t-+eE"\x01\x00'), max_size=8), min_size=0, max_size=9).map(tuple),
)
Rows = list[tuple[str, ...]]


@st.composite
def neighbours(draw: Any) -> tuple[Rows, Rows]:
    """Files of rows: the second lacks one of the first, or has another in its place."""
    rows: Rows = list(draw(st.lists(st.one_of(places, oddities), min_size=1, max_size=12)))
    place = draw(st.sampled_from([0, 0, 0, len(rows) - 1, len(rows) // 2]))
    changed = draw(st.one_of(st.none(), oddities))
    rows[place] = draw(oddities)
    return rows, rows[:place] + ([] if changed is None else [changed]) + rows[place + 1 :]


def as_file(rows: Rows, *, separator: str, decimal: str, header: bool, quoted: int) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, quoting=quoted, lineterminator="\n")  # type: ignore[arg-type]
    if header:
        writer.writerow(NAMES)
    for row in rows:
        written = [field.replace(".", decimal) if i < 2 else field for i, field in enumerate(row)]
        if quoted != csv.QUOTE_ALL and len(written) < 2 and not "".join(written):
            continue  # an empty line is no row
        writer.writerow(written)
    return text.getvalue().encode()


def how_read(read: Any, content: bytes, **stated: Any) -> Any:
    try:
        return read(content, strict=True, protect="record", **stated)
    except DpvizError as refused:
        return type(refused).__name__


def cells(content: bytes, **stated: Any) -> Any:
    found = how_read(read_counts, content, box=BOX, side=16, **stated)
    return found if isinstance(found, str) else found.to_numpy()


layouts = pytest.mark.parametrize(
    ("separator", "decimal"), [(",", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", ","), (",", ",")]
)
quotes = pytest.mark.parametrize("quoted", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL], ids=["some quotes", "all quoted"])


@layouts
@quotes
@given(pair=neighbours())
@settings(max_examples=60, deadline=None)
def test_with_a_header_one_record_changes_at_most_its_own_cell(
    separator: str, decimal: str, quoted: int, pair: tuple[Rows, Rows]
) -> None:
    one, other = (
        cells(as_file(rows, separator=separator, decimal=decimal, header=True, quoted=quoted)) for rows in pair
    )
    assert not isinstance(one, str) and not isinstance(other, str)
    assert np.abs(one - other).sum() <= 2 - (len(pair[0]) != len(pair[1]))


@layouts
@quotes
@given(pair=neighbours())
@settings(max_examples=60, deadline=None)
def test_without_one_the_statement_decides_and_no_record(
    separator: str, decimal: str, quoted: int, pair: tuple[Rows, Rows]
) -> None:
    stated = {"header": False, "separator": separator, "decimal": decimal, **COUNTED}
    one, other = (
        cells(as_file(rows, separator=separator, decimal=decimal, header=False, quoted=quoted), **stated)
        for rows in pair
    )
    assert not isinstance(one, str) and not isinstance(other, str)
    assert np.abs(one - other).sum() <= 2 - (len(pair[0]) != len(pair[1]))


@layouts
@given(pair=neighbours())
@settings(max_examples=60, deadline=None)
def test_without_a_header_and_a_statement_every_file_is_refused(
    separator: str, decimal: str, pair: tuple[Rows, Rows]
) -> None:
    for rows in pair:
        if tuple(NAMES) in rows:  # then it may have one
            continue
        content = as_file(rows, separator=separator, decimal=decimal, header=False, quoted=csv.QUOTE_MINIMAL)
        for named in ({}, COUNTED, {"lon": 0, "lat": 1}):
            assert isinstance(cells(content, **named), str)


@layouts
@given(pair=neighbours())
@settings(max_examples=25, deadline=None)
def test_points_and_parts_of_time_follow_the_same_rules(separator: str, decimal: str, pair: tuple[Rows, Rows]) -> None:
    files = [
        as_file(rows, separator=separator, decimal=decimal, header=True, quoted=csv.QUOTE_MINIMAL) for rows in pair
    ]
    most = 2 - (len(pair[0]) != len(pair[1]))
    points = [how_read(read_points, content, box=BOX, columns=["lon", "lat"]).to_numpy().tolist() for content in files]
    one, other = (Counter(map(tuple, found)) for found in points)
    assert (one - other).total() <= 1 and (other - one).total() <= most - (one - other).total()
    sheets = [how_read(read_parts, content, box=BOX, side=16, time="when")[0].to_numpy() for content in files]
    assert np.abs(sheets[0] - sheets[1]).sum() <= most
