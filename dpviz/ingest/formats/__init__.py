"""Kinds of files and tables, one module a kind."""
