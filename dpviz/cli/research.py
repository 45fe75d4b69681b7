"""The commands audit and warm, and those that the distribution dpviz-research registers: bench, reproduce."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Annotated

import typer

import dpviz
from dpviz.cli.parameters.options import AsJson
from dpviz.cli.terminal.printing import Table, progress, tell
from dpviz.errors import InputError

GROUP = "dpviz.commands"  # entry points: a name and the function that typer makes a command of
OF_RESEARCH = {"bench": "Run benchmarks", "reproduce": "Reproduce a table or figure of the papers"}
app = typer.Typer(help="Research: odds, audit, warm, bench, reproduce.", no_args_is_help=True)
CHECKOUT = Path(__file__).resolve().parents[2] / "research"


def audit(
    method: Annotated[str, typer.Argument(help="A name from 'dpviz methods'.")],
    epsilon: Annotated[float, typer.Option(help="The budget to audit at.")] = 1.0,
    delta: Annotated[float, typer.Option(help="Used by methods that need it.")] = 1e-9,
    trials: Annotated[int, typer.Option(help="Runs on each of the two neighbouring files.")] = 2000,
    k: Annotated[int, typer.Option("--k", help="Number of clusters.")] = 2,
    as_json: AsJson = False,
) -> None:
    """Attack a method with neighbouring files: a lower bound on its real epsilon, with confidence."""
    from dpviz.audit import audit_method

    with progress(f"auditing {method}"):
        rows = audit_method(method, epsilon=epsilon, delta=delta, trials=trials, k=k)
    tell(as_json, rows, Table(list(rows[0]), rows))
    if any(row["violated"] for row in rows):
        raise typer.Exit(1)


def warm() -> None:
    """Compile what is compiled at first use, so that the first question is as fast as the second.

    For images and servers: what is compiled stays beside the installed package (or where NUMBA_CACHE_DIR says), and so
    does compiled Python, also where PYTHONDONTWRITEBYTECODE is set: without it every start compiles for seconds.
    """
    sys.dont_write_bytecode = False
    from dpviz.clustering.gridded import warm_up as compile_solvers
    from dpviz.mechanisms.catalogue import warm_up as compile_peeled_balls

    with progress("compiling"):
        compile_solvers()
        compile_peeled_balls()
        rows = b"lon,lat\n" + b"".join(b"0.%d,0.%d\n" % (i, i) for i in range(10, 100))
        counts = dpviz.read_counts(rows, box=(0, 0, 1, 1), side=16)
        for name in ("auto", "uniform_grid", "noisy_lloyd"):
            dpviz.release(counts, 2, dpviz.Budget(epsilon=1.0), name, seed=0)
    print("Ready.")


def research_command(name: str) -> Callable[..., None]:
    """A command of dpviz-research, or one that says how to install it."""
    if name in missing_commands():
        return _missing_command(name)
    found: Callable[..., None] = next(entry.load() for entry in registered_commands() if entry.name == name)
    return found


def missing_commands() -> set[str]:
    """The commands whose package is not installed: whatever is typed behind them, they say so."""
    return OF_RESEARCH.keys() - {entry.name for entry in registered_commands()}


def registered_commands() -> Iterable[EntryPoint]:
    """Return the entry points of installed packages; in a source checkout those of its folder research/ instead.

    In a checkout nothing needs to be installed: the folder joins the import path, after everything else.
    """
    declared = CHECKOUT / "pyproject.toml"
    if not declared.is_file():
        return entry_points(group=GROUP)
    import tomllib

    if str(CHECKOUT) not in sys.path:
        sys.path.append(str(CHECKOUT))
    table = tomllib.loads(declared.read_text(encoding="utf-8"))["project"]["entry-points"][GROUP]
    return [EntryPoint(name, target, GROUP) for name, target in table.items()]


def _missing_command(name: str) -> Callable[..., None]:
    def command(words: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        raise InputError(
            f"'dpviz {name}' comes with the package dpviz-research, which is not installed: in a checkout of the "
            "project's source type pip install ./research"
        )

    command.__doc__ = f"{OF_RESEARCH[name]} (needs the package dpviz-research)."
    return command
