"""The command line: `python -m dpviz …` or `dpviz …`.

Exit codes: 0 done; 2 bad input or usage; 3 refused by the ledger; 4 no answer at this budget. Long work shows
progress on a terminal and is silent otherwise; `--json` prints one JSON document on standard output.

Longer than its neighbours, because the commands share their options and are easier to compare on one page. What they
import is imported inside them, so that `--help` is quick and a command for analysts loads no reader of records.
docs/reference/command-line.md is made from the texts below (docs/build_reference.py).
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpviz.errors import DpvizError, InputError, StoreError

if TYPE_CHECKING:
    from dpviz.domain import ExactCounts, ExactPoints
    from dpviz.noise import NoiseSource
    from dpviz.privacy import Budget, Region

app = typer.Typer(
    name="dpviz",
    help="Publish where people gather without publishing where anyone was.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

LARGEST_REGIONS = 16 * 2**20  # bytes that are looked at; the reader of regions accepts fewer
INTERRUPTED = 130  # what shells say for Ctrl-C
FILE, PRIVACY, LEDGER = "The file", "Clusters and privacy", "The ledger"  # groups of options in the help

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="CSV, Parquet, GeoJSON or GPX files, folders, globs or URLs; one .npz file of 'dpviz count'; "
        "or a built-in city: nyc-taxi, nyc-trips.",
    ),
]
Box = Annotated[
    str | None,
    typer.Option(
        help="The public box: west,south,east,north in degrees, or a city such as 'New York'. Never read it off the "
        "data. Built-in cities and .npz files bring their own.",
        rich_help_panel=FILE,
    ),
]
Lon = Annotated[
    str | None,
    typer.Option("--lon", help="The column that holds longitudes; guessed from its name.", rich_help_panel=FILE),
]
Lat = Annotated[
    str | None,
    typer.Option("--lat", help="The column that holds latitudes; guessed from its name.", rich_help_panel=FILE),
]
Side = Annotated[
    int,
    typer.Option(help="Cells along each side of the public grid, a power of two.", rich_help_panel=FILE),
]
Relation = Annotated[
    str,
    typer.Option(
        help="add-remove keeps the number of records secret; replace makes it public.", rich_help_panel=PRIVACY
    ),
]
Engine = Annotated[str, typer.Option(help="local, or dask for many files on many machines.", rich_help_panel=FILE)]
Scheduler = Annotated[
    str | None,
    typer.Option(
        help="Address of a Dask scheduler, such as tcp://host:8786; without it dask starts workers on this machine.",
        rich_help_panel=FILE,
    ),
]
Person = Annotated[
    str | None,
    typer.Option(
        help="A column that tells persons apart: the promise is then per person. Needs --cap.",
        rich_help_panel=PRIVACY,
    ),
]
Cap = Annotated[
    int | None,
    typer.Option(help="At most this many records are kept per person. Needs --person.", rich_help_panel=PRIVACY),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        help="The ledger file; default: DPVIZ_LEDGER, or ledger.sqlite3 in your data folder.",
        rich_help_panel=LEDGER,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]


@app.command()
def methods(as_json: AsJson = False) -> None:
    """List the methods: name, guarantee, relations, dimensions, vetted or not."""
    from dpviz.releases import methods as catalogue_rows

    rows = catalogue_rows()
    if as_json:
        _print_json(rows)
        return
    columns = ("name", "title", "guarantee", "adjacencies", "dims", "gives_coreset", "vetted")
    for row in rows:
        low, high = row["dims"]
        row["dims"] = str(low) if low == high else f"{low} to {high}"
    _print_table(columns, [[_plain(row[column]) for column in columns] for row in rows])


@app.command()
def release(
    files: Files,
    out: Annotated[Path, typer.Option(help="Folder for a copy of the release.")],
    k: Annotated[int, typer.Option("--k", help="Number of clusters, 1 to 256.", rich_help_panel=PRIVACY)],
    box: Box = None,
    lon: Lon = None,
    lat: Lat = None,
    level: Annotated[
        int | None,
        typer.Option(help="Privacy level from 1 (most detail) to 7 (most privacy).", rich_help_panel=PRIVACY),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="The privacy budget, instead of a level: above 0; smaller is more private.", rich_help_panel=PRIVACY
        ),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(help="Default: 0, or 1e-9 for methods that need it.", rich_help_panel=PRIVACY),
    ] = None,
    method: Annotated[
        str, typer.Option(help="A name from 'dpviz methods', or auto.", rich_help_panel=PRIVACY)
    ] = "auto",
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
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Publish even when no row lies inside the box.", rich_help_panel=FILE),
    ] = False,
    why: Annotated[str, typer.Option(help="A note for the ledger; never published.", rich_help_panel=LEDGER)] = "",
    as_json: AsJson = False,
) -> None:
    """Publish a private coreset and private centers, charged once in the ledger.

    The same request again returns the stored release and spends nothing. A dataset that the ledger does not know is
    registered first, with --total.

    Example: dpviz release trips.csv --box "New York" --k 5 --level 4 --out release
    """
    from dpviz.ingest.cities import load_basemap
    from dpviz.privacy import Budget, odds_sentence
    from dpviz.releases import (
        Ledger,
        NoAnswer,
        ReleaseRequest,
        SameContentWarning,
        demonstration_dataset,
        publish,
        register_or_open,
    )

    budget = _budget(level, epsilon, delta, method)
    request = ReleaseRequest(k=k, budget=budget, method=method, regions=_regions(regions))
    _refuse_bad_output(out)
    whole = None if total is None else Budget(epsilon=total, delta=max(1e-6 if budget.delta else 0.0, budget.delta))
    book = None if ledger is None and _is_builtin(files) and dataset is None else Ledger(ledger)
    coins = book.cap_source() if book is not None and person is not None else None
    counts = _read(files, box, side, lon, lat, relation, engine, scheduler, person, cap, strict=strict, noise=coins)
    if book is None:
        opened = demonstration_dataset(files[0], counts)
    else:
        name = dataset or Path(files[0].rstrip("/")).name or "data"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SameContentWarning)  # said below, in the words of the command line
            opened = register_or_open(
                name, counts, request=request, total=whole, ledger=book, strict=strict, who=_user(), why=why
            )
        if opened.notice:
            _say(f"dpviz: note: {opened.notice}")
    with _progress("publishing"):
        answer = publish(opened, request, who=_user(), why=why, basemap=load_basemap())
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
        reason = str(answer.reason)
        if as_json:
            _print_json({**facts, "answer": False, "reason": reason})
        else:
            _say(f"No answer: {reason}. The budget is spent; use more records, fewer clusters or a larger budget.")
        raise typer.Exit(4)
    if as_json:
        size = None if answer.coreset is None else len(answer.coreset)
        centers = answer.centers.to_dict(orient="records")
        _print_json({**facts, "answer": True, "coreset_size": size, "centers": centers})
        return
    columns = tuple(answer.centers.columns)
    digits = 5 if answer.frame.metric == "m" else 6  # 1e-5 degrees are about a metre
    _print_table(
        columns,
        [[*(f"{value:.{digits}f}" for value in row[:-1]), f"{row[-1]:,.0f}"] for row in answer.centers.to_numpy()],
    )
    print(answer.guarantee)
    print(odds_sentence(answer.guarantee, record="record"))
    print(f"Method: {answer.method}. Written to {out}")


@app.command()
def count(
    files: Files,
    out: Annotated[Path, typer.Option(help="The .npz file to write: exact counts, the curator's own.")],
    box: Box = None,
    lon: Lon = None,
    lat: Lat = None,
    side: Side = 1024,
    relation: Relation = "add-remove",
    engine: Engine = "local",
    scheduler: Scheduler = None,
    person: Person = None,
    cap: Cap = None,
) -> None:
    """Count records per cell into a file. The result is EXACT and for the curator: do not publish it.

    'release' and 'evaluate' take the file in place of the records, so that many files need to be read only once.
    """
    from dpviz.domain import ExactCounts
    from dpviz.ingest import save_counts

    _refuse_bad_output(out)
    counts = _read(files, box, side, lon, lat, relation, engine, scheduler, person, cap, strict=True)
    if not isinstance(counts, ExactCounts):
        raise InputError(f"{files[0]} holds trips in four dimensions, which cannot be counted on a grid.")
    save_counts(counts, out)
    cells = f"{counts.grid.side}x{counts.grid.side}"
    print(f"Wrote exact counts on a {cells} grid to {out}. Exact, for the curator: do not publish this file.")


@app.command()
def evaluate(
    files: Files,
    release_folder: Annotated[Path, typer.Option("--release", help="A release folder.")],
    lon: Lon = None,
    lat: Lat = None,
    engine: Engine = "local",
    scheduler: Scheduler = None,
    as_json: AsJson = False,
) -> None:
    """Compare a release with the exact answer on the data. The result is EXACT and for the curator."""
    from dpviz.experiments.evaluation import evaluate as measure
    from dpviz.releases import Release

    loaded = Release.load(release_folder)
    frame = loaded.frame
    if frame.dims != 2 and not _is_builtin(files):
        raise InputError(
            f"this release has {frame.dims} dimensions; evaluate it in code, with dpviz.read_points and dpviz.evaluate."
        )
    box = ",".join(repr(value) for value in (frame.low[0], frame.low[1], frame.high[0], frame.high[1]))
    guarantee = loaded.guarantee
    ready = _is_builtin(files) or any(file.lower().endswith(".npz") for file in files)
    counts = _read(
        files,
        None if ready else box,
        loaded.side or 1024,
        lon,
        lat,
        guarantee.adjacency.value,
        engine,
        scheduler,
        None,
        None,
        strict=True,
    )
    found = measure(counts, loaded)
    if as_json:
        _print_json(found.to_dict())
        return
    print("EXACT numbers, for the curator only.")
    _print_table(
        ("measure", "value"),
        [
            ["clustering error against no privacy", f"{100 * found.relative_error:.3g} %"],
            ["average shift of the centers", f"{found.shift_m:.3g} m"],
            ["points in the coreset", str(found.coreset_size)],
        ],
    )


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(help="A release folder.")],
    second: Annotated[Path, typer.Argument(help="Another release folder of the same box.")],
    as_json: AsJson = False,
) -> None:
    """Compare the centers of two releases: matched pairs and how far apart they are. Looks at protected things only."""
    rows = _compared(first, second)
    if as_json:
        _print_json(rows)
        return
    columns = tuple(rows[0]) if rows else ("first", "second", "distance_m")
    _print_table(columns, [[_plain(row[column]) for column in columns] for row in rows])


@app.command(name="ledger")
def show_ledger(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show the datasets, what was charged, by whom and why, and what remains."""
    report = _ledger_report(ledger)
    if as_json:
        _print_json(report)
        return
    if not report["datasets"]:
        print("The ledger is empty. 'dpviz release' registers a dataset with its first release.")
        return
    for title in ("datasets", "charges"):
        rows = report[title]
        if rows:
            columns = tuple(column for column in rows[0] if column not in ("facts", "request"))
            _print_table(columns, [[_plain(row[column]) for column in columns] for row in rows])
            print()


