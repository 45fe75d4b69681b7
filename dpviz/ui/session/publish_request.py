"""What would be asked of the door: the registered data set, and the request for what is on the screen. Pure."""

from __future__ import annotations

from dpviz.publishing.datasets import Dataset, demonstration_dataset
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.session import methods, regions
from dpviz.ui.session.sources import Source
from dpviz.ui.session.state import ChooseState


def dataset_of(source: Source) -> Dataset:
    """The registered data set; built-in cities have a demonstration ledger with an ample total."""
    if source.dataset is not None:
        registered: Dataset = source.dataset
        return registered
    return demonstration_dataset(source.id, source.exact_data)


def request_of(chosen: ChooseState) -> ReleaseRequest:
    """What would be asked of the door."""
    budget = methods.budget_of(chosen.level, chosen.method)
    return ReleaseRequest(
        k=chosen.k, budget=budget, method=chosen.method, regions=regions.at_level(chosen.regions, chosen.level)
    )
