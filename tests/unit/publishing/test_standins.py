from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpviz.domain import ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.errors import ExactDataLeak, InputError, LedgerRefusal, NotOffered
from dpviz.ledger.ledger import Ledger
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, SimulatedCounts, standin_request
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import preview, release
from dpviz.publishing.registration import register
from dpviz.publishing.standin import make_standin, sample_from_standin
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

TOTAL = Budget(epsilon=2.0)


@pytest.fixture
def strict(counts: ExactCounts, ledger: Ledger) -> Dataset:
    return register("strict", counts, total=TOTAL, ledger=ledger, standin_share=0.25, who="Ada")


def test_a_stand_in_is_paid_once_at_registration(strict: Dataset, counts: ExactCounts) -> None:
    (charge,) = strict.charges
    assert (charge.purpose, float(charge.amount.epsilon), charge.stored) == ("stand-in", 0.5, True)
    assert strict.has_standin and float(strict.remaining.epsilon) == 1.5
    first, second = make_standin(strict), make_standin(strict)
    assert first.files() == second.files() and len(strict.charges) == 1
    register("strict", counts, total=TOTAL, ledger=strict.ledger, standin_share=0.25)
    assert len(strict.charges) == 1


def test_looking_at_simulations_costs_nothing_more(strict: Dataset) -> None:
    standin = make_standin(strict)
    assert isinstance(standin, Release)
    before = strict.remaining
    simulated = sample_from_standin(standin, 3000)
    for epsilon in (0.1, 1.0):
        assert preview(simulated, 3, Budget(epsilon=epsilon), "uniform_grid", seed=1).status == "preview"
    assert strict.remaining == before


def test_the_stand_ins_share_cannot_be_spent_twice(strict: Dataset) -> None:
    with pytest.raises(LedgerRefusal):
        publish(strict, ReleaseRequest(k=3, budget=Budget(epsilon=1.6), method="uniform_grid"))
    publish(strict, ReleaseRequest(k=3, budget=Budget(epsilon=1.5), method="uniform_grid"))


def test_a_stand_in_cannot_be_bought_later(dataset: Dataset) -> None:
    with pytest.raises(NotOffered, match="registration"):
        make_standin(dataset)
    with pytest.raises(LedgerRefusal, match="registration"):
        publish(dataset, standin_request(Budget(epsilon=0.1)))
    assert dataset.charges == []


def test_another_share_for_the_same_dataset_is_refused(strict: Dataset, counts: ExactCounts) -> None:
    with pytest.raises(LedgerRefusal, match="stand-in share"):
        register("strict", counts, total=TOTAL, ledger=strict.ledger, standin_share=0.5)


