"""What the page *Publications* says. Plain words; budgets as parts of 100."""

from __future__ import annotations

from dpviz.language import speaking

TITLE = "What was published, and what is left"
MODE = (
    "Your ledger",
    "For you and those who publish with you: it names people and reasons. Nothing of it is published but the releases.",
)
EMPTY = "Nothing has been registered yet"
EXAMPLES = "Public examples"
EXAMPLES_NOTE = "Releases of the built-in cities. Their records are public, so their budget never runs out."

# ---- the budget ------------------------------------------------------------------------------------------------

METER_SPENT, METER_LEFT = "{spent} of 100 parts spent", "{left} left, of a budget of {total} in all"

# ---- the releases ----------------------------------------------------------------------------------------------

NO_RELEASES = "Nothing of it has been published."
COLUMNS = ("Release", "Published", "Level", "Version", "By", "Reason", "State")
STATES = {
    "charged": "charged, not finished",
    "lost": "its folder is missing",
    "ended": "charged, and ended without a map",
}
UNTITLED = "{clusters}, {method}"
NOBODY, NO_REASON = "–", "–"
CHOOSE = "A release of {dataset}"
COMPARE = "Show in Compare"
PICTURE_STYLES = {"light": "Light", "dark": "Dark", "projector": "For a projector", "print": "For paper"}
PICTURE_KINDS = {"png": "PNG picture", "svg": "SVG drawing", "pdf": "PDF page", "html": "Page to embed (HTML)"}
PICTURE_DRAW = "Draw it"
WITHDRAW, SUPERSEDE, CORRECT = "Withdraw …", "Supersede …", "Correct its words …"
MORE = "What to do with it"
UNFINISHED = (
    "It was charged, and something stopped the program before it was stored. Publish the same once more: that "
    "completes it and costs nothing."
)

# ---- the steps of its life -------------------------------------------------------------------------------------

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
PUBLISH_NEXT, PUBLISH_FIRST = "Publish {period} …", "Publish the first period …"
NEXT_TITLE, FIRST_TITLE = "Publish {period} of “{name}”", "Publish the first period of “{name}”"
NEXT_PERIOD, NEXT_PERIOD_HELP = "Period", "Such as 2026-03, 2026-W11 or 2026-03-14."
NEXT_FILE, NEXT_FILE_HELP = "File or folder on this computer", "CSV or Parquet, with one record per row."
NEXT_TIME, NEXT_TIME_HELP = "Column of dates", "Dates such as 2026-03-14; each record belongs to the period of its own."
NEXT_MISSING = "Say which file holds the records, and which column their dates."
NEXT_GO = "Publish {period}"
NEXT_DONE = "{period} of “{name}” is published."
NEXT_NO_ANSWER = "{period} of “{name}” was charged, and its budget was too small for an answer."
CHANGES_FROM, CHANGES_TO = "From", "to"
CHANGES_TOLD = (
    "From {before} to {after}, {clear} of {total} changed by more than chance. About {chance} would seem to have "
    "changed by chance alone."
)
CHANGES_MORE, CHANGES_FEWER, CHANGES_CHANCE = "clearly more", "clearly fewer", "may be chance"
CHANGES_COLUMNS = ("Near", "Before", "After", "Change (likely between)")
CHANGES_RANGE = "{change} ({low} to {high})"
CHANGES_NOWHERE = "{lat}, {lon}"
DIALOGS = {
    "withdraw": "Withdraw “{name}”",
    "supersede": "Another release takes the place of “{name}”",
    "correct": "Other words about “{name}”",
    "picture": "A picture of “{name}”",
}

speaking.answers(__name__)
