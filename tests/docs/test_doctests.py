"""The examples in the docstrings of the public names give what they say."""

from __future__ import annotations

import doctest
import inspect

import pytest

import dpviz

NAMES = [name for name in dpviz.__all__ if name != "__version__"]
EXAMPLES = [
    example
    for name in NAMES
    if inspect.isclass(getattr(dpviz, name)) or inspect.isfunction(getattr(dpviz, name))
    for example in doctest.DocTestFinder(recurse=True).find(
        getattr(dpviz, name), name, module=inspect.getmodule(getattr(dpviz, name))
    )
    if example.examples
]


def test_the_estimator_has_an_example() -> None:
    assert "PrivateKMeans" in {example.name for example in EXAMPLES}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_example_gives_what_it_says(example: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    told: list[str] = []
    runner.run(example, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_says_what_it_is(name: str) -> None:
    found = getattr(dpviz, name)
    if inspect.isclass(found) or inspect.isfunction(found):
        assert (inspect.getdoc(found) or "").strip(), name
