"""The sentences of the screens, so that a translator or a lawyer can read them; each other page has a list of its own.

Plain words for a reader of about 13 years; every share has a base ("63 of 100"). Epsilon and delta appear only in
the texts of the *Details* popover. Longer than a module should be: it is one list, meant to be read in one go.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from dpviz.privacy.odds import out_of_100

APP = "dpviz"

# ---- the three modes -------------------------------------------------------------------------------------------

MODE_DEMO = (
    "Demonstration data",
    "This city is public and comes with the program. Look around freely: nobody can be harmed here.",
)
MODE_DEMO_DATA = "{title}: {number} trips. They are public: look around freely, nobody can be harmed here."
MODE_PREVIEW = (
    "Your own data, preview",
    "What you see here is not protected. It is for your eyes only, and nothing leaves this computer until you publish.",
)
MODE_STRICT = (
    "Your own data, strict preview",
    "All maps and numbers here come from a protected stand-in for your data. Others may look over your shoulder.",
)
MODE_ANALYST = (
    "Published releases only",
    "This page holds only what was published with protection. There is no path from here to the original records.",
)
MODE_GAME = (
    "Demonstration data",
    "These scenes use the public demonstration city. No real person of your own data is involved.",
)
MODE_EVIDENCE = (
    "Recorded experiments",
    "Everything here was measured on public or made-up data and is shown as it was recorded.",
)

# ---- the slider ------------------------------------------------------------------------------------------------

LEVEL_QUESTION = "How much privacy?"
LEVEL_HELP = "Left: a sharper map that gives more away. Right: a coarser map that protects each {unit} better."
LESS_PRIVATE, MORE_PRIVATE = "More detail", "More privacy"


odds_of_100 = out_of_100


def odds_alt(epsilon: float, delta: float = 0.0) -> str:
    """The array of dots in words."""
    right = out_of_100(epsilon, delta)
    return (
        f"100 dots in ten rows. 50 are grey: right guesses by tossing a coin. {right - 50} more are orange: what this "
        f"level can add at most. {100 - right} are empty."
    )


ODDS_KEY_COIN = "a coin"
ODDS_KEY_ADDED = "added at most"

CHOOSE_TITLE = "Choose how much to give away"

# ---- controls --------------------------------------------------------------------------------------------------

CLUSTERS = "Clusters"
CLUSTERS_HELP = "How many centers to look for: the places that the records gather around."
METHOD = "Method"
METHOD_HELP = "Automatic picks the method expected to be best from public facts alone."
METHOD_AUTO = "Automatic"
METHOD_THIS_TIME = "Automatic, here: {title}"
DAYS = "Trips of one"
DAYS_NAMES = {1: "day", 7: "week", 31: "month"}
DAYS_TITLES = {1: "one day", 7: "one week", 31: "one month"}
DAYS_HELP = (
    "How many trips to look at. Fewer trips make privacy dearer, and you can watch it on the map. The city’s file "
    "holds one month without dates, so one day is every 31st trip of it."
)
TRIPS_COUNTED = "{number} trips"
CITY_TITLE = "New York taxi drop-offs, {part}"
HOURS = "Time of day"
HOURS_ALL = "All day"
HOURS_ALL_TITLE = "all day"
HOURS_NOTE = (
    "Each trip ends in exactly one hour. So maps of different hours share no trip, and publishing one for every hour "
    "gives away no more about a trip than publishing a single one."
)
WATCHED = "Watched area"
WATCHED_TYPED = "the watched area"
WATCHED_HELP = "A place you want to keep an eye on: how many published points lie outside of it?"
WATCHED_TYPE = "Type its west, south, east and north."
DETAILS = "Details"
DATA = "Data"
DATA_CHOICES = {
    "city": "Taxi drop-offs, New York",
    "trips": "Taxi trips from–to, New York",
    "own": "My own: {name}",
}
RELATIONS = {
    "add-remove": "data sets that differ by one added or removed unit; the number of records stays secret",
    "replace": "data sets of the same size that differ in one unit; the number of records is public",
}
UNVETTED = "The proof of this method has not been checked by a second reader yet."
DETAILS_BOUND = (
    "The odds on screen are e^ε / (1 + e^ε), with δ added, rounded up: a bound for any guesser, whatever else is known."
)
DETAILS_GROUPS = "Someone with several {record}s in the data is protected less: a guess is right at most {rows}."
DETAILS_GROUP = "{right} times in 100 with {number} {record}s"
DETAILS_PERSON = "All records kept of one person, at most {cap}, are protected together."
OWN_DATA = "Use your own data"

# ---- map -------------------------------------------------------------------------------------------------------

MAP_COMING = "Drawing the map …"
LEGEND_HELP = "Help"
LAYER_CORESET = "Coreset points"
LAYER_PROTECTED = "Private centers"
LAYER_EXACT = "Non-private centers"
LAYER_PAIRS = "Shift"
LAYER_DENSITY = "Exact density"
LAYER_SPREAD = "Uncertainty"
LAYER_REGIONS = "Stricter places"
LAYER_REGIONS_HELP = "Outlines of the places that have a stricter level. They are public."
LAYER_CORESET_HELP = "The small weighted set of points that would be published. A bigger dot stands for more records."
LAYER_ARCS_NOTE = "Each arc runs from the pick-up to the drop-off end of a group of trips; dots are drop-offs."
LAYER_PROTECTED_HELP = "Centers found from the protected points alone."
LAYER_EXACT_STRICT = "Centers of the stand-in"
LAYER_EXACT_HELP = "Where the centers would lie without any protection. Exact: never published."
LAYER_PAIRS_HELP = "A line from each private center to its non-private partner: how far protection moved it."
LAYER_DENSITY_STRICT = "Density of the stand-in"
LAYER_DENSITY_HELP = "A picture of the unprotected records. Exact: never published."
LAYER_SPREAD_HELP = "How far the added noise alone may have moved a private center (19 times of 20)."
RESET_VIEW = "Reset view"
ZOOM_TO = "Zoom to"
ZOOM_CHOOSE = "Show a center …"
PICKED_APART = "{distance} from its non-private partner"
WATERMARK = "Preview · not for publication"


def center_name(number: int, place: str | None) -> str:
    """How a center is called in lists."""
    return f"Center {number}" + (f", near {place}" if place else "")


def tip_center(number: int, place: str | None, share: float | None, what: str) -> str:
    """One line on a center."""
    served = f" · serves about {percent(share)} of the records" if share is not None else ""
    return f"{what} {number}" + (f" · near {place}" if place else "") + served


def picked(number: int, place: str | None, share: float | None, metres: float | None) -> str:
    """The picked center in one line."""
    parts = [center_name(number, place)]
    if share is not None:
        parts.append(f"serves about {percent(share)} of the records")
    if metres is not None:
        parts.append(PICKED_APART.format(distance=distance(metres)))
    return " · ".join(parts)


def tip_point(weight: float, place: str | None, unit: str) -> str:
    """One line on a coreset point."""
    where = f" · {place}" if place else ""
    return f"Stands for about {count(weight)} {unit}s{where}"


def tip_pair(number: int, metres: float) -> str:
    """One line on a pair."""
    return f"Pair {number}: {distance(metres)} apart"


def tip_spread(number: int, metres: float) -> str:
    """One line on the uncertainty of a center."""
    return f"Center {number}: noise alone may have moved it by up to {distance(metres)} (19 times of 20)"


def map_alt(points: int, protected: int, exact: int, place: str) -> str:
    """The map for a screen reader."""
    shown = [f"{count(points)} coreset points"] if points else []
    if protected:
        shown.append(f"{protected} private centers as blue diamonds")
    if exact:
        shown.append(f"{exact} non-private centers as orange squares")
    listed = ", ".join(shown) if shown else "no layer switched on"
    return f"Map of {place} with {listed}. The same content follows under “Read the map as a table”."


# ---- figures ---------------------------------------------------------------------------------------------------

FIGURE_SIZE = "Points in the coreset"
FIGURE_ERROR = "Added clustering error"
FIGURE_SHIFT = "Average shift of centers"
FIGURE_OUTSIDE = "Points outside {area}"
FIGURE_ERROR_SHORT = "error"
LEVELS_COMPARED = "How the levels compare"
BAND = "{low} to {high} in 9 of 10 draws"
BAND_NARROW = "{low} in 9 of 10 draws"
BAND_WAIT = "drawing again: {done} of {wanted}"
FEWER = "{difference} fewer than at “{level}”"
MORE = "{difference} more than at “{level}”"
SAME = "as many as at “{level}”"
FIRST = "this is the first level"
CURVE_ERROR = "Error by level"
CURVE_SIZE = "Coreset points by level"
CURVE_ERROR_NOTE = "Line: middle of the draws. Band: 9 of 10 draws. The ring marks the chosen level."
CURVE_SIZE_NOTE = "How many points would be published. The ring marks the chosen level."
SCALE_MONTH = (
    "With so many trips even the most private level costs almost nothing. With few trips you can watch the price rise."
)
SCALE_TO_DAY = "Look at one night only"
SCALE_DAY = "These are few trips. With more trips, the same protection costs less."
SCALE_TO_MONTH = "Look at a whole month"
TABLE = "Read the map as a table"
TABLE_CENTERS = "Centers, matched in pairs"
TABLE_PICK = "Click a center or a point on the map, or choose a center in the list on the map: an arrow marks its row."
TABLE_PICKED = "→ {text}"
ELSEWHERE = "elsewhere"
TABLE_PLACES = "Coreset points by neighbourhood"
TABLE_NUMBERS = "Read as a table"
TABLE_LEVELS = "All levels as a table"

ACCEPT = "I can accept"
ACCEPT_MEASURE = "Measured in"
ACCEPT_ERROR = "% error"
ACCEPT_SHIFT = "metres of shift"
ACCEPT_FOUND = "**{level}** is the most private level that stays within {limit} in at least 90 of 100 draws."
ACCEPT_NONE = "No level stays within {limit} in at least 90 of 100 draws. Accept more, or use fewer clusters."
ACCEPT_WAIT = "Trying “{level}”: {done} of up to {wanted} draws …"
ACCEPT_HERE = "This is the level you are looking at."
ACCEPT_GO = "Go to {level}"

CHANCE = "What could be published"
CHANCE_NOTE = (
    "Protection adds chance, so one draw can mislead. Here are {wanted} more draws at this level, each as likely as "
    "the one above. What is published in the end is a new draw."
)
CHANCE_ALT = "Draw {number}: {points} coreset points and {k} centers, error {error}."

# ---- no answer -------------------------------------------------------------------------------------------------

NO_ANSWER = "No map at “{level}” with this method"
NO_ANSWER_WHY = "The reason: {reason}."
NO_ANSWER_HELP = "It needs more records, fewer clusters, a level with more detail, or another method."
MOSTLY_CHANCE = (
    "At this level the map is mostly chance: the centers fit the records less than half as well as they could."
)
MOSTLY_CHANCE_ALL = (
    "These records are too few for this number of clusters: at **every** level the map is mostly chance. Use more "
    "records or fewer clusters."
)
NO_CURVE = "no answer at any level"
NO_ANSWER_AUTO = "Use the automatic method"
REASONS = {
    "too few records for this budget": "there are too few records for so much privacy",
    "the budget is too small for this method": "this much privacy leaves the method too little to work with",
    "the private selection found nothing that it may publish": "the method found nothing that it may publish",
    "the method failed inside": "the method failed, which is a fault of this program",
}
TOO_SMALL = (
    "This data set is too small for **every** level with this method and this number of clusters. It needs more "
    "records, fewer clusters, or another method."
)

# ---- publishing ------------------------------------------------------------------------------------------------

PUBLISH = "Publish this level …"
PUBLISH_TITLE = "Publish “{level}”"
PUBLISH_LEAVES = "What leaves the house"
PUBLISH_LEAVES_LIST = (
    "- a coreset: a small set of weighted points made with protection\n"
    "- {k} private centers\n"
    "- the method, the level and the public box\n"
    "- a privacy label in plain words"
)
PUBLISH_FRESH = "A new draw is made for this. It will look similar to the preview, not the same."
PUBLISH_RISK = "What it risks"
PUBLISH_COST = "What it costs"
PUBLISH_DEMO_BUDGET = "Nothing: this city has a demonstration budget so large that it does not run out."
PUBLISH_BUDGET = (
    "Of 100 parts of the budget of “{dataset}”, {before} were spent before, this release takes {request}, and {after} "
    "are left."
)
BUDGET_SPENT, BUDGET_THIS, BUDGET_LEFT = "spent before", "this release", "left"
PUBLISH_WORKING = "Drawing and storing …"
PUBLISH_CONFIRM = "Type the level’s name to confirm: {level}"
PUBLISH_GO = "Publish"
PUBLISH_WRONG = "Type {level} to go on."
PUBLISH_DONE = "Published."
PUBLISH_AGAIN = "This was published before: the stored release is shown, and nothing more is spent."
PUBLISH_REFUSED = (
    "The budget does not allow this. Of 100 parts, {requested} are asked for, {remaining} are left, {difference} are "
    "missing. Choose a level with more privacy; what was published before stays free."
)
PUBLISH_NO_EXTRA = (
    "The budget does not allow this method: its promise may fail in very rare cases, and the budget has too little "
    "left for that. Choose another method."
)
PUBLISH_NO_ANSWER = "The method gave no answer ({reason}). The budget was spent, as the rules demand."
PUBLISH_CHOICE = (
    "The promise covers the draw. It does not cover that you chose level, clusters and method after looking at the "
    "original data."
)
DOWNLOAD = "Download the release"
LABEL = "Privacy label"
PUBLISHED_HERE = "Published in this session: {dataset}, level {level}."

# ---- own data --------------------------------------------------------------------------------------------------

OWN_TITLE = "Use your own data"
OWN_INTRO = "Your file stays on this computer. Records outside the box you choose are ignored."
OWN_FILE = "A file with one record per row"
OWN_UPLOAD_TYPES = "CSV, Parquet, GeoJSON or GPX"
OWN_PATH = "… or the path of a file or folder on this computer"
OWN_COLUMNS = "Columns"
OWN_LON, OWN_LAT = "East–west (longitude)", "North–south (latitude)"
OWN_COLUMNS_GUESSED = "Found in the file’s heading. Change them if they are wrong."
OWN_COLUMNS_ASK = "Which columns hold the place? More than one could."
OWN_BOX = "Public box"
OWN_BOX_NOTE = (
    "The box is public. Pick a city or type four numbers that you would tell anybody; never read them off your data."
)
OWN_BOX_TYPED_SHORT = "west, south, east, north"
OWN_BOX_TYPED = "Typed: west, south, east, north"
OWN_CITY = "City"
OWN_UNIT = "Who is protected"
OWN_UNIT_RECORD = "One record (one trip)"
OWN_UNIT_PERSON = "One person"
OWN_PERSON = "Column that tells persons apart"
OWN_CAP = "Records kept per person, at most"
OWN_NAME = "Name of this data set"
OWN_TOTAL = "Budget: enough for … releases"
OWN_TOTAL_LEVEL = "at level"
OWN_TOTAL_HELP = "All releases of this data set together stay within this budget. It cannot be raised later."
OWN_STRICT = "Strict preview: spend a part of the budget on a stand-in, and look only at that"
OWN_STRICT_SHARE = "Part of the budget for the stand-in (of 100)"
OWN_GO = "Open these data"
OWN_READING = "Reading the file …"
OWN_KNOWN = "This data set was opened before. It keeps the budget that it got then."
OWN_KNOWN_PLAIN = (
    "A data set of this name was opened before without a stand-in, so somebody may have looked at it. Give another "
    "name for a strict preview."
)
OWN_OTHER = (
    "A data set of this name exists, with other records, another box or another unit. Give these records another name."
)
OWN_NO_ADDRESS = "This page opens files on this computer only. Save the file first, then choose it here."
OWN_NO_STANDIN = (
    "The part of the budget for the stand-in was too small for these data. It is spent; register them under another "
    "name with a larger part."
)
OWN_OPENED = "Open: {name}"
OWN_FIRST_FILE = "Choose a file or type a path first."
OWN_UNREADABLE = "This file cannot be read as places on a map. Check that it is CSV, Parquet, GeoJSON or GPX."

# ---- trips -----------------------------------------------------------------------------------------------------


def tip_arc(number: int, metres: float) -> str:
    """One line on a group of trips."""
    return f"Trips {number}: {distance(metres)} from pick-up to drop-off"


# ---- demo ------------------------------------------------------------------------------------------------------

BACK, NEXT, RESTART = "Back", "Next", "Start again"
NOTES = "Notes for the presenter"


def curve_alt(title: str, names: Sequence[str], values: Sequence[float | None], show: Callable[[float], str]) -> str:
    """A curve in words."""
    told = [
        f"{name}: {'no answer' if value is None else show(value)}" for name, value in zip(names, values, strict=True)
    ]
    return f"{title}. " + "; ".join(told) + "."


# ---- numbers ---------------------------------------------------------------------------------------------------


def sentence(message: str) -> str:
    """An error's message as it stands on a page: from a capital letter to a full stop."""
    text = message.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", ")")) else ".")


