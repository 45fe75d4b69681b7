"""What pages have made lately and can make again, in the browser session; what they keep has a type of its own each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dpviz.ui.session.session import here, theme

__all__ = ["last", "recent", "theme"]

Made = TypeVar("Made")


def last(name: str, key: object, make: Callable[[], Made]) -> Made:
    """The latest value of this name, made again when its key changes: a cache of one."""
    return here().recent(name, key, make, most=1)


def recent(name: str, key: object, make: Callable[[], Made], *, most: int = 16) -> Made:
    """One of the last few values of this name, made where there is none of this key."""
    return here().recent(name, key, make, most=most)
