"""List the sentences of the screens that no reader has explained back yet, or record what a reader said.

    python3 run.py research explained_back                 print what waits for a reader; exit code 1 if anything does
    python3 run.py research explained_back --record FILE   add {sentence: explanation} from a JSON file

Sentences come from the modules of words, so each stands in the code only. The record keeps what was read and what a
first-time reader should take from it; recording drops sentences that no screen shows any more.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from dpviz.labels import sentences as released
from dpviz.ui.demo import words as demo
from dpviz.ui.evidence import words as evidence
from dpviz.ui.page_parts import words
from dpviz_research import translating

RECORD = Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "explained_back.json"
LEAST_WORDS = 8
MODULES = (released, words, demo, evidence)  # label, what screens share, the story, Evidence
SCREENS = tuple(f"ui/{name}" for name in ("choose", "demo", "evidence", "map", "page_parts", "session", "stage"))


def extract_sentences() -> list[str]:
    """Extract every text of these screens, without the presenter's notes."""
    notes = {beat.say for scene in demo.SCENES for beat in scene.beats}
    held = [message for module in MODULES for message in translating.messages_of(module)]
    texts = (text for message in [*held, *translating.written_in_place(*SCREENS)] for text in message[1:] if text)
    return [text for text in dict.fromkeys(texts) if text not in notes]


def find_unexplained(sentences: Sequence[str], explained: dict[str, str]) -> list[str]:
    """Return the sentences of eight words or more that the record does not hold."""
    return [text for text in sentences if len(text.split()) >= LEAST_WORDS and text not in explained]


def read_record() -> tuple[dict[str, object], dict[str, str]]:
    """Read who read, and the explanation of each sentence."""
    held = json.loads(RECORD.read_text(encoding="utf-8"))
    return held["readings"], held["explained"]


def merge_explanations(sentences: Sequence[str], explained: dict[str, str], new: dict[str, str]) -> dict[str, str]:
    """Return the explanations of all current sentences, in the order of the screens."""
    unknown = set(new) - set(sentences)
    if unknown:
        raise SystemExit(f"No screen shows: {sorted(unknown)}. Copy sentences as this command prints them.")
    held = explained | new
    return {text: held[text] for text in sentences if text in held}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", type=Path, metavar="FILE", help="JSON of {sentence: explanation} to add")
    asked = parser.parse_args(arguments)
    sentences = extract_sentences()
    readings, explained = read_record()
    if asked.record is not None:
        explained = merge_explanations(sentences, explained, json.loads(asked.record.read_text(encoding="utf-8")))
        held = {"readings": readings, "explained": explained}
        RECORD.write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    waiting = find_unexplained(sentences, explained)
    sys.stdout.writelines(f"{json.dumps(text, ensure_ascii=False)}\n" for text in waiting)
    return int(bool(waiting))


if __name__ == "__main__":
    sys.exit(main())
