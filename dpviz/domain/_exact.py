"""The base class of exact data: it refuses pickle, JSON, iteration and printing its numbers."""

from __future__ import annotations

from html import escape
from typing import Any, NoReturn

from dpviz.errors import ExactDataLeak


class Exact:
    """Base of data computed from people. It leaves memory only by an explicit call (`to_numpy`)."""

    __slots__ = ()

    def _refuse(self, how: str) -> NoReturn:
        raise ExactDataLeak(
            f"{type(self).__name__} holds exact data about people and refuses {how}. "
            "The curator may call to_numpy(); what may leave the house is made by dpviz.publish.",
            how=how,
        )

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        self._refuse("pickle")

    def __getstate__(self) -> NoReturn:
        self._refuse("pickle")

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __iter__(self) -> NoReturn:
        self._refuse("iteration")

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        self._refuse("silent conversion to an array")

    def __format__(self, spec: str) -> str:
        return repr(self)


def exact_html(what: str, frame: Any, relation: Any, unit: Any) -> str:
    """Describe exact data in a notebook by public facts alone, without any number computed from people."""
    sides = "; ".join(
        f"{name} {low:g} to {high:g}" for name, low, high in zip(frame.names, frame.low, frame.high, strict=True)
    )
    rows = {"box": sides, "relation": relation.value, "one unit of protection": str(unit)}
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return (
        f"<table><caption><b>{escape(what)}</b></caption>{cells}"
        "<tr><th>numbers</th><td>not shown: exact, for the curator only (to_numpy)</td></tr></table>"
    )
