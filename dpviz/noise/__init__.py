"""CHANCE: the only room that draws random numbers for mechanisms."""

from dpviz.noise.source import NoiseSource, replayable_source, secure_source

__all__ = ["NoiseSource", "replayable_source", "secure_source"]
