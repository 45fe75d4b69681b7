"""What running on a random sample buys: amplification, per way of sampling and relation.

Blocki, Grigorescu, Mukherjee (differentially private sublinear-time clustering); Balle, Barthe, Gaboardi 2018.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from dpviz.domain.relation import Adjacency
from dpviz.errors import InputError, RelationNotProved
from dpviz.privacy.budget import Budget
from dpviz.privacy.composition import down, geometric_sum, log_of_one_plus, up
from dpviz.privacy.tails import binomial_masses


class How(StrEnum):
    """Ways to draw a sample that stays secret."""

    POISSON = "an independent coin per record"
    WITHOUT_REPLACEMENT = "a fixed number of different records"
    WITH_REPLACEMENT = "a fixed number of draws, the same record possibly twice"


_RELATION = {
    How.POISSON: Adjacency.ADD_REMOVE_ONE,
    How.WITHOUT_REPLACEMENT: Adjacency.REPLACE_ONE,
    How.WITH_REPLACEMENT: Adjacency.REPLACE_ONE,
}
_LARGEST = 1e-3 * (1 - 2**-30)  # δ of a Budget stays below 0.001


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """A way of sampling with its public numbers: a rate for coins, or `drawn` of `records`."""

    how: How
    rate: float | None = None
    drawn: int | None = None
    records: int | None = None

    def __post_init__(self) -> None:
        if self.how is How.POISSON:
            if self.rate is None or not 0 < self.rate <= 1:
                raise InputError(f"rate={self.rate!r}: coins need a rate above 0 and at most 1.", rate=self.rate)
            return
        drawn, records = self.drawn, self.records
        most = records if self.how is How.WITHOUT_REPLACEMENT else math.inf
        if drawn is None or records is None or records < 1 or most is None or not 1 <= drawn <= most:
            raise InputError(
                f"drawn={drawn!r} of records={records!r}: give whole numbers, 1 or more, and (without replacement) "
                "no more draws than records.",
                drawn=drawn,
                records=records,
            )

    @property
    def relation(self) -> Adjacency:
        """The relation for which this sampling amplifies; the base must be private under it, and so is the result."""
        return _RELATION[self.how]

    @property
    def chance(self) -> float:
        """The probability that one given record is in the sample, rounded up."""
        if self.how is How.POISSON:
            assert self.rate is not None
            return self.rate
        assert self.drawn is not None and self.records is not None
        if self.how is How.WITHOUT_REPLACEMENT:
            return min(1.0, up(self.drawn / self.records))
        if self.records == 1:
            return 1.0
        return min(1.0, up(-math.expm1(self.drawn * math.log1p(-1 / self.records))))

    def check(self, relation: Adjacency) -> None:
        if relation is not self.relation:
            raise RelationNotProved(
                f"sampling by {self.how.value} is proved for the relation {self.relation.value!r}, "
                f"not for {relation.value!r}.",
                relation=relation.value,
            )


def amplified(base: Budget, sampling: Sampling, relation: Adjacency, *, copies: int = 1) -> Budget:
    """The guarantee of running a base once on a secret sample, all of its rounds together.

    Coins and sampling without replacement: (ln(1 + q(e^ε − 1)), qδ). With replacement a record can be drawn twice:
    up to `copies` times it is protected as a group, more often counts as failure and goes into δ.
    """
    sampling.check(relation)
    rate = sampling.chance
    if sampling.how is not How.WITH_REPLACEMENT:
        epsilon = min(base.epsilon, up(log_of_one_plus(rate, base.epsilon)))
        return Budget(epsilon=epsilon, delta=min(base.delta, up(rate * base.delta)))
    assert sampling.drawn is not None and sampling.records is not None
    masses = binomial_masses(sampling.drawn, 1 / sampling.records, copies)
    delta = masses.beyond + math.fsum(
        mass * base.delta * geometric_sum(base.epsilon, copy)
        for copy, mass in enumerate(masses.at)
        if base.delta and copy
    )
    return Budget(epsilon=up(log_of_one_plus(rate, copies * base.epsilon)), delta=up(delta))


def base_for(target: Budget, sampling: Sampling, relation: Adjacency) -> Budget:
    """The inverse for coins and sampling without replacement: the base budget whose amplified guarantee fits."""
    sampling.check(relation)
    if sampling.how is How.WITH_REPLACEMENT:
        raise InputError("sampling with replacement has no inverse here; use it without replacement.")
    rate = sampling.chance
    epsilon = min(100.0, down(log_of_one_plus(1 / rate, target.epsilon)))
    return Budget(
        epsilon=max(epsilon, target.epsilon), delta=min(_LARGEST, max(target.delta, down(target.delta / rate)))
    )