def count(number: float) -> str:
    """A whole number a reader can take in: 1,234; 12,300; 1.2 million."""
    size = abs(number)
    if size >= 1e6:
        return f"{number / 1e6:.1f} million"
    if size >= 10_000:
        return f"{round(number, -2):,.0f}"
    return f"{number:,.0f}"


def percent(share: float | None) -> str:
    """A share as a percentage with two telling digits."""
    if share is None or math.isnan(share):
        return "–"
    value = 100 * share
    if value > 1000:
        return "more than 1,000 %"
    size = abs(value)
    if size >= 9.95:
        return f"{value:,.0f} %"
    if size >= 0.95:
        return f"{value:.1f} %"
    if size >= 0.0095:
        return f"{value:.2f} %"
    if size >= 0.00095:
        return f"{value:.3f} %"
    return "under 0.001 %"


def distance(metres: float) -> str:
    """Metres up to a kilometre, kilometres beyond."""
    if math.isnan(metres):
        return "–"
    if metres >= 9_950:
        return f"{metres / 1000:,.0f} km"
    if metres >= 995:
        return f"{metres / 1000:.1f} km"
    if metres >= 9.5:
        return f"{metres:.0f} m"
    return f"{metres:.1f} m"


def hour(number: int) -> str:
    """An hour of the day."""
    return f"{number:02d}:00–{(number + 1) % 24:02d}:00"
