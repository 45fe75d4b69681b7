"""Planting a bug: a piece of one real function's source is replaced while a `with` block runs, and put back after.

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
class Bug:
    """One planted bug: `old` becomes `new` in one function. `check` names what must find it (checks.py)."""

    name: str  # one line, said to people
    room: str  # the method, or the part of the house, that it is planted in
    where: str  # "module:function" or "module:Class.method", without the leading "dpviz."
    old: str
    new: str
    check: str


@contextmanager
def planted(bug: Bug) -> Iterator[None]:
    """The bug is in the code inside the block, and out of it after."""
    function = _function(bug.where)
    honest, defaults = function.__code__, function.__defaults__
    broken = _compiled(function, bug)
    forget_results()
    function.__code__ = broken
    try:
        yield
    finally:
        function.__code__, function.__defaults__ = honest, defaults
        forget_results()


def forget_results() -> None:
    """Empty the caches of the rooms that bugs are planted in: what was computed with other code is not used again."""
    rooms = (
        "dpviz.privacy",
        "dpviz.noise",
        "dpviz.mechanisms.peeling",
        "dpviz.mechanisms.tree",
        "dpviz.releases",
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


def _compiled(function: FunctionType, bug: Bug) -> CodeType:
    source = textwrap.dedent(inspect.getsource(function))
    times = source.count(bug.old)
    if times != 1:
        raise NoLongerThere(
            f"the bug {bug.name!r} replaces a piece of {bug.where} that stands there {times} times; it must stand "
            "there once. Write the bug anew for the code as it is."
        )
    tree = ast.parse(source.replace(bug.old, bug.new))
    if ast.dump(tree) == ast.dump(ast.parse(source)):
        raise NoLongerThere(f"the bug {bug.name!r} changes nothing in {bug.where}.")
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    flags = __future__.annotations.compiler_flag
    namespace: dict[str, Any] = {}
    exec(
        compile(tree, f"<planted: {bug.name}>", "exec", flags=flags, dont_inherit=True),
        dict(vars(sys.modules[function.__module__])),
        namespace,
    )
    code = namespace[definition.name].__code__
    assert isinstance(code, CodeType)
    return code
