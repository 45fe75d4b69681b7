"""Every sentence of the page *Choose*, of its dialogs and popovers, in one place (see words.py)."""

from __future__ import annotations

from dpviz.language import speaking

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
ADDRESS_AND = "{parts} and {last}"
ADDRESS_UNKNOWN = (
    "The address of this page asks for something that is not offered here ({parts}). You see the usual choice."
)

# ---- controls --------------------------------------------------------------------------------------------------

CLUSTERS = "Clusters"
CLUSTERS_HELP = "How many centers to look for: the places that the records gather around."
METHOD = "Method"
METHOD_HELP = (
    "Automatic picks the method that should be best. It looks at public facts, such as the number of centers, "
    "never at the records."
)
METHOD_AUTO = "Automatic"
METHOD_THIS_TIME = "Automatic, here: {title}"
DAYS = "Trips of one"
DAYS_NAMES = {1: "day", 7: "week", 31: "month"}
DAYS_TITLES = {1: "one day", 7: "one week", 31: "one month"}
DAYS_HELP = (
    "How many trips to look at. With fewer trips the same protection makes the map worse, as you can see. The "
    "city’s file holds one month without dates, so in place of one day every 31st trip of it is taken."
)
TRIPS_TITLE = "New York taxi trips, from pick-up to drop-off"
CITY_TITLE = "New York taxi drop-offs, {part}"
HOURS = "Time of day"
HOURS_ALL = "All day"
HOURS_ALL_TITLE = "all day"
HOURS_NOTE = (
    "Each trip ends in one hour only. So a map for every hour gives away no more about a single trip than one map "
    "does. About a person who travels in several hours it gives away more: that adds up."
)
WATCHED = "Watched area"
WATCHED_TYPED = "the watched area"
WATCHED_HELP = "Choose a place, and see how many of the published points lie outside of it."
WATCHED_TYPE = "Type its west, south, east and north."
DETAILS = "Details"
DATA = "Data"
DATA_CHOICES = {
    "city": "Taxi drop-offs, New York",
    "trips": "Taxi trips from–to, New York",
}
DATA_OWN = "My own: {name}"
RELATIONS = {
    "add-remove": (
        "the data with one certain record (or person) in them, and the same data without; the number of records "
        "stays secret"
    ),
    "replace": (
        "the data with one certain record in them, and the same data with any other record in its place; the "
        "number of records is public"
    ),
}
DETAILS_LEVEL = "**Level**: {level} ({number} of {all})"
DETAILS_NEIGHBOURS = "**The odds are of telling apart**: {relation}"
DETAILS_UNIT = "**Unit of protection**: {unit}"
DETAILS_METHOD = "**Method**: {method}"
DETAILS_PAPER = "**Paper**: {paper}"
PROOF = "**Proof**: {page} (read: {reading})"
UNVETTED = "No second reader has checked yet the mathematical proof that this method protects."
DETAILS_BOUND = (
    "Nobody who would otherwise toss a coin is right more often than the odds on screen say, however long they "
    "compute. (In experts’ words: (e^ε + δ) / (1 + e^ε), rounded up.)"
)
DETAILS_GROUPS = "Someone with several {record}s in the data is protected less: a guess is right at most {rows}."
DETAILS_GROUP = "{right} times in 100 with {number} {record}s"
DETAILS_PERSON = (
    "Of each person’s records no more than {cap} are used, and any others are left out. All that are used are "
    "protected together."
)
OWN_DATA = "Use your own data"

# ---- figures ---------------------------------------------------------------------------------------------------

