from __future__ import annotations

from dpviz_research import trips_planner


def test_a_row_holds_answer_range_and_truth() -> None:
    first, second = trips_planner.rows(draws=1, sites=(3,), stops=(1,))
    assert (first["end"], second["end"]) == ("pickup", "dropoff")
    for row in (first, second):
        assert row["low"] <= row["answer"] <= row["high"] and 0.0 < row["truth"] < 1.0
        assert row["held"] == (row["low"] <= row["truth"] <= row["high"])
