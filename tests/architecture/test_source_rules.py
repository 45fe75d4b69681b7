"""Rules on the source that no linter knows. Each comes with a planted violation that must be caught."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOMS_WITH_CHANCE = {"noise", "clustering"}
SCREEN = {"streamlit", "pydeck"}
MAPS_OF_OTHERS = {"st.pydeck_chart", "st.map", "pdk.Deck", "pydeck.Deck"}
INSIDE_STREAMLIT = {
    "streamlit.commands",
    "streamlit.components.lib",
    "streamlit.delta_generator_singletons",
    "streamlit.elements",
    "streamlit.proto",
    "streamlit.runtime",
    "streamlit.web",
}
SENDERS = {"aiohttp", "ftplib", "http.client", "httpx", "requests", "smtplib", "socket", "urllib.request", "urllib3"}
LISTENER = Path("dpviz/ui/serving/prompt_answers.py")
# It sets an option of the socket that listens; names nothing that sends
LATE_METHODS = Path("dpviz/releases/late_methods.py")
LATE_PLACES = re.compile(
    r"dpviz\.(questions\.\w+|life\.folder_files|drawing\.(notebook|other_maps)|releases\.store):\w+"
)
# Shared parts of the screens that know Streamlit.
SHARED_DRAWING = {
    Path("dpviz/ui") / name
    for name in (
        "page_parts/elements.py",
        "page_parts/tables.py",
        "session/session.py",
        "serving/server.py",
        "serving/frame.py",
    )
}
SENDING = {"connect", "connect_ex", "create_connection", "send", "sendall", "sendfile", "sendmsg", "sendto"}
SCRIPTS = ("app.py", "analyst_app.py", "city_app.py", "pages")
OTHER_WAYS = {"import_module", "__import__", "exec", "eval", "run_module", "run_path", "spec_from_file_location"}
FACTS_NAMES = {"facts", "row", "note", "entry", "document"}
TABLE_WRITERS = {Path("dpviz/releases/spreadsheets.py"), Path("dpviz/ui/page_parts/tables.py")}
FOLDERS = ("dpviz", "research", "pages", "data", "static", "docs", "tests", ".ci", ".streamlit")
TEXT = {".py", ".md", ".toml", ".txt", ".json", ".css", ".js", ".html", ".cfg", ".ini", ".yml", ".yaml", ""}

CHARGING = {
    "reserve": {"dpviz/publishing/approvals.py"},
    "charge_once": {f"dpviz/publishing/{name}.py" for name in ("approvals", "door", "joint_door")},
    "add_dataset": {"dpviz/publishing/datasets.py"},
    "insert_charge": {"dpviz/ledger/ledger.py", "dpviz/ledger/rows.py"},
    "insert_claim": {"dpviz/ledger/ledger.py", "dpviz/ledger/rows.py"},
}
SIGN_INS = {"dpviz/ledger/persons.py", "dpviz/hosting/config.py", "dpviz/ui/person/page_person.py"}
DECIDING: dict[str, set[str]] = {
    "always_second_person": {"dpviz/hosting/config.py", "dpviz/hosting/hosted_city.py"},  # states the policy
    "may": {"dpviz/ui/person/page_person.py"},  # the list of pages
    "ask_for_approval": set(),  # approvals.ask_approval asks first whether it may be asked for
    "refuse_unapproved": set(),
    "known_alike": set(),
}

PAGES = {"page", "copy", "stage", "anna", "piet", "ada"}
LOOKS = {
    *("all_inner_texts", "all_text_contents", "bounding_box", "content", "evaluate", "evaluate_all", "get_attribute"),
    *("inner_html", "inner_text", "input_value", "is_checked", "is_disabled", "is_enabled", "is_hidden", "is_visible"),
    "text_content",
}

# Written in pieces, so that this file keeps the rules it states.
UNFINISHED = re.compile(
    r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX|NotImplemented" + r"Error|pytest\.sk" + r"ip|xf" + r"ail)\b"
)
ROOTS_HOME = re.compile(r"(?<![\w.])/ro" + r"ot/\w")
REGISTRY = re.compile(r"py" + r"pi\.(?:org|io)|python" + r"hosted|registry\.n" + r"pmjs|--(?:extra-)?index" + r"-url")


def files(root: Path, *tops: str, suffixes: set[str]) -> Iterator[Path]:
    """Our own files below some of our top folders, or all of them with the files beside them, in a fixed order."""
    for top in tops or (*FOLDERS, *sorted(path.name for path in root.glob("*") if path.is_file())):
        place = root / top
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.is_file() and path.suffix in suffixes and "__pycache__" not in path.parts:
                yield path


def trees(root: Path, *tops: str) -> Iterator[tuple[Path, ast.Module]]:
    """Parsed Python files, named by their path inside the project."""
    for path in files(root, *tops, suffixes={".py"}):
        yield path.relative_to(root), parsed(path)


@cache
def parsed(path: Path) -> ast.Module:
    """A file's syntax tree; every rule looks at the same one."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Every node of a file's tree, listed once."""
    return tuple(ast.walk(tree))


@cache
def text_of(name: ast.Attribute) -> str:
    """A name with its dots, as it stands in the file; what is no name before the dots is left out."""
    before = name.value
    if isinstance(before, ast.Attribute):
        return f"{text_of(before)}.{name.attr}"
    return f"{before.id if isinstance(before, ast.Name) else ''}.{name.attr}"


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every absolute name a file imports: `from a import b` gives both a and a.b."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def within(name: str, modules: set[str]) -> bool:
    """Whether an imported name is one of the modules or lies below one."""
    return any(name == module or name.startswith(module + ".") for module in modules)


def chance_outside_its_rooms(root: Path) -> Iterator[str]:
    """Random numbers are drawn in two rooms only."""
    for path, tree in trees(root, "dpviz"):
        if len(path.parts) > 2 and path.parts[1] in ROOMS_WITH_CHANCE:
            continue
        for line, name in imports(tree):
            if within(name, {"random", "numpy.random"}):
                yield f"{path}:{line} imports {name}"
        for node in nodes(tree):
            if isinstance(node, ast.Attribute) and re.search(
                r"default_rng$|RandomState$|^(np|numpy)\.random$", text_of(node)
            ):
                yield f"{path}:{node.lineno} uses {text_of(node)}"


def parallel_kernels(root: Path) -> Iterator[str]:
    """numba's parallel mode kills a process whose threads call it."""
    for path, tree in trees(root, "dpviz"):
        for node in nodes(tree):
            if isinstance(node, ast.keyword) and node.arg == "parallel":
                yield f"{path}:{node.value.lineno} says parallel="


