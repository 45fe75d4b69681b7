"""The command that publishes, `release`, and the runner of all commands that charge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

import dpviz
from dpviz.cli import approval
from dpviz.cli.asking import WEAK
from dpviz.cli.life import AboutOptions
from dpviz.cli.parameters.options import (
    AsJson,
    Ask,
    Epsilon,
    Level,
    RegistrationOptions,
    RequestOptions,
    Unvetted,
    chosen_budget,
    degrees_box,
    in_ledger,
    in_privacy,
    read_prior,
    total_budget,
    user_name,
)
from dpviz.cli.parameters.reading import PartOptions, ReadingOptions, read_parts, read_records, report_of
from dpviz.cli.terminal.output_paths import (
    RELEASE,
    Kind,
    Overwrite,
    claim,
    ledger_at,
    read_head,
    save_release,
    write_output,
)
from dpviz.cli.terminal.printing import Table, center_rows, charged_before, print_json, progress, say, tell
from dpviz.errors import InputError, LedgerRefusal, NotOffered, StoreError

MOST_PARTS_TOLD = 31


def release(
    asked: ReadingOptions,
    divided: PartOptions,
    about: AboutOptions,
    wanted: RequestOptions,
    entry: RegistrationOptions,
    out: Annotated[Path, typer.Option(help="Folder for a copy of the release.")],
    unvetted: Unvetted = False,
    regions: Annotated[
        Path | None,
        in_privacy(
            help="GeoJSON polygons with stricter levels inside; properties: name, and epsilon or level. They are "
            "public: draw them without looking at the data."
        ),
    ] = None,
    prior: Annotated[
        Path | None,
        in_privacy(
            help="A public map of where people are, never made from these records: population, places, streets (array, "
            "raster, vector file), or the folder of an earlier release. It is believed as far as the release agrees."
        ),
    ] = None,
    prior_weight: Annotated[
        str | None, in_privacy(help="The column of the --prior file that says how much each feature counts.")
    ] = None,
    total: Annotated[
        float | None,
        in_ledger(
            help="Total epsilon that a new dataset may ever spend; it keeps it. Default: this request's epsilon, so "
            "that a second, different release is refused."
        ),
    ] = None,
    overwrite: Overwrite = False,
    ask: Ask = False,
    again: Annotated[
        bool,
        in_ledger("--again", help="Publish and pay although a stored release of the dataset answers this at no cost."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Publish a private coreset and private centers, charged once in the ledger.

    The same request again returns the stored release and spends nothing. A dataset that the ledger does not know is
    registered first, with --total.

    Example: dpviz release trips.csv --box "New York" --k 5 --level 4 --out release
    """
    from dpviz.publishing.approvals import ChargeRequest, ask_approval, check_asking, refuse_unvetted_method

    divided.check()
    request = wanted.request(regions, unvetted=unvetted, prior=read_prior(prior, prior_weight, asked.box))
    refuse_unvetted_method(request)  # before records are read or anything is registered
    words, name = about.words(), entry.name(asked.files)
    if divided.by:
        name = replace(entry, dataset=entry.dataset or f"{name} by {' and '.join(divided.by)}").name(asked.files)
    read: list[str | Path] = [*asked.files, *(one for one in (regions, prior) if one is not None)]

    def claim_output() -> Path:
        same = overwrite or _holds_the_same(out, name, request)
        return claim(out, RELEASE, inputs=read, ledger=entry.ledger, overwrite=same)

    if not divided.by:
        place = claim_output()
    whole = None if total is None else total_budget(total, request.budget.delta)
    book, strict = None, asked.strict
    if not (asked.builtin and entry.ledger is None and entry.dataset is None):
        book, hidden = entry.open_ledger(name, whole, read)
        strict = strict or hidden
    if divided.by:
        counts: dpviz.ExactCounts | dpviz.ExactPoints
        counts, parts = read_parts(asked, divided, strict=strict, ledger=book)
        request = replace(request, parts=parts)
        place = claim_output()
    else:
        counts = read_records(asked, strict=strict, said=not strict, ledger=book)
    if book is None:
        opened = dpviz.demonstration_dataset(name, counts)
    else:
        if ask:  # before anything is registered
            bound = name if book.dataset(name) else entry.same_people or name  # whose rule binds a new name
            charge = ChargeRequest(ledger=book, dataset=bound, key="", request=request)
            check_asking(approval.account(), charge, entry.why)
        opened = entry.enter(
            dpviz.register_or_open, name, counts, request=request, total=whole, ledger=book, strict=strict
        )
    if not strict:  # the curator's own terminal; a strict run says nothing that was made of the records
        _warn_of_error(request, counts)
    if not again:
        _refuse_answered(opened, request)
    if ask:
        approval.tell_request(ask_approval(approval.account(), ChargeRequest.of(opened, request), entry.why), as_json)
        return
    answer, facts = run_charge(
        lambda _: dpviz.publish(opened, request, who=user_name(), why=entry.why, about=words, even_if_answered=True),
        lambda answer: _say_notes(answer, opened, words),
        out=out,
        place=place,
        overwrite=overwrite,
        facts={"dataset": opened.name, **report_of(counts, said=not strict)},
        as_json=as_json,
    )
    print_release(answer, facts, as_json)


