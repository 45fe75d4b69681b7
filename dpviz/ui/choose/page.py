"""The page *Choose*: title, mode, controls, the parts of the stage, and one fragment that reruns by itself.

The browser draws what depends on the level. A timer runs the fragment only while previews are sampled without a dialog.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.hosting import hosted_city
from dpviz.language.speaking import told as _
from dpviz.privacy import LEVELS
from dpviz.releases.release import Release
from dpviz.ui import stage
from dpviz.ui.choose import dialog_own_data, dialog_publish, figures, page_controls, scene
from dpviz.ui.map import counted
from dpviz.ui.map.counted import Counted
from dpviz.ui.own_data import registration, words as own_data_words
from dpviz.ui.own_data.registration import own_words, reopen_file
from dpviz.ui.page_parts import elements, words
from dpviz.ui.session import address, methods, sources, state, workspace
from dpviz.ui.session.session import Session, current_session, current_theme
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.stage import wire

STAGE = "choose"
_CLOCK_SECONDS = 1.0


def draw() -> None:
    """The whole page."""
    session = current_session()
    with session.page():
        session.hear(stage.read_heard(STAGE))
        follow_address(session)
        st.title(_("Choose how much to give away"))
        head = st.container(key="choose_head", gap=None)
        with st.container(key="choose_frame", gap=None):
            slider = st.container(key="choose_dial", gap="small")
            rest = st.container(key="choose_rest", gap="small")
            with st.container(key="choose_picture", gap="small"):
                stage.place(STAGE, "picture")  # says that the map is coming, before anything is computed
        with head:
            open_again(session)
            source = workspace.current_source(session)
            page_controls.keep_to_offered(session, source)
            mode(source)
            if session.unknown and session.chosen == session.asked_first:  # until something is chosen
                st.info(address.complaint(session.unknown), icon=":material/link_off:")
            if session.own_told:
                st.warning(session.own_told)
        with slider:
            dial(session, source)
        with rest:
            page_controls.draw(session, source)
        st.header(_("How the levels compare"))
        with st.container(key="curves"):
            pictures, accept = st.columns([2, 1], gap="medium")
        with pictures:
            stage.place(STAGE, "curves")
        with accept:
            page_controls.limits(session)
            stage.place(STAGE, "accepted")
        stage.place(STAGE, "drawers")
        write_address(session)
        # Where something beside the stage names the level, a step draws the whole page.
        speaks = session.dialog == "publish" or session.chosen.regions or st.session_state.get("details_open")
        session.drawn_level = session.chosen.level if speaks else None
        settled = figures.is_settled(session.chosen, workspace.previews(source, session.chosen.regions))
        # No timer under a dialog: Streamlit reports a dialog's run as interrupted when a fragment starts before the
        # run's end is sent, and then outdated elements stay on screen.
        ticks = not settled and session.dialog is None
        st.fragment(key="living", run_every=_CLOCK_SECONDS if ticks else None)(draw_living)(settled)
        if session.dialog == "publish":
            dialog_publish.open_publishing(session, source)
        elif session.dialog == "own" and hosted_city.city() is not None:
            session.close_dialog()
            st.switch_page("pages/data.py")  # no path is typed in a hosted house
        elif session.dialog == "own":
            dialog_own_data.open_own_data(session)


def open_again(session: Session) -> None:
    """Reopen own data that the address or the list names and that are not open in this session."""
    if session.chosen.data != "own" or session.own_name in session.own:
        return
    # Hosted: by name on the page Data, by nobody's path.
    records = registration.list_known() if hosted_city.city() is None else ()
    record = next((one for one in records if session.own_name in ("", one.name)), None)
    told = ""
    try:
        if record is not None:
            with st.spinner(_("Opening “{name}” again …").format(name=record.name)):
                session.open_own(reopen_file(record))
            return
    except DpvizError as problem:
        told = own_words(problem)
    except Exception:  # a reader's own message may quote a row
        told = own_data_words.OWN_UNREADABLE
    session.own_name, session.own_told = "", told
    session.set(data="city")


def mode(source: Source) -> None:
    """Which mode the page is in, and what looks like a mistake in the curator's file."""
    if source.mode is Mode.DEMONSTRATION:
        text = _(
            "{title}: {number} trips. The trips of this city are public: look around freely, nothing secret can get "
            "out here."
        ).format(title=source.called, number=words.whole(source.exact_data.exact_total))
        elements.banner((_("Demonstration data"), text), "dpv-demo")
    elif source.mode is Mode.STRICT:
        elements.banner(words.MODE_STRICT, "dpv-strict")
    elif hosted_city.city() is not None:  # the records are on the house's server
        text = _(
            "What you see here is not protected. It is for your eyes only; others get nothing of it until it is "
            "published."
        )
        elements.banner((_("Data of your house, preview"), text), "dpv-preview")
    else:
        elements.banner(words.MODE_PREVIEW, "dpv-preview")
    if source.facts:
        st.caption(" ".join(words.sentence(fact) for fact in source.facts))
    if source.notes:  # in one block: the map is to be seen without scrolling
        st.warning("  \n".join(words.sentence(hint) for hint in source.notes))


