"""The words that are on every stage (see words.py of the screens)."""

from __future__ import annotations

from dpviz.language import speaking
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.words import (
    LEGEND_HELP,
    LESS_PRIVATE,
    MAP_COMING,
    MORE_PRIVATE,
    ODDS_KEY_ADDED,
    ODDS_KEY_COIN,
    RESET_VIEW,
    ZOOM_CHOOSE,
    ZOOM_TO,
)

SERVER_GONE = (
    "The program behind this page has stopped or cannot be reached. What you see is still right, but nothing new can "
    "be computed or published. Whoever started it can start it again; this page then goes on by itself."
)
PARTS: dict[str, dict[str, str]] = {
    "dial": {
        "question": words.LEVEL_QUESTION,
        "less": LESS_PRIVATE,
        "more": MORE_PRIVATE,
        "coin": ODDS_KEY_COIN,
        "added": ODDS_KEY_ADDED,
    },
    "picture": {
        "coming": MAP_COMING,
        "legend": "What the map shows",
        "help": LEGEND_HELP,
        "zoom": ZOOM_TO,
        "choose": ZOOM_CHOOSE,
        "reset": RESET_VIEW,
        "closer": "Zoom in",
        "further": "Zoom out",
        "map": "map",
    },
    "drawers": {
        "levels": words.TABLE_LEVELS,
        "chance": words.CHANCE,
        "table": words.TABLE,
        "coming": "Drawing …",
    },
    "curves": {},
    "accepted": {},
}

speaking.answers(__name__)
