"""A scene as bytes for the browser: a length, a header of JSON, and the columns behind it as 32-bit numbers.

`web/columns.js` reads it; both state the same form. Text stays text, and every number of a long layer is four bytes.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from dpviz.language import speaking
from dpviz.ui.map.scene import Column, Layer, Scene, Stop, Values
from dpviz.ui.page_parts import words


class Columns:
    """The columns of a scene, one after another; each is known by where it starts and how many numbers it has."""

    def __init__(self) -> None:
        self._parts: dict[int, NDArray[np.float32]] = {}
        self._known: dict[int, list[int]] = {}

    def place(self, column: Column) -> list[int]:
        """Start and length; a column that several layers share is written once."""
        if id(column) not in self._known:
            self._known[id(column)] = [sum(part.size for part in self._parts.values()), column.values.size]
            self._parts[id(column)] = column.values
        return self._known[id(column)]

    def bytes(self) -> bytes:
        """All of them."""
        return b"".join(np.ascontiguousarray(part, dtype="<f4").tobytes() for part in self._parts.values())


def scene(found: Scene, *, stage: str, turn: int, level: int) -> bytes:
    """The pictures of all stops."""
    columns = Columns()
    document = (
        {"kind": "scene", "stage": stage, "turn": turn, "level": level}
        | vars(found)
        | {
            "box": found.box.corners,
            "legend": [asdict(switch) for switch in found.legend],
            "shown": sorted(found.shown),
            "absent": found.absent,
            "base": [described(layer, columns) for layer in found.base],
            "stops": [None if stop is None else _stop(stop, columns) for stop in found.stops],
        }
    )
    return _joined(document, columns.bytes())


def news(found: Values, *, stage: str) -> bytes:
    """The figures that grow while previews are sampled."""
    return _joined({"kind": "news", "stage": stage, **found}, b"")


def described(layer: Layer, columns: Columns) -> Values:
    """A layer as pydeck describes it, with its columns named beside it. Rows are plain data and need not be walked."""
    rows, layer.look.data = layer.look.data, None
    try:
        found: Values = json.loads(layer.look.to_json())
    finally:
        layer.look.data = rows
    found |= {"order": layer.order, "shows": layer.shows}
    if layer.columns:
        found["length"] = len(layer)
        found["columns"] = {
            name: {"at": columns.place(held), "size": held.size} for name, held in layer.columns.items()
        }
        found.pop("data", None)
    elif rows is not None:
        found["data"] = rows
    if layer.tip is not None:
        tip = layer.tip
        found["tip"] = {
            "text": tip.text,
            "numbers": columns.place(tip.numbers),
            "places": columns.place(tip.places),
            "names": tip.names,
            "elsewhere": tip.elsewhere,
            "language": speaking.language(),
            "millions": words.MILLIONS,
        }
    return found


def _stop(stop: Stop, columns: Columns) -> Values:
    return vars(stop) | {
        "layers": [described(layer, columns) for layer in stop.layers],
        "centers": [asdict(spot) for spot in stop.centers],
    }


def _joined(document: Values, columns: bytes) -> bytes:
    """The header is filled up with blanks, so that the columns begin at a multiple of four."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    text = b'{"id":"' + hashlib.sha256(text + columns).hexdigest()[:16].encode() + b'",' + text[1:]
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + columns
