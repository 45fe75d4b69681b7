"""The command that asks a release: areas, plans of sites, flows of trips, with ranges; from protected things alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import AsJson
from dpviz.cli.terminal.printing import Table, center_rows, tell
from dpviz.errors import InputError
from dpviz.labels import sentences as say

if TYPE_CHECKING:
    import pandas as pd

    from dpviz.domain import Frame
    from dpviz.questions.answers import Estimate

NUMBERS = ("estimate", "low", "high")
MOST_SITES = 1000
MOST_STREETS_TOLD = 40
WEAK = "error larger than the number"


def ask(
    release: Annotated[Path, typer.Argument(help="A release folder.")],
    areas: Annotated[
        str | None,
        typer.Option(
            help="A GeoJSON file of zones, a box west,south,east,north, 'neighbourhoods' (New York), the name of "
            "one, or tiles: squares:500, hexagons:500 (metres), h3:9. Default: the whole box."
        ),
    ] = None,
    shares: Annotated[bool, typer.Option("--shares", help="Shares of all records instead of counts.")] = False,
    end: Annotated[
        str | None, typer.Option(help="Of trips: the end that is asked for, such as pickup or dropoff.")
    ] = None,
    flows: Annotated[
        bool, typer.Option("--flows", help="Of trips: how many go from each of the areas to each other.")
    ] = False,
    sites: Annotated[
        Path | None,
        typer.Option(
            help="A plan of sites: a table with the columns lon and lat (and capacity, where that is known), or a "
            "GeoJSON file of points."
        ),
    ] = None,
    streets: Annotated[
        Path | None,
        typer.Option(
            help="A map file of lines (GeoPackage, GeoJSON, Shapefile, PMTiles, .osm.pbf): about how many records are "
            "nearest to each street."
        ),
    ] = None,
    when: Annotated[
        str | None,
        typer.Option(
            help="Of a release by time or by a column: which parts together, such as '7,8,9', 'Monday' or 'member'; "
            "'each' gives one row a part."
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", help="So many centers, made from what was published; any number, at no further cost."),
    ] = None,
    within: Annotated[float, typer.Option(help="With --sites: how near is near, in metres.")] = 500.0,
    as_json: AsJson = False,
) -> None:
    """Ask a release how many records lie in areas or near sites; every number with the range that holds it in 90 of 100
    draws.

    Any number of questions costs no further privacy: they are answered from what was published.

    Example: dpviz ask release --areas zones.geojson
    """
    if sites is not None and (areas is not None or shares or flows):
        raise typer.BadParameter("--sites asks about a plan; leave out --areas, --shares and --flows.")
    if flows and (areas is None or shares or end is not None):
        raise typer.BadParameter("--flows needs --areas, and goes without --shares and --end.")
    if streets is not None and (areas is not None or shares or flows or sites is not None or k is not None):
        raise typer.BadParameter("--streets goes with --end, --when and --json alone.")
    found = dpviz.Release.load(release)
    parts = found.request.parts
    if k is not None and (areas is not None or shares or flows or end is not None or sites is not None):
        raise typer.BadParameter("--k asks for centers; of the other questions it goes with --when alone.")
    if k is None and parts is not None and when == "each":
        if streets is not None or sites is not None or flows or end is not None:
            raise typer.BadParameter("--when each asks about areas; leave out --sites, --flows and --end.")
        _each(found, areas, shares, as_json)
        return
    if k is None and parts is not None and when is None:
        found = found.parts.at(*range(len(parts.names)))  # all of them
    elif when is not None:
        found = found.parts.at(*when.split(","))
    if k is not None:
        _centers(found, k, as_json)
    elif streets is not None:
        _tell_streets(found, found.streets(streets, end=end), as_json)
    elif sites is not None:
        _plan(found, sites, within, end, as_json)
    elif flows:
        _tell_areas(found, found.flows(areas), "trips", as_json)
    else:
        table = _whole(found) if areas is None else found.table(areas, shares=shares, end=end)
        _tell_areas(found, table, "shares" if shares else "records", as_json)


def _centers(found: dpviz.Release, k: int, as_json: bool) -> None:
    """Centers of a published release, heaviest first."""
    table = found.centers_for(k=k).sort_values("weight", ascending=False, kind="stable")
    centers = Table(list(map(str, table.columns)), center_rows(table, found.frame.metric))
    tell(as_json, {"id": found.id, "k": k, "centers": _rows(table)}, centers)


def _whole(found: dpviz.Release) -> pd.DataFrame:
    """One row for all records."""
    import pandas as pd

    return pd.DataFrame([_numbers(found.total(), "area", *NUMBERS, "note")])


def _numbers(estimate: Estimate, *names: str) -> dict[str, Any]:
    return {name: getattr(estimate, name) for name in names}


def _ranges(more: str = "") -> str:
    """What every range means."""
    from dpviz.questions.answers import RANGES

    return f"{RANGES} {say.OF_FILE}{more}"


def _tell_areas(found: dpviz.Release, table: pd.DataFrame, of: str, as_json: bool) -> None:
    """One row an area, or a pair of them for trips."""
    rows, names = _rows(table), ["origin", "destination"] if of == "trips" else ["area"]
    total = _numbers(found.total(), *NUMBERS)
    facts = {"id": found.id, "of": of, "total": total, ("flows" if of == "trips" else "areas"): rows}
    form = "{:.2%}" if of == "shares" else "{:,.0f}"
    cells = [
        [*(str(row[name]) for name in names), *(_written(row[key], form) for key in NUMBERS), str(row["note"])]
        for row in rows
    ]
    tell(as_json, facts, Table((*names, "about", "low", "high", "note"), cells), _ranges())


def _tell_streets(found: dpviz.Release, table: pd.DataFrame, as_json: bool) -> None:
    """One row a street; on a terminal the busiest that say something, and how many do not."""
    clear = table[table["note"] == ""].sort_values("estimate", ascending=False, kind="stable")
    cells = [
        [str(row["street"] or "(no name)"), *(f"{row[key]:,.0f}" for key in ("length_m", *NUMBERS))]
        for row in _rows(clear.head(MOST_STREETS_TOLD))
    ]
    tell(
        as_json,
        {"id": found.id, "of": "streets", "streets": _rows(table)},
        Table(("street", "length in m", "about", "low", "high"), cells),
        _ranges(),
        f"{len(clear):,} of {len(table):,} streets have a number that says something ({len(cells)} listed; --json "
        "lists all). For the others the squares of this release are too coarse.",
    )


def _each(release: dpviz.Release, areas: str | None, shares: bool, as_json: bool) -> None:
    """Every area in every part with ranges, and the part's share of all records of the area."""
    view = release.parts
    rows = _rows(view.table(areas))
    if shares:  # of the part's own records
        names = view.parts.names
        own = [view.at(number, k=1) for number in range(len(names))]
        tables = [_whole(part) if areas is None else part.table(areas, shares=True) for part in own]
        for at, row in enumerate(rows):
            row |= {key: float(tables[at % len(names)][key].iloc[at // len(names)]) for key in NUMBERS}
    form = "{:.2%}" if shares else "{:,.0f}"
    cells = [
        [
            str(row["area"]),
            str(row["part"]),
            *(_written(row[key], form) for key in NUMBERS),
            " to ".join(_written(row[key], "{:.1%}") for key in ("share_low", "share_high")),
            str(row["note"]) or (WEAK if row["weak"] else ""),
        ]
        for row in rows
    ]
    told = [{view.parts.by: row.pop("part"), **row} for row in rows]
    tell(
        as_json,
        {"id": release.id, "of": "shares" if shares else "records", **view.parts.facts(), "areas": told},
        Table(("area", view.parts.word, "about", "low", "high", "of the area", "note"), cells),
        _ranges(f" Times of {view.parts.zone}." if view.parts.zone else ""),
    )


def _plan(found: dpviz.Release, path: Path, within: float, end: str | None, as_json: bool) -> None:
    """How far records are from the sites, how many are near, what each site serves and what it cannot."""
    places = read_sites(path, found.frame)
    pairs = places[["lon", "lat"]].to_numpy()
    near = [dpviz.Circle(lon=float(lon), lat=float(lat), radius_m=within) for lon, lat in pairs]
    told = {"distance_m": found.distance_to(pairs, end=end), "share_within": found.share(near, end=end)}
    serves = found.served_by(pairs, end=end)
    serves["capacity"] = places["capacity"].to_numpy()
    serves["too_small"] = serves["low"] > serves["capacity"]
    names = ("Average distance to the nearest site", f"Within {within:g} m of a site")
    said = []
    for name, one, form in zip(names, told.values(), ("{:,.0f} m", "{:.1%}"), strict=True):
        about, low, high = (form.format(getattr(one, key)) for key in NUMBERS)
        said.append(f"{name}: {one.note or f'about {about}'} ({low} to {high}).")
    cells = [
        [
            str(row["site"]),
            *(_written(row[key], "{:,.0f}") for key in (*NUMBERS, "capacity")),
            str(row["note"]) or ("more than it can serve" if row["too_small"] else ""),
        ]
        for row in _rows(serves)
    ]
    facts = {name: _numbers(one, *NUMBERS, "note") for name, one in told.items()}
    tell(
        as_json,
        {"id": found.id, "within_m": within, **facts, "sites": _rows(serves)},
        *said,
        Table(("site", "serves about", "low", "high", "capacity", "note"), cells),
        _ranges(),
    )


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Plain rows, with nothing where there is no number."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.itertuples(index=False)]
    return [{key: None if value != value else value for key, value in row.items()} for row in rows]


def _written(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


def read_sites(path: Path, frame: Frame) -> pd.DataFrame:
    """One row a site: lon, lat and capacity, NaN where it is not known."""
    import pandas as pd

    try:
        content = path.read_bytes()
    except OSError:
        raise InputError(f"{str(path)!r} cannot be read; give a table with lon and lat, or GeoJSON points.") from None
    try:
        table = _sites_of_geojson(content) if content.lstrip()[:1] == b"{" else pd.read_csv(path)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{path.name!r} holds no sites that can be read; give a table (CSV) with the columns lon and lat, or a "
            "GeoJSON FeatureCollection of points."
        ) from None
    missing = [name for name in ("lon", "lat") if name not in table.columns]
    if missing:
        raise InputError(
            f"{path.name!r} lacks the columns {missing}; sites have lon and lat in degrees, and capacity where it is "
            "known."
        )
    if not 1 <= len(table) <= MOST_SITES:
        raise InputError(f"{path.name!r} holds {len(table):,} sites; give 1 to {MOST_SITES:,}.")
    if "capacity" not in table.columns:
        table["capacity"] = float("nan")
    numbers: pd.DataFrame = table[["lon", "lat", "capacity"]].apply(pd.to_numeric, errors="coerce")
    _refuse_sites_outside(path.name, numbers, frame)
    return numbers


def _sites_of_geojson(content: bytes) -> pd.DataFrame:
    import pandas as pd

    features = json.loads(content)["features"]
    places = [list(map(float, feature["geometry"]["coordinates"][:2])) for feature in features]
    held = [(feature.get("properties") or {}).get("capacity") for feature in features]
    return pd.DataFrame(places, columns=["lon", "lat"]).assign(capacity=pd.Series(held, dtype=object))


def _refuse_sites_outside(name: str, sites: pd.DataFrame, frame: Frame) -> None:
    """Sites in the public box, of trips in that of the first end; a hint where the axes are swapped."""
    (west, south), (east, north) = frame.low[:2], frame.high[:2]
    lon, lat = sites["lon"], sites["lat"]
    inside = lon.between(west, east) & lat.between(south, north)
    if inside.all():
        return
    row = int((~inside).to_numpy().argmax())
    swapped = (lat.between(west, east) & lon.between(south, north)).all()
    hint = "with its two columns swapped it would lie inside" if swapped else "move it inside or leave it out"
    box = f"({west:g}, {south:g}, {east:g}, {north:g})"
    place = f"({lon.iloc[row]:g}, {lat.iloc[row]:g})"
    raise InputError(f"site {row + 1} of {name!r} {place} is not in the public box {box}; {hint}.")
