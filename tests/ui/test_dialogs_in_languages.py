"""A click inside a dialog runs the dialog alone; whatever it says then is in the language of the screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.language import ENGLISH, catalogue, languages
from dpviz.ledger.ledger import Ledger
from dpviz.ui.session import session
from tests.ui.parts import asked_of_dialog
from tests.ui.test_compare_page import checked
from tests.ui.test_publications import ledger  # noqa: F401

pytestmark = pytest.mark.filterwarnings("default")
OTHERS = [name for name in languages() if name != ENGLISH]
KINDS = ("markdown", "caption", "info", "warning", "success", "error", "button", "text_input", "number_input")
KINDS += ("selectbox", "radio", "checkbox", "toggle", "expander", "file_uploader", "popover", "page_link", "text_area")


def english(language: str) -> set[str]:
    """Every sentence that a language says otherwise."""
    held = catalogue(language).items()
    return {sentence for (_, sentence, _more), said in held if said and said[0] != sentence and len(sentence) > 2}


def texts(app: AppTest) -> set[str]:
    """All that the elements of this run say."""
    found: set[str] = set()
    for kind in KINDS:
        for element in app.get(kind):
            proto: Any = getattr(element, "proto", element)
            parts = [getattr(proto, name, "") for name in ("label", "body", "placeholder", "help")]
            parts += list(getattr(proto, "options", ())) + list(getattr(proto, "captions", ()))
            found |= {part.strip("*") for part in parts if isinstance(part, str)}
    return found


def opened(root: Path, page: str, language: str) -> AppTest:
    app = AppTest.from_file(str(root / "app.py"), default_timeout=120)
    app.query_params["lang"] = language
    checked(app.run())
    return app if page == "choose" else checked(app.switch_page(f"pages/{page}.py").run())


def press(app: AppTest, key: str) -> None:
    checked(app.button(key=key).click().run())


def press_words(app: AppTest, sentence: str) -> None:
    own = {catalogue(name)["", sentence, ""][0] for name in OTHERS}
    (button,) = [one for one in app.button if one.label in own]
    checked(button.click().run())


def open_own(app: AppTest) -> None:
    press_words(app, "Use your own data")


def open_publish(app: AppTest, steps: int = 0) -> None:
    press_words(app, "Publish this level …")
    for _ in range(steps):
        press(app, "publish_next")


DIALOGS: dict[str, tuple[str, Callable[[AppTest], None]]] = {
    "own data": ("choose", open_own),
    "publish, what leaves": ("choose", open_publish),
    "publish, what it costs": ("choose", lambda app: open_publish(app, 1)),
    "publish, the level's name": ("choose", lambda app: open_publish(app, 2)),
    "picture": ("publications", lambda app: press(app, "picture_own-1")),
    "correct": ("publications", lambda app: press(app, "correct_own-1")),
    "supersede": ("publications", lambda app: press(app, "supersede_own-1")),
    "withdraw": ("publications", lambda app: press(app, "withdraw_own-1")),
}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", DIALOGS)
def test_a_click_inside_a_dialog_leaves_its_language(
    name: str,
    language: str,
    project_root: Path,
    ledger: Ledger,  # noqa: F811
) -> None:
    page, opens = DIALOGS[name]
    app = opened(project_root, page, language)
    opens(app)
    with asked_of_dialog(app):
        checked(app.run())
    shown = texts(app)
    assert len(shown) > 3 and not shown & english(language)


def test_the_rule_would_see_a_dialog_that_does_not_say_its_language(
    project_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted case: a body whose run says no language before its first sentence."""
    app = opened(project_root, "choose", "de")
    open_own(app)
    monkeypatch.setattr(session.speaking, "speak", lambda language: None)
    with asked_of_dialog(app):
        app.run()
    assert texts(app) & english("de")
