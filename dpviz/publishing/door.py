"""The one door. Spend, then draw; store whole or not at all; never refund; the same request costs once.

Order: look for the stored release · get the permit (`approvals`) · plan on public facts · lock this request · put the
folder together with a made-up answer, so that what can be refused is refused now · reserve the whole charge in one
transaction · draw from the secure source · write the folder atomically · note that it is stored. A process killed
between two steps leaves a charge without a folder; nothing was shown, so the same request later draws afresh under it.
"""

from __future__ import annotations

import contextlib
import shutil
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpviz.domain import ExactCounts
from dpviz.errors import CHARGED, DpvizError, InputError, LedgerRefusal, StoreError, UnledgeredRelease
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Who
from dpviz.ledger.rows import Amount, ChargeRow, writable
from dpviz.life.feed import PUBLISHED_STATE
from dpviz.life.folder_files import folder_files
from dpviz.life.publications import publications, refresh_feed, stored_release
from dpviz.mechanisms.forecast import Forecast
from dpviz.mechanisms.interface import ExactData
from dpviz.mechanisms.series_cells import Past, past_of
from dpviz.noise import NoiseSource, secure_source
from dpviz.publishing.approvals import ChargeRequest, charge_once, permit, refuse_unvetted_method
from dpviz.publishing.assemble import Circumstances
from dpviz.publishing.datasets import Dataset, check_content
from dpviz.publishing.mechanism_run import (
    Prepared,
    expected_error,
    prepare,
    public_facts,
    refuse_own_records,
    rehearse,
    run,
)
from dpviz.publishing.populations import membership, population
from dpviz.releases.about import About, stamp_words
from dpviz.releases.release import PUBLISHED, NoAnswer, Release
from dpviz.releases.request import STAND_IN, ReleaseRequest
from dpviz.releases.signing import own_public_key, with_signature
from dpviz.releases.store import clear_unfinished, read_sealed, seal_of, write_folder

Basemap = Mapping[str, Any]


class AnsweredAlreadyWarning(UserWarning):
    """A stored release of the dataset answers the request at no cost, and it is about to be charged all the same."""


def publish(
    dataset: Dataset,
    request: ReleaseRequest,
    *,
    who: Who = "",
    why: str = "",
    about: About | None = None,
    basemap: Basemap | None = None,
    even_if_answered: bool = False,
) -> Release | NoAnswer:
    """Publish, once: charged to the ledger, drawn from the secure source, stored beside the ledger.

    The same request gives the stored release again, byte for byte, and spends nothing. `who` is a typed name, or the
    signed-in person of a hosted house, which takes no other. `about` are public words that stand in the release
    (dpviz.About); those of a stored one are changed by dpviz.correct. `basemap` is drawn under the points of the stored
    map (see dpviz.drawing.map_page). Where a stored release answers the request at no cost, an
    `AnsweredAlreadyWarning` says so before the charge, unless `even_if_answered`.
    """
    _refuse_what_is_no_request(dataset, request)
    ledger, asked = dataset.ledger, dataset.key_of(request)
    charged = dataset.charge_for(request)
    if (found := _stored(ledger, charged)) is not None:
        return found
    allowed = permit(who, ChargeRequest.of(dataset, request))
    if not even_if_answered and (answer := find_answer(dataset, request)) is not None:
        warnings.warn(answer.sentence(request.k), AnsweredAlreadyWarning, stacklevel=2)
    _refuse_false_period(dataset, request)
    data = _records(dataset, request)
    # A charge that was left without its release is completed by the method it was made for.
    resolved = request if charged is None else replace(request, method=charged.request.method)
    prepared = prepare(resolved, public_facts(data), _find_past(ledger, request))
    resolved = replace(request, method=prepared.mechanism.info.name)
    charged = charged or dataset.charge_for(resolved)
    key = dataset.key_of(resolved) if charged is None else charged.key
    with ledger.one_at_a_time(key):
        charged = ledger.charge(key)
        if (found := _stored(ledger, charged)) is not None:
            ledger.remember_name(asked, key)
            return found
        _refuse_strangers(dataset, request, key, charged)
        check_content(dataset.row, data, ledger)
        if not dataset.has_standin:  # whoever chose that looks at no record before paying
            refuse_own_records(request, data)
        noise = _secure_noise()
        charge = ChargeRow(
            dataset=dataset.name,
            key=key,
            purpose=str(request.facts()["purpose"]),
            amount=dataset.cost(prepared),
            request_facts=resolved.facts(),
            who=allowed.who,
            why=writable(why),
        )
        _refuse_a_dearer_run(charged, charge)
        prepared = replace(prepared, request=resolved)
        where = Circumstances(
            status=PUBLISHED,
            noise=noise.kind,
            seed=noise.seed,
            dataset=dataset.name,
            key=key,
            demonstration=dataset.demonstration,
            about=stamp_words(about),
            ledger=ledger.id,
        )
        rehearse(prepared, where, basemap)
        own_public_key()  # a key that cannot be used is found before the charge
        charge_once(allowed, charge)
        try:
            return _drawn_and_stored(ledger, prepared, data, noise, where, basemap)
        except DpvizError as error:
            error.exit_code = CHARGED
            raise


