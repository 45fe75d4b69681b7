"""Guarantees for a person with g records, derived from the guarantee for one record, with or without sampling.

The sampled bounds are those of Blocki, Grigorescu and Mukherjee: protect up to T sampled records of the group, and
let the event that more than T are sampled go into δ. Proofs: docs/NOTATION.md, "Groups".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.domain.relation import Adjacency
from dpviz.errors import InputError
from dpviz.privacy.budget import Budget
from dpviz.privacy.rounding import geometric_sum, log_of_one_plus, up
from dpviz.privacy.sampling import How, Sampling
from dpviz.privacy.tails import binomial_tails, hypergeometric_tails


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
    base: Budget,
    group: int,
    *,
    relation: Adjacency,
    sampling: Sampling | None = None,
    delta: float | None = None,
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
