"""The command line: `python -m dpviz …` or `dpviz …`.

Exit codes: 0 done; 2 bad input or usage, and nothing was charged; 3 refused by the ledger; 4 no answer at this budget;
5 charged, then something went wrong: the same command completes it. Long work shows progress on a terminal and is
silent otherwise; `--json` prints one JSON document on standard output.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from dpviz.cli import approval, asking, exporting, inspecting, joint, life, publishing, research, series, servers
from dpviz.cli.parameters.options import with_options
from dpviz.cli.terminal.printing import escape_unprintable_letters, exit_before_library_threads_abort, guarded

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


# In the order of the help: the name, what it runs, and its panel. Names of before are unlisted.
_COMMANDS: tuple[tuple[str, Any, str], ...] = (
    ("methods", inspecting.methods, "Publish"),
    ("odds", inspecting.odds, "Research"),
    ("units", inspecting.units, "Publish"),
    ("register", inspecting.register, "Publish"),
    ("preview", inspecting.preview, "Publish"),
    ("release", publishing.release, "Publish"),
    ("trace", publishing.trace, "Publish"),
    ("count", inspecting.count, "Publish"),
    ("evaluate", inspecting.evaluate, "Publish"),
    ("compare", inspecting.compare, "Use what was published"),
    ("ask", asking.ask, "Use what was published"),
    ("verify", life.verify, "Use what was published"),
    ("publications", life.publications, "Look after it"),
    ("withdraw", life.withdraw, "Look after it"),
    ("supersede", life.supersede, "Look after it"),
    ("correct", life.correct, "Look after it"),
    ("describe", exporting.describe, "Use what was published"),
    ("picture", exporting.picture, "Use what was published"),
    ("series", series.app, "Publish"),
    ("joint", joint.app, "Publish"),
    ("ledger", life.app, "Look after it"),
    ("approval", approval.app, "Look after it"),
    ("basemap", exporting.basemap, "Look after it"),
    ("audit", research.audit, "Research"),
    ("warm", research.warm, "Research"),
    ("bench", research.research_command("bench"), "Research"),
    ("reproduce", research.research_command("reproduce"), "Research"),
    ("app", servers.start_app, "Pages and servers"),
    ("analyst", servers.analyst, "Pages and servers"),
    ("ask-server", servers.ask_server, "Use what was published"),
    ("serve", servers.serve, "Pages and servers"),
    ("demo", exporting.demo, "Pages and servers"),
    ("publish", publishing.release, "Publish"),
    ("research", research.app, "Research"),
)
_SETTINGS: dict[str, dict[str, Any]] = {
    "app": {"context_settings": servers.PASSED_ON},
    "analyst": {"context_settings": servers.PASSED_ON},
    "publish": {"help": "Another name of release."},
    **{key: {"context_settings": {"ignore_unknown_options": True}} for key in research.missing_commands()},
}
for _name, _runs, _panel in _COMMANDS:
    _shown: dict[str, Any] = {"name": _name, "rich_help_panel": _panel, **_SETTINGS.get(_name, {})}
    if isinstance(_runs, typer.Typer):
        app.add_typer(_runs, **_shown)
        continue
    if _panel == "Research":  # listed in the group
        research.app.command(name=_name, **_SETTINGS.get(_name, {}))(_runs)
    app.command(**_shown, hidden=_panel == "Research")(with_options(_runs))


def run() -> int:
    """Run the command line; the exit code."""
    escape_unprintable_letters()
    return guarded(lambda: app(prog_name="dpviz"))


def main() -> None:
    """Run the command line in a process that goes on, as tests do."""
    sys.exit(run())


def program() -> None:
    """Run the command line as a process of its own, which ends with it."""
    exit_before_library_threads_abort(run)


if __name__ == "__main__":
    program()
