"""What the page *Compare* and the analysts' server say. Plain words; every share has a base."""

from __future__ import annotations

from dpviz.language import speaking
from dpviz.language.speaking import Plural

BAD_ZIP = "This is no release file. Open the zip that “Download the release” gave, unchanged."
NO_ANSWERS_COUNT = Plural("1 request has no answer", "{count} requests have no answer")
A, B = "Release A", "Release B"
LONGEST_NAME = 48
CENTER_A, CENTER_B = "Center of A", "Center of B"
NO_MAP = "These records are not places on a map. Their centers are in the table below."
OBJECTIVES = {"k-means": "the squared distances (k-means)", "k-median": "the distances (k-median)"}
WAYS = {"two": "Two maps", "one": "One map"}
TABS = {"maps": "Maps", "areas": "Counts by area", "sites": "Try out sites", "files": "Files and labels"}
RIGHT_GUESSES = "Right guesses of 100, at most"
RIGHT_NOTE = "a coin gives 50"
A_THEN_B = "A and B"
PAIRS = "Centers of A and B in pairs"
PAIR, PAIR_ALONE = "Pair", "Center"
NEAR = "{letter} near"
APART = "Apart"
SERVES = "{letter} serves"
NO_PARTNER = "–"
LEDGER = {
    "published": "through a ledger",
    "unverified": "through a ledger, by its own word",
    "unledgered": "outside any ledger",
    "replayable": "for tests, with a known seed: not protected",
}

DRAWN_AS = {"cells": "Cells", "dots": "Points"}
AREAS_NO_CELLS = (
    "Release A holds no counted cells, so it has no error to give for a count. Choose a release of another method as A."
)
AREAS_KINDS = {
    "neighbourhoods": "Neighbourhoods",
    "squares": "Equal squares",
    "hexagons": "Equal hexagons",
    "own": "From a file of my own",
    "drawn": "Drawn on the map",
}
AREAS_TABLE = "Counts by area"
AREA, AREA_ABOUT = "Area", "About"
ENDS_OF_TRIPS = {"pickup": "pick-up", "dropoff": "drop-off", "start": "start", "end": "end"}
AREA_WIDE = "the squares counted here are wider than the area, so part of the number may belong beside it"
AREA_SHARE, AREA_NOTE = "Of 100 records", "Note"
AREA_NOISE, AREA_VERDICT = "Noise reaches", "Verdict"
AREA_SAME, AREA_DIFFERS = "same within noise", "a range apart"
SAVE_TABLE = "Download the table"
FLOWS = "Trips between these areas"
FLOW_FROM, FLOW_TO = "From", "To"
ENDS = {"pick-up": "the pick-up", "drop-off": "the drop-off"}
SITE_SERVES = "How many records each site serves"
SERVED_COLUMNS = ("Site", "Serves about", "At least", "At most", "Capacity")
TYPED = "a typed rectangle"
IN_FORBIDDEN = Plural(
    "Site {numbers} lies in the area where no site may stand.",
    "Sites {numbers} lie in the area where no site may stand.",
)
OUTSIDE = Plural(
    "1 row of the table lies outside of the map and is left out.",
    "{count} rows of the table lie outside of the map and are left out.",
)
AVERAGE_WAY = "Average distance to a site"
BAD_FILE = "This is not a GeoJSON file with points. Give a file with features of the kind Point."
PLANS = "Remembered plans, nearest first"
PLAN_COLUMNS = ("Plan", "Sites", "Average distance", "Half within", "Within 1 km", "Estimated from")


speaking.answers(__name__)
