"""Every error of dpviz, each saying what was given, what is accepted and what to do.

An error never carries an exact count, coordinate or cell of anybody's record: messages reach logs and screens.
`exit_code` is what the command line returns for it.
"""

from __future__ import annotations

from typing import Any


class DpvizError(Exception):
    """Base of all errors that dpviz raises on purpose."""

    exit_code = 2

    def __init__(self, message: str, **values: Any) -> None:
        super().__init__(message)
        self.message = message
        self.values = values


class InputError(DpvizError, ValueError):
    """Something given by the user cannot be used: a number, a name, a box, a combination."""


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


class StoreError(DpvizError):
    """A release folder or the ledger file cannot be written or read."""


class NoAnswerError(DpvizError):
    """Raised only where an interface cannot return a NoAnswer (command line, estimator)."""

    exit_code = 4
