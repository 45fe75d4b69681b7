"""Commands that publish nothing: methods, odds, units, count, register, preview, and of releases compare, evaluate."""

from __future__ import annotations

from dataclasses import replace
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
    RegistrationOptions,
    RequestOptions,
    Separator,
    chosen_budget,
    in_file,
    in_ledger,
    total_budget,
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


def register(
    asked: ReadingOptions,
    entry: RegistrationOptions,
    total: Annotated[float, in_ledger(help="All the epsilon that this dataset may ever spend.")],
    standin_share: Annotated[
        float,
        in_ledger(
            help="The part of the total, from 0 to below 1, that pays now for a private stand-in to look at instead "
            "of the data ('dpviz preview'). It cannot be bought later. With it the file is read as with --strict."
        ),
    ] = 0.0,
    as_json: AsJson = False,
) -> None:
    """Register a dataset with all it may ever spend, before anything is published or looked at.

    Registering the same again changes nothing. 'dpviz release --dataset NAME' then publishes from its total.

    Example: dpviz register trips.csv --box "New York" --dataset trips-january --total 2 --standin-share 0.2
    """
    name, whole = entry.name(asked.files), total_budget(total)
    book, hidden = entry.open_ledger(name, whole, asked.files)
    strict = asked.strict or standin_share > 0 or hidden  # nobody looks before the stand-in is there, or beside it
    counts = read_records(asked, strict=strict, said=not strict, ledger=book)
    with progress("registering"):
        opened = entry.enter(dpviz.register, name, counts, total=whole, ledger=book, standin_share=standin_share)
    facts = {
        "dataset": opened.name,
        "total_epsilon": opened.total.text()[0],
        "remaining_epsilon": opened.remaining.text()[0],
        "standin": opened.has_standin,
        **report_of(counts, said=not strict),
    }
    spends = f"{opened.name} may spend epsilon {facts['total_epsilon']} in all; {facts['remaining_epsilon']} remains."
    paid = f'Its stand-in is paid for: dpviz preview --dataset "{opened.name}" --k 5'
    tell(as_json, facts, spends, *([paid] if opened.has_standin else []))


def preview(
    dataset: Annotated[str, typer.Option(help="A dataset that was registered with --standin-share.")],
    wanted: RequestOptions,
    draws: Annotated[int, typer.Option(help="Simulated releases per level; the middle one is shown.")] = 5,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Strict preview: what each level would cost in accuracy, simulated on the dataset's private stand-in.

    The records are not read, so nobody has looked at them when the level is chosen. Looking costs nothing more: the
    stand-in was paid for at registration. Without --level and --epsilon every level is shown.

    Example: dpviz preview --dataset trips-january --k 5
    """
    from dpviz.ledger.rows import Amount
    from dpviz.publishing.standin import make_standin, sample_from_standin

    if not 1 <= draws <= 1000:
        raise InputError(f"--draws {draws}: give a number from 1 to 1000.")
    every = wanted.level is None and wanted.epsilon is None
    stops = [replace(wanted, level=stop.number) for stop in dpviz.LEVELS] if every else [wanted]
    requests = {stop.level: stop.request() for stop in stops}  # refused before the search
    opened = dpviz.open_dataset(dataset, ledger=dpviz.Ledger(ledger, create=False))
    standin = make_standin(opened)
    if isinstance(standin, dpviz.NoAnswer):
        raise NoAnswerError(f"the stand-in of {opened.name!r} holds no answer: {standin.reason}.")
    with progress("simulating"):
        rows = _simulated_rows(sample_from_standin(standin), wanted.k, requests, draws)
    for row, request in zip(rows, requests.values(), strict=True):
        row["affordable"] = opened.remaining.covers(Amount.of(request.budget))
    remaining = opened.remaining.text()[0]
    facts = {"dataset": opened.name, "simulated": True, "standin": standin.id, "remaining_epsilon": remaining}
    tell(
        as_json,
        {**facts, "rows": rows},
        f"Simulated on the stand-in of {opened.name}, not on its records. Epsilon {remaining} remains.",
        Table(("level", "epsilon", "added error", "centers moved by", "method"), list(map(_words, rows))),
    )


def _simulated_rows(
    simulated: dpviz.SimulatedCounts, k: int, requests: dict[int | None, dpviz.ReleaseRequest], draws: int
) -> list[dict[str, Any]]:
    """Middle error and shift of some draws at each level; the stand-in's numbers, so protected."""
    import statistics

    from dpviz.evaluation import evaluate, exact_reference

    reference, rows = exact_reference(simulated, k), []
    for level, asked in requests.items():
        row: dict[str, Any] = {"level": level, "epsilon": asked.budget.epsilon, "delta": asked.budget.delta}
        row["reason"], found = None, []
        for _ in range(draws):
            trial = dpviz.preview(simulated, k, asked.budget, asked.method, purpose=asked.purpose)
            row["method"] = trial.method
            if isinstance(trial, dpviz.NoAnswer):
                row["reason"] = str(trial.reason)
            else:
                found.append(evaluate(simulated, trial, reference=reference))
        row["answers"], row["draws"] = len(found), draws
        for name in ("relative_error", "shift_m"):
            row[name] = statistics.median(getattr(each, name) for each in found) if found else None
        rows.append(row)
    return rows


def _words(row: dict[str, Any]) -> list[str]:
    level = "" if row["level"] is None else str(row["level"])
    epsilon = f"{row['epsilon']:g}" + ("" if row["affordable"] else " (more than remains)")
    if not row["answers"]:
        return [level, epsilon, f"no answer: {row['reason']}", "", row["method"]]
    some = "" if row["answers"] == row["draws"] else f" ({row['answers']} of {row['draws']} draws answered)"
    shift = f"{row['shift_m']:.2g}" if row["shift_m"] < 10 else f"{row['shift_m']:.0f}"
    return [level, epsilon, f"{100 * row['relative_error']:.2g} %{some}", f"{shift} m", row["method"]]
