"""The story as one plain document for the browser: the real city, what finds her in it, recorded draws, the words."""

from __future__ import annotations

import json
import math
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import GeoBox
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.language import ENGLISH, languages, number, translated
from dpviz.ui.demo import words as say
from dpviz.ui.session import state

PLAYED = Path(__file__).with_name("played.json")
DEFAULT = state.DEFAULT_LEVEL.number - 1
HOME, CLINIC = "home", "clinic"
NAMED = 3  # neighbourhoods that are named
IN_90_OF_100 = math.log(10)  # so many scales of Laplace noise hold it in 90 of 100 draws


@lru_cache(maxsize=1)
def played() -> dict[str, Any]:
    """The draws that were recorded: `python -m dpviz_research.find_her.record` makes them again."""
    found: dict[str, Any] = json.loads(PLAYED.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def ends() -> NDArray[np.float64]:
    """The public trips, and hers behind them: pick-up lon, lat, drop-off lon, lat."""
    from dpviz.ingest.cities import load_points

    return np.vstack([load_points("nyc-trips").to_numpy(), played()["her"]["ends"]])


def her_lines() -> list[list[int]]:
    """Of the lines that at least five trips share those at her square: from, to, trips, 1."""
    return [line for line in played()["found"]["lines"] if line[3]]


def city_box() -> GeoBox:
    """The public box of the embedded city."""
    from dpviz.ingest.cities import BUILTIN_BOX

    return BUILTIN_BOX


def document(language: str = "en") -> dict[str, Any]:
    """Everything that the stage draws, in all languages; `language` is the one that it opens with."""
    trips, box, record = ends(), city_box(), played()
    found, her = record["found"], record["her"]
    return {
        "title": say.UI["title"],
        "language": language,
        "words": {name: _spoken(name) for name in languages()},
        "box": [box.west, box.south, box.east, box.north],
        "degree": METRES_PER_DEGREE / 1000,
        "squares": found["squares"],
        "trips": {"count": len(trips), "places": _packed(trips, box)},
        "shapes": _shapes(),
        "places": her["places"],
        "week": her["week"],
        "found": {
            "names": {part: found["names"][part] for part in ("fit_home", "fit_both")},
            "rounded": {
                "fit_both": found["rounded"]["fit_both"],
                "hers": list(range(len(trips) - len(her["ends"]), len(trips))),
            },
        },
        "connections": found["lines"],
        "default": DEFAULT,
        **{name: record[name] for name in ("exact", "stops", "per_trip", "hours", "made")},
    }


def _packed(trips: NDArray[np.float64], box: GeoBox) -> str:
    """Places as steps of the box's width and height, two bytes each."""
    low = np.array([box.west, box.south] * 2)
    size = np.array([box.east - box.west, box.north - box.south] * 2)
    return b64encode(np.clip(np.round((trips - low) / size * 65535), 0, 65535).astype("<u2").tobytes()).decode()


@lru_cache(maxsize=1)
def _shapes() -> list[dict[str, Any]]:
    """Parks and water of the embedded map, as they lie in its file."""
    from dpviz.basemap.embedded import data_file

    drawn = json.loads(data_file("basemap.json").read_text(encoding="utf-8"))["drawn"]
    return [{"kind": kind, "rings": rings} for kind in ("park", "water") for rings in drawn[kind]]


# ---- words ----------------------------------------------------------------------------------------------------


def numbers(language: str) -> dict[str, str]:
    """Every number that the words name."""
    record = played()
    found, lines = record["found"], her_lines()
    middle, trip = record["stops"][DEFAULT], record["per_trip"]
    asked = middle["asked"]
    morning, night = (record["hours"][name]["shares"] for name in ("morning", "night"))
    often = say.OTHER_MORNINGS.get(found["other_mornings"], say.OTHER_MORNINGS_MORE)

    def told(value: float) -> str:
        return number(value, language)

    return {
        "trips": told(len(ends())),
        "codes": told(found["names"]["codes"]),
        "names_home": told(found["names"]["codes_fit_home"]),
        "names_both": told(found["names"]["codes_fit_both"]),
        "rounded_home": told(found["rounded"]["codes_fit_home"]),
        "rounded_both": told(found["rounded"]["codes_fit_both"]),
        "other_mornings": translated(often, language).format(times=found["other_mornings"]),
        "lines": told(len(found["lines"])),
        "lines_home": told(len(lines)),
        "line_trips": told(min(trips for _, _, trips, _ in lines)),
        "month": told(record["trips"]),
        **{
            f"{place}_{part}": told(max(0, asked[place][at]) if part != "estimate" else asked[place][at])
            for place in (HOME, CLINIC)
            for at, part in enumerate(("estimate", "low", "high"))
        },
        **_truth(record, language),
        "morning_top": _most(morning),
        "night_top": _most({name: share - morning.get(name, 0.0) for name, share in night.items()}),
        "trip_reachable": told(round(trip["reachable"])),
        "person_reachable": told(round(middle["reachable"])),
        "shown": told(len(middle["rounds"])),
        "shift": told(round(middle["shift_m"])),
        "worse": f"{number(100 * middle['worse'], language, digits=2)} %",
        "morning": told(record["hours"]["morning"]["total"]),
        "night": told(record["hours"]["night"]["total"]),
        "noise": told(round(IN_90_OF_100 * record["cap"] / middle["epsilon"])),
        "level_name": translated(middle["name"], language),
    }


def _truth(record: Mapping[str, Any], language: str) -> dict[str, str]:
    """The exact count at her door, which only a demonstration with public data may tell."""
    exact, said = record["exact"], record["stops"][DEFAULT]["asked"][HOME][0]
    hers = exact["moved"][HOME]
    truth = exact["without"][HOME] + hers
    values = {"home_truth": truth, "home_hers": hers, "home_moved": abs(said - truth)}
    return {name: number(value, language) for name, value in values.items()}


def _most(shares: Mapping[str, float]) -> str:
    return ", ".join(sorted(shares, key=lambda name: -shares[name])[:NAMED])


def _spoken(language: str) -> dict[str, Any]:
    """All words of the stage in one language, the numbers filled in."""
    values = numbers(language)

    def fill(text: str) -> str:
        return translated(text, language).format_map(values) if text else ""

    return {
        **{name: translated(text, language) for name, text in say.UI.items()},
        "doors": {name: translated(text, language) for name, text in say.DOORS.items()},
        "levels": [translated(stop["name"], language) for stop in played()["stops"]],
        "week": [[translated(when, language), translated(what, language), secret] for when, what, secret in say.WEEK],
        "questions": [[translated(asked, language), fill(answer)] for asked, answer in say.QUESTIONS],
        "scenes": [_scene(scene, fill) for scene in say.SCENES],
    }


def _scene(scene: say.Scene, fill: Any) -> Mapping[str, Any]:
    return {
        "name": scene.name,
        "title": fill(scene.title),
        "note": fill(scene.note),
        "beats": [
            {name: fill(getattr(beat, name)) for name in ("text", "say", "chip", "big", "unit")} for beat in scene.beats
        ],
    }


# ---- the same as one file that asks for nothing ------------------------------------------------------------------


_WEB: Final = Path(__file__).parent / "web"
_ORDER: Final = ("element", "city", "acts", "clouds", "game", "questions", "presenter", "theatre")
_MARK: Final = 'class="her-file"'
_POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def offline_script() -> str:
    """All modules as one: their imports name each other and nothing else."""
    parts = [(_WEB / f"{name}.js").read_text(encoding="utf-8") for name in _ORDER]
    parts = [re.sub(r"^import [^;]*;\n", "", part, flags=re.MULTILINE) for part in parts]
    parts = [re.sub(r"^export (?=const|function|class)", "", part, flags=re.MULTILINE) for part in parts]
    return "\n".join(f"// ---- {name}\n{part}" for name, part in zip(_ORDER, parts, strict=True))


def is_offline_page(beginning: bytes) -> bool:
    """Whether a file that begins like this is one of these."""
    return beginning.startswith(b"<!doctype html>") and _MARK.encode() in beginning[:200]


def offline_page(language: str = ENGLISH) -> str:
    """The file's text."""
    told = document(language)
    data = json.dumps(told, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    style = (_WEB / "theatre.css").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="{language}" {_MARK}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{told["words"][language]["title"]}</title>
<style>body {{ margin:0; background:#070c16; }}
{style}</style>
</head>
<body>
<main id="stage"></main>
<script type="application/json" id="story">{data}</script>
<script type="module">
{offline_script()}
const scene = Number(location.hash.slice(1)) || null;
const story = JSON.parse(document.getElementById('story').textContent);
window.theatre = new Theatre(document.getElementById('stage'), story, {{ scene: scene && scene - 1 }});
</script>
</body>
</html>
"""