@app.command()
def audit(
    method: Annotated[str, typer.Argument(help="A name from 'dpviz methods'.")],
    epsilon: Annotated[float, typer.Option(help="The budget to audit at.")] = 1.0,
    delta: Annotated[float, typer.Option(help="Used by methods that need it.")] = 1e-9,
    trials: Annotated[int, typer.Option(help="Runs on each of the two neighbouring files.")] = 2000,
    k: Annotated[int, typer.Option("--k", help="Number of clusters.")] = 2,
    as_json: AsJson = False,
) -> None:
    """Attack a method with neighbouring files: a lower bound on its real epsilon, with confidence."""
    from dpviz.experiments.audit import audit_method

    with _progress(f"auditing {method}"):
        rows = audit_method(method, epsilon=epsilon, delta=delta, trials=trials, k=k)
    if as_json:
        _print_json(rows)
    else:
        columns = tuple(rows[0])
        _print_table(columns, [[_plain(row[column]) for column in columns] for row in rows])
    if any(row["violated"] for row in rows):
        raise typer.Exit(1)


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Benchmarks to run; none: list them.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for CSV files and figures.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run benchmarks: times, errors and memory, side by side with references in one run."""
    from dpviz.experiments.bench import BENCHMARKS, run_benchmark

    if not names:
        _print_table(("name", "what"), [[name, what] for name, (_, _, what) in BENCHMARKS.items()])
        return
    results = {}
    for name in names:
        with _progress(f"benchmark {name}"):
            results[name] = run_benchmark(name, quick=quick, out=out)
        if not as_json:
            rows = results[name]
            columns = tuple(dict.fromkeys(column for row in rows for column in row))
            _print_table(columns, [[_plain(row.get(column, "")) for column in columns] for row in rows])
    if as_json:
        _print_json(results)


@app.command()
def reproduce(
    name: Annotated[str, typer.Argument(help="A table or figure, such as ipsn17-table2; 'list' shows them.")],
    out: Annotated[Path | None, typer.Option(help="Folder for numbers (CSV) and figures (SVG, PNG).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions and sizes.")] = False,
    data: Annotated[Path | None, typer.Option(help="Folder with data files that you bring.")] = None,
) -> None:
    """Reproduce a table or figure of the papers."""
    from dpviz.experiments.reproduce import REPRODUCTIONS
    from dpviz.experiments.reproduce import reproduce as run

    if name == "list":
        _print_table(("name", "what"), [[key, item.title] for key, item in REPRODUCTIONS.items()])
        return
    if out is None:
        raise InputError("give a folder for the results: --out DIR.")
    with _progress(f"reproducing {name}"):
        written = run(name, out=out, quick=quick, data=data)
    for path in written:
        print(path)


Passed = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": ["--help"]}


@app.command(name="app", context_settings=Passed)
def start_app(context: typer.Context) -> None:
    """Open the map and its slider in the browser, on this machine only. Stop with Ctrl-C.

    Further words go to Streamlit, as in: dpviz app --server.port 8600
    """
    _become_server("app.py", context.args)


@app.command(context_settings=Passed)
def analyst(
    context: typer.Context,
    releases: Annotated[Path, typer.Option(help="A folder of release folders, or a store beside a ledger.")],
) -> None:
    """Open the analysts' page on a folder of published releases. Its process reads no records. Stop with Ctrl-C.

    Further words go to Streamlit, as in: dpviz analyst --releases published --server.port 8600
    """
    if not releases.is_dir():
        raise InputError(f"there is no folder {releases}; --releases takes the folder of published releases.")
    _become_server("analyst_app.py", context.args, DPVIZ_RELEASES=str(releases.resolve()))


def _become_server(script: str, options: list[str], **variables: str) -> None:
    """Streamlit on one of the two apps, from the folder that holds its settings; the options given last win."""
    package = Path(__file__).resolve().parent
    folder = next((place for place in (package.parent, package / "_app") if (place / script).is_file()), None)
    if folder is None:
        raise InputError(f"{script} is missing beside the package; install dpviz again.")
    own = ["--server.address", "127.0.0.1", "--server.headless", "false" if _has_screen() else "true"]
    command = [sys.executable, "-m", "streamlit", "run", str(folder / script), *own, *options]
    environment = {**os.environ, **variables}
    if folder == package.parent:  # a checkout, which need not be installed
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    _hand_over(command, environment, folder)


def _hand_over(command: list[str], environment: dict[str, str], folder: Path) -> None:
    """Become the command, so that signals and the exit code are its own; Windows can only call and wait."""
    os.chdir(folder)
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execve(command[0], command, environment)
    import subprocess

    raise typer.Exit(subprocess.call(command, env=environment))


def _has_screen() -> bool:
    """Whether a browser can be opened for a person who sits before this machine."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _budget(level: int | None, epsilon: float | None, delta: float | None, method: str) -> Budget:
    """The budget of a level or of numbers. δ is 0 unless given, or 1e-9 for a method that cannot do without."""
    from dpviz.privacy import DEFAULT_DELTA, LEVELS, Budget
    from dpviz.releases import methods as catalogue_rows

    if (level is None) == (epsilon is None):
        raise InputError("give either --level (1 to 7) or --epsilon, such as --level 4 or --epsilon 0.5.")
    if level is not None:
        if not 1 <= level <= len(LEVELS):
            raise InputError(f"--level {level}: levels go from 1 (most detail) to {len(LEVELS)} (most privacy).")
        epsilon = LEVELS[level - 1].epsilon
    needs_delta = {row["name"] for row in catalogue_rows() if row["guarantee"] == "approximate"}
    if delta is None:
        delta = DEFAULT_DELTA if method in needs_delta else 0.0
    assert epsilon is not None
    return Budget(epsilon=epsilon, delta=delta)


