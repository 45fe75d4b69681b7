"""PRIVACY.md: what was promised, to whom, per which unit, and what the promise does not cover, in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from dpviz.mechanisms import catalogue
from dpviz.privacy import Adjacency, limits_sentence, odds_sentence, thing
from dpviz.releases.outcomes import PREVIEW, PUBLISHED, NoAnswer, Release
from dpviz.releases.request import STAND_IN

CHOICES_SENTENCE = (
    "The guarantee covers the draw. It does not cover the choice of the privacy level, of the number of clusters, of "
    "the method or of publishing at all, where somebody made that choice after looking at exact data."
)
_STATUS = {
    PUBLISHED: (
        "**Published through the ledger.** The budget was charged before the first random number was drawn, the noise "
        "is secure, and asking again gives these same files."
    ),
    PREVIEW: (
        "**PREVIEW: not a release.** A draw for the curator's eyes; what is published is another draw. "
        "Do not pass this on."
    ),
}
_UNLEDGERED = (
    "**UNLEDGERED: no ledger knows of this release.** Nobody has added its cost to what else was drawn from the same "
    "data; releases add up. Do not pass it on as a published one."
)
_REPLAYABLE = (
    "**REPLAYABLE NOISE, NOT PRIVATE.** The noise came from the seed {seed}; whoever knows or guesses it can take the "
    "noise away. For tests and experiments only."
)
_DEMONSTRATION = "**Demonstration data.** The records behind this release are public; it shows how the tool works."


def privacy_label(outcome: Release | NoAnswer) -> str:
    """The label as Markdown."""
    parts = ["# Privacy label", *_status(outcome), *_promise(outcome), *_what(outcome), *_limits(outcome)]
    return "\n\n".join(parts) + "\n"


def status_sentences(outcome: Release | NoAnswer) -> list[str]:
    """What this release is and is not, most important first, without Markdown."""
    return [sentence.replace("**", "") for sentence in _status(outcome)]


def _status(outcome: Release | NoAnswer) -> list[str]:
    said = [_STATUS.get(outcome.status, _UNLEDGERED)]
    if outcome.noise != "secure":
        said.insert(0, _REPLAYABLE.format(seed=outcome.seed))
    if outcome.demonstration:
        said.append(_DEMONSTRATION)
    if outcome.request.purpose == STAND_IN:
        said.append(
            "**Stand-in.** Paid for when the dataset was registered; levels and methods are simulated on data sampled "
            "from it, at no further cost."
        )
    return said


def _promise(outcome: Release | NoAnswer) -> list[str]:
    guarantee = outcome.guarantee
    one = thing(guarantee.unit, record="record")
    if guarantee.adjacency is Adjacency.ADD_REMOVE_ONE:
        relation = f"Two files count as neighbours when one has {one} more. The number of records is secret."
    else:
        relation = (
            f"Two files count as neighbours when they have the same size and {one} differs. "
            "The number of rows is public."
        )
    return [
        "## The promise",
        str(guarantee) if not guarantee.regions else harmless_markdown(str(guarantee)),
        odds_sentence(guarantee, record="record"),
        f"Unit of protection: {guarantee.unit}. {limits_sentence(guarantee, record='record')}",
        relation,
        *_regions(outcome),
        "Whatever is computed from these files alone, other numbers of centers included, costs no further privacy. "
        "Releases of the same people add up: their epsilons are summed.",
    ]


def _regions(outcome: Release | NoAnswer) -> list[str]:
    """Every region's own level, and what the levels do not say."""
    guarantee = outcome.guarantee
    if not guarantee.regions:
        return []
    rows = "\n".join(
        f"| {harmless_markdown(region.name)} | {region.epsilon:g} "
        f"| {guarantee.moved(region.name, region.name).epsilon:g} | {guarantee.moved(None, region.name).epsilon:g} |"
        for region in guarantee.regions
    )
    whole = guarantee.moved(None, None).epsilon
    delta = f" Delta is {guarantee.delta:g} in every part." if guarantee.delta else ""
    return [
        "### Regions with their own level",
        "| where | epsilon of a record's presence | of a move inside | of a move from or to elsewhere |\n"
        f"|---|---|---|---|\n| elsewhere | {guarantee.epsilon:g} | {whole:g} | |\n{rows}",
        f"A record lies in one part, so the whole costs the largest: epsilon {guarantee.epsilon:g}. A record that "
        "moves from one region to another is covered with the sum of their two epsilons; no move costs more than "
        f"{whole:g}.{delta}",
        "A region's level protects that there was a record in it at all. Whether a record that is known to be in the "
        "data lay inside a region or elsewhere is a move, and is protected with the sum. The outlines are public; "
        "every cell of the grid that a region touches has its level, or that of a stricter region that touches it too.",
        *(
            f"No answer for {harmless_markdown(name)}: {harmless_markdown(reason)}. Its records are missing here."
            for name, reason in parts_without_answer(outcome)
        ),
    ]