def test_a_stand_in_that_a_crash_left_undrawn_completes_under_its_charge(
    counts: ExactCounts, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dpviz.publishing import standin

    with monkeypatch.context() as patched:
        patched.setattr(standin, "publish", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            register("strict", counts, total=TOTAL, ledger=ledger, standin_share=0.25)
    dataset = register("strict", counts, total=TOTAL, ledger=ledger, standin_share=0.25)
    (charge,) = dataset.charges
    assert not charge.stored
    assert make_standin(dataset).status == "published"
    assert [after.number for after in dataset.charges] == [charge.number] and dataset.charges[0].stored


def test_the_label_of_a_stand_in_says_what_it_is(strict: Dataset) -> None:
    assert "Made-up data" in make_standin(strict).files()["PRIVACY.md"].decode()


def test_simulated_data_follow_the_stand_in_and_not_the_records(counts: ExactCounts, add_method: Any) -> None:
    cells = np.zeros((32, 32), np.int64)
    cells[4, 5], cells[20, 25] = 9000, 3000
    data = ExactCounts.from_array(counts.grid, cells)
    standin = release(data, 2, Budget(epsilon=4.0), "uniform_grid", seed=1)
    assert isinstance(standin, Release)
    simulated = sample_from_standin(standin, 8000)
    assert simulated.exact_total == 8000
    north_west = simulated.exact_cells[:16, :16].sum() / 8000
    weights = standin.coreset
    assert weights is not None
    share = weights[(weights.lat > 40.75) & (weights.lon < -73.975)].weight.clip(lower=0).sum()
    assert north_west == pytest.approx(share / weights.weight.clip(lower=0).sum(), abs=0.03)


def test_the_default_number_is_the_stand_ins_own_noisy_total(counts: ExactCounts) -> None:
    standin = release(counts, 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
    assert isinstance(standin, Release)
    assert sample_from_standin(standin).exact_total == round(standin.noisy_total or 0)


def test_the_same_stand_in_gives_the_same_simulated_data(counts: ExactCounts) -> None:
    standin = release(counts, 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
    assert isinstance(standin, Release)
    first, second = sample_from_standin(standin, 500), sample_from_standin(standin, 500)
    other = sample_from_standin(standin, 500, replayable_source(9))
    assert (first.exact_cells == second.exact_cells).all()
    assert (first.exact_cells != other.exact_cells).any()


@pytest.mark.parametrize("n", [0, 1, 25_000_000])
def test_any_number_of_records_can_be_simulated(counts: ExactCounts, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from dpviz.publishing import standin as room

    monkeypatch.setattr(room, "LARGEST_SAMPLE", 20_000)
    standin = release(counts, 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
    assert isinstance(standin, Release)
    assert sample_from_standin(standin, n, side=64).exact_total == pytest.approx(n, rel=1e-3)


@pytest.mark.parametrize("n", [-1, 2.5, True])
def test_a_number_that_cannot_be_simulated_is_refused(counts: ExactCounts, n: Any) -> None:
    standin = release(counts, 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
    with pytest.raises(InputError, match="n="):
        sample_from_standin(standin, n)  # type: ignore[arg-type]


def test_a_stand_in_of_nothing_gives_uniform_records(counts: ExactCounts, add_method: Any) -> None:
    from dpviz.domain import Coreset
    from dpviz.mechanisms.interface import Answer

    add_method(
        "made",
        lambda public, plan: Answer(
            coreset=Coreset(frame=public.frame, positions=np.ones((5, 2)), weights=-np.ones(5))
        ),
    )
    standin = release(counts, 2, Budget(epsilon=0.5), "made", seed=1)
    assert sample_from_standin(standin, 400).exact_total == 400  # type: ignore[arg-type]


def test_simulated_data_say_so_and_the_door_refuses_them(counts: ExactCounts, ledger: Ledger) -> None:
    standin = release(counts, 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
    simulated = sample_from_standin(standin, 500)  # type: ignore[arg-type]
    assert isinstance(simulated, SimulatedCounts) and "Simulated" in repr(simulated)
    assert simulated.standin_id == standin.id
    with pytest.raises(InputError, match="simulated"):
        register("fake", simulated, total=TOTAL, ledger=ledger)
    import pickle

    with pytest.raises(ExactDataLeak):
        pickle.dumps(simulated)


def test_replace_keeps_its_relation_in_simulations(counts: ExactCounts) -> None:
    data = ExactCounts.from_array(counts.grid, counts.to_numpy(), relation="replace")
    standin = release(data, 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
    simulated = sample_from_standin(standin, 500)  # type: ignore[arg-type]
    assert simulated.relation.value == "replace" and simulated.public_rows == 500


def test_stand_ins_of_plain_planes_and_other_boxes_keep_their_frame(counts: ExactCounts) -> None:
    points = ExactPoints.from_array(plain_frame((0.0, -5.0), (1.0, 5.0)), np.random.default_rng(0).random((900, 2)))
    berlin = ExactCounts.from_array(Grid(GeoBox(13.0, 52.3, 13.8, 52.7), 32), counts.to_numpy())
    for data, frame in ((points, points.frame), (berlin, berlin.grid.frame)):
        standin = release(data, 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
        simulated = sample_from_standin(standin, 100)  # type: ignore[arg-type]
        assert (simulated.grid.frame.low, simulated.grid.frame.high) == (frame.low, frame.high)


def test_what_has_no_coreset_or_more_dimensions_cannot_be_sampled(counts: ExactCounts, centers_method: object) -> None:
    with pytest.raises(NotOffered):
        sample_from_standin(release(counts, 2, Budget(epsilon=0.5), "made_centers", seed=1), 5)  # type: ignore[arg-type]
