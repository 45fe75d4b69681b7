"""Other data, made to give the same protected numbers, are asked the same, answer the same, and cost at most ε.

All methods, relations, units and wrappers. What the longer record of `python -m dpviz_research.transcripts` found is
in docs/evidence/transcripts.json.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactCounts, GeoBox, Grid
from dpviz.ingest.units.person_cap import count_kept
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.mechanisms import catalogue, exact_view
from dpviz.mechanisms.adaptive_tree import growth
from dpviz.mechanisms.baselines import _kernels, covering, sample_aggregate
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.transcripts import cases, kernels, rare
from dpviz_research.transcripts.cases import IN_REGIONS, WITH_MAPS, WRAPPED, Case, budget_for, cells_of, counted, few
from tests.oracles import methods
from tests.privacy.transcripts import TranscriptBroken, check_transcript

LEAST_USED = {"peeled_balls_paper": 0.2, "balcan": 0.3, "grid_cover": 0.7, "genetic": 0.3}


@pytest.mark.parametrize("method", cases.methods())
def test_a_transcript_fits_all_data_and_costs_at_most_epsilon(method: str) -> None:
    losses = [case.run() for case in few(method)]
    assert max(found.used for found in losses) > LEAST_USED.get(method, 0.9)  # nor is more noise added than paid for
    assert all(max(found.used, found.stated / found.claimed) <= 1 + 1e-9 for found in losses)


@pytest.mark.parametrize("base", WRAPPED)
def test_a_run_on_a_secret_sample_costs_what_sampling_leaves(base: str) -> None:
    losses = [case.run() for case in cases.sampled(base)]
    assert max(found.used for found in losses) > 0.3


@pytest.mark.parametrize("base", IN_REGIONS)
def test_a_record_in_a_region_costs_the_regions_level(base: str) -> None:
    for case in cases.in_regions(base):
        assert case.claims is not None and min(claim.epsilon for claim in case.claims) < case.budget.epsilon
        assert case.run().used > 0.7


@pytest.mark.parametrize("base", WITH_MAPS)
def test_a_trip_costs_at_most_epsilon_in_the_trips_and_both_maps_together(base: str) -> None:
    assert (
        max(case.shorter(4, 1).run().used for case in cases.with_maps(base)) > 0.9
    )  # nor is more noise added than paid for


@pytest.mark.parametrize("method", ["sample_aggregate", "sample_aggregate_3k", "subsampled:uniform_grid"])
def test_counts_of_any_size_are_listed_up_to_a_bound(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (exact_view, sample_aggregate):
        monkeypatch.setattr(module, "LARGEST_LISTED", 500)
    counted(method, "huge", "add-remove", Budget(epsilon=2.0)).run()


@pytest.mark.parametrize("cases_of", (*rare.GROUPS, *kernels.GROUPS), ids=lambda group: group.__name__)
def test_rare_paths_cost_what_they_claim(cases_of: Callable[[], Iterator[Case]]) -> None:
    losses = [case.run() for case in cases_of()]
    assert losses and all(max(found.used, found.stated / found.claimed) <= 1 + 1e-9 for found in losses)


def test_refusals_say_the_same_whatever_the_data_are() -> None:
    for request in rare.refusals():
        request.run()


def broken(method: str, kind: str = "city", relation: str = "add-remove", epsilon: float = 1.0) -> str:
    with pytest.raises(TranscriptBroken) as caught:
        counted(method, kind, relation, budget_for(method, epsilon)).run()
    return str(caught.value)


def test_a_split_by_exact_counts_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = growth._count_noisily

    def leaking(exact, *rest, **named):  # type: ignore[no-untyped-def]
        noisy, variances = honest(exact, *rest, **named)
        return np.where(exact == 0, 0.0, noisy), variances

    monkeypatch.setattr(growth, "_count_noisily", leaking)
    assert broken("adaptive_tree")


def test_half_the_noise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    scale_for = growth.scale_for
    monkeypatch.setattr(growth, "scale_for", lambda spend: scale_for(spend) / 2)
    assert "costs" in broken("adaptive_tree")


def test_half_the_noise_of_one_part_of_the_budget_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    scale_of_gaussian = covering.scale_of_gaussian
    monkeypatch.setattr(covering, "scale_of_gaussian", lambda length, rho: scale_of_gaussian(length, rho) / 2)
    assert "last step" in broken("balcan")


@pytest.mark.parametrize("records", [5, 10**12, 2**61 // 625, 2**62 // 625 - 1, 2**62 // 625 + 1, 2**54])
def test_a_record_more_never_lowers_a_cost_nor_raises_it_by_more_than_its_own(records: int) -> None:
    """Where the sum would leave 64 bits it stays at 2^62: what selections rest on holds for any count."""
    places, sets = np.array([[25, 0], [3, 4], [90, 90]]), np.array([[[0, 0]], [[25, 0]], [[90, 91]]])
    for place in range(3):
        held = np.array([records, 7, 2**53])
        more = held.copy()
        more[place] += 1
        before, after = (_kernels.lattice_costs(places, times, sets) for times in (held, more))
        own = ((places[place] - sets[:, 0]) ** 2).sum(axis=1)
        assert ((after - before >= 0) & (after - before <= own)).all()
        assert np.array_equal(before, methods.lattice_costs(places, held, sets))


def test_averages_of_any_number_of_records_are_exact() -> None:
    """Sums of coordinates beyond 64 bits are made of two halves."""
    steps, held = np.array([[2**20, 5], [2**20 - 1, 9]]), np.array([2**53, 2**53 - 3])
    image = SimpleNamespace(exact_steps=steps, exact_multiplicity=held)
    labels, total = np.zeros(2, np.int64), 2**54 - 3
    sums = [sum(int(a) * int(b) for a, b in zip(column, held, strict=True)) for column in steps.T]
    found = covering.exact_means(image, labels, np.array([total]), np.zeros((1, 2), np.int64))  # type: ignore[arg-type]
    assert found.tolist() == [[(2 * one + total) // (2 * total) for one in sums]]


def test_costs_of_a_search_fit_whatever_the_counts_are() -> None:
    for kind in ("huge", "heavy"):
        counted("balcan", kind, "add-remove", budget_for("balcan", 2.0)).run()


def test_other_public_facts_are_refused() -> None:
    grid = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16)
    small = ExactCounts.from_array(grid, np.zeros((16, 16)), relation=Adjacency.REPLACE_ONE, public_rows=3)
    large = ExactCounts.from_array(grid, np.zeros((16, 16)), relation=Adjacency.REPLACE_ONE, public_rows=4)
    with pytest.raises(ValueError, match="public facts"):
        check_transcript(catalogue.get("uniform_grid"), small, [large], budget=Budget(epsilon=1.0))


def test_the_coins_of_a_cap_are_each_persons_own() -> None:
    """Without one person, the kept records of all others are the very same, and at most the cap is missing."""
    rng = np.random.default_rng(3)
    keys = np.repeat(rng.integers(1, 2**62, (60, 2)).astype(np.uint64), rng.integers(1, 30, 60), axis=0)
    found = rng.integers(0, 256, len(keys)).astype(np.int32)
    hashed = PersonHash.draw(replayable_source(5))
    whole = np.zeros(256, np.int64)
    count_kept(keys, found, 3, hashed, whole)
    for person in np.unique(keys, axis=0)[:20]:
        others = (keys != person).any(axis=1)
        without = np.zeros(256, np.int64)
        count_kept(keys[others], found[others], 3, hashed, without)
        gone = whole - without
        assert gone.min() >= 0 and 1 <= gone.sum() <= 3


def test_the_counts_of_the_cases_reach_what_they_are_for() -> None:
    assert cells_of("huge").max() == 2**62 and cells_of("metropolis").sum() == 400_000
