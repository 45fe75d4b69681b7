"""The public box in the dialog *Use your own data*: by a name or four numbers, seen on a map; and a map file for it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from dpviz.basemap import world
from dpviz.domain import GeoBox
from dpviz.drawing.map_view import width_m
from dpviz.errors import DpvizError
from dpviz.language.speaking import as_now, figures, told as _
from dpviz.ui import stage
from dpviz.ui.map.view import Box
from dpviz.ui.own_data import words as own_data_words
from dpviz.ui.page_parts import words


def choose(appearance: str, *, takes_maps: bool = True) -> str:
    """The box as text, W,S,E,N; what was typed where it is none yet. `takes_maps`: a map file may be given for it."""
    from dpviz.ingest.cities import CITY_BOXES

    city = st.selectbox(
        _("Public box"),
        [own_data_words.OWN_BOX_TYPED, *sorted(CITY_BOXES)],
        key="own_city",
        help=_(
            "The box is public. Pick a city or type four numbers that you would tell "
            "anybody; never read them off your data."
        ),
    )
    known = CITY_BOXES.get(city)
    text = "" if known is None else _written(known.as_tuple())
    typed = st.text_input(
        own_data_words.OWN_BOX_TYPED,
        value=text,
        key=f"own_box_{city}",
        disabled=known is not None,
        placeholder="-74.05, 40.70, -73.90, 40.80",
        label_visibility="collapsed",
    )
    text = text or _of_a_place(typed)
    try:
        box = GeoBox.parse(text)
    except DpvizError:
        return text
    seen = Box(west=box.west, south=box.south, east=box.east, north=box.north)
    with st.container(key="own_box_seen"):
        drawn = stage.draw_box(seen, appearance, key=f"own_drawn_{text}")
        if drawn is not None:
            seen, box = drawn, GeoBox(drawn.west, drawn.south, drawn.east, drawn.north)
            text = _written(box.as_tuple())
        st.caption(
            _("The public box {box}, {wide} wide. Everybody will see it.").format(
                box=_written(box.as_tuple()), wide=words.distance(width_m(box.as_tuple()))
            )
        )
        if takes_maps:
            _map_file(box)
    return text


def _of_a_place(typed: str) -> str:
    """A typed name is a place with a width; anything else stays what it is."""
    if not typed.strip() or any(letter.isdigit() for letter in typed):
        return typed
    found = world.search(typed, most=6)
    if not len(found):
        st.warning(
            _(
                "No place of the bundled map begins with “{name}”. Some cities stand there by "
                "their English names alone, such as Florence. Or type four numbers."
            ).format(name=words.as_text(typed.strip()[:60]))
        )
        return typed
    one, two = st.columns([2, 1])
    at = one.selectbox(
        own_data_words.OWN_BOX_TYPED,
        range(len(found)),
        format_func=as_now(
            lambda at: _("{name} ({people} people; {lat}, {lon})").format(
                name=found.names[at],
                people=figures(f"{found.inhabitants[at]:,}"),
                lat=f"{found.lat[at]:.1f}",
                lon=f"{found.lon[at]:.1f}",
            )
        ),
        key=f"own_place_{typed}",
        label_visibility="collapsed",
    )
    across = two.number_input(_("How wide, in kilometres"), min_value=1, max_value=200, value=16, key="own_across")
    return _written(world.box_around(float(found.lon[at]), float(found.lat[at]), across_m=1000.0 * float(across)))


def _written(box: tuple[float, float, float, float]) -> str:
    return ", ".join(f"{value:g}" for value in box)


def _map_file(box: GeoBox) -> None:
    """A map file dropped here is read around the box and kept."""
    given = st.file_uploader(
        _(
            "If you have one, a map file of this city (streets, parks, names): PMTiles, "
            "MBTiles, .osm.pbf, GeoPackage or GeoJSON"
        ),
        key="own_map",
        help=_("The parts of it that a map needs are kept on this computer. Nothing is fetched from anywhere."),
    )
    if given is None or not st.button(_("Add this map"), key="own_map_add"):
        return
    from dpviz.basemap import added_maps
    from dpviz.ui.map.surroundings import maps_folder

    try:
        with st.spinner(_("Reading the map …")), tempfile.TemporaryDirectory(prefix="dpviz-map-") as folder:
            copy = Path(folder) / Path(given.name).name
            copy.write_bytes(given.getbuffer())
            added = added_maps.add(copy, box.as_tuple(), folder=maps_folder())
            city = added_maps.best(box.as_tuple(), maps_folder())
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    except Exception:
        st.error(own_data_words.OWN_UNREADABLE)
        return
    st.success(
        _("The map is added: {names} names. {credit}").format(
            names=0 if city is None else len(city.places), credit=added.credit
        )
    )
