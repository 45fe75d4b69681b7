"""picture: a release, or two beside each other, as a titled file for a report, a poster or a web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpviz.cli.parameters.options import AsJson
from dpviz.cli.terminal.output_paths import Kind, Overwrite, claim
from dpviz.cli.terminal.printing import print_json, progress
from dpviz.errors import InputError

_BEGINNINGS = (b"%PDF-1.", b"\x89PNG\r\n", b'<svg xmlns="http://www.w3.org/2000/svg"', b"<!doctype html>\n<html")


def _is_one(file: Path) -> bool:
    try:
        with open(file, "rb") as stream:
            return stream.read(64).startswith(_BEGINNINGS)
    except OSError:
        return False


PICTURE = Kind(name="a picture", folder=False, example="map.pdf", is_one=_is_one)


def picture(
    release: Annotated[Path, typer.Argument(help="A release folder.")],
    out: Annotated[Path, typer.Option(help="The file to write: .svg, .pdf, .png, or .html to put into a web page.")],
    beside: Annotated[
        Path | None, typer.Option(help="A second release folder of the same box, in the same scale of colours.")
    ] = None,
    style: Annotated[str, typer.Option(help="light, dark, projector or print.")] = "light",
    title: Annotated[str, typer.Option(help="Default: the title of the release.")] = "",
    record: Annotated[str, typer.Option(help="What a record is called in the promise: trip, ride …")] = "record",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Draw a release: map, legend, promise, date and credit, from what was published alone.

    Streets come from a map that was added for the box (dpviz basemap add). PNG needs Pillow, which the extra
    app brings.

    Example: dpviz picture out --style dark --title "Where taxis are taken" --out map.png
    """
    from dpviz.drawing.picture import kind_of_name
    from dpviz.drawing.picture import picture as drawn
    from dpviz.releases.release import Release

    kind = kind_of_name(out)
    inputs = [release] if beside is None else [release, beside]
    place = claim(out, PICTURE, inputs=inputs, overwrite=overwrite)
    shown = Release.load(release)
    other = None if beside is None else Release.load(beside)
    with progress("drawing"):
        content = drawn(shown, kind, beside=other, style=style, title=title, record=record)
    try:
        place.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {str(out)!r}: {error.strerror or type(error).__name__} (--out).") from None
    if as_json:
        print_json({"out": str(out), "bytes": len(content)})
    else:
        print(f"Drew {out}.")
