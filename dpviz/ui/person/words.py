"""Every sentence of the pages that only a hosted house has."""

from __future__ import annotations

from dpviz.language import speaking

DATA_MODE = (
    "Data of {city}",
    "Named by the administrator, or sent by a steward. Opened data stay in your session and end with its tab.",
)

REGISTERED = "Registered data"
REGISTERED_COLUMNS = ("Data", "Protects", "Left of 100 parts", "Second person", "Registered by")
YES, NO = "needed", "not needed"

POPULATION, POPULATION_NONE = "Population", "none: a budget of its own"
SECOND = "Whatever is published of it needs a second person. This stays so."
WHY = "Why (the ledger keeps it)"

RULES = "A second person"
RULES_COLUMNS = ("Name", "Kind", "Second person")
RULE_POPULATION, RULE_DATA = "population", "data set"
RULE_WHICH, RULE_WHY, RULE_GO = (
    "From now on for",
    "Why the rule is made (the ledger keeps it)",
    "Ask for a second person",
)

ASK_NOTE = (
    "“{dataset}” needs a second person. Ask here; somebody else approves or refuses, and the release is made then."
)

ASK_GO = "Ask for approval"
ASK_DONE = "It waits for an answer, which comes on the page Requests. Nothing is charged before somebody approves."
NOT_PUBLISHER = "Publishing is for publishers. You may look at what a release would show."

REQUESTS_TITLE = "Requests"
REQUESTS_MODE = (
    "A second pair of eyes",
    "Who approves sees what would leave, at which price, and why; never a record. Who asked cannot approve.",
)
WAITING = "Waiting for an answer"
NOTHING_WAITING = "Nothing is waiting."
ASKED_BY = "{who} asks on {day}: {why}"
WHAT = "{k} centers of “{dataset}” at {level}, with {method}."
PRICE = "It costs {cost} of 100 parts of the budget; {left} are left."
OWN_REQUEST = "You asked for this: somebody else decides."
FOR_APPROVERS = "Approvers decide on it."
REASON = "A word to {who}"
APPROVE, REFUSE = "Approve and publish", "Refuse"
COMPLETE = "Publish what was approved"
UPLOADED = (
    "The records came as a file, and this program was started again since. {who} has to open the file on the page Data "
    "and ask again."
)
DECIDED = "Answered"
DECIDED_COLUMNS = ("What", "Asked by", "Answer", "By", "On", "Reason")
APPROVED_DONE = "Approved and published: {name}."
APPROVED_NO_ANSWER = "Approved. The method had no answer at this budget; the charge stays."
REFUSED_DONE = "Refused. {who} reads your reason on this page."

AUDIT_TITLE = "Audit log"
AUDIT_MODE = (
    "Everything that somebody did",
    "From the ledger, whose rows are chained: a changed or missing one is noticed.",
)
AUDIT_WHO, AUDIT_ALL = "Person", "everybody"
AUDIT_COLUMNS = ("When", "Who", "What", "Concerns", "Charged", "Why")
AUDIT_SHOWN = "The last {shown} of {all}."
AUDIT_CSV, AUDIT_JSON = "Take away as CSV", "Take away as JSON"

RELEASES_MODE = ("Published", "What is here has left the house: it is protected, and may be passed on.")
NO_RELEASES = "Nothing has been published yet."
RELEASE = "Release"

AUTOMATIC = "the automatic method"
WHY_MISSING = "Say why: the ledger keeps it."

REQUEST = "request {number}"

speaking.answers(__name__)
