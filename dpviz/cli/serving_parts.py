"""What the two programs of a hosted house are started with, and how they are started together."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from dpviz.errors import InputError, extra_needed
from dpviz.hosting.config import CONFIG, City, read_city
from dpviz.hosting.hosted_city import ANALYSTS, CURATORS, PART, SECRETS
from dpviz.hosting.public_folder import KEY
from dpviz.releases.paths import LEDGER_VARIABLE
from dpviz.releases.signing import HOUSE_KEY

PARTS = (CURATORS, ANALYSTS, "both")
_GRACE = 15.0


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
    if part not in PARTS:
        raise InputError(f"--part {part!a}: give {', '.join(PARTS)}.")
    with extra_needed():
        for name in ("streamlit", "authlib", "httpx", "itsdangerous"):
            if find_spec(name) is None:
                raise ModuleNotFoundError(name=name)
    return read_city(config, with_sources=part != ANALYSTS)


def variables_of(found: City, config: Path, part: str) -> tuple[str, list[str], dict[str, str], list[str]]:
    """The script, its options, the environment to set, and the names to leave out of it.

    The analysts' program gets the folder of releases, and not the ledger.
    """
    address = found.curators if part == CURATORS else found.analysts
    trusted = {"x-dpviz-person": "person", "x-dpviz-roles": "roles"}
    options = ["--server.address", address.listen, "--server.port", str(address.port)]
    options += ["--server.allowedHosts", address.host.rsplit(":", 1)[0] if ":" in address.host else address.host]
    options += ["--server.allowedHosts", "127.0.0.1", "--server.trustedUserHeaders", json.dumps(trusted)]
    options += ["--server.maxMessageSize", "24"]  # MB of one frame, in either direction; a million points have 12
    options += ["--server.maxUploadSize", str(max(1, *found.limits.upload_mb.values()))]
    variables = {CONFIG: str(config.resolve()), PART: part, SECRETS: " ".join(_secrets(config))}
    variables[HOUSE_KEY] = str(found.published / KEY)
    if part == CURATORS:
        found.ledger.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return "city_app.py", options, {**variables, LEDGER_VARIABLE: str(found.ledger)}, []
    found.published.mkdir(mode=0o755, parents=True, exist_ok=True)
    return "analyst_app.py", options, {**variables, "DPVIZ_RELEASES": str(found.published)}, [LEDGER_VARIABLE]


def run_both(config: Path) -> int:
    """Both programs as children; when one ends, or this one is told to, the other ends too."""
    command = [sys.executable, "-m", "dpviz", "serve", "--config", str(config.resolve()), "--part"]
    programs = [subprocess.Popen([*command, part]) for part in (CURATORS, ANALYSTS)]

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
