"""`check` for tests: a mechanism's transcript forced on neighbours and on wholly other data, and data to do it with."""

from dpviz.audit.forced_source import TranscriptBroken
from dpviz.audit.losses import Loss
from dpviz.audit.transcript_check import check
from dpviz_research.transcripts.data import counts, moved_cells, points, with_one_more

__all__ = ["Loss", "TranscriptBroken", "check", "counts", "moved_cells", "points", "with_one_more"]
