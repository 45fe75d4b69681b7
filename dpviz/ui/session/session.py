"""The state of one browser session as one typed value. It lives in Streamlit's session state and ends with the tab.

The session is authoritative. When the program sets a control, `turn` grows and the controls are drawn with new keys, so
that late messages about the old ones are ignored.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import streamlit as st

from dpviz.language import ENGLISH, speaking
from dpviz.privacy import LEVELS, Level
from dpviz.releases.release import NoAnswer, Release
from dpviz.ui.page_parts.theme import Theme, theme_named
from dpviz.ui.session.sources import Source
from dpviz.ui.session.state import ChooseState
from dpviz.ui.stage import HEARD_NOTHING, Heard

Made = TypeVar("Made")
DialogWidth = Literal["small", "medium", "large"]
_KEY = "dpviz"


@dataclass(frozen=True, kw_only=True)
class Published:
    """What the publish dialog has just published."""

    key: tuple[object, ...]  # of what was asked for
    outcome: Release | NoAnswer
    again: bool  # it had been published before


@dataclass(kw_only=True)
class Session:
    """One browser session on the page *Choose*."""

    chosen: ChooseState = field(default_factory=ChooseState)
    turn: int = 0
    language: str = ENGLISH  # that the screen speaks
    heard: Heard = HEARD_NOTHING  # what the stage has told
    dialog: str | None = None  # which one lies over the page
    address: dict[str, str] | None = None  # what the browser's address says; None before the first run
    unknown: tuple[str, ...] = ()  # parts of the first address that do not exist
    asked_first: ChooseState | None = None  # what that address gave
    own: dict[str, Source] = field(default_factory=dict)  # data of one's own, by name, that are open
    own_name: str = ""  # which of them is looked at
    own_told: str = ""  # why data that were opened before are not open now
    place_names: tuple[str, ...] = ()  # stricter places by name, their level, a file of outlines
    place_level: Level | None = None
    place_file: bytes | None = None
    place_drawn: tuple[str, tuple[tuple[tuple[float, float], ...], ...]] = ("", ())  # on which data's map, the corners
    published: Published | None = None
    step: int = 0  # of the dialog that publishes
    about: dict[str, str] = field(default_factory=dict)  # what was typed there: public words, and the reason
    purpose: str = ""
    parts: dict[type, Any] = field(default_factory=dict)  # what rooms keep, see `part`
    few: dict[str, OrderedDict[object, Any]] = field(default_factory=dict)  # what can be made again, see `recent`
    is_drawing: bool = False  # a run of the whole page is under way
    drawn_level: Level | None = None  # the level that the controls were drawn for, where they speak of it
    is_drawn: bool = False  # the last one reached its end, and nothing has been asked for since

    # ---- what is chosen ----

    def key(self, name: str) -> str:
        """The name of a control, as Streamlit knows it."""
        return f"{name}-{self.turn}" if self.turn else name

    def choose(self, **fields: Any) -> None:
        """Set fields from a control."""
        self.chosen = replace(self.chosen, **fields)

    def set(self, **fields: Any) -> None:
        """Set fields from the program, and draw the controls again."""
        self.choose(**fields)
        self.turn += 1
        self.is_drawn = False

    def hear(self, heard: Heard) -> None:
        """Apply what the browser reported; ignore reports from before the last reset."""
        if heard.turn != self.turn:
            return
        self.heard = heard
        level = next((level for level in LEVELS if level.number == heard.level), None)
        if level is not None:
            self.choose(level=level)
        if heard.shown is not None:
            self.choose(layers=heard.shown)

    def take(self, name: str, convert: Callable[[Any], Any] = lambda value: value) -> None:
        """Set a field from a control's widget state. For callbacks, which run before the page is drawn."""
        if self.key(name) not in st.session_state:
            return  # the control has another key since; ignore the old one
        self.choose(**{name: convert(st.session_state[self.key(name)])})
        self.is_drawn = False

    def changed(self) -> None:
        """Ask for a redraw of the whole page. For callbacks that set more than one field."""
        self.is_drawn = False

    def speak(self, language: str) -> None:
        """Switch the language and draw all controls again. For callbacks."""
        self.language = language
        self.turn += 1
        self.is_drawn = False
        st.query_params["lang"] = language

    def ask(self, dialog: str) -> None:
        """Open this dialog. For callbacks."""
        self.dialog = dialog
        self.published, self.step = None, 0
        self.is_drawn = False

    def close_dialog(self) -> None:
        """Forget the open dialog."""
        self.dialog = None

    def open_own(self, source: Source) -> None:
        """Look at data of one's own that have just been read."""
        self.own[source.title] = source
        self.own_name, self.own_told = source.title, ""
        self.set(data="own")

    # ---- how the page is drawn ----

    @contextmanager
    def page(self) -> Iterator[None]:
        """Mark a run of the whole page. An interrupted run leaves the page not drawn; a failed one counts as drawn, so
        that it is not retried for ever.
        """
        self.is_drawing, self.is_drawn = True, False
        try:
            yield
            self.is_drawn = True
        except Exception:
            self.is_drawn = True
            raise
        finally:
            self.is_drawing = False

    def complete(self) -> None:
        """Rerun the whole page where a callback asked for it or where controls show an outdated level. For the
        fragment that reruns by itself.
        """
        if self.is_drawing:
            return
        if not self.is_drawn or self.drawn_level not in (None, self.chosen.level):
            st.rerun()

    # ---- what rooms keep, and what was made ----

    def part(self, kind: type[Made]) -> Made:
        """Return the value of this type that a screen keeps here; create it on first use."""
        if kind not in self.parts:
            self.parts[kind] = kind()
        found: Made = self.parts[kind]
        return found

    def recent(self, name: str, key: object, make: Callable[[], Made], *, most: int = 16) -> Made:
        """Return the cached value of this key, or make it; keep the last `most` values of a name."""
        held, key = self.few.setdefault(name, OrderedDict()), (self.language, key)
        if key not in held:
            held[key] = make()
        held.move_to_end(key)
        while len(held) > most:
            held.popitem(last=False)
        found: Made = held[key]
        return found


def current_session() -> Session:
    """Return the session of the current request, and speak its language."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session(language=speaking.first_of(st.query_params.get("lang"), st.context.locale))
    found: Session = st.session_state[_KEY]
    speaking.speak(found.language)
    return found


def open_dialog(
    title: str, body: Callable[..., None], *given: Any, width: DialogWidth = "medium", on_dismiss: Callable[[], None]
) -> None:
    """Draw a dialog. A click in it runs its body alone, in a run that has not said its language yet."""

    def speaking_body() -> None:
        current_session()
        body(*given)

    st.dialog(title, width=width, on_dismiss=on_dismiss)(speaking_body)()


def current_theme() -> Theme:
    """Return the theme of the browser."""
    return theme_named(st.context.theme.type)
