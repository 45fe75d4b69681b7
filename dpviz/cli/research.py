"""Commands that put methods to the test: audit, bench, reproduce."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dpviz.cli.options import AsJson
from dpviz.cli.output import plain, print_json, print_table, progress
from dpviz.cli.outputs import RESULTS, ROWS, Overwrite, claim
from dpviz.errors import InputError


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

    with progress(f"auditing {method}"):
        rows = audit_method(method, epsilon=epsilon, delta=delta, trials=trials, k=k)
    if as_json:
        print_json(rows)
    else:
        columns = tuple(rows[0])
        print_table(columns, [[plain(row[column]) for column in columns] for row in rows])
    if any(row["violated"] for row in rows):
        raise typer.Exit(1)


def warm() -> None:
    """Compile what is compiled at first use, so that the first question is as fast as the second.

    For images and servers: what is compiled stays beside the installed package (or where NUMBA_CACHE_DIR says), and so
    does compiled Python, also where PYTHONDONTWRITEBYTECODE is set: without it every start compiles for seconds.
    """
    sys.dont_write_bytecode = False
    from dpviz.clustering.warming import warm_up as solvers
    from dpviz.ingest import read_counts
    from dpviz.mechanisms.warming import warm_up as methods
    from dpviz.privacy import Budget
    from dpviz.releases import release

    with progress("compiling"):
        solvers()
        methods()
        rows = b"lon,lat\n" + b"".join(b"0.%d,0.%d\n" % (i, i) for i in range(10, 100))
        counts = read_counts(rows, box=(0, 0, 1, 1), side=16)
        for name in ("auto", "uniform_grid", "noisy_lloyd"):
            release(counts, 2, Budget(epsilon=1.0), name, seed=0)
    print("Ready.")


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Benchmarks to run; none: list them.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for CSV files and figures.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions.")] = False,
    records: Annotated[
        int | None, typer.Option(help="How many records to simulate, for 'billion' and 'billion_trips'.")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Run benchmarks: times, errors and memory, side by side with references in one run."""
    from dpviz.experiments.bench import BENCHMARKS, run_benchmark

    if not names:
        if as_json:
            print_json([{"name": name, "what": what} for name, (_, _, what) in BENCHMARKS.items()])
            return
        print_table(("name", "what"), [[name, what] for name, (_, _, what) in BENCHMARKS.items()])
        return
    results = {}
    if out is not None:
        for name in names:
            claim(out / f"bench_{name}.csv", ROWS, overwrite=overwrite, parents=True)
    for name in names:
        with progress(f"benchmark {name}"):
            results[name] = run_benchmark(name, quick=quick, out=out, records=records)
        if not as_json:
            rows = results[name]
            columns = tuple(dict.fromkeys(column for row in rows for column in row))
            print_table(columns, [[plain(row.get(column, "")) for column in columns] for row in rows])
    if as_json:
        print_json(results)


def reproduce(
    name: Annotated[str, typer.Argument(help="A table or figure, such as ipsn17-table2; 'list' shows them.")],
    out: Annotated[Path | None, typer.Option(help="Folder for numbers (CSV) and figures (SVG, PNG).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions and sizes.")] = False,
    data: Annotated[Path | None, typer.Option(help="Folder with data files that you bring.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Reproduce a table or figure of the papers."""
    from dpviz.experiments.reproduce import REPRODUCTIONS
    from dpviz.experiments.reproduce import reproduce as run

    if name == "list":
        if as_json:
            print_json([{"name": key, "what": item.title} for key, item in REPRODUCTIONS.items()])
            return
        print_table(("name", "what"), [[key, item.title] for key, item in REPRODUCTIONS.items()])
        return
    if out is None:
        raise InputError("give a folder for the results: --out DIR.")
    more = any(out.glob(f"{name}*")) or name == "evidence"  # others of the same folder stay as they are
    place = claim(out, RESULTS, inputs=[] if data is None else [data], overwrite=overwrite or not more)
    with progress(f"reproducing {name}"):
        written = run(name, out=place, quick=quick, data=data)
    if as_json:
        print_json([str(path) for path in written])
        return
    for path in written:
        print(path)