def kernels_that_hold_the_lock(root: Path) -> Iterator[str]:
    """Kernels live in files named _…kernels.py, are cached and let other threads run."""
    for path, tree in trees(root, "dpviz"):
        named_so = path.name.startswith("_") and path.name.endswith("kernels.py")
        for line, name in imports(tree):
            if within(name, {"numba"}) and not named_so:
                yield f"{path}:{line} imports numba outside a _…kernels.py"
        for node in nodes(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            for decorator in node.decorator_list:
                text = ast.unparse(decorator)
                if not re.match(r"(numba\.)?(njit|jit|vectorize|guvectorize)\b", text):
                    continue
                if "nogil=True" not in text or "cache=True" not in text:
                    yield f"{path}:{node.lineno} {node.name} is not nogil=True, cache=True"


def screen_below_the_screen(root: Path) -> Iterator[str]:
    """Streamlit and pydeck are known to dpviz/ui, app.py and the pages."""
    for path, tree in trees(root, "dpviz"):
        if len(path.parts) > 2 and path.parts[1] == "ui":
            continue
        for line, name in imports(tree):
            if within(name, SCREEN):
                yield f"{path}:{line} imports {name}"


def drawing_outside_pages(root: Path) -> Iterator[str]:
    """Of dpviz/ui only modules named page…, dialog… or stage… know Streamlit, and a few shared ones."""
    for path, tree in trees(root, "dpviz/ui"):
        if path.name.startswith(("page", "dialog", "stage")) or path in SHARED_DRAWING:
            continue
        for line, name in imports(tree):
            if within(name, {"streamlit"}):
                yield f"{path}:{line} imports {name}"


def private_names_of_streamlit(root: Path) -> Iterator[str]:
    """What Streamlit has not promised may be gone tomorrow: its inner modules, and names with an underscore."""
    for path, tree in trees(root, "dpviz", "app.py", "analyst_app.py", "pages"):
        for line, name in imports(tree):
            if within(name, INSIDE_STREAMLIT):
                yield f"{path}:{line} imports {name}"
        for node in nodes(tree):
            if isinstance(node, ast.Attribute):
                text = text_of(node)
                public = text.replace("st.", "streamlit.", 1) if text.startswith("st.") else text
                if re.match(r"streamlit(\.\w+)*\._(?!_)", public) or within(public, INSIDE_STREAMLIT):
                    yield f"{path}:{node.lineno} uses {text}"


def maps_drawn_by_others(root: Path) -> Iterator[str]:
    """Every map is drawn by the stage, so that the browser loads one deck.gl and keeps one way of picking."""
    for path, tree in trees(root, "dpviz", "app.py", "analyst_app.py", "pages"):
        for node in nodes(tree):
            if isinstance(node, ast.Attribute) and text_of(node) in MAPS_OF_OTHERS:
                yield f"{path}:{node.lineno} uses {text_of(node)}"


def rooms_through_the_front_door(root: Path) -> Iterator[str]:
    """A room names the room it needs: `import dpviz` would bring all of them, the ones above it too.

    Screens and commands stand above all rooms.
    """
    for path, tree in trees(root, "dpviz"):
        if (path.name in {"__init__.py", "__main__.py"} and len(path.parts) == 2) or path.parts[1] in {"ui", "cli"}:
            continue
        rooms = {entry.stem for entry in (root / "dpviz").iterdir()}
        for node in nodes(tree):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.Import) and "dpviz" in names:
                yield f"{path}:{node.lineno} imports all of dpviz"
            if isinstance(node, ast.ImportFrom) and node.module == "dpviz" and not rooms.issuperset(names):
                yield f"{path}:{node.lineno} imports {', '.join(names)} from the front door"


