"""Pictures of releases: one drawing of map, legend, promise and credit, as SVG, PDF or PNG.

Drawn from a release and the public map beneath, so from protected and public things alone.
"""

from pathlib import Path


def read_web_file(name: str) -> str:
    """Return a fixed part of a page that stands alone: a template, a style or a script of the folder `web`."""
    return (Path(__file__).parent / "web" / name).read_text(encoding="utf-8")
