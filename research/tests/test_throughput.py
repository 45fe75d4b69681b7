"""The table of `dpviz bench noise`."""

from __future__ import annotations

from dpviz_research.throughput import measure


def test_the_throughput_table_covers_both_sources() -> None:
    rows = measure(draws=200, repeats=1)
    assert {row["source"] for row in rows} == {"secure", "replayable"}
    assert len(rows) == 22
    assert all(row["cpu_seconds"] >= 0 and row["draws"] > 0 for row in rows)  # type: ignore[operator]
