"""The folder that the analysts' program reads: copies of the published releases, and the feed. No stand-in, no ledger.

The curators' program copies what the feed lists whenever it changes; the analysts' account needs no ledger.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import threading
from pathlib import Path

from dpviz.errors import DpvizError
from dpviz.ledger.ledger import Ledger
from dpviz.life.feed import FEED_INSIDE, feed_beside
from dpviz.life.publications import publications
from dpviz.releases.signing import write_house_key

KEY = "house-key.json"
_SECONDS = 2.0


def look_after(ledger: Path, folder: Path, house: str) -> None:
    """Keep the folder up to date from now on, in a thread. The public key lies there before the first release does."""
    hand_out_key(folder, house)
    threading.Thread(target=_look_after, args=(ledger, folder), name="public folder", daemon=True).start()


def hand_out_key(folder: Path, house: str) -> None:
    """So that the analysts' program, which has an account of its own, knows who signed."""
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        write_house_key(folder / KEY, house)
        (folder / KEY).chmod(0o644)
    except (DpvizError, OSError) as error:
        print(f"dpviz: the key of the house is not handed out: {error}", file=sys.stderr, flush=True)


def bring_up_to_date(ledger: Ledger, folder: Path) -> int:
    """Copy what is missing; gives how many releases were copied. A folder appears whole or not at all."""
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    copied = 0
    for one in publications(ledger):
        target = folder / one.id
        if one.folder is None or target.exists():
            continue
        fresh = folder / f".{one.id}.{secrets.token_hex(4)}"
        shutil.copytree(one.folder, fresh)
        for path in (fresh, *fresh.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)  # published: whoever may read the folder may read it
        os.replace(fresh, target)
        copied += 1
    feed = feed_beside(ledger.store)
    for source, name in ((feed.with_name(feed.name + ".sig"), f"{FEED_INSIDE}.sig"), (feed, FEED_INSIDE)):
        if source.is_file():
            fresh = folder / f".{name}.{secrets.token_hex(4)}"
            shutil.copyfile(source, fresh)
            fresh.chmod(0o644)
            os.replace(fresh, folder / name)
    return copied


def _look_after(ledger: Path, folder: Path) -> None:
    seen: float | None = None
    pause = threading.Event()
    while True:
        changed = _changed(ledger)
        if changed is not None and changed != seen:
            try:
                bring_up_to_date(Ledger(ledger), folder)
                seen = changed
            except (DpvizError, OSError) as error:
                print(
                    f"dpviz: the folder of published releases is not up to date: {error}", file=sys.stderr, flush=True
                )
                pause.wait(10 * _SECONDS)
        pause.wait(_SECONDS)


def _changed(ledger: Path) -> float | None:
    try:
        return feed_beside(ledger.with_name(ledger.name + ".releases")).stat().st_mtime
    except OSError:
        return None
