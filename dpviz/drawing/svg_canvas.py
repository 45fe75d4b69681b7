"""A canvas that writes SVG without external references."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dpviz.drawing.canvas import Anchor, Points, drop_repeats, is_measured, text_width

FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"


class SvgCanvas:
    """Collects the parts of one SVG document."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height = width, height
        self._title = title
        self._parts: list[str] = []
        self._clips = 0
        self._clipped = False

    def areas(self, rings: Sequence[Points], colour: str, *, opacity: float = 1.0, sharp: bool = False) -> None:
        path = "".join(map(ring_path, rings))
        if path:
            edges = ' shape-rendering="crispEdges"' if sharp else ""
            self._parts.append(f'<path fill="{colour}" fill-rule="evenodd"{_clear(opacity)}{edges} d="{path}"/>')

    def lines(self, paths: Sequence[Points], colour: str, width: float, *, opacity: float = 1.0) -> None:
        path = "".join(_path(line) for line in paths)
        if path:
            look = f'fill="none" stroke="{colour}" stroke-width="{width:.2f}" stroke-linejoin="round"'
            self._parts.append(f'<path {look} stroke-linecap="round"{_clear(opacity)} d="{path}"/>')

    def words(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: str,
        *,
        bold: bool = False,
        anchor: Anchor = "start",
        halo: str | None = None,
    ) -> None:
        around = ' font-weight="600"' if bold else ""
        if halo is not None:
            around += f' stroke="{halo}" stroke-width="{size * 0.22:.2f}" stroke-linejoin="round" paint-order="stroke"'
        # Fonts differ between viewers: fix the width that the layout assumed.
        wide = text_width(text, size, bold=bold)
        around += f' textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs"' if is_measured(text) and wide > 0 else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{colour}" text-anchor="{anchor}"'
            f"{around}>{escape(text)}</text>"
        )

    def clip(self, box: tuple[float, float, float, float] | None) -> None:
        if self._clipped:
            self._parts.append("</g>")
        self._clipped = box is not None
        if box is not None:
            self._clips += 1
            x, y, wide, high = box
            name = f"clip{self._clips}"
            self._parts.append(
                f'<clipPath id="{name}"><rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"/>'
                f'</clipPath><g clip-path="url(#{name})">'
            )

    def group(self, name: str | None, part: int | None = None) -> None:
        """Group later shapes, so that a script can show or hide them; None ends the group."""
        number = "" if part is None else f' data-part="{part}"'
        self._parts.append("</g>" if name is None else f'<g class="{escape(name)}"{number}>')

    def to_bytes(self) -> bytes:
        self.clip(None)
        return self.document().encode("utf-8")

    def fragment(self) -> str:
        """What was drawn, for another SVG."""
        self.clip(None)
        return "\n".join(self._parts)

    def document(self) -> str:
        """The whole document as text."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.1f} {self.height:.1f}" '
            f'width="{self.width:.0f}" height="{self.height:.0f}" role="img" font-family="{FONT}">'
        )
        return f"{head}\n<title>{escape(self._title)}</title>\n" + "\n".join(self._parts) + "\n</svg>\n"


def _clear(opacity: float) -> str:
    return "" if opacity >= 1.0 else f' opacity="{opacity:.2f}"'


def ring_path(ring: Points) -> str:
    """A closed ring as path data; nothing where it is smaller than the drawing can show."""
    path = _path(ring)
    return path and path + "Z"


def _path(points: Points) -> str:
    (x, y), *others = drop_repeats(points, 1).tolist()
    if not others:
        return ""
    steps = [f"M{x:g} {y:g}"]
    for to_x, to_y in others:
        steps.append(f"V{to_y:g}" if to_x == x else f"H{to_x:g}" if to_y == y else f"L{to_x:g} {to_y:g}")
        x, y = to_x, to_y
    return "".join(steps)
