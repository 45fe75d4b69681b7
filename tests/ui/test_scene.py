"""The scene of Choose: all levels in one value, nothing that is hidden, nothing exact where a stand-in is looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.drawing.density import SHADES
from dpviz.privacy import LEVELS, Budget, Level
from dpviz.ui.choose import figures, scene
from dpviz.ui.map import counted
from dpviz.ui.map.scene import Column, Layer, Scene, Stop, column
from dpviz.ui.map.view import Picture
from dpviz.ui.page_parts import words as shared
from dpviz.ui.page_parts.theme import DARK, LIGHT
from dpviz.ui.session import sources, state
from dpviz.ui.session.preview import Previews, Setting
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import ChooseState
from dpviz.ui.stage import wire
from tests.ui.parts import finish
from tests.ui.stages import decoded, layer_names, stops_layers

CHOSEN = ChooseState(method="uniform_grid", k=2)
EVERYTHING = frozenset(shared.LAYERS)


def budget_of(level: Level, method: str) -> Budget:
    return Budget(epsilon=level.epsilon)


def a_source(mode: Mode = Mode.PREVIEW) -> Source:
    cells = np.zeros((32, 32), np.int64)
    uneven = np.arange(25).reshape(5, 5)  # so that the exact centers lie in none of the grid's public places
    cells[4:9, 4:9], cells[20:25, 22:27] = 13 * uneven, 7 * uneven.T + 3
    counts = ExactCounts.from_array(Grid(GeoBox(13.1, 52.35, 13.75, 52.65), 32), cells)
    return Source(id="own-x", title="x", mode=mode, exact_data=counts, box=sources.box_of(counts))


@pytest.fixture(scope="module")
def source() -> Source:
    return a_source()


@pytest.fixture(scope="module")
def previews(source: Source) -> Previews:
    made = Previews(source.exact_data, budget_of=budget_of, wanted=3)
    finish(made, CHOSEN.method, CHOSEN.k, CHOSEN.level)
    return made


def shown(source: Source, **changes: object) -> scene.Shown:
    chosen = replace(CHOSEN, **changes)  # type: ignore[arg-type]
    density = sources.density_picture(source) if "density" in chosen.layers else None
    return scene.Shown(source=source, chosen=chosen, theme=LIGHT, density=density)


def test_one_scene_holds_all_levels(source: Source, previews: Previews) -> None:
    found = scene.scene(shown(source), previews)
    assert len(found.stops) == len(LEVELS) and all(stop is not None for stop in found.stops)
    sizes = [len(next(layer for layer in stop.layers if layer.id == "coreset")) for stop in found.stops if stop]
    assert sizes == [previews.known("uniform_grid", 2)[level.number].exact_evaluation.coreset_size for level in LEVELS]  # type: ignore[union-attr]
    told = [stop.told for stop in found.stops if stop]
    assert all(set(one) == {1, 2} and "from its unprotected partner" in one[1] for one in told)


def test_records_are_drawn_as_ground_until_somebody_wants_points(source: Source) -> None:
    drawn = Previews(source.exact_data, budget_of=budget_of, wanted=1)
    drawn.main(Setting(method="adaptive_tree", k=2, level=CHOSEN.level.number))
    few = shown(source, method="adaptive_tree")
    few = replace(few, ground=lambda release: counted.counted(release, source.box, LIGHT))
    made = scene.scene(few, drawn)
    stop = next(one for one in made.stops if one)
    assert "cells" in {switch.name for switch in made.legend} and "coloured with protection" in stop.alt
    assert {"counted"} == {layer.id for layer in stop.layers} & {"counted", "coreset"}
    assert any(table["title"] == "Protected points by neighbourhood" for table in stop.tables), (
        "the table keeps its points"
    )
    assert stop.shades is not None and len(set(stop.shades["told"])) == SHADES == len(stop.shades["colours"])
    assert (
        "square kilometre" in stop.line
        and stop.swap.startswith("Show the ")
        and list(stop.shades["opaque"]) == sorted(stop.shades["opaque"])
    )
    for hidden, left in (("cells", {"coreset"}), ("coreset", set())):
        wanted = replace(few, chosen=replace(few.chosen, layers=few.chosen.layers - {hidden}))
        stop = next(one for one in scene.scene(wanted, drawn).stops if one)
        assert {layer.id for layer in stop.layers} & {"counted", "coreset"} == left and stop.shades is None
        assert stop.swap == ("Show squares" if left else "") and ("would be published" in stop.line) == bool(left)


def test_a_center_has_the_number_of_its_unprotected_partner_at_every_level(source: Source, previews: Previews) -> None:
    stops = [stop for stop in scene.scene(shown(source, layers=EVERYTHING), previews).stops if stop]
    partners = {
        repr(sorted((row["n"], row["p"]) for one in stop.layers if one.id == "exact-centers" for row in one.look.data))
        for stop in stops
    }
    assert len(stops) == len(LEVELS) and len(partners) == 1
    assert {tuple(spot.number for spot in stop.centers) for stop in stops} == {(1, 2)}


def test_a_cross_means_no_answer_and_nothing_else(source: Source) -> None:
    fresh = Previews(source.exact_data, budget_of=budget_of, wanted=3)
    fresh.main(scene.setting_of(CHOSEN))
    curve = figures.curves(fresh, CHOSEN, figures.level_series(fresh, CHOSEN.method, CHOSEN.k))[0]
    assert curve["middle"].count(None) == len(LEVELS) - 1 and not any(curve["refused"]) and "cross" not in curve["note"]


def test_a_figure_says_its_spread_once_and_nothing_before(source: Source) -> None:
    fresh = Previews(source.exact_data, budget_of=budget_of, wanted=3)
    fresh.main(scene.setting_of(CHOSEN))
    asked, notes = scene.Shown(source=source, chosen=CHOSEN, theme=LIGHT), []
    for done in range(4):
        while len(fresh.repeats(scene.setting_of(CHOSEN))) < done:
            fresh._repeat(scene.setting_of(CHOSEN))
        made = figures.figures(asked, fresh, CHOSEN.level)
        assert made is not None
        notes.append([note for _, _, note in made["items"][1:]])
    assert notes[0] == notes[1] == notes[2] == ["", ""] and all("tries" in note for note in notes[3])


def test_what_is_not_computed_yet_is_left_open(source: Source) -> None:
    fresh = Previews(source.exact_data, budget_of=budget_of, wanted=3)
    fresh.main(scene.setting_of(CHOSEN))
    found = scene.scene(shown(source), fresh)
    assert [stop is not None for stop in found.stops] == [level == CHOSEN.level for level in LEVELS]


@pytest.mark.parametrize(
    ("hidden", "gone"),
    [
        ("coreset", {"coreset"}),
        ("exact", {"exact-centers", "exact-pairs-line", "exact-pairs-halo"}),
        ("pairs", {"exact-pairs-line", "exact-pairs-halo"}),
        ("protected", {"centers", "exact-pairs-line", "exact-pairs-halo", "spreads"}),
        ("density", {"exact-density"}),
        ("spread", {"spreads"}),
    ],
)
def test_a_hidden_layer_is_not_in_the_scene_at_all(
    source: Source, previews: Previews, hidden: str, gone: set[str]
) -> None:
    whole = scene.scene(shown(source, layers=EVERYTHING), previews)
    part = scene.scene(shown(source, layers=EVERYTHING - {hidden}), previews)
    names = {layer.id for layer in whole.layers}
    assert gone <= names, "the planted case: they are there while they are shown"
    assert {layer.id for layer in part.layers} == names - gone
    assert hidden in part.absent and hidden not in whole.absent


def test_a_hidden_exact_layer_leaves_no_trace_in_the_bytes(source: Source, previews: Previews) -> None:
    def spellings(found: Scene) -> list[bytes]:
        stops = decoded(wire.scene(found, stage="s", turn=0, level=1))
        rows = [row for one in stops_layers(stops) if one["id"] == "exact-centers" for row in one["data"]]
        return [f"[{row['p'][0]!r},{row['p'][1]!r}]".encode() for row in rows]

    whole = scene.scene(shown(source, layers=EVERYTHING), previews)
    secrets = spellings(whole)
    assert len(secrets) == 2 * len(LEVELS)
    assert all(one in wire.scene(whole, stage="s", turn=0, level=1) for one in secrets), "the planted case"
    hidden = scene.scene(shown(source, layers=EVERYTHING - {"exact", "density"}), previews)
    data = wire.scene(hidden, stage="s", turn=0, level=1)
    assert not [secret for secret in secrets if secret in data] and b"data:image/png" not in data
    assert b"exact-" not in data


def test_a_scene_of_a_strict_preview_is_made_of_its_stand_in_and_calls_nothing_exact(previews: Previews) -> None:
    """Its source holds the stand-in's sample in the place of the records; no word says otherwise."""
    source = a_source(Mode.STRICT)
    found = scene.scene(shown(source, layers=EVERYTHING), previews)
    words = " ".join(
        [*(switch.label + switch.help for switch in found.legend), found.note]
        + [stop.alt + " ".join(stop.told.values()) + repr(stop.tables) for stop in found.stops if stop]
    )
    for claim in ("Exact", "never published", "on-private", "not protected", "without any protection"):
        assert claim not in words, claim
    assert "made-up data" in words


