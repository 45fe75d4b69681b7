"""Run the steps of deploy/Dockerfile without a container daemon, start what they make, and walk through it once.

For machines that have root and debootstrap. The base image python:3.13-slim is Debian 13 with Python 3.13; here it is
Debian 13 by debootstrap, with Debian's own Python 3.13. Every later instruction is run as it stands, in a chroot. The
program that the image starts runs under the image's account, in a network of its own without a way out.

    python .github/build_image.py FOLDER [MEASURED.json]
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
BASE, SUITE = "python:3.13-slim", "trixie"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
PASSED_ON = ("PIP_INDEX_URL", "PIP_CERT", "PIP_DEFAULT_TIMEOUT")  # how this machine reaches packages, if not directly
PATIENCE_S = 180
WALK = "python -m dpviz release nyc-taxi --k 5 --level 4 --out /tmp/walked && python -m dpviz verify /tmp/walked"
PAGE = """
import urllib.request as ask
one = ask.Request("http://127.0.0.1:8501/", headers={"Host": "maps.city.example"})
class Stay(ask.HTTPRedirectHandler):
    def redirect_request(self, *given): return None
try:
    answer = ask.build_opener(Stay).open(one, timeout=20)
except ask.HTTPError as refused:
    answer = refused
print(answer.status, answer.headers.get("Location", ""), answer.read().decode()[:300])
"""


@dataclass
class Stage:
    """One FROM and what was set after it."""

    root: Path
    variables: dict[str, str] = field(default_factory=lambda: {"PATH": "/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin"})
    user: str = "0:0"
    place: str = "/"
    health: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def command(self, *words: str, user: str = "0:0", **more: str) -> list[str]:
        """A command inside, with the variables of the stage and no other."""
        named = [f"{name}={value}" for name, value in (self.variables | more).items()]
        return ["chroot", f"--userspec={user}", str(self.root), "env", "-i", "-C", self.place, *named, *words]


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile, lines joined."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1].strip()) for line in joined if line.strip()]


def base(folder: Path) -> Path:
    """The base: made once, then copied."""
    made = folder / "base"
    if not (made / "usr").is_dir():
        extra = "--include=ca-certificates,python3,python3-venv"
        subprocess.run(["debootstrap", "--variant=minbase", extra, SUITE, str(made)], check=True)
    if not (made / "usr/local/bin/python").is_symlink():
        (made / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    if CERTIFICATES.is_file():  # the image asks through whatever this machine asks through
        shutil.copy(CERTIFICATES, made / "etc/ssl/certs/ca-certificates.crt")
    shutil.copy("/etc/resolv.conf", made / "etc/resolv.conf")
    return made


@contextlib.contextmanager
def mounted(root: Path) -> Iterator[None]:
    """With /proc and /dev, as a container has them."""
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    subprocess.run(["mount", "--bind", "/dev", str(root / "dev")], check=True)
    try:
        yield
    finally:
        for name in ("dev", "proc"):
            subprocess.run(["umount", str(root / name)], check=True)


def copy(stage: Stage, stages: dict[str, Stage], rest: str) -> None:
    """COPY: from this folder, or from an earlier stage."""
    words = rest.split()
    source = ROOT
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
    *names, target = words
    for name in names:
        found, place = source / name.lstrip("/"), stage.root / target.lstrip("/")
        if found.is_dir():
            shutil.copytree(
                found, place, symlinks=True, dirs_exist_ok=True, ignore=left_out if source is ROOT else None
            )
        else:
            place = place / found.name if target.endswith("/") else place
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, place)


def left_out(_: str, names: list[str]) -> list[str]:
    """What .dockerignore leaves out of every folder."""
    return [name for name in names if name == "__pycache__"]


def build(folder: Path) -> tuple[Stage, dict[str, float]]:
    """Run every instruction; return the last stage and how long each RUN took."""
    stages: dict[str, Stage] = {}
    seconds: dict[str, float] = {}
    stage = Stage(folder)
    for kind, rest in instructions(DOCKERFILE.read_text(encoding="utf-8")):
        print(f"{kind} {rest[:110]}", flush=True)
        if kind == "FROM":
            image, name = [*rest.replace(" AS ", " ").split(), "image"][:2]
            assert image == BASE, f"{image} is not the base that is made here"
            stage = stages[name] = Stage(folder / name)
            shutil.rmtree(stage.root, ignore_errors=True)
            subprocess.run(["cp", "-a", str(base(folder)), str(stage.root)], check=True)
        elif kind == "COPY":
            copy(stage, stages, rest)
        elif kind == "ENV":
            for pair in shlex.split(rest):
                name, _, value = pair.partition("=")
                stage.variables[name] = value.replace("$PATH", stage.variables["PATH"])
        elif kind == "RUN":
            begun = time.monotonic()
            reach = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
            with mounted(stage.root):
                subprocess.run(stage.command("sh", "-c", rest, **reach), check=True)
            seconds[rest[:60]] = round(time.monotonic() - begun, 1)
        elif kind == "USER":
            stage.user = rest
        elif kind == "WORKDIR":
            stage.place = rest
        elif kind == "HEALTHCHECK":
            stage.health = json.loads(rest.partition("CMD")[2])
        elif kind == "ENTRYPOINT":
            stage.entry = json.loads(rest)
        elif kind == "CMD":
            stage.words = json.loads(rest)
        else:
            assert kind == "EXPOSE", f"{kind} is not known here; teach it this program"
    return stage, seconds


def start(stage: Stage) -> dict[str, float]:
    """Start both programs as the image does, wait until they are healthy, ask for a page; publish once inside."""
    config = (ROOT / "dpviz/hosting/example.toml").read_text(encoding="utf-8")
    store, published = "/var/lib/dpviz/ledger.sqlite3", "/var/lib/dpviz-published"
    config = config.replace('"store/ledger.sqlite3"', f'"{store}"').replace('"published"', f'"{published}"')
    (stage.root / "etc/dpviz").mkdir(exist_ok=True)
    (stage.root / "etc/dpviz/city.toml").write_text(config, encoding="utf-8")
    found: dict[str, float] = {}
    secret = {"DPVIZ_OIDC_SECRET": "secret of a walk"}
    with mounted(stage.root):
        begun = time.monotonic()
        command = stage.command(*stage.entry, *stage.words, user=stage.user, **secret)
        program = subprocess.Popen(["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *command])
        inside = ["nsenter", f"--net=/proc/{program.pid}/ns/net"]
        try:
            while subprocess.run(
                [*inside, *stage.command(*stage.health, user=stage.user)], stderr=subprocess.DEVNULL
            ).returncode:
                assert program.poll() is None, "the program ended before it was healthy"
                assert time.monotonic() - begun < PATIENCE_S, "the program is not healthy"
                time.sleep(0.1)
            found["healthy_s"] = round(time.monotonic() - begun, 1)
            asked = [*inside, *stage.command("python", "-c", PAGE, user=stage.user)]
            print("page:", subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
            begun = time.monotonic()
            subprocess.run([*inside, *stage.command("sh", "-ec", WALK, user=stage.user)], check=True)
            found["published_s"] = round(time.monotonic() - begun, 1)
        finally:
            program.terminate()
            program.wait(30)
    return found


def megabytes(root: Path) -> int:
    """The size of a folder."""
    said = subprocess.run(["du", "-sxm", str(root)], capture_output=True, text=True, check=True).stdout
    return int(said.split()[0])


def main(folder: Path, out: str = "") -> None:
    """Build, start, measure."""
    folder.mkdir(parents=True, exist_ok=True)
    stage, seconds = build(folder)
    sizes = {"image_mb": megabytes(stage.root), "base_mb": megabytes(folder / "base")}
    sizes |= {
        "packages_mb": megabytes(stage.root / "opt/dpviz"),
        "kernels_mb": megabytes(stage.root / "var/cache/dpviz"),
    }
    found = {**sizes, "steps_s": seconds, **start(stage)}
    print(json.dumps(found, indent=2))
    if out:
        Path(out).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
