"""Options that several commands share, with their help. FILE, PRIVACY and LEDGER are groups in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FILE, PRIVACY, LEDGER = "The file", "Clusters and privacy", "The ledger"

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
Level = Annotated[
    int | None,
    typer.Option(help="Privacy level from 1 (most detail) to 7 (most privacy).", rich_help_panel=PRIVACY),
]
Epsilon = Annotated[
    float | None,
    typer.Option(
        help="The privacy budget, instead of a level: above 0; smaller is more private.", rich_help_panel=PRIVACY
    ),
]
Delta = Annotated[
    float | None,
    typer.Option(help="Default: 0, or 1e-9 for methods that need it.", rich_help_panel=PRIVACY),
]
Method = Annotated[str, typer.Option(help="A name from 'dpviz methods', or auto.", rich_help_panel=PRIVACY)]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Go on even when no row lies inside the box.", rich_help_panel=FILE),
]
Why = Annotated[str, typer.Option(help="A note for the ledger; never published.", rich_help_panel=LEDGER)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
