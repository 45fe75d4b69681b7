"""A background thread that precomputes what visitors are likely to ask next, so that the first request is a cache hit.

Only the analysts' server starts it. The thread works on the pair viewed last, for numbers of centers near the one
asked for, and yields to requests of pages.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from dpviz.language import speaking
from dpviz.releases.release import Release
from dpviz.ui.session import shared_results, state

NEAR: Final = 6  # numbers of centers on each side of the one that was asked
MOST_PAIRS: Final = 8
MOST_CELLS: Final = 100_000  # of one release: larger ones, such as one's own file, are worked on when they are asked
Make = Callable[[Release, Release, int, str], None]
_Pair = tuple[weakref.ref[Release], weakref.ref[Release], str, str]

_news = threading.Condition()
_wishes: OrderedDict[_Pair, tuple[int, Make]] = OrderedDict()
_begun: list[threading.Thread] = []
_latest: list[_Pair] = []  # looked at since the work on a pair began


def start_precomputing() -> None:
    """Start the thread, once in this process."""
    with _news:
        if not _begun:
            _begun.append(threading.Thread(target=_work, name="ahead", daemon=True))
            _begun[0].start()


def queue_pair(a: Release, b: Release, k: int, objective: str, make: Make) -> None:
    """Queue the pair that a page shows. `make` fills the caches for another number of centers."""
    if any(one.protected_cells is not None and len(one.protected_cells.count) > MOST_CELLS for one in (a, b)):
        return
    with _news:
        if not _begun:
            return
        pair = (weakref.ref(a), weakref.ref(b), objective, speaking.language())
        _wishes[pair] = (k, make)
        _wishes.move_to_end(pair)
        _latest.append(pair)
        while len(_wishes) > MOST_PAIRS:
            _wishes.popitem(last=False)
        _news.notify()


def list_near(k: int) -> list[int]:
    """The numbers around k, nearest first."""
    steps = [step for far in range(1, NEAR + 1) for step in (far, -far)]
    return [k + step for step in steps if 1 <= k + step <= state.MOST_CLUSTERS]


def _work() -> None:
    shared_results.stand_back()
    while True:
        with _news:
            _news.wait_for(lambda: bool(_wishes))
        try:
            _newest_ahead()
        except Exception as error:  # a page that asks for it later reports the error
            print(
                f"dpviz: nothing is worked out ahead for a pair of releases ({type(error).__name__})", file=sys.stderr
            )


def _newest_ahead() -> None:
    with _news:
        _latest.clear()
        pair, (k, make) = _wishes.popitem()
    for number in list_near(k):
        a, b = pair[0](), pair[1]()
        if a is None or b is None:
            return
        with speaking.spoken_in(pair[3]):
            make(a, b, number, pair[2])
        with _news:
            if _latest:  # somebody looks at another pair, or asks another number of this one: that one first
                if pair not in _wishes:
                    _wishes[pair] = (k, make)
                    _wishes.move_to_end(pair, last=False)
                return
