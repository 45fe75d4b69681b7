"""A series on the command line: series begin, publish, show, changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import dpviz
from dpviz.cli import approval
from dpviz.cli.parameters.options import (
    AsJson,
    Ask,
    LedgerFile,
    Why,
    degrees_box,
    in_file,
    in_ledger,
    in_privacy,
    shows_group,
    user_name,
)
from dpviz.cli.publishing import run_charge
from dpviz.cli.terminal.output_paths import RELEASE, Kind, Overwrite, claim, existing_ledger, ledger_at, read_head
from dpviz.cli.terminal.printing import Table, progress, say, tell
from dpviz.errors import InputError

if TYPE_CHECKING:
    from dpviz.series.series import Records

app = typer.Typer(
    help="Publish period after period: begin a series, publish its next period, show it, compare periods."
)
CHANGES = Kind(
    name="a map of changes",
    folder=False,
    example="changes.geojson",
    is_one=lambda path: all(mark in read_head(path) for mark in (b'"FeatureCollection"', b'"interval"')),
)
Name = Annotated[str, typer.Argument(help="The name of the series.")]


@app.callback(invoke_without_command=True)
def series(context: typer.Context, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Publish period after period: begin a series, publish its next period, show it, compare periods."""
    if shows_group(context, ledger, as_json):
        show(None, ledger, as_json)


