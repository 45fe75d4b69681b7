"""An annex on differential privacy for a data protection impact assessment, as Markdown.

It fills in what release and ledger know, in plain words, and leaves a line wherever the answer is the controller's.
"""

from __future__ import annotations

from dpviz.labels.privacy_label import CHOICES_SENTENCE, harmless_markdown
from dpviz.ledger.ledger import Ledger
from dpviz.life.publications import Publication, publications, stored_release
from dpviz.mechanisms import catalogue
from dpviz.privacy import limits_sentence, odds_sentence
from dpviz.releases.release import NoAnswer, Release

BLANK = "*(to be filled in by the controller)*"


def impact_annex(publication: Publication, ledger: Ledger) -> str:
    """The annex for one publication."""
    release = stored_release(publication)
    parts = [
        "# Annex: protection of the persons behind a published map",
        "To be attached to an assessment under Article 35 of Regulation (EU) 2016/679, or to its like elsewhere. It "
        "says what the technique does and does not do; whether that is enough is for the controller to judge.",
        *_processing(publication),
        *_measure(release),
        *_spending(publication, ledger),
        *_risks(release),
        *_after(publication, release),
    ]
    return "\n\n".join(parts) + "\n"


def _processing(publication: Publication) -> list[str]:
    about = publication.about
    named = {
        "Title": about.get("title"),
        "Controller": about.get("publisher"),
        "Contact": about.get("contact"),
        "Area": about.get("area"),
        "Period of the records": " to ".join(filter(None, [about.get("period_start"), about.get("period_end")])),
        "Purpose of the publication": about.get("description"),
        "Legal basis": None,
        "Whose records, and where they come from": None,
        "Opinion of the data protection officer": None,
    }
    rows = [
        f"| {name} | {harmless_markdown(' '.join(str(text).split())) if text else BLANK} |"
        for name, text in named.items()
    ]
    return ["## 1. The processing", "| | |\n|---|---|\n" + "\n".join(rows)]


def _measure(release: Release | NoAnswer) -> list[str]:
    guarantee, info = release.guarantee, catalogue.describe(release.method)
    check = "An independent reader has checked its proof." if info.vetted else "Its proof has not been vetted yet."
    return [
        "## 2. The measure: differential privacy",
        f"{harmless_markdown(str(guarantee))} {odds_sentence(guarantee, record='record')}",
        f"Protected is {guarantee.unit}. {limits_sentence(guarantee, record='record')}",
        f"Method: {info.title} ({info.paper}). {check} Noise comes from exact samplers and the operating system's "
        "generator; the budget was charged in a ledger before the first random number.",
        "Only what came out of this method is published. Records, counts and checksums of the file are not.",
    ]


def _spending(publication: Publication, ledger: Ledger) -> list[str]:
    row = ledger.dataset(publication.dataset)
    total = "unknown" if row is None else str(row.total)
    rows = [
        f"| {one.about.get('published') or one.created[:10]} | {one.epsilon:g} | {one.delta:g} | {one.state} "
        f"| {one.id} |"
        for one in publications(ledger, dataset=publication.dataset, stand_ins=True)
        if one.version == 1
    ]
    return [
        "## 3. What adds up",
        f"Dataset {harmless_markdown(publication.dataset)}: total {total}, of which "
        f"{ledger.remaining(publication.dataset)} remains. What several releases give away about the same people adds "
        "up; the ledger refuses what exceeds the total, and a withdrawn release is not given back.",
        "| day | epsilon | delta | state | release |\n|---|---|---|---|---|\n" + "\n".join(rows),
    ]


def _risks(release: Release | NoAnswer) -> list[str]:
    one = "one person" if release.guarantee.unit.person_column is not None else "one record, such as one trip"
    rows = [
        ("Somebody is recognised from the release", f"bounded for {one} by the odds of section 2"),
        ("Somebody with many records is recognised", "weaker: what is given away about each record adds up"),
        ("People of one household or one bus", "protected as a group only as far as the sum of their records allows"),
        ("What is true of everybody at a place", "stays visible; this is what the release is for"),
        ("Choices made after looking at the records", CHOICES_SENTENCE),
        ("The records leak by another way", "not covered: access to file and ledger is the controller's task"),
    ]
    listed = "\n".join(f"| {risk} | {answer} | {BLANK} |" for risk, answer in rows)
    return ["## 4. Risks that remain", "| risk | what the measure does | further measures |\n|---|---|---|\n" + listed]


def _after(publication: Publication, release: Release | NoAnswer) -> list[str]:
    state = f"The release is {publication.state}." + (f" {publication.notice}" if publication.notice else "")
    return [
        "## 5. Afterwards",
        f"{harmless_markdown(state)} Its id is {release.id}; {release.signature}. Anybody can check its files with "
        "`dpviz verify`. It can be withdrawn or superseded in the open (`dpviz withdraw`, `dpviz supersede`); copies "
        "that others made stay with them.",
        f"Review on: {BLANK}",
    ]
