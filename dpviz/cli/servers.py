"""Commands that start a server: app and analyst on this machine, serve for a house."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
import tomllib
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from dpviz import __version__
from dpviz.errors import InputError, extra_needed

if TYPE_CHECKING:
    from dpviz.hosting.config import City

ASK_KEY, LEAST_KEY = "DPVIZ_ASK_KEY", 16
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": ["--help"]}
PARTS = ("curators", "analysts", "both")
Releases = Annotated[Path, typer.Option(help="A folder of release folders, or a store beside a ledger.")]
_GRACE = 15.0


def start_app(context: typer.Context) -> None:
    """Open the map and its slider in the browser, on this machine only. Stop with Ctrl-C.

    Further words go to Streamlit, as in: dpviz app --server.port 8600
    """
    _become_server("app.py", context.args)


def analyst(context: typer.Context, releases: Releases) -> None:
    """Open the analysts' page on a folder of published releases. Its process reads no records. Stop with Ctrl-C.

    Further words go to Streamlit, as in: dpviz analyst --releases published --server.port 8600
    """
    _refuse_no_folder(releases)
    _become_server("analyst_app.py", context.args, DPVIZ_RELEASES=str(releases.resolve()))


def ask_server(
    releases: Releases,
    http: Annotated[
        int | None, typer.Option(help="A port of this machine, for clients that speak HTTP. Default: standard input.")
    ] = None,
) -> None:
    """Answer assistants from published releases by the Model Context Protocol (MCP). Reads no records.

    A client starts the command and speaks over standard input and output. With --http the server waits on 127.0.0.1
    and asks for a key: DPVIZ_ASK_KEY, or a new one of each start, which is printed.

    Example: dpviz ask-server --releases published
    """
    _refuse_no_folder(releases)
    key = os.environ.get(ASK_KEY) or secrets.token_urlsafe(24)
    if len(key) < LEAST_KEY:
        raise InputError(f"{ASK_KEY} has {len(key)} letters; give at least {LEAST_KEY}, or unset it for a new key.")
    if http is not None and not 1 <= http <= 65535:
        raise InputError(f"--http {http}: a port is a number from 1 to 65535.")
    _refuse_missing("mcp")
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


def _refuse_no_folder(releases: Path) -> None:
    if not releases.is_dir():
        raise InputError(f"there is no folder {releases}; --releases takes the folder of published releases.")


def _refuse_missing(*packages: str) -> None:
    """Refuse to start without packages of an extra, and say which extra to install."""
    with extra_needed():
        for name in packages:
            if find_spec(name) is None:
                raise ModuleNotFoundError(name=name)


def _become_server(script: str, options: list[str], **variables: str) -> None:
    """Streamlit on one of the apps, from the folder that holds its settings; the options given last win."""
    _refuse_missing("streamlit")
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
    raise typer.Exit(subprocess.call(command, env=environment))


def _has_screen() -> bool:
    """Whether a browser can be opened for a person who sits before this machine."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def write_example(config: Path) -> None:
    """An example of the file; one that is there is left alone."""
    from dpviz.hosting import config as described

    text = Path(described.__file__).with_name("example.toml").read_text(encoding="utf-8")
    try:
        with open(config, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{str(config)!r} is there already; give the name of a new file (--config).") from None
    except OSError as error:
        raise InputError(f"cannot write {str(config)!r}: {error.strerror}.") from None


def check_house(config: Path, part: str) -> City:
    """The house of this file, checked whole before anything is started."""
    from dpviz.hosting.config import read_city

    if part not in PARTS:
        raise InputError(f"--part {part!a}: give {', '.join(PARTS)}.")
    _refuse_missing("streamlit", "authlib", "httpx", "itsdangerous")
    return read_city(config, with_sources=part != "analysts")


def variables_of(found: City, config: Path, part: str) -> tuple[str, list[str], dict[str, str], list[str]]:
    """The script, its options, the environment to set, and the names to leave out of it.

    The analysts' program gets the folder of releases, and not the ledger.
    """
    from dpviz.hosting.config import CONFIG
    from dpviz.hosting.hosted_city import PART, SECRETS
    from dpviz.hosting.public_folder import KEY
    from dpviz.releases.paths import LEDGER_VARIABLE
    from dpviz.releases.signing import HOUSE_KEY

    address = getattr(found, part)
    options = {
        "address": address.listen,
        "port": str(address.port),
        "allowedHosts": address.host.rsplit(":", 1)[0] if ":" in address.host else address.host,
        "trustedUserHeaders": json.dumps({"x-dpviz-person": "person", "x-dpviz-roles": "roles"}),
        "maxMessageSize": "24",  # MB of one frame, in either direction; a million points have 12
        "maxUploadSize": str(max(1, *found.limits.upload_mb.values())),
    }
    words = [word for name, value in options.items() for word in (f"--server.{name}", value)]
    words += ["--server.allowedHosts", "127.0.0.1"]
    variables = {CONFIG: str(config.resolve()), PART: part, SECRETS: " ".join(_secrets(config))}
    variables[HOUSE_KEY] = str(found.published / KEY)
    if part == "curators":
        found.ledger.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return "city_app.py", words, {**variables, LEDGER_VARIABLE: str(found.ledger)}, []
    found.published.mkdir(mode=0o755, parents=True, exist_ok=True)
    return "analyst_app.py", words, {**variables, "DPVIZ_RELEASES": str(found.published)}, [LEDGER_VARIABLE]


def run_both(config: Path) -> int:
    """Both programs as children; when one ends, or this one is told to, the other ends too."""
    command = [sys.executable, "-m", "dpviz", "serve", "--config", str(config.resolve()), "--part"]
    programs = [subprocess.Popen([*command, part]) for part in PARTS[:2]]

    def stop(_signal: int, _frame: FrameType | None) -> None:
        for program in programs:
            with contextlib.suppress(OSError):
                program.terminate()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    while all(program.poll() is None for program in programs):
        time.sleep(0.2)
    stop(0, None)
    deadline = time.monotonic() + _GRACE
    for program in programs:
        try:
            program.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
    codes = [abs(program.returncode) for program in programs if program.returncode not in (0, -signal.SIGTERM)]
    return max(codes, default=0)


def _secrets(config: Path) -> list[str]:
    """The names of the variables that hold secrets: programs that are started later do not inherit them."""
    table = tomllib.loads(config.read_text(encoding="utf-8"))
    sign_in = table.get("sign_in", {})
    named = [str(sign_in[entry]) for entry in ("client_secret_variable", "secret_variable") if entry in sign_in]
    for source in table.get("sources", []):
        named += [part.partition("}")[0] for part in str(source.get("url", "")).split("${")[1:]]
    return [name for name in named if name in os.environ]
