"""Places with a stricter level on screen: from names and files to regions, shapes and plain sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.basemap.embedded import watched_areas
from dpviz.domain import ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.privacy import LEVELS
from dpviz.ui.map import city_map
from dpviz.ui.map.view import Box
from dpviz.ui.session import methods, regions
from tests.ui.stages import Browser, scene, stop

BOX = Box(west=-74.05, south=40.70, east=-73.90, north=40.80)
RING = [[-74.0, 40.72], [-73.98, 40.72], [-73.98, 40.74], [-74.0, 40.74], [-74.0, 40.72]]


def content(**properties: object) -> bytes:
    geometry = {"type": "Polygon", "coordinates": [RING]}
    feature = {"type": "Feature", "properties": properties, "geometry": geometry}
    return json.dumps({"type": "FeatureCollection", "features": [feature]}).encode()


def city() -> city_map.Basemap:
    found = city_map.load()
    assert found is not None
    return found


def test_every_built_in_place_becomes_a_region() -> None:
    chosen = regions.names(city(), BOX)
    assert {"Manhattan", "Brooklyn", "Chelsea–Hudson Yards"} <= set(chosen)
    assert "Staten Island" not in chosen  # it does not meet the box
    made = regions.by_name(chosen, city(), LEVELS[5])
    assert [region.name for region in made] == chosen
    assert {region.epsilon for region in made} == {LEVELS[5].epsilon}


def test_a_borough_covers_what_it_covered_before() -> None:
    (made,) = regions.by_name(["Brooklyn"], city(), LEVELS[5])
    frame = GeoBox(-74.30, 40.45, -73.65, 40.95).frame
    covered = made.outline.touched(frame, 64)
    x = -74.30 + (np.arange(64) + 0.5) * 0.65 / 64
    y = 40.95 - (np.arange(64) + 0.5) * 0.5 / 64
    inside = watched_areas()["Brooklyn"].contains(*np.meshgrid(x, y))
    assert covered[inside].all() and inside.any()
    assert covered.sum() < 2.5 * inside.sum()


def test_holes_and_islands_are_told_apart() -> None:
    def ring(size: float) -> np.ndarray:
        return np.array([[-size, -size], [size, -size], [size, size], [-size, size], [-size, -size]])

    (outer, island) = regions.nested([ring(1.0), ring(3.0), ring(2.0)])
    assert sorted((len(outer), len(island))) == [1, 2]


def test_a_file_brings_its_own_levels_or_takes_the_chosen_one() -> None:
    (own,) = regions.from_file(content(name="Hospital", level=7), LEVELS[5])
    (taken,) = regions.from_file(content(name="Hospital"), LEVELS[5])
    assert (own.epsilon, taken.epsilon) == (LEVELS[6].epsilon, LEVELS[5].epsilon)
    with pytest.raises(InputError, match="by name as well"):
        regions.together((own,), (taken,))


def test_a_region_is_never_looser_than_the_slider() -> None:
    made = regions.from_file(content(name="Hospital", level=5), LEVELS[5])
    assert [regions.at_level(made, level)[0].epsilon for level in LEVELS] == [
        min(0.2, level.epsilon) for level in LEVELS
    ]


def test_what_it_promises_and_costs_is_said_in_whole_numbers_and_plain_words() -> None:
    made = regions.from_file(content(name="Hospital", level=6), LEVELS[5])
    sentences = regions.describe(made, LEVELS[3], "trip")
    text = " ".join(sentences)
    assert "Hospital" in sentences[0] and "53 times in 100" in sentences[0]
    assert "elsewhere at most 63" in sentences[0] and "65 times in 100" in sentences[1]
    assert "use up nothing more of the privacy budget" in text
    assert not {letter for letter in text if "α" <= letter.lower() <= "ω"} and "epsilon" not in text
    assert regions.describe((), LEVELS[3], "trip") == []


def test_shapes_are_closed_rings_with_one_line_each() -> None:
    (shape,) = regions.shapes(regions.from_file(content(name="Hospital", level=6), LEVELS[5]))
    assert (shape.rings[0][0] == shape.rings[0][-1]).all() and len(shape.rings[0]) == 5
    assert "Hospital" in shape.tip and "53 times in 100" in shape.tip


def test_places_are_offered_only_where_they_are_proved() -> None:
    grid = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 8)
    cells = np.ones((8, 8), np.int64)
    assert regions.possible(ExactCounts.from_array(grid, cells))
    public = ExactCounts.from_array(grid, cells, relation="replace")
    trips = ExactPoints(plain_frame([0.0] * 4, [1.0] * 4), np.full((3, 4), 0.5))
    assert not regions.possible(public) and regions.why_not(public) == (
        "Places cannot have a level of their own with these data. That works only where the "
        "number of records is secret, and here it is public."
    )
    assert not regions.possible(trips) and regions.why_not(trips) == (
        "Places cannot have a level of their own with these data. That works only where each "
        "record is one place, and not, as here, a trip from one place to another."
    )


# On the page


def ground(app: AppTest) -> str:
    """The counted ground of the level that is looked at, as a picture."""
    (layer,) = [one for one in scene(app)["stops"][3]["layers"] if one["id"] == "counted"]
    return str(layer["image"])


def shown(app: AppTest, level: int = 4) -> list[dict[str, Any]]:
    return [layer for layer in stop(app, level)["layers"] if layer["id"] == "regions"]


@pytest.mark.filterwarnings("default")
def test_choose_draws_the_places_says_the_cost_and_puts_them_into_the_request(
    project_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = AppTest.from_file(str(project_root / "app.py"), default_timeout=120)
    app.session_state["details_open"] = True
    app.run()
    assert not app.exception and not shown(app)
    before = ground(app)
    app.multiselect(key="region_names").set_value(["Central Park", "Chelsea–Hudson Yards"]).run()
    assert not app.exception, [error.message for error in app.exception]
    (drawn,) = shown(app)
    assert len(drawn["data"]) >= 2 and all("53 times in 100" in row["tip"] for row in drawn["data"])
    assert ground(app) != before
    text = " ".join(element.value for element in app.markdown)
    assert (
        "**Central Park**" in text and "65 times in 100" in text and "use up nothing more of the privacy budget" in text
    )
    asked: list[Any] = []
    kept = methods.request_of
    monkeypatch.setattr(methods, "request_of", lambda chosen: asked.append(kept(chosen)) or asked[-1])
    next(button for button in app.button if button.label == "Publish this level …").click().run()
    assert not app.exception, [error.message for error in app.exception]
    assert [(region.name, region.epsilon) for region in asked[0].regions] == [
        ("Central Park", 0.1),
        ("Chelsea–Hudson Yards", 0.1),
    ]
    Browser(monkeypatch).says(level=7)
    app.run()
    assert all("52 times in 100" in row["tip"] for row in shown(app, 7)[0]["data"])
