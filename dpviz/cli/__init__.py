"""The commands of the command line, one module per group. `dpviz/__main__.py` lists them all.

What commands import is imported inside them, so that `--help` is quick and a command for analysts loads no reader of
records. docs/reference/command-line.md is made from their texts (docs/build_reference.py).
"""
