"""The demonstration as one file that asks for nothing: scripts, style, words and recorded draws in one page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from dpviz.language import ENGLISH
from dpviz.ui.demo import story

_WEB: Final = Path(__file__).parent / "web"
_ORDER: Final = ("element", "city", "acts", "clouds", "game", "questions", "presenter", "theatre")
_MARK: Final = 'class="her-file"'
_POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def script() -> str:
    """All modules as one: their imports name each other and nothing else."""
    parts = [(_WEB / f"{name}.js").read_text(encoding="utf-8") for name in _ORDER]
    parts = [re.sub(r"^import [^;]*;\n", "", part, flags=re.MULTILINE) for part in parts]
    parts = [re.sub(r"^export (?=const|function|class)", "", part, flags=re.MULTILINE) for part in parts]
    return "\n".join(f"// ---- {name}\n{part}" for name, part in zip(_ORDER, parts, strict=True))


def is_page(beginning: bytes) -> bool:
    """Whether a file that begins like this is one of these."""
    return beginning.startswith(b"<!doctype html>") and _MARK.encode() in beginning[:200]


def page(language: str = ENGLISH) -> str:
    """The file's text."""
    told = story.document(language)
    data = json.dumps(told, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    style = (_WEB / "theatre.css").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="{language}" {_MARK}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{told["words"][language]["title"]}</title>
<style>body {{ margin:0; background:#070c16; }}
{style}</style>
</head>
<body>
<main id="stage"></main>
<script type="application/json" id="story">{data}</script>
<script type="module">
{script()}
const scene = Number(location.hash.slice(1)) || null;
const story = JSON.parse(document.getElementById('story').textContent);
window.theatre = new Theatre(document.getElementById('stage'), story, {{ scene: scene && scene - 1 }});
</script>
</body>
</html>
"""