TRACK = Kind(
    name="protected points",
    folder=False,
    example="protected.gpx",
    is_one=lambda path: b'creator="dpviz"' in read_head(path) or read_head(path).startswith(b'{"type": "FeatureColl'),
)


def trace(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A GPX log, or a table with a column of times.")],
    entry: RegistrationOptions,
    box: Annotated[str, typer.Option(help="The public box: west,south,east,north, or a city.")],
    out: Annotated[Path, typer.Option(help="The file to write: .gpx or .geojson.")],
    hide: Annotated[
        list[str] | None,
        in_privacy(
            help="A place that has to stay hidden, however often you are there: its name, a circle "
            "longitude,latitude,metres, or a GeoJSON file. Its outline is published. Several times for several."
        ),
    ] = None,
    window: Annotated[
        str,
        in_privacy(
            help="hour or day: one fix of each is kept, and the whole window is protected as one record. fix: every "
            "fix by itself, which hides no place where you often are."
        ),
    ] = "hour",
    level: Level = None,
    epsilon: Epsilon = None,
    time: Annotated[str, typer.Option(help="The column of times, in a table.")] = "time",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Protect one person's own log of places, and say what a stranger could still guess.

    Example: dpviz trace walks.gpx --box Florence --hide "11.25,43.77,800" --level 4 --out protected.gpx
    """
    from dpviz.publishing import own_track

    kind = out.suffix.lower().removeprefix(".")
    if kind not in ("gpx", "geojson"):
        raise InputError(f"{out.name!r}: name a file .gpx or .geojson.")
    place = claim(out, TRACK, inputs=[file], ledger=entry.ledger, overwrite=overwrite)
    found = degrees_box(box, "a track lies on a map; give the box in degrees.")
    regions = own_track.hidden_places(hide or (), box=found)
    request = own_track.request_for(chosen_budget(level, epsilon, None, "auto"), regions)
    opened = entry.enter(
        dpviz.register_or_open,
        entry.name([file]),
        own_track.read_track(file, box=found, window=window, regions=regions, time=time),
        request=request,
        total=None,
        ledger=ledger_at(entry.ledger, [file]),
        strict=False,
    )
    release = dpviz.publish(opened, request, who=user_name(), why=entry.why, even_if_answered=True)
    if isinstance(release, dpviz.NoAnswer):
        say(f"No answer: {release.reason}. The budget is spent.")
        raise typer.Exit(4)
    write_output(place, own_track.track_bytes(release, kind), out)
    rows = own_track.guesses(request.budget, regions)
    told = [{"place": name, "windows": many, "right_of_100": right} for name, many, right in rows]
    cells = [[name or "everywhere else", f"{many:,}" if many else "any number", right] for name, many, right in rows]
    tell(
        as_json,
        {"id": release.id, "out": str(out), "window": window, "guesses": told},
        Table(("place", f"{window}s there", "a stranger is right at most, of 100"), cells),
        "The stranger knows everything else, and guesses whether you were there at all; tossing a coin gives 50.",
        f"Wrote {out}. What further releases of this log give away adds up.",
    )


def run_charge(
    publish: Callable[[Callable[[str], None]], dpviz.Release | dpviz.NoAnswer],
    note: Callable[[dpviz.Release | dpviz.NoAnswer], object],
    *,
    what: str = "release",
    out: Path,
    place: Path,
    overwrite: bool,
    facts: dict[str, Any],
    as_json: bool,
) -> tuple[dpviz.Release, dict[str, Any]]:
    """Publish, note and save; return the release with the facts of `--json`.

    A failure after the charge leaves with exit code 5, and a charge that bought no answer says so and leaves with 4.
    """
    with progress("publishing") as say_step:
        answer = publish(say_step)
    with charged_before(what):
        note(answer)
        save_release(answer, place, overwrite)
    facts = {
        **facts,
        "method": answer.method,
        "id": answer.id,
        "guarantee": answer.guarantee.to_dict(),
        "out": str(out),
    }
    if not isinstance(answer, dpviz.NoAnswer):
        return answer, facts
    if as_json:
        print_json({**facts, "answer": False, "reason": str(answer.reason)})
    else:
        say(f"No answer: {answer.reason}. The budget is spent; use more records, fewer clusters or a larger budget.")
    raise typer.Exit(4)


def _refuse_answered(dataset: dpviz.Dataset, request: dpviz.ReleaseRequest) -> None:
    """Refuse a charge for what a stored release of the same dataset answers at no cost."""
    price = dpviz.quote(dataset, request)
    found = price.answered_by
    if found is None or not price.allowed:  # what the ledger refuses, it refuses with its own numbers
        return
    folder = dataset.ledger.folder_of(found.release.id)
    raise LedgerRefusal(
        f"the release {found.release.id[:8]}{f' of {found.published}' if found.published else ''} answers this at no "
        f'cost: dpviz ask "{folder}" --k {request.k}. Nothing was charged. To pay for another draw all the same, add '
        "--again."
    )


def _warn_of_error(request: dpviz.ReleaseRequest, data: dpviz.ExactCounts | dpviz.ExactPoints) -> None:
    """Warn where simulations expect a large error. This uses the number of records: for the curator alone."""
    from dpviz.mechanisms.forecast import percent
    from dpviz.mechanisms.interface import Public
    from dpviz.publishing.mechanism_run import expected_error, expected_parts, warning

    if request.parts is not None and isinstance(data, dpviz.ExactCounts):
        table = expected_parts(data, request)
        few = f"{int(table['weak'].sum())} of {len(table)} {request.parts.word}s"
        say(f"dpviz: what to expect (for you alone; nothing is charged yet); {few} will say little:")
        told = table if len(table) <= MOST_PARTS_TOLD else table[table["weak"]].head(MOST_PARTS_TOLD)
        for row in told.to_dict(orient="records"):
            error = f"centers {percent(row['error'])} worse than the best"
            mark = f"; {WEAK}" if row["weak"] else ""
            say(f"  {row['part']}: {row['exact_records']:,} records, plus or minus {row['reach']:,.0f}; {error}{mark}")
        return
    weak = warning(expected_error(request, Public.of(data), float(data.exact_total)))
    if weak:
        say(f"dpviz: note: {weak}")


def _say_notes(answer: dpviz.Release | dpviz.NoAnswer, dataset: dpviz.Dataset, words: dpviz.About) -> None:
    """Say what the curator should know of a release that was published before: its state, and changed words."""
    from dpviz.life.publications import publication

    found = publication(answer.id, dataset.ledger)
    if found.state != "published":
        say(f"dpviz: note: this release was {found.state}{f' by {found.by}' if found.by else ''}.")
    if any(answer.about.get(name) != text for name, text in words.facts().items()):
        say(
            "dpviz: note: the words about it are those of its first publication; 'dpviz correct' makes a version with "
            "others, which costs nothing."
        )


def _holds_the_same(out: Path, name: str, request: dpviz.ReleaseRequest) -> bool:
    """Whether the folder holds this very request, so that writing it again overwrites nothing else."""
    try:
        there = dpviz.Release.load(out)
    except (StoreError, OSError):
        return False
    alike = there.dataset == name or (there.demonstration and str(there.dataset).startswith(f"{name} ("))
    method = there.request.method if request.method == "auto" else request.method  # releases hold what auto chose
    return there.request == replace(request, method=method) and alike


def print_release(answer: dpviz.Release, facts: dict[str, Any], as_json: bool) -> None:
    """Print the centers and the guarantee."""
    from dpviz.labels.sentences import NOT_TOLD_APART
    from dpviz.privacy import odds_sentence

    layout = answer.request.parts
    end = f"Method: {answer.method}. Written to {facts['out']}"
    said: list[str | Table]
    if layout is None:
        size = None if answer.coreset is None else len(answer.coreset)
        found: dict[str, Any] = {"coreset_size": size, "centers": answer.centers.to_dict(orient="records")}
        said = [Table(list(answer.centers.columns), center_rows(answer.centers, answer.frame.metric))]
    else:
        rows = _part_rows(answer)
        found = {"parts": {**layout.facts(), "found": rows}}
        cells = [
            [
                str(row["part"]),
                *(f"{row[key]:,.0f}" for key in ("estimate", "low", "high")),
                "{lon:.5f}, {lat:.5f}".format_map(row["centers"][0]),
                WEAK if row["weak"] else "",
            ]
            for row in rows
        ]
        said = [
            Table((layout.word, "about", "low", "high", "heaviest center", ""), cells),
            "Each range is to hold the true number in 90 of 100 draws of the noise.",
        ]
        end = f"{f'Times of {layout.zone}. ' if layout.zone else ''}{end}; map.html shows every {layout.word}."
    if answer.constants.get("told_apart") is False:
        said.append(NOT_TOLD_APART.format(k=answer.request.k))
    said += [str(answer.guarantee), odds_sentence(answer.guarantee, record="record"), end]
    tell(as_json, {**facts, "answer": True, **found}, *said)


def _part_rows(answer: dpviz.Release) -> list[dict[str, Any]]:
    """How many records each part has, with its centers, heaviest first."""
    layout = answer.request.parts
    assert layout is not None
    rows: list[dict[str, Any]] = []
    try:
        view = answer.parts
        totals = view.table()
        for number, name in enumerate(layout.names):
            total = {key: float(totals[key].iloc[number]) for key in ("estimate", "low", "high")}
            centers = view.centers(number, answer.request.k).sort_values("weight", ascending=False, kind="stable")
            weak = bool(totals["weak"].iloc[number])
            rows.append({"part": name, **total, "weak": weak, "centers": centers.to_dict(orient="records")})
    except NotOffered as problem:
        say(f"dpviz: note: {problem.message}")
    return rows