def _find_past(ledger: Ledger, request: ReleaseRequest) -> Past | None:
    """What the release that this period builds on has published; None for a first period, or another request."""
    if request.period is None or request.period.previous is None:
        return None
    found = _stored(ledger, ledger.charge(request.period.previous))
    if not isinstance(found, Release):
        raise StoreError(
            f"the period that {request.period.label} builds on is not stored in this ledger's store; restore it first."
        )
    return past_of(dict(found.constants), found.side)


@dataclass(frozen=True, kw_only=True)
class StoredAnswer:
    """A stored release that any number of centers can be asked of. Nothing in it was made of exact data afterwards."""

    release: Release
    published: str  # the day, 2026-03-03

    def sentence(self, k: int) -> str:
        """What it offers instead of a charge."""
        when = f" of {self.published}" if self.published else ""
        return (
            f"the stored release {self.release.id[:8]}{when} (epsilon {self.release.request.budget.epsilon:g}) answers "
            f"this at no cost: release.centers_for({k}), or dpviz ask with --k {k}."
        )


def find_answer(dataset: Dataset, request: ReleaseRequest) -> StoredAnswer | None:
    """The stored release of this dataset that answers the request for nothing: the latest of the largest budget.

    It has at least the budget, the same purpose, regions and parts of time, a method that the request does not
    exclude, and a coreset or cells, so that centers can be asked of it for every k. It still stands. Periods of a
    series, stand-ins and demonstration data are never answered by another release.
    """
    if dataset.demonstration or request.period is not None or request.purpose == STAND_IN:
        return None
    found: list[StoredAnswer] = []
    for one in publications(dataset.ledger, dataset=dataset.name):
        enough = one.epsilon >= request.budget.epsilon and one.delta >= request.budget.delta
        with contextlib.suppress(StoreError):  # a damaged folder answers nothing
            release = stored_release(one) if enough and one.state == PUBLISHED_STATE else None
            if isinstance(release, Release) and _answers(release, request):
                found.append(StoredAnswer(release=release, published=str(one.about.get("published", ""))))
    return max(reversed(found), key=lambda one: one.release.request.budget.epsilon, default=None)


def _answers(release: Release, request: ReleaseRequest) -> bool:
    there = release.request
    return (
        (there.purpose, there.regions, there.parts) == (request.purpose, request.regions, request.parts)
        and there.period is None
        and there.joint is None  # it is of the records of others too
        and request.method in ("auto", there.method)
        and (release.raw_coreset is not None or release.protected_cells is not None)
    )


@dataclass(frozen=True, kw_only=True)
class Quote:
    """What publishing would cost now; `cost` is nothing when the release is stored already."""

    cost: Amount
    before: Amount
    after: Amount
    stored: bool
    method: str
    expected: Forecast | None = None  # by simulations, where the number of records is public
    answered_by: StoredAnswer | None = None  # what gives the same at no cost

    @property
    def allowed(self) -> bool:
        """Whether the ledger would agree."""
        return self.before.covers(self.cost)


def quote(dataset: Dataset, request: ReleaseRequest) -> Quote:
    """What `publish` would charge, without charging it: for the dialog that asks whether to publish."""
    before, charged = dataset.remaining, dataset.charge_for(request)
    refuse_unvetted_method(request)
    if charged is None:
        public = public_facts(_records(dataset, request))
        prepared = prepare(request, public)
        method = prepared.mechanism.info.name
        charged = dataset.charge_for(replace(request, method=method))
        if charged is None:
            cost = dataset.cost(prepared)
            rows = public.public_rows
            return Quote(
                cost=cost,
                before=before,
                after=before - cost,
                stored=False,
                method=method,
                expected=None if rows is None else expected_error(request, public, rows),
                answered_by=find_answer(dataset, request),
            )
    return Quote(
        cost=Amount.total([]), before=before, after=before, stored=charged.stored, method=charged.request.method
    )


def _drawn_and_stored(
    ledger: Ledger,
    prepared: Prepared,
    data: ExactData,
    noise: NoiseSource,
    where: Circumstances,
    basemap: Basemap | None,
) -> Release | NoAnswer:
    key, info = str(where.key), prepared.mechanism.info
    try:
        outcome = run(prepared, data, noise, where)
        files = with_signature(folder_files(outcome, basemap=basemap))
    except Exception as error:  # its text may hold exact data, and so may its traceback
        raise DpvizError(
            f"the method {info.name} failed inside ({type(error).__name__}); this is a defect of "
            f"{info.package or 'dpviz'}. The charge stays; nothing was shown, and the same request later completes "
            "under it.",
            method=info.name,
        ) from None
    folder = ledger.folder_of(key)
    clear_unfinished(ledger.workshop, key)
    write_folder(folder, files, own=True, workshop=ledger.workshop)
    mine = seal_of(files)
    if ledger.mark_stored(key, "answer" if outcome.is_answer else "no answer", mine) != mine:
        shutil.rmtree(folder, ignore_errors=True)  # never shown: somebody else's draw was noted first
    # What is handed out is what was stored, so that the first answer and all later ones are the same.
    stored = _stored(ledger, ledger.charge(key))
    if stored is None:
        raise StoreError(f"the charge {key} vanished from the ledger {str(ledger.path)!r}; restore the file.")
    with contextlib.suppress(StoreError):  # the feed is written again at the next step
        refresh_feed(ledger)
    return stored


