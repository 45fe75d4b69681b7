"""WHAT: one file per published algorithm, and the catalogue."""
