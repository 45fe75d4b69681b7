"""What pages make of published releases alone: made once, for all visitors of this program.

Fifty analysts who look at the same two maps look at one piece of work. Only what came through the door may lie here,
and it is known by the release itself, not by what the release says its name is: somebody who opens a file of their own
gets what was made of that file, and nobody else does. What was made goes with its release.
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
    """One piece of work; whoever comes while it is being made waits for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made: list[Any] = []


_lock = threading.Lock()
_nobody_waits = threading.Condition(_lock)
_waiting: set[int] = set()  # threads of pages that make a piece or wait for one
_standing_back = threading.local()
_pieces: weakref.WeakKeyDictionary[Release, dict[str, OrderedDict[Hashable, _Piece]]] = weakref.WeakKeyDictionary()


def stand_back() -> None:
    """This thread works for nobody who waits: from now on it begins no piece while a page is at one."""
    _standing_back.always = True


def get_or_make(
    kind: str, releases: Sequence[Release], about: Hashable, make: Callable[[], Made], *, most: int = MOST
) -> Made:
    """The piece of this kind about these releases, made where there is none yet. `make` draws nothing on a page."""
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
