"""Two example releases of the demonstration city, made through the door and charged to the demonstration ledger.

Asked again, the door gives the same two back. The analysts' server never imports this: it has no records at all.
"""

from __future__ import annotations

from dpviz.privacy import level_by_name
from dpviz.publishing.door import publish
from dpviz.releases.release import Release
from dpviz.ui.session import methods, sources, state

SHOWN = (level_by_name("Very detailed"), level_by_name("Strict"))


def make() -> tuple[str, str]:
    """Publish both, of one hour of one night; their ids."""
    source = sources.city(**state.NIGHT)
    dataset = methods.dataset_of(source)
    ground = None if source.map is None else source.map.geojson(source.box)
    ids = []
    for level in SHOWN:
        made = publish(dataset, methods.request_of(state.ChooseState(level=level)), basemap=ground)
        assert isinstance(made, Release)  # the automatic method always answers
        ids.append(made.id)
    return ids[0], ids[1]
