"""The method list, the request to publish, and the *Details* popover: the only place on screen with ε and δ."""

from __future__ import annotations

from typing import Any

from dpviz.domain import ExactCounts, ExactPoints
from dpviz.labels.catalogue_rows import methods as catalogue_rows
from dpviz.language.speaking import told as _
from dpviz.ledger.persons import foreign_methods_allowed
from dpviz.privacy import DEFAULT_DELTA, LEVELS, Budget, Guarantee, Level, group_table, out_of_100
from dpviz.publishing.datasets import Dataset, demonstration_dataset
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.page_parts import words
from dpviz.ui.session import state
from dpviz.ui.session.regions import at_level
from dpviz.ui.session.sources import Source
from dpviz.ui.session.state import ChooseState

GROUPS = (2, 5, 10)  # records of one person, in the sentence about persons with several


def rows() -> dict[str, dict[str, Any]]:
    """The catalogue by name."""
    return {row["name"]: row for row in catalogue_rows()}


def offered(data: ExactCounts | ExactPoints) -> list[str]:
    """The methods proved for this data's relation, unit and number of dimensions that can answer on a screen."""
    dims = 2 if isinstance(data, ExactCounts) else data.frame.dims
    return [
        name
        for name, row in rows().items()
        if data.relation.value in row["adjacencies"]
        and row["dims"][0] <= dims <= row["dims"][1]
        and (not data.unit.holds_several or row["person_cap"])
        and not data.unit.levels  # which one method serves
        and (not row["package"] or foreign_methods_allowed())
    ]


def title(name: str) -> str:
    """A method's name on screen."""
    if name == state.AUTO:
        return _("Automatic")
    row = rows()[name]
    said = _("{title} (unvetted, from {package})") if row["package"] else "{title}"
    return said.format(title=_(str(row["title"])), package=row["package"])


def takes_purposes(name: str) -> bool:
    """Whether its budget can be divided for counts of areas instead of centers."""
    return name in (state.AUTO, "adaptive_tree")


def usual_purpose(name: str) -> str:
    """Centers and counts alike, where the method can be made so."""
    return "balanced" if takes_purposes(name) else "centers"


def budget_of(level: Level, method: str) -> Budget:
    """The level's budget for a method; δ only for those that need it."""
    row = rows().get(method)
    needs = row is not None and row["guarantee"] == "approximate"
    return Budget(epsilon=level.epsilon, delta=DEFAULT_DELTA if needs else 0.0)


def dataset_of(source: Source) -> Dataset:
    """The registered data set; built-in cities have a demonstration ledger with an ample total."""
    if source.dataset is not None:
        registered: Dataset = source.dataset
        return registered
    return demonstration_dataset(source.id, source.exact_data)


def request_of(chosen: ChooseState) -> ReleaseRequest:
    """The request for what is on the screen."""
    budget, inside = budget_of(chosen.level, chosen.method), at_level(chosen.regions, chosen.level)
    return ReleaseRequest(
        k=chosen.k, budget=budget, method=chosen.method, regions=inside, purpose=usual_purpose(chosen.method)
    )


def guarantee_of(source: Source, level: Level, method: str) -> Guarantee:
    """What a release of this level promises about the source's records."""
    data = source.exact_data
    return Guarantee.of(budget_of(level, method), data.relation, data.unit)


def several(source: Source, level: Level, method: str) -> str:
    """What is promised about someone with several records."""
    data, record = source.exact_data, _(source.record)
    if data.unit.cap is not None:
        return _(
            "Of each person’s records no more than {cap} are used, and any others are left out. All that are used are "
            "protected together."
        ).format(cap=data.unit.cap)
    parts = [
        _("{right} times in 100 with {number} {record}s").format(
            number=row["records"],
            record=record,
            right=out_of_100(float(str(row["epsilon"])), min(1.0, float(str(row["delta"])))),
        )
        for row in group_table(budget_of(level, method), GROUPS, relation=data.relation)
    ]
    return _("Someone with several {record}s in the data is protected less: a guess is right at most {rows}.").format(
        record=record, rows=", ".join(parts)
    )


def details(chosen: ChooseState, source: Source, used: str | None = None) -> list[str]:
    """ε, δ, relation, unit, method and paper, for readers who want them."""
    budget = budget_of(chosen.level, chosen.method)
    row = rows().get((used or chosen.method).removeprefix("regional:").removeprefix("ends:"))
    data, method = source.exact_data, _("Automatic")
    if row is not None:
        named = _(str(row["title"]))
        if chosen.method == state.AUTO:
            named = _("Automatic, here: {title}").format(title=named)
        method = f"{named}. {_(str(row['summary']))}"
    lines = [
        _("**Level**: {level} ({number} of {all})").format(
            level=_(chosen.level.name), number=chosen.level.number, all=len(LEVELS)
        ),
        f"**ε** = {budget.epsilon:g}, **δ** = {budget.delta:g}",
        *(f"**ε** in {region.name} = {region.epsilon:g}" for region in at_level(chosen.regions, chosen.level)),
        _("**The odds are of telling apart**: {relation}").format(relation=words.RELATIONS[data.relation.value]),
        _("**Unit of protection**: {unit}").format(unit=_(str(data.unit))),
        _("**Method**: {method}").format(method=method),
    ]
    if row is not None:
        lines.append(_("**Paper**: {paper}").format(paper=row["paper"]))
        lines.append(_("**Proof**: {page} (read: {reading})").format(page=row["proof"], reading=row["reading"]))
        if row["package"]:
            foreign = _("This method is not part of dpviz: it comes from {package}.")
            lines.append(foreign.format(package=words.as_text(row["package"])))
        if not row["vetted"]:
            lines.append(_("No second reader has checked yet the mathematical proof that this method protects."))
    return [*lines, words.DETAILS_BOUND, several(source, chosen.level, chosen.method)]
