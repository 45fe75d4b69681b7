"""Makes docs/reference/*.md from docstrings, from the texts of the command line and from the schema of a release.

    python docs/build_reference.py

A test compares the pages with the code, so an undocumented name or a changed option is noticed.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

NOTICE = "<!-- Made by docs/build_reference.py from the code. Change the code, not this page. -->\n"

# The public names in the order in which a user meets them.
CHAPTERS: dict[str, tuple[str, ...]] = {
    "Exact data, for the curator": (
        "GeoBox", "PlainBox", "Grid", "read_counts", "read_points", "builtin", "ExactCounts", "ExactPoints",
    ),
    "Budgets and guarantees": (
        "Budget", "LEVELS", "Guarantee", "Charge", "Adjacency", "Unit", "Region", "read_regions",
    ),
    "Publishing": (
        "Ledger", "register", "open_dataset", "register_or_open", "demonstration_dataset", "Dataset",
        "ReleaseRequest", "About", "quote", "publish", "Release", "NoAnswer", "Circle", "Tiles",
    ),
    "The life of a release": (
        "verify_release", "publications", "Publication", "withdraw", "supersede", "correct",
    ),
    "Outside the door": ("release", "preview", "SimulatedCounts", "evaluate", "Evaluation"),
    "For scikit-learn": ("PrivateKMeans",),
    "Methods": ("methods",),
}  # fmt: skip


def pages() -> dict[str, str]:
    """Every page of the reference, by file name."""
    return {
        "python.md": python_page(),
        "command-line.md": command_page(),
        "methods.md": methods_page(),
        "release-folder.md": folder_page(),
    }


# --- Python ------------------------------------------------------------------------------------------------------


def python_page() -> str:
    """The public face of the package."""
    import dpviz

    chosen = [name for names in CHAPTERS.values() for name in names]
    others = tuple(sorted(set(dpviz.__all__) - set(chosen) - {"__version__"}))
    chapters = {**CHAPTERS, "More": others} if others else CHAPTERS
    parts = [NOTICE, "# Python\n", "`import dpviz` gives these names. All other modules may change between versions.\n"]
    for chapter, names in chapters.items():
        parts.append(f"## {chapter}\n")
        parts += [described(name, getattr(dpviz, name)) for name in names]
    return "\n".join(parts).rstrip() + "\n"


def described(name: str, found: Any) -> str:
    """One public name."""
    if name == "LEVELS":
        rows = [f"| {level.number} | {level.name} | {level.epsilon:g} |" for level in found]
        listed = "\n".join(rows)
        table = f"| level | name | ε |\n|---|---|---|\n{listed}\n"
        return f"### `{name}`\n\nThe stops of the slider. `LEVELS[3]` is level 4.\n\n{table}"
    if not inspect.isclass(found):
        return f"### `{name}`\n\n{code(signature(name, found))}\n{text_of(found)}\n"
    if issubclass(found, enum.Enum):
        listed = "\n".join(f"* `{member.name}`: `{member.value!r}`" for member in found)
        return f"### `{name}`\n\n{text_of(found)}\n\n{listed}\n{members(found)}"
    return f"### `{name}`\n\n{constructor(name, found)}{text_of(found)}\n{members(found)}"


def constructor(name: str, found: type) -> str:
    """How an object of a class is made, where users make it."""
    if name in ("Release", "NoAnswer", "Dataset", "Evaluation", "Guarantee", "Charge"):
        return ""  # these come out of other calls
    return f"{code(signature(name, found.__init__, leave_out_self=True))}\n"


def members(found: type) -> str:
    """Fields, properties and public methods with their first words."""
    lines = []
    for name, member in public_members(found):
        if isinstance(member, dataclasses.Field):
            kind = member.type if isinstance(member.type, str) else member.type.__name__
            lines.append(f"* `{name}`: `{kind}`")
        elif isinstance(member, property):
            lines.append(f"* `{name}`" + first_words(member.fget))
        else:
            plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            given = signature(name, plain, leave_out_self=not isinstance(member, staticmethod))
            lines.append(f"* `{given}`" + first_words(plain))
    return "\n" + "\n".join(lines) + "\n" if lines else ""


def public_members(found: type) -> Iterator[tuple[str, Any]]:
    """Own and inherited members of this project's classes, in the order of the source, fields first."""
    if dataclasses.is_dataclass(found):
        yield from ((field.name, field) for field in dataclasses.fields(found) if shown(field.name) and field.repr)
    seen: set[str] = set()
    for owner in found.__mro__:
        if not owner.__module__.startswith("dpviz"):
            continue
        for name in list(vars(owner)):
            getattr(owner, name, None)  # a late method replaces its entry when it is looked at
        for name, member in vars(owner).items():
            if not shown(name) or name in seen or name in getattr(found, "__dataclass_fields__", {}):
                continue
            if isinstance(member, property | classmethod | staticmethod) or inspect.isfunction(member):
                seen.add(name)
                yield name, member


def shown(name: str) -> bool:
    """Whether a member is for users."""
    return not name.startswith("_")