def test_a_strict_scene_does_not_depend_on_the_records(previews: Previews) -> None:
    """The planted case: where a scene held a record's own number, another file would give other bytes."""
    strict = a_source(Mode.STRICT)
    with_marker = replace(strict, notes=("12345678",), dataset="the records: 87654321")
    one, two = (
        wire.scene(scene.scene(shown(found), previews), stage="s", turn=0, level=1) for found in (strict, with_marker)
    )
    assert one == two


def test_light_and_dark_differ_in_looks_alone(source: Source, previews: Previews) -> None:
    light = shown(source)
    found = [scene.scene(replace(light, theme=theme), previews) for theme in (LIGHT, DARK)]
    assert [layer.id for layer in found[0].layers] == [layer.id for layer in found[1].layers]
    assert wire.scene(found[0], stage="s", turn=0, level=1) != wire.scene(found[1], stage="s", turn=0, level=1)


def test_a_level_without_an_answer_says_why_and_names_ways_out(source: Source) -> None:
    few = np.zeros((32, 32), np.int64)
    few[3, 3] = 20
    counts = ExactCounts.from_array(Grid(GeoBox(13.1, 52.35, 13.75, 52.65), 32), few)
    tiny = Previews(counts, budget_of=budget_of, wanted=1)
    chosen = replace(CHOSEN, method="peeled_balls")
    for level in LEVELS:
        tiny.main(Setting(method=chosen.method, k=2, level=level.number))
    found = scene.scene(replace(shown(source), chosen=chosen), tiny)
    last = found.stops[-1]
    assert last is not None and last.reason is not None and not last.layers
    assert "too few records" in last.reason["why"]
    assert {"method": state.AUTO} in [way.get("wish") for way in last.reason["ways"]]


