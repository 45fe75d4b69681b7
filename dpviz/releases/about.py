"""What a release says about itself beside its numbers: title, period, area, licence, whom to ask. Public texts only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime
from typing import Any

from dpviz.errors import InputError
from dpviz.language import languages
from dpviz.releases.period import days_of

_LONGEST_TEXT = {"description": 4000}
_LONGEST_LINE = 300
_FIRST_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class About:
    """Public words of the publisher about a release, written without looking at the data. All may be left out.

    `period_start` and `period_end` are days (2026-01-31) of the first and last record, as the publisher states them.
    `language` is that of the label, and the one that the map page opens with: `de`, or English where nothing is said.
    """

    title: str = ""
    description: str = ""
    period_start: str = ""
    period_end: str = ""
    area: str = ""
    licence: str = ""
    contact: str = ""
    publisher: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, _checked_text(field.name, getattr(self, field.name)))
        if self.language and self.language not in languages():
            raise InputError(
                f"language={self.language!r}; labels are written in {', '.join(languages())} (--language).",
                language=self.language,
            )
        for name in ("period_start", "period_end"):
            _checked_day(name, getattr(self, name))
        if self.period_start and self.period_end and self.period_start > self.period_end:
            raise InputError(
                f"the period begins on {self.period_start} and ends on {self.period_end}; turn the two round "
                "(--period FROM..TO)."
            )

    def facts(self) -> dict[str, str]:
        """What was given, as JSON values."""
        return {name: text for name, text in asdict(self).items() if text}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> About:
        """The texts of a document; whatever else it says is left out."""
        return cls(**{field.name: facts[field.name] for field in fields(cls) if field.name in facts})


def stamp_words(about: About | None, *, version: int = _FIRST_VERSION, corrects: str = "") -> dict[str, Any]:
    """The texts with what the door adds: the day of publication (of this machine's clock, UTC) and the version."""
    found: dict[str, Any] = dict((about or About()).facts())
    found |= {"published": datetime.now(UTC).date().isoformat(), "version": version}
    return found | ({"corrects": corrects} if corrects else {})


def period_of(text: str) -> tuple[str, str]:
    """Two days from "2026-01-01..2026-01-31", a year or a month; an error that says how it is written."""
    tidy = text.strip()
    if not tidy:
        return "", ""
    try:
        if re.fullmatch(r"\d{4}-\d{2}", tidy):
            return days_of(tidy)
        if re.fullmatch(r"\d{4}", tidy):
            return f"{tidy}-01-01", f"{tidy}-12-31"
        start, between, end = tidy.partition("..")
        if between:
            return date.fromisoformat(start.strip()).isoformat(), date.fromisoformat(end.strip()).isoformat()
        return date.fromisoformat(tidy).isoformat(), date.fromisoformat(tidy).isoformat()
    except ValueError:
        raise InputError(
            f"{text[:40]!a} is no period; write 2026, 2026-01, 2026-01-31 or 2026-01-01..2026-01-31 (--period)."
        ) from None


def _checked_text(name: str, text: Any) -> str:
    longest = _LONGEST_TEXT.get(name, _LONGEST_LINE)
    if not isinstance(text, str):
        raise InputError(f"{name}={text!r}; give a text.")
    lines = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
    tidy = lines if name in _LONGEST_TEXT else " ".join(lines.split())
    if len(tidy) > longest or not all(line.isprintable() for line in tidy.splitlines()):
        raise InputError(
            f"the {name.replace('_', ' ')} has {len(tidy)} characters; at most {longest} printable ones are taken "
            f"(--{name.replace('_', '-')})."
        )
    return tidy


def _checked_day(name: str, text: str) -> None:
    try:
        if text and date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        raise InputError(f"{name}={text[:40]!a}; give a day such as 2026-01-31.") from None
