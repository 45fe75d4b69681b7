"""dpviz: private coresets and private k-means for GPS data.

The public face. Its names stand in `__init__.pyi`, once, for type checkers and for this module alike. They are loaded
when first used, so that `import dpviz` is quick and a process that serves published releases never loads code that
reads exact data.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "1.0.0"

if sys.version_info < (3, 11):  # noqa: UP036 (put on the path by hand, past pip)
    raise ImportError(f"dpviz needs Python 3.11 to 3.14; this is Python {sys.version.split()[0]}.")


def _homes() -> dict[str, str]:
    """Every public name and the room it comes from, as the list of the public face states them."""
    listed = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    return {
        alias.name: line.module
        for line in listed.body
        if isinstance(line, ast.ImportFrom) and line.module not in (None, "dpviz")
        for alias in line.names
    }


_HOME_OF = _homes()
__all__ = sorted([*_HOME_OF, "__version__"])


def __getattr__(name: str) -> Any:
    if name == "joint":  # a room of its own: dpviz.joint.run
        import dpviz.joint as room

        return room
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'dpviz' has no attribute {name!r}")
    try:
        value = getattr(import_module(home), name)
    except ModuleNotFoundError as error:
        from dpviz.errors import missing_extra

        raise (missing_extra(error) or error) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