def pages_past_the_door(root: Path) -> Iterator[str]:
    """Pages reach mechanisms and chance only through releases."""
    for path, tree in trees(root, "app.py", "analyst_app.py", "pages"):
        for line, name in imports(tree):
            if within(name, {"dpviz.mechanisms", "dpviz.noise"}):
                yield f"{path}:{line} imports {name}"


def called_name(call: ast.Call) -> str:
    """The name that a call names without dots, or nothing."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def imports_by_other_ways(root: Path) -> Iterator[str]:
    """A module of ours is imported by a statement: what import contracts do not see, they cannot refuse.

    `import_module` loads libraries of others, by a name that stands in the call; packages load their own parts by it,
    and a release the functions that it offers as methods: questions, files and pictures, and nothing that charges.
    """
    for path, tree in trees(root, "dpviz", *SCRIPTS):
        for node in nodes(tree):
            if isinstance(node, ast.Call) and (called := ast.unparse(node.func)).split(".")[-1] in OTHER_WAYS:
                name = ast.unparse(node.args[0]) if node.args else ""
                own = path.name == "__init__.py" and name in ("home", "f'{__name__}.{_HOME_OF[name]}'")
                own = own or (path == LATE_METHODS and name == "module")
                library = re.match(r"f?'(?!dpviz\b)[a-zA-Z]\w*[.']", name)
                if not (called.endswith("import_module") and (own or library)):
                    yield f"{path}:{node.lineno} imports {name} by {called}"
            if isinstance(node, ast.Call) and path == LATE_METHODS and called_name(node) == "Late":
                place = ast.literal_eval(node.args[0])
                if not LATE_PLACES.fullmatch(place):
                    yield f"{path}:{node.lineno} offers {place} as a method of a release"
            if isinstance(node, ast.Attribute) and text_of(node) == "sys.modules" and "ui" in path.parts:
                yield f"{path}:{node.lineno} looks a module up in sys.modules"


def senders(root: Path) -> Iterator[str]:
    """Nothing of ours opens a connection; only fsspec and polars may, for an address the user typed."""
    for path, tree in trees(root, "dpviz", "app.py", "analyst_app.py", "pages"):
        for line, name in imports(tree):
            if within(name, SENDERS) and not (path == LISTENER and name == "socket"):
                yield f"{path}:{line} imports {name}"
        if path == LISTENER:
            for node in nodes(tree):
                if isinstance(node, ast.Attribute) and node.attr in SENDING:
                    yield f"{path}:{node.lineno} sends"


def unfinished_places(root: Path) -> Iterator[str]:
    """No marks for later, no stubs, no tests that are not run."""
    for path in files(root, suffixes={".py"}):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if UNFINISHED.search(line):
                yield f"{path.relative_to(root)}:{number} {line.strip()}"


def places_of_one_machine(root: Path) -> Iterator[str]:
    """No place where this copy lies, no root's home, no address of a package registry."""
    here = str(root.resolve())
    for path in files(root, suffixes=TEXT):
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if here in line or ROOTS_HOME.search(line) or REGISTRY.search(line):
                yield f"{path.relative_to(root)}:{number} {line.strip()[:100]}"


