"""What was promised, and what was charged for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any

from dpviz.domain.relation import Adjacency, Unit
from dpviz.errors import InputError
from dpviz.privacy.budget import LARGEST_DELTA, LARGEST_EPSILON, Budget
from dpviz.privacy.composition import moved_record, up

# The guarantee as it prints; `dpviz.labels.sentences` says it in other languages too.
GUARANTEE_WORDS = {
    "size": "epsilon = {epsilon}",
    "size, delta": "epsilon = {epsilon} and delta = {delta}",
    "added": "Differentially private with {size} for adding or removing {unit}.",
    "replaced": "Differentially private with {size} for replacing {unit}.",
    "added, regions": "Differentially private with {size} for adding or removing {unit} anywhere, and with {inside}; "
    "for {who}, with the sum of the epsilons of where from and where to, at most {most}.",
    "replaced, regions": "Differentially private with {size} for replacing {unit} anywhere, and with {inside}; "
    "for {who}, with the sum of the epsilons of where from and where to, at most {most}.",
    "record moves": "a record that moves",
    "person moves": "a person whose records move",
    "inside": "epsilon = {epsilon} in {region}",
    "most": "{epsilon}, and with delta at most {delta}",
}


@dataclass(frozen=True, kw_only=True)
class RegionLevel:
    """The name of a public region and what the presence of one unit in it may cost."""

    name: str
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """A differential-privacy guarantee with its relation and unit. Prints as one sentence.

    With regions, ε is the level of everything outside them and the largest of all; δ is the same everywhere.
    """

    epsilon: float
    delta: float
    adjacency: Adjacency
    unit: Unit
    regions: tuple[RegionLevel, ...] = ()

    def __post_init__(self) -> None:
        if self.regions:
            _check_move(self.epsilon, self.delta)

    @classmethod
    def of(cls, budget: Budget, adjacency: Adjacency, unit: Unit) -> Guarantee:
        return cls(epsilon=budget.epsilon, delta=budget.delta, adjacency=adjacency, unit=unit)

    @property
    def budget(self) -> Budget:
        return Budget(epsilon=self.epsilon, delta=self.delta)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        values: dict[str, Any] = {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "adjacency": self.adjacency.value,
            "unit": self.unit.facts(),
        }
        return values | {"regions": [asdict(region) for region in self.regions]} if self.regions else values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Guarantee:
        """The guarantee that `to_dict` wrote."""
        unit = _part(values, "unit", Mapping)
        adjacency = Adjacency.parse(str(values.get("adjacency")))
        return cls(
            epsilon=_number(values, "epsilon"),
            delta=_number(values, "delta"),
            adjacency=adjacency,
            unit=Unit.from_facts(unit),
            regions=tuple(
                RegionLevel(name=_part(region, "name", str), epsilon=_number(region, "epsilon"))
                for region in values.get("regions", ())
            ),
        )

    def in_words(self, told: Callable[[str], str] = str, figures: Callable[[str], str] = str) -> str:
        """One sentence: English as it prints, unless `told` and `figures` translate."""
        change = "added" if self.adjacency is Adjacency.ADD_REMOVE_ONE else "replaced"
        size = told(GUARANTEE_WORDS["size, delta" if self.delta else "size"]).format(
            epsilon=figures(f"{self.epsilon:g}"), delta=figures(f"{self.delta:g}")
        )
        unit = self.unit.in_words(told, figures)
        if not self.regions:
            return told(GUARANTEE_WORDS[change]).format(size=size, unit=unit)
        # Which records a region protects better, and what it does not: docs/proofs/regional.md.
        whole = self.moved(None, None)
        most = figures(f"{whole.epsilon:g}")
        if self.delta:
            most = told(GUARANTEE_WORDS["most"]).format(epsilon=most, delta=figures(_rounded_up(whole.delta)))
        return told(GUARANTEE_WORDS[f"{change}, regions"]).format(
            size=size,
            unit=unit,
            inside=", ".join(
                told(GUARANTEE_WORDS["inside"]).format(epsilon=figures(f"{one.epsilon:g}"), region=one.name)
                for one in self.regions
            ),
            who=told(GUARANTEE_WORDS["record moves" if self.unit.cap is None else "person moves"]),
            most=most,
        )

    def __str__(self) -> str:
        return self.in_words()

    def moved(self, left: str | None, entered: str | None) -> Budget:
        """What a unit that moves costs, between regions by name; None is everywhere outside of them."""
        levels = {region.name: region.epsilon for region in self.regions}
        both = [self.epsilon if name is None else levels[name] for name in (left, entered)]
        return moved_record(*(Budget(epsilon=epsilon, delta=self.delta) for epsilon in both))


@dataclass(frozen=True, kw_only=True)
class Charge:
    """One named part of what a run spends.

    δ = 0 says that the part alone is ε-DP. `rho` is set where the part is accounted in zCDP; a Gaussian part has a
    δ above 0 and an ε that its ρ converts to (`privacy.accountant` refuses claims that contradict each other).
    """

    name: str
    epsilon: float
    delta: float = 0.0
    rho: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Charge:
        """The charge that `to_dict` wrote."""
        return cls(
            name=_part(values, "name", str),
            epsilon=_number(values, "epsilon"),
            delta=_number(values, "delta"),
            rho=None if values.get("rho") is None else _number(values, "rho"),
        )


def _check_move(epsilon: float, delta: float) -> None:
    """With regions a record that moves costs two parts; what that comes to must still be a guarantee."""
    if 2 * epsilon > LARGEST_EPSILON:
        raise InputError(
            f"epsilon={epsilon:g} with regions: a record that moves from one part to another would cost "
            f"{2 * epsilon:g}, which protects nobody; give at most {LARGEST_EPSILON / 2:g} outside the regions.",
            epsilon=epsilon,
        )
    worse = delta * (1 + math.exp(epsilon))
    if up(worse) >= LARGEST_DELTA:
        raise InputError(
            f"delta={delta:g} with regions and epsilon={epsilon:g}: a record that moves from one part to another would "
            f"have delta {_rounded_up(worse)}, and it must stay below {LARGEST_DELTA:g}; lower delta or epsilon.",
            epsilon=epsilon,
            delta=delta,
        )


def _rounded_up(value: float) -> str:
    """Three digits, never less than the value."""
    digits = Context(prec=3, rounding=ROUND_CEILING).create_decimal(Decimal(value))
    return f"{float(digits):g}"


def _part(values: Mapping[str, Any], name: str, kind: type) -> Any:
    value = values.get(name)
    if not isinstance(value, kind):
        raise InputError(f"{name}={value!r} is not what a guarantee or charge holds under that name.", name=name)
    return value


def _number(values: Mapping[str, Any], name: str) -> float:
    value = values.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise InputError(f"{name}={value!r} must be a finite number, 0 or more.", name=name)
    return float(value)
