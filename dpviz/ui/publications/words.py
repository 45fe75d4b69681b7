"""What the page *Publications* says. Plain words; budgets as parts of 100."""

from __future__ import annotations

from dpviz.language import speaking

MODE = (
    "Your ledger",
    "For you and those who publish with you: it names people and reasons. Nothing of it is published but the releases.",
)
COLUMNS = ("Release", "Published", "Level", "Version", "By", "Reason", "State")
STATES = {
    "charged": "charged, not finished",
    "lost": "its folder is missing",
    "ended": "charged, and ended without a map",
}
PICTURE_STYLES = {"light": "Light", "dark": "Dark", "projector": "For a projector", "print": "For paper"}
PICTURE_KINDS = {"png": "PNG picture", "svg": "SVG drawing", "pdf": "PDF page", "html": "Page to embed (HTML)"}
PICTURE_DRAW = "Draw it"
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
NEXT_GO = "Publish {period}"
CHANGES_COLUMNS = ("Near", "Before", "After", "Change (likely between)")
DIALOGS = {
    "withdraw": "Withdraw “{name}”",
    "supersede": "Another release takes the place of “{name}”",
    "correct": "Other words about “{name}”",
    "picture": "A picture of “{name}”",
}

speaking.answers(__name__)