def _regions(file: Path | None) -> tuple[Region, ...]:
    """The regions of a GeoJSON file; none without a file."""
    from dpviz.privacy import read_regions

    if file is None:
        return ()
    try:
        with open(file, "rb") as handle:
            content = handle.read(LARGEST_REGIONS + 1)
    except OSError as error:
        raise InputError(
            f"cannot read {str(file)!r}: {error.strerror or type(error).__name__}; give a GeoJSON file (--regions)."
        ) from None
    return read_regions(content)


def _is_builtin(files: list[str]) -> bool:
    from dpviz.ingest import BUILTIN_CITIES

    return len(files) == 1 and files[0] in BUILTIN_CITIES and not Path(files[0]).exists()


def _read(
    files: list[str],
    box: str | None,
    side: int,
    lon: str | None,
    lat: str | None,
    relation: str,
    engine: str,
    scheduler: str | None,
    person: str | None,
    cap: int | None,
    *,
    strict: bool,
    noise: NoiseSource | None = None,
) -> ExactCounts | ExactPoints:
    """Exact data of the files, or of a built-in city; hints for the curator go to standard error."""
    from dpviz.ingest import builtin, load_saved_counts, read_counts_with_report

    if _is_builtin(files):
        if box is not None and sys.stderr.isatty():
            _say(f"{files[0]} is built in and brings its own box and grid; --box and --side are not used.")
        found: ExactCounts | ExactPoints = builtin(files[0])
        return found
    if any(file.lower().endswith(".npz") for file in files):
        given = {"--box": box, "--lon": lon, "--lat": lat, "--person": person, "--cap": cap, "--scheduler": scheduler}
        named = ", ".join(option for option, value in given.items() if value is not None)
        if len(files) > 1 or named:
            raise InputError(
                "a file of 'dpviz count' holds counts that are ready, with their box and grid: give it alone"
                + (f" and without {named}." if named else ".")
            )
        return load_saved_counts(files[0])
    if box is None:
        raise InputError(
            "give the public box: --box west,south,east,north (such as -74.05,40.70,-73.90,40.80) or --box 'New York'. "
            "It is never taken from the data."
        )
    with _reading_progress() as progress:
        counts, report = read_counts_with_report(
            files if len(files) > 1 else files[0],
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
            noise=noise,
            progress=progress,
        )
    if sys.stderr.isatty():
        for hint in report.hints:
            _say(hint)
    return counts


