"""Every sentence of the pages that only a hosted house has."""

from __future__ import annotations

from dpviz.language import speaking

ASK_NOTE = (
    "“{dataset}” needs a second person. Ask here; somebody else approves or refuses, and the release is made then."
)

ASK_GO = "Ask for approval"
ASK_DONE = "It waits for an answer, which comes on the page Requests. Nothing is charged before somebody approves."
NOT_PUBLISHER = "Publishing is for publishers. You may look at what a release would show."


speaking.answers(__name__)
