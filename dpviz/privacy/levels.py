"""The stops of the slider, and the chance of a right guess, out of 100 and in plain sentences. Always rounded up.

The guarantee for a person with g records is derived from that for one record. With sampling, it is the bound of Blocki,
Grigorescu and Mukherjee: protect up to T sampled records of the group, and let the event that more than T are sampled
go into δ. Proofs: docs/NOTATION.md, "Groups".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpviz.domain.relation import Adjacency
from dpviz.errors import InputError
from dpviz.privacy.budget import Budget
from dpviz.privacy.composition import geometric_sum, log_of_one_plus, up
from dpviz.privacy.guarantee import Guarantee
from dpviz.privacy.sampling import How, Sampling
from dpviz.privacy.tails import binomial_tails, hypergeometric_tails

# Each sentence stands here once; `dpviz.labels.sentences` says them in other languages too.
ODDS_SENTENCE = (
    "Someone who knows all the other {others} and {asks} is right at most {times} (rounded up); tossing a coin gives "
    "{blind}."
)
ODDS_RIGHT = "{right} times in 100"
ODDS_LEVELS = "Those who chose a stricter level have it: {levels} times in 100. Nobody’s choice weakens anybody else’s."
ODDS_OTHERS = {"record": "{record}s", "person": "people"}
ODDS_ASKS = {
    "record is there": "tries to tell whether one {record} is in the data",
    "person is there": "tries to tell whether one person is in the data",
    "record's place": "tries to tell which of two places one {record} in the data belongs to",
    "person's place": "tries to tell whether one person in the data was at certain places or at others",
}
LIMIT_RECORD = "This protects one {record} at a time: a person with several {record}s is protected less."
LIMIT_PERSON = (
    "Of each person’s {record}s no more than {most} are used, and any others are left out. All that are used are "
    "protected together."
)


@dataclass(frozen=True, kw_only=True)
class Level:
    """One stop of the slider. `number` counts from 1, as on the command line."""

    number: int
    name: str
    epsilon: float


class Levels(tuple[Level, ...]):
    """All stops, in order; a notebook shows them as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        head = "<th>level</th><th>name</th><th>ε</th><th>a guess about one record is right at most</th>"
        rows = (
            f"<tr><td>{level.number}</td><td>{level.name}</td><td>{level.epsilon:g}</td>"
            f"<td>{out_of_100(level.epsilon)} of 100 times</td></tr>"
            for level in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


LEVELS: Levels = Levels(
    Level(number=number, name=name, epsilon=epsilon)
    for number, (name, epsilon) in enumerate(
        [
            ("Sharpest", 4.0),
            ("Very detailed", 2.0),
            ("Detailed", 1.0),
            ("Balanced", 0.5),
            ("Careful", 0.2),
            ("Strict", 0.1),
            ("Strictest", 0.05),
        ],
        start=1,
    )
)


def level_by_name(name: str) -> Level:
    """The level of this name, such as "Balanced"; code that means one stop names it, so that others may come and go."""
    return next(level for level in LEVELS if level.name == name)


def level_numbers() -> str:
    """The numbers a level can have, for messages: "1 to 7" of seven levels."""
    return f"{LEVELS[0].number} to {LEVELS[-1].number}"


def chance_of_guessing_right(epsilon: float, delta: float = 0.0, *, prior: float = 0.5) -> float:
    """The largest probability with which anyone tells apart two neighbouring data sets from the output.

    `prior` is the guesser's probability, beforehand, that it is the first one. (ε, δ) bounds every test: with a the
    chance of a wrong alarm and b that of a miss, 1 − b ≤ e^ε·a + δ and 1 − a ≤ e^ε·b + δ. The best guess lies at a
    corner of that region; with prior ½ and δ = 0 it is e^ε / (1 + e^ε).
    """
    _check(epsilon, delta, prior)
    # Corners: one error is 0 and the other 1 − δ, or both are (1 − δ)/(1 + e^ε).
    both = (1 - delta) / (1 + math.exp(epsilon)) if epsilon < 700 else 0.0
    wrong = min(prior * (1 - delta), (1 - prior) * (1 - delta), both)
    return 1 - wrong


def out_of_100(epsilon: float, delta: float = 0.0, *, prior: float = 0.5) -> int:
    """That chance as a whole number out of 100, rounded up: 63 for ε = 0.5."""
    # Where nothing is learned the chance is a whole number; a billionth of one above it is float rounding.
    return min(100, math.ceil(100 * chance_of_guessing_right(epsilon, delta, prior=prior) - 1e-9))


def odds_sentence(
    guarantee: Guarantee, *, record: str = "trip", prior: float = 0.5, told: Callable[[str], str] = str
) -> str:
    """One sentence for everybody: words and whole numbers only. `told` translates its parts."""
    whose = "record" if guarantee.unit.person_column is None else "person"
    asked = f"{whose} is there" if guarantee.adjacency is Adjacency.ADD_REMOVE_ONE else f"{whose}'s place"
    right = out_of_100(guarantee.epsilon, guarantee.delta, prior=prior)
    said = told(ODDS_SENTENCE).format(
        others=told(ODDS_OTHERS[whose]).format(record=told(record)),
        asks=told(ODDS_ASKS[asked]).format(record=told(record)),
        times=told(ODDS_RIGHT).format(right=right),
        blind=math.ceil(100 * max(prior, 1 - prior) - 1e-9),
    )
    stricter = [epsilon for epsilon in guarantee.unit.levels if epsilon < guarantee.epsilon]
    if stricter:
        names = {level.epsilon: told(level.name) for level in LEVELS}
        listed = (f"{names.get(one, f'ε {one:g}')} {out_of_100(one, guarantee.delta, prior=prior)}" for one in stricter)
        said += " " + told(ODDS_LEVELS).format(levels=", ".join(listed))
    return said if prior == 0.5 else said.replace("tossing a coin", "guessing without looking")


def limits_sentence(guarantee: Guarantee, *, record: str = "trip", told: Callable[[str], str] = str) -> str:
    """What the odds do not cover, in one sentence. `told` translates its parts."""
    limit = LIMIT_RECORD if guarantee.unit.person_column is None else LIMIT_PERSON
    return told(limit).format(record=told(record), most=guarantee.unit.cap)


def _check(epsilon: float, delta: float, prior: float) -> None:
    if not (epsilon >= 0 and 0 <= delta <= 1):
        raise InputError(f"epsilon={epsilon}, delta={delta}: epsilon is 0 or more and delta between 0 and 1.")
    if not 0 < prior < 1:
        raise InputError(f"prior={prior}: a belief beforehand lies between 0 and 1, both excluded.", prior=prior)


@dataclass(frozen=True, kw_only=True)
class GroupGuarantee:
    """(ε, δ) for a whole group; unlike a Budget it may be weak or even empty (δ = 1). `threshold` is T, where used."""

    epsilon: float
    delta: float
    way: str
    threshold: int | None = None


def naive_group(base: Budget, group: int) -> GroupGuarantee:
    """Any mechanism, no sampling: (gε, δ(e^{gε} − 1)/(e^ε − 1))."""
    _check_group(group)
    delta = min(1.0, up(base.delta * geometric_sum(base.epsilon, group))) if base.delta else 0.0
    return GroupGuarantee(epsilon=up(group * base.epsilon), delta=delta, way="one record after the other")


def amplified_group(base: Budget, sampling: Sampling, relation: Adjacency, group: int) -> GroupGuarantee:
    """The amplified guarantee of one record, g times: g·ln(1 + γ(e^ε − 1)). Pure stays pure."""
    _check_group(group)
    _check_sampling(sampling, relation)
    rate = sampling.chance
    one = min(base.epsilon, up(log_of_one_plus(rate, base.epsilon)))
    delta = min(1.0, up(rate * base.delta * geometric_sum(one, group))) if base.delta else 0.0
    return GroupGuarantee(epsilon=up(group * one), delta=delta, way="one record after the other, each rarely sampled")


def sampled_group(base: Budget, sampling: Sampling, relation: Adjacency, group: int) -> list[GroupGuarantee]:
    """(Tε, δ_T) for T = 0 … g, ε of the unamplified base; an approximate base adds δ(e^{Tε} − 1)/(e^ε − 1)."""
    _check_group(group)
    _check_sampling(sampling, relation)
    if sampling.how is How.POISSON:
        tails = binomial_tails(sampling.chance, group)
    else:
        assert sampling.records is not None and sampling.drawn is not None
        tails = hypergeometric_tails(sampling.records, sampling.drawn, group)
    rows = []
    for threshold, tail in enumerate(tails):
        inside = base.delta * geometric_sum(base.epsilon, threshold) if base.delta and threshold else 0.0
        delta = min(1.0, up(tail + inside) if inside else tail)
        rows.append(
            GroupGuarantee(
                epsilon=up(threshold * base.epsilon),
                delta=delta,
                way=f"at most {threshold} of the group in the sample",
                threshold=threshold,
            )
        )
    return rows


def group_guarantees(
    base: Budget, group: int, *, relation: Adjacency, sampling: Sampling | None = None
) -> list[GroupGuarantee]:
    """Every known bound for a group of g records, weakest ε last; all of them hold at once."""
    rows = [naive_group(base, group)]
    if sampling is not None:
        rows += [amplified_group(base, sampling, relation, group), *sampled_group(base, sampling, relation, group)]
    return sorted(rows, key=lambda row: (row.epsilon, row.delta))


def best_group_guarantee(
    base: Budget, group: int, *, relation: Adjacency, sampling: Sampling | None = None, delta: float | None = None
) -> GroupGuarantee:
    """The smallest ε whose δ is at most `delta` (default: the base's own δ); where none is, the smallest δ."""
    allowed = base.delta if delta is None else delta
    rows = group_guarantees(base, group, relation=relation, sampling=sampling)
    fitting = [row for row in rows if row.delta <= allowed]
    return fitting[0] if fitting else min(rows, key=lambda row: (row.delta, row.epsilon))


def group_table(
    base: Budget,
    groups: Sequence[int],
    *,
    relation: Adjacency,
    sampling: Sampling | None = None,
    delta: float | None = None,
) -> list[dict[str, object]]:
    """ "A person with g trips", as rows for a screen: naive ε beside the best known, and how that one is reached."""
    rows: list[dict[str, object]] = []
    for group in groups:
        naive = naive_group(base, group)
        best = best_group_guarantee(base, group, relation=relation, sampling=sampling, delta=delta)
        rows.append(
            {
                "records": group,
                "naive_epsilon": naive.epsilon,
                "naive_delta": naive.delta,
                "epsilon": best.epsilon,
                "delta": best.delta,
                "how": best.way,
            }
        )
    return rows


def _check_group(group: int) -> None:
    if isinstance(group, bool) or not isinstance(group, int) or group < 1:
        raise InputError(f"group={group!r}: give a whole number of records, 1 or more.", group=group)


def _check_sampling(sampling: Sampling, relation: Adjacency) -> None:
    if sampling.how is How.WITH_REPLACEMENT:
        raise InputError("group bounds for sampling with replacement are not offered; use it without replacement.")
    sampling.check(relation)
