"""What tests of forced transcripts use: the check, its errors, and data to force a run on."""

from dpviz.audit.losses import Loss
from dpviz.audit.transcripts import TranscriptBroken
from dpviz_research.transcripts.check import check_transcript
from dpviz_research.transcripts.data import counts, moved_cells, points, with_one_more

__all__ = ["Loss", "TranscriptBroken", "check_transcript", "counts", "moved_cells", "points", "with_one_more"]
