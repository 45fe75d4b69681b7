"""The command that shows what one unit of protection would be: units. Exact numbers, for the curator alone."""

from __future__ import annotations

from typing import Annotated

import typer

from dpviz.cli.parameters.options import FILE, AsJson, Decimal, Header, Separator
from dpviz.cli.terminal.printing import print_json, print_table, progress


def units(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="CSV, Parquet or GeoJSON files, folders, globs.")],
    lon: Annotated[str | None, typer.Option(help="The column that holds longitudes.", rich_help_panel=FILE)] = None,
    lat: Annotated[str | None, typer.Option(help="The column that holds latitudes.", rich_help_panel=FILE)] = None,
    separator: Separator = None,
    decimal: Decimal = None,
    header: Header = None,
    as_json: AsJson = False,
) -> None:
    """Show which columns may tell persons apart, how many rows each has, and what a cap keeps. For the curator alone.

    The numbers are exact: do not publish them. The column and the cap that you choose are public and stand in every
    release.

    Example: dpviz units trips.csv
    """
    from dpviz.ingest.sources import TextForm
    from dpviz.ingest.units.unit_survey import best_person, look_at_units, record_sentence

    with progress("looking"):
        form = TextForm(separator=separator, decimal=decimal, header=header)
        looks = look_at_units(files if len(files) > 1 else files[0], lon=lon, lat=lat, form=form)
    proposed = best_person(looks)
    if as_json:
        print_json(
            {
                "exact": True,
                "proposed": None if proposed is None else proposed.name,
                "advised_cap": None if proposed is None else proposed.advised_cap,
                "columns": [
                    {
                        "column": look.name,
                        "what": look.verdict.value,
                        "rows": look.exact_rows,
                        "values": look.exact_values,
                        "most_rows_of_one_value": look.exact_most,
                        "kept_at_cap": {str(cap): kept for cap, kept in look.exact_kept},
                    }
                    for look in looks
                ],
            }
        )
        return
    rows = [
        [
            look.name,
            look.verdict.value,
            f"{look.exact_rows:,}" if look.exact_rows else "",
            f"{look.exact_values:,}" if look.exact_rows else "",
            f"{look.exact_most:,}" if look.exact_rows else "",
        ]
        for look in looks
    ]
    print_table(("column", "what", "rows", "values", "most rows of one value"), rows)
    print()
    if proposed is None:
        print("No column may tell persons apart: what is protected is one row (--unit record).")
        return
    print(proposed.proposal)
    print(proposed.advice)
    print(record_sentence(proposed))
    print(f'Then: --person "{proposed.name}" --cap {proposed.advised_cap}. Or: --unit record.')
