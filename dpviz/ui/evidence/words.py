"""What the page *Evidence* says beside the records themselves; names of records and columns lie in `names.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from dpviz.language import speaking
from dpviz.language.speaking import Plural

_names: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
COLUMNS, TITLES, RIVALS = _names["COLUMNS"], _names["TITLES"], _names["RIVALS"]
DATA, KINDS, VERDICTS = _names["DATA"], _names["KINDS"], _names["VERDICTS"]

TITLE = "What this rests on"
TABS = ("In short", "Methods", "Error and speed", "Audits", "Promise and limits")
SAFE_QUESTION, GOOD_QUESTION, WHO_QUESTION = "Is this safe?", "Is it any good?", "Who says so?"
SAFE = (
    "**Yes, as far as the chosen level goes.** At “{level}”, {players} simulated players who knew everything but "
    "one person’s week guessed right **{score} of 100** times. Nobody can do better than {reachable}, the promise "
    "is at most {promised}, and a coin has 50. Where only single trips are protected, the same week is guessed "
    "{trip} of 100 times."
)
SAFE_PICTURE = "Right guesses of 100, from the 50 of a coin to all 100."
SAFE_ALT = "Right guesses of 100 at every level of the dial. "
SAFE_ROW = (
    "{level}: players were right {score} times, the best possible is {reachable}, the promise is at most {promised}"
)
SAFE_COLUMNS = ("Protected", "Level", "Players were right, of 100", "Best that can be reached", "Promised: at most")
REACHED, REACHABLE, PROMISED = "reached by players", "best that can be reached", "promised: at most"
PROTECTED = ("one trip", "her whole week")
GOOD = (
    "**On maps, yes.** In {cells} comparisons on New York the best other method was {times} times as far off as "
    "ours, and was clearly better in {clearly}. But our method was adjusted on that city, and the others searched less "
    "there. Of {held} comparisons on data that it was never adjusted on, ours clearly won {won} and clearly lost "
    "{beaten}; {open} are too close to tell. For counts of areas others still win {lost} of {compared} comparisons. "
    "Tables behind the picture list each one that another method wins."
)
GOOD_PICTURE = (
    "How many times as far off as ours other methods are: 10 times is one step of the bar, 100 times two, 1,000 "
    "times three."
)
GOOD_ALT = "How many times as far off as ours other methods are on New York. "
BEST_OF_ALL = "The best of them, each time"
LOST_COLUMNS = ("Data", "Level", "Size of the areas", "Best other method", "Its error, in records", "Our error")
LOST_CAPTION = "Where another method counts areas better"
BEATEN_COLUMNS = (
    "Data",
    "Our constants",
    "Centers",
    "Level",
    "Best other method",
    "Its error",
    "Our error",
    "Verdict",
)
BEATEN_CAPTION = "Where another method places centers better than ours, or too close to tell"
WHO = (
    "**Read it yourself, or trust who did.** For {read} of {proofs} methods a second reader went through the "
    "mathematical proof that it protects, line by line with the program as it is now. To try out our checks, "
    "{bugs} faults were put into it on purpose, one at a time: the checks found **{found}**."
)
WHO_PICTURE = "One dot for each fault put in on purpose; it is filled where the checks found it."
WHO_ALT = "{found} of {bugs} faults put in on purpose were found."
WHO_COLUMNS = ("Method", "Last reading of its proof: by whom, and when", "Read as it is now")
WHO_CAPTION = "Who read which proof"
NO_RECORDS = "This copy holds no recorded experiments yet. A technician can record some: `python -m dpviz bench`."
NO_PAGE = "The page {name} is not part of this copy."
PROOFS = "Details: read a proof"
PROOF_READ = "{title} ({reading})"
PAGES = {"PROMISE.md": "The promise", "LIMITS.md": "The limits"}
N, K = "{n} records", Plural("1 cluster", "{count} clusters")
DETAILS = "Details"
IN_PLAIN_WORDS = {  # records whose own words need symbols
    "questions": (
        "How far counts of areas are off, for areas of four sizes: our method, set for three different purposes, "
        "beside other methods."
    ),
    "groups": (
        "How well a person with many records is protected: when all records are used, and when only a random part "
        "of them is, kept secret."
    ),
}
AUDIT_COLUMNS = (
    "Method",
    "Attacks",
    "Claimed",
    "These files could give away",
    "Given away at least",
    "Of what they could",
    "Above the claim",
)
PLANTED_COLUMNS = ("Planted in", "Faults", "Found", "For example")
MADE = {
    "seed": "Seed",
    "commit": "Commit",
    "date": "Date",
    "data": "Data",
}
MADE_DETAILS = {"machine": "Machine", "script": "Script", "command": "Command"}
SIGNED = "{name}, counts below zero kept"
GUARANTEES = {"pure": "without exception", "approximate": "except with a tiny probability"}
YES, NO, NOT_YET = "yes", "no", "not yet"
ORIGINAL_PAGE = "This page of the documentation."

speaking.answers(__name__)
