"""Methods of a release are found when they are used, and take what their types say; the value knows none of them."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import grimp
import pytest

from dpviz.releases import late_methods

STUB = Path(late_methods.__file__).with_suffix(".pyi")
CLASSES = {node.name: node for node in ast.parse(STUB.read_text("utf-8")).body if isinstance(node, ast.ClassDef)}
TYPED = {
    (owner, node.name): node
    for owner, found in CLASSES.items()
    for node in found.body
    if isinstance(node, ast.FunctionDef)
}
LISTED = {
    (owner, node.targets[0].id): node.value
    for found in ast.parse(Path(late_methods.__file__).read_text("utf-8")).body
    if isinstance(found, ast.ClassDef)
    for owner in [found.name]
    for node in found.body
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
}


def test_every_method_has_a_type() -> None:
    assert set(LISTED) == set(TYPED) and len(LISTED) > 15


@pytest.mark.parametrize("method", sorted(LISTED), ids=".".join)
def test_a_method_takes_what_its_type_says(method: tuple[str, str]) -> None:
    place: Any = LISTED[method].args[0].value
    module, name = place.split(":")
    given = list(inspect.signature(getattr(import_module(module), name)).parameters.values())[1:]
    wanted = TYPED[method].args
    several = [] if wanted.vararg is None else [wanted.vararg]
    assert [each.name for each in given] == [each.arg for each in (*wanted.args[1:], *several, *wanted.kwonlyargs)]
    assert [each.name for each in given if each.kind is each.KEYWORD_ONLY] == [each.arg for each in wanted.kwonlyargs]
    stated = [ast.literal_eval(each) for each in (*wanted.defaults, *wanted.kw_defaults) if each is not None]
    assert [each.default for each in given if each.default is not each.empty] == stated


def test_a_method_replaces_its_entry_when_it_is_first_used() -> None:
    class Methods:
        solved = late_methods.Late("math:sqrt", staticmethod)

    assert Methods().solved(4.0) == 2.0
    assert not isinstance(vars(Methods)["solved"], late_methods.Late)


def test_a_release_imports_none_of_the_code_that_asks_draws_or_writes_it() -> None:
    graph = grimp.build_graph("dpviz", cache_dir=None)
    known = graph.find_upstream_modules("dpviz.releases.release")
    places = {value.args[0].value.split(":")[0] for value in LISTED.values()}
    assert places.isdisjoint(known), places & known
