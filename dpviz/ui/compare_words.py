"""What the page *Compare* and the analysts' server say. Plain words; every share has a base."""

from __future__ import annotations

from dpviz.ui.words import distance

TITLE = "Compare what was published"
NAVIGATION = "Published releases"

# ---- nothing there yet -----------------------------------------------------------------------------------------

EMPTY = "Nothing has been published yet"
EMPTY_APP = (
    "This page lays two releases side by side: where their centers lie, how far they moved, and what each gives away. "
    "Look at two examples of the demonstration city, or publish one of your own first."
)
EMPTY_ANALYST = (
    "The folder of releases is empty. A release is a folder with a file release.json in it, as the curator’s page "
    "*Choose* gives it out. Unpack it into the folder and load this page again, or open the file here."
)
EXAMPLES = "Show two examples"
EXAMPLES_WORKING = "Making two examples from the demonstration city …"
EXAMPLES_NOTE = (
    "**These are examples**: releases of the demonstration city, whose records are public. Nobody’s privacy was spent."
)
GO_CHOOSE = "Choose a level and publish it"
ADD = "Add a release"
ADD_FILE = "Open a release file (zip)"
ADD_FILE_HELP = "The file that “Download the release” gives. It stays in this session and is stored nowhere."
ADD_DONE = "Opened: {title}"
BAD_ZIP = "This is no release file. Open the zip that “Download the release” gave, unchanged."
NO_ANSWERS = "Published without an answer"
NO_ANSWERS_ONE = "1 request has no answer"
NO_ANSWERS_MORE = "{count} requests have no answer"
NO_ANSWERS_NOTE = "These requests were charged and answered with “no answer”, which is protected like any other answer."
UNREADABLE = "Not read, because damaged or changed after they were written: {names}. Copy them again."
AND_MORE = "{names} and {more} more"

# ---- the two releases ------------------------------------------------------------------------------------------

A, B = "Release A", "Release B"
SWAP = "Swap A and B"
NAME = "{level} · {method} · {k} centers · {dataset} · {id}"
NAME_NO_ANSWER = "{level} · {method} · {dataset}: {reason}"
NO_NAME = "no name"
LONGEST_NAME = 48
BETWEEN = "More private than {level}"
BEYOND = "Less private than all levels"
CENTER_A, CENTER_B = "Center of A", "Center of B"
SAME = "A and B are the same release. Choose another one to compare it with."
ALONE = "This is the only release here. Add another one to compare it with."
NOT_PROTECTED = (
    "{which}: made with a known seed, for tests. Whoever knows the seed can take the noise away, so this is not "
    "protected."
)
NO_LEDGER = "{which}: made outside any ledger. Nobody has added up what else was drawn from the same records."
AND = " and "
OTHER_BOX = "A and B cover different places or different kinds of records, so their centers cannot be paired."
NO_MAP = "These records are not places on a map. Their centers are in the table below."

# ---- the question ----------------------------------------------------------------------------------------------

K = "Centers to look for"
OBJECTIVE = "Centers that keep small"
OBJECTIVES = {"k-means": "the squared distances (k-means)", "k-median": "the distances (k-median)"}
WAY = "Show"
WAYS = {"two": "Two maps", "one": "One map"}
FREE = "Ask as often as you like: questions to a published release cost no privacy."
CENTERS_ONLY = "{which} holds centers only, no points: other numbers of centers cannot be asked of it."
CENTERS_ONLY_BOTH = "A and B hold centers only, no points: other numbers of centers cannot be asked of them."

# ---- maps and pairs --------------------------------------------------------------------------------------------

