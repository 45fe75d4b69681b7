"""Commands whose results are exact and for the curator: count and evaluate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpviz.cli.inputs import is_builtin, read_records, refuse_bad_output
from dpviz.cli.options import AsJson, Box, Cap, Engine, Files, Lat, Lon, Person, Relation, Scheduler, Side
from dpviz.cli.output import print_json, print_table
from dpviz.errors import InputError


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

    refuse_bad_output(out, folder=False)
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
        strict=True,
    )
    if not isinstance(counts, ExactCounts):
        raise InputError(f"{files[0]} holds trips in four dimensions, which cannot be counted on a grid.")
    save_counts(counts, out)
    cells = f"{counts.grid.side}x{counts.grid.side}"
    print(f"Wrote exact counts on a {cells} grid to {out}. Exact, for the curator: do not publish this file.")


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
    if frame.dims != 2 and not is_builtin(files):
        raise InputError(
            f"this release has {frame.dims} dimensions; evaluate it in code, with dpviz.read_points and dpviz.evaluate."
        )
    box = ",".join(repr(value) for value in (frame.low[0], frame.low[1], frame.high[0], frame.high[1]))
    ready = is_builtin(files) or any(file.lower().endswith(".npz") for file in files)
    counts = read_records(
        files,
        box=None if ready else box,
        side=loaded.side or 1024,
        lon=lon,
        lat=lat,
        relation=loaded.guarantee.adjacency.value,
        engine=engine,
        scheduler=scheduler,
        strict=True,
    )
    found = measure(counts, loaded)
    if as_json:
        print_json(found.to_dict())
        return
    print("EXACT numbers, for the curator only.")
    print_table(
        ("measure", "value"),
        [
            ["clustering error against no privacy", f"{100 * found.relative_error:.3g} %"],
            ["average shift of the centers", f"{found.shift_m:.3g} m"],
            ["points in the coreset", str(found.coreset_size)],
        ],
    )
