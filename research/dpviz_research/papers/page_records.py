"""Records for the page Evidence that are made from the result files of reproductions; nothing is measured here."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from dpviz_research.papers.records import Row, write_record

UNITS = ("cpu_seconds", "seconds")
LEAST = 1e-9  # an error at or below this is recorded as this


def read(folder: Path, name: str) -> list[dict[str, str]]:
    """A result file as rows of text."""
    return list(csv.DictReader((folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()))


def commits(lines: Sequence[Mapping[str, str]]) -> str:
    """The commits at which rows were measured."""
    return ", ".join(dict.fromkeys(line["commit"] for line in lines))


def run_times(folder: Path, out: Path) -> Path:
    """The run times beside the results, for the page Evidence."""
    from dpviz_research.reproduce import REPRODUCTIONS

    order = list(REPRODUCTIONS)
    found = read(folder, "run-times")
    rows: list[Row] = [
        {
            "name": row["name"],
            "what": REPRODUCTIONS[row["name"]].title,
            "cpu_seconds": float(row["cpu_seconds"]),
            "seconds": float(row["seconds"]),
        }
        for row in sorted(
            (row for row in found if row["name"] in REPRODUCTIONS), key=lambda row: order.index(row["name"])
        )
        if row["quick"] == "True"
    ]
    rows.append({"name": "together", "what": "", **{unit: sum(row[unit] for row in rows) for unit in UNITS}})
    return write_record(
        out / "run-times.json",
        title="Run times of the reproductions",
        what=(
            "Seconds of `python -m dpviz reproduce NAME --quick`. The machine did much other work at the same time: "
            "the CPU seconds are the work itself."
        ),
        kind="table",
        rows=rows,
        command="python -m dpviz reproduce NAME --quick --data DIR --out docs/reproduction",
        seed="those of each name",
        data="S1, Adult-num, Lifesci from files; the embedded and the synthetic city",
        measured_at=commits(found),
    )


def su2016(folder: Path, out: Path) -> Path:
    """Figures 1 and 5 as relative errors."""
    rows: list[Row] = []
    seen = set()
    lines = [*read(folder, "su2016-fig1"), *read(folder, "su2016-fig5")]
    for line in lines:
        key = (line["data"], line["method"], line["epsilon"])
        if key in seen:
            continue
        seen.add(key)
        rows.append(
            {
                "data": line["data"],
                "n": int(line["n"]),
                "k": int(line["k"]),
                "dims": int(line["dims"]),
                "epsilon": float(line["epsilon"]),
                "method": line["method"],
                "median": max(LEAST, float(line["nicv_median"]) / float(line["nicv_not_private"]) - 1),
                "nicv_mean": float(line["nicv_mean"]),
                "draws": int(line["repetitions"]),
                "data_sha256": line["data_sha256"],
            }
        )
    return write_record(
        out / "su2016.json",
        title="Su et al. 2016, Figures 1 and 5: methods of the paper",
        what=(
            "How much higher the cost of the protected centers is than without protection: middle of the draws. Each "
            "attribute is scaled to [−1, 1] as in the paper. A stand-in is made-up data of the same size, not the data "
            "of that name."
        ),
        kind="accuracy",
        rows=rows,
        command="python -m dpviz reproduce su2016-fig1 (and su2016-fig5) --quick --data DIR --out docs/reproduction",
        seed=2016,
        data="see the rows",
        measured_at=commits(lines),
    )


def su2016_printed(folder: Path, out: Path) -> Path:
    """Every number printed in the paper's text beside ours."""
    lines = read(folder, "su2016-printed")
    rows: list[Row] = [
        {
            "data": line["data"],
            "method": line["method"],
            "epsilon": float(line["epsilon"]),
            "printed_in_the_paper": float(line["printed_in_paper"]) if line["printed_in_paper"] else None,
            "measured_mean": float(line["nicv_mean"]),
            "quartile_1": float(line["nicv_quartile_1"]),
            "quartile_3": float(line["nicv_quartile_3"]),
            "not_private": float(line["nicv_not_private"]),
            "draws": int(line["repetitions"]),
        }
        for line in lines
    ]
    return write_record(
        out / "su2016-printed.json",
        title="Su et al. 2016: numbers printed in the text",
        what="Mean squared distance to the nearest center (NICV): mean of the draws, and the paper's number.",
        kind="table",
        rows=rows,
        command="python -m dpviz reproduce su2016-printed --data DIR --out docs/reproduction",
        seed=2016,
        data="see the rows",
        measured_at=commits(lines),
    )
