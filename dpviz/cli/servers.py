"""Commands that start a server: app and analyst on this machine, serve for a house."""

from __future__ import annotations

import os
import secrets
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from dpviz import __version__
from dpviz.errors import InputError, extra_needed

ASK_KEY, LEAST_KEY = "DPVIZ_ASK_KEY", 16
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": ["--help"]}


def start_app(context: typer.Context) -> None:
    """Open the map and its slider in the browser, on this machine only. Stop with Ctrl-C.

    Further words go to Streamlit, as in: dpviz app --server.port 8600
    """
    _become_server("app.py", context.args)


def analyst(
    context: typer.Context,
    releases: Annotated[Path, typer.Option(help="A folder of release folders, or a store beside a ledger.")],
) -> None:
    """Open the analysts' page on a folder of published releases. Its process reads no records. Stop with Ctrl-C.

    Further words go to Streamlit, as in: dpviz analyst --releases published --server.port 8600
    """
    if not releases.is_dir():
        raise InputError(f"there is no folder {releases}; --releases takes the folder of published releases.")
    _become_server("analyst_app.py", context.args, DPVIZ_RELEASES=str(releases.resolve()))


def ask_server(
    releases: Annotated[Path, typer.Option(help="A folder of release folders, or a store beside a ledger.")],
    http: Annotated[
        int | None, typer.Option(help="A port of this machine, for clients that speak HTTP. Default: standard input.")
    ] = None,
) -> None:
    """Answer assistants from published releases by the Model Context Protocol (MCP). Reads no records.

    A client starts the command and speaks over standard input and output. With --http the server waits on 127.0.0.1
    and asks for a key: DPVIZ_ASK_KEY, or a new one of each start, which is printed.

    Example: dpviz ask-server --releases published
    """
    if not releases.is_dir():
        raise InputError(f"there is no folder {releases}; --releases takes the folder of published releases.")
    key = os.environ.get(ASK_KEY) or secrets.token_urlsafe(24)
    if len(key) < LEAST_KEY:
        raise InputError(f"{ASK_KEY} has {len(key)} letters; give at least {LEAST_KEY}, or unset it for a new key.")
    if http is not None and not 1 <= http <= 65535:
        raise InputError(f"--http {http}: a port is a number from 1 to 65535.")
    with extra_needed():
        if find_spec("mcp") is None:
            raise ModuleNotFoundError(name="mcp")
    from dpviz.ask_server import serve_http, serve_stdio

    if http is None:
        serve_stdio(releases, __version__)
    else:
        serve_http(releases, __version__, http, key)


def serve(
    config: Annotated[Path, typer.Option(help="The file that describes the house: addresses, sign-in, roles, data.")],
    part: Annotated[
        str, typer.Option(help="curators or analysts, each a program of its own; or both, started together.")
    ] = "both",
    check: Annotated[bool, typer.Option("--check", help="Only say whether the file is in order.")] = False,
    example: Annotated[bool, typer.Option("--example", help="Write an example of the file, to be changed.")] = False,
) -> None:
    """Serve a house with several people: sign-in, roles, a second person for publishing. Stop with Ctrl-C.

    Example: dpviz serve --config city.toml
    """
    from dpviz.cli.serving_parts import check_house, run_both, variables_of, write_example

    if example:
        write_example(config)
        print(f"Wrote {config}. Change it, then: dpviz serve --config {config} --check")
        return
    found = check_house(config, part)
    if check:
        print(f"{config.name} is in order: {found.curators.public} and {found.analysts.public}.")
    elif part == "both":
        raise typer.Exit(run_both(config))
    else:
        script, options, variables, unset = variables_of(found, config, part)
        for name in unset:
            os.environ.pop(name, None)
        _become_server(script, options, **variables)


def _become_server(script: str, options: list[str], **variables: str) -> None:
    """Streamlit on one of the apps, from the folder that holds its settings; the options given last win."""
    with extra_needed():
        if find_spec("streamlit") is None:
            raise ModuleNotFoundError(name="streamlit")
    package = Path(__file__).resolve().parents[1]
    folder = next((place for place in (package.parent, package / "_app") if (place / script).is_file()), None)
    if folder is None:
        raise InputError(f"{script} is missing beside the package; install dpviz again.")
    own = ["--server.address", "127.0.0.1", "--server.headless", "true"]  # the app opens the browser: it knows its key
    if _has_screen():
        variables["DPVIZ_OPEN_BROWSER"] = "yes"
    command = [sys.executable, "-m", "streamlit", "run", str(folder / script), *own, *options]
    environment = {**os.environ, **variables}
    if folder == package.parent:  # a checkout, which need not be installed
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    hand_over(command, environment, folder)


def hand_over(command: list[str], environment: dict[str, str], folder: Path) -> None:
    """Become the command, so that signals and the exit code are its own; Windows can only call and wait."""
    os.chdir(folder)
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execve(command[0], command, environment)
    import subprocess

    raise typer.Exit(subprocess.call(command, env=environment))


def _has_screen() -> bool:
    """Whether a browser can be opened for a person who sits before this machine."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
