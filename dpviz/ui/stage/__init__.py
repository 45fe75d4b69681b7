"""The stage: slider, map, legend, odds, figures and curves, drawn in the browser from a scene.

    from dpviz.ui import stage

    stage.place("maps", "picture")                       # where the map, its legend and its figures stand
    heard = stage.show(wire.scene(…), key="maps")        # in the same script run, anywhere: it takes no room
    heard.level, heard.center, heard.shown, heard.open   # what the browser has told, some time after it happened

`place` may be called for several parts of one stage: `dial` (slider and odds), `picture` (map, legend, figures),
`curves`, `accepted`, `drawers`. Steps, switches and picked centers are shown by the browser without a word with the
server; it hears of them when the person pauses. `stage.news(news, key=…)` hands over figures that grow.

`stage.draw_box(box, …)` and `stage.draw_areas(box, …)` are a map to draw on.

A page that needs a map alone says `stage.draw_map(view, theme, key=…, options=MapOptions(…))`;
one that keeps what was made says `stage.encoded(…)` and `stage.draw_encoded(…)`.
"""

from dpviz.ui.stage.stage_component import (
    HEARD_NOTHING,
    Heard,
    MapOptions,
    draw_encoded,
    draw_map,
    encoded,
    news,
    place,
    read_heard,
    show,
    spots_of,
)
from dpviz.ui.stage.stage_drawing import as_geojson, draw_areas, draw_box

__all__ = [
    "HEARD_NOTHING",
    "Heard",
    "MapOptions",
    "as_geojson",
    "draw_areas",
    "draw_box",
    "draw_encoded",
    "draw_map",
    "encoded",
    "news",
    "place",
    "read_heard",
    "show",
    "spots_of",
]
