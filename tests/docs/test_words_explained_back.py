"""Every sentence of a screen was explained back by a reader, or the command lists it as not explained yet."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dpviz_research import explained_back

GONE = (  # what nobody could explain back
    r"coreset",
    r"\bdraws?\b",
    r"guarantee covers",
    r"count as neighbours",
    r"noise is secure",
    r"before the door",
    r"weights? below zero",
    r"hang together",
    r"added clustering error",
)


def test_every_sentence_is_explained_or_listed_as_waiting(capsys: pytest.CaptureFixture[str]) -> None:
    _, explained = explained_back.read_record()
    long = {text for text in explained_back.extract_sentences() if len(text.split()) >= explained_back.LEAST_WORDS}
    assert len(long) > 200
    status = explained_back.main([])
    waiting = {json.loads(line) for line in capsys.readouterr().out.splitlines()}
    assert waiting == long - set(explained) and status == bool(waiting)


def test_a_new_or_edited_sentence_waits_for_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    new = "This sentence of nine words was never read before."
    monkeypatch.setattr(explained_back.words, "PLANTED", new, raising=False)
    _, explained = explained_back.read_record()
    assert new in explained_back.find_unexplained(explained_back.extract_sentences(), explained)


def test_recording_a_reader_explains_a_sentence_and_drops_what_no_screen_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = explained_back.find_unexplained(explained_back.extract_sentences(), {})[:2]
    monkeypatch.setattr(explained_back, "RECORD", tmp_path / "record.json")
    held = {"readings": [], "explained": {one: "what I took from it", "No screen shows this.": "gone"}}
    explained_back.RECORD.write_text(json.dumps(held), encoding="utf-8")
    (tmp_path / "answers.json").write_text(json.dumps({two: "and from this"}), encoding="utf-8")
    explained_back.main(["--record", str(tmp_path / "answers.json")])
    assert explained_back.read_record()[1] == {one: "what I took from it", two: "and from this"}
    (tmp_path / "answers.json").write_text(json.dumps({"Shown nowhere.": "?"}), encoding="utf-8")
    with pytest.raises(SystemExit, match="No screen shows"):
        explained_back.main(["--record", str(tmp_path / "answers.json")])


def test_every_explanation_says_something() -> None:
    readings, explained = explained_back.read_record()
    assert readings and all(len(text.split()) >= 3 for text in explained.values())


def test_what_nobody_could_explain_back_is_gone_from_the_screens() -> None:
    sentences = explained_back.extract_sentences()
    left = [text for text in sentences for term in GONE if re.search(term, text, flags=re.IGNORECASE)]
    assert not left
