"""Planting a bug: a piece of a real function's source is replaced while a `with` block runs, and put back after.

The function object stays the same and only its code is exchanged, so whoever imported it by name runs the bug. A bug
whose piece of source is not there any more, or there twice, cannot be planted: that is an error, not a pass.
"""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from dpviz.errors import DpvizError


class NoLongerThere(DpvizError):
    """The code that a planted bug replaces has changed: write the bug anew for the code as it is."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """`old` becomes `new` in one function."""

    where: str  # "module:function" or "module:Class.method", without the leading "dpviz."
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Bug(Piece):
    """One planted bug: a piece, and others where one alone would be mended by what comes later.

    `check` names what must find it (battery.py).
    """

    name: str  # one line, said to people
    room: str  # the method, or the part of the house, that it is planted in
    check: str
    also: tuple[Piece, ...] = ()


@contextmanager
def planted(bug: Bug) -> Iterator[None]:
    """The bug is in the code inside the block, and out of it after."""
    broken = [(function, _compiled(function, piece, bug.name)) for function, piece in _pieces(bug)]
    honest = [(function, function.__code__, function.__defaults__) for function, _ in broken]
    forget_results()
    for function, code in broken:
        function.__code__ = code
    try:
        yield
    finally:
        for function, code, defaults in honest:
            function.__code__, function.__defaults__ = code, defaults
        forget_results()


def _pieces(bug: Bug) -> list[tuple[FunctionType, Piece]]:
    """Each piece with its function; of two pieces in one function the first would be lost."""
    found: list[tuple[FunctionType, Piece]] = [(_function(piece.where), piece) for piece in (bug, *bug.also)]
    if len({function for function, _ in found}) < len(found):
        raise NoLongerThere(f"the bug {bug.name!r} names one function twice; write its pieces as one.")
    return found


def forget_results() -> None:
    """Empty the caches of the rooms that bugs are planted in: what was computed with other code is not used again."""
    rooms = (
        "dpviz.privacy",
        "dpviz.noise",
        "dpviz.mechanisms.peeled_balls",
        "dpviz.mechanisms.adaptive_tree",
        *(f"dpviz.{room}" for room in ("releases", "ledger", "publishing", "series", "life", "questions", "drawing")),
    )
    for name, module in list(sys.modules.items()):
        if name.startswith(rooms):
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()


def source_of(where: str) -> str:
    """The source of a function as a bug names it, without its indentation."""
    return textwrap.dedent(inspect.getsource(_function(where)))


def _function(where: str) -> FunctionType:
    """The plain function behind a method, property, class method or cached function."""
    module, _, path = where.partition(":")
    found: Any = import_module(f"dpviz.{module}")
    try:
        for part in path.split("."):
            found = vars(found)[part]
    except KeyError:
        raise NoLongerThere(f"dpviz.{module} has no {path}; a planted bug names it.") from None
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__func__", found)
    found = inspect.unwrap(found)
    if not isinstance(found, FunctionType):
        raise NoLongerThere(f"{where} is no plain function; a bug cannot be planted there.")
    return found


def _compiled(function: FunctionType, piece: Piece, name: str) -> CodeType:
    source = textwrap.dedent(inspect.getsource(function))
    times = source.count(piece.old)
    if times != 1:
        raise NoLongerThere(
            f"the bug {name!r} replaces a piece of {piece.where} that stands there {times} times; it must stand "
            "there once. Write the bug anew for the code as it is."
        )
    tree = ast.parse(source.replace(piece.old, piece.new))
    if ast.dump(tree) == ast.dump(ast.parse(source)):
        raise NoLongerThere(f"the bug {name!r} changes nothing in {piece.where}.")
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    flags = __future__.annotations.compiler_flag
    namespace: dict[str, Any] = {}
    exec(
        compile(tree, f"<planted: {name}>", "exec", flags=flags, dont_inherit=True),
        dict(vars(sys.modules[function.__module__])),
        namespace,
    )
    code = namespace[definition.name].__code__
    assert isinstance(code, CodeType)
    return code
