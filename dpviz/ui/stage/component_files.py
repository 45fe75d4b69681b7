"""How Streamlit finds the stage's scripts, in an installed package and in a bare checkout alike.

Streamlit serves the files of a component only if an installed distribution names their folder in its `pyproject.toml`
(`dpviz/pyproject.toml` does). For a bare checkout, a finder of `importlib.metadata` offers it as a distribution.
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
        """Return the metadata; Streamlit asks only distributions that depend on it."""
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0.0\nRequires-Dist: streamlit\n"

    def locate_file(self, path: object) -> Path:
        """Where a file of the package lies."""
        return PACKAGE.parent / str(path)


class Finder(metadata.DistributionFinder):
    """Finds the checkout, and imports nothing."""

    def find_spec(self, *given: object) -> None:
        """Find no module."""

    def find_distributions(
        self, context: metadata.DistributionFinder.Context | None = None
    ) -> Iterable[metadata.Distribution]:
        """Return the checkout where it or everything is asked for."""
        name = None if context is None else context.name
        return [Checkout()] if name in (None, NAME) else []


def announce() -> None:
    """Add the finder, unless dpviz is installed. Call it before Streamlit's server looks for components."""
    if not any(True for _ in metadata.distributions(name=NAME)):
        sys.meta_path.append(Finder())
