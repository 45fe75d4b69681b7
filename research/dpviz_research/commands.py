"""The commands that this distribution adds to dpviz: bench and reproduce (entry points `dpviz.commands`)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpviz.cli.parameters.options import AsJson
from dpviz.cli.terminal.output_paths import Kind, Overwrite, claim
from dpviz.cli.terminal.printing import Table, print_json, progress, tell
from dpviz.errors import InputError

_LARGEST_TABLE = 16 * 2**20


def _is_rows(path: Path) -> bool:
    """A table of a benchmark: a small text whose first line names columns, in a file with no other name."""
    head = path.read_bytes()[:65536] if path.stat().st_size < _LARGEST_TABLE and path.stat().st_nlink == 1 else b""
    first = head.split(b"\n", 1)[0]
    return b"," in first and b"\x00" not in head and path.suffix == ".csv"


def _is_results(folder: Path) -> bool:
    """Tables, figures and records of experiments, and nothing else: every table tells the commit that made it."""
    marked = False
    for entry in folder.iterdir():
        if entry.is_symlink() or not entry.is_file() or entry.suffix not in (".csv", ".svg", ".png", ".json"):
            return False
        head = entry.read_bytes()[:4096]
        marked |= entry.suffix == ".csv" and b"commit" in head.split(b"\n", 1)[0]
        marked |= entry.suffix == ".json" and b'"provenance"' in head
    return marked


ROWS = Kind(name="rows of 'dpviz bench'", folder=False, example="rows.csv", is_one=_is_rows)
RESULTS = Kind(name="results of 'dpviz reproduce'", folder=True, example="figures", is_one=_is_results)


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
    from dpviz_research.bench import BENCHMARKS, run_benchmark

    if not names:
        known = [{"name": name, "what": what} for name, (_, _, what) in BENCHMARKS.items()]
        tell(as_json, known, Table(("name", "what"), known))
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
            tell(False, rows, Table(columns, [[row.get(column, "") for column in columns] for row in rows]))
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
    from dpviz_research.reproduce import REPRODUCTIONS, reproduce as run

    if name == "list":
        known = [{"name": key, "what": item.title} for key, item in REPRODUCTIONS.items()]
        tell(as_json, known, Table(("name", "what"), known))
        return
    if out is None:
        raise InputError("give a folder for the results: --out DIR.")
    more = any(out.glob(f"{name}*")) or name == "evidence"  # others of the same folder stay as they are
    place = claim(out, RESULTS, inputs=[] if data is None else [data], overwrite=overwrite or not more)
    with progress(f"reproducing {name}"):
        written = run(name, out=place, quick=quick, data=data)
    tell(as_json, list(map(str, written)), *map(str, written))
