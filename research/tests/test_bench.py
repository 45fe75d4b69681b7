"""Benchmarks: every name of the registry can be run, what they compare is the same, and memory is of one process."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import polars
import pytest

from dpviz.errors import DpvizError, InputError
from dpviz_research import bench_billion, bench_ingest, bench_trips, own_environment
from dpviz_research.bench import BENCHMARKS, run_benchmark
from dpviz_research.synthetic import synthetic_city


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_name_leads_to_a_function_that_can_be_quick(name: str) -> None:
    module, function, what = BENCHMARKS[name]
    assert "quick" in inspect.signature(getattr(import_module(module), function)).parameters and what


def test_a_size_is_refused_where_none_can_be_set() -> None:
    with pytest.raises(InputError, match="--records"):
        run_benchmark("kmeans", records=5)
    with pytest.raises(InputError, match="16 or more"):
        run_benchmark("billion", records=15)


@pytest.mark.slow
def test_streamed_records_are_all_counted_as_the_local_engine_counts_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Parts of at most 100 records, so that 4,800 records are 16 parts listed three times."""
    monkeypatch.setattr(bench_billion, "LARGEST_PART", 100)
    small, large, *tenths = run_benchmark("billion", quick=True, records=4800, out=tmp_path)
    assert (small["records"], large["records"], len(tenths)) == (400, 4800, 10)
    assert all(row["all_counted"] and row["identical_to_local"] for row in (small, large))
    assert large["largest_worker_mb"] > 20 and large["records_per_second"] > 0
    header = (tmp_path / "bench_billion.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.startswith("what,records,all_counted,identical_to_local")


def test_a_lost_part_would_be_noticed(tmp_path: Path) -> None:
    parts = bench_billion.write_parts(tmp_path, 50)
    whole = bench_billion.expected(parts * 2, 64)
    assert whole.sum() == 2 * 16 * 50
    assert not np.array_equal(whole, bench_billion.expected([*parts * 2][1:], 64))


@pytest.fixture
def city(tmp_path: Path) -> Path:
    points = synthetic_city(3000, seed=2)
    table = polars.DataFrame({"lon": points[:, 0], "lat": points[:, 1]})
    table.write_parquet(tmp_path / "city.parquet")
    table.write_csv(tmp_path / "city.csv")
    return tmp_path


@pytest.mark.parametrize(("engine", "kind"), [pair for pair in bench_ingest.ENGINES if "dask" not in pair[0]])
def test_engines_and_references_count_the_same(city: Path, engine: str, kind: str) -> None:
    found = bench_ingest.measured(engine, str(city / f"city.{kind}"), "64")
    points = synthetic_city(3000, seed=2)
    assert found["checksum"] == bench_ingest.checksum(bench_ingest.binned(points[:, 0], points[:, 1], 64))


@pytest.mark.slow
def test_an_engine_in_its_own_process_is_compared_with_the_right_counts(city: Path) -> None:
    right = bench_ingest.measured("dpviz local", str(city / "city.parquet"), "64")["checksum"]
    row = bench_ingest.best_of("dpviz dask", city / "city.csv", 64, 1, right=right)
    assert row["identical"] and row["largest_worker_mb"] > 20 and row["peak_mb"] > 20
    assert not bench_ingest.best_of("dpviz local", city / "city.csv", 64, 1, right="other")["identical"]
    with pytest.raises(DpvizError, match="ended with code"):
        bench_ingest.in_own_process("dpviz local", city / "gone.csv", 64)


def peak_in_a_new_process(before: str) -> float:
    code = f"{before}\nfrom dpviz_research.memory import peak_megabytes\nprint(peak_megabytes())"
    done = subprocess.run(
        [sys.executable, "-c", code], env=own_environment(), capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def test_memory_is_the_highest_of_a_process_and_not_of_its_parent() -> None:
    held = b"x" * (300 << 20)  # in this process, the parent
    without = peak_in_a_new_process("")
    freed = peak_in_a_new_process("held = b'x' * (100 << 20)\ndel held")
    assert len(held) == 300 << 20 and without < 300 and freed > 100
    assert freed > without


@pytest.mark.slow
def test_trips_through_workers_give_the_same_release_as_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench_trips, "LARGEST_PART", 200)
    once, often, *tenths = run_benchmark("billion_trips", quick=True, records=16 * 400, out=tmp_path)
    assert (once["records"], often["records"], len(tenths)) == (3200, 6400, 10)
    assert all(row["all_counted"] and row["identical_to_local"] for row in (once, often))
