"""What the page *Publications* says. Plain words; budgets as parts of 100."""

from __future__ import annotations

from dpviz.language import speaking

MODE = (
    "Your ledger",
    "For you and those who publish with you: it names people and reasons. Nothing of it is published but the releases.",
)

# ---- the budget ------------------------------------------------------------------------------------------------

METER_SPENT = "{spent} of 100 parts spent"

# ---- the releases ----------------------------------------------------------------------------------------------

COLUMNS = ("Release", "Published", "Level", "Version", "By", "Reason", "State")
STATES = {
    "charged": "charged, not finished",
    "lost": "its folder is missing",
    "ended": "charged, and ended without a map",
}
NOBODY, NO_REASON = "–", "–"
PICTURE_STYLES = {"light": "Light", "dark": "Dark", "projector": "For a projector", "print": "For paper"}
PICTURE_KINDS = {"png": "PNG picture", "svg": "SVG drawing", "pdf": "PDF page", "html": "Page to embed (HTML)"}
PICTURE_DRAW = "Draw it"
MORE = "What to do with it"

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

SERIES_FIRST = "Nothing is published yet; the first period has the largest part of the budget."
SERIES_FULL = "All periods of {window} are published; the next one has a budget of its own."
NEXT_GO = "Publish {period}"
CHANGES_COLUMNS = ("Near", "Before", "After", "Change (likely between)")
DIALOGS = {
    "withdraw": "Withdraw “{name}”",
    "supersede": "Another release takes the place of “{name}”",
    "correct": "Other words about “{name}”",
    "picture": "A picture of “{name}”",
}

speaking.answers(__name__)