def first_words(function: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    words = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    return f": {words}" if words else ""


def text_of(found: Any) -> str:
    """A docstring as Markdown: sections of the numpydoc kind become bold lines, examples become code."""
    text = inspect.getdoc(found) or ""
    text = re.sub(r"^(\w[\w ]*)\n-{3,}$", r"**\1**\n", text, flags=re.MULTILINE)
    text = re.sub(r"^(>>>(?:.|\n)+?)(?=\n\n(?!>>>)|\Z)", r"```pycon\n\1\n```", text, flags=re.MULTILINE)
    return re.sub(r"^(\w+(?:, \w+)*) : (.*)$", r"* `\1`: \2", text, flags=re.MULTILINE)


def signature(name: str, function: Callable[..., Any], *, leave_out_self: bool = False) -> str:
    """A signature in the words of the source, the same on every Python."""
    parts, star = [], False
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters[1:] if leave_out_self else parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        star = star or parameter.kind is parameter.VAR_POSITIONAL
        word = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
        kind = parameter.annotation
        if kind is not parameter.empty:
            word += f": {kind if isinstance(kind, str) else getattr(kind, '__name__', kind)}"
        if parameter.default is not parameter.empty:
            word += f" = {default_of(parameter.default)}"
        parts.append(word)
    back = inspect.signature(function).return_annotation
    told = "" if back is inspect.Signature.empty or function.__name__ == "__init__" else f" -> {back}"
    return f"{name}({', '.join(parts)}){told}"


def default_of(value: Any) -> str:
    """A default as one would type it."""
    return f"{type(value).__name__}.{value.name}" if isinstance(value, enum.Enum) else repr(value)


def code(line: str) -> str:
    """A signature as a block; a long one with a parameter on each line."""
    if len(line) > 100 and "(" in line:
        head, rest = line.split("(", 1)
        inside, back = rest.rsplit(")", 1)
        pieces = re.split(r", (?![^\[(]*[\])])", inside)
        line = head + "(\n" + "".join(f"    {piece},\n" for piece in pieces) + ")" + back
    return f"```text\n{line}\n```\n"


# --- the command line --------------------------------------------------------------------------------------------


def command_page() -> str:
    """Commands and options, from the declarations that also make --help."""
    from dpviz import __main__ as module

    parts = [
        NOTICE,
        "# Command line\n",
        "`dpviz COMMAND …` after `pip install .`; `python3 run.py cli COMMAND …` in the project's folder; "
        "`python -m dpviz COMMAND …` where the package can be imported. `--help` says the same as this page.\n",
        "| exit code | meaning |\n|---|---|\n| 0 | done |\n"
        "| 1 | an audit found a broken promise; or an unforeseen error |\n"
        "| 2 | bad input or usage; nothing was charged |\n| 3 | refused by the ledger; nothing was charged |\n"
        "| 4 | no answer at this budget; charged and stored |\n"
        "| 5 | charged, and then something went wrong: the same command completes it and spends nothing more. "
        "A joint run is not completed: another one draws and charges anew |\n"
        "| 130, 143 | interrupted; nothing is left half-written |\n",
    ]
    for name, callback in commands_of(module.app):
        parts.append(f"## `dpviz {name}`\n\n{inspect.getdoc(callback)}\n")
        rows = [row for row in options_of(callback) if row]
        if rows:
            parts.append("| | default | |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts).rstrip() + "\n"


def commands_of(app: Any, before: str = "") -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command with its name, then those of groups such as `ledger verify`."""
    for command in app.registered_commands:
        if command.hidden:  # a name of before
            continue
        yield before + (command.name or command.callback.__name__.replace("_", "-")), command.callback
    for group in app.registered_groups:
        if group.typer_instance.registered_callback is not None:
            yield before + group.name, group.typer_instance.registered_callback.callback
        yield from commands_of(group.typer_instance, f"{before}{group.name} ")


def options_of(callback: Callable[..., Any]) -> Iterator[str]:
    """One table row for each argument and option of a command."""
    hints = get_type_hints(callback, include_extras=True)
    for parameter in inspect.signature(callback).parameters.values():
        hint = hints[parameter.name]
        if get_origin(hint) is not Annotated:
            continue  # typer's own context
        info = get_args(hint)[1]
        needed = parameter.default is parameter.empty
        if type(info).__name__ == "ArgumentInfo":
            several = "list" in str(get_args(hint)[0])
            spelled = parameter.name.upper() + ("…" if several else "")
        else:
            declared = [info.default] if isinstance(info.default, str) else []  # typer keeps the first one there
            names = [*declared, *(info.param_decls or ())] or ["--" + parameter.name.replace("_", "-")]
            spelled = ", ".join(names)
        default = "required" if needed else "" if parameter.default in (None, False, "") else f"`{parameter.default}`"
        help_text = " ".join((info.help or "").split()).replace("|", "\\|")
        yield f"| `{spelled}` | {default} | {help_text} |"


# --- methods -----------------------------------------------------------------------------------------------------


def methods_page() -> str:
    """The catalogue."""
    from dpviz.labels.catalogue_rows import methods

    parts = [
        NOTICE,
        "# Methods\n",
        "What `method=` and `--method` accept, besides `auto`, which chooses from public facts alone, and "
        "`subsampled:NAME`, which runs a method on a secret sample, and `ends:NAME`, which buys a map of each end of "
        "trips beside a method such as `adaptive_tree` and which `auto` is for trips that are to answer questions. "
        "`dpviz.methods()` gives the rows below as data.\n",
    ]
    for row in methods():
        dims = row["dims"]
        yes_no = {True: "yes", False: "no"}
        facts = {
            "guarantee": "pure (δ = 0)" if row["guarantee"] == "pure" else "approximate (needs δ > 0)",
            "proved for": ", ".join(row["adjacencies"]),
            "dimensions": str(dims[0]) if dims[0] == dims[1] else f"{dims[0]} to {dims[1]}",
            "gives a coreset": yes_no[row["gives_coreset"]],
            "persons with a cap": yes_no[row["person_cap"]],
            "proof read by a second reader": yes_no[row["vetted"]],
            "paper": row["paper"],
            "proof": f"[{row['proof']}](../{row['proof'].removeprefix('docs/')})",
        }
        table = "\n".join(f"| {key} | {value} |" for key, value in facts.items())
        parts.append(f"## `{row['name']}`: {row['title']}\n\n{row['summary']}\n\n| | |\n|---|---|\n{table}\n")
    return "\n".join(parts).rstrip() + "\n"


# --- the release folder ------------------------------------------------------------------------------------------


def folder_page() -> str:
    """The schema of release.json in words."""
    schema = json.loads((ROOT / "dpviz" / "releases" / "schema" / "release-2.json").read_text(encoding="utf-8"))
    parts = [
        NOTICE,
        "# The release folder\n",
        "`release.json` follows [this JSON schema](../../dpviz/releases/schema/release-2.json). "
        + schema["description"]
        + "\n",
        "| file | what it is |\n|---|---|\n"
        "| `release.json` | everything that is not a point |\n"
        "| `coreset.csv` | the weighted points, in full precision; read again by `Release.load` |\n"
        "| `coreset.parquet`, `coreset.geojson` | copies for other programs; "
        "the Parquet file of a map is a GeoParquet |\n"
        "| `cells.parquet` | the boxes that were counted, with counts that agree and their variances; "
        "few of them are a GeoParquet |\n"
        "| `cells.geojson` | the same for other programs, where there are few |\n"
        "| `measurements.parquet` | every noisy number as it was drawn: its box, its variance, what paid for it |\n"
        "| `start_cells.parquet`, `start_measurements.parquet`, `end_cells.parquet`, `end_measurements.parquet` | "
        "of trips made with `ends:<method>`: the same of the map of each end for itself |\n"
        "| `centers.csv`, `centers.geojson` | the centers, heaviest first |\n"
        "| `datapackage.json` | the files as a Frictionless data package: sizes, SHA-256, columns |\n"
        "| `centers-by-time.csv` | of a release by time: the centers of every part; other points lie on its sheet |\n"
        "| `map.html` | a map that asks no other server |\n"
        "| `PRIVACY.md` | the label in plain words |\n"
        "| `PROOF.md` | the proof of protection of its method, as it stood then; for experts |\n",
        "Releases without a coreset lack its three files, those of methods that count no boxes lack the cells, "
        "and a folder that holds *no answer* has no points at all.\n",
        "## Fields of `release.json`\n",
        "| field | kind | |\n|---|---|---|\n" + "\n".join(fields_of(schema, "")) + "\n",
    ]
    return "\n".join(parts).rstrip() + "\n"


def fields_of(schema: dict[str, Any], above: str) -> Iterator[str]:
    """One row for each field, nested ones behind a dot."""
    for name, value in schema.get("properties", {}).items():
        kind = value.get("type", "")
        kinds = " or ".join(kind) if isinstance(kind, list) else kind
        if "enum" in value:
            kinds = " or ".join(f"`{one}`" for one in value["enum"])
        if "const" in value:
            kinds = f"`{json.dumps(value['const'])}`"
        yield f"| `{above}{name}` | {kinds} | {value.get('description', '')} |"
        yield from fields_of(value, f"{above}{name}.")


# --- the table of levels on the promise page ---------------------------------------------------------------------

ODDS = re.compile(r"(?<=^\| level \| ε \| right at most \|\n\|---\|---\|---\|\n)(?:\| .*\n)+", re.MULTILINE)


def with_levels(promise: str) -> str:
    """The promise page with the levels and odds that the code has."""
    from dpviz.privacy import LEVELS, out_of_100

    rows = [
        f"| {level.number} {level.name} | {level.epsilon:g} | {out_of_100(level.epsilon)} of 100 |\n"
        for level in LEVELS
    ]
    return ODDS.sub("".join(rows), promise)


def main() -> None:
    """Write the pages."""
    promise = ROOT / "docs" / "PROMISE.md"
    promise.write_text(with_levels(promise.read_text(encoding="utf-8")), encoding="utf-8")
    folder = ROOT / "docs" / "reference"
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
