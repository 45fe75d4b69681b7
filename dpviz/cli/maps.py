"""City maps of one's own: basemap add, basemap list, basemap remove."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpviz.cli.parameters.options import AsJson, degrees_box
from dpviz.cli.terminal.printing import Table, progress, tell
from dpviz.errors import InputError

app = typer.Typer(
    help="Add a map file of a city, so that its streets, parks and names are drawn. Nothing is fetched from anywhere.",
    no_args_is_help=True,
)


@app.command()
def add(
    extract: Annotated[
        Path, typer.Argument(help="PMTiles, MBTiles, .osm.pbf, GeoPackage, Shapefile, GeoJSON or FlatGeobuf.")
    ],
    box: Annotated[str, typer.Option(help="The public box W,S,E,N, or a city's name.")],
    name: Annotated[str, typer.Option(help="What to call the map; without it the file's name.")] = "",
    credit: Annotated[
        str, typer.Option(help="Whom the map's licence wants named; without it OpenStreetMap's contributors.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Read the part of a map file around a box and keep what is drawn of it in the user's data folder.

    Example: dpviz basemap add firenze.pmtiles --box 11.20,43.75,11.30,43.80
    """
    from dpviz.basemap import added_maps

    needed = "a map is drawn on degrees; give the box as W,S,E,N in degrees of longitude and latitude."
    corners = degrees_box(box, needed).as_tuple()
    with progress("reading the map"):
        added = added_maps.add(extract, corners, folder=maps_folder(), name=name, credit=credit)
    city = added_maps.best(corners, maps_folder())
    drawn = "" if city is None else f" {city.corners:,} points to draw, {len(city.places)} names."
    place = ", ".join(f"{value:g}" for value in corners)
    tell(
        as_json,
        {"name": added.name, "box": list(corners), "credit": added.credit},
        f"Added {added.name!r} for the box {place}.{drawn} {added.credit}",
    )


@app.command(name="list")
def list_maps(as_json: AsJson = False) -> None:
    """List the maps that were added.

    Example: dpviz basemap list
    """
    from dpviz.basemap import added_maps

    rows = [{"name": row.name, "box": list(row.box), "credit": row.credit} for row in added_maps.listed(maps_folder())]
    none = "No map was added yet: dpviz basemap add FILE --box W,S,E,N"
    tell(as_json, rows, Table(("name", "box", "credit"), rows) if rows else none)


@app.command()
def remove(
    name: Annotated[str, typer.Argument(help="The name that `basemap list` shows.")], as_json: AsJson = False
) -> None:
    """Forget a map that was added.

    Example: dpviz basemap remove firenze
    """
    from dpviz.basemap import added_maps

    rows = added_maps.listed(maps_folder())
    wanted = [row for row in rows if row.name == name]
    if not wanted:
        known = ", ".join(repr(row.name) for row in rows) or "none"
        raise InputError(f"there is no map called {name!r}; there are: {known}.")
    for row in wanted:
        added_maps.remove(row)
    tell(as_json, {"removed": name}, f"Removed {name!r}.")


def maps_folder() -> Path:
    """Where the maps are kept."""
    from dpviz.releases.paths import user_data_folder

    return user_data_folder() / "maps"
