"""The publish dialog in three steps: what leaves, what it costs, one typed word; then the poster and what is next."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dpviz.domain import ExactCounts
from dpviz.drawing.picture import picture
from dpviz.errors import DpvizError, LedgerRefusal
from dpviz.hosting.desk import Desk
from dpviz.labels.privacy_label import privacy_label
from dpviz.language import ENGLISH, speaking
from dpviz.language.speaking import told as _
from dpviz.publishing.approvals import NeedsApproval, Refused as NotPermitted
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import Quote, StoredAnswer, publish, quote
from dpviz.publishing.mechanism_run import expected_parts
from dpviz.releases.about import About
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.map import charts, surroundings
from dpviz.ui.map.view import Box
from dpviz.ui.own_data.page_running import shown_errors
from dpviz.ui.page_parts import elements, icons, tables, words
from dpviz.ui.person import page_person, words as hosted
from dpviz.ui.session import methods, regions, workspace
from dpviz.ui.session.preview import Refused
from dpviz.ui.session.session import Published, Session, current_session, current_theme, open_dialog
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import AUTO, ChooseState

MOST_PARTS_OPEN = 12


def open_publishing(session: Session, source: Source) -> None:
    """The dialog, titled with the level's name. It is about what is chosen: a step of the slider that the server hears
    of after the click opens it anew, for the level that the page shows.
    """
    title = _("Publish “{level}”").format(level=words.level_name(session.chosen.level))
    open_dialog(title, _body, source, session.chosen, on_dismiss=session.close_dialog)


def _body(source: Source, chosen: ChooseState) -> None:
    session = current_session()
    purpose = (methods.takes_purposes(chosen.method) and session.purpose) or methods.usual_purpose(chosen.method)
    key = (source.id, chosen.level.number, chosen.k, chosen.method, chosen.regions, purpose)
    done = session.published
    if done is not None and done.key == key:
        after_publishing(done, demonstration=source.mode is Mode.DEMONSTRATION, series=source.dataset is not None)
        return
    package = "" if chosen.method == AUTO else methods.rows()[chosen.method]["package"]
    unvetted = _("Publish with a method of {package}, although nobody has checked for dpviz whether it protects.")
    if package and not st.checkbox(words.as_text(unvetted.format(package=package)), key="publish_unvetted"):
        return
    try:
        dataset = methods.dataset_of(source)
        request = replace(methods.request_of(chosen), purpose=purpose, unvetted=bool(package))
        if source.parts is not None:
            request = replace(request, method=AUTO, parts=source.parts)
        price = quote(dataset, request)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    desk = page_person.desk_or_none()
    needed = None if desk is None or price.stored else desk.what_is_needed(dataset, request)
    if isinstance(needed, NotPermitted):
        st.info(hosted.NOT_PUBLISHER)
        return
    if not price.allowed:  # said first: nothing is to be filled in where nothing can be published
        _budget(dataset, price)
        st.page_link("pages/publications.py", label=_("What was published can be asked at no cost"))
        return
    st.caption(_("Step {number} of 3").format(number=session.step + 1))
    goes_on = session.step < 2
    if session.step == 0:
        _what_leaves(source, chosen, purpose)
    elif session.step == 1:
        _what_it_costs(source, chosen, dataset, price)
        if source.parts is not None and source.mode is Mode.PREVIEW:
            _expect_parts(dataset, request)
        goes_on = _goes_on_although_answered(price.answered_by, chosen.k)
        if goes_on and desk is not None and isinstance(needed, NeedsApproval):
            _ask_somebody(desk, needed, dataset, request)
            goes_on = False
    else:
        _confirm(source, chosen, dataset, request, key, again=price.stored)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        back, go = (partial(setattr, session, "step", session.step + by) for by in (-1, 1))
        st.button(_("Back"), on_click=back, disabled=not session.step, key="publish_back")
        if goes_on:
            st.button(_("Next"), type="primary", on_click=go, key="publish_next")


def _confirm(
    source: Source,
    chosen: ChooseState,
    dataset: Dataset,
    request: ReleaseRequest,
    key: tuple[object, ...],
    *,
    again: bool,
) -> None:
    """Type the level's name, and publish."""
    level = words.level_name(chosen.level)
    typed = st.text_input(_("Type the level’s name to confirm: {level}").format(level=level), key="publish_word")
    st.caption(
        _(
            "The map is made anew from your records for this. The preview shows made-up data only, "
            "so the two may differ."
        )
        if source.mode is Mode.STRICT
        else _("The map is made anew for this. It will look similar to the preview, not the same.")
    )
    if not st.button(_("Publish"), type="primary", key="publish_go"):
        return
    if typed.strip().casefold() != level.casefold():
        st.error(_("Type {level} to go on.").format(level=level))
        return
    outcome = _publish(source, dataset, request)
    if outcome is not None:
        current_session().published = Published(key=key, outcome=outcome, again=again)
        st.rerun(scope="fragment")


