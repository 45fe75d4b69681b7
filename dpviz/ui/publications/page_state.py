"""What one browser session keeps on the page *Publications*."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(kw_only=True)
class Life:
    """The dialog that is open, who asked last, and what was done."""

    step: str = ""  # the dialog of a release's life that is open, and the release
    release: str = ""
    series: str = ""  # the series whose next period is asked for
    who: str = ""  # the last name typed
    done: str = ""  # said by the next run
    drawn_for: tuple[object, ...] | None = None  # what the last picture was asked for
    picture: bytes = b""