def parts_without_answer(outcome: Release | NoAnswer) -> list[tuple[str, str]]:
    """Parts of the map that the method could not answer for at their level, and why; each a protected statement."""
    parts = outcome.constants.get("parts")
    listed = parts if isinstance(parts, list | tuple) else []
    return [
        (str(part.get("name")), str(part.get("reason")))
        for part in listed
        if isinstance(part, Mapping) and part.get("answer") is False
    ]


def _what(outcome: Release | NoAnswer) -> list[str]:
    info = catalogue.get(outcome.method).info
    check = "" if info.vetted else " Its proof has not been vetted by an independent reader."
    charges = "; ".join(
        f"{harmless_markdown(charge.name)}: epsilon {charge.epsilon:.6g}"
        + (f", delta {charge.delta:.3g}" if charge.delta else "")
        for charge in outcome.charges
    )
    box = ", ".join(
        f"{harmless_markdown(name)} from {low!r} to {high!r}"
        for name, low, high in zip(outcome.frame.names, outcome.frame.low, outcome.frame.high, strict=True)
    )
    said = [
        "## What was released",
        f"Method: {info.title} (`{info.name}`; {info.paper}).{check}",
        f"Spent on: {charges}.",
        f"Public box, chosen without looking at the data: {box}. Records outside it are ignored.",
    ]
    if outcome.dataset is not None:
        said.insert(1, f"Dataset: {harmless_markdown(outcome.dataset)}.")
    if isinstance(outcome, NoAnswer):
        said.append(f"There is no answer at this budget: {outcome.reason.value}. Saying so was charged like an answer.")
    elif outcome.raw_coreset is None:
        said.append(f"{len(outcome.raw_centers)} centers. This method gives no coreset.")
    else:
        said.append(
            f"A coreset of {len(outcome.raw_coreset)} weighted points and {len(outcome.raw_centers)} centers. Weights "
            "are estimates and may be fractions or below zero."
        )
    return said


def _limits(outcome: Release | NoAnswer) -> list[str]:
    return [
        "## What the promise does not cover",
        "- " + CHOICES_SENTENCE,
        "- What the data say about everybody: that many people gather at a place stays visible, and may say something "
        "about a person who is known to belong to them.\n"
        "- People who stand in the data more often than the unit of protection says, and records that hang together: "
        "protection weakens with every record that tells of the same thing.\n"
        "- How long the computation took, and the machine, the ledger and the original file, which the curator keeps.\n"
        "- That the file was refused or accepted before the door: a file without any record in the box is usually "
        "turned away before anything is charged.",
        "The full text: docs/PROMISE.md and docs/LIMITS.md of dpviz.",
    ]


def harmless_markdown(text: str) -> str:
    """A name as plain text: nothing in it is taken for Markdown or HTML, and it stays on one line."""
    escaped = "".join(f"\\{letter}" if letter in r"\`*_{}[]()#+!|~<>&" else letter for letter in text)
    return "".join(letter if letter.isprintable() else " " for letter in escaped)
