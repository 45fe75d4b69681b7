"""The record of readings: who read which proof against which code, and whether either has changed since.

    python -m dpviz_research.readings                          what has changed since its last reading
    python -m dpviz_research.readings --changed                say so: those methods count as unvetted
    python -m dpviz_research.readings PAGE --reader "second reader"    a reader has read PAGE and its code, today

A page of docs/proofs rests on code: files that it names, modules that mention it, and those of CODE. Every function,
class and constant of these has a digest of its syntax tree without docstrings, annotations and positions. So comments,
layout, types and the module may change, and nothing else. A name that is new to a page counts as changed, unless
another page has it as read. A page whose text or code has changed must be read again or be marked as changed; the
catalogue then says *unvetted*, on the command line, on the page Evidence and in every label. A test compares the record
with the code.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpviz.errors import InputError
from dpviz.mechanisms.proof_pages import READ, RECORD, load_readings
from dpviz_research import PROJECT

PROOFS = PROJECT / "docs" / "proofs"
CHANGED = "changed since its last reading"
UNREAD = "not read yet"
RECORD_HEADING = "## Fresh reader's record"
REST = "outside functions"
# Rooms that mention pages of proofs and hold no step of one.
BESIDE_PROOFS = {
    "audit",
    "ui",
    "cli",
    "hosting",
    "releases",
    "ledger",
    "publishing",
    "series",
    "life",
    "questions",
    "labels",
    "drawing",
}

_TREE = "dpviz/mechanisms/adaptive_tree"
_PEELING = "dpviz/mechanisms/peeled_balls"
_BASELINES = "dpviz/mechanisms/baselines/_kernels.py"
_SHARES = "dpviz/mechanisms/shares.py"
_LATTICE = "dpviz/mechanisms/exact_view.py:STEPS,LatticeBox,LatticeRecords"
CODE: dict[str, tuple[str, ...]] = {  # what a page rests on and what does not name the page itself
    "adaptive_tree": (
        *(f"{_TREE}/{name}.py" for name in ("budget", "growth", "residual", "bisection", "surface", "_kernels")),
        "dpviz/domain/public_map.py",
        "dpviz/clustering/noisy_counts.py",
        "dpviz/domain/points.py:Floats,Integers,_LANES,Question,Rows,StreamedPoints,_scrambled",
        "dpviz/domain/points.py:CellsAsked,HowMany,FingerprintAsked",
        "dpviz/domain/counts.py:ExactCounts",
        "dpviz/domain/_kernels.py:halve",
    ),
    "mean_split": (
        f"{_TREE}/budget.py",
        "dpviz/domain/points.py:StreamedPoints",
        "dpviz/privacy/composition.py:rho_within,scale_of_gaussian",
    ),
    "spherical": ("dpviz/noise/decisions.py",),
    "by_size": ("dpviz/mechanisms/forecast.py", "dpviz/domain/cell_tree.py:CellTree"),
    "uniform_grid": (_SHARES,),
    "genetic": (f"{_BASELINES}:lattice_costs,_nearest,CEILING,LONGEST", _SHARES),
    "sample_aggregate": (f"{_BASELINES}:block_centers", _SHARES),
    "centred_lines": (f"{_BASELINES}:line_counts,nearest_squared,_nearest", _LATTICE, _SHARES),
    "grid_cover": (
        f"{_BASELINES}:add_cover,remove_covered,_vertices,_slot,FREE,nearest_index,part_sums,_nearest",
        _LATTICE,
        _SHARES,
    ),
    "balcan": (f"{_BASELINES}:swap_costs,nearest_index,part_sums,_nearest", _LATTICE, _SHARES),
    "hybrid": ("dpviz/mechanisms/baselines/noisy_lloyd.py", "dpviz/mechanisms/uniform_grid.py", _SHARES),
    "peeled_balls": (
        _SHARES,
        *(
            f"{_PEELING}/{name}.py"
            for name in ("schedule", "engine", "_block_kernels", "_removal_kernels", "_window_kernels")
        ),
    ),
    "peeled_balls_paper": (f"{_PEELING}/_block_kernels.py:square_balls,sum_of_largest,summed_area",),
    "subsampled": ("dpviz/privacy/sampling.py", f"{_SHARES}:needs_delta"),
    "regional": ("dpviz/privacy/regions.py", "dpviz/privacy/guarantee.py", f"{_SHARES}:needs_delta"),
    "noise": (
        *(f"dpviz/noise/{name}.py" for name in ("adding", "secure", "decisions", "checks")),
        "dpviz/privacy/composition.py",
        "dpviz/mechanisms/exact_view.py",
    ),
    "series": (f"{_TREE}/partition.py",),
    "own_levels": (
        "dpviz/domain/counts.py:LevelCounts",
        "dpviz/ingest/batches.py:settled",
        "dpviz/ingest/parts.py:values_of,_whole,_decoded",
        "dpviz/ledger/rows.py:Amount",
    ),
    "parts": ("dpviz/ingest/readers.py:OnePartEach", "dpviz/ingest/batches.py:settled"),
    "person_cap": (
        "dpviz/ingest/units/person_keys.py",
        "dpviz/ingest/units/person_cap.py",
        "dpviz/ingest/_kernels.py:choose_rows,hash_slices,sip_hash",
    ),
}


def pages() -> list[str]:
    """Every proof page by name."""
    return sorted(path.stem for path in PROOFS.glob("*.md"))


def code_of(page: str) -> dict[str, str]:
    """Digest what a page rests on: name of a function, class or constant -> its digests, one for each that differs."""
    named = f"docs/proofs/{page}.md"
    found = [digest_module(PROJECT / inside) for inside in named_by(page)]
    for path in sorted((PROJECT / "dpviz").rglob("*.py")):
        room = path.relative_to(PROJECT).parts[1]
        if room not in BESIDE_PROOFS and named in path.read_text(encoding="utf-8"):
            found.append(digest_module(path))
    for entry in CODE.get(page, ()):
        inside, _, only = entry.partition(":")
        whole = digest_module(PROJECT / inside)
        found.append({name: whole[name] for name in only.split(",")} if only else whole)
    names = sorted({name for module in found for name in module})
    return {name: " ".join(sorted({module[name] for module in found if name in module})) for name in names}


def named_by(page: str) -> list[str]:
    """List the files of the package that a page names outside the record of its readings."""
    return sorted(set(re.findall(r"dpviz/[\w/]+\.py", _proof_of(page))))


def _proof_of(page: str) -> str:
    return (PROOFS / f"{page}.md").read_text(encoding="utf-8").split(RECORD_HEADING)[0]


def digest_module(path: Path) -> dict[str, str]:
    """Digest every function, class and constant of a module; statements without a name are one entry."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    rest: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node):
            continue
        dumped = ast.dump(_Bare().visit(node), include_attributes=False)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = _digest(dumped)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            found[ast.unparse(target)] = _digest(dumped)
        else:
            rest.append(dumped)
    return found | ({REST: _digest("\n".join(rest))} if rest else {})


