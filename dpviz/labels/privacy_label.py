"""PRIVACY.md: what was promised, to whom, per which unit, and what the promise does not cover, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpviz.labels import sentences as say
from dpviz.labels.accuracy import accuracy_sentences, trust_sentences
from dpviz.language import ENGLISH, marked, speaking
from dpviz.language.speaking import figures, told
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.proof_pages import find_in_proof
from dpviz.privacy import LEVELS, Adjacency, out_of_100
from dpviz.releases.document import PROOF
from dpviz.releases.release import PREVIEW, PUBLISHED, NoAnswer, Release
from dpviz.releases.request import STAND_IN

CHOICES_SENTENCE = say.CHOICES_SENTENCE
_ABOUT = marked(
    "title", "description", "area", "publisher", "contact", "licence", "published", "version", "corrects", "period"
)
FAR_BELOW_1 = 0.01  # up to here δ times the number of records is called far below 1
_STATUS = {PUBLISHED: say.PUBLISHED_STATUS, PREVIEW: say.PREVIEW_STATUS}  # any other one is unledgered


def privacy_label(outcome: Release | NoAnswer, language: str | None = None) -> str:
    """The label as Markdown, in this language; without one in that of the release, which is English unless it says."""
    with speaking.spoken_in(language or str(outcome.about.get("language", ENGLISH))):
        parts = (part for section in _SECTIONS for part in section(outcome))
        return "\n\n".join([f"# {say.LABEL_TITLE}", *parts]) + "\n"


def status_sentences(outcome: Release | NoAnswer) -> list[str]:
    """What this release is and is not, most important first, without Markdown."""
    return [sentence.replace("**", "") for sentence in _status(outcome)]


def _status(outcome: Release | NoAnswer) -> list[str]:
    said = [told(_STATUS.get(outcome.status, say.UNLEDGERED_STATUS))]
    if outcome.request.joint is not None and outcome.status == PUBLISHED:
        said = [say.JOINT_STATUS]
    if outcome.noise != "secure":
        said.insert(0, say.REPLAYABLE_STATUS.format(seed=outcome.seed))
    if outcome.demonstration:
        said.append(say.DEMONSTRATION_STATUS)
    if outcome.request.purpose == STAND_IN:
        said.append(say.STAND_IN_STATUS)
    return said


def _about(outcome: Release | NoAnswer) -> list[str]:
    """What the publisher says of it, as a list; nothing where nothing was said."""
    facts = dict(outcome.about)
    if {"period_start", "period_end"} <= set(facts):
        facts["period"] = say.FROM_TO.format(start=facts["period_start"], end=facts["period_end"])
    lines = [
        f"* {told(name)}: {harmless_markdown(' '.join(str(facts[name]).split()))}" for name in _ABOUT if name in facts
    ]
    return ["\n".join(lines)] if lines else []


def _promise(outcome: Release | NoAnswer) -> list[str]:
    guarantee = outcome.guarantee
    relation = say.WITH_AND_WITHOUT if guarantee.adjacency is Adjacency.ADD_REMOVE_ONE else say.ONE_EXCHANGED
    experts, period = say.guarantee_told(guarantee), outcome.request.period
    return [
        f"## {say.PROMISE}",
        f"{say.odds_told(guarantee)} {say.PREMISE}",
        f"{say.PROTECTS.format(unit=say.unit_told(guarantee.unit))} {say.limits_told(guarantee)}",
        relation.format(one=say.one_told(guarantee.unit)),
        *(harmless_markdown(sentence) for sentence in trust_sentences(outcome)),
        *([] if period is None else [harmless_markdown(say.period_told(period))]),  # over all periods of a series
        *_parts(outcome),
        *_regions(outcome),
        say.FREE,
        say.EXPERTS.format(guarantee=harmless_markdown(experts) if guarantee.regions else experts),
        *_cautions(outcome),
    ]


def _parts(outcome: Release | NoAnswer) -> list[str]:
    """That all parts together cost a record no more than one, who is in which, and whose clock tells times."""
    parts = outcome.request.parts
    if parts is None:
        return []
    facts = {"many": len(parts.names), "by": harmless_markdown(parts.by), "zone": harmless_markdown(parts.zone)}
    only, cap = parts.divisions[0], outcome.guarantee.unit.cap
    if parts.word != "part":  # divided by time alone
        told_parts = say.BY_TIME_OF if only.first else say.BY_TIME
        said = [told_parts.format(parts=say.PARTS[only.by][1], first=only.first, last=only.last, **facts)]
    else:
        said = [say.BY_PARTS.format(**facts)]
        for one in (one for one in parts.divisions if one.values):
            column = harmless_markdown(one.by)
            said.append(say.PARTS_LISTED.format(by=column, values=harmless_markdown(", ".join(one.values))))
            said += [say.PARTS_OF_PERSON.format(by=column)] if one.of_person else []
        said += [say.PARTS_ZONE.format(**facts)] if parts.zone else []
    return [*said, *([] if cap is None else [say.PARTS_OF_PERSONS.format(cap=cap)])]


def _regions(outcome: Release | NoAnswer) -> list[str]:
    """Every region's own level, and what the levels do not say."""
    guarantee = outcome.guarantee
    if not guarantee.regions:
        return []

    def size(epsilon: float) -> str:
        return figures(f"{epsilon:g}")

    rows = "\n".join(
        f"| {harmless_markdown(region.name)} | {size(region.epsilon)} "
        f"| {size(guarantee.moved(region.name, region.name).epsilon)} "
        f"| {size(guarantee.moved(None, region.name).epsilon)} |"
        for region in guarantee.regions
    )
    whole, moved = guarantee.epsilon, guarantee.moved(None, None)
    guesses = say.REGIONS_WHOLE.format(
        one=say.one_told(guarantee.unit),
        right=out_of_100(whole, guarantee.delta),
        moved=out_of_100(moved.epsilon, moved.delta),
        epsilon=size(whole),
        most=size(moved.epsilon),
    )
    delta = f" {say.REGIONS_DELTA.format(delta=size(guarantee.delta))}" if guarantee.delta else ""
    return [
        f"### {say.REGIONS}",
        f"| {' | '.join(say.REGIONS_COLUMNS)} |\n|---|---|---|---|\n"
        f"| {say.ELSEWHERE} | {size(whole)} | {size(moved.epsilon)} | |\n{rows}",
        guesses + delta,
        say.REGIONS_MEAN,
        *(
            say.REGIONS_NONE.format(name=harmless_markdown(name), reason=harmless_markdown(reason))
            for name, reason in parts_without_answer(outcome)
        ),
    ]