def types_used_while_running(root: Path) -> Iterator[str]:
    """What is imported for the type checker alone is not there when the code runs; neither ruff nor mypy sees that."""
    for path, tree in trees(root, "dpviz"):
        every = nodes(tree)
        guarded = [
            node for node in every if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        ]
        inside = {id(part) for node in guarded for part in ast.walk(node)}
        imported: dict[bool, set[str]] = {True: set(), False: set()}
        for node in every:
            if isinstance(node, ast.Import | ast.ImportFrom):
                imported[id(node) in inside] |= {alias.asname or alias.name for alias in node.names}
        told = [getattr(node, name, None) for node in every for name in ("annotation", "returns")]
        types = inside | {id(part) for found in told if isinstance(found, ast.AST) for part in ast.walk(found)}
        for node in every:
            if isinstance(node, ast.Name) and id(node) not in types and node.id in imported[True] - imported[False]:
                yield f"{path}:{node.lineno} uses {node.id}"


def facts_unpacked_into_calls(root: Path) -> Iterator[str]:
    """What the ledger or a JSON file holds becomes a value through its own `from_facts`, never by `Name(**facts)`.

    A class takes `**` only of a dict whose keys are written in the same function, or of that function's own keywords.
    """
    for path, tree in trees(root, "dpviz", *SCRIPTS):
        within_function = {
            id(part): node for node in nodes(tree) if isinstance(node, ast.FunctionDef) for part in ast.walk(node)
        }  # inner functions come after the outer ones
        for node in nodes(tree):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).split(".")[-1]
                makes = called[:1].isupper() or called == "cls"
                for given in (keyword.value for keyword in node.keywords if keyword.arg is None):
                    if not keys_are_written(given, within_function.get(id(node)), makes):
                        yield f"{path}:{node.lineno} {called}(**{ast.unparse(given)})"


def keys_are_written(value: ast.expr, function: ast.FunctionDef | None, makes: bool) -> bool:
    """Whether a call with `**value` shows which keywords it gives; looser where no value is `made` by it."""
    if isinstance(value, ast.Dict):
        return None not in value.keys
    if isinstance(value, ast.DictComp):
        reads = any(isinstance(part, ast.Subscript) for part in ast.walk(value.value))
        return not makes or not reads or (function is not None and function.name == "from_facts")
    if isinstance(value, ast.Name):
        bound = [
            node.value
            for node in (ast.walk(function) if function is not None else ())
            if (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == value.id)
            or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == value.id)
        ]
        own = function is not None and function.args.kwarg is not None and function.args.kwarg.arg == value.id
        if own or (not makes and value.id not in FACTS_NAMES):
            return True
        return bool(bound) and all(found is not None and keys_are_written(found, function, makes) for found in bound)
    text = ast.unparse(value)
    return not makes and not re.search(r"\b(loads?|request_facts|facts)\b", text)


def tables_written_past_the_one_writer(root: Path) -> Iterator[str]:
    """CSV and sortable tables are written in one place each, which makes text harmless to spreadsheets."""
    for path, tree in trees(root, "dpviz", *SCRIPTS):
        if path in TABLE_WRITERS:
            continue
        for node in nodes(tree):
            if isinstance(node, ast.Attribute) and (
                text_of(node) in {"csv.writer", "csv.DictWriter", "st.dataframe", "st.data_editor"}
                or node.attr in {"to_csv", "to_excel", "write_csv", "write_excel"}
            ):
                yield f"{path}:{node.lineno} uses {text_of(node)}"


def charges_past_the_permit(root: Path) -> Iterator[str]:
    """The ledger writes a charge for `approvals` (under a permit) and for the registration of a dataset alone."""
    for path, tree in trees(root, "dpviz"):
        for node in nodes(tree):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if name in CHARGING and path.as_posix() not in CHARGING[name]:
                yield f"{path}:{node.lineno} uses {name}"


