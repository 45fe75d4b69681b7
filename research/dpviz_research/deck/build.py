"""Make `web/deck.js` of dpviz/ui/stage, what it needs of deck.gl: python research/dpviz_research/deck/build.py

For maintainers, where npm and the network are at hand; users get the script with the package. `record.json` says which
packages went into it, by version, and the check sums of what went in and came out; a test holds the shipped file to it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
WEB = HERE.parents[2] / "dpviz" / "ui" / "stage" / "web"
SCRIPT = WEB / "deck.js"
LICENCES = WEB / "deck.LICENSES.txt"
RECORD = HERE / "record.json"
SOURCES = ("entry.js", "package.json")
OPTIONS = (
    "--bundle",
    "--minify",
    "--format=esm",
    "--target=es2022",
    "--legal-comments=none",
    '--define:process.env.NODE_ENV="production"',
)


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def record_of(packages: dict[str, str]) -> dict[str, Any]:
    """What the shipped script was made of."""
    return {
        "options": list(OPTIONS),
        "packages": packages,
        "sources": {name: checksum(HERE / name) for name in SOURCES},
        "script": checksum(SCRIPT),
        "licences": checksum(LICENCES),
    }


def build() -> None:
    """Fetch, bundle, note."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in SOURCES:
            shutil.copy(HERE / name, folder / name)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"], cwd=folder, check=True)
        modules = folder / "node_modules"
        subprocess.run(["node", str(modules / "esbuild" / "install.js")], cwd=folder, check=True)
        made, listing = folder / "deck.js", folder / "parts.json"
        command = [str(modules / ".bin" / "esbuild"), "entry.js", *OPTIONS]
        subprocess.run([*command, f"--outfile={made}", f"--metafile={listing}"], cwd=folder, check=True)
        packages = used(json.loads(listing.read_text(encoding="utf-8")), modules)
        shutil.copy(made, SCRIPT)
        LICENCES.write_text("\n\n".join(licence(name, modules) for name in packages) + "\n", encoding="utf-8")
    RECORD.write_text(json.dumps(record_of(packages), indent=1) + "\n", encoding="utf-8")


def used(listing: dict[str, Any], modules: Path) -> dict[str, str]:
    """The packages of which something is in the script, by version."""
    names = set()
    for output in listing["outputs"].values():
        for path, part in output["inputs"].items():
            if part["bytesInOutput"] and path.startswith("node_modules/"):
                words = path.removeprefix("node_modules/").split("/")
                names.add("/".join(words[: 2 if words[0].startswith("@") else 1]))
    return {name: described(name, modules)["version"] for name in sorted(names)}


def described(name: str, modules: Path) -> dict[str, Any]:
    """A package's own description."""
    found: dict[str, Any] = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))
    return found


def licence(name: str, modules: Path) -> str:
    """A package's name, version and licence text."""
    package = described(name, modules)
    texts = sorted(path for path in (modules / name).glob("LICEN*") if path.is_file())
    said = texts[0].read_text(encoding="utf-8").strip() if texts else f"Licence: {package.get('license')}"
    line = "-" * 80
    return f"{line}\n{name} {package['version']}\n{line}\n{said}"


if __name__ == "__main__":
    build()