def parts_without_answer(outcome: Release | NoAnswer) -> list[tuple[str, str]]:
    """Parts of the map that the method could not answer for at their level, and why; each a protected statement."""
    parts = outcome.constants.get("parts")
    return [
        (str(part.get("name")), str(part.get("reason")))
        for part in (parts if isinstance(parts, list | tuple) else ())
        if isinstance(part, Mapping) and part.get("answer") is False
    ]


def _what(outcome: Release | NoAnswer) -> list[str]:
    info = catalogue.describe(outcome.method)
    plain = harmless_markdown if info.package else str
    check = f" {say.FOREIGN.format(package=plain(info.package))}" if info.package else ""
    check += "" if info.vetted else f" {say.NOT_VETTED}"
    parts, prior = outcome.request.parts, outcome.request.prior
    frame = outcome.frame if parts is None else parts.box.frame
    box = ", ".join(
        say.BOX_AXIS.format(name=harmless_markdown(name), low=figures(repr(low)), high=figures(repr(high)))
        for name, low, high in zip(frame.names, frame.low, frame.high, strict=True)
    )
    said = [
        f"## {say.WHAT}",
        say.METHOD.format(title=plain(told(info.title)), name=info.name, paper=plain(info.paper)) + check,
        *_spending(outcome, "" if info.package else info.proof),
        say.BOX.format(box=box),
        *([] if prior is None else [say.PRIOR.format(name=harmless_markdown(prior.name), digest=prior.digest)]),
    ]
    if outcome.dataset is not None:
        said.insert(1, say.DATASET.format(name=harmless_markdown(outcome.dataset)))
    if isinstance(outcome, NoAnswer):
        said.append(say.NO_ANSWER.format(reason=say.REASONS.get(outcome.reason.value, outcome.reason.value)))
    elif parts is not None:
        said.append(say.BY_TIME_FILES.format(centers=outcome.request.k, part=say.PARTS[parts.word][0]))
    elif outcome.raw_coreset is None:
        said.append(say.CENTERS_ONLY.format(centers=len(outcome.raw_centers)))
    else:
        points, centers = figures(f"{len(outcome.raw_coreset):,}"), len(outcome.raw_centers)
        said.append(say.POINTS_AND_CENTERS.format(points=points, centers=centers))
    return said


