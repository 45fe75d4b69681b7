"""The parts of the page *Compare*, shared by the app and the analysts' server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.labels.privacy_label import privacy_label
from dpviz.language import speaking
from dpviz.language.speaking import told as _
from dpviz.life.feed import Shelf, load_releases
from dpviz.releases.release import Release
from dpviz.ui.compare import (
    logic,
    page_areas,
    page_choice,
    page_maps,
    page_siting,
    pair_tables,
    precomputed,
    release_list,
    words as say,
)
from dpviz.ui.compare.logic import Matched
from dpviz.ui.compare.page_choice import Examples, Opened
from dpviz.ui.compare.page_maps import Picked
from dpviz.ui.map.view import Marker
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.session import shared_results, state
from dpviz.ui.session.session import current_session

About = tuple[int, str]  # how many centers, and which they keep small
Extra = list[float | None]  # that A's centers cost for B's records, and B's for A's


def draw(folders: Sequence[Path], examples: Examples | None = None) -> None:
    """Draw the whole page, maps first. `examples` publishes two example releases, where the process can."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_head"):
        st.title(_("Compare what was published"), width="content")
        elements.banner(words.MODE_ANALYST, "dpv-strict", short=True)
    st.html(Path(__file__).with_name("page.css"))
    found = load_releases(folders)
    found = found.with_opened(current_session().part(Opened).outcomes)
    page_choice.unreadable(found)
    if not found.releases:
        page_choice.empty(found, examples)
        return
    whole, beside = page_choice.choose(found, examples)
    a, other = page_choice.choose_parts(whole, beside)
    b = other or a  # nothing to compare with: A alone
    parts: tuple[Callable[[], None], ...] = (
        lambda: _maps(a, b, found),
        lambda: page_areas.draw(a, b, whole),
        lambda: page_siting.draw(a, _asked(a, b)[0]),
        lambda: _exports(a, b, found),
    )
    for tab, part in zip(st.tabs(list(say.TABS.values()), key="compare_tabs", on_change="rerun"), parts, strict=True):
        with tab:
            if tab.open:
                part()


def _maps(a: Release, b: Release, found: Shelf) -> None:
    """The maps first; beneath them what is asked of both, and what has to be known of them."""
    maps = st.container()
    k, objective, way = _question(a, b)
    _caveats(a, b, found)
    first, second = _centers_of(a, k, objective), _centers_of(b, k, objective)
    if a.id == b.id:
        with maps:
            _alone(a, first)
        return
    _compared(maps, a, first, b, second, (k, objective), way)


def _asked(a: Release, b: Release) -> tuple[int, str]:
    """How many centers, and which they keep small: what was asked under the maps, or what was published."""
    asked, fixed = current_session().part(Picked).asked, logic.asked_k(a, b)
    k, objective, _way = asked or (len(a.raw_centers), "k-means", "two")
    return fixed or k, objective


def _centers_of(release: Release, k: int, objective: str) -> pd.DataFrame:
    return shared_results.get_or_make(
        "centers", [release], (k, objective), lambda: logic.centers_of(release, k, objective)
    )


def _caveats(a: Release, b: Release, found: Shelf) -> None:
    both = ((a, say.A),) if a.id == b.id else ((a, say.A), (b, say.B))
    said: dict[str, list[str]] = {}
    for release, which in both:
        for sentence in (*release_list.tell_news(release, found), *logic.warnings_about(release)):
            said.setdefault(sentence, []).append(which)
    for sentence, named in said.items():
        st.warning(sentence.format(which=_(" and ").join(named)), icon=":material/warning:")
    if a.id == b.id:
        st.info(
            _("This is the only release here. Add another one to compare it with.")
            if len(found.releases) == 1
            else _("This is the only release of these data. Choose one of other data as B, or add another one.")
        )
    elif not logic.comparable(a, b):
        st.info(_("A and B cover different places or different kinds of records, so their centers cannot be paired."))
    elif not release_list.are_of_same_data(a, b):
        st.info(_("A and B are about different data."))
    if a.demonstration and b.demonstration:
        st.caption(
            _(
                "**These are examples**: releases of the demonstration city, whose records are public. Nobody’s "
                "privacy was spent."
            )
        )


