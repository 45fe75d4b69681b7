"""Streamlit's command for a server under test: every page as it is, with fewer repeated draws behind its figures.

That there are as many as the pages say is tested without a browser, in tests/ui/test_previews.py.
"""

from __future__ import annotations

from streamlit.web.cli import main

from dpviz.ui.session import preview

if __name__ == "__main__":
    preview.WANTED = 4
    preview.MOST, preview.ENOUGH = 10, 9
    main()
