"""The first rows of a file, as they stand there, before anything is opened."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dpviz.ingest.tables import first_rows, open_tables


def test_a_file_without_a_header_shows_its_values(tmp_path: Path) -> None:
    file = tmp_path / "plain.csv"
    file.write_text("7;24.94;60.17\n8;24.95;60.16\n" * 9)
    rows = first_rows(open_tables(file)[0])
    assert len(rows) == 5 and rows[0] == {"column_1": "7", "column_2": "24.94", "column_3": "60.17"}


def test_a_header_is_no_row_and_long_or_hostile_values_are_cut(tmp_path: Path) -> None:
    file = tmp_path / "named.csv"
    file.write_text("lon,lat,note\n1,2," + "x" * 500 + "\n3,4,a\x07b\n")
    first, second = first_rows(open_tables(file)[0])
    assert first["lon"] == "1" and len(first["note"]) == 40 and first["note"].endswith("…")
    assert second["note"] == "a?b"


def test_parquet_shows_its_first_rows_and_an_empty_one_none(tmp_path: Path) -> None:
    for rows in (0, 20):
        file = tmp_path / f"{rows}.parquet"
        pq.write_table(pa.table({"lon": pa.array(range(rows), pa.float64()), "lat": [None] * rows}), file)
        found = first_rows(open_tables(file)[0])
        assert len(found) == min(rows, 5)
    assert found[1] == {"lon": "1.0", "lat": ""}
