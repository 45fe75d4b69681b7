"""One table of messages to the stage: wire.py writes these bytes, and columns.js reads the same values out of them.

The table is `tests/fixtures/stage_messages.json`; tests/javascript reads it too. After the form was changed on purpose
`python -m tests.ui.test_stage_messages` writes it again.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pydeck as pdk
import pytest

from dpviz.language import speaking
from dpviz.ui.map.scene import Layer, Scene, Spot, Stop, Switch, Tip, column
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import words
from dpviz.ui.stage import wire
from tests.ui.stages import decoded

TABLE = Path(__file__).parents[1] / "fixtures" / "stage_messages.json"
NUMBERS = (0, 7, 999.6, 1234, 9_999, 10_049, 12_345, 99_999, 1e6, 1_250_000, 1_349_999, 12_345_678, -1234, -12_345)


def a_scene(spoken: str) -> Scene:
    """A short layer with texts, a long one with columns of which two layers share one, and a stop without an answer."""
    places, weights = column(np.array([-73.9, -73.8]), np.array([40.7, 40.8])), column(np.array([1234.0, 2.5e6]))
    tip = Tip(
        text="{count} Fahrten" if spoken == "de" else "{count} trips",
        numbers=weights,
        places=column(np.array([1, 0])),
        names=("", "Astoria – Łódź"),
        elsewhere="elsewhere",
    )
    many = Layer(
        look=pdk.Layer("ScatterplotLayer", None, id="coreset"),
        order=3,
        shows=("coreset",),
        columns={"getPosition": places, "getRadius": weights},
        tip=tip,
    )
    again = Layer(look=pdk.Layer("PathLayer", None, id="rings"), order=4, columns={"getPosition": places})
    rows = [{"p": [-73.9, 40.7], "n": 1, "tip": "“Café” 1"}]
    few = Layer(look=pdk.Layer("TextLayer", rows, id="centers"), order=9)
    spot = Spot(number=1, name="Café", lon=-73.9, lat=40.7)
    return Scene(
        about="a trial",
        place="here",
        box=Box(west=-74.0, south=40.6, east=-73.7, north=40.9),
        ground="static/style.json",
        legend=(Switch(name="coreset", label="Points", help="each", picture="data:,"),),
        shown=frozenset({"coreset"}),
        base=(few,),
        stops=(Stop(layers=(many, again), alt="a map", centers=(spot,)), None),
    )


def messages() -> list[dict[str, Any]]:
    """Each message with all that can be read out of it."""
    found = []
    for spoken in ("en", "de"):
        with speaking.spoken_in(spoken):
            found.append(wire.scene(a_scene(spoken), stage="trial", turn=3, level=2))
    found.append(
        wire.news({"figures": (), "curves": (), "accept": None, "levels": None, "chance": None}, stage="trial")
    )
    return [{"bytes": b64encode(data).decode(), **read(data)} for data in found]


def read(data: bytes) -> dict[str, Any]:
    """The header, and every column that it names."""
    size = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + size])
    columns = np.frombuffer(data[4 + size :], "<f4")
    places = [one["at"] for layer in _layers(header) for one in layer.get("columns", {}).values()]
    places += [layer["tip"][name] for layer in _layers(header) if "tip" in layer for name in ("numbers", "places")]
    return {"header": header, "columns": [[at, columns[at[0] : sum(at)].tolist()] for at in places]}


def _layers(header: dict[str, Any]) -> list[dict[str, Any]]:
    stops = [stop for stop in header.get("stops", ()) if stop]
    return [layer for found in (header.get("base", ()), *(stop["layers"] for stop in stops)) for layer in found]


def counts() -> list[dict[str, Any]]:
    """Numbers as tooltips tell them, in each language."""
    found = []
    for spoken in ("en", "de"):
        with speaking.spoken_in(spoken):
            told = {str(number): words.count(number) for number in NUMBERS}
            found.append({"language": spoken, "millions": words.MILLIONS, "told": told})
    return found


def table() -> str:
    """What the file holds."""
    return json.dumps({"messages": messages(), "counts": counts()}, indent=1, ensure_ascii=False) + "\n"


def test_messages_and_numbers_are_those_of_the_table() -> None:
    again = "the form has changed: change columns.js with it and run python -m tests.ui.test_stage_messages"
    assert table() == TABLE.read_text(encoding="utf-8"), again


@pytest.mark.parametrize("at", range(3))
def test_the_reader_of_the_other_tests_reads_the_table_too(at: int) -> None:
    held = json.loads(TABLE.read_text(encoding="utf-8"))["messages"][at]
    data = b64decode(held["bytes"])
    found = decoded(data)
    assert found["id"] == held["header"]["id"] and read(data) == {name: held[name] for name in ("header", "columns")}


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