def _expect_parts(dataset: Dataset, request: ReleaseRequest) -> None:
    """What to expect of every part, for the curator: its records, the error of its number and that of its centers."""
    data = dataset.data
    assert isinstance(data, ExactCounts)
    found = current_session().recent(
        "parts", (dataset.name, request.key(dataset.name)), lambda: expected_parts(data, request), most=1
    )
    weak, many = int(found["weak"].sum()), len(found)
    heading = _("What to expect of each map (for your eyes only)")
    st.markdown(f"**{heading}**")
    told = _("On all {many} maps the number of records is larger than its error.")
    if weak:
        told = _(
            "Of {weak} of {many} maps the error is as large as the number of records, so they say little. They are "
            "published all the same, and marked: leaving them out would tell something."
        )
    st.markdown(told.format(weak=weak, many=many))
    rows = [
        (
            words.as_text(part),
            words.whole(records),
            f"± {words.whole(round(reach))}",
            words.percent(error),
            _("says little") if is_weak else "",
        )
        for part, records, reach, error, is_weak in found.itertuples(index=False)
    ]
    with st.expander(_("Every map"), expanded=many <= MOST_PARTS_OPEN):
        heads = list(_(("Map", "Records", "Error", "Centers fit worse by", "Note")))
        tables.show(pd.DataFrame(rows, columns=heads), caption=heading)


def _goes_on_although_answered(answer: StoredAnswer | None, k: int) -> bool:
    """Offer what a stored release answers for nothing; whether the curator wants to pay all the same."""
    if answer is None:
        return True
    told = {"k": k, "day": answer.published or answer.release.id[:8]}
    free = _(
        "{k} centers can be asked of your release of {day} at no cost. It has at least this level, so the map would be "
        "the same up to the random changes."
    )
    st.info(words.as_text(free.format(**told), 300))
    if st.toggle(_("Show them"), key=f"publish_answered_{answer.release.id}_{k}"):
        _centers(answer.release, k, _("{k} centers of the release of {day}").format(**told))
    return st.checkbox(
        _("Publish another release all the same, and use up budget for it"), key=f"publish_pay_{answer.release.id}_{k}"
    )


def _ask_somebody(desk: Desk, needed: NeedsApproval, dataset: Dataset, request: ReleaseRequest) -> None:
    """In a hosted house: ask somebody else to approve."""
    if needed.waiting is not None:
        st.success(hosted.ASK_DONE)
        return
    st.info(words.as_text(hosted.ASK_NOTE.format(dataset=dataset.name), 300))
    why = st.text_input(_("Why it should be published (who approves reads it)"), key="publish_why", max_chars=300)
    if st.button(hosted.ASK_GO, type="primary", key="publish_ask"):
        with shown_errors():
            desk.ask(dataset, request, why)
            st.rerun(scope="fragment")


