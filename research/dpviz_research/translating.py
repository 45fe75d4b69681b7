"""List the sentences that a translation lacks, or write its catalogue anew.

    python3 run.py research translating de            print what is missing; exit code 1 if anything is
    python3 run.py research translating de --write    write dpviz/language/de.po: new sentences empty, dead ones gone

Sentences are extracted: every `_("…")`, the capital names of every module that ends in `speaking.answers(__name__)`,
all words that a module gives to `marked`, and the names of levels and methods.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import dpviz.language as catalogues
from dpviz.labels.catalogue_rows import methods
from dpviz.language import HEADER, Message, catalogue
from dpviz.language.speaking import Plural, Words
from dpviz.privacy import LEVELS

NAMES = re.compile(r"\{+(\w*)[^}]*\}+")
HEAD = """Language: {language}
Content-Type: text/plain; charset=UTF-8
Plural-Forms: nplurals=2; plural=(n != 1);
X-Name: {language}
X-Thousands: ,
X-Decimal: .
"""  # of a new catalogue
_SAYS = re.compile(r"^speaking\.answers\(__name__\)|^[^#\n]*(?<!def )\bmarked\(", re.MULTILINE)
_ROOT = Path(catalogues.__file__).parents[1]
_KEYS = ("name",)  # fields that scripts know and nobody reads


@cache
def modules() -> tuple[ModuleType, ...]:
    """Import every module of the product that holds or marks sentences."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(_ROOT.rglob("*.py"))}
    found = [path for path, source in sources.items() if path.name == "words.py" or _SAYS.search(source)]
    return tuple(import_module(".".join(path.relative_to(_ROOT.parent).with_suffix("").parts)) for path in found)


def messages() -> list[Message]:
    """Every message of the screens and labels that are translated, each once and in order."""
    found = [message for module in modules() for message in messages_of(module)]
    return list(dict.fromkeys([*names(), *found, *written_in_place(), *sorted(catalogues.MARKED)]))


@cache
def written_in_place(*folders: str) -> tuple[Message, ...]:
    """Sentences and tables of them that stand where they are shown, as `_("…")`, and those given to `told`."""
    found: list[Message] = []
    for path in sorted(path for folder in folders or (".",) for path in (_ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="_" | "told"), args=[ast.Constant(value=str(text)), *_]):
                    found.append(("", text, ""))
                case ast.Call(func=ast.Name(id="_" | "told"), args=[ast.Dict() | ast.Tuple() as table, *_]):
                    found += _messages(ast.literal_eval(table))
    return tuple(found)


def names() -> list[Message]:
    """What levels and methods are called: of a new one the English name is shown until somebody has a better one."""
    texts = [level.name for level in LEVELS]
    for row in methods():
        if not row["package"]:
            texts += [str(row["title"]), str(row["summary"])]
    return [("", text, "") for text in texts]


def messages_of(module: ModuleType) -> list[Message]:
    """The messages of one module of words, in their order."""
    if module.__name__.endswith(".words") or isinstance(module, Words):
        return [message for name, value in vars(module).items() if name.isupper() for message in _messages(value)]
    return []


def _messages(value: object) -> Iterator[Message]:
    if isinstance(value, str):
        if re.search(r"[A-Za-z]", NAMES.sub("", value)):
            yield "", value, ""
    elif isinstance(value, Plural):
        yield "", value.one, value.more
    elif isinstance(value, dict):
        for held in value.values():
            yield from _messages(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from _messages(held)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in _KEYS:
                yield from _messages(getattr(value, field.name))


def missing(language: str, *, with_names: bool = False) -> list[Message]:
    """Messages that a language lacks; names of levels and methods are none, unless asked for."""
    held, named = catalogue(language), set() if with_names else set(names())
    return [message for message in messages() if not all(held.get(message, ("",))) and message not in named]


def differing(language: str) -> list[Message]:
    """Messages with a translation that fills in other names; a form of a plural may leave out the number."""
    return [
        (context, one, more)
        for (context, one, more), own in _sentences(language)
        if not all(_blanks(one) <= _blanks(form) <= _blanks(one, more) for form in own)
    ]


def unneeded(language: str) -> list[Message]:
    """Messages that a language holds and no screen says any more."""
    said = set(messages())
    return [message for message, _ in _sentences(language) if message not in said]


def _blanks(*texts: str) -> set[str]:
    return set(NAMES.findall(" ".join(texts)))


def _sentences(language: str) -> list[tuple[Message, list[str]]]:
    return [(message, own) for message, own in catalogue(language).items() if message[1]]


def as_catalogue(language: str) -> str:
    """The file of a language: every message in its order, with the translations that there are."""
    held = catalogue(language)
    head = held.get(HEADER, [HEAD.format(language=language)])
    forms = int(head[0].partition("nplurals=")[2][0])
    return "\n".join(
        [_entry(HEADER, head), *(_entry(one, held.get(one, [""] * (forms if one[2] else 1))) for one in messages())]
    )


def _entry(message: Message, own: list[str]) -> str:
    context, text, plural = message
    parts = {"msgctxt": context} if context else {}
    parts |= {"msgid": text, **({"msgid_plural": plural} if plural else {})}
    parts |= {f"msgstr[{at}]": form for at, form in enumerate(own)} if plural else {"msgstr": own[0]}
    return "".join(f"{word} {_quoted(said)}\n" for word, said in parts.items())


def _quoted(text: str) -> str:
    lines = [json.dumps(line, ensure_ascii=False) for line in text.splitlines(keepends=True)]
    return "\n".join(['""', *lines] if len(lines) != 1 else lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", nargs="?", default="de")
    parser.add_argument("--write", action="store_true", help="write the catalogue, empty where something is missing")
    asked = parser.parse_args(arguments)
    if asked.write:
        place = Path(catalogues.__file__).with_name(f"{asked.language}.po")
        place.write_text(as_catalogue(asked.language), encoding="utf-8")
    found = missing(asked.language, with_names=True)
    sys.stdout.writelines(f"{json.dumps(message[1], ensure_ascii=False)}\n" for message in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
