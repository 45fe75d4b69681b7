"""What the page *Compare* and the analysts' server say. Plain words; every share has a base."""

from __future__ import annotations

from dpviz.language import speaking
from dpviz.language.speaking import Plural, told

TITLE = "Compare what was published"

# ---- nothing there yet -----------------------------------------------------------------------------------------

EMPTY = "Nothing has been published yet"
EXAMPLES = "Show two examples"
EXAMPLES_NOTE = (
    "**These are examples**: releases of the demonstration city, whose records are public. Nobody’s privacy was spent."
)
ADD = "Add a release"
ADD_FILE = "Open a release file (zip)"
BAD_ZIP = "This is no release file. Open the zip that “Download the release” gave, unchanged."
NO_ANSWERS = "Published without an answer"
NO_ANSWERS_COUNT = Plural("1 request has no answer", "{count} requests have no answer")

# ---- the two releases ------------------------------------------------------------------------------------------

A, B = "Release A", "Release B"
NAME = "{title} · {level} · {centers}"
NAME_NO_ANSWER = "{level} · {method} · {dataset}: {reason}"
LONGEST_NAME = 48
CENTER_A, CENTER_B = "Center of A", "Center of B"
ALONE = "This is the only release here. Add another one to compare it with."
ALONE_OF_ITS_DATA = "This is the only release of these data. Choose one of other data as B, or add another one."
OTHER_DATA = "A and B are about different data."
NOT_PROTECTED = (
    "{which}: made with a known seed, for tests. Whoever knows the seed can take the noise away, so this is not "
    "protected."
)
UNKNOWN_SIGNATURE = (
    "{which}: this computer does not know who signed it. Ask the publisher for the key in another way, and check the "
    "release with the command “dpviz verify”."
)
WITHDRAWN = "{which} was withdrawn by its publisher and should no longer be used."
NO_LEDGER = "{which}: made outside any ledger. Nobody has added up what else was made from the same records."
AND = " and "
OTHER_BOX = "A and B cover different places or different kinds of records, so their centers cannot be paired."
NO_MAP = "These records are not places on a map. Their centers are in the table below."

# ---- when, of a release by time ---------------------------------------------------------------------------------

TIMES_OF_DAY = {
    "Mornings, 6 to 12": (6, 12),
    "Nights, 22 to 24": (22, 24),
    "Small hours, 0 to 6": (0, 6),
    "Afternoons, 12 to 18": (12, 18),
    "Evenings, 18 to 22": (18, 22),
}
WORKING_DAYS, WEEKEND = "Monday to Friday", "Saturday and Sunday"
SUMMER, WINTER = "April to September", "October to March"
FIRST_HALF, SECOND_HALF = "The first half", "The second half"

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

TABS = {
    "maps": "Maps",
    "areas": "Counts by area",
    "sites": "Try out sites",
    "files": "Files and labels",
}
AVERAGE = "Centers apart, on average"
FARTHEST = "Farthest apart"
FARTHEST_WHERE = "pair {number}"
NOISE_EXPLAINS = (
    "**The same within noise.** The centers lie {apart} apart on average. If both were made of the same records, noise "
    "alone would put them about {expected} apart, and {most} would be nothing unusual."
)
NOISE_EXPLAINS_NOT = (
    "**More than noise.** The centers lie {apart} apart on average. If both were made of the same records, noise alone "
    "would put them about {expected} apart, and seldom more than {most}."
)
NOISE_WORKING = "Working out how far apart noise alone would put them …"
EXCHANGED = "A’s centers for B’s records"
EXCHANGED_WORSE, EXCHANGED_SAME = "{share} worse", "as good"
EXCHANGED_NOTE = "than B’s own; the other way round: {other}"
RIGHT_GUESSES = "Right guesses of 100, at most"
RIGHT_NOTE = "a coin gives 50"
POINTS = "Protected points"
A_AND_B = "{a} and {b}"
A_THEN_B = "A and B"
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
ABOUT = "about {count}"
NO_PARTNER = "–"
LEDGER = {
    "published": "through a ledger",
    "unverified": "through a ledger, by its own word",
    "unledgered": "outside any ledger",
    "replayable": "for tests, with a known seed: not protected",
}
FACT_NAMES = (
    "Data",
    "Held by",
    "Level",
    "Right guesses, at most",
    "Protects",
    "Records",
    "Protected points",
    "Method",
    "Stricter level in",
    "Published",
    "Made",
    "Signature",
)
KEY_A, KEY_B, KEY_LINE = "Centers of A", "Centers of B", "how far apart"
MAP_POINTS, MAP_A, MAP_B = "{count} protected points", "{count} centers of A", "{count} centers of B"