def persons_signed_in_elsewhere(root: Path) -> Iterator[str]:
    """Who is signed in is said by the sign-in and by the page's headers, which the check in front sets; nobody else."""
    for path, tree in trees(root, "dpviz", "pages", "app.py", "city_app.py", "analyst_app.py"):
        for node in nodes(tree):
            made = node.func if isinstance(node, ast.Call) else None
            name = made.attr if isinstance(made, ast.Attribute) else made.id if isinstance(made, ast.Name) else ""
            if name == "Person" and path.as_posix() not in SIGN_INS:
                yield f"{path}:{node.lineno} makes a Person"


def rules_decided_on_a_screen(root: Path) -> Iterator[str]:
    """Screens and commands show what `approvals` and `persons` say: no role, second person or refusal of their own."""
    for path, tree in trees(root, "dpviz/ui", "dpviz/hosting", "dpviz/cli", "pages"):
        for node in nodes(tree):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if name in DECIDING and path.as_posix() not in DECIDING[name]:
                yield f"{path}:{node.lineno} uses {name}"
            if isinstance(node, ast.Raise) and node.exc is not None and "NotYourRole" in ast.unparse(node.exc):
                yield f"{path}:{node.lineno} refuses somebody itself"


Rule = Callable[[Path], Iterator[str]]


def looks_once(root: Path) -> Iterator[str]:
    """An assert in a browser test reads the page at one moment; `expect` and `holds` wait for what they claim."""
    for path, tree in trees(root, "tests/browser"):
        reading = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and returns_a_look(node)}
        for claim in (node for node in nodes(tree) if isinstance(node, ast.Assert)):
            if any(looks(node) or named_call(node, reading) for node in nodes(claim.test)):
                yield f"{path}:{claim.lineno} asserts what the page shows at one moment"


def returns_a_look(function: ast.FunctionDef) -> bool:
    """Whether a function gives back what the page shows at one moment; tests themselves give back nothing."""
    answers = (node for node in ast.walk(function) if isinstance(node, ast.Return))
    return any(looks(node) for answer in answers for node in ast.walk(answer))


def looks(node: ast.AST) -> bool:
    """Whether an expression asks the browser what it shows now."""
    if isinstance(node, ast.Attribute):
        return node.attr == "url" and isinstance(node.value, ast.Name) and node.value.id in PAGES
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(called, ast.Attribute):
        return False
    return called.attr in LOOKS or (called.attr == "count" and not node.args)