def _stored(ledger: Ledger, charge: ChargeRow | None) -> Release | NoAnswer | None:
    """The stored release of this charge; None when a crash left the charge without it, or there is none."""
    if charge is None:
        return None
    folder = ledger.folder_of(charge.key)
    if folder.is_dir():
        outcome = read_sealed(folder, charge.seal)
        if outcome.id != charge.key:
            raise StoreError(f"the folder {str(folder)!r} holds another release; restore it from a copy.")
        if not charge.stored:
            counts = ledger.mark_stored(
                charge.key, "answer" if outcome.is_answer else "no answer", seal_of(folder_files(outcome))
            )
            outcome = read_sealed(folder, counts)
        return outcome
    if charge.stored:
        raise StoreError(
            f"this request was published before, and its folder {str(folder)!r} is gone. Copy it back from where it "
            "was saved: a second draw would need a second charge.",
            folder=str(folder),
        )
    return None


def _refuse_what_is_no_request(dataset: Any, request: Any) -> None:
    if isinstance(request, Release | NoAnswer):
        raise UnledgeredRelease(
            f"a release that was made outside the door (status {request.status!r}, noise {request.noise!r}) cannot be "
            "published afterwards. Publish its request: dpviz.publish(dataset, release.request) makes a fresh, "
            "charged draw.",
            status=request.status,
        )
    if not isinstance(request, ReleaseRequest):
        raise InputError(
            f"the request is {type(request).__name__}; give dpviz.ReleaseRequest(k=5, budget=Budget(epsilon=0.5))."
        )
    if request.joint is not None:
        raise InputError("a joint release is made by all of its holders at the same time: dpviz joint run.")
    if not isinstance(dataset, Dataset):
        hint = " Register it first: dpviz.register(name, data, total=…)." if isinstance(dataset, ExactCounts) else ""
        raise InputError(
            f"the dataset is {type(dataset).__name__}; give what dpviz.register or open_dataset gave.{hint}"
        )


def _refuse_false_period(dataset: Dataset, request: ReleaseRequest) -> None:
    """The place in a series stands in the label as a promise over time, so it is what the ledger knows of it."""
    period, place = request.period, membership(dataset.ledger, dataset.name)
    if period is None:
        return
    people = None if place is None else population(place.population, ledger=dataset.ledger)
    if (
        place is None
        or people is None
        or place.period != period.label
        or period
        != replace(
            period,
            population=people.name,
            window=place.window,
            whole_epsilon=repr(people.whole.epsilon),
            whole_delta=repr(people.whole.delta),
            disjoint=people.together.disjoint,
            at_most=people.at_most,
        )
    ):
        raise InputError(
            f"{dataset.name!r} is not registered as the period {period.label!r} of {period.population!r} with this "
            "window and budget. Publish periods with dpviz.publish_period (dpviz series publish). Nothing was charged."
        )


def _records(dataset: Dataset, request: ReleaseRequest) -> ExactData:
    if dataset.data is None:
        raise InputError(
            f"{dataset.name!r} was opened without its records, and this request (k={request.k}, epsilon "
            f"{request.budget.epsilon:g}) is not stored; open it with them: open_dataset(name, data).",
            dataset=dataset.name,
        )
    return dataset.data


def _refuse_strangers(dataset: Dataset, request: ReleaseRequest, key: str, charged: ChargeRow | None) -> None:
    if charged is None and request.purpose == STAND_IN:
        raise LedgerRefusal(
            f"no stand-in was paid for when {dataset.name!r} was registered; it is bought at registration only "
            "(register(…, standin_share=0.2)).",
            dataset=dataset.name,
        )
    if charged is None and dataset.ledger.folder_of(key).exists():
        raise StoreError(
            f"the store beside {str(dataset.ledger.path)!r} holds a release that this ledger never charged: the "
            "ledger was replaced or restored from an old copy. Restore the ledger that belongs to the store."
        )


def _refuse_a_dearer_run(charged: ChargeRow | None, charge: ChargeRow) -> None:
    """A charge without its release pays for the run it was made for, not for what another version would spend."""
    if charged is not None and not charged.amount.covers(charge.amount):
        raise LedgerRefusal(
            f"this request was charged {charged.amount} before a crash, and this version of dpviz would spend "
            f"{charge.amount} on it. Complete it with the version that charged it, or ask for something else.",
            dataset=charge.dataset,
        )


def _secure_noise() -> NoiseSource:
    noise = secure_source()
    if noise.kind != "secure" or noise.seed is not None:
        raise UnledgeredRelease(
            f"the door draws from the secure source only, and was given a {noise.kind!r} one. Nothing was charged."
        )
    return noise
