"""Pictures drawn as SVG text: map symbols with their number inside, legend keys, the array of 100 dots."""

from __future__ import annotations

import base64
from functools import lru_cache
from html import escape

from dpviz.ui.page_parts.theme import EXACT, PROTECTED

_FONT = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif"
SYMBOL_PIXELS = 72


def data_uri(svg: str) -> str:
    """An SVG as a picture address that needs no request."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def svg(width: float, height: float, body: str) -> str:
    """A drawing of this size."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{_FONT}">{body}</svg>'
    )


def picture(source: str, alt: str, *, max_width: str = "100%") -> str:
    """An HTML figure around an SVG picture, with its description for screen readers."""
    return (
        "<figure style='margin:0'>"
        f"<img src='{data_uri(source)}' alt='{escape(alt, quote=True)}' "
        f"style='display:block;width:100%;max-width:{max_width};height:auto'></figure>"
    )


def png_uri(png: bytes) -> str:
    """A PNG file as a picture address that needs no request."""
    return "data:image/png;base64," + base64.b64encode(png).decode()


def picture_file(png: bytes, alt: str) -> str:
    """An HTML figure around a PNG file."""
    return f"<img src='{png_uri(png)}' alt='{escape(alt, quote=True)}' style='display:block;width:100%;height:auto'>"


def diamond(label: str, *, colour: str = PROTECTED, hollow: bool = False) -> str:
    """Symbol of a private center."""
    return _symbol("M36 3 L69 36 L36 69 L3 36 Z", label, colour, hollow)


@lru_cache(maxsize=2048)
def square(label: str) -> str:
    """Symbol of a non-private center."""
    return _symbol("M6 6 H66 V66 H6 Z", label, EXACT, False)


@lru_cache(maxsize=2048)
def pin(label: str, *, colour: str) -> str:
    """Symbol of a facility site: a disc."""
    return _symbol("M36 6 a30 30 0 1 0 .01 0 Z", label, colour, False)


def _symbol(path: str, label: str, colour: str, hollow: bool) -> str:
    ink, fill = ("#FFFFFF", colour) if not hollow else (colour, "#FFFFFF")
    edge = "#FFFFFF" if not hollow else colour
    size = 32 if len(label) < 2 else 27 if len(label) < 3 else 21
    body = (
        f'<path d="{path}" fill="{fill}" stroke="{edge}" stroke-width="5" stroke-linejoin="round"/>'
        f'<text x="36" y="{36 + size * 0.36:.1f}" font-size="{size}" font-weight="700" text-anchor="middle" '
        f'fill="{ink}">{escape(label)}</text>'
    )
    return data_uri(svg(SYMBOL_PIXELS, SYMBOL_PIXELS, body))
