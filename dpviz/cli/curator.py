"""Commands whose results are exact and for the curator: count and evaluate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import AsJson, LedgerFile
from dpviz.cli.parameters.reading import ReadingOptions, SourceOptions, read_records, report_of
from dpviz.cli.terminal.output_paths import COUNTS, Overwrite, claim, existing_ledger
from dpviz.cli.terminal.printing import print_json, print_table, tell
from dpviz.errors import InputError, NoAnswerError


def count(
    asked: ReadingOptions,
    out: Annotated[Path, typer.Option(help="The .npz file to write: exact counts, the curator's own.")],
    overwrite: Overwrite = False,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Count records per cell into a file. The result is EXACT and for the curator: do not publish it.

    'release' and 'evaluate' take the file in place of the records, so that many files need to be read only once.
    """
    from dpviz.ingest import save_counts

    if asked.columns is not None:
        raise InputError("trips with both ends cannot be counted on a grid; leave out --columns.")
    place = claim(out, COUNTS, inputs=asked.files, ledger=ledger, overwrite=overwrite)
    counts = read_records(asked, ledger=existing_ledger(ledger), said=not asked.strict)
    if not isinstance(counts, dpviz.ExactCounts):
        raise InputError(f"{asked.files[0]} holds trips in four dimensions, which cannot be counted on a grid.")
    save_counts(counts, place, overwrite=overwrite)
    cells = f"{counts.grid.side}x{counts.grid.side}"
    tell(
        as_json,
        {"out": str(out), "side": counts.grid.side, "unit": str(counts.unit), **report_of(counts)},
        f"Wrote exact counts on a {cells} grid to {out}. Exact, for the curator: do not publish this file.",
    )


def evaluate(
    asked: SourceOptions,
    release_folder: Annotated[Path, typer.Option("--release", help="A release folder.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Compare a release with the exact answer on the data. The result is EXACT and for the curator.

    Box, grid, relation, person column and cap are those of the release; --person names the column where the file
    calls it otherwise. The records that a cap keeps are those that the ledger's releases were made of.
    """
    loaded = dpviz.Release.load(release_folder)
    if isinstance(loaded, dpviz.NoAnswer):
        raise NoAnswerError(f"{release_folder} holds no answer ({loaded.reason}): there are no centers to evaluate.")
    frame, unit = loaded.frame, loaded.guarantee.unit
    _refuse_another_unit(asked, loaded)
    ends: dict[str, Any] = {"box": (*frame.low, *frame.high), "side": loaded.side or 1024}
    if frame.dims != 2:
        ends = {"frame": frame} | ({"columns": list(frame.names)} if asked.columns is None else {})
    counts = read_records(
        asked,
        ledger=existing_ledger(ledger),
        **ends,
        relation=loaded.guarantee.adjacency.value,
        person=asked.person or unit.person_column,
        cap=unit.cap,
        weight=asked.weight or unit.weight_column,
        weight_unit="record" if unit.weight_column is not None and unit.weight_bound is None else "row",
        weight_bound=None if unit.weight_bound is None else unit.weight_bound * unit.weight_step,
        weight_step=unit.weight_step,
        protect="record" if unit.cap is None else None,
    )
    found = dpviz.evaluate(counts, loaded)
    if as_json:
        print_json(found.to_dict() | report_of(counts))
        return
    print("EXACT numbers, for the curator only.")
    print_table(
        ("measure", "value"),
        [
            ["clustering error against no privacy", f"{100 * found.relative_error:.3g} %"],
            ["average shift of the centers", f"{found.shift_m:.3g} m"],
            ["points in the coreset", str(found.coreset_size)],
        ],
    )


def _refuse_another_unit(asked: SourceOptions, release: dpviz.Release) -> None:
    """What the release protects is written in it; options may repeat that, and nothing else."""
    unit = release.guarantee.unit
    if unit.cap is None and asked.given("person", "cap"):
        raise InputError(f"this release protects {unit}, not a person; leave out {asked.given('person', 'cap')}.")
    if asked.cap is not None and asked.cap != unit.cap:
        raise InputError(
            f"this release was made with a cap of {unit.cap} records per person, not {asked.cap}; leave out --cap."
        )
    if unit.weight_column is None and asked.weight is not None:
        raise InputError(f"this release protects {unit}, without weights; leave out --weight.")
    known = asked.given("weight_unit", "weight_bound") if unit.weight_column is not None else ""
    if known or asked.weight_step not in (1.0, unit.weight_step):
        raise InputError(
            f"what a weight means is written in the release ({unit}); leave out {known or '--weight-step'}."
        )
