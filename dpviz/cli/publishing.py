"""The command that publishes: release."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpviz.cli import approval
from dpviz.cli.life import AboutOptions
from dpviz.cli.parameters.options import (
    LEDGER,
    PRIVACY,
    AsJson,
    Ask,
    Delta,
    Epsilon,
    LedgerFile,
    Level,
    Method,
    OtherPeople,
    PurposeOption,
    SamePeople,
    Unvetted,
    Why,
)
from dpviz.cli.parameters.parts_of_time import TimeOptions, read_parts
from dpviz.cli.parameters.reading import ReadingOptions, read_records, report_of
from dpviz.cli.parameters.values import (
    chosen_budget,
    chosen_name,
    quiet_registration,
    read_region_file,
    say_notice,
    total_budget,
    user_name,
)
from dpviz.cli.terminal.exit_codes import charged_before
from dpviz.cli.terminal.output_paths import RELEASE, Overwrite, claim, ledger_at, list_ledgers, save_release
from dpviz.cli.terminal.printing import print_json, print_table, progress, say
from dpviz.errors import LedgerRefusal, StoreError

if TYPE_CHECKING:
    from dpviz.domain import ExactCounts, ExactPoints, StreamedPoints
    from dpviz.publishing.datasets import Dataset
    from dpviz.releases.about import About
    from dpviz.releases.release import NoAnswer, Release
    from dpviz.releases.request import ReleaseRequest


def release(
    asked: ReadingOptions,
    times: TimeOptions,
    about: AboutOptions,
    out: Annotated[Path, typer.Option(help="Folder for a copy of the release.")],
    k: Annotated[int, typer.Option("--k", help="Number of clusters, 1 to 4096.", rich_help_panel=PRIVACY)],
    level: Level = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    method: Method = "auto",
    unvetted: Unvetted = False,
    purpose: PurposeOption = "centers",
    regions: Annotated[
        Path | None,
        typer.Option(
            help="GeoJSON polygons with stricter levels inside; properties: name, and epsilon or level. They are "
            "public: draw them without looking at the data.",
            rich_help_panel=PRIVACY,
        ),
    ] = None,
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
    same_people: SamePeople = "",
    other_people: OtherPeople = "",
    ledger: LedgerFile = None,
    overwrite: Overwrite = False,
    ask: Ask = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Publish and pay although a stored release of the dataset answers this at no cost.",
            rich_help_panel=LEDGER,
        ),
    ] = False,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Publish a private coreset and private centers, charged once in the ledger.

    The same request again returns the stored release and spends nothing. A dataset that the ledger does not know is
    registered first, with --total.

    Example: dpviz release trips.csv --box "New York" --k 5 --level 4 --out release
    """
    from dpviz.publishing.approvals import ChargeRequest, ask_approval, check_asking, refuse_unvetted_method
    from dpviz.publishing.datasets import check_registration, demonstration_dataset, looked_at_through_standin
    from dpviz.publishing.door import publish
    from dpviz.publishing.registration import register_or_open
    from dpviz.releases.request import ReleaseRequest

    times.check()
    budget = chosen_budget(level, epsilon, delta, method)
    inside = read_region_file(regions)
    request = ReleaseRequest(k=k, budget=budget, method=method, purpose=purpose, regions=inside, unvetted=unvetted)
    refuse_unvetted_method(request)  # before records are read or anything is registered
    words = about.words()
    name = chosen_name(dataset, asked.files)
    if times.by is not None:
        name = chosen_name(dataset or f"{name} by {times.by}", asked.files)
    same = not overwrite and _holds_the_same(out, name, request)
    read: list[str | Path] = [*asked.files, *([] if regions is None else [regions])]
    if times.by is None:
        place = claim(out, RELEASE, inputs=read, ledgers=list_ledgers(ledger), overwrite=overwrite or same)
    whole = None if total is None else total_budget(total, budget.delta)
    book = None if ledger is None and asked.builtin and dataset is None else ledger_at(ledger, read)
    if book is not None:
        check_registration(name, total=whole, ledger=book)
    strict = asked.strict or (book is not None and looked_at_through_standin(name, ledger=book))
    if times.by is not None:
        counts: ExactCounts | ExactPoints
        counts, parts = read_parts(asked, times, strict=strict)
        request = replace(request, parts=parts)
        same = not overwrite and _holds_the_same(out, name, request)
        place = claim(out, RELEASE, inputs=read, ledgers=list_ledgers(ledger), overwrite=overwrite or same)
    else:
        counts = read_records(
            asked,
            strict=strict,
            said=not strict,
            noise=book.cap_source() if book is not None and asked.person is not None else None,
        )
    if book is None:
        opened = demonstration_dataset(name, counts)
    else:
        if ask:  # before anything is registered
            check_asking(approval.account(), ChargeRequest(ledger=book, dataset=name, key="", request=request), why)
        with quiet_registration():
            opened = register_or_open(
                name,
                counts,
                request=request,
                total=whole,
                ledger=book,
                strict=strict,
                same_people=same_people,
                other_people=other_people,
                who=user_name(),
                why=why,
            )
        say_notice(opened)
    if not strict:  # the curator's own terminal; a strict run says nothing that was made of the records
        weak = _warning_of_error(request, counts)
        if weak:
            say(f"dpviz: note: {weak}")
    if not again:
        _refuse_answered(opened, request)
    if ask:
        approval.tell_request(ask_approval(approval.account(), ChargeRequest.of(opened, request), why), as_json)
        return
    with progress("publishing"):
        answer = publish(opened, request, who=user_name(), why=why, about=words, even_if_answered=True)
    with charged_before("release"):
        for line in _publication_notes(answer, opened, words):
            say(f"dpviz: note: {line}")
        save_release(answer, place, overwrite)
    facts = {"dataset": opened.name, "method": answer.method, **report_of(counts, said=not strict)}
    found, facts = released_or_exit(answer, out, facts, as_json)
    _print_release(found, facts, as_json)