def _ledger_report(path: Path | None) -> dict[str, Any]:
    """What the ledger knows, as plain data."""
    from dpviz.releases import Ledger, default_ledger_path

    chosen = default_ledger_path() if path is None else path
    if not Path(chosen).exists():
        if path is not None:
            raise InputError(f"there is no ledger at {path}; 'dpviz release' makes one.")
        return {"ledger": str(chosen), "datasets": [], "charges": []}
    book = Ledger(chosen, create=False)
    datasets = [
        {
            "dataset": row.name,
            "total_epsilon": row.total.text()[0],
            "remaining_epsilon": book.remaining(row.name).text()[0],
            "total_delta": row.total.text()[1],
            "remaining_delta": book.remaining(row.name).text()[1],
            "who": row.who,
            "why": row.why,
            "created": row.created,
            "facts": dict(row.facts),
        }
        for row in book.datasets()
    ]
    charges = [
        {
            "dataset": row.dataset,
            "purpose": row.purpose,
            "epsilon": row.amount.text()[0],
            "delta": row.amount.text()[1],
            "k": row.request.get("k"),
            "method": row.request.get("method"),
            "stored": row.stored,
            "who": row.who,
            "why": row.why,
            "created": row.created,
            "key": row.key,
            "request": dict(row.request),
        }
        for row in book.charges()
    ]
    return {"ledger": str(chosen), "datasets": datasets, "charges": charges}


