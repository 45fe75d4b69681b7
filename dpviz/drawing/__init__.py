"""Pictures of releases: one drawing of map, legend, promise and credit, as SVG, PDF or PNG.

Drawn from a release and the public map beneath, so from protected and public things alone.
"""

from pathlib import Path
from typing import Final

_NO_REQUESTS: Final = "default-src 'none'; style-src 'unsafe-inline'"
_OWN_SCRIPTS: Final = ";\n script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def read_web_file(name: str) -> str:
    """Return a fixed part of a page that stands alone: a template, a style or a script of the folder `web`."""
    return (Path(__file__).parent / "web" / name).read_text(encoding="utf-8")


def write_page(title: str, style: str, body: str, *, language: str = "en", scripts: bool = True) -> str:
    """Return a page that stands alone: every page of a release has this frame, and no page makes a request."""
    policy = _NO_REQUESTS + (_OWN_SCRIPTS if scripts else "")
    return read_web_file("page.html").format(language=language, policy=policy, title=title, style=style, body=body)