FIGURE_SIZE = "Points on the protected map"
FIGURE_ERROR = "How much worse the centers fit"
FIGURE_SHIFT = "Average shift of centers"
FIGURE_OUTSIDE = "Points outside {area}"
FIGURE_ERROR_SHORT = "error"
FIGURE_OF = "{number} of {all}"
RANGE = "{low} to {high}"
LEVELS_COMPARED = "How the levels compare"
BAND = "{low} to {high} in 9 of 10 tries"
BAND_NARROW = "{low} in 9 of 10 tries"
MORE_THAN_USUAL = "more than usual: {band}"
LESS_THAN_USUAL = "less than usual: {band}"
BAND_WAIT = "trying again: {done} of {wanted}"
FEWER = "{difference} fewer than at “{level}”"
MORE = "{difference} more than at “{level}”"
SAME = "as many as at “{level}”"
FIRST = "this is the first level"
CURVE_ERROR = "Error by level"
CURVE_SIZE = "Protected points by level"
CURVE_ERROR_NOTE = (
    "Upwards: how much worse the centers fit. That is: how much more the squared distances from the records to their "
    "nearest center add up to than without protection. Line: the middle of several tries of a level. Band: 9 of 10 "
    "tries. Ring: your level."
)
CURVE_GAP = " A cross means no answer."
CURVE_SIZE_NOTE = "How many points would be published. The ring marks the chosen level."
SCALE_MONTH = (
    "With so many trips even the strictest level makes the map hardly worse. With few trips you can see it get worse."
)
SCALE_TO_DAY = "Look at one night only"
SCALE_DAY = "These are few trips. With more, the same protection would spoil the map less."
SCALE_TO_MONTH = "Look at a whole month"
TABLE = "Read the map as a table"
TABLE_CENTERS = "Centers, matched in pairs"
TABLE_PICK = "Click a center or a point on the map, or choose a center in the list on the map: an arrow marks its row."
TABLE_PLACES = "Protected points by neighbourhood"
TABLE_LEVELS = "All levels as a table"
LEVEL_HEADS = {
    "level": "Level",
    "right": "Right guesses of 100, at most",
    "points": "Protected points",
    "error": "Error",
    "errors": "Error, 9 of 10 tries",
    "shift": "Shift",
    "shifts": "Shift, 9 of 10 tries",
}
CENTER_HEADS = {
    "center": "Center",
    "near": "Near",
    "share": "Share of records",
    "lon": "Longitude",
    "lat": "Latitude",
    "other": "{what} near",
    "apart": "Apart",
}
PLACE_HEADS = {
    "place": "Neighbourhood",
    "points": "Protected points",
    "stands": "Stands for {record}s, about",
    "share": "Share",
}

ACCEPT = "I can accept"
ACCEPT_MEASURE = "Measured in"
ACCEPT_ERROR = "% error"
ACCEPT_SHIFT = "metres of shift"
ACCEPT_FOUND = (
    "**{level}** is the strictest level that stays within {limit}, the limit you set, in at least 90 of 100 tries."
)
ACCEPT_NONE = (
    "No level stays within {limit}, the limit you set, in at least 90 of 100 tries. Set a larger limit, or ask for "
    "fewer clusters."
)
ACCEPT_WAIT = "Trying “{level}”: {done} of up to {wanted} tries …"
ACCEPT_HERE = "This is the level you are looking at."
ACCEPT_GO = "Go to {level}"

FORECAST = (
    "**Before you publish:** on the made-up data, squared distances to the nearest center add up to about {expected} "
    "more than without protection ({low} to {high} in 9 of 10 tries). With your records it may be more or less. "
    "Trying it out gives nothing more away."
)
FORECAST_MUCH = "That is much worse: fewer clusters or a less strict level would fit better."
FORECAST_NONE = "**Before you publish:** tried out on the made-up data, this gives no map, or hardly ever one."

CHANCE = "What could be published"
CHANCE_NOTE = (
    "Protection changes the numbers at random, so one map can mislead. Here are {wanted} more maps that could come "
    "out at this level, each as likely as the one above. What is published in the end is made anew."
)
CHANCE_NOTE_STRICT = (
    "Protection changes the numbers at random, so one map can mislead. Here are {wanted} more maps that could come "
    "out at this level, tried out on the made-up data. What is published in the end is made anew from your records."
)
# ---- no answer -------------------------------------------------------------------------------------------------

