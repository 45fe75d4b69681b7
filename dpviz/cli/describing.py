"""describe: a release for registers and files of others (OpenDP's registry, data portals, an impact assessment)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dpviz.cli.life import Id, id_of
from dpviz.cli.parameters.options import AsJson, LedgerFile
from dpviz.cli.terminal.output_paths import Kind, Overwrite, claim, listed
from dpviz.cli.terminal.printing import print_json
from dpviz.errors import InputError

REGISTRY = "For the registry"
KINDS = ("registry", "dcat", "impact")


def _is_one(file: Path) -> bool:
    """An earlier output of this command: what it writes begins like this."""
    try:
        start = file.read_text(encoding="utf-8")[:400]
    except (OSError, UnicodeError):
        return False
    return start.startswith(('{\n  "status": "Draft"', '{\n  "@context"', "# Annex: protection of the persons"))


DESCRIPTION = Kind(name="a description", folder=False, example="entry.yaml", is_one=_is_one)


def describe(
    release: Id,
    kind: Annotated[str, typer.Option("--as", help="registry, dcat or impact.")],
    out: Annotated[Path, typer.Option(help="The file to write.")],
    ledger: LedgerFile = None,
    url: Annotated[str, typer.Option(help="dcat: where the release folder will be found, https://…")] = "",
    use: Annotated[str, typer.Option(help="What it is for.", rich_help_panel=REGISTRY)] = "",
    authors: Annotated[str, typer.Option(help="Who writes the entry, with commas.", rich_help_panel=REGISTRY)] = "",
    sector: Annotated[
        str, typer.Option(help="Technology, Healthcare, Education or Government.", rich_help_panel=REGISTRY)
    ] = "",
    justification: Annotated[str, typer.Option(help="Why this level and method.", rich_help_panel=REGISTRY)] = "",
    name: Annotated[str, typer.Option(help="Default: the title.", rich_help_panel=REGISTRY)] = "",
    curator: Annotated[str, typer.Option(help="Default: the publisher.", rich_help_panel=REGISTRY)] = "",
    description: Annotated[str, typer.Option(help="Default: the description.", rich_help_panel=REGISTRY)] = "",
    region: Annotated[str, typer.Option(help="Default: the area.", rich_help_panel=REGISTRY)] = "",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Describe a release for others: an entry of OpenDP's registry, DCAT-AP metadata, or an annex on its impact.

    What release and ledger know fills itself; what is missing is named. An entry of the registry is JSON, which is
    YAML too; a record of DCAT-AP is JSON-LD; the annex is Markdown.

    Example: dpviz describe 3f2a --as dcat --url https://data.example.org/trips/ --out trips.jsonld
    """
    from dpviz.ledger.ledger import Ledger
    from dpviz.life.dcat_record import dcat_record
    from dpviz.life.impact_annex import impact_annex
    from dpviz.life.publications import publication
    from dpviz.life.registry_entry import Answers, registry_entry

    if kind not in KINDS:
        raise InputError(f"--as {kind[:40]!a}; use {', '.join(KINDS)}.")
    place = claim(out, DESCRIPTION, ledgers=listed(ledger), overwrite=overwrite)
    book = Ledger(ledger, create=False)
    chosen = publication(id_of(release), book)
    if kind == "impact":
        text = impact_annex(chosen, book)
    elif kind == "dcat":
        text = json.dumps(dcat_record(chosen, url), indent=2, ensure_ascii=False) + "\n"
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
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(out)!r}: {error.strerror or type(error).__name__} (--out).") from None
    if as_json:
        print_json({"id": chosen.id, "kind": kind, "out": str(out), "description": text})
    else:
        print(f"Wrote {out}.")
