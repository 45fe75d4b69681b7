"""Results computed from published releases, shared by all sessions of this process.

The key is the release object, not its id: results of a file that one visitor opened never reach another visitor.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from dpviz.language import speaking
from dpviz.releases.release import PREVIEW, Release

Made = TypeVar("Made")
MOST = 64  # of one kind and one release


class _Piece:
    """One cached result; concurrent callers wait until it is made."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made: list[Any] = []


_lock = threading.Lock()
_nobody_waits = threading.Condition(_lock)
_waiting: set[int] = set()  # threads of pages that make a piece or wait for one
_standing_back = threading.local()
_pieces: weakref.WeakKeyDictionary[Release, dict[str, OrderedDict[Hashable, _Piece]]] = weakref.WeakKeyDictionary()


def stand_back() -> None:
    """Give this thread low priority: it starts no work while a page waits for a result."""
    _standing_back.always = True


def get_or_make(
    kind: str, releases: Sequence[Release], about: Hashable, make: Callable[[], Made], *, most: int = MOST
) -> Made:
    """Return the cached result of this kind about these releases, or make it. `make` must not draw on a page."""
    assert all(release.status != PREVIEW for release in releases), "previews belong to one session"
    first, *others = releases
    key = (tuple(weakref.ref(other) for other in others), about, speaking.language())
    is_page = not getattr(_standing_back, "always", False)
    with _lock:
        held = _pieces.setdefault(first, {}).setdefault(kind, OrderedDict())
        piece = held.setdefault(key, _Piece())
        held.move_to_end(key)
        while len(held) > most:
            held.popitem(last=False)
        if piece.made:
            finished: Made = piece.made[0]
            return finished
        if is_page:
            _waiting.add(threading.get_ident())
        else:
            _nobody_waits.wait_for(lambda: not _waiting)
    try:
        with piece.lock:
            if not piece.made:
                piece.made.append(make())
    finally:
        if is_page:
            with _lock:
                _waiting.discard(threading.get_ident())
                _nobody_waits.notify_all()
    found: Made = piece.made[0]
    return found
