"""Elements that several pages share: the mode banner, the odds, figures, tables and the map itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from html import escape
from typing import Any

import streamlit as st
from PIL import Image, ImageDraw

from dpviz.privacy import Guarantee, odds_sentence, out_of_100
from dpviz.ui import icons, words
from dpviz.ui.layers import Camera, build_deck
from dpviz.ui.theme import ADDED, CSS, DARK_CSS, PROTECTED, Theme, watermark_css
from dpviz.ui.view import MapView

_DIALOG = "_dpviz_dialog"


@lru_cache(maxsize=1)
def page_icon() -> Image.Image:
    """The blue diamond as the browser tab's picture. A named icon or an emoji would be fetched from another host."""
    picture = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    ImageDraw.Draw(picture).polygon([(32, 2), (62, 32), (32, 62), (2, 32)], fill=PROTECTED)
    return picture


def start_page() -> None:
    """The style rules of every page."""
    st.html(CSS + (DARK_CSS if st.context.theme.type == "dark" else ""))


def banner(title_and_text: tuple[str, str], kind: str) -> None:
    """Which of the modes this page is in."""
    title, text = title_and_text
    st.html(
        f"<div class='dpv-mode {kind}' role='note' aria-label='Mode'><strong>{escape(title)}</strong>"
        f"<span>{escape(text)}</span></div>"
    )


def odds(guarantee: Guarantee, record: str, theme: Theme) -> None:
    """The sentence of odds beside the array of 100 dots."""
    right = out_of_100(guarantee.epsilon, guarantee.delta)
    bold = f"{right} times in 100"
    sentence = escape(odds_sentence(guarantee, record=record)).replace(bold, f"<strong>{bold}</strong>", 1)
    picture = icons.picture(
        icons.odds_array(right, theme), words.odds_alt(guarantee.epsilon, guarantee.delta), max_width="132px"
    )
    st.html(
        f"<div class='dpv-odds'>{picture}<div><p>{sentence}</p>"
        f"<span class='dpv-key'><i style='background:{theme.coin}'></i>{words.ODDS_KEY_COIN}</span>"
        f"<span class='dpv-key'><i style='background:{ADDED}'></i>{words.ODDS_KEY_ADDED}</span></div></div>"
    )


def slider_ends(stops: int) -> str:
    """A tick for every stop of the slider, and what its ends mean."""
    ticks = "<i></i>" * stops
    return (
        f"<div class='dpv-ticks' aria-hidden='true'>{ticks}</div><div class='dpv-ends'>"
        f"<span>← {words.LESS_PRIVATE}</span><span>{words.MORE_PRIVATE} →</span></div>"
    )


def on_telephone() -> bool:
    """Whether the browser says that it runs on a telephone."""
    return "Mobi" in str(st.context.headers.get("User-Agent", ""))


def ask_for_dialog(name: str | None) -> None:
    """Open this dialog, or none.

    What is open is remembered, because a run of the whole page closes dialogs, and the page also runs by itself when
    its figures are complete.
    """
    st.session_state[_DIALOG] = name


def open_dialog() -> str | None:
    """The name of the dialog that lies over the page."""
    found: str | None = st.session_state.get(_DIALOG)
    return found


def dialog(title: str, width: str, body: Callable[..., None], *given: object) -> None:
    """Draw a dialog; closing it is remembered too."""
    st.dialog(title, width=width, on_dismiss=partial(ask_for_dialog, None))(body)(*given)  # type: ignore[call-overload]


def figures(items: Sequence[tuple[str, str, str]], columns: int = 4) -> None:
    """Figures as a list of name, value and note."""
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd class='value'>{escape(value)}</dd><dd class='note'>{escape(note)}</dd></div>"
        for name, value, note in items
    )
    st.html(f"<dl class='dpv-figures dpv-{columns}'>{cells}</dl>")


def draw_map(
    view: MapView,
    camera: Camera,
    theme: Theme,
    *,
    key: str,
    height: int = 580,
    cells: Sequence[Mapping[str, Any]] | None = None,
) -> Any:
    """One map. Its key and first view stay the same, so zoom and place survive every rerun.

    With `cells` the map is also an input: it returns which cell was clicked.
    """
    deck = build_deck(view, camera, theme, cells)
    if cells is None:
        st.pydeck_chart(deck, key=key, height=height, alt=view.alt)
        return None
    return st.pydeck_chart(deck, key=key, height=height, alt=view.alt, on_select="rerun")


def reading(lines: Sequence[str], name: str) -> None:
    """A list of lines (**bold** is understood) that the keyboard can reach and scroll where it is long."""
    told = [re.sub(r"[*]{2}(.+?)[*]{2}", r"<b>\1</b>", escape(line)) for line in lines]
    items = "".join(f"<li>{line}</li>" for line in told)
    st.html(f"<ul class='dpv-reading' tabindex='0' aria-label='{escape(name, quote=True)}'>{items}</ul>")


def key_line(entries: Sequence[tuple[str, str]]) -> None:
    """A legend without switches: symbol and words."""
    parts = "".join(
        f"<span class='dpv-key'><img src='{url}' alt='' width='18' height='18'> {escape(label)}</span>"
        for url, label in entries
    )
    st.html(f"<div>{parts}</div>")


def label(text: str) -> None:
    """The privacy label, its headings below those of the page."""
    st.markdown("\n".join(f"##{line}" if line.startswith("#") else line for line in text.splitlines()))


def watermark() -> None:
    """The words over the map of a preview."""
    st.html(watermark_css(words.WATERMARK))