def _spending(outcome: Release | NoAnswer, page: str) -> list[str]:
    """Every charge with its symbol and steps in the proof, and the whole that they add up to."""
    rows = []
    for charge in outcome.charges:
        kind = charge.name.rstrip("0123456789 ")  # of one of several rounds
        name = (say.CHARGES_IN_WORDS.get(kind) or told(kind)) + charge.name[len(kind) :]
        symbol, steps = find_in_proof(page, charge) or ("", "")
        size = figures(f"{charge.epsilon:.6g}")
        if charge.delta:
            size = say.SPENT_DELTA.format(epsilon=size, delta=figures(f"{charge.delta:.3g}"))
        rows.append(f"| {harmless_markdown(name)} | {symbol} | {harmless_markdown(steps)} | {size} |")
    whole = sum(Fraction(charge.epsilon) for charge in outcome.charges)
    rows.append(f"| {say.TOGETHER} | | | {figures(f'{float(whole):.6g}')} |")
    divided = _recipe(outcome.constants)
    return [
        say.SPENT.format(page=f"[{PROOF}]({PROOF})"),
        f"| {' | '.join(say.SPENT_COLUMNS)} |\n|---|---|---|---|\n" + "\n".join(rows),
        *([say.DIVIDED.format(recipe=harmless_markdown(divided))] if divided else []),
    ]


def _recipe(constants: Mapping[str, Any]) -> str:
    """How the budget was divided in this run, in words; empty where nothing was chosen."""
    said = []
    for name, words in say.RECIPE.items():
        value = constants.get(name)
        listed = value if isinstance(value, list | tuple) else [] if value is None or value == "" else [value]
        parts = [figures(f"{part:.6g}") if isinstance(part, float) else str(part) for part in listed]
        said += [f"{words} {', '.join(parts)}"] if parts else []
    return "; ".join(said)


def _cautions(outcome: Release | NoAnswer) -> list[str]:
    """What a large ε, or a δ that many records share, means."""
    guarantee, said = outcome.guarantee, []
    if guarantee.epsilon > LEVELS[0].epsilon:
        weakest = figures(f"{LEVELS[0].epsilon:g}")
        said.append(say.LARGE.format(epsilon=figures(f"{guarantee.epsilon:g}"), weakest=weakest))
    records = None if isinstance(outcome, NoAnswer) else outcome.noisy_total
    if guarantee.delta and records is not None and records >= 1:
        said.append(
            say.DELTA.format(
                delta=figures(f"{guarantee.delta:g}"),
                verdict=say.DELTA_FAR if guarantee.delta * records <= FAR_BELOW_1 else say.DELTA_NEAR,
                records=figures(f"{records:,.0f}"),
                once=figures(f"{guarantee.delta * records:.2g}"),
                twice=figures(f"{guarantee.delta * records**2:.2g}"),
            )
        )
    return said


def _accuracy(outcome: Release | NoAnswer) -> list[str]:
    """How good it is; nothing where there is no answer."""
    if isinstance(outcome, NoAnswer):
        return []
    told_as = str if outcome.request.parts is None else harmless_markdown  # parts have names of their own
    return [f"## {say.GOOD}", "\n".join(f"- {told_as(sentence)}" for sentence in accuracy_sentences(outcome))]


def _limits(outcome: Release | NoAnswer) -> list[str]:
    return [
        f"## {say.NOT_COVERED}",
        "\n".join(f"- {sentence}" for sentence in (say.CHOICES_SENTENCE, *say.LIMITS)),
        say.FULL_TEXT,
    ]


_SECTIONS = (_about, _status, _promise, _what, _accuracy, _limits)


def harmless_markdown(text: str) -> str:
    """A name as plain text: nothing in it is taken for Markdown or HTML, and it stays on one line."""
    escaped = "".join(f"\\{letter}" if letter in r"\`*_{}[]()#+!|~<>&" else letter for letter in text)
    return "".join(letter if letter.isprintable() else " " for letter in escaped)