NO_ANSWER_WHY = "The reason: {reason}."
NO_ANSWER_HELP = "It needs more records, fewer clusters, a less strict level, or another method."
MOSTLY_CHANCE = (
    "At this level the map is mostly random and of little use: squared distances to the nearest center add up to more "
    "than twice as much as without protection."
)
MUCH_ERROR = (
    "At this level protection spoils much: squared distances to the nearest center add up to {error} more than without "
    "it. Fewer clusters or a less strict level would fit better."
)
MOSTLY_CHANCE_ALL = (
    "These records are too few for this number of clusters: at **every** level the map is mostly random. Use more "
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
    "- points made with protection, each standing for a number of records, and the counts they come from, changed "
    "at random\n"
    "- {k} centers, found with protection\n"
    "- the method, the level and the public box\n"
    "- the name of the data set and, where you gave one, of the column that tells persons apart\n"
    "- a page in plain words on what is promised"
)
PUBLISH_FRESH = "The map is made anew for this. It will look similar to the preview, not the same."
PUBLISH_FRESH_STRICT = (
    "The map is made anew from your records for this. The preview shows made-up data only, so the two may differ."
)
PUBLISH_FRESH_PURPOSE = (
    "The preview was made for the best centers only. What you choose here also serves other questions, so its "
    "centers differ more from it."
)
PURPOSE = "What is it for?"
PURPOSES = {
    "centers": (
        "The centers",
        "The centers are as exact as they can be, as in the preview. Counts of areas have an error about a third "
        "larger than with the choice “Any question” (on public test maps).",
    ),
    "balanced": (
        "Both",
        "Counts of areas have an error about a fifth larger than with “Any question”. Protection makes squared "
        "distances to the nearest center larger; here that loss is nearly twice as large as with “The centers”.",
    ),
    "any question": (
        "Any question",
        "Counts of areas, percentages and distances have the smallest errors that the level allows. Protection makes "
        "squared distances to the nearest center larger; here that loss is nearly three times as large as with “The "
        "centers”.",
    ),
}
PUBLISH_RISK = "What it risks"
PUBLISH_MAY_FAIL = "In the preview this level gave no map. Publishing it may well give none either."
PUBLISH_MAY_FAIL_COSTS = "It counts as given away all the same."
PUBLISH_COST = "What it gives away"
PUBLISH_DEMO_BUDGET = "Nothing secret: the records of this city are public. Publish as often as you like, for practice."
PUBLISH_BUDGET = (
    "Of the privacy budget of “{dataset}” (100 parts), {before} were used up before, this release takes {request}, and "
    "{after} are left."
)
BUDGET_SPENT, BUDGET_THIS, BUDGET_LEFT = "given away before", "this release", "left"
PUBLISH_WORKING = "Making and storing …"
PUBLISH_CONFIRM = "Type the level’s name to confirm: {level}"
PUBLISH_GO = "Publish"
PUBLISH_WRONG = "Type {level} to go on."
PUBLISH_DONE = "Published."
PUBLISH_AGAIN = "This was published before: the stored release is shown, and nothing more is given away."
PUBLISH_ANSWERED = (
    "{k} centers can be asked of your release of {day} at no cost. It has at least this level, so the map would be the "
    "same up to the random changes."
)
PUBLISH_ANSWERED_SHOW = "Show them"
PUBLISH_ANSWERED_PAY = "Publish another release all the same, and use up budget for it"
PUBLISH_ANSWERED_TABLE = "{k} centers of the release of {day}"
PUBLISH_REFUSED = (
    "This would give away too much. Of the privacy budget (100 parts) it takes {requested}, and {remaining} are left: "
    "{difference} are missing. Choose a stricter level; what was published before can be had again."
)
PUBLISH_NO_EXTRA = (
    "The protection of this method may fail in very rare cases. How often that may happen with these data is "
    "limited, and the limit would be passed. Choose another method."
)
PUBLISH_NO_ANSWER = "The method gave no answer ({reason})."
PUBLISH_NO_ANSWER_COST = "It counts as given away all the same: even no answer tells something about the data."
PUBLISH_CHOICE = (
    "The promise is about what is published. It is not about your choice of level, clusters and method, or to publish "
    "at all, if you made it after looking at the original data."
)
# ---- own data --------------------------------------------------------------------------------------------------

