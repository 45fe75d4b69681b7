"""One page in several languages: every text stands in it once a language, and the style shows those of the page.

What cannot stand twice, such as the label of a drawing or a tip, carries the other languages as data for the script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeVar

from dpviz.labels import sentences as say
from dpviz.labels.accuracy import accuracy_sentences, trust_sentences
from dpviz.labels.privacy_label import status_sentences
from dpviz.language import ENGLISH, name_of
from dpviz.language.speaking import spoken_in
from dpviz.privacy import out_of_100
from dpviz.releases.release import PUBLISHED, Release

Tell = Callable[[], str]
Told = TypeVar("Told")


@dataclass(frozen=True, kw_only=True)
class Voices:
    """The languages of a page, the one that it opens with first."""

    names: tuple[str, ...]

    def all(self, tell: Callable[[], Told]) -> dict[str, Told]:
        """What is told, by language."""
        found = {}
        for name in self.names:
            with spoken_in(name):
                found[name] = tell()
        return found

    def said(self, tell: Tell) -> str:
        """A text as HTML."""
        return self._spans(self.all(tell))

    def each(self, opened: str, tell: Callable[[], Sequence[str]]) -> str:
        """A list of texts as HTML, each in an element that is opened like this."""
        told = self.all(tell)
        rows = [dict(zip(told, texts, strict=True)) for texts in zip(*told.values(), strict=True)]
        return "\n".join(f"{opened}{self._spans(row)}</{opened.strip('<>').split()[0]}>" for row in rows)

    def _spans(self, told: Mapping[str, str]) -> str:
        if len(set(told.values())) == 1:
            return escape(told[self.names[0]])
        return "".join(f"<span lang={name}>{escape(text)}</span>" for name, text in told.items())

    def labelled(self, tell: Tell) -> str:
        """The label of an element, as its attributes."""
        return self._attributes("aria", tell, f'aria-label="{escape(self.first(tell))}"')

    def tip(self, tell: Tell) -> str:
        """The title inside a drawn mark."""
        return f"<{self._attributes('said', tell, 'title')}>{escape(self.first(tell))}</title>"

    def first(self, tell: Tell) -> str:
        """In the language that the page opens with."""
        return self.all(tell)[self.names[0]]

    def _attributes(self, kind: str, tell: Tell, before: str) -> str:
        told = self.all(tell)
        if len(set(told.values())) == 1:
            return before
        return " ".join([before, *(f'data-{kind}-{name}="{escape(text)}"' for name, text in told.items())])

    def style(self) -> str:
        """Hides what is in another language than the page."""
        return "".join(
            f"html[lang={name}] body [lang]:not([lang={name}]) {{ display: none; }}\n" for name in self.names
        )

    def switch(self) -> str:
        """A button for every language; nothing where there is one only."""
        if len(self.names) == 1:
            return ""
        names = {name: name_of(name) for name in sorted(self.names)}
        buttons = "".join(
            f"<button type=button data-speak={name} aria-label={own}>{own}</button>" for name, own in names.items()
        )
        return f"<nav class=speak aria-label='{' · '.join(names.values())}'>{buttons}</nav>"


ALONE = Voices(names=(ENGLISH,))


def promise_parts(release: Release, voices: Voices = ALONE) -> dict[str, str]:
    """What every page says of its release as HTML: odds with a hundred guessers, premise, accuracy, trust, status."""
    right = out_of_100(release.guarantee.epsilon, release.guarantee.delta)
    marks = "".join(
        f"<circle class={'right' if at < right else 'wrong'}{' data-coin' if at < 50 else ''} "
        f'cx="{at % 10 * 10 + 5}" cy="{at // 10 * 10 + 5}" r="3.6"/>'
        for at in range(100)
    )
    label = voices.labelled(lambda: say.MAP_GUESSERS.format(right=right))
    mood = "status" if release.status == PUBLISHED else "warning"
    return {
        "icons": f'<svg class=icons role=img {label} viewBox="0 0 100 100">{marks}</svg>',
        "odds": voices.said(lambda: say.odds_told(release.guarantee)),
        "premise": voices.said(lambda: say.PREMISE),
        "accuracy": voices.each("<li>", lambda: accuracy_sentences(release)),
        "trust": voices.each("<p>", lambda: trust_sentences(release)),
        "status": voices.each(f"<p class={mood}>", lambda: status_sentences(release)),
    }
