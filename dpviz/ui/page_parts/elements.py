"""Elements that several pages share: the mode banner, the odds, figures, tables and the map itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path, PurePath
from typing import Any, TypeVar

import streamlit as st
from PIL import Image, ImageDraw

from dpviz.errors import DpvizError
from dpviz.language import ENGLISH, speaking
from dpviz.language.speaking import told as _
from dpviz.releases.document import proof_of
from dpviz.ui.page_parts import plain_documents, words
from dpviz.ui.page_parts.theme import PROTECTED

Made = TypeVar("Made")


@lru_cache(maxsize=1)
def page_icon() -> Image.Image:
    """The blue diamond as the browser tab's picture. A named icon or an emoji would be fetched from another host."""
    picture = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    ImageDraw.Draw(picture).polygon([(32, 2), (62, 32), (32, 62), (2, 32)], fill=PROTECTED)
    return picture


def start_page() -> None:
    """The style rules of every page."""
    st.html(Path(__file__).with_name("page.css"))
    said = {  # what Streamlit says itself, and where: languages other than English replace it
        "[data-testid=stFileUploaderDropzone] button p": _("Upload"),
        "[data-testid=stFileUploaderDropzoneInstructions] span": _("or drop it here"),
        "[data-testid=InputInstructions] span": _("Press Enter to apply"),
    }
    if speaking.language() == ENGLISH:
        said = {}
    rules = [f"{place} {{ font-size:0 !important; }} {place}::after {_said(text)}" for place, text in said.items()]
    st.html(f"<style>[data-testid=stExpandSidebarButton]::after {_said(_('Menu'))} {' '.join(rules)}</style>")
    if st.context.theme.type == "dark":
        st.html(Path(__file__).with_name("dark.css"))


def _said(text: str) -> str:
    """A rule that writes a text of ours in place of one of Streamlit's."""
    return f"{{ content:{json.dumps(text, ensure_ascii=False)}; font-size:.875rem; }}"


def banner(title_and_text: tuple[str, str], kind: str, *, short: bool = False) -> None:
    """Which of the modes this page is in. Short, beside a title: the text for who points at it and screen readers."""
    title, text = map(escape, title_and_text)
    shown, hidden = (f" title='{text}'", " class='dpv-unseen'") if short else ("", "")
    st.html(
        f"<div class='dpv-mode {kind}' role='note' aria-label='{escape(_('Mode'))}'{shown}>"
        f"<strong>{title}</strong><span{hidden}>{text}</span></div>",
        width="content" if short else "stretch",
    )


def on_telephone() -> bool:
    """Whether the browser says that it runs on a telephone."""
    return "Mobi" in str(st.context.headers.get("User-Agent", ""))


def show_errors(make: Callable[[], Made]) -> Made | None:
    """Return what `make` returns; where it refuses, show its sentence and return None."""
    try:
        return make()
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return None


def choose(control: Callable[..., Any], label: str, options: Mapping[str, str], **more: Any) -> str:
    """Return the key of one of these options, which a selectbox or a segmented control shows by their words."""
    return str(control(label, list(options), format_func=lambda name: options[name], **more))


def figures(items: Sequence[tuple[str, str, str]], columns: int = 4) -> None:
    """Figures as a list of name, value and note."""
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd class='value'>{escape(value)}</dd><dd class='note'>{escape(note)}</dd></div>"
        for name, value, note in items
    )
    st.html(f"<dl class='dpv-figures dpv-{columns}'>{cells}</dl>")


def reading(lines: Sequence[str], name: str) -> None:
    """A list of lines (**bold** is understood) that the keyboard can reach and scroll where it is long."""
    items = "".join(
        f"<li>{line}</li>" for line in [re.sub(r"[*]{2}(.+?)[*]{2}", r"<b>\1</b>", escape(line)) for line in lines]
    )
    st.html(f"<ul class='dpv-reading' tabindex='0' aria-label='{escape(name, quote=True)}'>{items}</ul>")


_MIME = {
    ".csv": "text/csv",
    ".geojson": "application/geo+json",
    ".gpx": "application/gpx+xml",
    ".html": "text/html",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".zip": "application/zip",
}


def draw_download(label: str, content: str | bytes, name: str, *, icon: bool = True, **more: Any) -> None:
    """Draw a button that saves a file. It starts no run of the page."""
    st.download_button(
        label,
        content,
        file_name=name,
        mime=_MIME[PurePath(name).suffix],
        on_click="ignore",
        icon=":material/download:" if icon else None,
        **more,
    )


def key_line(entries: Sequence[tuple[str, str]]) -> None:
    """A legend without switches: symbol and words."""
    parts = "".join(
        f"<span class='dpv-key'><img src='{url}' alt='' width='18' height='18'> {escape(label)}</span>"
        for url, label in entries
    )
    st.html(f"<div>{parts}</div>")


def label(text: str, method: str) -> None:
    """The privacy label, its headings below those of the page, and the proof of its method one click away."""
    st.markdown(_in_the_page(text))
    with st.popover(_("The proof, for experts"), icon=":material/verified_user:"):
        st.markdown(_in_the_page(proof_of(method)))


def _in_the_page(text: str) -> str:
    stepped = "\n".join(f"##{line}" if line.startswith("#") else line for line in text.splitlines())
    return plain_documents.without_dead_links(stepped)