class _Bare(ast.NodeTransformer):
    """Remove docstrings and annotations. In a class the annotated names stay: they are the fields of a dataclass."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    return (body[1:] or [ast.Pass()]) if _is_docstring(body[0]) else body


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def text_of(page: str) -> str:
    """Digest a page's words, without names of files and without the record of its readings."""
    return _digest(" ".join(re.sub(r"[\w/]+\.py\b", "", _proof_of(page)).split()))


def changes(page: str, record: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """List what differs from what was read: functions, classes, constants, the page itself. `others`: all pages."""
    if not record.get("date"):
        return [UNREAD]
    found = [] if record["proof"] == text_of(page) else [f"docs/proofs/{page}.md"]
    now, then = code_of(page), record["code"]
    elsewhere = {pair for entry in others.values() if entry.get("state") == READ for pair in entry["code"].items()}
    found += [name for name in then if now.get(name) != then[name]]
    return found + [name for name in now if name not in then and (name, now[name]) not in elsewhere]


def state_of(page: str, record: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]]) -> str:
    """The honest state of a page."""
    found = changes(page, record, others)
    return READ if not found else UNREAD if found == [UNREAD] else CHANGED


def read_today(page: str, reader: str) -> dict[str, Any]:
    """A reading of today."""
    if page not in pages():
        raise InputError(f"there is no proof page {page!r}; use one of {', '.join(pages())}.")
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    return {"state": READ, "reader": reader, "date": date, "proof": text_of(page), "code": code_of(page)}


def write_record(record: Mapping[str, Any]) -> None:
    """Keep the record."""
    text = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False)
    (PROJECT / "dpviz" / "mechanisms" / RECORD).write_text(text + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m dpviz_research.readings", description="Readings of proofs.")
    parser.add_argument("pages", nargs="*", help="pages of docs/proofs that were read, without .md")
    parser.add_argument("--reader", help="who read them: a role, such as 'second reader'")
    parser.add_argument("--changed", action="store_true", help="mark what has changed since its last reading")
    given = parser.parse_args(arguments)
    record = {page: dict(load_readings().get(page, {})) for page in pages()}
    if given.pages and not given.reader:
        parser.error("say who read them: --reader 'second reader'")
    for page in given.pages:
        record[page] = read_today(page, given.reader)
    for page, entry in record.items():
        found = changes(page, entry, record)
        if found:
            print(f"{page}: {'; '.join(found)}")
        if given.changed or given.pages:
            entry["state"] = state_of(page, entry, record)
    if given.changed or given.pages:
        write_record(record)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