# ---- bytes --------------------------------------------------------------------------------------------------------


def test_a_scene_read_back_is_the_one_that_was_written(source: Source, previews: Previews) -> None:
    found = scene.scene(shown(source), previews)
    read = decoded(wire.scene(found, stage="choose", turn=3, level=4))
    assert (read["stage"], read["turn"], read["level"], read["place"]) == ("choose", 3, 4, "own-x")
    for stop, back in zip(found.stops, read["stops"], strict=True):
        assert stop is not None
        points = next(layer for layer in stop.layers if layer.id == "coreset")
        described = next(layer for layer in back["layers"] if layer["id"] == "coreset")
        for name, held in points.columns.items():
            where = described["columns"][name]
            assert where["size"] == held.size
            assert np.array_equal(read["column"](where["at"]), held.values)
        assert described["length"] == len(points) and "data" not in described
        assert described["tip"]["names"] == list(points.tip.names)  # type: ignore[union-attr]


def test_a_column_that_layers_share_is_written_once() -> None:
    columns = wire.Columns()
    one = column(np.arange(6.0), np.arange(6.0))
    assert columns.place(one) == columns.place(one) == [0, 12]
    assert columns.place(Column(values=np.ones(2, np.float32))) == [12, 2]
    assert len(columns.bytes()) == 4 * 14


def test_a_million_points_are_cheap_to_write() -> None:
    """Sixteen bytes a point and no row of JSON: the whole of it in less than a second."""
    import time

    import pydeck as pdk

    points = np.random.default_rng(1).uniform(0, 1, (1_000_000, 2))
    layer = Layer(
        look=pdk.Layer("ScatterplotLayer", None, id="coreset"),
        order=1,
        columns={"getPosition": column(points[:, 0], points[:, 1]), "getRadius": column(points[:, 0])},
    )
    many = Scene(about="x", place="x", box=a_source().box, stops=(Stop(layers=(layer,)),))
    started = time.process_time()
    data = wire.scene(many, stage="s", turn=0, level=1)
    assert 12_000_000 <= len(data) < 12_001_000
    assert time.process_time() - started < 1.0


# ---- figures ------------------------------------------------------------------------------------------------------


def test_the_news_hold_figures_curves_and_the_answer_to_a_limit(source: Source, previews: Previews) -> None:
    asked = scene.Shown(source=source, chosen=CHOSEN, theme=LIGHT, with_chance=True)
    found = figures.news(asked, previews)
    assert len(found["figures"]) == len(LEVELS)
    assert all(one is not None and "9 of 10 tries" in one["items"][1][2] for one in found["figures"])
    error, size = found["curves"]
    assert all(value is not None for value in (*error["middle"], *error["low"], *error["high"], *size["middle"]))
    assert found["accept"]["told"]
    assert len(found["chance"]["draws"]) == 3 and found["chance"]["level"] == CHOSEN.level.number
    read = decoded(wire.news(found, stage="s"))
    assert read["levels"]["rows"][0][0] == LEVELS[0].name and read["curves"][0]["names"] == [one.name for one in LEVELS]


def test_closed_drawers_bring_no_draws(source: Source, previews: Previews) -> None:
    asked = scene.Shown(source=source, chosen=CHOSEN, theme=LIGHT)
    assert figures.news(asked, previews)["chance"] is None


def test_the_density_is_in_a_scene_only_while_its_layer_is_on(source: Source, previews: Previews) -> None:
    picture = Picture(url="data:image/png;base64,SECRET", box=source.box)
    off = scene.Shown(source=source, chosen=CHOSEN, theme=LIGHT, density=picture)
    assert "exact-density" not in layer_names(
        decoded(wire.scene(scene.scene(off, previews), stage="s", turn=0, level=1))
    )
    on = replace(off, chosen=replace(CHOSEN, layers=EVERYTHING))
    assert b"SECRET" in wire.scene(scene.scene(on, previews), stage="s", turn=0, level=1)
