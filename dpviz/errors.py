"""Every error of dpviz: what was given, what is accepted and what to do. None carries an exact count or coordinate.

`exit_code` is what the command line returns for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CHARGED = 5  # exit code of what failed after a charge; 2 says that nothing was charged


class DpvizError(Exception):
    """Base of all errors that dpviz raises on purpose."""

    exit_code = 2

    def __init__(self, message: str, **values: Any) -> None:
        super().__init__(message)
        self.message = message
        self.values = values


class InputError(DpvizError, ValueError):
    """Something given by the user cannot be used: a number, a name, a box, a combination."""


class MissingExtra(InputError):
    """A package is needed that only an extra of dpviz installs."""


class FileError(InputError):
    """A file cannot be read as records: missing, empty, truncated, of an unknown kind, without the columns."""


class AmbiguousColumns(InputError):
    """More than one column could hold a coordinate; the user has to say which (`values["candidates"]`)."""


class NothingInBox(InputError):
    """No valid row lies inside the public box; usually swapped columns or the wrong box. Charges nothing."""


class FrameMismatch(InputError):
    """Two things that live on different grids, relations or units were put together."""


class RelationNotProved(InputError):
    """A mechanism was asked for a neighbouring relation that it is not proved for."""


class ExactDataLeak(DpvizError, TypeError):
    """Code tried to copy exact data out of memory by pickle, JSON or a similar way."""


class NotOffered(DpvizError):
    """A question that this kind of release cannot answer (a method without a coreset, for example)."""


class UnledgeredRelease(DpvizError):
    """A replayable or unledgered release was offered to the door."""


class LedgerRefusal(DpvizError):
    """The ledger does not allow the charge. `values` holds requested, remaining and difference where they apply."""

    exit_code = 3


class NotYourRole(LedgerRefusal):
    """Nobody is signed in to a hosted house, or the person's roles do not include this step."""


class StoreError(DpvizError):
    """A release folder or the ledger file cannot be written or read."""


class ChargedError(DpvizError):
    """The release is stored, and its copy could not be written: the same command, elsewhere, charges nothing."""

    exit_code = CHARGED


class JointError(DpvizError):
    """A joint run that ended: who ended it and what to do. Its exit code says whether this holder was charged.

    `public_reason` is what the other holders may read: it tells nothing of any record.
    """

    public_reason = "it cannot go on; its own screen says why."


class NoAnswerError(DpvizError):
    """Raised only where an interface cannot return a NoAnswer (command line, estimator)."""

    exit_code = 4


def show_name(name: str) -> str:
    """A name as it may be printed in a message: control characters replaced, long ones shortened."""
    plain = "".join(c if c.isprintable() else "?" for c in name)
    return plain if len(plain) <= 120 else f"{plain[:60]}…{plain[-55:]}"


# The packages of the extras, by the name they are imported with.
_EXTRAS = {
    "streamlit": "app",
    "pydeck": "app",
    "PIL": "app",
    "dask": "dask",
    "distributed": "dask",
    "aiohttp": "dask",
    "fsspec": "dask",
    "sklearn": "sklearn",
    "scipy": "sklearn",
    "shapely": "geo",
    "h3": "geo",
    "geopandas": "geo",
    "xarray": "geo",
    "pyogrio": "geo",
    "pyproj": "geo",
    "matplotlib": "research",
    "mpyc": "joint",
    "mcp": "ask",
    "polars": "research",
    "authlib": "serve",
    "httpx": "serve",
    "itsdangerous": "serve",
}


def missing_extra(error: ImportError) -> MissingExtra | None:
    """The error that names the extra to install for this failed import; None for any other package."""
    package = (error.name or "").split(".")[0]
    extra = _EXTRAS.get(package)
    if extra is None:
        return None
    return MissingExtra(
        f"this needs {package}, which is not installed: python -m pip install 'dpviz[{extra}]'", package=package
    )


@contextmanager
def extra_needed() -> Iterator[None]:
    """Wrap imports of optional packages: a missing one is reported with the extra to install."""
    try:
        yield
    except ImportError as error:
        raise (missing_extra(error) or error) from None
