"""The long battery: all cases with many seeds, worst losses a method, and which lines and branches the runs walk."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

from dpviz_research.papers.records import Row, commit, write_record
from dpviz_research.transcripts import walking
from dpviz_research.transcripts.cases import Case, all_few, methods, more
from dpviz_research.transcripts.kernels import in_kernels
from dpviz_research.transcripts.rare import rare, refusals

PARTS, PARTS_UNCOMPILED = 12, 6  # small ones: a call that is ended loses little
AT_ONCE = 2  # processes
COUNTED = ("transcripts", "forced_runs", "questions")
WORST = ("worst_share_of_epsilon", "worst_exact_ratio", "stated_share")


def run_all(seeds: Iterable[int], part: int = 0, parts: int = 1) -> list[Row]:
    """A row a method: how many runs, and the worst of everything. With seed 0 come the cases that are run once."""
    found: dict[str, Row] = {}
    for case, seed in islice(_runs(seeds), part, None, parts):
        loss = case.run(seed)
        one = {
            "method": case.method,
            "transcripts": 1,
            "forced_runs": len(case.neighbours) + len(case.others),
            "questions": loss.steps,
            "worst_share_of_epsilon": loss.used,
            "worst_exact_ratio": abs(loss.realised) / loss.claimed,
            "stated_share": loss.stated / loss.claimed,
        }
        add(found, one)
    return list(found.values())


def add(found: dict[str, Row], one: Row) -> None:
    """What was counted is added up; of the rest the worst is kept."""
    row = found.setdefault(one["method"], {"method": one["method"], **dict.fromkeys((*COUNTED, *WORST), 0)})
    for name in COUNTED:
        row[name] += one[name]
    for name in WORST:
        row[name] = max(row[name], one[name])


def _runs(seeds: Iterable[int]) -> Iterator[tuple[Case, int]]:
    for seed in seeds:
        if seed == 0:
            yield from ((case, 0) for case in (*rare(), *in_kernels(), *more()))
        yield from ((case, seed) for case in all_few())


def run_smallest(part: int = 0, parts: int = 1) -> None:
    """What uncompiled kernels do in a moment."""
    for case in islice((one for one in (*all_few(), *rare(), *in_kernels()) if one.small), part, None, parts):
        case.shorter(2, 1).run()


def main() -> None:
    """Run, measure and write two records for the page *Evidence*."""
    parser = argparse.ArgumentParser(prog="python -m dpviz_research.transcripts", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for finished parts: the same call goes on where one ended")
    parser.add_argument("--first", type=Path, help="run a part of seed 0 and write the rows into this file")
    parser.add_argument("--part", type=int, default=0, help="with --first: which part of the cases")
    given = parser.parse_args()
    if given.first is not None:
        rows = run_all([0], given.part, PARTS)
        if given.part == 0:
            for request in refusals():
                request.run()
        given.first.write_text(json.dumps(rows), encoding="utf-8")
    elif given.out is None:
        parser.error("give --out FOLDER")
    else:
        with tempfile.TemporaryDirectory() as name:
            folder = given.keep or Path(name)
            folder.mkdir(parents=True, exist_ok=True)
            record(given.seeds, given.out, folder)


def record(seeds: int, out: Path, folder: Path) -> None:
    """Seed 0 and its coverage, the smallest cases uncompiled, the other seeds, side by side; then two records."""
    measured_at = commit()
    written = [folder / f"rows-{part}.json" for part in range(PARTS)]
    rest = [folder / f"rows-of-seed-{seed}.json" for seed in range(1, seeds)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = []
        for part, place in enumerate(written):
            module = "dpviz_research.transcripts"
            runs.append(pool.submit(walking.walked, folder, module, "--part", str(part), "--first", str(place)))
        for part in range(PARTS_UNCOMPILED):
            module = "dpviz_research._uncompiled_kernels"
            runs.append(pool.submit(walking.walked, folder, module, str(part), str(PARTS_UNCOMPILED)))
        files = walking.file_rows([run.result() for run in runs])
    for seed, place in enumerate(rest, start=1):
        if not place.is_file():
            place.write_text(json.dumps(run_all([seed])), encoding="utf-8")
    found: dict[str, Row] = {}
    for place in (*written, *rest):
        for row in json.loads(place.read_text(encoding="utf-8")):
            add(found, row)
    origin = {
        "command": f"python -m dpviz_research.transcripts --seeds {seeds} --out docs/evidence",
        "seed": f"0 to {seeds - 1}, replayable noise",
        "data": "made up: empty, towns, one heavy cell, counts of 10^14 and 2^62; points in 1 to 12 dimensions",
        "measured_at": measured_at,
    }
    _write_losses(out, in_order(found), files, origin)
    _write_coverage(out, files, origin)


def in_order(found: dict[str, Row]) -> list[Row]:
    """Methods as the catalogue lists them, then what is made of them, then single steps."""
    first = methods()
    places = {name: place for place, name in enumerate(first)}

    def place(name: str) -> tuple[int, int, str]:
        return name.startswith("step: "), places.get(name, len(first)), name

    return [found[name] for name in sorted(found, key=place)]


def _write_losses(out: Path, rows: list[Row], files: list[Row], origin: dict[str, Any]) -> None:
    runs = sum(row["transcripts"] + row["forced_runs"] for row in rows)
    write_record(
        out / "transcripts.json",
        title="What a transcript can tell, exactly",
        what=(
            "Each run's protected numbers are forced on neighbouring and on wholly other data: all must be asked and "
            "answered the same. The worst cost of the steps that a neighbour touches, the worst exact logarithm of the "
            "ratio of probabilities, and what all steps state, as shares of what is claimed: 1 is all of it, and none "
            f"may be above. {runs:,} runs. Beside it: how many of the lines and branches of all mechanisms that a "
            "method uses, compiled kernels and shared parts with it, these runs walk. Branches that only refuse a "
            "request are counted apart, plain twins of kernels left out."
        ),
        kind="transcripts",
        rows=[row | walking.method_shares(row["method"], files) for row in rows],
        **origin,
    )


def _write_coverage(out: Path, files: list[Row], origin: dict[str, Any]) -> None:
    shares = [f"{walking.share(files, what):.1%} of {what}" for what in ("lines", "branches")]
    write_record(
        out / "transcripts-coverage.json",
        title="Which lines and branches the forced transcripts walk",
        what=(
            f"Mechanisms and noise, by these runs alone: {' and '.join(shares)}, without branches that only refuse a "
            "request (they raise an error; counted apart, and walked by the tests of refusals). Compiled kernels were "
            "measured uncompiled, on the smallest cases. Left out: plain twins of kernels, for tests; "
            + "; ".join(f"{Path(name).name} ({why})" for name, why in walking.LEFT_OUT.items())
            + "."
        ),
        kind="walked",
        rows=files,
        **origin,
    )


if __name__ == "__main__":
    main()
