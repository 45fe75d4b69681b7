"""Points that stay where they are: the same release to the bit, and nothing but sums comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.domain import StreamedPoints
from dpviz.errors import InputError, NothingInBox
from dpviz.ingest import read_points, streaming
from dpviz.mechanisms.adaptive_tree import bisection
from dpviz.mechanisms.adaptive_tree.bisection import ROOT_TURNS, Bisection, halving_order, paths

BOX = (-74.05, 40.70, -73.90, 40.80)
ENDS = ["plon", "plat", "dlon", "dlat"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(4)
    middles = np.array([[-73.98, 40.75, -73.96, 40.77], [-73.99, 40.73, -74.0, 40.72]])
    places = middles[rng.integers(0, 2, 30_000)] + rng.normal(0, 0.008, (30_000, 4))
    places[::400] = np.nan
    path = tmp_path_factory.mktemp("trips") / "trips.parquet"
    table = pd.DataFrame(places, columns=ENDS).assign(seats=rng.integers(0, 4, 30_000))
    table.to_parquet(path, row_group_size=4000)
    return path


def both(file: Path, **options: Any) -> tuple[dpviz.ExactPoints, dpviz.ExactPoints]:
    return tuple(read_points(file, columns=ENDS, box=BOX, stream=stream, **options) for stream in (False, True))  # type: ignore[return-value]


@pytest.mark.parametrize("turns", [22, 9, 5])
def test_a_release_of_streamed_points_has_the_same_bits(
    file: Path, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With small tables the records are read again and again; the numbers stay."""
    monkeypatch.setattr(bisection, "TABLE_TURNS", turns)
    here, there = both(file)
    assert isinstance(there, StreamedPoints) and there.exact_total == here.exact_total
    one, other = (dpviz.release(data, 3, dpviz.Budget(epsilon=2.0), "adaptive_tree", seed=1) for data in (here, there))
    assert isinstance(one, dpviz.Release) and isinstance(other, dpviz.Release)
    assert (one.raw_centers == other.raw_centers).all()
    assert one.raw_coreset is not None and other.raw_coreset is not None
    assert (one.raw_coreset == other.raw_coreset).all()
    assert len(there._cube) == 0, "no row was kept"  # type: ignore[attr-defined]


def test_exact_counts_of_any_boxes_are_those_of_sorted_records(file: Path) -> None:
    here, there = both(file)
    assert isinstance(there, StreamedPoints)
    plain, asked = Bisection(here), bisection.StreamedBisection(there)
    codes = paths(here.exact_cube, halving_order(here.frame))
    for depth in (0, 3, 17, 18, 30, 44, 20):
        nodes = np.unique(codes >> (len(plain.axes) - ROOT_TURNS - depth))[:3000]
        nodes = np.concatenate([nodes, nodes[:5] ^ 1])
        assert (plain.exact_counts(depth, nodes) == asked.exact_counts(depth, nodes)).all()
    assert len(asked.exact_counts(3, nodes[:0])) == 0


def test_weights_the_relation_and_grids_are_the_same(file: Path) -> None:
    for options in ({"weight": "seats", "weight_bound": 2}, {"relation": "replace"}):
        here, there = both(file, **options)
        assert (here.exact_total, here.public_rows) == (there.exact_total, there.public_rows)
        assert (here.to_numpy() == there.to_numpy()).all()
    flat = {"columns": ENDS[:2], "box": BOX}
    one, other = read_points(file, **flat), read_points(file, stream=True, **flat)
    assert (one.to_counts(64).to_numpy() == other.to_counts(64).to_numpy()).all()


def test_the_digest_knows_the_content_and_not_its_order(file: Path, tmp_path: Path) -> None:
    table = pd.read_parquet(file)
    shuffled, changed = tmp_path / "shuffled.parquet", tmp_path / "changed.parquet"
    table.sample(frac=1, random_state=1).to_parquet(shuffled)
    table.assign(plon=table["plon"].where(table.index != 7, -73.97)).to_parquet(changed)
    digests = [both(path)[1].keyed_digest(b"key") for path in (file, shuffled, changed)]
    assert digests[0] == digests[1] != digests[2]


def test_auto_asks_records_where_they_are_and_other_methods_are_refused_whatever_their_number(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The number of records is secret, so no refusal may depend on it."""
    _, there = both(file)
    assert dpviz.release(there, 4, dpviz.Budget(epsilon=0.5), seed=1).method == "adaptive_tree"
    monkeypatch.setattr(streaming.RowsHere, "gathered", lambda _: pytest.fail("records were gathered"))
    ledger = dpviz.Ledger(tmp_path / "ledger.sqlite3")
    dataset = dpviz.register("trips", there, total=dpviz.Budget(epsilon=1.0), ledger=ledger)
    request = dpviz.ReleaseRequest(k=3, budget=dpviz.Budget(epsilon=1.0), method="noisy_lloyd")
    with pytest.raises(InputError, match=r"needs all records in one place.*stream=False"):
        dpviz.publish(dataset, request)
    assert dataset.remaining.epsilon == 1.0


def test_what_cannot_be_streamed_is_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="person cap needs all rows"):
        read_points(file, columns=ENDS, box=BOX, stream=True, person="seats", cap=2)
    with pytest.raises(NothingInBox):
        read_points(file, columns=ENDS, box=(0, 0, 1, 1), stream=True)
    copied = tmp_path / "trips.parquet"
    copied.write_bytes(file.read_bytes())
    there = read_points(copied, columns=ENDS, box=BOX, stream=True)
    pd.read_parquet(file)[:100].to_parquet(copied)
    with pytest.raises(InputError, match="changed while"):
        dpviz.release(there, 2, dpviz.Budget(epsilon=1.0), seed=1)
    with pytest.raises(InputError, match="changed while"):
        _ = there.exact_cube


@pytest.mark.slow
def test_workers_answer_with_sums_and_send_no_rows(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = read_points(file, columns=ENDS, box=BOX)
    there = read_points([file, file], columns=ENDS, box=BOX, engine="dask")
    assert isinstance(there, StreamedPoints) and there.exact_total == 2 * here.exact_total

    def refused(_: Any) -> None:
        raise AssertionError("rows were gathered")

    monkeypatch.setattr(streaming.RowsHere, "gathered", refused)
    twice = read_points([file, file], columns=ENDS, box=BOX)
    one, other = (dpviz.release(data, 3, dpviz.Budget(epsilon=1.0), "adaptive_tree", seed=2) for data in (twice, there))
    assert isinstance(one, dpviz.Release) and isinstance(other, dpviz.Release)
    assert (one.raw_centers == other.raw_centers).all()
