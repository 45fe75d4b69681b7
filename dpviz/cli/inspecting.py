"""Commands that look and publish nothing: methods, odds, compare; with exact numbers: units, count, evaluate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import (
    AsJson,
    Decimal,
    Epsilon,
    Header,
    LedgerFile,
    Level,
    Separator,
    chosen_budget,
    in_file,
)
from dpviz.cli.parameters.reading import ReadingOptions, SourceOptions, read_records, report_of
from dpviz.cli.terminal.output_paths import COUNTS, Overwrite, claim, existing_ledger
from dpviz.cli.terminal.printing import Table, progress, tell
from dpviz.errors import InputError, NoAnswerError


def methods(as_json: AsJson = False) -> None:
    """List the methods: name, guarantee, relations, dimensions, vetted or not."""
    rows = dpviz.methods()
    names = ("name", "title", "guarantee", "adjacencies", "dims", "gives_coreset", "vetted")
    columns = (*names, "package") if any(row["package"] for row in rows) else names
    spans = [" to ".join(dict.fromkeys(map(str, row["dims"]))) for row in rows]  # 2, or 1 to 12
    tell(as_json, rows, Table(columns, [row | {"dims": span} for row, span in zip(rows, spans, strict=True)]))


def odds(
    level: Level = None,
    epsilon: Epsilon = None,
    delta: Annotated[float, typer.Option(help="The delta of the release, if it has one.")] = 0.0,
    trips: Annotated[
        list[int] | None,
        typer.Option(help="Records of one person; may be given several times. Default: 1, 2, 5, 10, 20, 50, 100."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a level means for somebody with several trips in a file that has no person column.

    The promise for one record holds for g records of one person with g times the epsilon. The last column is for a
    guesser who knows all other records and tries to tell whether this person is in the file; tossing a coin gives 50.

    Example: dpviz odds --level 6 --trips 1 --trips 10
    """
    from dpviz.privacy import group_table, out_of_100

    base, many = chosen_budget(level, epsilon, delta, "auto"), trips or [1, 2, 5, 10, 20, 50, 100]
    rows = [
        {
            "trips": row["records"],
            "epsilon": row["epsilon"],
            "delta": row["delta"],
            "right_of_100": out_of_100(float(str(row["epsilon"])), float(str(row["delta"]))),
        }
        for row in group_table(base, many, relation=dpviz.Adjacency.ADD_REMOVE_ONE)
    ]
    tell(as_json, rows, Table(("trips", "epsilon", "delta", "right_of_100"), rows))


def compare(
    first: Annotated[Path, typer.Argument(help="A release folder.")],
    second: Annotated[Path, typer.Argument(help="Another release folder of the same box.")],
    as_json: AsJson = False,
) -> None:
    """Compare the centers of two releases: matched pairs and how far apart they are. Looks at protected things only."""
    import numpy as np

    from dpviz.clustering import match_centers

    one, two = dpviz.Release.load(first), dpviz.Release.load(second)
    if one.frame != two.frame:
        raise InputError("the two releases have different boxes and cannot be compared.")
    here, there = one.protected_centers.positions, two.protected_centers.positions
    away = f"distance_{one.frame.metric}"
    rows = [
        {"first": int(i) + 1, "second": int(j) + 1, away: round(float(np.linalg.norm(here[i] - there[j])), 2)}
        for i, j in match_centers(here, there)
    ]
    rows.sort(key=lambda row: row["first"])
    tell(as_json, rows, Table(("first", "second", away), rows))


def units(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="CSV, Parquet or GeoJSON files, folders, globs.")],
    lon: Annotated[str | None, in_file(help="The column that holds longitudes.")] = None,
    lat: Annotated[str | None, in_file(help="The column that holds latitudes.")] = None,
    separator: Separator = None,
    decimal: Decimal = None,
    header: Header = None,
    as_json: AsJson = False,
) -> None:
    """Show which columns may tell persons apart, how many rows each has, and what a cap keeps. For the curator alone.

    The numbers are exact: do not publish them. The column and the cap that you choose are public and stand in every
    release.

    Example: dpviz units trips.csv
    """
    from dpviz.ingest.sources import TextForm
    from dpviz.ingest.units.person_columns import best_person, look_at_units, record_sentence

    with progress("looking"):
        form = TextForm(separator=separator, decimal=decimal, header=header)
        looks = look_at_units(files if len(files) > 1 else files[0], lon=lon, lat=lat, form=form)
    proposed = best_person(looks)
    facts = [
        {
            "column": look.name,
            "what": look.verdict.value,
            "rows": look.exact_rows,
            "values": look.exact_values,
            "most_rows_of_one_value": look.exact_most,
            "kept_at_cap": {str(cap): kept for cap, kept in look.exact_kept},
        }
        for look in looks
    ]
    names = ("column", "what", "rows", "values", "most_rows_of_one_value")
    cells = [[f"{row[name]:,}" if row["rows"] else "" for name in names[2:]] for row in facts]
    said = ["No column may tell persons apart: what is protected is one row (--unit record)."]
    if proposed is not None:
        then = f'Then: --person "{proposed.name}" --cap {proposed.advised_cap}. Or: --unit record.'
        said = [str(proposed.proposal), str(proposed.advice), record_sentence(proposed), then]
    tell(
        as_json,
        {
            "exact": True,
            "proposed": None if proposed is None else proposed.name,
            "advised_cap": None if proposed is None else proposed.advised_cap,
            "columns": facts,
        },
        Table(names, [[row["column"], row["what"], *numbers] for row, numbers in zip(facts, cells, strict=True)]),
        "",
        *said,
    )


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
    rows = [
        ["clustering error against no privacy", f"{100 * found.relative_error:.3g} %"],
        ["average shift of the centers", f"{found.shift_m:.3g} m"],
        ["points in the coreset", str(found.coreset_size)],
    ]
    facts = found.to_dict() | report_of(counts)
    tell(as_json, facts, "EXACT numbers, for the curator only.", Table(("measure", "value"), rows))


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
