"""How Streamlit finds the stage's scripts, in an installed package and in a bare checkout alike.

Streamlit serves the files of a component from the server itself if an installed distribution names their folder in its
`pyproject.toml` (`dpviz/pyproject.toml` does). A checkout that was never installed is no distribution. So it is made
one for this process, by the way that Python's `importlib.metadata` offers for that: a finder of distributions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

NAME = "dpviz"
PACKAGE = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parent / "web"


class Checkout(metadata.Distribution):
    """The package as it lies here."""

    def read_text(self, filename: str) -> str | None:
        """Name, version, and the one dependency by which Streamlit knows whom to ask."""
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0.0\nRequires-Dist: streamlit\n"

    def locate_file(self, path: object) -> Path:
        """Where a file of the package lies."""
        return PACKAGE.parent / str(path)


class Finder(metadata.DistributionFinder):
    """Finds the checkout, and imports nothing."""

    def find_spec(self, *given: object) -> None:
        """Modules are found by others."""

    def find_distributions(
        self, context: metadata.DistributionFinder.Context | None = None
    ) -> Iterable[metadata.Distribution]:
        """The checkout, for who asks for it or for all."""
        name = None if context is None else context.name
        return [Checkout()] if name in (None, NAME) else []


def announce() -> None:
    """Before Streamlit's server looks for components. What is installed already need not be announced."""
    if not any(True for _ in metadata.distributions(name=NAME)):
        sys.meta_path.append(Finder())
