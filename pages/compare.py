"""Compare: what was published, two releases at a time, with unlimited free questions."""

from dpviz.ui.serving import frame

frame.needed("compare")

from dpviz.releases.paths import default_ledger_path, demonstration_ledger_path
from dpviz.ui.compare import examples, page

ledgers = (default_ledger_path(), demonstration_ledger_path())
page.draw([path.with_name(path.name + ".releases") for path in ledgers], examples.make)
