"""What other packages add through entry points: methods, file formats, exports and descriptions.

Their code runs in this process and may see exact data. A package that cannot be used is named in one sentence on
standard error, and everything else works.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from dpviz.errors import DpvizError, FileError

_log = logging.getLogger(__name__)  # without a handler Python prints the sentence alone


@dataclass(frozen=True, kw_only=True)
class Extension:
    """One thing that an installed package adds."""

    name: str
    value: Any
    package: str  # name and version of the distribution

    @contextmanager
    def named_failures(self, what: str = "") -> Iterator[None]:
        """Turn an unforeseen error of the package into a sentence that names the package, without the error's text."""
        try:
            yield
        except DpvizError:
            raise
        except Exception as error:
            how = f"failed ({type(error).__name__}). Tell its authors."
            raise FileError(f"{what}{self.name!r} of the package {self.package} {how}") from None


def _is_function(name: str, value: Any) -> bool:
    return name.isalnum() and name.islower() and callable(value)


def extensions(
    group: str, own: tuple[str, ...], fits: Callable[[str, Any], bool] = _is_function
) -> dict[str, Extension]:
    """Return what installed packages add to a group, by name. Names in `own` stay dpviz's."""
    return _load(group, own, fits, tuple(sys.path))


@cache
def _load(
    group: str, own: tuple[str, ...], fits: Callable[[str, Any], bool], _: tuple[str, ...]
) -> dict[str, Extension]:
    found: dict[str, Extension] = {}
    for entry in entry_points(group=group):
        package = "without a name" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
        wrong = "its name is taken" if entry.name in own or entry.name in found else ""
        try:
            value = None if wrong else entry.load()
            wrong = wrong or ("" if fits(entry.name, value) else "it does not have the form of this group")
        except (Exception, SystemExit) as error:
            wrong = f"loading it raises {type(error).__name__}"
        if wrong:
            _log.warning("dpviz: note: %r of the package %s is not used: %s (%s).", entry.name, package, wrong, group)
        else:
            found[entry.name] = Extension(name=entry.name, value=value, package=package)
    return found