def _question(a: Release, b: Release) -> tuple[int, str, str]:
    fixed = logic.asked_k(a, b)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        k = st.number_input(
            _("Centers to look for"),
            min_value=1,
            max_value=max(state.MOST_CLUSTERS, fixed or 1, len(a.raw_centers)),
            value=fixed or len(a.raw_centers),
            key=f"compare_k_{a.id}_{fixed}",
            disabled=fixed is not None,
            width=170,
        )
        objective = elements.choose(
            st.selectbox,
            _("Centers that keep small"),
            say.OBJECTIVES,
            key=f"compare_objective_{fixed}",
            disabled=fixed is not None,
            width=300,
        )
        way = "two"
        if a.id != b.id and logic.comparable(a, b) and logic.on_a_map(a):
            way = elements.choose(st.segmented_control, _("Show"), say.WAYS, default="two", required=True, key="way")
        if way == "two":
            page_maps.choose_drawing(a, b)
    without = [which for release, which in ((a, say.A), (b, say.B)) if release.raw_coreset is None]
    told = _("Ask as often as you like: questions to a published release cost no privacy.")
    if len(without) == 2:
        told = _("A and B hold centers only, no points: other numbers of centers cannot be asked of them.")
    elif without:
        told = _("{which} holds centers only, no points: other numbers of centers cannot be asked of it.")
    st.caption(told.format(which=without[0]) if without else told)
    current_session().part(Picked).asked = (int(k), objective, way)
    return int(k), objective, way


# ---- A beside B ------------------------------------------------------------------------------------------------


def _compared(
    maps: DeltaGenerator, a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, about: About, way: str
) -> None:
    """The maps, then whether what lies between A and B may be noise, their pairs and what they are."""
    match, exchanged = _laid_side_by_side(a, first, b, second, about)
    page_maps.read_picks(match)
    paired, drawn = logic.comparable(a, b), logic.on_a_map(a) and logic.on_a_map(b)
    way = way if paired and drawn else "two"
    with maps:
        if not drawn:
            st.info(say.NO_MAP)
        elif way == "one":
            with st.container(key="compared_one"):
                left, right = st.columns([0.52, 0.48], gap="medium")
            with left:
                page_maps.draw(a, first, b, second, match, way, about)
            with right:
                page_maps.draw_pairs(match, narrow=True)
        else:
            page_maps.draw(a, first, b, second, match, way, about)
    if exchanged is not None and about[1] == "k-means":
        _within_noise(a, first, b, second, match, about)
    _figures(a, b, match, exchanged)
    if way == "one":
        _facts(a, b)
    else:
        with st.container(key="compared"):
            left, right = st.columns([0.58, 0.42], gap="medium")
        with left:
            if paired and drawn:
                page_maps.draw_pairs(match)
            else:
                _centers(a, first, match.first, "A")
                _centers(b, second, match.second, "B")
        with right:
            _facts(a, b)
    _look_ahead(a, b, about)


def _laid_side_by_side(
    a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, about: About
) -> tuple[Matched, Extra | None]:
    """The pairs, and what each one's centers cost the other; None where they are of other boxes."""
    match = shared_results.get_or_make("matched", [a, b], about, lambda: logic.match_pairs(a, first, b, second))
    if not logic.comparable(a, b):
        return match, None
    both = ((b, first, second), (a, second, first))
    return match, shared_results.get_or_make(
        "exchanged", [a, b], about, lambda: [logic.extra_cost(*one, about[1]) for one in both]
    )


def _noise_alone(
    a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, about: About
) -> tuple[float, float] | None:
    left, right = (
        shared_results.get_or_make("moves", [one], about, partial(logic.measure_moves, one, centers))
        for one, centers in ((a, first), (b, second))
    )
    return shared_results.get_or_make(
        "noise-alone", [a, b], about, lambda: logic.expect_from_noise(a, first, b, second, left, right)
    )


def prepare(folders: Sequence[Path]) -> None:
    """What the first visitor would wait for: the releases, and the two that the page begins with. Draws nothing."""
    found = load_releases(folders)
    if not found.releases:
        return
    a, b = release_list.choose_first_pair(found.releases, found.news)
    k = logic.asked_k(a, b or a) or len(a.raw_centers)
    if b is None:
        _centers_of(a, k, "k-means")
        return
    _pair_ready(a, b, k, "k-means")
    _look_ahead(a, b, (k, "k-means"))


def _pair_ready(a: Release, b: Release, k: int, objective: str) -> None:
    about = (k, objective)
    first, second = _centers_of(a, *about), _centers_of(b, *about)
    _, exchanged = _laid_side_by_side(a, first, b, second, about)
    if exchanged is not None and objective == "k-means":
        _noise_alone(a, first, b, second, about)


def _look_ahead(a: Release, b: Release, about: About) -> None:
    """Other numbers of centers of this pair, where both can be asked for them."""
    if logic.asked_k(a, b) is None:
        precomputed.queue_pair(a, b, *about, _pair_ready)


def _within_noise(
    a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, match: Matched, about: About
) -> None:
    """Whether what lies between the centers may be noise; worked out when the maps are there."""
    average = match.average_m
    with st.spinner(_("Working out how far apart noise alone would put them …")):
        alone = _noise_alone(a, first, b, second, about)
    if alone is None or average is None or not logic.on_a_map(a):
        return
    told = (
        _(
            "**The same within noise.** The centers lie {apart} apart on average. If both were made of the same "
            "records, noise alone would put them about {expected} apart, and {most} would be nothing unusual."
        )
        if average <= alone[1]
        else _(
            "**More than noise.** The centers lie {apart} apart on average. If both were made of the same records, "
            "noise alone would put them about {expected} apart, and seldom more than {most}."
        )
    )
    apart, expected, most = (words.distance(found) for found in (average, *alone))
    st.markdown(told.format(apart=apart, expected=expected, most=most))


