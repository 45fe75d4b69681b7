"""What a check says when it finds a bug, and the one way in which checks compare."""

from __future__ import annotations

from collections.abc import Callable

Check = Callable[[], None]


class Found(AssertionError):
    """A check found that a promise is broken; its text says which."""


def demand(holds: bool, otherwise: str) -> None:
    """Nothing where it holds; else Found."""
    if not holds:
        raise Found(otherwise)


def refuses(call: Callable[[], object], errors: type[Exception] | tuple[type[Exception], ...], otherwise: str) -> None:
    """Nothing where the call is refused with one of these errors; else Found."""
    try:
        call()
    except errors:
        return
    raise Found(otherwise)
