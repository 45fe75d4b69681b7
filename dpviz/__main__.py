"""The command line: `python -m dpviz …` or `dpviz …`.

Exit codes: 0 done; 2 bad input or usage, and nothing was charged; 3 refused by the ledger; 4 no answer at this budget;
5 charged, then something went wrong: the same command completes it. Long work shows progress on a terminal and is
silent otherwise; `--json` prints one JSON document on standard output.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from dpviz.cli import (
    approval,
    asking,
    exporting,
    inspecting,
    joint,
    ledger_commands,
    life,
    maps,
    preparing,
    publishing,
    research,
    series,
    servers,
)
from dpviz.cli.parameters.options import with_options
from dpviz.cli.terminal.exit_codes import exit_before_library_threads_abort, guarded
from dpviz.cli.terminal.printing import escape_unprintable_letters

app = typer.Typer(
    name="dpviz",
    help="Publish where people gather without publishing where anyone was.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from dpviz import __version__

        print(f"dpviz {__version__}")
        raise typer.Exit


@app.callback()
def dpviz(
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Publish where people gather without publishing where anyone was."""


# In the order of the help.
app.command()(inspecting.methods)
app.command()(inspecting.odds)
app.command()(inspecting.units)
app.command()(with_options(preparing.register))
app.command()(with_options(preparing.preview))
app.command()(with_options(publishing.release))
app.command()(with_options(publishing.trace))
app.command()(with_options(inspecting.count))
app.command()(with_options(inspecting.evaluate))
app.command()(inspecting.compare)
app.command()(asking.ask)
app.command()(life.verify)
app.command()(life.publications)
app.command()(life.withdraw)
app.command()(life.supersede)
app.command()(with_options(life.correct))
app.command()(exporting.describe)
app.command()(exporting.picture)
app.add_typer(series.app, name="series")
app.add_typer(joint.app, name="joint")
app.add_typer(ledger_commands.app, name="ledger")
app.add_typer(approval.app, name="approval")
app.add_typer(maps.app, name="basemap")
app.command()(research.audit)
research.add_research_command(app, "bench")
app.command()(research.warm)
research.add_research_command(app, "reproduce")
app.command(name="app", context_settings=servers.PASSED_ON)(servers.start_app)
app.command(context_settings=servers.PASSED_ON)(servers.analyst)
app.command()(servers.ask_server)
app.command()(servers.serve)
app.command()(exporting.demo)


def run() -> int:
    """Run the command line; the exit code."""
    escape_unprintable_letters()
    return guarded(lambda: app(prog_name="dpviz"))


app.command(name="publish", help="Another name of release.")(with_options(publishing.release))
for _name, _command in (("odds", inspecting.odds), ("audit", research.audit), ("warm", research.warm)):
    research.app.command(name=_name)(_command)
for _name in ("bench", "reproduce"):
    research.add_research_command(research.app, _name)
app.add_typer(research.app, name="research")

# Panels of the help. What stands in the group research too keeps its name of before, unlisted.
_PANELS = {
    "Publish": "register preview release publish trace units count evaluate methods series joint",
    "Use what was published": "compare ask ask-server picture verify describe",
    "Look after it": "publications withdraw supersede correct ledger approval basemap",
    "Pages and servers": "app analyst serve demo",
    "Research": "research odds audit warm bench reproduce",
}
_listed: list[Any] = [*app.registered_commands, *app.registered_groups]
for _info in _listed:
    _name = str(_info.name or getattr(_info.callback, "__name__", "")).replace("_", "-")
    _info.rich_help_panel = next((panel for panel, names in _PANELS.items() if _name in names.split()), None)
    _info.hidden = _info.rich_help_panel == "Research" and _name != "research"


def main() -> None:
    """Run the command line in a process that goes on, as tests do."""
    sys.exit(run())


def program() -> None:
    """Run the command line as a process of its own, which ends with it."""
    exit_before_library_threads_abort(run)


if __name__ == "__main__":
    program()
