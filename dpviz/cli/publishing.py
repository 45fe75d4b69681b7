"""The command that publishes: release."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpviz.cli.inputs import (
    chosen_budget,
    dataset_name,
    is_builtin,
    read_records,
    read_region_file,
    refuse_bad_output,
    total_budget,
    user_name,
)
from dpviz.cli.options import (
    LEDGER,
    PRIVACY,
    AsJson,
    Box,
    Cap,
    Delta,
    Engine,
    Epsilon,
    Files,
    Lat,
    LedgerFile,
    Level,
    Lon,
    Method,
    Person,
    Relation,
    Scheduler,
    Side,
    Strict,
    Why,
)
from dpviz.cli.output import print_json, print_table, progress, say
from dpviz.errors import StoreError

if TYPE_CHECKING:
    from dpviz.releases import NoAnswer, Release


def release(
    files: Files,
    out: Annotated[Path, typer.Option(help="Folder for a copy of the release.")],
    k: Annotated[int, typer.Option("--k", help="Number of clusters, 1 to 256.", rich_help_panel=PRIVACY)],
    box: Box = None,
    lon: Lon = None,
    lat: Lat = None,
    level: Level = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    method: Method = "auto",
    regions: Annotated[
        Path | None,
        typer.Option(
            help="GeoJSON polygons with stricter levels inside; properties: name, and epsilon or level. They are "
            "public: draw them without looking at the data.",
            rich_help_panel=PRIVACY,
        ),
    ] = None,
    side: Side = 1024,
    relation: Relation = "add-remove",
    engine: Engine = "local",
    scheduler: Scheduler = None,
    person: Person = None,
    cap: Cap = None,
    dataset: Annotated[
        str | None,
        typer.Option(
            help="Name of the dataset in the ledger, published with the release; default: the file's name.",
            rich_help_panel=LEDGER,
        ),
    ] = None,
    total: Annotated[
        float | None,
        typer.Option(
            help="Total epsilon that a new dataset may ever spend; it keeps it. Default: this request's epsilon, so "
            "that a second, different release is refused.",
            rich_help_panel=LEDGER,
        ),
    ] = None,
    ledger: LedgerFile = None,
    strict: Strict = False,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Publish a private coreset and private centers, charged once in the ledger.

    The same request again returns the stored release and spends nothing. A dataset that the ledger does not know is
    registered first, with --total.

    Example: dpviz release trips.csv --box "New York" --k 5 --level 4 --out release
    """
    from dpviz.ingest.cities import load_basemap
    from dpviz.releases import (
        Ledger,
        NoAnswer,
        ReleaseRequest,
        SameContentWarning,
        demonstration_dataset,
        looked_at_through_standin,
        publish,
        register_or_open,
    )

    budget = chosen_budget(level, epsilon, delta, method)
    request = ReleaseRequest(k=k, budget=budget, method=method, regions=read_region_file(regions))
    refuse_bad_output(out, folder=True)
    whole = None if total is None else total_budget(total, budget.delta)
    book = None if ledger is None and is_builtin(files) and dataset is None else Ledger(ledger)
    name = dataset or dataset_name(files)
    strict = strict or (book is not None and looked_at_through_standin(name, ledger=book))
    counts = read_records(
        files,
        box=box,
        side=side,
        lon=lon,
        lat=lat,
        relation=relation,
        engine=engine,
        scheduler=scheduler,
        person=person,
        cap=cap,
        strict=strict,
        hints=not strict,
        noise=book.cap_source() if book is not None and person is not None else None,
    )
    if book is None:
        opened = demonstration_dataset(files[0], counts)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SameContentWarning)  # said below, in the words of the command line
            opened = register_or_open(
                name, counts, request=request, total=whole, ledger=book, strict=strict, who=user_name(), why=why
            )
        if opened.notice:
            say(f"dpviz: note: {opened.notice}")
    with progress("publishing"):
        answer = publish(opened, request, who=user_name(), why=why, basemap=load_basemap())
        try:
            answer.save(out)
        except StoreError as error:
            raise StoreError(
                f"{error.message}\nThe release is published and stored all the same: the same command with another "
                "--out charges nothing."
            ) from None
    facts = {
        "dataset": opened.name,
        "id": answer.id,
        "method": answer.method,
        "guarantee": answer.guarantee.to_dict(),
        "out": str(out),
    }
    if isinstance(answer, NoAnswer):
        _tell_no_answer(answer, facts, as_json)
        raise typer.Exit(4)
    _tell(answer, facts, as_json)


def _tell(answer: Release, facts: dict[str, Any], as_json: bool) -> None:
    from dpviz.privacy import odds_sentence

    if as_json:
        size = None if answer.coreset is None else len(answer.coreset)
        centers = answer.centers.to_dict(orient="records")
        print_json({**facts, "answer": True, "coreset_size": size, "centers": centers})
        return
    columns = tuple(answer.centers.columns)
    digits = 5 if answer.frame.metric == "m" else 6  # 1e-5 degrees are about a metre
    print_table(
        columns,
        [[*(f"{value:.{digits}f}" for value in row[:-1]), f"{row[-1]:,.0f}"] for row in answer.centers.to_numpy()],
    )
    print(answer.guarantee)
    print(odds_sentence(answer.guarantee, record="record"))
    print(f"Method: {answer.method}. Written to {facts['out']}")


def _tell_no_answer(answer: NoAnswer, facts: dict[str, Any], as_json: bool) -> None:
    reason = str(answer.reason)
    if as_json:
        print_json({**facts, "answer": False, "reason": reason})
    else:
        say(f"No answer: {reason}. The budget is spent; use more records, fewer clusters or a larger budget.")
