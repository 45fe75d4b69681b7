"""What the page *Publications* says. Plain words; budgets as parts of 100."""

from __future__ import annotations

from dpviz.language import speaking

TITLE = "What was published, and what is left"
MODE = (
    "Your ledger",
    "For you and those who publish with you: it names people and reasons. Nothing of it is published but the releases.",
)
EMPTY = "Nothing has been registered yet"
EMPTY_TEXT = (
    "A data set gets its budget on the page *Choose*, when it is opened for the first time. Every release of it is "
    "charged here, and what is spent never comes back."
)
GO_CHOOSE = "Choose a level and publish it"
EXAMPLES = "Public examples"
EXAMPLES_NOTE = "Releases of the built-in cities. Their records are public, so their budget never runs out."

# ---- the budget ------------------------------------------------------------------------------------------------

METER = "Budget of “{dataset}”: of 100 parts {spent} are spent and {left} are left."
METER_SPENT, METER_LEFT = "{spent} of 100 parts spent", "{left} left, of a budget of {total} in all"
STAND_IN = "Made-up data for the strict preview are made, and the ledger counted them."
PROTECTS = "Protects {unit}"
OPENED = "Opened {day} by {who}: {why}"

# ---- the releases ----------------------------------------------------------------------------------------------

RELEASES = "Releases of {dataset}"
NO_RELEASES = "Nothing of it has been published."
COLUMNS = ("Release", "Published", "Level", "Version", "By", "Reason", "State")
STATES = {"charged": "charged, not finished", "lost": "its folder is missing"}
SUPERSEDED_BY = "superseded by {name}"
UNTITLED = "{clusters}, {method}"
NOBODY, NO_REASON = "–", "–"
OLDER = "{count} older releases"
CHOOSE = "A release of {dataset}"
COMPARE = "Show in Compare"
DOWNLOAD = "Download again"
PICTURE = "A picture of it"
PICTURE_NOTE = "Map, legend, promise, date and credit on one page, drawn from what was published."
PICTURE_TITLE = "Title"
PICTURE_STYLE = "Appearance"
PICTURE_STYLES = {"light": "Light", "dark": "Dark", "projector": "For a projector", "print": "For paper"}
PICTURE_KIND = "File"
PICTURE_KINDS = {"png": "PNG picture", "svg": "SVG drawing", "pdf": "PDF page", "html": "Page to embed (HTML)"}
PICTURE_BESIDE = "Beside it"
PICTURE_ALONE = "nothing"
PICTURE_DRAW = "Draw it"
PICTURE_SAVE = "Save the picture"
PICTURE_NONE = "There is nothing to draw: one of these holds no answer."
WITHDRAW, SUPERSEDE, CORRECT = "Withdraw …", "Supersede …", "Correct its words …"
MORE = "What to do with it"
UNFINISHED = (
    "It was charged, and something stopped the program before it was stored. Publish the same once more: that "
    "completes it and costs nothing."
)
LOST = "Its folder is not where it was put. Copy it back from a backup; the ledger knows its checksum."

# ---- the steps of its life -------------------------------------------------------------------------------------

WITHDRAW_NOTE = (
    "Readers of this release are told that it should no longer be used. What it gave away stays given away: the budget "
    "does not come back, and copies stay where they are."
)
SUPERSEDE_NOTE = "Readers of this release are told which one to use instead. The budget does not come back."
CORRECT_NOTE = (
    "The same numbers under other words, as a further version. It costs nothing, and the former version points to it."
)
HEIR = "The release to use instead"
NO_HEIR = "There is no other published release of these data. Publish the better one first."
WHO, WHY, NOTICE = "Who are you?", "Why?", "A sentence for its readers"
WHO_HELP, WHY_HELP = "Stays in the ledger, is not published.", "Stays in the ledger, is not published."
NOTICE_HELP = "Published with the new state. May be left out."
WHO_MISSING, WHY_MISSING = "Say who you are.", "Say why."
GO = {"withdraw": "Withdraw it", "supersede": "Supersede it", "correct": "Publish the new words"}
DONE = {
    "withdraw": "“{name}” is withdrawn.",
    "supersede": "“{name}” is superseded.",
    "correct": "“{name}” has new words.",
}
ABOUT = {
    "title": "Title",
    "description": "Description",
    "area": "Area",
    "licence": "Licence",
    "contact": "Contact",
    "publisher": "Publisher",
}

# ---- series ----------------------------------------------------------------------------------------------------

SERIES_KEEPS = "{centers} every {every}, all with the same box and the same promise about {people}: it protects {unit}."
SERIES_FIRST = "Nothing is published yet; the first period has the largest part of the budget."
SERIES_NEXT = "The next period, {period}, costs {parts} of 100 parts."
SERIES_FULL = "All periods of {window} are published; the next one has a budget of its own."
SERIES_METER = "Budget of “{dataset}”{window}: of 100 parts {spent} are spent and {left} are left."
SERIES_METER_LEFT = "{left} left, of a budget of {total}{window}"
SERIES_WINDOW = " in {window}"
PUBLISH_NEXT, PUBLISH_FIRST = "Publish {period} …", "Publish the first period …"
NEXT_TITLE, FIRST_TITLE = "Publish {period} of “{name}”", "Publish the first period of “{name}”"
NEXT_NOTE = (
    "Box, centers, unit, cap and budget are those of the series. Records of other periods in the file are not used. "
    "Once published it cannot be taken back, and what it costs stays spent."
)
NEXT_COST = "It costs {parts} of 100 parts of the budget; {left} will be left."
NEXT_PERIOD, NEXT_PERIOD_HELP = "Period", "Such as 2026-03, 2026-W11 or 2026-03-14."
NEXT_FILE, NEXT_FILE_HELP = "File or folder on this computer", "CSV or Parquet, with one record per row."
NEXT_TIME, NEXT_TIME_HELP = "Column of dates", "Dates such as 2026-03-14; each record belongs to the period of its own."
NEXT_MISSING = "Say which file holds the records, and which column their dates."
NEXT_WHY = "{period} of the series"
NEXT_GO = "Publish {period}"
NEXT_READING = "Reading and publishing …"
NEXT_DONE = "{period} of “{name}” is published."
NEXT_NO_ANSWER = "{period} of “{name}” was charged, and its budget was too small for an answer."
CHANGES_TITLE = "What changed"
CHANGES_FROM, CHANGES_TO = "From", "to"
CHANGES_TOLD = (
    "From {before} to {after}, {clear} of {total} changed by more than chance. About {chance} would seem to have "
    "changed by chance alone."
)
CHANGES_MORE, CHANGES_FEWER, CHANGES_CHANCE = "clearly more", "clearly fewer", "may be chance"
CHANGES_COLUMNS = ("Near", "Before", "After", "Change (likely between)")
CHANGES_RANGE = "{change} ({low} to {high})"
CHANGES_NOWHERE = "{lat}, {lon}"
CHANGES_CAPTION = "The largest clear changes"
CHANGES_NOTE = "“Likely between” holds the true change 90 times in 100."
CHANGES_FILE = "Download this map (GeoJSON)"
CHANGES_SAME = "Choose two different periods."
CHANGES_NONE = "No change here is clear of chance. That is what a small budget of a later period costs."
VERSION = "version {number}"
AUTOMATIC = "automatic method"
DIALOGS = {
    "withdraw": "Withdraw “{name}”",
    "supersede": "Another release takes the place of “{name}”",
    "correct": "Other words about “{name}”",
    "picture": "A picture of “{name}”",
}

speaking.answers(__name__)
