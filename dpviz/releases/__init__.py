"""The door: request, release, ledger, store, publish, export, privacy label."""

from __future__ import annotations

from typing import Any

from dpviz.mechanisms import catalogue
from dpviz.releases.making import preview, release
from dpviz.releases.release import PREVIEW, PUBLISHED, UNLEDGERED, NoAnswer, Release
from dpviz.releases.request import ReleaseRequest

__all__ = [
    "PREVIEW",
    "PUBLISHED",
    "UNLEDGERED",
    "NoAnswer",
    "Release",
    "ReleaseRequest",
    "methods",
    "preview",
    "release",
]


def methods() -> list[dict[str, Any]]:
    """The catalogue as plain rows."""
    return catalogue.rows()