def named_call(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression calls one of these functions."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


PLANTED: list[tuple[Rule, str, str]] = [
    (chance_outside_its_rooms, "dpviz/releases/a.py", "import numpy as np\nx = np.random.default_rng(0)\n"),
    (chance_outside_its_rooms, "dpviz/mechanisms/a.py", "from numpy.random import Generator\n"),
    (chance_outside_its_rooms, "dpviz/mechanisms/a.py", "from numpy import random\n"),
    (chance_outside_its_rooms, "dpviz/estimator.py", "import random\n"),
    (parallel_kernels, "dpviz/mechanisms/_kernels.py", "@njit(nogil=True, cache=True, parallel=True)\ndef f(): ...\n"),
    (kernels_that_hold_the_lock, "dpviz/mechanisms/_kernels.py", "@njit(cache=True)\ndef f(): ...\n"),
    (kernels_that_hold_the_lock, "dpviz/mechanisms/_kernels.py", "@numba.njit\ndef f(): ...\n"),
    (kernels_that_hold_the_lock, "dpviz/mechanisms/adaptive_tree.py", "from numba import njit\n"),
    (screen_below_the_screen, "dpviz/__init__.py", "import streamlit\n"),
    (screen_below_the_screen, "dpviz/audit/a.py", "def f():\n    from pydeck import Deck\n"),
    (drawing_outside_pages, "dpviz/ui/demo/story.py", "import streamlit as st\n"),
    (drawing_outside_pages, "dpviz/ui/session/state.py", "import streamlit as st\n"),
    (drawing_outside_pages, "dpviz/ui/a.py", "import streamlit as st\n"),
    (drawing_outside_pages, "dpviz/ui/choose/scene.py", "def f():\n    from streamlit import session_state\n"),
    (private_names_of_streamlit, "dpviz/ui/a.py", "from streamlit.runtime.scriptrunner import ScriptRunner\n"),
    (private_names_of_streamlit, "dpviz/ui/a.py", "import streamlit as st\nst.runtime.exists()\n"),
    (private_names_of_streamlit, "app.py", "import streamlit as st\nst._bidi_component('x')\n"),
    (maps_drawn_by_others, "dpviz/ui/a.py", "import streamlit as st\nst.pydeck_chart(None)\n"),
    (maps_drawn_by_others, "pages/demo.py", "import pydeck as pdk\npdk.Deck()\n"),
    (rooms_through_the_front_door, "dpviz/privacy/a.py", "import dpviz\n"),
    (rooms_through_the_front_door, "dpviz/mechanisms/a.py", "from dpviz import release\n"),
    (pages_past_the_door, "pages/choose.py", "from dpviz.mechanisms import catalogue\n"),
    (pages_past_the_door, "app.py", "from dpviz import noise\n"),
    (imports_by_other_ways, "dpviz/ui/compare/a.py", "x = import_module('dpviz.publishing.door')\n"),
    (imports_by_other_ways, "dpviz/ui/compare/a.py", "x = importlib.import_module(name)\n"),
    (imports_by_other_ways, "dpviz/ui/compare/a.py", "x = import_module(f'{room}.publishing')\n"),
    (imports_by_other_ways, "dpviz/ui/compare/a.py", "x = import_module('.publishing', 'dpviz.releases')\n"),
    (imports_by_other_ways, "dpviz/ui/compare/a.py", "x = __import__('dpviz').publish\n"),
    (imports_by_other_ways, "pages/compare.py", "exec('import dpviz.publishing.door')\n"),
    (imports_by_other_ways, "analyst_app.py", "x = runpy.run_module('dpviz.publishing.door')\n"),
    (imports_by_other_ways, "dpviz/ui/compare/a.py", "x = sys.modules['dpviz.publishing.door']\n"),
    (imports_by_other_ways, "dpviz/releases/late_methods.py", "publish = Late('dpviz.publishing.door:publish')\n"),
    (senders, "dpviz/ingest/a.py", "from urllib.request import urlopen\n"),
    (senders, "pages/demo.py", "import requests\n"),
    (senders, "dpviz/ui/serving/server.py", "import socket\n"),
    (senders, "dpviz/ui/serving/prompt_answers.py", "import socket\nsocket.socket().connect(('example.org', 80))\n"),
    (senders, "dpviz/ui/serving/prompt_answers.py", "from socket import create_connection\n"),
    (
        types_used_while_running,
        "dpviz/a.py",
        "if TYPE_CHECKING:\n    from a import B\n\ndef f(a: B) -> bool:\n    return isinstance(a, B)\n",
    ),
    (facts_unpacked_into_calls, "dpviz/ui/a.py", "def f(row):\n    return Unit(**row.facts['unit'])\n"),
    (facts_unpacked_into_calls, "dpviz/ui/a.py", "def f(row):\n    return dpviz.Unit(**row.unit_facts)\n"),
    (facts_unpacked_into_calls, "dpviz/releases/a.py", "def f(text):\n    return Entry(**json.loads(text))\n"),
    (facts_unpacked_into_calls, "dpviz/releases/a.py", "def f(facts):\n    return Wish(box='', **facts)\n"),
    (facts_unpacked_into_calls, "dpviz/releases/a.py", "def f(note):\n    publish(**note.facts)\n"),
    (facts_unpacked_into_calls, "dpviz/cli/a.py", "def f(row):\n    kept = dict(row.facts)\n    return Unit(**kept)\n"),
    (facts_unpacked_into_calls, "pages/a.py", "UNIT = Unit(**{**KNOWN, 'cap': 1})\n"),
    (
        facts_unpacked_into_calls,
        "dpviz/ui/a.py",
        "def f(rows):\n    return [Opened(**{name: row[name] for name in NAMES}) for row in rows]\n",
    ),
    (tables_written_past_the_one_writer, "dpviz/releases/a.py", "import csv\ncsv.DictWriter(out, names)\n"),
    (tables_written_past_the_one_writer, "dpviz/cli/asking.py", "def f(table):\n    return table.to_csv()\n"),
    (tables_written_past_the_one_writer, "dpviz/ui/a.py", "import streamlit as st\nst.dataframe(table)\n"),
    (charges_past_the_permit, "dpviz/hosting/desk.py", "ledger.reserve(charge, asked, token)\n"),
    (charges_past_the_permit, "dpviz/series/series.py", "book.add_dataset(row, charge, asked)\n"),
    (charges_past_the_permit, "dpviz/cli/series.py", "insert_charge(connection, charge)\n"),
    (charges_past_the_permit, "dpviz/publishing/standin.py", "approvals.charge_once(permit, charge)\n"),
    (persons_signed_in_elsewhere, "dpviz/ui/publications/dialog_period.py", "who = Person(name=typed, roles=all)\n"),
    (persons_signed_in_elsewhere, "pages/publications.py", "who = persons.Person(name='anna')\n"),
    (rules_decided_on_a_screen, "dpviz/hosting/desk.py", "if house.always_second_person:\n    ask()\n"),
    (rules_decided_on_a_screen, "dpviz/ui/choose/dialog_publish.py", "if person.may(Role.PUBLISHER):\n    publish()\n"),
    (rules_decided_on_a_screen, "dpviz/cli/approval.py", "second_person.ask_for_approval(book)\n"),
    (rules_decided_on_a_screen, "dpviz/hosting/desk.py", "raise NotYourRole('no')\n"),
    (looks_once, "tests/browser/test_a.py", "def test_a(page):\n    assert page.get_by_text('a').count() == 1\n"),
    (looks_once, "tests/browser/test_a.py", "def test_a(page):\n    assert 'a=1' in page.url\n"),
    (
        looks_once,
        "tests/browser/test_a.py",
        "def f(p):\n    return p.evaluate('1')\n\ndef test_a(p):\n    assert f(p) == 1\n",
    ),
    (unfinished_places, "tests/a.py", "# TO" + "DO later\n"),
    (unfinished_places, "dpviz/a.py", "raise NotImplemented" + "Error\n"),
    (places_of_one_machine, "docs/a.md", "see {root}/data/trips.csv\n"),
    (places_of_one_machine, "a.py", "open('/ro" + "ot/data')\n"),
    (places_of_one_machine, "requirements.txt", "--index" + "-url https://example.invalid\n"),
]
RULES = list(dict.fromkeys(rule for rule, _, _ in PLANTED))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_project_has_no(rule: Rule, project_root: Path) -> None:
    assert list(rule(project_root)) == []


@pytest.mark.parametrize(("rule", "place", "text"), PLANTED, ids=lambda value: getattr(value, "__name__", None))
def test_planted_is_caught(rule: Rule, place: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("{root}", str(tmp_path)), encoding="utf-8")
    assert list(rule(tmp_path)), f"{rule.__name__} let this pass: {text}"


@pytest.mark.parametrize("room", sorted(ROOMS_WITH_CHANCE))
def test_chance_is_allowed_in_its_rooms(room: str, tmp_path: Path) -> None:
    path = tmp_path / "dpviz" / room / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text("from numpy.random import default_rng\n", encoding="utf-8")
    assert list(chance_outside_its_rooms(tmp_path)) == []


def test_the_starter_needs_nothing_but_an_old_python(project_root: Path) -> None:
    source = (project_root / "run.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    tops = {name.split(".")[0] for _, name in imports(tree)}
    assert tops <= sys.stdlib_module_names
    newer = {"match", "walrus"} & {type(node).__name__.lower() for node in nodes(tree)}
    assert not newer
    assert not any(isinstance(node, ast.NamedExpr) for node in nodes(tree))


def test_how_long_a_degree_is_stands_once(project_root: Path) -> None:
    """A second value would be another metric; the scripts of `data` stand alone."""
    number = re.compile(r"\b111[_.]?3" + r"20?\b")
    assert number.search("111" + "_320.0") and number.search("111." + "32")
    found = [path for path in (project_root / "dpviz").rglob("*.py") if number.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in found] == ["box.py"]


def test_kernels_are_excused_from_the_type_checker_in_one_way(project_root: Path) -> None:
    for path in (project_root / "dpviz").rglob("_*kernels.py"):
        assert path.read_text(encoding="utf-8").startswith("# mypy: ignore-errors\n"), path.name
