"""What the page Evidence shows, recorded as JSON: `python -m dpviz reproduce evidence --out docs/evidence`.

Everything is measured on public or made-up data. A slow method gets fewer draws, and its row says how many.
"""

from __future__ import annotations

from pathlib import Path

from dpviz.privacy import DEFAULT_DELTA
from dpviz_research.evidence_rows import RECORDS, SEED, error_rows, group_privacy_rows, speed_rows
from dpviz_research.papers.records import write_record


def record(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Every record; those of the papers are made from their results by papers/document.py."""
    flag = " --quick" if quick else ""
    command = f"python -m dpviz reproduce evidence{flag}"
    return [
        write_record(
            out / "error-by-level.json",
            title="Error of every method by level",
            what=(
                "How much higher the cost of the protected centers is than without protection: the middle of repeated "
                f"draws, on {RECORDS:,} drop-offs drawn from the embedded city. Methods that need δ have "
                f"{DEFAULT_DELTA:g}. Where most draws gave no answer there is no point."
            ),
            kind="accuracy",
            rows=list(error_rows(quick=quick)),
            command=command,
            seed=SEED,
            data=f"nyc-taxi, {RECORDS:,} drop-offs drawn with replacement, seed 0",
        ),
        write_record(
            out / "speed.json",
            title="Speed of every method",
            what=(
                "One release of the whole embedded city (10.2 million drop-offs, already counted), 5 clusters, "
                "ε = 0.5, noise from the secure source: middle of the draws. The machine did other work at the "
                "same time; the CPU seconds are this process's own."
            ),
            kind="table",
            rows=list(speed_rows(quick=quick)),
            command=command,
            seed="none: secure noise",
            data="nyc-taxi, all 10,229,193 drop-offs",
        ),
        write_record(
            out / "groups.json",
            title="A person with many records",
            what=(
                "What a release protects when one person has many records: without a sample, and with a run on a "
                "secret sample of 10,000 of 1,000,000 records (Blocki, Grigorescu, Mukherjee), δ at most 1e-9."
            ),
            kind="table",
            rows=group_privacy_rows(),
            command=command,
            seed="none: exact formulas",
            data="none",
        ),
    ]
