"""Forced transcripts: other data made to give the same protected numbers, and the exact privacy loss of doing so."""

from dpviz.experiments.transcripts.checking import check, fingerprint
from dpviz.experiments.transcripts.losses import Loss
from dpviz.noise.forced import TranscriptBroken

__all__ = ["Loss", "TranscriptBroken", "check", "fingerprint"]
