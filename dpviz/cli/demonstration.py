"""The command that writes the demonstration as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpviz.cli.parameters.options import AsJson
from dpviz.cli.terminal.output_paths import Kind, Overwrite, claim
from dpviz.cli.terminal.printing import print_json
from dpviz.errors import InputError


def _is_one(file: Path) -> bool:
    from dpviz.ui.demo import offline

    try:
        return offline.is_page(file.read_bytes()[:4096])
    except OSError:
        return False


DEMONSTRATION = Kind(name="the demonstration", folder=False, example="demo.html", is_one=_is_one)


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
    from dpviz.ui.demo import offline

    if language not in languages():
        raise InputError(f"there is no language {language!r}; --language takes {', '.join(languages())}.")
    place = claim(out, DEMONSTRATION, overwrite=overwrite, parents=True)
    content = offline.page(language).encode()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    except OSError as problem:
        raise InputError(f"cannot write {str(out)!r}: {problem.strerror or type(problem).__name__} (--out).") from None
    if as_json:
        print_json({"out": str(out), "bytes": len(content)})
    else:
        print(f"{out}: the whole demonstration, {len(content) / 1e6:.1f} MB. Open it in a browser.")
