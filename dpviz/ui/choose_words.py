"""Every sentence of the page *Choose*, of its dialogs and popovers, in one place (see words.py)."""

from __future__ import annotations

# ---- the slider ------------------------------------------------------------------------------------------------

LEVEL_QUESTION = "How much privacy?"
LEVEL_HELP = "Left: a sharper map that gives more away. Right: a coarser map that protects each {unit} better."
CHOOSE_TITLE = "Choose how much to give away"

ADDRESS_PARTS = {
    "level": "level",
    "k": "number of clusters",
    "method": "method",
    "data": "data set",
    "days": "number of days",
    "hour": "time of day",
    "watched": "watched area",
    "error": "limit of error",
    "shift": "limit of shift",
}
ADDRESS_UNKNOWN = (
    "The address of this page asks for something that is not offered here ({parts}). You see the usual choice."
)

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
    "The odds on screen are (e^ε + δ) / (1 + e^ε), rounded up: a bound for anyone who would otherwise toss a coin, "
    "however long they compute."
)
DETAILS_GROUPS = "Someone with several {record}s in the data is protected less: a guess is right at most {rows}."
DETAILS_GROUP = "{right} times in 100 with {number} {record}s"
DETAILS_PERSON = "All records kept of one person, at most {cap}, are protected together."
OWN_DATA = "Use your own data"

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
CURVE_GAP = " A cross means no answer."
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

FORECAST = (
    "**Before you publish:** on the stand-in the error is about {expected} ({low} to {high} in 9 of 10 draws). "
    "Expect something like it, but your records may give more or less. Trying it out costs nothing more."
)
FORECAST_NONE = "**Before you publish:** tried out on the stand-in, this gives no answer, or hardly ever one."

CHANCE = "What could be published"
CHANCE_NOTE = (
    "Protection adds chance, so one draw can mislead. Here are {wanted} more draws at this level, each as likely as "
    "the one above. What is published in the end is a new draw."
)
CHANCE_NOTE_STRICT = (
    "Protection adds chance, so one draw can mislead. Here are {wanted} more draws at this level, tried out on the "
    "stand-in. What is published in the end is a new draw from your records."
)
# ---- no answer -------------------------------------------------------------------------------------------------

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
TOO_SMALL = (
    "This data set is too small for **every** level with this method and this number of clusters. It needs more "
    "records, fewer clusters, or another method."
)

# ---- publishing ------------------------------------------------------------------------------------------------

PUBLISH_TITLE = "Publish “{level}”"
PUBLISH_LEAVES = "What leaves the house"
PUBLISH_LEAVES_LIST = (
    "- a coreset: a small set of weighted points made with protection\n"
    "- {k} private centers\n"
    "- the method, the level and the public box\n"
    "- the name of the data set and, where you gave one, of the column that tells persons apart\n"
    "- a privacy label in plain words"
)
PUBLISH_FRESH = "A new draw is made for this. It will look similar to the preview, not the same."
PUBLISH_FRESH_STRICT = (
    "A new draw is made from your records for this. The preview shows the stand-in only, so the two may differ."
)
PUBLISH_RISK = "What it risks"
PUBLISH_MAY_FAIL = "In the preview this level gave no map. Publishing it may well give none either."
PUBLISH_MAY_FAIL_COSTS = "The budget is spent all the same."
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
PUBLISH_NO_ANSWER = "The method gave no answer ({reason})."
PUBLISH_NO_ANSWER_COST = "The budget was spent, as the rules demand."
PUBLISH_CHOICE = (
    "The promise covers the draw. It does not cover that you chose level, clusters and method, or to publish at all, "
    "after looking at the original data."
)
# ---- own data --------------------------------------------------------------------------------------------------

OWN_TITLE = "Use your own data"
OWN_INTRO = "Your file stays on this computer. Records outside the box you choose are ignored."
OWN_FILE = "A file with one record per row"
OWN_UPLOAD_TYPES = "CSV, Parquet, GeoJSON or GPX"
OWN_PATH = "… or the path of a file or folder on this computer"
OWN_LON, OWN_LAT = "East–west (longitude)", "North–south (latitude)"
OWN_COLUMNS_GUESSED = "Found in the file’s heading. Change them if they are wrong."
OWN_COLUMNS_ASK = "Which columns hold the place? More than one could."
OWN_BOX = "Public box"
OWN_BOX_NOTE = (
    "The box is public. Pick a city or type four numbers that you would tell anybody; never read them off your data."
)
OWN_BOX_TYPED = "Typed: west, south, east, north"
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
    "The part of the budget for the stand-in was too small for these data. It is spent. You may open them under "
    "another name with a larger part; what both names spend adds up."
)
OWN_FIRST_FILE = "Choose a file or type a path first."
OWN_UNREADABLE = "This file cannot be read as places on a map. Check that it is CSV, Parquet, GeoJSON or GPX."
