"""What the story says, read from `story.toml`: scenes, questions and the words of the controls."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Beat:
    """One step of a scene: what stands on the screen, a number in large type, and what the presenter says."""

    text: str
    say: str
    chip: str  # the button that leads to this step
    big: str
    unit: str


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One scene. `name` is known to the scripts that draw it."""

    name: str
    title: str
    beats: tuple[Beat, ...]
    note: str


_texts = tomllib.loads(Path(__file__).with_name("story.toml").read_text(encoding="utf-8"))
SCENES = tuple(
    Scene(
        name=scene["name"],
        title=scene["title"],
        note=scene.get("note", ""),
        beats=tuple(
            Beat(
                text=beat["text"],
                say=beat["say"],
                chip=beat.get("chip", ""),
                big=beat.get("big", ""),
                unit=beat.get("unit", ""),
            )
            for beat in scene["beats"]
        ),
    )
    for scene in _texts["SCENES"]
)
UI: dict[str, str] = _texts["UI"]
DOORS: dict[str, str] = _texts["DOORS"]
WEEK = tuple((day["when"], day["what"], day["secret"]) for day in _texts["WEEK"])
OTHER_MORNINGS = {int(times): words for times, words in _texts["OTHER_MORNINGS"].items()}
OTHER_MORNINGS_MORE = "{times} times"
QUESTIONS = tuple((question["asked"], question["answer"]) for question in _texts["QUESTIONS"])
