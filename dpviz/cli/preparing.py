"""Commands before the first release: register a dataset, and preview on its private stand-in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpviz.cli.parameters.options import (
    LEDGER,
    PRIVACY,
    AsJson,
    Delta,
    Epsilon,
    LedgerFile,
    Level,
    Method,
    OtherPeople,
    PurposeOption,
    SamePeople,
    Why,
)
from dpviz.cli.parameters.reading import ReadingOptions, read_records, report_of
from dpviz.cli.parameters.values import (
    chosen_budget,
    chosen_name,
    quiet_registration,
    say_notice,
    total_budget,
    user_name,
)
from dpviz.cli.terminal.output_paths import ledger_at
from dpviz.cli.terminal.printing import print_json, print_table, progress
from dpviz.errors import InputError, NoAnswerError

if TYPE_CHECKING:
    from dpviz.privacy import Budget
    from dpviz.publishing.datasets import SimulatedCounts


def register(
    asked: ReadingOptions,
    total: Annotated[
        float, typer.Option(help="All the epsilon that this dataset may ever spend.", rich_help_panel=LEDGER)
    ],
    dataset: Annotated[
        str | None,
        typer.Option(
            help="Its name in the ledger, published with every release; default: the file's name.",
            rich_help_panel=LEDGER,
        ),
    ] = None,
    standin_share: Annotated[
        float,
        typer.Option(
            help="The part of the total, from 0 to below 1, that pays now for a private stand-in to look at instead "
            "of the data ('dpviz preview'). It cannot be bought later. With it the file is read as with --strict.",
            rich_help_panel=LEDGER,
        ),
    ] = 0.0,
    same_people: SamePeople = "",
    other_people: OtherPeople = "",
    ledger: LedgerFile = None,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Register a dataset with all it may ever spend, before anything is published or looked at.

    Registering the same again changes nothing. 'dpviz release --dataset NAME' then publishes from its total.

    Example: dpviz register trips.csv --box "New York" --dataset trips-january --total 2 --standin-share 0.2
    """
    from dpviz.publishing.datasets import check_registration, looked_at_through_standin
    from dpviz.publishing.registration import register as enter

    name = chosen_name(dataset, asked.files)
    whole, book = total_budget(total), ledger_at(ledger, asked.files)
    check_registration(name, total=whole, ledger=book)
    # nobody looks before the stand-in is there, or beside it
    strict = asked.strict or standin_share > 0 or looked_at_through_standin(name, ledger=book)
    counts = read_records(
        asked, strict=strict, said=not strict, noise=book.cap_source() if asked.person is not None else None
    )
    with quiet_registration(), progress("registering"):
        opened = enter(
            name,
            counts,
            total=whole,
            ledger=book,
            standin_share=standin_share,
            same_people=same_people,
            other_people=other_people,
            who=user_name(),
            why=why,
        )
    say_notice(opened)
    facts = {
        "dataset": opened.name,
        "total_epsilon": opened.total.text()[0],
        "remaining_epsilon": opened.remaining.text()[0],
        "standin": opened.has_standin,
        **report_of(counts, said=not strict),
    }
    if as_json:
        print_json(facts)
        return
    print(f"{opened.name} may spend epsilon {facts['total_epsilon']} in all; {facts['remaining_epsilon']} remains.")
    if opened.has_standin:
        print(f'Its stand-in is paid for: dpviz preview --dataset "{opened.name}" --k 5')


def preview(
    dataset: Annotated[str, typer.Option(help="A dataset that was registered with --standin-share.")],
    k: Annotated[int, typer.Option("--k", help="Number of clusters, 1 to 4096.", rich_help_panel=PRIVACY)],
    level: Level = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    method: Method = "auto",
    purpose: PurposeOption = "centers",
    draws: Annotated[int, typer.Option(help="Simulated releases per level; the middle one is shown.")] = 5,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Strict preview: what each level would cost in accuracy, simulated on the dataset's private stand-in.

    The records are not read, so nobody has looked at them when the level is chosen. Looking costs nothing more: the
    stand-in was paid for at registration. Without --level and --epsilon every level is shown.

    Example: dpviz preview --dataset trips-january --k 5
    """
    from dpviz.ledger.amounts import Amount
    from dpviz.ledger.ledger import Ledger
    from dpviz.privacy import LEVELS
    from dpviz.publishing.datasets import open_dataset
    from dpviz.publishing.standin import make_standin, sample_from_standin
    from dpviz.releases.release import NoAnswer

    if not 1 <= draws <= 1000:
        raise InputError(f"--draws {draws}: give a number from 1 to 1000.")
    if level is None and epsilon is None:
        stops: list[int | None] = [stop.number for stop in LEVELS]
    else:
        stops = [level]
    budgets = [chosen_budget(stop, epsilon, delta, method) for stop in stops]
    opened = open_dataset(dataset, ledger=Ledger(ledger, create=False))
    standin = make_standin(opened)
    if isinstance(standin, NoAnswer):
        raise NoAnswerError(f"the stand-in of {opened.name!r} holds no answer: {standin.reason}.")
    with progress("simulating"):
        simulated = sample_from_standin(standin)
        rows = _simulated_rows(simulated, k, stops, budgets, method, purpose, draws)
    for row, budget in zip(rows, budgets, strict=True):
        row["affordable"] = opened.remaining.covers(Amount.of(budget))
    remaining = opened.remaining.text()[0]
    if as_json:
        facts = {"dataset": opened.name, "simulated": True, "standin": standin.id, "remaining_epsilon": remaining}
        print_json({**facts, "rows": rows})
        return
    print(f"Simulated on the stand-in of {opened.name}, not on its records. Epsilon {remaining} remains.")
    columns = ("level", "epsilon", "added error", "centers moved by", "method")
    print_table(columns, [_words(row) for row in rows])


def _simulated_rows(
    simulated: SimulatedCounts,
    k: int,
    stops: list[int | None],
    budgets: list[Budget],
    method: str,
    purpose: str,
    draws: int,
) -> list[dict[str, Any]]:
    """Middle error and shift of some draws at each budget; the stand-in's numbers, so protected."""
    import statistics

    from dpviz.evaluation import evaluate, exact_reference
    from dpviz.publishing.mechanism_run import preview as draw
    from dpviz.releases.release import NoAnswer
    from dpviz.releases.request import ReleaseRequest

    for budget in budgets:
        ReleaseRequest(k=k, budget=budget, method=method, purpose=purpose)  # refused before the search
    reference = exact_reference(simulated, k)
    rows = []
    for stop, budget in zip(stops, budgets, strict=True):
        row: dict[str, Any] = {"level": stop, "epsilon": budget.epsilon, "delta": budget.delta, "reason": None}
        found = []
        for _ in range(draws):
            trial = draw(simulated, k, budget, method, purpose=purpose)
            row["method"] = trial.method
            if isinstance(trial, NoAnswer):
                row["reason"] = str(trial.reason)
            else:
                found.append(evaluate(simulated, trial, reference=reference))
        row["answers"], row["draws"] = len(found), draws
        row["relative_error"] = statistics.median(each.relative_error for each in found) if found else None
        row["shift_m"] = statistics.median(each.shift_m for each in found) if found else None
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
