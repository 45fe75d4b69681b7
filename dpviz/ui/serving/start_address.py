"""The address of this start, said in the terminal and, where a person sits before it, opened in the browser."""

from __future__ import annotations

import os
import tempfile
import threading
import webbrowser
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote

from dpviz.hosting.identity import KEY

OPEN_BROWSER: Final = "DPVIZ_OPEN_BROWSER"  # set by a starter that knows of a screen
_KEPT_SECONDS = 60.0  # how long a slow browser may take to read the page that leads it on


def announce(address: str, port: int, key: str) -> None:
    """Say where the app is; open it where the starter asked for that."""
    url = f"http://{f'[{address}]' if ':' in address else address}:{port}/?{KEY}={quote(key)}"
    print(f"dpviz: open {url}\ndpviz: the address holds the key of this start; show it to nobody.", flush=True)
    if os.environ.pop(OPEN_BROWSER, ""):
        open_in_browser(url)


def open_in_browser(url: str) -> None:
    """By a page on disk that only its owner can read: a browser's command line is seen by everybody on the machine."""
    descriptor, name = tempfile.mkstemp(prefix="dpviz-", suffix=".html")  # with permissions for the owner alone
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(
            f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(url)}"><a href="{escape(url)}">dpviz'
        )
    path = Path(name)
    forget = threading.Timer(_KEPT_SECONDS, path.unlink, kwargs={"missing_ok": True})
    forget.daemon = True
    forget.start()
    webbrowser.open(path.as_uri())