def _what_leaves(source: Source, chosen: ChooseState, purpose: str) -> None:
    """What is published and the words that go with it; what the budget is for stands behind a fold."""
    session = current_session()
    leaves = _(
        "- points made with protection, each standing for a number of records, and the counts they come from, changed "
        "at random\n"
        "- {k} centers, found with protection\n"
        "- the method, the level and the public box\n"
        "- the name of the data set and, where you gave one, of the column that tells persons apart\n"
        "- a page in plain words on what is promised"
    )
    st.markdown(f"**{_('What leaves the house')}**\n\n" + leaves.format(k=chosen.k))
    about = {  # public words of the release, and the reason, which stays in the ledger
        "title": _("Title (may be left out)"),
        "licence": _("Licence"),
        "contact": _("Contact"),
        "reason": _("Reason (for the ledger, not published)"),
    }
    for name, label in about.items():
        if name != "reason" or source.mode is not Mode.DEMONSTRATION:
            session.about[name] = st.text_input(
                label, value=session.about.get(name, ""), max_chars=300, key=f"publish_{name}"
            )
    if methods.takes_purposes(chosen.method):
        purposes = _({"centers": "The centers", "balanced": "Both", "any question": "Any question"})
        captions = _(
            (
                "The centers are as exact as they can be. Counts of areas have an error about a third larger than with "
                "the choice “Any question” (on public test maps).",
                "Counts of areas have an error about a fifth larger than with “Any question”. Protection makes squared "
                "distances to the nearest center larger; here that loss is nearly twice as large as with “The "
                "centers”.",
                "Counts of areas, percentages and distances have the smallest errors that the level allows. Protection "
                "makes squared distances to the nearest center larger; here that loss is nearly three times as large "
                "as with “The centers”.",
            )
        )
        with st.expander(_("What is it for? {purpose}").format(purpose=purposes[purpose])):
            session.purpose = elements.choose(
                st.radio,
                _("What is it for?"),
                purposes,
                index=list(purposes).index(purpose),
                captions=captions,
                key="publish_purpose",
                label_visibility="collapsed",
            )
            if session.purpose != methods.usual_purpose(chosen.method):
                st.markdown(_("The preview was made for both, so what is published will differ more from it."))


def _what_it_costs(source: Source, chosen: ChooseState, dataset: Dataset, price: Quote) -> None:
    """What it risks and takes of the budget, and what may go wrong."""
    odds = words.odds_told(methods.guarantee_of(source, chosen.level, chosen.method), source.record)
    st.markdown(f"**{_('What it risks')}**\n\n{odds}")
    if isinstance(workspace.looked_at(source, chosen), Refused) and not price.stored:
        costs = "" if source.mode is Mode.DEMONSTRATION else " " + _("It counts as given away all the same.")
        st.warning(_("In the preview this level gave no map. Publishing it may well give none either.") + costs)
    st.markdown(f"**{_('What it gives away')}**")
    for sentence in regions.describe(chosen.regions, chosen.level, source.unit):
        st.markdown(f"- {sentence}")
    if price.stored:
        st.info(_("This was published before: the stored release is shown, and nothing more is given away."))
    elif source.mode is Mode.DEMONSTRATION:
        st.markdown(
            _("Nothing secret: the records of this city are public. Publish as often as you like, for practice.")
        )
    else:
        _budget(dataset, price)
    if source.mode is not Mode.STRICT:
        choice = _(
            "The promise is about what is published. It is not about your choice of level, clusters and method, or to "
            "publish at all, if you made it after looking at the original data."
        )
        st.caption(choice)


def _budget(dataset: Dataset, price: Quote) -> None:
    """The ledger before and after, in parts of 100; what is missing where it does not suffice."""
    total = float(dataset.total.epsilon)
    left, cost = float(price.before.epsilon), float(price.cost.epsilon)
    told = _(
        "Of the privacy budget of “{dataset}” (100 parts), {before} were used up before, this "
        "release takes {request}, and {after} are left."
    ).format(
        dataset=dataset.name,
        before=words.parts_of_100(total - left, total),
        request=words.parts_of_100(cost, total),
        after=words.parts_of_100(max(left - cost, 0.0), total),
    )
    st.html(icons.picture(charts.budget_bar(total - left, cost, total, current_theme()), told))
    if price.allowed:
        st.html(charts.budget_key(current_theme()))
        st.markdown(told)
    else:
        st.error(too_much(cost, left, total))


def too_much(requested: float, remaining: float, total: float) -> str:
    """Requested, remaining, difference, in parts of 100 of the budget; where nothing of it is missing, δ is."""
    if requested <= remaining:
        return _(
            "The protection of this method may fail in very rare cases. How often that may happen with these data is "
            "limited, and the limit would be passed. Choose another method."
        )
    return _(
        "This would give away too much. Of the privacy budget (100 parts) it takes {requested}, and {remaining} are "
        "left: {difference} are missing. Choose a stricter level; what was published before can be had again."
    ).format(
        requested=words.parts_of_100(requested, total),
        remaining=words.parts_of_100(remaining, total),
        difference=words.parts_of_100(requested - remaining, total),
    )


