"""Commands that write a file for others: describe, picture, demo; and the city maps that pictures are drawn on."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import dpviz
from dpviz.cli.life import Id, id_of
from dpviz.cli.parameters.options import AsJson, LedgerFile, degrees_box
from dpviz.cli.terminal.output_paths import Kind, Overwrite, claim, read_head, write_output
from dpviz.cli.terminal.printing import Table, progress, tell
from dpviz.errors import InputError
from dpviz.extensions import extensions

in_registry = partial(typer.Option, rich_help_panel="For the registry")
KINDS = ("registry", "dcat", "dcat-us", "impact")


DESCRIPTION = Kind(
    name="a description",
    folder=False,
    example="entry.yaml",
    is_one=lambda path: read_head(path).startswith(
        (b'{\n  "status": "Draft"', b'{\n  "@context"', b"# Annex: protection of the persons")
    ),
)
_PICTURE_HEADS = (
    b"%PDF-1.",
    b"\x89PNG\r\n",
    b'<svg xmlns="http://www.w3.org/2000/svg"',
    b'<svg role="img" ',
    b"<!doctype html>\n<html",
    b'{"datasets": ',
)
PICTURE = Kind(
    name="a picture", folder=False, example="map.pdf", is_one=lambda path: read_head(path).startswith(_PICTURE_HEADS)
)

basemap = typer.Typer(
    help="Add a map file of a city, so that its streets, parks and names are drawn. Nothing is fetched from anywhere.",
    no_args_is_help=True,
)


def describe(
    release: Id,
    kind: Annotated[
        str, typer.Option("--as", help="registry, dcat, dcat-us, impact, or what an installed package adds.")
    ],
    out: Annotated[Path, typer.Option(help="The file to write.")],
    ledger: LedgerFile = None,
    url: Annotated[str, typer.Option(help="dcat, dcat-us: where the release folder will be found, https://…")] = "",
    use: Annotated[str, in_registry(help="What it is for.")] = "",
    authors: Annotated[str, in_registry(help="Who writes the entry, with commas.")] = "",
    sector: Annotated[str, in_registry(help="Technology, Healthcare, Education or Government.")] = "",
    justification: Annotated[str, in_registry(help="Why this level and method.")] = "",
    name: Annotated[str, in_registry(help="Default: the title.")] = "",
    curator: Annotated[str, in_registry(help="Default: the publisher.")] = "",
    description: Annotated[str, in_registry(help="Default: the description.")] = "",
    region: Annotated[str, in_registry(help="Default: the area.")] = "",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Describe a release for others: an entry of OpenDP's registry, DCAT metadata, or an annex on its impact.

    What release and ledger know fills itself; what is missing is named. An entry of the registry is JSON, which is
    YAML too; a record of DCAT-AP or DCAT-US is JSON-LD; the annex is Markdown.

    Example: dpviz describe 3f2a --as dcat --url https://data.example.org/trips/ --out trips.jsonld
    """
    from dpviz.life.descriptions import Answers, dcat_record, dcat_us_record, impact_annex, registry_entry
    from dpviz.life.publications import publication

    added = extensions("dpviz.descriptions", KINDS)  # functions from a publication and its ledger to a text
    if kind not in KINDS and kind not in added:
        raise InputError(f"--as {kind[:40]!a}; use {', '.join((*KINDS, *added))}.")
    place = claim(out, DESCRIPTION, ledger=ledger, overwrite=overwrite)
    book = dpviz.Ledger(ledger, create=False)
    chosen = publication(id_of(release), book)
    if kind in added:
        with added[kind].named_failures():
            text = "".join(added[kind].value(chosen, book))
    elif kind == "impact":
        text = impact_annex(chosen, book)
    elif kind in ("dcat", "dcat-us"):
        record = dcat_record(chosen, url) if kind == "dcat" else dcat_us_record(chosen, url)
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    else:
        answers = Answers(
            name=name,
            curator=curator,
            description=description,
            region=region,
            intended_use=use,
            authors=authors,
            sector=sector,
            justification=justification,
        )
        text = json.dumps(registry_entry(chosen, book, answers), indent=2, ensure_ascii=False) + "\n"
    write_output(place, text.encode(), out)
    tell(as_json, {"id": chosen.id, "kind": kind, "out": str(out), "description": text}, f"Wrote {out}.")


def picture(
    release: Annotated[Path, typer.Argument(help="A release folder.")],
    out: Annotated[Path, typer.Option(help="The file to write: .svg, .pdf, .png, or .html to put into a web page.")],
    beside: Annotated[
        Path | None, typer.Option(help="A second release folder of the same box, in the same scale of colours.")
    ] = None,
    style: Annotated[str, typer.Option(help="light, dark, projector or print.")] = "light",
    title: Annotated[str, typer.Option(help="Default: the title of the release.")] = "",
    record: Annotated[str, typer.Option(help="What a record is called in the promise: trip, ride …")] = "record",
    label: Annotated[bool, typer.Option("--label", help="The privacy label instead of the map.")] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Draw a release: map, legend, promise, date and credit, from what was published alone.

    Streets come from a map that was added for the box (dpviz basemap add). A PDF is tagged for screen readers
    (PDF/UA-1, PDF/A-2a).

    Example: dpviz picture out --style dark --title "Where taxis are taken" --out map.png
    """
    from dpviz.drawing.picture import kind_of_name, label_page, picture as drawn

    kind = kind_of_name(out)
    place = claim(out, PICTURE, inputs=[release] if beside is None else [release, beside], overwrite=overwrite)
    shown = dpviz.Release.load(release)
    other = None if beside is None else dpviz.Release.load(beside)
    with progress("drawing"):
        if label:
            content = label_page(shown, kind, style=style)
        else:
            content = drawn(shown, kind, beside=other, style=style, title=title, record=record)
    write_output(place, content, out)
    tell(as_json, {"out": str(out), "bytes": len(content)}, f"Drew {out}.")


def demo(
    out: Annotated[Path, typer.Option(help="The file to write, such as demo.html.")],
    language: Annotated[str, typer.Option(help="The language that it opens with; all of them are in it.")] = "en",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write the demonstration "Find her" as one file that needs no network and no server.

    Public demonstration data only. Open it in any browser; F fills the screen, N opens the presenter's window.

    Example: dpviz demo --out demo.html
    """
    from dpviz.language import languages
    from dpviz.ui.demo import story

    demonstration = Kind(
        name="the demonstration",
        folder=False,
        example="demo.html",
        is_one=lambda path: story.is_offline_page(read_head(path)),
    )
    if language not in languages():
        raise InputError(f"there is no language {language!r}; --language takes {', '.join(languages())}.")
    place = claim(out, demonstration, overwrite=overwrite, parents=True)
    content = story.offline_page(language).encode()
    write_output(place, content, out, parents=True)
    size = f"{out}: the whole demonstration, {len(content) / 1e6:.1f} MB. Open it in a browser."
    tell(as_json, {"out": str(out), "bytes": len(content)}, size)


@basemap.command()
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


@basemap.command(name="list")
def list_maps(as_json: AsJson = False) -> None:
    """List the maps that were added.

    Example: dpviz basemap list
    """
    from dpviz.basemap import added_maps

    rows = [{"name": row.name, "box": list(row.box), "credit": row.credit} for row in added_maps.listed(maps_folder())]
    none = "No map was added yet: dpviz basemap add FILE --box W,S,E,N"
    tell(as_json, rows, Table(("name", "box", "credit"), rows) if rows else none)


@basemap.command()
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
