"""turned_tree: noisy main axes of the records and a box around them, then `adaptive_tree` in that box.

Releases: a coreset and centers, turned back into the public box, and noisy numbers of records.
Paper: none; ours. Main axes from a noisy sum of products are known as private PCA (Blum, Dwork, McSherry, Nissim 2005).
Guarantee: (ε, 0) under ADD_REMOVE_ONE (records, persons with a cap, weights) and REPLACE_ONE.
Public inputs: box, k, ε, relation, unit; under REPLACE_ONE the number of rows.
Exact inputs: five sums over records (tree/turning.py); then those of `adaptive_tree`, of the turned records.
Departures: Laplace noise on products shortened to a noisy length; axes stay where noise hides the main ones.
Proof: docs/proofs/turned_tree.md.
"""

from __future__ import annotations

from fractions import Fraction

from dpviz.domain import Adjacency, Centers, Coreset, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree import ADAPTIVE_TREE, AdaptiveTree
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, Plan, Public, check_request
from dpviz.mechanisms.tree.budget import floor_float, per_record
from dpviz.mechanisms.tree.turning import Spends, measured_turning
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge

AXES_SHARE = Fraction(14, 100)  # privacy-bearing: share of ε for the axes and the box
AXES, TREE = "axes and box", "tree along them"
MOST_DIMENSIONS = 24  # a record gives d·(d+1)/2 products; in more dimensions noise hides them all


class TurnedTree:
    """The tree where records vary along other directions than the box, or fill little of it."""

    info = MethodInfo(
        name="turned_tree",
        title="Turned tree",
        summary="Finds along which directions records vary, lays a box along these, and runs the adaptive tree in it.",
        paper="dpviz",
        adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE, Adjacency.REPLACE_ONE}),
        needs_delta=False,
        dims=(3, MOST_DIMENSIONS),
        takes="points",
        gives_coreset=True,
        proof="turned_tree",
        vetted=True,
        person_cap=True,
    )

    def __init__(self, tree: AdaptiveTree = ADAPTIVE_TREE) -> None:
        self.tree = tree

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        whole = Fraction(budget.epsilon)
        axes = Charge(name=AXES, epsilon=floor_float(whole * AXES_SHARE))  # [P1]
        tree = Charge(name=TREE, epsilon=floor_float(whole - Fraction(axes.epsilon)))
        self.tree.plan(public, k=k, budget=Budget(epsilon=tree.epsilon))  # what it refuses is refused before any draw
        return Plan(method=self.info.name, k=k, budget=budget, charges=(axes, tree))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        if not isinstance(data, ExactPoints):
            raise InputError(f"{self.info.name} takes points, not counts of cells.")
        public = Public.of(data)
        axes, tree = plan.charges
        spends = Spends.of(per_record(axes, public), number=public.public_rows is None)  # [P1]
        turning = measured_turning(data, spends, noise)
        turned = turning.turned_records(data)  # [P8]
        rest = Budget(epsilon=tree.epsilon)
        answer = self.tree.run(turned, self.tree.plan(Public.of(turned), k=plan.k, budget=rest), noise)  # [P9]
        coreset, centers = answer.coreset, answer.centers
        assert coreset is not None and centers is not None
        return Answer(  # [P10]
            coreset=Coreset(
                frame=public.frame,
                positions=turning.back(coreset.positions),
                weights=coreset.weights,
                variances=coreset.variances,
            ),
            centers=Centers(frame=public.frame, positions=turning.back(centers.positions), weights=centers.weights),
            noisy_total=answer.noisy_total,
            constants={**answer.constants, "axes_turned": turning.turned},
        )


TURNED_TREE = TurnedTree()
