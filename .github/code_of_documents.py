"""The Python code of README and guides as files, one a page, for type checkers.

python .github/code_of_documents.py FOLDER
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```python[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def code_of_pages(folder: Path) -> list[Path]:
    """Written into a folder; a page's pieces share their names, in order, as they do when they are run."""
    pages = [
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "docs" / "how-to").glob("*.md")),
    ]
    files: list[Path] = []
    for page in pages:
        code = "\n".join(FENCE.findall(page.read_text(encoding="utf-8")))
        if code:
            name = re.sub(r"\W", "_", page.relative_to(ROOT).with_suffix("").as_posix().lower())
            files.append(folder / f"page_{name}.py")
            files[-1].write_text(code, encoding="utf-8")
    return files


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    print(f"{len(code_of_pages(target))} files of code in {target}")
