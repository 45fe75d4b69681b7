"""How a release came to be: the words of its status."""

from __future__ import annotations

PUBLISHED = "published"  # came through the door: charged, secure, stored
UNVERIFIED = "unverified"  # a folder says so of itself, and nobody whose key is known here has signed it
UNLEDGERED = "unledgered"  # made outside the door; no ledger knows of it
PREVIEW = "preview"  # for the curator's eyes; never stored
REDRAWN = "redrawn"  # synthetic, around a release; never stored
