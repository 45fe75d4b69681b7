"""Exact beside protected, for the curator only: evaluation, tables and figures, audits, benchmarks."""
