"""What an outcome may be called, and of which of the two kinds it is: for what works on outcomes and makes none.

Outcomes (outcomes.py) offer what these rooms can do, so they stand above them; here below they are known as types only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from dpviz.releases.outcomes import NoAnswer, Release

PUBLISHED = "published"  # came through the door: charged, secure, stored
UNVERIFIED = "unverified"  # a folder says so of itself, and nobody whose key is known here has signed it
UNLEDGERED = "unledgered"  # made outside the door; no ledger knows of it
PREVIEW = "preview"  # for the curator's eyes; never stored
REDRAWN = "redrawn"  # synthetic, around a release; never stored


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """The two kinds of outcome, for who reads them back from files."""

    answer: Callable[..., Release]
    none: Callable[..., NoAnswer]


def is_no_answer(outcome: Release | NoAnswer) -> TypeIs[NoAnswer]:
    """Whether it is the statement that there is no answer at this budget."""
    return not outcome.is_answer