OWN_TITLE = "Use your own data"
OWN_INTRO = "Your file stays on this computer. Records outside the box you choose are ignored."
OWN_FILE = "A file with one record per row"
OWN_UPLOAD_TYPES = (
    "Kinds of file: CSV, Excel, GPX, GeoJSON, KML, Parquet, GeoPackage, Shapefile (zip), FlatGeobuf, Arrow or SQLite"
)
OWN_PATH = "… or the path of a file or folder on this computer"
OWN_LON, OWN_LAT = "East–west (longitude)", "North–south (latitude)"
OWN_COLUMNS_GUESSED = "These two columns were found by the file’s heading. If they are wrong, choose others here."
OWN_COLUMNS_ASK = "Which columns hold the place? More than one could."
OWN_NO_NAMES = (
    "The first line of this file holds no names of columns. Say how its rows are written: one row must not decide how "
    "all others are read."
)
OWN_SEPARATOR, OWN_DECIMAL = "Between the columns stands", "Decimals are written with"
OWN_SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
OWN_DECIMALS = {".": "a point", ",": "a comma"}
OWN_BOX = "Public box"
OWN_BOX_NOTE = (
    "The box is public. Pick a city or type four numbers that you would tell anybody; never read them off your data."
)
OWN_BOX_TYPED = "Typed: a town, or west, south, east, north"
OWN_BOX_SEEN = "The public box {box}, {wide} wide. Everybody will see it."
OWN_BOX_NO_PLACE = (
    "No place of the bundled map begins with “{name}”. Some cities stand there by their English names alone, such as "
    "Florence. Or type four numbers."
)
OWN_BOX_WIDE = "How wide, in kilometres"
OWN_SAMPLE = "First rows, for your eyes only"
OWN_CRS = "How the coordinates are written"
OWN_CRS_WORDS = {
    "": "the usual way, degrees (or, where the file says so, its own way)",
    "swapped": "swapped: latitude stands in the longitude column",
    "E7": "degrees times ten million",
    "0-360": "longitudes from 0 to 360",
    "EPSG": "another map projection (EPSG code)",
}
OWN_EPSG = "EPSG code of the projection"
OWN_FIX = {
    "swapped": "Swap longitude and latitude",
    "E7": "Convert from degrees times ten million",
    "0-360": "Convert longitudes from 0 to 360",
    "EPSG": "Say which projection it is",
}
OWN_AS_IT_IS = "Open it as it is"
OWN_MAP_FILE = (
    "If you have one, a map file of this city (streets, parks, names): PMTiles, MBTiles, .osm.pbf, GeoPackage or "
    "GeoJSON"
)
OWN_MAP_HELP = "The parts of it that a map needs are kept on this computer. Nothing is fetched from anywhere."
OWN_MAP_ADD = "Add this map"
OWN_MAP_ADDING = "Reading the map …"
OWN_MAP_ADDED = "The map is added: {names} names. {credit}"
OWN_UNIT = "Who is protected"
OWN_UNIT_RECORD = "One record (one trip)"
OWN_UNIT_PERSON = "One person"
OWN_PERSON = "Column that tells persons apart"
OWN_CAP = "Records kept per person, at most"
OWN_LOOKING = "Looking at the columns …"
OWN_UNIT_ASK = (
    "{column}: {values} different values, up to {most} rows each{where}. Protect a whole {noun} (safer), or single "
    "rows?"
)
OWN_UNIT_ASK_STRICT = "{column} seems to tell who made which row. Protect a whole {noun} (safer), or single rows?"
OWN_UNIT_FIRST = "Say first who is protected."
OWN_NO_PERSONS = "No column tells persons apart, so what is protected is one row."
OWN_RECORD_MEANS = (
    "One record is one row: one of up to {most} rows of a single {noun}. That one row is hidden, and the {noun} is "
    "not: whoever looks for the {noun} may find it by all its rows together."
)
OWN_RECORD_MEANS_STRICT = "One record is one row. It is hidden, and a {noun} with many rows is not."
OWN_CAP_KEEPS = "Keeps {kept} of {rows} rows. "
OWN_CAPS_KEEP = "How many rows stay, by the most rows kept of each {noun}{where}: {parts}. The others are left out."
OWN_FIRST_ROWS = " (in the first {rows} rows)"
OWN_NOT_OFFERED = "Not offered as persons: {columns}."
OWN_CAP_KEPT = (
    "{kept} of {inside} rows are kept, at most {cap} of each {noun} ({share}). Everything here is about those."
)
OWN_NAME = "Name of this data set"
OWN_TOTAL = "Privacy budget: enough for … releases"
OWN_TOTAL_LEVEL = "at level"
OWN_TOTAL_HELP = (
    "The privacy budget is the most that all releases of these data may give away together. It cannot be raised later."
)
OWN_STRICT = (
    "Strict preview: look only at made-up data that resemble yours. Making them uses up a part of the privacy budget"
)
OWN_STRICT_SHARE = "Part of the privacy budget for the made-up data (of 100 parts; 20 is usual)"
OWN_GO = "Open these data"
OWN_READING = "Reading the file …"
OWN_KNOWN = "This data set was opened before. It keeps the privacy budget that it got then."
OWN_KNOWN_PLAIN = (
    "A data set of this name was opened before without strict preview, so somebody may have seen its records. Give "
    "another name for a strict preview."
)
OWN_OTHER = {
    "reading": (
        "A data set of this name was opened with another area, or protecting something else (rows instead of persons). "
        "Open it as it was opened then."
    ),
    "records": (
        "A data set of this name was opened with other records. Choose the file that was opened then. If these are new "
        "records, give them a name of their own."
    ),
    "kept rows": (
        "A data set of this name was opened with other rows of each person. If the file has changed, or an older "
        "version of this program opened it, give a new name. Then answer that these are the same people, so that both "
        "data sets share one privacy budget."
    ),
}
OWN_ALIKE = (
    "These records, or the people in them, look like those of “{names}”. A second data set would give the same people "
    "a second privacy budget. Are they the same people?"
)
OWN_ALIKE_SAME = "Yes. Both data sets share the privacy budget of “{name}”"
OWN_ALIKE_OTHER = "No, these are other people"
OWN_ALIKE_WHY = "Why they are other people (kept in the ledger)"
OWN_ALIKE_ANSWER = "Answer the question about the people above, then open the data."
OWN_NO_ADDRESS = "This page opens files on this computer only. Save the file first, then choose it here."
OWN_NO_SHARE = (
    "This page opens files of this computer only, none of other computers in the network. Copy the file here, then "
    "choose it."
)
OWN_NO_STANDIN = (
    "The part of the privacy budget for the made-up data was too small. It is used up. You may open your data "
    "under another name with a larger part; what is given away under both names adds up."
)
OWN_AGAIN = (
    "“{name}” came through the browser, which tells no program where a file lies. To go on with it, choose “Use "
    "your own data” and give the same file again; its privacy budget and its made-up data are kept"
)
OWN_MOVED = "The file of “{name}” is not where it was ({file}). Choose “Use your own data” and say where it is now"
OWN_UNKNOWN = (
    "“{name}” does not stand in the book of what was given away (the ledger), perhaps because the book was moved. "
    "Choose “Use your own data” to open it anew; what was published before is still out, and adds up"
)
OWN_OPENING = "Opening “{name}” again …"
OWN_FIRST_FILE = "Choose a file or type a path first."
OWN_UNREADABLE = "This file cannot be read as places on a map. Check that it is CSV, Parquet, GeoJSON or GPX."

speaking.answers(__name__)
