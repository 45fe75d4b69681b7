"""Lloyd's steps on noisy sums and counts.

Releases: k centers with noisy counts (as centers and as a k-point coreset).
Paper: Blum, Dwork, McSherry, Nissim 2005; Su, Cao, Li, Bertino, Jin 2016, section 4.1.1 (DPLloyd).
Guarantee: (ε, 0) for add-remove and replace, records or capped persons.
Public inputs: frame, relation, unit, k, ε. Exact inputs: the records.
Departures: integer lattice and discrete noise; a center with a noisy count below 1 keeps its place.
Proof: docs/proofs/noisy_lloyd.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign, sphere_packing_start
from dpviz.domain import Adjacency, Centers, Coreset, Frame
from dpviz.mechanisms.exact_view import weighted_cube
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public, check_request
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, histogram_l1, noise_scale

ROUNDS = 5  # privacy-bearing: divides the budget
LATTICE = 2**14  # privacy-bearing: the half-width of the scaled box in integer steps


class NoisyLloyd:
    """DPLloyd."""

    info = MethodInfo(
        name="noisy_lloyd",
        title="Noisy Lloyd",
        summary="Runs five steps of k-means and adds noise to every sum and count.",
        paper="Blum, Dwork, McSherry, Nissim 2005; Su et al. 2016 (DPLloyd)",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(1, 1000),
        proof="noisy_lloyd",
        vetted=True,
        person_cap=True,
    )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        share = budget.epsilon / ROUNDS
        charges = tuple(Charge(name=f"round {number + 1}", epsilon=share) for number in range(ROUNDS))
        return Plan(method=self.info.name, k=k, budget=budget, charges=charges, constants={"rounds": ROUNDS})

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        public = Public.of(data)
        high = public.frame.extent
        seed = int(noise.integers(2**31, 1)[0])
        positions = sphere_packing_start(plan.k, np.zeros_like(high), high, seed=seed)  # [P1]
        records = LatticeRecords(data)
        weights = np.zeros(plan.k)
        for charge in plan.charges:
            positions, weights = noisy_step(records, positions, charge.epsilon, public, noise)
        return Answer(  # [P5]
            coreset=Coreset(frame=public.frame, positions=positions, weights=weights),
            centers=Centers(frame=public.frame, positions=positions, weights=weights),
        )


class LatticeRecords:
    """Exact records as integer vectors of the box scaled to [−1, 1], times the lattice, within one run."""

    def __init__(self, data: ExactData) -> None:
        cube, self.multiplicity = weighted_cube(data)
        self.local = cube * Public.of(data).frame.extent
        self.steps = np.rint((2 * cube - 1) * LATTICE).astype(np.int64)

    def exact_sums(self, labels: NDArray[np.int64], k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        counts = np.zeros(k, np.int64)
        np.add.at(counts, labels, self.multiplicity)
        sums = np.zeros((k, self.steps.shape[1]), np.int64)
        np.add.at(sums, labels, self.steps * self.multiplicity[:, None])
        return counts, sums


def noisy_step(
    records: LatticeRecords, positions: NDArray[np.float64], epsilon: float, public: Public, noise: NoiseSource
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Run one round on all clusters, empty ones included: new local centers and noisy counts."""
    k, dims = positions.shape
    labels = assign(records.local, positions)  # [P2]
    counts, sums = records.exact_sums(labels, k)
    touched = histogram_l1(public.relation, public.unit)
    scale = noise_scale(touched * (dims + 1), epsilon)
    noisy_counts = noise.add_laplace(counts, scale, sensitivity=touched)  # [P3]
    noisy_sums = noise.add_laplace(sums, scale * LATTICE, sensitivity=touched * dims * LATTICE)
    return move_centers(positions, noisy_counts, noisy_sums, public.frame), noisy_counts.astype(np.float64)  # [P4]


def move_centers(
    positions: NDArray[np.float64], counts: NDArray[np.int64], sums: NDArray[np.int64], frame: Frame
) -> NDArray[np.float64]:
    """[P4] Divide where the noisy count is at least 1; stay elsewhere; clamp into the box."""
    usable = counts >= 1
    scaled = sums / (LATTICE * np.maximum(counts, 1))[:, None]
    new = (np.clip(scaled, -1, 1) + 1) / 2 * frame.extent
    return np.where(usable[:, None], new, positions)


NOISY_LLOYD = NoisyLloyd()
