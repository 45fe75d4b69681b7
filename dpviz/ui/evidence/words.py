"""What the page *Evidence* says beside the records themselves; names of records and columns lie in `names.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from dpviz.language import speaking

_names: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
COLUMNS, TITLES, RIVALS = _names["COLUMNS"], _names["TITLES"], _names["RIVALS"]
DATA, KINDS, VERDICTS = _names["DATA"], _names["KINDS"], _names["VERDICTS"]

TABS = ("In short", "Promise and limits")
WHO_QUESTION = "Who says so?"
SAFE_COLUMNS = ("Protected", "Level", "Players were right, of 100", "Best that can be reached", "Promised: at most")
PROTECTED = ("one trip", "her whole week")
LOST_COLUMNS = ("Data", "Level", "Size of the areas", "Best other method", "Its error, in records", "Our error")
BEATEN_COLUMNS = ("Data", "Our constants", "Centers", "Level", "Best other method", "Its error", "Our error", "Verdict")
WHO = (
    "**Read it yourself, or trust who did.** For {read} of {proofs} methods a second reader went through the "
    "mathematical proof that it protects, line by line with the program as it is now. To try out our checks, "
    "{bugs} faults were put into it on purpose, one at a time: the checks found **{found}**."
)
WHO_PICTURE = "One dot for each fault put in on purpose; it is filled where the checks found it."
WHO_ALT = "{found} of {bugs} faults put in on purpose were found."
WHO_COLUMNS = ("Method", "Last reading of its proof: by whom, and when", "Read as it is now")
WHO_CAPTION = "Who read which proof"
PAGES = {"PROMISE.md": "The promise", "LIMITS.md": "The limits"}
MADE = {
    "seed": "Seed",
    "commit": "Commit",
    "date": "Date",
    "data": "Data",
    "machine": "Machine",
    "script": "Script",
    "command": "Command",
}
YES, NOT_YET = "yes", "not yet"

speaking.answers(__name__)
