"""Publications: data sets with what they may still spend, and the life of their releases."""

from dpviz.ui.serving import frame

frame.needed("publications")

from dpviz.releases.paths import default_ledger_path, demonstration_ledger_path
from dpviz.ui.publications import page

page.draw(default_ledger_path(), demonstration_ledger_path())