DRAWN = "Shown as"
DRAWN_AS = {"cells": "Cells", "dots": "Points"}

# ---- counts by area --------------------------------------------------------------------------------------------

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
AREA, AREA_ABOUT, AREA_LOW, AREA_HIGH = "Area", "About", "At least", "At most"
ENDS_OF_TRIPS = {"pickup": "pick-up", "dropoff": "drop-off", "start": "start", "end": "end"}
AREA_PARTLY = "its part inside the box"
AREA_WIDE = "the squares counted here are wider than the area, so part of the number may belong beside it"
AREA_SHARE, AREA_NOTE = "Of 100 records", "Note"
AREA_A, AREA_B, AREA_APART, AREA_NOISE, AREA_VERDICT = "A about", "B about", "B − A", "Noise reaches", "Verdict"
AREA_SAME, AREA_DIFFERS = "same within noise", "a range apart"
AREA_TIP = "{area}: about {about} ({low} to {high})"
AREA_TIP_COARSE = "{area}: too coarse to say, at most {high}"
AREA_TIP_NOTE = "{area}: {note}"
SAVE_TABLE, SAVE_AREAS = "Download the table", "Download the areas with their counts"
FLOWS = "Trips between these areas"
FLOW_FROM, FLOW_TO = "From", "To"
FLOW_TIP = "{origin} → {destination}: about {about} ({low} to {high})"

# ---- files -----------------------------------------------------------------------------------------------------

SAVE_CENTERS = "Download the {k} centers shown"

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
HOW_MANY_HELP = "Besides those that stand already"
SUGGEST = "Suggest sites"
CLEAR = "Remove all"
ADD_NEAR = "Add a site near"
ADD_NEAR_PLACEHOLDER = "a neighbourhood …"
CLICK = "Click the map to add a site, choose a neighbourhood, or type into the table."
SITE, SITE_LON, SITE_LAT, SITE_NEAR = "Site", "East", "North", "Near"
SITE_LON_HELP, SITE_LAT_HELP = "Degrees to the east (longitude)", "Degrees to the north (latitude)"
SITE_STANDS, SITE_STANDS_HELP = "Stands", "It is there already; suggestions leave it where it is"
SITE_CAPACITY, SITE_CAPACITY_HELP = "Capacity", "Records that it can serve, where that is known"
SITE_SERVES = "How many records each site serves"
SITE_TOO_SMALL = "Site {number} would serve {low} to {high} records, more than its capacity of {capacity}."
SERVED_COLUMNS = ("Site", "Serves about", "At least", "At most", "Capacity")
SITES_RANGES = "Ranges hold the truth 9 times out of 10. A dash: the cells are too coarse to say."
SITES_NO_RANGES = (
    "This release holds no counted cells, so these estimates have no range. They may be far off near sites."
)
RANGE = "{low} to {high}"
FORBIDDEN = "Area where no site may stand"
NOWHERE, TYPED = "nowhere", "a typed rectangle"
TYPED_BOX = "West, south, east, north"
IN_FORBIDDEN = Plural(
    "Site {numbers} lies in the area where no site may stand.",
    "Sites {numbers} lie in the area where no site may stand.",
)
OUTSIDE = Plural(
    "1 row of the table lies outside of the map and is left out.",
    "{count} rows of the table lie outside of the map and are left out.",
)
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


TIP_SITE, TIP_SITE_NEAR = "Site {number}", "Site {number} · near {place}"
SIGNED, SIGNED_UNKNOWN, SIGNED_NOT = "signed by {name} ({key})", "signature unknown ({key})", "no signature"


def tip_site(number: int, place: str | None) -> str:
    """One line on a site."""
    return told(TIP_SITE_NEAR if place else TIP_SITE).format(number=number, place=place)


speaking.answers(__name__)