def _publish(source: Source, dataset: Dataset, request: ReleaseRequest) -> Release | NoAnswer | None:
    session, desk, spoken = current_session(), page_person.desk_or_none(), speaking.language()
    try:
        given = {name: text for name, text in session.about.items() if name != "reason" and text.strip()}
        about = About(**given, language="" if spoken == ENGLISH else spoken)
        why = session.about.get("reason", "").strip()
        with st.spinner(_("Making and storing …")):
            ground = None if source.map is None else source.map.geojson(source.box)
            if desk is not None:
                return desk.publish(dataset, request, about=about, basemap=ground, why=why)
            return publish(dataset, request, about=about, basemap=ground, why=why, even_if_answered=True)
    except DpvizError as problem:
        st.error(refusal_words(problem, dataset))
    return None


def refusal_words(problem: DpvizError, dataset: Dataset) -> str:
    """Requested, remaining, difference where the ledger says them; the sentence of the error otherwise."""
    values = problem.values if isinstance(problem, LedgerRefusal) else {}
    total = float(dataset.total.epsilon)
    if values.get("part") == "delta":
        return too_much(0.0, 0.0, total)
    if {"requested", "remaining"} <= set(values):
        return too_much(float(values["requested"]), float(values["remaining"]), total)
    return words.sentence(problem.message)


def after_publishing(done: Published, *, demonstration: bool = False, series: bool = False) -> None:
    """The poster on the whole screen with what is next; then the label. A demonstration costs nobody anything."""
    outcome = done.outcome
    if isinstance(outcome, NoAnswer):
        told = _("The method gave no answer ({reason}).").format(
            reason=words.REASONS.get(str(outcome.reason), str(outcome.reason))
        )
        costs = _("It counts as given away all the same: even no answer tells something about the data.")
        st.warning(told if demonstration else f"{told} {costs}")
        return
    session = current_session()
    with st.container(key="published"):
        again = _("This was published before: the stored release is shown, and nothing more is given away.")
        st.success(again if done.again else _("Published."), icon=":material/check:")
        poster = session.recent("poster", outcome.id, lambda: _poster(outcome), most=1)
        with st.container(horizontal=True):
            plain = re.sub(r"[^A-Za-z0-9]+", "-", str(outcome.dataset or "release")).strip("-") or "release"
            name = f"{plain}-{outcome.id[:8]}"  # every system takes it
            if poster is not None:
                elements.draw_download(_("Share the poster"), poster, f"{name}.png", key="publish_poster")
            content = session.recent("zip", outcome.id, outcome.zip_bytes, most=1)
            elements.draw_download(words.DOWNLOAD, content, f"{name}.zip", type="primary")
            asks = outcome.raw_coreset is not None and st.button(
                _("Ask it 8 centers for free"), icon=":material/query_stats:", key="publish_ask_it"
            )
            if series and st.button(_("Next month …"), icon=":material/event_upcoming:", key="publish_next_month"):
                session.close_dialog()
                st.switch_page("pages/publications.py")
        if asks:
            _centers(outcome, 8, _("8 centers of this release"))
        if poster is not None:
            told = _("Poster of the release: {sentence}").format(sentence=words.odds_told(outcome.guarantee, "record"))
            st.html(icons.picture_file(poster, told))
        with st.expander(words.LABEL, expanded=poster is None):
            elements.label(privacy_label(outcome, speaking.language()), outcome.method)


def _centers(release: Release, k: int, caption: str) -> None:
    """Centers with the places that they lie near and the records that each stands for."""
    held = current_session().recent("answered", (release.id, k), lambda: release.centers_for(k=k), most=1)
    frame = release.frame
    (west, south), (east, north) = frame.low[-2:], frame.high[-2:]
    lon, lat = (held[name].to_numpy() for name in frame.names[-2:])  # trips by their last end
    near = surroundings.namer_of(Box(west=west, south=south, east=east, north=north))(lon, lat)
    columns = {
        _("Center"): [str(number + 1) for number in range(len(held))],
        _("Near"): [name or "–" for name in near],
        _("Longitude"): [speaking.figures(f"{value:.5f}") for value in lon],
        _("Latitude"): [speaking.figures(f"{value:.5f}") for value in lat],
        _("Stands for {record}s, about").format(record=_("record")): [
            words.count(max(value, 0)) for value in held["weight"]
        ],
    }
    tables.show(pd.DataFrame(columns), caption=caption)


def _poster(release: Release) -> bytes | None:
    """The release as a picture; None where it lies on no map of places."""
    try:
        with speaking.spoken_in(ENGLISH):  # a picture is English as a whole
            return picture(release, "png")
    except DpvizError:
        return None
