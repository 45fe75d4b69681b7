"""Run any method once on a secret sample of the records.

Releases: what the base method releases, weights scaled back.
Paper: Blocki, Grigorescu, Mukherjee (differentially private sublinear-time clustering).
Guarantee: (ε, δ), pure where the base is; the base's relations; one record.
Public inputs: the rate, and the base's. Exact inputs: the records.
Departures: coins under add-remove, because a fixed sample size needs a public n.
Proof: docs/proofs/subsampled.md.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Centers, Coreset, ExactCounts, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms.exact_view import listed_cells
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, MethodInfo, NoAnswer, Plan, Public, check_request
from dpviz.mechanisms.shares import needs_delta
from dpviz.noise import NoiseSource
from dpviz.noise.checks import LARGEST_SIZE
from dpviz.privacy import Budget, Charge, How, Sampling, base_for

RATE = 0.1  # privacy-bearing


class Subsampled:
    """A wrapper with the catalogue's interface; named `subsampled:<method>`."""

    def __init__(self, base: Mechanism) -> None:
        self.base = base
        self.info: MethodInfo = dataclasses.replace(
            base.info,
            name=f"subsampled:{base.info.name}",
            title=f"{base.info.title}, on a sample",
            summary=f"Runs this method on a secret tenth of the records: {base.info.summary}",
            paper=f"Blocki, Grigorescu, Mukherjee; {base.info.paper}",
            proof="subsampled",
            vetted=base.info.vetted,  # this page and the base's: both must have been read
            person_cap=False,
        )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """Plan the base with the amplified budget; one charge for the whole run."""
        check_request(self.info, public, k=k, budget=budget)
        if (public.public_rows or 0) > LARGEST_SIZE:
            raise InputError(
                f"a sample is drawn from at most 2^31 rows; this file has {public.public_rows:,}. Choose "
                f"{self.base.info.name} itself.",
                rows=public.public_rows,
            )
        sampling = sampling_of(public)
        larger = base_for(budget, sampling, public.relation)  # [P1]
        inner = self.base.plan(sampled_public(public, sampling), k=k, budget=larger)
        delta = budget.delta if needs_delta(inner, larger) else 0.0  # the door checks the one charge below alone
        charge = Charge(name="run on a secret sample", epsilon=budget.epsilon, delta=delta)
        constants = {"rate": sampling.chance, "base_epsilon": larger.epsilon, "base_delta": larger.delta}
        return Plan(method=self.info.name, k=k, budget=budget, charges=(charge,), constants=constants)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Sample, run the base, scale back."""
        public = Public.of(data)
        sampling = sampling_of(public)
        larger = base_for(plan.budget, sampling, public.relation)
        inner = self.base.plan(sampled_public(public, sampling), k=plan.k, budget=larger)
        sample = secret_sample(data, sampling, noise)  # [P2]
        answer = self.base.run(sample, inner, noise)  # [P3]
        if isinstance(answer, NoAnswer):
            return answer
        whole = scale_answer(answer, 1 / sampling.chance)  # [P4]
        return dataclasses.replace(
            whole, cells=None if answer.cells is None else answer.cells.scaled(1 / sampling.chance, sampling.chance)
        )


def sampling_of(public: Public) -> Sampling:
    """Sample by coins where n is secret, a fixed number of rows where it is public."""
    if public.relation is Adjacency.ADD_REMOVE_ONE:
        return Sampling(how=How.POISSON, rate=RATE)
    rows = max(1, public.public_rows or 0)
    return Sampling(how=How.WITHOUT_REPLACEMENT, drawn=max(1, int(RATE * rows)), records=rows)


def sampled_public(public: Public, sampling: Sampling) -> Public:
    """The public facts of the sample."""
    return dataclasses.replace(public, public_rows=sampling.drawn if public.public_rows is not None else None)


def secret_sample(data: ExactData, sampling: Sampling, noise: NoiseSource) -> ExactData:
    """The records of the sample, as data of the same kind."""
    kept = kept_records(data, sampling, noise)
    if isinstance(data, ExactPoints):
        return ExactPoints(data.frame, data.exact_cube[kept], relation=data.relation, public_rows=sampling.drawn)
    cells = np.bincount(listed_cells(data)[kept], minlength=data.exact_cells.size).reshape(data.exact_cells.shape)
    return ExactCounts(data.grid, cells.astype(np.int64), relation=data.relation, public_rows=sampling.drawn)


def kept_records(data: ExactData, sampling: Sampling, noise: NoiseSource) -> NDArray[np.int64]:
    """[P2] Indices of the sampled records among those in the box; sampled rows outside the box vanish."""
    total = data.exact_total if isinstance(data, ExactPoints) else len(listed_cells(data))
    if sampling.drawn is None:
        assert sampling.rate is not None
        return np.flatnonzero(noise.coins_for_records(sampling.rate, total))
    assert sampling.records is not None
    places = noise.order_of_rows(sampling.records)[:total]
    return np.flatnonzero(places < sampling.drawn)


def scale_answer(answer: Answer, factor: float) -> Answer:
    """[P4] Scale weights and totals from the sample to the whole file."""
    coreset, centers = answer.coreset, answer.centers
    return Answer(
        coreset=None
        if coreset is None
        else Coreset(
            frame=coreset.frame,
            positions=coreset.positions,
            weights=coreset.weights * factor,
            variances=None if coreset.variances is None else coreset.variances * factor**2,
        ),
        centers=None
        if centers is None
        else Centers(frame=centers.frame, positions=centers.positions, weights=centers.weights * factor),
        noisy_total=None if answer.noisy_total is None else answer.noisy_total * factor,
        constants=answer.constants,
    )
