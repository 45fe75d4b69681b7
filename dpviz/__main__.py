"""The command line: `python -m dpviz …` or `dpviz …`.

Exit codes: 0 done; 2 bad input or usage; 3 refused by the ledger; 4 no answer at this budget. Long work shows
progress on a terminal and is silent otherwise; `--json` prints one JSON document on standard output.
"""

from __future__ import annotations

import sys

import typer

from dpviz.cli import curator, looking, preparing, publishing, research, servers
from dpviz.cli.ending import guarded
from dpviz.cli.output import take_any_letter

app = typer.Typer(
    name="dpviz",
    help="Publish where people gather without publishing where anyone was.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

# In the order of the help.
app.command()(looking.methods)
app.command()(looking.odds)
app.command()(preparing.register)
app.command()(preparing.preview)
app.command()(publishing.release)
app.command()(curator.count)
app.command()(curator.evaluate)
app.command()(looking.compare)
app.command(name="ledger")(looking.show_ledger)
app.command()(research.audit)
app.command()(research.bench)
app.command()(research.reproduce)
app.command(name="app", context_settings=servers.PASSED_ON)(servers.start_app)
app.command(context_settings=servers.PASSED_ON)(servers.analyst)


def main() -> None:
    """Run the command line."""
    take_any_letter()
    sys.exit(guarded(app))


if __name__ == "__main__":
    main()
