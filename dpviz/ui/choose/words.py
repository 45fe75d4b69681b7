"""Every sentence of the page *Choose*, of its dialogs and popovers, in one place (see words.py)."""

from __future__ import annotations

from dpviz.language import speaking

# ---- the slider ------------------------------------------------------------------------------------------------

CHOOSE_TITLE = "Choose how much to give away"


BUDGET_FITS = "Privacy budget: {left} of 100 parts are left. This level takes {cost}, and {after} remain."
BUDGET_LACKS = "Privacy budget: {left} of 100 parts are left, and this level takes {cost}. Choose a stricter one."

# ---- controls --------------------------------------------------------------------------------------------------

CLUSTERS = "Clusters"
CLUSTERS_HELP = "How many centers to look for, up to 256: the places that the records gather around."
METHOD = "Method"
METHOD_HELP = (
    "Automatic picks the method that should be best. It looks at public facts, such as the number of centers, "
    "never at the records."
)
DAYS = "Trips of one"
DAYS_NAMES = {1: "day", 7: "week", 31: "month"}
DAYS_HELP = (
    "How many trips to look at. With fewer trips the same protection makes the map worse, as you can see. The "
    "city’s file holds one month without dates, so in place of one day every 31st trip of it is taken."
)
HOURS = "Time of day"
HOURS_ALL = "All day"
HOURS_NOTE = (
    "Each trip ends in one hour only. So a map for every hour gives away no more about a single trip than one map "
    "does. About a person who travels in several hours it gives away more: that adds up."
)
WATCHED = "Watched area"
WATCHED_NONE = "none"
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
OWN_DATA = "Use your own data"

# ---- figures ---------------------------------------------------------------------------------------------------

FIGURE_SIZE = "Points on the protected map"
FIGURE_ERROR = "How much worse the centers fit"
FIGURE_ERROR_SHORT = "error"
MORE = "{difference} more than at “{level}”"
SAME = "as many as at “{level}”"
CURVE_ERROR = "Error by level"
CURVE_SIZE = "Protected points by level"
TABLE_CENTERS = "Centers, matched in pairs"
TABLE_PICK = "Click a center or a point on the map, or choose a center in the list on the map: an arrow marks its row."
TABLE_PLACES = "Protected points by neighbourhood"
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
ACCEPT_GO = "Go to {level}"

FORECAST_MUCH = "That is much worse: fewer clusters or a less strict level would fit better."
FORECAST_NONE = "**Before you publish:** tried out on the made-up data, this gives no map, or hardly ever one."

# ---- no answer -------------------------------------------------------------------------------------------------

NO_ANSWER_WHY = "The reason: {reason}."
NO_ANSWER_HELP = "It needs more records, fewer clusters, a less strict level, or another method."
MOSTLY_CHANCE = (
    "At this level the map is mostly random and of little use: squared distances to the nearest center add up to more "
    "than twice as much as without protection."
)
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
PUBLISH_FRESH_PURPOSE = "The preview was made for both, so what is published will differ more from it."
PUBLISH_ABOUT = {  # public words of the release, and the reason, which stays in the ledger
    "title": "Title (may be left out)",
    "licence": "Licence",
    "contact": "Contact",
    "reason": "Reason (for the ledger, not published)",
}
PUBLISH_ASK_OLD = "What was published can be asked at no cost"
PURPOSE = "What is it for?"
PURPOSES = {
    "centers": (
        "The centers",
        "The centers are as exact as they can be. Counts of areas have an error about a third "
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
TRACE_INTRODUCTION = (
    "A log of where one person was can be handed on as a protected map of places. Of every hour or day one fix is "
    "kept and then protected; of a hidden place nothing is kept but that it may be one. Times and the way between "
    "places are left out. Where you often are and hide nothing, a stranger sees it: the table says how well."
)
TRACE_PREVIEW = "One possible protected map, for your eyes only. The file is made anew."
TRACE_HIDE = "Places that have to stay hidden, one a line"
TRACE_HIDE_HELP = (
    "A name, or a circle as longitude, latitude, metres. The circle is published: name a quarter, or move its middle, "
    "so that it does not point at a door."
)
TRACE_WINDOWS = {
    "hour": "All of an hour, by one fix of it",
    "day": "All of a day, by one fix of it",
    "fix": "One fix, which hides no place where you often are",
}
TRACE_MANY = {"hour": "Hours there", "day": "Days there", "fix": "Fixes there"}
TRACE_STRANGER = (
    "The stranger knows everything else, and guesses whether you were there at all for so long. Tossing a coin is "
    "right 50 times in 100."
)
PARTS_EXPECTED = "What to expect of each map (for your eyes only)"
PARTS_WEAK = (
    "Of {weak} of {many} maps the error is as large as the number of records, so they say little. They are published "
    "all the same, and marked: leaving them out would tell something."
)
PARTS_STRONG = "On all {many} maps the number of records is larger than its error."
PARTS_TABLE = "Every map"
PARTS_COLUMNS = ("Map", "Records", "Error", "Centers fit worse by", "Note")
PARTS_LITTLE = "says little"
PUBLISH_MAY_FAIL = "In the preview this level gave no map. Publishing it may well give none either."
PUBLISH_MAY_FAIL_COSTS = "It counts as given away all the same."
PUBLISH_COST = "What it gives away"
PUBLISH_DEMO_BUDGET = "Nothing secret: the records of this city are public. Publish as often as you like, for practice."
PUBLISH_BUDGET = (
    "Of the privacy budget of “{dataset}” (100 parts), {before} were used up before, this release takes {request}, and "
    "{after} are left."
)
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
PUBLISH_UNVETTED = "Publish with a method of {package}, although nobody has checked for dpviz whether it protects."
PUBLISH_CHOICE = (
    "The promise is about what is published. It is not about your choice of level, clusters and method, or to publish "
    "at all, if you made it after looking at the original data."
)

speaking.answers(__name__)
