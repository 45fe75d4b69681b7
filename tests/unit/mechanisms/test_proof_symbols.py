"""From ε on a release to the step of the proof that spends it."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.domain.regions import Outline
from dpviz.labels.privacy_label import privacy_label
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import ExactData, Mechanism, Public
from dpviz.mechanisms.proof_pages import SYMBOLS, find_in_proof
from dpviz.mechanisms.regional import Regional
from dpviz.privacy import Budget, Charge, Region
from dpviz.publishing.mechanism_run import release

PROOFS = Path(__file__).resolve().parents[3] / "docs" / "proofs"
RING = ((0.0, 0.0), (0.02, 0.0), (0.02, 0.02), (0.0, 0.02), (0.0, 0.0))
CORNER = Region(outline=Outline(name="corner", polygons=((RING,),)), epsilon=0.1)
METHODS = [
    *catalogue.METHODS,
    catalogue.get("subsampled:uniform_grid"),
    catalogue.get("by_size"),
    Regional(catalogue.get("uniform_grid"), (CORNER,)),
]


def data_for(method: Mechanism, relation: Adjacency) -> ExactData:
    if method.info.takes == "points" or method.info.dims[0] > 2:
        dims = max(2, method.info.dims[0])
        cube = np.random.default_rng(2).random((40, dims)) * 0.9
        return ExactPoints.from_array(plain_frame((0.0,) * dims, (1.0,) * dims), cube, relation=relation)
    cells = np.full((8, 8), 3, np.int64)
    return ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.08, 0.08), 8), cells, relation=relation)


@pytest.mark.parametrize("method", METHODS, ids=[method.info.name for method in METHODS])
def test_every_charge_has_a_symbol_and_steps_of_its_proof_and_all_add_up_to_the_whole(method: Mechanism) -> None:
    page = (PROOFS / f"{method.info.proof}.md").read_text(encoding="utf-8")
    for relation in sorted(method.info.adjacencies):
        public = Public.of(data_for(method, relation))
        budget = Budget(epsilon=0.7, delta=1e-8 if method.info.needs_delta else 0.0)
        charges = method.plan(public, k=2, budget=budget).charges
        for charge in charges:
            found = find_in_proof(method.info.proof, charge)
            assert found is not None, f"{method.info.name} charges {charge.name!r}, which proof_symbols does not know"
            assert found.symbol.removesuffix("/2") in page, f"{found.symbol} is not in {method.info.proof}.md"
            for tag in found.steps.split():
                assert re.fullmatch(r"\[P\d+[a-z]?\]", tag) and tag in page
        whole = sum(Fraction(charge.epsilon) for charge in charges)
        assert abs(float(whole) - 0.7) <= 0.7 * 1e-9


def test_every_listed_page_exists() -> None:
    assert {f"{page}.md" for page in SYMBOLS} <= {path.name for path in PROOFS.glob("*.md")}
    assert find_in_proof("uniform_grid", Charge(name="unheard of", epsilon=1.0)) is None


def test_the_label_leads_from_epsilon_to_the_proof_and_names_the_recipe() -> None:
    counts = data_for(catalogue.get("adaptive_tree"), Adjacency.ADD_REMOVE_ONE)
    label = privacy_label(release(counts, 1, Budget(epsilon=0.7), "adaptive_tree", seed=1))
    assert "[PROOF.md](PROOF.md)" in label
    assert "| the number of all records | a_n |" in label and "| together | | | 0.7 |" in label
    assert "Divided by this recipe: share of the counts of squares" in label and "residual" not in label
    german = privacy_label(release(counts, 1, Budget(epsilon=0.7), "adaptive_tree", seed=1), "de")
    assert "Aufgeteilt nach dieser Regel: Anteil der Zahlen je Feld" in german


def test_a_public_number_of_rows_is_not_called_noisy() -> None:
    for name in ("uniform_grid", "adaptive_tree", "peeled_balls"):
        found = release(data_for(catalogue.get(name), Adjacency.REPLACE_ONE), 1, Budget(epsilon=0.7), name, seed=1)
        assert "noisy_total" not in found.constants and found.constants["public_rows"] == 192.0


def test_a_large_epsilon_and_a_delta_that_many_share_are_said() -> None:
    counts = data_for(catalogue.get("uniform_grid"), Adjacency.ADD_REMOVE_ONE)
    assert "Weak protection" in privacy_label(release(counts, 1, Budget(epsilon=8.0), "uniform_grid", seed=1))
    calm = privacy_label(release(counts, 1, Budget(epsilon=1.0), "uniform_grid", seed=1))
    assert "Weak protection" not in calm and "A rare exception" not in calm
    shared = privacy_label(release(counts, 2, Budget(epsilon=8.0, delta=1e-6), "grid_cover", seed=1))
    assert "with a probability of at most 1e-06 for each" in shared
    assert "and that is far below 1, as it must be" in shared
    many = privacy_label(release(counts, 2, Budget(epsilon=8.0, delta=9e-4), "grid_cover", seed=1))
    assert "and that is too much, for it must be far below 1" in many
