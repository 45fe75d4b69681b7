"""What the page Evidence says about privacy: attacks beside exact maxima, and planted bugs.

`python -m dpviz reproduce evidence-attacks --out docs/evidence` and `… evidence-planted …`.
"""

from __future__ import annotations

import time
from pathlib import Path

from dpviz.audit.attacks import CONFIDENCE
from dpviz_research.audit_records import TRIALS, audited, budget_of, measure, recorded
from dpviz_research.half_noise import HALF_NOISE, half_noise_row
from dpviz_research.papers.records import Row, write_record


def attacks(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """The attacks on every method, and those on every method with half its noise.

    `data`: the folder of an earlier record, whose rows are kept; what had too few runs is measured again.
    """
    command = "python -m dpviz reproduce evidence-attacks" + (" --quick" if quick else "")
    origin = {"command": command, "seed": "1000003·side + 17", "data": "made up: 8 × 8 and 64 × 64 cells"}

    def save(rows: list[Row]) -> Path:
        full = sum(row["trials"] >= TRIALS for row in rows)
        return write_record(
            out / "audit-methods.json",
            title="Attacks on every method",
            what=(
                "Two files that differ in one record or one person, chosen to hurt, and what attackers can prove: one "
                "who learns from all that is published, and one who sees every protected number of a run. Beside it "
                "stands the exact maximum: the most that this pair can lose, computed from the declared noise. "
                f"Confidence of each bound: {CONFIDENCE:g}. {full} of {len(rows)} rows have {TRIALS:,} runs or more "
                "on each of the two files; where a run takes long there are fewer, as the row says. Each row names "
                "the commit that it was measured at."
            ),
            kind="audit",
            rows=rows,
            **origin,
        )

    written = save(measure(save, earlier=recorded(data), quick=quick))
    halved = write_record(
        out / "audit-planted.json",
        title="Half the noise in every method",
        what=HALF_NOISE,
        kind="halved",
        rows=[half_noise_row(method, budget_of(method)) for method in audited()],
        **origin,
    )
    return [written, halved]


def planted(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """The battery of planted bugs: what found each of them."""
    from dpviz_research.planting.battery import rows

    started = time.process_time()
    found = list(rows())
    seconds = time.process_time() - started
    bugs = sum(row["bug"] != "none" for row in found)
    return [
        write_record(
            out / "planted.json",
            title="Planted bugs",
            what=(
                f"{bugs} classic privacy bugs were put into the code, one at a time, and each had to be found by its "
                "check; the honest code had to pass every check. The tests do the same at every run. All of it took "
                f"{seconds:.0f} processor seconds."
            ),
            kind="planted",
            rows=found,
            command="python -m dpviz reproduce evidence-planted",
            seed="fixed in each check",
            data="made up: small maps and clouds",
        )
    ]