def dial(session: Session, source: Source) -> None:
    """Place slider and odds."""
    chosen = session.chosen
    own = source.dataset is not None and source.mode is not Mode.DEMONSTRATION
    left = float(source.dataset.remaining.epsilon) if own else None
    stage.place(
        STAGE,
        "dial",
        odds=session.recent(
            "odds", (source.id, chosen.method, left), lambda: scene.odds(source, chosen.method, left), most=4
        ),
        help=_(
            "Left: a sharper map that gives more away. Right: a coarser map that protects each {unit} better."
        ).format(unit=_(source.unit)),
        turn=session.turn,
        level=chosen.level.number,
        shown=chosen.layers,
    )
    if left is not None and left < min(level.epsilon for level in LEVELS):
        st.info(words.SUFFICES_NOT)
        st.page_link("pages/publications.py", label=_("What was published can be asked at no cost"))


def draw_living(settled: bool) -> None:
    """Exchange scene, news and reports with the stage. Reruns by itself while there is news, and after a step."""
    session = current_session()
    session.hear(stage.read_heard(STAGE))
    session.complete()
    source, look, chosen = workspace.current_source(session), current_theme(), session.chosen
    previews = workspace.previews(source, chosen.regions)
    previews.main(scene.setting_of(chosen))

    def ground(release: Release) -> Counted | None:
        return session.recent(
            "ground", (release.id, look.name), lambda: counted.counted(release, source.box, look), most=2 * len(LEVELS)
        )

    shows_density = "density" in chosen.layers
    density = session.recent("density", source.id, lambda: sources.density_picture(source)) if shows_density else None
    shown = scene.Shown(source=source, chosen=chosen, theme=look, density=density, ground=ground)
    drawn = (
        shown.about,
        chosen.layers,
        look.name,
        tuple(sorted(previews.known(chosen.method, chosen.k))),
        session.turn,
    )

    def encoded() -> bytes:
        return wire.scene(scene.scene(shown, previews), stage=STAGE, turn=session.turn, level=chosen.level.number)

    # The level that is looked at comes at once, the others as they are made.
    stage.show(session.recent("scene", drawn, encoded, most=4), key=STAGE, on_wish=_fulfil)
    write_address(session)
    inputs = replace(
        shown,
        area=page_controls.watched_area(chosen, source),
        forecast=figures.forecast(session, source, chosen),
        with_chance="chance" in session.heard.open,
        water=workspace.water(source),
    )
    previews.prepare(chosen.method, chosen.k, chosen.level, figures.limit_of(chosen))
    key = (source.id, chosen, previews.version, look.name, inputs.area and inputs.area.name, inputs.with_chance)
    stage.news(session.recent("news", key, lambda: figures.news(inputs, previews), most=2), key=STAGE)
    if settled != figures.is_settled(chosen, previews) and session.dialog is None:
        session.is_drawn = False  # the clock starts or stops with the whole page
        session.complete()


def _fulfil() -> None:
    """A button on the stage asks for other data or another method, or the browser has another address."""
    session, heard = current_session(), stage.read_heard(STAGE)
    session.hear(heard)
    wish = heard.wish or {}
    fields: dict[str, object] = {}
    if wish.get("address"):  # the browser went back or forward
        fields = dict(vars(address.read(_asked()).applied_to(session.chosen)))
    offered = {"method": (state.AUTO, *methods.rows()), "days": state.DAYS, "hour": range(24)}
    fields |= {name: wish[name] for name, values in offered.items() if wish.get(name) in values}
    session.set(**fields)
    if wish.get("address"):
        session.address = address.written(session.chosen)


# ---- the address -------------------------------------------------------------------------------------------------


def follow_address(session: Session) -> None:
    """Take over the address of the first visit. After a visit to another page the address is empty: write it again."""
    if session.address is None:
        found = address.read(_asked())
        session.choose(**found.fields)
        session.unknown, session.asked_first = found.unknown, session.chosen
        session.address = address.written(session.chosen)
    elif session.key("data") not in st.session_state:
        session.address = {}


def _asked() -> dict[str, str]:
    return {key: st.query_params[key] for key in address.KEYS if key in st.query_params}


def write_address(session: Session) -> None:
    """Write what the page shows into the address, only where that changed: the browser may have gone back meanwhile."""
    wanted = address.written(session.chosen)
    if wanted == session.address:
        return
    for key in address.KEYS:
        if key in wanted and st.query_params.get(key) != wanted[key]:
            st.query_params[key] = wanted[key]
        elif key not in wanted and key in st.query_params:
            del st.query_params[key]
    session.address = wanted
