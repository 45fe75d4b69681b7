"""Counts sampled from a stand-in: shaped like exact ones, so that every method runs on them, but protected."""

from __future__ import annotations

from dpviz.domain import ExactCounts


class SimulatedCounts(ExactCounts):
    """Post-processing of a stand-in. Nobody's record is in it; screens say *simulated*; the door refuses it."""

    __slots__ = ("standin_id",)

    standin_id: str

    def __repr__(self) -> str:
        return f"<SimulatedCounts {self.grid.side}x{self.grid.side}, from the stand-in {self.standin_id[:8]}>"