TABS = {"maps": "Maps", "sites": "Try out sites", "methods": "Methods", "files": "Files and labels"}
AVERAGE = "Centers apart, on average"
FARTHEST = "Farthest apart"
FARTHEST_WHERE = "pair {number}"
RIGHT_GUESSES = "Right guesses of 100, at most"
RIGHT_NOTE = "a coin gives 50"
POINTS = "Points in the coreset"
POINTS_NONE = "none"
A_AND_B = "{a} and {b}"
A_THEN_B = "A and B"
RESET = "Reset view"
ZOOM_PAIR = "Zoom to pair {number}"
PICK = "Tick a row, or click a center on the map."
PAIRS = "Centers of A and B in pairs"
CENTERS = "Centers of {letter}"
PAIR, PAIR_ALONE = "Pair", "Center"
NEAR = "{letter} near"
WAY_FROM_TO = "{start} → {end}"
APART = "Apart"
APART_PICK_UP, APART_DROP_OFF = "Pick-ups apart", "Drop-offs apart"
SERVES = "{letter} serves"
FACTS, FACT = "What they are", "Fact"
ODDS = "{right} of 100"
CENTERS_NO_POINTS = "centers only"
ABOUT = "about {count}"
NEGATIVE = (
    "{count} points of {which} weigh less than nothing: they take back what their neighbours count too much. The map "
    "leaves them out; all estimates count them."
)
NO_PARTNER = "–"
LEDGER = {
    "published": "through a ledger",
    "unledgered": "outside any ledger",
    "replayable": "for tests, with a known seed: not protected",
}
DEMONSTRATION = "{dataset} (public example)"
FACT_NAMES = (
    "Data",
    "Level",
    "Right guesses, at most",
    "Protects",
    "Records",
    "Coreset points",
    "Method",
    "Stricter level in",
    "Made",
)
DROP_OFFS = "The diamonds stand at the drop-off ends of the trips; the table tells both ends."
ARCS = "Each arc runs from the pick-up to the drop-off end of a group of trips; dots are drop-offs."
KEY_A, KEY_B, KEY_LINE = "Centers of A", "Centers of B", "how far apart"
MAP_ALT = (
    "Map of {box} with {shown}. The same centers follow in the table “{table}”; a row that is ticked there is ringed "
    "here."
)
MAP_POINTS, MAP_A, MAP_B = "{count} coreset points", "{count} centers of A", "{count} centers of B"

# ---- files -----------------------------------------------------------------------------------------------------

SAVE_CENTERS = "Download the {k} centers shown"
SAVE_PAIRS = "Download the pairs as a table"
METHODS_NOTE = "How much error each method added on public data, as recorded. Nothing here was measured on your data."

# ---- trying out sites ------------------------------------------------------------------------------------------

SITES_NOTE = (
    "Place sites such as pharmacies or charging points and read how far the records are from the nearest one. "
    "Everything is estimated from release A alone and costs no privacy."
)
SITES_NO_POINTS = (
    "Release A holds centers only, no points, so distances to sites cannot be estimated from it. Choose another "
    "release as A."
)
SITES_NO_MAP = "Release A is no map of places, so there is nowhere to put a site. Choose another release as A."
END = "Way to a site from"
ENDS = {"pick-up": "the pick-up", "drop-off": "the drop-off"}
HOW_MANY = "How many sites"
SUGGEST = "Suggest sites"
CLEAR = "Remove all"
ADD_NEAR = "Add a site near"
ADD_NEAR_PLACEHOLDER = "a neighbourhood …"
CLICK = "Click the map to add a site, choose a neighbourhood, or type into the table."
SITE, SITE_LON, SITE_LAT, SITE_NEAR = "Site", "East", "North", "Near"
SITE_LON_HELP, SITE_LAT_HELP = "Degrees to the east (longitude)", "Degrees to the north (latitude)"
FORBIDDEN = "Area where no site may stand"
NOWHERE, TYPED = "nowhere", "a typed rectangle"
TYPED_BOX = "West, south, east, north"
IN_FORBIDDEN_ONE = "Site {numbers} lies in the area where no site may stand."
IN_FORBIDDEN_MORE = "Sites {numbers} lie in the area where no site may stand."
OUTSIDE_ONE = "1 row of the table lies outside of the map and is left out."
OUTSIDE_MORE = "{count} rows of the table lie outside of the map and are left out."
TOO_MANY = "At most {most} sites can be tried out at once."
NO_SITES = "No site yet. Add one to read how far the records are from it."
AVERAGE_WAY = "Average distance to a site"
GOOD_PLAN = "a good plan with {k}: {distance}"
GOOD_PLAN_NOW = "as good as the suggested plan"
HALF_WITHIN = "Half of the records are within"
WITHIN = "Records within {distance}"
FILE = "Sites from a file (GeoJSON points)"
BAD_FILE = "This is not a GeoJSON file with points. Give a file with features of the kind Point."
FILE_OUTSIDE = "No point of this file lies on the map."
MORE = "Area without sites, and sites from a file"
CELL = "Click: a site here"
PLAN_NAME = "Name of this plan"
PLAN = "Plan {number}"
REMEMBER = "Remember this plan"
SAVE_SITES = "Download the sites"
PLANS = "Remembered plans, nearest first"
PLAN_OPEN, PLAN_FORGET, PLAN_CHOOSE = "Open", "Forget", "A remembered plan"
PLAN_COLUMNS = ("Plan", "Sites", "Average distance", "Half within", "Within 1 km", "Estimated from")


def tip_site(number: int, place: str | None) -> str:
    """One line on a site."""
    return f"Site {number}" + (f" · near {place}" if place else "")


def tip_pair(number: int, metres: float) -> str:
    """One line on a pair."""
    return f"Pair {number}: {distance(metres)} apart"
