"""`check` for tests: a mechanism's transcript forced on neighbours and on wholly other data, and data to do it with."""

from dpviz.experiments.transcripts import Loss, TranscriptBroken, check
from dpviz.experiments.transcripts.data import counts, moved_cells, points, with_one_more

__all__ = ["Loss", "TranscriptBroken", "check", "counts", "moved_cells", "points", "with_one_more"]
