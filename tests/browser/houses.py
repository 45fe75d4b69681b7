"""A hosted house for tests: a real OpenID Connect provider, both programs, and people of every role."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page

from dpviz.domain import Unit
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import Budget
from dpviz.publishing.populations import begin_population
from tests.browser.conftest import PATIENCE_MS, free_port

PEOPLE = {
    "anna": ["data-office"],
    "piet": ["publishing"],
    "ada": ["checking"],
    "lin": ["analysis"],
    "ron": ["everybody"],
    "eve": [],
}
FILE = """
name = "City of Testville"
ledger = "store/ledger.sqlite3"
[curators]
address = "http://localhost:{curators}"
port = {curators}
[analysts]
address = "http://localhost:{analysts}"
port = {analysts}
[sign_in]
kind = "oidc"
metadata = "http://localhost:{provider}/.well-known/openid-configuration"
client_id = "dpviz"
client_secret_variable = "HOUSE_SECRET"
[roles]
steward = {{ groups = ["data-office"] }}
publisher = {{ groups = ["publishing"] }}
approver = {{ groups = ["checking"] }}
analyst = {{ groups = ["analysis"] }}
reader = {{ groups = ["everybody"] }}
[[sources]]
name = "Taxi, March"
path = "taxi"
[[sources]]
name = "Bicycles, a year"
path = "bicycles.csv"
[limits]
upload_mb = {{ steward = 64 }}
"""


@dataclass(frozen=True)
class House:
    """Where it answers, and its folder."""

    curators: str
    analysts: str
    folder: Path
    process: int


def started(command: list[str], log: Path, address: str, cwd: Path, **environment: str) -> subprocess.Popen[bytes]:
    """A program whose address answers."""
    with open(log, "wb") as file:
        program = subprocess.Popen(command, cwd=cwd, env={**os.environ, **environment}, stdout=file, stderr=file)
    if answers(program, address):
        return program
    program.kill()
    raise RuntimeError(f"{command[2]} did not start:\n" + log.read_text(errors="replace")[-2000:])


def answers(program: subprocess.Popen[bytes], address: str) -> bool:
    """Wait until an address says 200."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and program.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
            if answer.status == 200:
                return True
        time.sleep(0.1)
    return False


def ended(program: subprocess.Popen[bytes]) -> None:
    program.terminate()
    try:
        program.wait(timeout=20)
    except subprocess.TimeoutExpired:
        program.kill()


@contextlib.contextmanager
def provider(root: Path, folder: Path, people: Mapping[str, list[str]]) -> Iterator[int]:
    """The provider of a package registry, as a program of its own."""
    port = free_port()
    claims = [
        {"sub": name, "email": f"{name}@city.example", "email_verified": True, "groups": groups}
        for name, groups in people.items()
    ]
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), "--host", "localhost"]
    command += ["--require-nonce", "true"]
    for one in claims:
        command += ["--user-claims", json.dumps(one)]
    metadata = f"http://localhost:{port}/.well-known/openid-configuration"
    program = started(command, folder / "provider.txt", metadata, root)
    try:
        yield port
    finally:
        ended(program)


@contextlib.contextmanager
def house(root: Path, folder: Path, people: Mapping[str, list[str]] = PEOPLE) -> Iterator[House]:
    """The whole house, from one command."""
    with provider(root, folder, people) as port:
        built = build(folder, port)
        with running(root, built) as process:
            yield replace(built, process=process)


def build(folder: Path, provider_port: int) -> House:
    """Its file, its records and its ledger; nothing is started."""
    cloud = np.random.default_rng(2).normal((-73.98, 40.75), 0.02, (5000, 2))
    (folder / "taxi").mkdir()
    rows = "\n".join(f"{lon:.6f},{lat:.6f}" for lon, lat in cloud)
    (folder / "taxi" / "march.csv").write_text("pickup_longitude,pickup_latitude\n" + rows)
    begin_population(
        "riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=Ledger(folder / "store" / "ledger.sqlite3")
    )
    curators, analysts = free_port(), free_port()
    text = FILE.format(curators=curators, analysts=analysts, provider=provider_port)
    (folder / "city.toml").write_text(text, encoding="utf-8")
    return House(f"http://localhost:{curators}", f"http://localhost:{analysts}", folder, 0)


@contextlib.contextmanager
def running(root: Path, built: House, part: str = "both") -> Iterator[int]:
    """The process that was started, while the house (or one part of it) answers."""
    command = [sys.executable, "-m", "dpviz", "serve", "--config", str(built.folder / "city.toml"), "--part", part]
    addresses = {"curators": built.curators, "analysts": built.analysts}
    first, *others = [f"{addresses[name]}/_stcore/health" for name in addresses if part in (name, "both")]
    program = started(command, built.folder / "house.txt", first, root, HOUSE_SECRET="of-the-house")
    try:
        assert all(answers(program, other) for other in others)
        yield program.pid
    finally:
        ended(program)


def signed_in(browser: Browser, address: str, name: str, path: str = "/") -> Page:
    """A person in a browser of their own, after the provider's form."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(address + path)
    page.fill("input[name=sub]", name)
    page.click("button:has-text('Authorize')")
    page.wait_for_selector("h1")
    return page