def _refuse_answered(dataset: Dataset, request: ReleaseRequest) -> None:
    """Refuse a charge for what a stored release of the same dataset answers at no cost."""
    from dpviz.publishing.door import quote

    price = quote(dataset, request)
    found = price.answered_by
    if found is None or not price.allowed:  # what the ledger refuses, it refuses with its own numbers
        return
    folder = dataset.ledger.folder_of(found.release.id)
    raise LedgerRefusal(
        f"the release {found.release.id[:8]}{f' of {found.published}' if found.published else ''} answers this at no "
        f'cost: dpviz ask "{folder}" --k {request.k}. Nothing was charged. To pay for another draw all the same, add '
        "--again."
    )


def _warning_of_error(request: ReleaseRequest, data: ExactCounts | ExactPoints | StreamedPoints) -> str:
    """A warning where simulations expect a large error. It uses the number of records: for the curator alone."""
    from dpviz.mechanisms.interface import Public
    from dpviz.publishing.expected_error import expected_error, warning

    return warning(expected_error(request, Public.of(data), float(data.exact_total)))


def _publication_notes(answer: Release | NoAnswer, dataset: Dataset, words: About) -> list[str]:
    """Notes for the curator on a release that was published before: its state, and changed words."""
    from dpviz.life.publications import publication

    found = publication(answer.id, dataset.ledger)
    said = []
    if found.state != "published":
        heir = f" by {found.by}" if found.by else ""
        said.append(f"this release was {found.state}{heir}.")
    if any(answer.about.get(name) != text for name, text in words.facts().items()):
        said.append(
            "the words about it are those of its first publication; 'dpviz correct' makes a version with others, which "
            "costs nothing."
        )
    return said


def _holds_the_same(out: Path, name: str, request: ReleaseRequest) -> bool:
    """Whether the folder holds this very request, so that writing it again overwrites nothing else."""
    from dpviz.releases.release import Release

    try:
        there = Release.load(out)
    except (StoreError, OSError):
        return False
    alike = there.dataset == name or (there.demonstration and str(there.dataset).startswith(f"{name} ("))
    method = there.request.method if request.method == "auto" else request.method  # releases hold what auto chose
    return there.request == replace(request, method=method) and alike


def _print_release(answer: Release, facts: dict[str, Any], as_json: bool) -> None:
    from dpviz.privacy import odds_sentence

    if answer.request.parts is not None:
        _print_parts(answer, facts, as_json)
        return
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


def _print_parts(answer: Release, facts: dict[str, Any], as_json: bool) -> None:
    """How many records each part has, with its heaviest center."""
    from dpviz.errors import NotOffered
    from dpviz.privacy import odds_sentence

    layout = answer.request.parts
    assert layout is not None
    rows: list[dict[str, Any]] = []
    try:
        view = answer.by_time
        totals = view.curve(tuple(float(value) for value in layout.box.as_tuple()))
        for number, name in enumerate(layout.names):
            total = {key: float(totals[key].iloc[number]) for key in ("estimate", "low", "high")}
            centers = view.centers(number, answer.request.k).sort_values("weight", ascending=False, kind="stable")
            rows.append({"part": name, **total, "centers": centers.to_dict(orient="records")})
    except NotOffered as problem:
        say(f"dpviz: note: {problem.message}")
    if as_json:
        print_json({**facts, "answer": True, "parts": {**layout.facts(), "found": rows}})
        return
    told = []
    for row in rows:
        first = row["centers"][0]
        numbers = (f"{row[key]:,.0f}" for key in ("estimate", "low", "high"))
        told.append([str(row["part"]), *numbers, f"{first['lon']:.5f}, {first['lat']:.5f}"])
    print_table((layout.by, "about", "low", "high", "heaviest center"), told)
    print("Each range is to hold the true number in 90 of 100 draws of the noise.")
    print(answer.guarantee)
    print(odds_sentence(answer.guarantee, record="record"))
    print(f"Times of {layout.zone}. Method: {answer.method}. Written to {facts['out']}; map.html plays it.")


def released_or_exit(
    answer: Release | NoAnswer, out: Path, facts: dict[str, Any], as_json: bool
) -> tuple[Release, dict[str, Any]]:
    """The release with the facts of `--json`; where a charge bought no answer, say so and leave with exit code 4."""
    from dpviz.releases.release import NoAnswer

    facts = {**facts, "id": answer.id, "guarantee": answer.guarantee.to_dict(), "out": str(out)}
    if not isinstance(answer, NoAnswer):
        return answer, facts
    reason = str(answer.reason)
    if as_json:
        print_json({**facts, "answer": False, "reason": reason})
    else:
        say(f"No answer: {reason}. The budget is spent; use more records, fewer clusters or a larger budget.")
    raise typer.Exit(4)
