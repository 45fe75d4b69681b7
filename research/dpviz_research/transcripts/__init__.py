"""Forced transcripts of every method: the cases, the edges of the noise, and the record for the page *Evidence*."""