def _alone(release: Release, centers: pd.DataFrame) -> None:
    """A single release: its map, its centers, what it is."""
    markers = logic.markers_of(release, centers, say.CENTER_A)
    odds = (say.RIGHT_GUESSES, str(pair_tables.guesses(release)), say.RIGHT_NOTE)
    left, right = st.columns([0.58, 0.42], gap="medium")
    with left:
        if logic.on_a_map(release):
            page_maps.draw_alone(release, centers, markers)
        else:
            st.info(say.NO_MAP)
    with right:
        elements.figures([odds, (_("Protected points"), pair_tables.points(release), "")], columns=2)
        _centers(release, centers, markers, "A")
        _facts(release, release)


def _facts(a: Release, b: Release) -> None:
    st.header(_("What they are"))
    both = a.id != b.id
    tables.show(pair_tables.facts_table(a, b if both else None), caption=say.A_THEN_B if both else say.A, cards=False)


def _centers(release: Release, centers: pd.DataFrame, markers: Sequence[Marker], letter: str) -> None:
    title, is_map = _("Centers of {letter}").format(letter=letter), logic.on_a_map(release)
    st.header(title)
    table = pair_tables.centers_table(markers, letter) if is_map else pair_tables.coordinates_table(release, centers)
    tables.show(table, caption=title, cards=False)


def _figures(a: Release, b: Release, match: Matched, exchanged: Extra | None) -> None:
    farthest, average = match.farthest, match.average_m
    items = []
    if farthest is not None and average is not None and logic.on_a_map(a):
        items.append((_("Centers apart, on average"), words.distance(average), ""))
        items.append(
            (_("Farthest apart"), words.distance(farthest.metres), _("pair {number}").format(number=farthest.number))
        )
    if exchanged is not None and exchanged != [None, None]:
        ours, theirs = map(pair_tables.worse, exchanged)
        other = _("than B’s own; the other way round: {other}").format(other=theirs)
        items.append((_("A’s centers for B’s records"), ours, other))
    odds = _("{a} and {b}").format(a=pair_tables.guesses(a), b=pair_tables.guesses(b))
    items.append((say.RIGHT_GUESSES, odds, f"{say.A_THEN_B}; {say.RIGHT_NOTE}"))
    elements.figures(items)


# ---- files -----------------------------------------------------------------------------------------------------


def _exports(a: Release, b: Release, found: Shelf) -> None:
    k, objective = _asked(a, b)
    both = [(letter, one, _centers_of(one, k, objective)) for letter, one in (("A", a), ("B", b))]
    with st.container(key="compare_files"):
        for letter, release, centers in both[:1] if b.id == a.id else both:
            st.html(page_maps.format_heading(letter, release))
            with st.container(horizontal=True):
                content = shared_results.get_or_make("zip", [release], (), release.zip_bytes)
                elements.draw_download(words.DOWNLOAD, content, f"release-{release.id[:8]}.zip", key=f"zip_{letter}")
                if logic.on_a_map(release):
                    save = _("Download the {k} centers shown").format(k=len(centers))
                    points = pair_tables.centers_geojson(release, centers)
                    name = f"centers-{release.id[:8]}-{len(centers)}.geojson"
                    elements.draw_download(save, points, name, key=f"centers_{letter}", icon=False)
            with st.expander(words.LABEL):
                elements.label(privacy_label(release, speaking.language()), release.method)
        page_choice.no_answers(found)


# ---- the reading room --------------------------------------------------------------------------------------------


def draw_reading_room(folders: Sequence[Path]) -> None:
    """The page *Published releases* for readers: what was published, its label, its files. No ledger, no record."""
    st.title(_("Published releases"))
    left = _("What is here has left the house: it is protected, and may be passed on.")
    elements.banner((_("Published"), left), "dpv-strict")
    found = load_releases(folders)
    if not found.releases:
        st.markdown(_("Nothing has been published yet."))
        return
    names = release_list.name_releases(found.releases)
    by_id = {release.id: release for release in found.releases}
    chosen = by_id[elements.choose(st.selectbox, _("Release"), names, key="reader_release")]
    news = found.news.get(chosen.id)
    if news is not None:
        st.warning(words.as_text(f"{_(news.state)}. {news.notice}".strip()))
    content = shared_results.get_or_make("zip", [chosen], (), chosen.zip_bytes)
    elements.draw_download(words.DOWNLOAD, content, f"{chosen.id[:8]}.zip", icon=False)
    elements.label(privacy_label(chosen, speaking.language()), chosen.method)
