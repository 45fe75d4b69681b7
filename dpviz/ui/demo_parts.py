"""The scenes on screen: Next, Back, Start again; the scene's number is in the address."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.privacy import LEVELS, Level
from dpviz.ui import cache, charts, choose, demo, elements, icons, state, words, workspace
from dpviz.ui import demo_words as say
from dpviz.ui.demo import Score, Story
from dpviz.ui.preview import Drawn, Setting
from dpviz.ui.sources import Source
from dpviz.ui.view import MapView, Marker


def page() -> None:
    """The whole page."""
    number = _scene()
    st.title(say.TITLES[number])
    elements.banner(words.MODE_GAME, "dpv-demo")
    st.html(demo.CSS)
    _buttons(number)
    source = workspace.city(demo.NIGHT)
    story: Story = cache.keep("story", lambda: demo.find_story(workspace.counts_of(source), source.map))
    with st.container(key="scene"):
        _SCENES[number](source, story)
    with st.expander(words.NOTES):
        st.markdown(say.NOTES[number])


def _scene() -> int:
    try:
        number = int(st.query_params.get("scene", "1")) - 1
    except ValueError:
        number = 0
    return min(max(number, 0), len(say.TITLES) - 1)


def _go(number: int) -> None:
    st.query_params["scene"] = str(number + 1)


def _buttons(number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="scene_buttons"):
        st.button(words.BACK, on_click=_go, args=(number - 1,), disabled=number == 0, shortcut="PageUp")
        last = number == len(say.TITLES) - 1
        st.button(words.NEXT, on_click=_go, args=(number + 1,), disabled=last, shortcut="PageDown", type="primary")
        st.button(words.RESTART, on_click=_go, args=(0,), disabled=number == 0, shortcut="Home")
        st.markdown(say.STEP.format(number=number + 1))


def _not_anonymous(source: Source, story: Story) -> None:
    theme = cache.theme()
    left, right = st.columns([0.42, 0.58], gap="large")
    with left:
        st.markdown(
            say.SCENE_1.format(total=f"{story.total:,}", alone=f"{story.alone:,}", place=story.lonely.name or "–")
        )
        st.markdown(say.SCENE_1_ROUND.format(alone=f"{story.alone_rounded:,}"))
        st.markdown(say.SCENE_1_RULE.format(least=demo.AT_LEAST, place=story.threshold.name or "–"))
    with right:
        view = MapView(
            box=source.box,
            place=source.title,
            exact_density=cache.keep("density-night", lambda: workspace.density(source)),
            sites=(
                Marker(number=1, lon=story.lonely.lon, lat=story.lonely.lat, tip="A trip that is alone in its square"),
            ),
        )
        elements.draw_map(view, cache.camera("demo", source.box, size=(680, 420)), theme, key="demo_map", height=420)
        st.caption(say.SCENE_1_MAP)
    least = demo.AT_LEAST
    without = story.threshold_window.copy()
    without[demo.WINDOW // 2, demo.WINDOW // 2] -= 1
    titles = (say.RECORDED, say.ROUNDED, say.RULE_WITH.format(least=least), say.RULE_WITHOUT.format(least=least))
    windows = (story.lonely_window, story.rounded_window, story.threshold_window, without)
    drawn = [
        (title, demo.squares(cells, theme, hide_below=below), demo.squares_alt(cells, title, hide_below=below))
        for title, cells, below in zip(titles, windows, (None, None, least, least), strict=True)
    ]
    st.html(demo.pictures(drawn))


def _in_or_out(source: Source, story: Story) -> None:
    theme = cache.theme()
    st.markdown(say.SCENE_2)
    without = story.lonely_window.copy()
    without[demo.WINDOW // 2, demo.WINDOW // 2] -= 1
    strength = state.DEFAULT_LEVEL.epsilon
    noisy = cache.keep(
        "worlds", lambda: [demo.with_chance(cells, strength) for cells in (story.lonely_window, without)]
    )
    titles = (say.WITH_TRIP, say.WITHOUT_TRIP, say.CHANCE_WITH, say.CHANCE_WITHOUT)
    windows = (story.lonely_window, without, *noisy)
    st.html(
        demo.pictures(
            [
                (title, demo.squares(cells, theme), demo.squares_alt(cells, title))
                for title, cells in zip(titles, windows, strict=True)
            ]
        )
    )
    st.markdown(say.SCENE_2_IDEA)


def _dial(source: Source, story: Story) -> None:
    st.markdown(say.SCENE_3)
    theme = cache.theme()
    previews = workspace.previews(source)
    for column, level in zip(st.columns(3, gap="medium"), (LEVELS[0], LEVELS[3], LEVELS[6]), strict=True):
        drawn = previews.main(Setting(method=state.AUTO, k=state.DEFAULT_K, level=level.number))
        with column:
            st.header(level.name)
            if not isinstance(drawn, Drawn):
                st.markdown(words.NO_ANSWER.format(level=level.name, reason=drawn.reason))
                continue
            _level_picture(source, drawn, level)
            right = words.odds_of_100(level.epsilon)
            shift = words.distance(drawn.exact_evaluation.shift_m)
            array = icons.picture(icons.odds_array(right, theme), words.odds_alt(level.epsilon), max_width="120px")
            told = "".join(f"<p>{text}</p>" for text in (say.SCENE_3_ODDS, say.SCENE_3_SHIFT))
            st.html(f"<div class='dpv-level'>{array}<div>{told.format(right=right, shift=shift)}</div></div>")
    st.caption(say.SCENE_3_KEY)


def _level_picture(source: Source, drawn: Drawn, level: Level) -> None:
    raw, weights = drawn.release.raw_coreset, drawn.release.coreset_weights
    if raw is None or weights is None:
        return
    water = "" if source.map is None else source.map.water_path(source.box, 450, 396)
    drawing = charts.small_map(
        source.box,
        raw[:, 0],
        raw[:, 1],
        weights,
        [(float(x), float(y)) for x, y in drawn.release.raw_centers],
        water,
        cache.theme(),
        width=450,
        most=4096,
    )
    alt = words.CHANCE_ALT.format(
        number=level.name,
        points=f"{len(raw):,}",
        k=len(drawn.release.raw_centers),
        error=words.percent(drawn.exact_evaluation.relative_error),
    )
    st.html(icons.picture(drawing, alt))


def _game(source: Source, story: Story) -> None:
    theme = cache.theme()
    name = st.select_slider(
        say.SCENE_4_DIAL, [level.name for level in LEVELS], value=state.DEFAULT_LEVEL.name, key="game_level", width=520
    )
    level = state.level_named(name)
    promised = words.odds_of_100(level.epsilon)
    middle = int(story.threshold_window[demo.WINDOW // 2, demo.WINDOW // 2])
    st.markdown(say.SCENE_4.format(value=middle))
    game = cache.last("round", (level.number, cache.get("rounds", 0)), lambda: _deal(story, level))
    pictures, score = st.columns([0.58, 0.42], gap="large")
    with pictures:
        drawn = [
            (title, demo.squares(cells, theme), demo.squares_alt(cells, title))
            for title, cells in ((say.LEFT, game.left), (say.RIGHT, game.right))
        ]
        st.html(demo.pictures(drawn))
        with st.container(horizontal=True, gap="small", key="guesses"):
            for guess, side in ((say.GUESS_LEFT, 0), (say.GUESS_RIGHT, 1)):
                st.button(
                    guess,
                    key=f"guess_{side}",
                    on_click=_guess,
                    args=(side, game.with_trip, level.number),
                    width="stretch",
                )
    with score:
        _scores(level, promised)


def _deal(story: Story, level: Level) -> demo.Round:
    return demo.deal(story.threshold_window, level.epsilon)


def _guess(side: int, answer: int, level: int) -> None:
    scores: dict[int, Score] = cache.keep("scores", dict)
    scores[level] = scores.get(level, Score()).after(side == answer)
    cache.put("verdict", (side == answer, answer, level))
    cache.put("rounds", cache.get("rounds", 0) + 1)


def _scores(level: Level, promised: int) -> None:
    theme = cache.theme()
    verdict = cache.get("verdict")
    if verdict is not None and verdict[2] == level.number:
        correct, answer, _ = verdict
        told = (say.RIGHT_GUESS if correct else say.WRONG_GUESS).format(side=say.SIDES[answer])
        (st.success if correct else st.warning)(f"{told} {say.NEW_ROUND}")
    scores: dict[int, Score] = cache.keep("scores", dict)
    score = scores.get(level.number, Score())
    if score.rounds:
        right, shown = sum(score.rounds), len(score.rounds)
        alt = say.TALLY_ALT.format(shown=shown, right=right, wrong=shown - right)
        st.html(icons.picture(demo.tally(score.rounds, theme), alt, max_width="400px"))
    st.markdown(say.AUDIENCE.format(right=score.right, played=score.played, promised=promised))
    if st.button(say.MACHINE, type="primary"):
        cache.put(f"machine-{level.number}", demo.machine_score(level.epsilon))
    machine: Score | None = cache.get(f"machine-{level.number}")
    if machine is not None:
        share = round(100 * machine.right / machine.played)
        alt = say.MACHINE_ALT.format(share=share, promised=promised)
        st.html(icons.picture(demo.score_bar(machine.right, machine.played, promised, theme), alt, max_width="460px"))
        st.markdown(
            say.MACHINE_RESULT.format(
                right=machine.right,
                played=f"{machine.played:,}",
                promised=promised,
                luck=demo.luck(machine.played),
            )
        )
    st.caption(say.OUT_OF)


def _published(source: Source, story: Story) -> None:
    theme = cache.theme()
    level = state.DEFAULT_LEVEL
    drawn = workspace.previews(source).main(Setting(method=state.AUTO, k=state.DEFAULT_K, level=level.number))
    left, right = st.columns([0.36, 0.64], gap="large")
    with left:
        st.markdown(say.SCENE_5.format(level=level.name))
        st.markdown(say.SCENE_5_LIST)
        st.page_link("pages/compare.py", label=say.SCENE_5_GO, icon=":material/compare:")
        st.page_link("pages/choose.py", label=say.SCENE_5_CHOOSE, icon=":material/tune:")
    with right:
        if isinstance(drawn, Drawn):
            view = choose.map_view(source, drawn).protected_only()
            elements.draw_map(view, cache.camera("demo5", source.box), theme, key="demo_published", height=540)
            points, centers = say.SCENE_5_KEY
            elements.key_line(
                [(icons.legend_key("coreset", theme), points), (icons.legend_key("protected", theme), centers)]
            )


_SCENES: tuple[Callable[[Source, Story], None], ...] = (_not_anonymous, _in_or_out, _dial, _game, _published)
