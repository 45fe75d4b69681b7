"""k-means on random blocks of records, averaged with noise.

Releases: k centers; no coreset.
Paper: Nissim, Raskhodnikova, Smith 2007; GUPT 2012; Su et al. 2016, section 4.1.2 (GkM and GkM-3K).
Guarantee: (ε, 0) for add-remove and replace, records.
Public inputs: frame, relation, k, ε. Exact inputs: the records.
Departures: blocks by coins; block outputs clamped to the estimated range before averaging; noisy n.
Proof: docs/proofs/sample_aggregate.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Centers
from dpviz.errors import InputError
from dpviz.mechanisms.baselines._kernels import block_centers
from dpviz.mechanisms.exact_view import LARGEST_LISTED, weighted_cube
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public
from dpviz.mechanisms.shares import BudgetSplit, FixedShares
from dpviz.noise import LARGEST_SCALE, NoiseSource
from dpviz.privacy import Budget, noise_scale

LATTICE = 2**20  # privacy-bearing: integer steps of the unit cube
POSITIONS = 1024  # utility only: candidate quartiles are multiples of 1/1024 of the box
QUARTILES = (0.25, 0.75)  # privacy-bearing in number: two selections an output
BLOCK_STEPS = 10  # utility only: Lloyd steps inside a block
MAX_BLOCKS = 2**20  # utility only


class SampleAggregate(FixedShares):
    """GkM and GkM-3K."""

    split = BudgetSplit(shares={"ranges": 0.5, "averages": 0.5})  # privacy-bearing

    def __init__(self, name: str, title: str, *, small_blocks: bool) -> None:
        self.small_blocks = small_blocks
        self.info = MethodInfo(
            name=name,
            title=title,
            summary="Runs ordinary k-means on many random parts of the records and averages the centers with noise.",
            paper="Nissim, Raskhodnikova, Smith 2007; GUPT 2012; Su et al. 2016 (GkM)",
            adjacencies=frozenset(Adjacency),
            needs_delta=False,
            dims=(1, 1000),
            gives_coreset=False,
            proof="sample_aggregate",
            vetted=True,
        )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """Refuse averages whose noise would be too wide."""
        plan = super().plan(public, k=k, budget=budget)
        _check_widest_noise(k * public.frame.dims, plan.charges[-1].epsilon, budget)
        return plan

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Blocks, ranges, clamped averages."""
        public = Public.of(data)
        parts, noisy_total = self.buy_total(data, plan, noise)  # [P1]
        wanted = noisy_total / (3 * plan.k) if self.small_blocks else noisy_total**0.4
        blocks = max(1, min(MAX_BLOCKS, math.ceil(wanted)))  # [P2]
        exact_values = exact_block_outputs(data, plan.k, blocks, noise)
        low, high = noisy_ranges(exact_values, parts["ranges"].epsilon, noise)  # [P5]
        averages = noisy_averages(np.clip(exact_values, low, high), low, high, parts["averages"].epsilon, noise)  # [P6]
        cube = np.clip(averages.reshape(plan.k, -1) / LATTICE, 0, 1)  # [P8]
        centers = Centers(
            frame=public.frame, positions=cube * public.frame.extent, weights=np.full(plan.k, noisy_total / plan.k)
        )
        return Answer(coreset=None, centers=centers, noisy_total=float(noisy_total), constants={"blocks": blocks})


def _check_widest_noise(outputs: int, epsilon: float, budget: Budget) -> None:
    """[P7] Refuse too wide noise: every average has noise for the whole range times the number of averages."""
    widest = LATTICE * outputs / epsilon
    if widest > LARGEST_SCALE:
        least = budget.epsilon * widest / LARGEST_SCALE * (1 + 1e-6)
        raise InputError(
            f"epsilon={budget.epsilon:g} is divided among {outputs:,} averages, which is more noise than a number can "
            f"carry; give at least epsilon {least:g}, fewer clusters or fewer columns.",
            epsilon=budget.epsilon,
            least=least,
        )


def exact_block_outputs(data: ExactData, k: int, blocks: int, noise: NoiseSource) -> NDArray[np.int64]:
    """[P3] [P4] One row per block: its k sorted centers on the lattice, flattened."""
    cube, multiplicity = weighted_cube(data)
    records = np.repeat(cube, np.minimum(multiplicity, LARGEST_LISTED), axis=0)
    frame = Public.of(data).frame
    block = noise.integers_for_records(blocks, len(records))  # [P3]
    order = np.lexsort((*records.T[::-1], block))
    starts = np.searchsorted(block[order], np.arange(blocks + 1))
    fallback = np.tile((np.arange(k)[:, None] + 0.5) / k, (1, frame.dims))
    found = block_centers(records[order] * frame.extent, starts, k, BLOCK_STEPS, fallback * frame.extent)  # [P4]
    steps = np.rint(np.clip(found / frame.extent, 0, 1) * LATTICE).astype(np.int64)
    by_first_axis = np.argsort(steps[:, :, 0], axis=1, kind="stable")
    return np.take_along_axis(steps, by_first_axis[:, :, None], axis=1).reshape(blocks, -1)


def noisy_ranges(
    exact_values: NDArray[np.int64], epsilon: float, noise: NoiseSource
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[P5] Two private quartiles of every output."""
    blocks, outputs = exact_values.shape
    positions = np.arange(POSITIONS + 1) * (LATTICE // POSITIONS)
    each = epsilon / (2 * outputs)
    ends = np.empty((2, outputs), np.int64)
    for index in range(outputs):
        below = np.searchsorted(np.sort(exact_values[:, index]), positions, side="left")
        for end, quartile in enumerate(QUARTILES):
            scores = -np.abs(below - int(quartile * blocks)).astype(np.int64)
            ends[end, index] = positions[noise.select(scores, epsilon=each, sensitivity=1.0)]
    return ends.min(axis=0), ends.max(axis=0)


def noisy_averages(
    clamped: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64], epsilon: float, noise: NoiseSource
) -> NDArray[np.float64]:
    """[P7] The noisy average of every output over the blocks; one value may move from one end to the other."""
    blocks, outputs = clamped.shape
    averages = np.empty(outputs)
    for index in range(outputs):
        width = int(high[index] - low[index])
        if width == 0:
            averages[index] = low[index]
            continue
        exact = clamped[:, index].sum(keepdims=True)
        scale = noise_scale(width * outputs, epsilon)
        averages[index] = int(noise.add_laplace(exact, scale, sensitivity=width)[0]) / blocks
    return averages


SAMPLE_AGGREGATE = SampleAggregate("sample_aggregate", "Sample and aggregate", small_blocks=False)
SAMPLE_AGGREGATE_3K = SampleAggregate("sample_aggregate_3k", "Sample and aggregate, small blocks", small_blocks=True)
