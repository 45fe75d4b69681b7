"""The old name of `dpviz.read_parts`."""

from dpviz.ingest.readers import read_parts as read_by_time

__all__ = ["read_by_time"]
