"""Compare: what was published, two releases at a time, with unlimited free questions."""

from dpviz.releases import default_ledger_path, demonstration_ledger_path
from dpviz.ui import compare_parts as parts
from dpviz.ui import examples

ledgers = (default_ledger_path(), demonstration_ledger_path())
parts.page([path.with_name(path.name + ".releases") for path in ledgers], examples.make)