@app.command()
def begin(
    name: Name,
    population: Annotated[str, in_ledger(help="The people behind the records; begun with this budget when new.")],
    epsilon: Annotated[float, in_privacy(help="What all releases about one of them may cost in one window.")],
    k: Annotated[int, in_privacy("--k", help="Number of clusters of every period.")],
    box: Annotated[str, in_file(help="The public box of every period, or a city.")],
    person: Annotated[str | None, in_privacy(help="The column that tells persons apart. Needs --cap.")] = None,
    cap: Annotated[int | None, in_privacy(help="At most this many records of a person and period.")] = None,
    unit: Annotated[str | None, in_privacy(help="record: single rows are protected, instead of --person.")] = None,
    delta: Annotated[float, in_privacy(help="Above 0 allows Gaussian noise where that is smaller.")] = 0.0,
    every: Annotated[str, typer.Option(help="day, week or month.")] = "month",
    window: Annotated[str, in_privacy(help="year: the budget is renewed every January. always: never.")] = "year",
    periods: Annotated[int | None, in_privacy(help="Periods of one window. Default: those of a year.")] = None,
    at_most_periods: Annotated[
        int | None,
        in_privacy(
            help="Count each person in the first so many periods of a window in which they appear, and in no other: "
            "only those add up. Every file must then hold all periods of the window so far."
        ),
    ] = None,
    first_share: Annotated[
        float | None,
        in_privacy(
            help="Share of the budget for the first period, on whose cells the others build. Default 0.7; less where "
            "periods have little in common."
        ),
    ] = None,
    side: Annotated[int, in_file(help="Cells along each side of the grid.")] = 256,
    ledger: LedgerFile = None,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Begin a series: what every period keeps, and what all periods of a window may cost together.

    Example: dpviz series begin trips --population riders --epsilon 1 --k 5 --box "New York" --person rider_id --cap 3
    """
    if (person is None) == (unit is None) or unit not in (None, "record"):
        raise InputError("say what is protected: --person COLUMN --cap M, or --unit record.")
    begun = dpviz.begin_series(
        name,
        people=population,
        whole=dpviz.Budget(epsilon=epsilon, delta=delta),
        box=degrees_box(box, "a series needs a box in degrees: --box west,south,east,north, or a city."),
        k=k,
        side=side,
        every=every,
        unit=dpviz.Unit(person_column=person, cap=cap),
        window=window,
        periods=periods,
        at_most=at_most_periods,
        first_share=first_share,
        ledger=dpviz.Ledger(ledger),
        who=user_name(),
        why=why,
    )
    said = f"The series {begun.name!r} about {begun.people.name!r}: one {begun.every} after the other."
    tell(as_json, _facts(begun), said, *_budget_lines(begun))


@app.command()
def publish(
    name: Name,
    out: Annotated[Path, typer.Option(help="Folder for a copy of the release.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="CSV or Parquet files, folders, globs. Default: those of the last period."),
    ] = None,
    time: Annotated[
        str | None, in_file(help="The column of dates, such as 2026-03-14. Default: that of the last period.")
    ] = None,
    period: Annotated[
        str | None, in_file(help="2026-03, 2026-W11 or 2026-03-14. Default: the one after the last.")
    ] = None,
    lon: Annotated[str | None, in_file(help="The column of longitudes.")] = None,
    lat: Annotated[str | None, in_file(help="The column of latitudes.")] = None,
    ledger: LedgerFile = None,
    overwrite: Overwrite = False,
    ask: Ask = False,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Publish a period of a series: the rows whose date lies in it, on the cells that the last period published.

    Box, grid, k, unit and budget are the series'. The same period again returns the stored release and spends nothing.
    Without FILE the period is read where the last one was, by the same columns: the next month is one command.

    Example: dpviz series publish trips rides.csv --time started --period 2026-02 --out february
    """
    from dpviz.labels.sentences import period_told
    from dpviz.series.series import ask_for_period, budget_of_next, remember_records

    opened = dpviz.open_series(name, ledger=ledger_at(ledger, list(files or [])))
    records = _records(opened, list(files or []), time, lon, lat)
    place = claim(out, RELEASE, inputs=records.files, ledger=ledger, overwrite=overwrite)
    label = period or opened.next_label()
    if label is None:
        raise InputError(f"{name!r} has no period yet; say which is the first, such as --period 2026-01.")
    budget_of_next(opened, label)  # refused before anything is read
    counts = _counts(opened, label, records)
    if ask:
        approval.tell_request(ask_for_period(opened, label, counts, who=approval.account(), why=why), as_json)
        remember_records(opened, records, who=user_name())
        return
    found, facts = run_charge(
        lambda _: dpviz.publish_period(opened, label, counts, who=user_name(), why=why),
        lambda _: remember_records(opened, records, who=user_name()),
        what="period",
        out=out,
        place=place,
        overwrite=overwrite,
        facts={},
        as_json=as_json,
    )
    assert found.request.period is not None
    tell(
        as_json,
        {**_facts(opened), "period": label, **facts},
        f"Published {label} of {opened.name!r} in {out}. {found.guarantee}",
        period_told(found.request.period),
        *_budget_lines(opened),
    )


@app.command()
def show(
    name: Annotated[str | None, typer.Argument(help="A series; none: all of them.")] = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Show a series: its periods, what its population has spent in each window, and what the next period may cost."""
    from dpviz.series.series import all_series

    book = existing_ledger(ledger, "dpviz series begin")
    found = [] if book is None else [dpviz.open_series(name, ledger=book)] if name else all_series(ledger=book)
    said: list[str | Table] = [] if found else ["No series is begun. 'dpviz series begin' begins one."]
    for one in found:
        said += [f"{one.name}: {one.k} centers every {one.every}, {one.people.unit}, population {one.people.name!r}."]
        rows = [[each.period.label, each.period.window, each.id or "charged, not stored"] for each in one.published()]
        said += [Table(("period", "window", "release"), rows)] if rows else []
        said += _budget_lines(one)
    tell(as_json, [_facts(one) for one in found], *said)


@app.command()
def changes(
    before: Annotated[Path, typer.Argument(help="The release folder of a period.")],
    after: Annotated[Path, typer.Argument(help="The release folder of a later period of the same series.")],
    out: Annotated[Path | None, typer.Option(help="Write a map of the changes there, as GeoJSON.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Tell what changed between two periods and what of it is more than noise. Looks at protected things only.

    Example: dpviz series changes january february --out changes.geojson
    """
    place = None if out is None else claim(out, CHANGES, inputs=[before, after], overwrite=overwrite)
    found = dpviz.changes_between(dpviz.Release.load(before), dpviz.Release.load(after))
    if place is not None:
        found.save(place)
    clear, blocks = found.clear, len(found.table)
    rows = [
        [
            f"{row['west']:.4f}, {row['south']:.4f}, {row['east']:.4f}, {row['north']:.4f}",
            f"{row['before']:.0f}",
            f"{row['after']:.0f}",
            f"{row['change']:+.0f}",
            f"{row['low']:+.0f} to {row['high']:+.0f}",
        ]
        for row in clear.head(20).to_dict(orient="records")
    ]
    tables = [Table(("west, south, east, north", "before", "after", "change", "90 in 100"), rows)] if rows else []
    tell(
        as_json,
        found.to_geojson(),
        f"{len(clear)} of {blocks} blocks changed by more than their noise, {found.before} to {found.after}.",
        *tables,
        f"About {0.1 * blocks:.0f} would seem changed by noise alone: one in ten lies outside its interval.",
    )


def _counts(opened: dpviz.Series, label: str, records: Records) -> dpviz.ExactCounts:
    from dpviz.series.series import counts_of_period

    files = records.files
    with progress("reading"):
        source = list(files) if len(files) > 1 else files[0]
        counts = counts_of_period(opened, label, source, time=records.time, lon=records.lon, lat=records.lat)
    if counts.report is not None:
        say(f"dpviz: {counts.report.sentence}")
    return counts


def _records(opened: dpviz.Series, files: list[str], time: str | None, lon: str | None, lat: str | None) -> Records:
    """Those given, or those of the last period where none are."""
    from dpviz.series.series import last_records, records_of

    if files and time is not None:
        return records_of(files, time=time, lon=lon, lat=lat)
    before = last_records(opened)
    if before is None:
        raise InputError(
            f"{opened.name!r} has no period yet, so say where its records lie: FILE and --time COLUMN. Later periods "
            "are read from the same place unless another is given."
        )
    kept = files or list(before.files)
    return records_of(kept, time=time or before.time, lon=lon or before.lon, lat=lat or before.lat)


def _facts(opened: dpviz.Series) -> dict[str, Any]:
    from dpviz.publishing.populations import windows_of

    people = opened.people
    return {
        "series": opened.name,
        "population": people.name,
        "epsilon_per_window": people.whole.epsilon,
        "delta_per_window": people.whole.delta,
        "window": people.window,
        "spent": {
            window: dpviz.spent_in_window(people, window, ledger=opened.ledger).epsilon
            for window in windows_of(people, ledger=opened.ledger)
        },
        "periods": [one.period.label for one in opened.published() if one.id is not None],
        "next": opened.next_label(),
    }


def _budget_lines(opened: dpviz.Series) -> list[str]:
    people, divided = opened.people, opened.divided
    spent = [
        f"{people.name} has spent epsilon {epsilon:.6g} of {people.whole.epsilon:g} "
        f"{'in all' if window == 'always' else f'in {window}'}."
        for window, epsilon in _facts(opened)["spent"].items()
    ]
    delta = f" with delta {divided.later.delta:g}" if divided.later.delta else ""
    first = f"The first period of a window may cost epsilon {divided.first.epsilon:g}"
    return [*spent, f"{first}, each later one {divided.later.epsilon:.4g}{delta}."]
