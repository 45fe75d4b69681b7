"""Commands before the first release: register a dataset, and preview on its private stand-in."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import (
    AsJson,
    LedgerFile,
    RegistrationOptions,
    RequestOptions,
    in_ledger,
    total_budget,
)
from dpviz.cli.parameters.reading import ReadingOptions, read_records, report_of
from dpviz.cli.terminal.output_paths import ledger_at
from dpviz.cli.terminal.printing import Table, progress, tell
from dpviz.errors import InputError, NoAnswerError


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
    from dpviz.publishing.datasets import check_registration, looked_at_through_standin

    name = entry.name(asked.files)
    whole, book = total_budget(total), ledger_at(entry.ledger, asked.files)
    check_registration(name, total=whole, ledger=book)
    # nobody looks before the stand-in is there, or beside it
    strict = asked.strict or standin_share > 0 or looked_at_through_standin(name, ledger=book)
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