def _compared(first: Path, second: Path) -> list[dict[str, Any]]:
    """Matched centers of two releases of one box, nearest pairs first; protected numbers only."""
    import numpy as np

    from dpviz.clustering import match_centers
    from dpviz.releases import Release

    one, two = Release.load(first), Release.load(second)
    if one.frame != two.frame:
        raise InputError("the two releases have different boxes and cannot be compared.")
    here, there = one.protected_centers.positions, two.protected_centers.positions
    rows = []
    for i, j in match_centers(here, there):
        distance = float(np.linalg.norm(here[i] - there[j]))
        rows.append({"first": int(i) + 1, "second": int(j) + 1, f"distance_{one.frame.metric}": round(distance, 2)})
    return sorted(rows, key=lambda row: row["first"])


def _refuse_bad_output(out: Path) -> None:
    """Notice before anything is charged that the output cannot be written."""
    if out.exists() and not out.is_dir() and not out.suffix:
        raise StoreError(f"{out} is a file; give a folder for the release.")
    parent = out if out.is_dir() else out.parent
    while not parent.exists():
        parent = parent.parent
    if not os.access(parent, os.W_OK):
        raise StoreError(f"{out} cannot be written; choose a folder that you may write to.")


@contextmanager
def _progress(what: str) -> Iterator[None]:
    """A spinner on a terminal, silence otherwise."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def _reading_progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar of the bytes read on a terminal, silence otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2, default=_json_value))


def _json_value(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)


def _print_table(columns: tuple[str, ...], rows: list[list[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column.replace("_", " "))
    for row in rows:
        table.add_row(*[Text(cell) for cell in row])
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    console.print(table)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value)
    return str(value)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def _guarded(run: Callable[[], None]) -> int:
    """Errors as one or two lines that say what to do, and the exit code of the contract; never a traceback."""
    try:
        run()
    except DpvizError as error:
        _say(f"dpviz: {error.message}")
        return error.exit_code
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        return 0
    except MemoryError:
        _say("dpviz: not enough memory; use a smaller --side or --engine dask.")
        return 2
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
        return _interrupted() if code == INTERRUPTED else code  # typer turns Ctrl-C into this code without a word
    except Exception as error:
        if os.environ.get("DPVIZ_DEBUG"):
            raise
        # The text of an unforeseen error may hold somebody's record, so only its kind is shown.
        _say(f"dpviz: unexpected {type(error).__name__}. Set DPVIZ_DEBUG=1 to see where, on data that you may show.")
        return 1
    return 0


def _interrupted() -> int:
    _say("dpviz: interrupted; nothing was left half-written. What was charged is completed by the same command.")
    return INTERRUPTED


def main() -> None:
    """Run the command line."""
    sys.exit(_guarded(app))


if __name__ == "__main__":
    main()
