"""What the page *Evidence* says beside the records themselves; names of records and columns lie in `names.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from dpviz.language import speaking

_names: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
COLUMNS, TITLES, RIVALS = _names["COLUMNS"], _names["TITLES"], _names["RIVALS"]
DATA, KINDS, VERDICTS = _names["DATA"], _names["KINDS"], _names["VERDICTS"]

TABS = ("In short", "Promise and limits")
SAFE_COLUMNS = ("Protected", "Level", "Players were right, of 100", "Best that can be reached", "Promised: at most")
PROTECTED = ("one trip", "her whole week")
LOST_COLUMNS = ("Data", "Level", "Size of the areas", "Best other method", "Its error, in records", "Our error")
BEATEN_COLUMNS = ("Data", "Our constants", "Centers", "Level", "Best other method", "Its error", "Our error", "Verdict")
WHO_COLUMNS = ("Method", "Last reading of its proof: by whom, and when", "Read as it is now")
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
YES = "yes"

speaking.answers(__name__)
