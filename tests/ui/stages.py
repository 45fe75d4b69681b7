"""What a page hands to its stage, read back; and what a browser tells, said in its place."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.choose import page
from dpviz.ui.stage import Heard


def decoded(data: bytes) -> dict[str, Any]:
    """A scene or news as the browser reads it; `column` gives the numbers of a long layer."""
    size = int.from_bytes(data[:4], "little")
    document: dict[str, Any] = json.loads(data[4 : 4 + size])
    numbers = np.frombuffer(data, "<f4", offset=4 + size)
    document["column"] = lambda at: numbers[at[0] : at[0] + at[1]]
    return document


def handed(app: AppTest) -> list[dict[str, Any]]:
    """Everything in binary form that the page handed over."""
    return [decoded(one.proto.bytes) for one in app.get("bidi_component") if one.proto.bytes]


def scenes(app: AppTest) -> list[dict[str, Any]]:
    """The pictures of every stage on the page, in its order."""
    return [one for one in handed(app) if one["kind"] == "scene"]


def scene(app: AppTest) -> dict[str, Any]:
    """The pictures of the only one."""
    return scenes(app)[-1]


def news(app: AppTest) -> dict[str, Any]:
    """The figures."""
    return [one for one in handed(app) if one["kind"] == "news"][-1]


def places(app: AppTest) -> dict[str, dict[str, Any]]:
    """The places of the stage, by name."""
    found = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return {one["place"]: one for one in found}


def stop(app: AppTest, level: int) -> dict[str, Any]:
    """What one level shows."""
    found: dict[str, Any] = scene(app)["stops"][level - 1]
    return found


def layer_names(found: dict[str, Any]) -> set[str]:
    """The layers of a stop, or of all stops of a scene with what they stand on."""
    return {one["id"] for one in layers(found)}


def layers(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The layers of a stop, or of all stops of a scene with what they stand on."""
    return found["layers"] if "layers" in found else [*found["base"], *stops_layers(found)]


def stops_layers(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for stop in found["stops"] if stop for one in stop["layers"]]


class Browser:
    """What the browser tells of the stage from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.heard = Heard()
        monkeypatch.setattr(page.stage, "read_heard", lambda key: self.heard)

    def says(self, **told: Any) -> None:
        self.heard = Heard(**{"turn": 0, **told})
