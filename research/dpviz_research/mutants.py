"""Small mistakes planted one at a time into a room of the product: which of them does the suite notice?

    python3 run.py research mutants ledger noise --each 60 --out docs/evidence

A first run of the tests records which test passes through which line. For each mistake the tests that pass through
its line run on a copy of the project until one of them fails. Needs the package `coverage`.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TESTS = {
    "publishing": ("tests/unit/publishing", "tests/unit/series", "tests/unit/ledger", "tests/contract"),
    "ledger": ("tests/unit/ledger", "tests/unit/publishing", "tests/contract"),
    "hosting": ("tests/ui", "tests/contract", "tests/unit/publishing"),
    "labels": ("tests/unit/labels", "tests/unit/releases", "tests/unit/series", "tests/unit/joint", "tests/contract"),
    "questions": ("tests/unit/questions", "tests/unit/releases", "tests/property", "tests/contract"),
    "noise": ("tests/unit/noise", "tests/statistical", "tests/privacy", "tests/property"),
}
FIRST_TRY, SECONDS = 40, 600
_COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_CALCULATED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.BitAnd: "|"}


class Mutant(NamedTuple):
    """One mistake: a piece of a file and what stands in its place."""

    file: str
    line: int
    kind: str
    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class Verdict(NamedTuple):
    """What came of it: the test that noticed, or nothing."""

    mutant: Mutant
    before: str
    by: str


def mutants_of(file: Path) -> list[Mutant]:
    """Every mistake that can be planted into a file. Annotations, docstrings and messages are left alone."""
    source = file.read_text(encoding="utf-8")
    name = file.relative_to(ROOT).as_posix()
    return [
        Mutant(name, node.lineno, kind, (node.lineno, node.col_offset), _end(node), text)
        for node in _code_of(ast.parse(source))
        for kind, text in _mistakes(node, source)
    ]


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def _code_of(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, (ast.expr, ast.stmt)):
        yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "bases") or isinstance(
            node, ast.JoinedStr
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _code_of(child)


def _mistakes(node: ast.expr | ast.stmt, source: str) -> Iterator[tuple[str, str]]:
    def text(part: ast.AST) -> str:
        return ast.unparse(part)

    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARED:
        sign = _COMPARED[type(node.ops[0])]
        yield "comparison", f"({text(node.left)} {sign} {text(node.comparators[0])})"
    elif isinstance(node, ast.BinOp) and type(node.op) in _CALCULATED and not _is_text(node):
        yield "operator", f"(({text(node.left)}) {_CALCULATED[type(node.op)]} ({text(node.right)}))"
    elif isinstance(node, ast.BoolOp):
        sign = " or " if isinstance(node.op, ast.And) else " and "
        yield "and/or", "(" + sign.join(f"({text(value)})" for value in node.values) + ")"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not", f"({text(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant", str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "off by one", f"({node.value} + 1)"
    elif isinstance(node, ast.Call) and len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args):
        first, second, *rest = node.args
        if text(first) != text(second):
            swapped = ast.Call(func=node.func, args=[second, first, *rest], keywords=node.keywords)
            yield "swapped arguments", text(swapped)
    elif isinstance(node, ast.If) and all(isinstance(one, ast.Raise) for one in node.body) and not node.orelse:
        yield "removed check", "pass"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "removed call", "pass"


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(part, ast.JoinedStr) or isinstance(getattr(part, "value", None), str) for part in ast.walk(node)
    )


def planted(source: str, mutant: Mutant) -> tuple[str, str]:
    """The source with the mistake, and the piece that stood there."""
    lines = source.encode().splitlines(keepends=True)
    at = [sum(map(len, lines[: line - 1])) + column for line, column in (mutant.start, mutant.end)]
    whole = source.encode()
    made = whole[: at[0]] + mutant.text.encode() + whole[at[1] :]
    ast.parse(made)
    return made.decode(), whole[at[0] : at[1]].decode()


class _Passing:
    """A pytest plugin: which test passes through which line of a room, and how long it takes."""

    def __init__(self, room: str) -> None:
        import coverage

        self.measured = coverage.Coverage(data_file=None, source_pkgs=[f"dpviz.{room}"], concurrency=["thread"])
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.measured.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: object) -> None:
        name = str(getattr(report, "nodeid", ""))
        self.seconds[name] = self.seconds.get(name, 0.0) + float(getattr(report, "duration", 0.0))


def note_lines(room: str, out: str | Path) -> None:
    """In a process of its own: run the tests of a room and write down which of them passes where."""
    import pytest

    passing = _Passing(room)
    passing.measured.start()
    pytest.main(["-q", "-p", "no:cacheprovider", "-m", "not browser", *TESTS[room]], plugins=[passing])
    passing.measured.stop()
    data = passing.measured.get_data()
    lines = {
        Path(file).relative_to(ROOT).as_posix(): {
            line: [name for name in names if name] for line, names in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    Path(out).write_text(json.dumps({"lines": lines, "seconds": passing.seconds}), encoding="utf-8")


def _python(*words: str, at: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": f"{at}{os.pathsep}{at / 'research'}", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words], cwd=at, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )


def _noticed_by(copy: Path, tests: Sequence[str]) -> str:
    for some in (tests[:FIRST_TRY], tests[FIRST_TRY:]):
        if not some:
            continue
        try:
            done = _python("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", *some, at=copy)
        except subprocess.TimeoutExpired:
            return "no end within the time allowed"
        if done.returncode not in (0, 5):
            failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
            return failed[0].split(" - ")[0] if failed else f"exit code {done.returncode}"
    return ""


def examine(room: str, *, each: int, seed: int, work: Path) -> list[Verdict]:
    """The fate of `each` mistakes, drawn at random from all that a room admits."""
    record = work / f"{room}.json"
    if not record.is_file():
        _note_lines_elsewhere(room, record)
    noted = json.loads(record.read_text(encoding="utf-8"))
    all_of_them = [one for file in sorted((ROOT / "dpviz" / room).rglob("*.py")) for one in mutants_of(file)]
    chosen = random.Random(seed).sample(all_of_them, min(each, len(all_of_them)))
    copy = work / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "node_modules", ".*_cache")
    )
    found = []
    for mutant in chosen:
        source = (ROOT / mutant.file).read_text(encoding="utf-8")
        try:
            changed, before = planted(source, mutant)
        except SyntaxError:
            continue
        lines: dict[str, list[str]] = noted["lines"].get(mutant.file, {})
        tests = lines.get(str(mutant.line)) or sorted({name for names in lines.values() for name in names})
        tests = sorted(set(tests), key=lambda name: (noted["seconds"].get(name, 0.0), name))
        (copy / mutant.file).write_text(changed, encoding="utf-8")
        found.append(Verdict(mutant, before, _noticed_by(copy, tests)))
        (copy / mutant.file).write_text(source, encoding="utf-8")
        shown = found[-1]
        print(f"{mutant.file}:{mutant.line} {mutant.kind}: {shown.by or 'SURVIVED'}", flush=True)
    return found


def _note_lines_elsewhere(room: str, record: Path) -> None:
    script = "import sys; from dpviz_research.mutants import note_lines; note_lines(*sys.argv[1:])"
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'research'}"}
    subprocess.run([sys.executable, "-c", script, room, str(record)], cwd=ROOT, env=environment, check=True)


def write_record(verdicts: Sequence[Verdict], out: Path) -> None:
    """One line a mistake, the survivors first."""
    rows = sorted(verdicts, key=lambda one: (bool(one.by), one.mutant))
    with out.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("file", "line", "mistake", "before", "after", "noticed by"))
        for one in rows:
            told = (" ".join(text.split())[:160] for text in (one.before, one.mutant.text))
            table.writerow((one.mutant.file, one.mutant.line, one.mutant.kind, *told, one.by))


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine the rooms that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="+", choices=sorted(TESTS))
    parser.add_argument("--each", type=int, default=40, help="mistakes a room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder of the record")
    parser.add_argument("--work", type=Path, help="folder for which test passes where; kept for the next call")
    given = parser.parse_args(arguments)
    work = given.work or Path(tempfile.mkdtemp())
    work.mkdir(parents=True, exist_ok=True)
    killed: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for room in given.rooms:
        verdicts = examine(room, each=given.each, seed=given.seed, work=work)
        write_record(verdicts, given.out / f"mutants-{room}.csv")
        killed[room] = sum(bool(one.by) for one in verdicts), len(verdicts)
        print(f"{room}: {killed[room][0]} of {killed[room][1]} noticed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
