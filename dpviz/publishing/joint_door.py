"""The door for a joint release: every holder passes its own records through its own door, all at the same time.

Order: get the permit (`approvals`) · plan on public facts · rehearse on made-up records, and compare the folder with
all holders, so that what can be refused is refused now · charge the whole budget to the own ledger · tell the others,
and wait until all have charged · draw · write the folder aside · exchange signatures · store. Nothing is drawn twice:
a run that ends has cost what it was charged, and another run is another request. Proof: docs/proofs/joint.md.
"""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import replace
from typing import Protocol

import numpy as np

from dpviz.domain import ExactCounts, Grid
from dpviz.errors import InputError, LedgerRefusal, StoreError
from dpviz.ledger.persons import Who
from dpviz.ledger.rows import Amount, ChargeRow, refusal, writable
from dpviz.life.folder_files import folder_files
from dpviz.life.publications import refresh_feed
from dpviz.noise import NoiseSource, replayable_source
from dpviz.publishing.approvals import ChargeRequest, charge_once, permit
from dpviz.publishing.assemble import Circumstances, budget_spent
from dpviz.publishing.datasets import Dataset, check_content
from dpviz.publishing.mechanism_run import prepare, public_facts, run
from dpviz.releases.about import About, stamp_words
from dpviz.releases.release import PUBLISHED, NoAnswer, Release
from dpviz.releases.request import ReleaseRequest, digest
from dpviz.releases.signing import own_public_key, with_signature
from dpviz.releases.store import TEMPORARY, clear_unfinished, read_sealed, seal_of, write_folder

_MADE_UP = 5000  # records of a rehearsal
_ROOM = 1024  # bytes for one signature


class OtherHolders(Protocol):
    """The other holders of a joint release, as the door meets them (dpviz.joint)."""

    def compare(self, what: str, content: bytes) -> None:
        """Go on only if all holders have the same content here."""

    def tell_charged(self) -> None:
        """Say that the own charge is written, and wait until all have said so."""

    def sign(self, manifest: bytes) -> bytes:
        """The signatures of all holders under this list of files."""


def permit_of_run(dataset: Dataset, request: ReleaseRequest) -> ChargeRequest:
    """What to ask permission for: the next run of this plan on this dataset. An approval is for one run."""
    assert request.joint is not None
    earlier = len(earlier_runs(dataset, request.joint.plan))
    return ChargeRequest.of(dataset, replace(request, joint=replace(request.joint, run=f"{earlier + 1}")))


def earlier_runs(dataset: Dataset, plan: str) -> list[ChargeRow]:
    """The charges for runs of this plan that the dataset has paid already."""
    return [one for one in dataset.charges if one.request.joint is not None and one.request.joint.plan == plan]


def publish_jointly(
    dataset: Dataset,
    request: ReleaseRequest,
    others: OtherHolders,
    noise: NoiseSource,
    rehearsal: NoiseSource,
    *,
    about: About,
    published: str,
    who: Who = "",
    why: str = "",
) -> Release | NoAnswer:
    """Charge this holder's dataset and make the release together with the others; the folder is the same everywhere.

    `noise` is the joint source of this run; `rehearsal` answers with made-up noise. `published` is the day that all
    holders agreed on.
    """
    ledger, data, joint = dataset.ledger, dataset.data, request.joint
    if not isinstance(data, ExactCounts) or joint is None:
        raise InputError("a joint release is made of counts on the grid of its plan. Nothing was charged.")
    allowed = permit(who, permit_of_run(dataset, request))  # [P2]
    check_content(dataset.row, data, ledger)
    prepared = prepare(request, public_facts(data))
    key = digest({"joint": request.facts()})
    where = Circumstances(
        status=PUBLISHED,
        noise=noise.kind,
        seed=noise.seed,
        dataset=about.title or f"records of {', '.join(joint.names)}",
        key=key,
        about=stamp_words(about) | {"published": published},
        noise_factor=len(joint.holders) / (len(joint.holders) - joint.pooling),
    )
    charge = ChargeRow(
        dataset=dataset.name,
        key=key,
        purpose=str(request.facts()["purpose"]),
        amount=Amount.of(budget_spent(request.budget, prepared.plan)),
        request_facts=request.facts(),
        who=allowed.who,
        why=writable(why),
    )
    if not dataset.remaining.covers(charge.amount):
        raise refusal(dataset.name, charge.amount, dataset.remaining)
    rehearsed = folder_files(run(prepared, _made_up(data.grid), rehearsal, where))
    others.compare("rehearsal", seal_of(rehearsed).encode("ascii"))
    own_public_key()  # a key that cannot be used is found before the charge
    with ledger.one_at_a_time(key):
        if ledger.charge(key) is not None:
            raise LedgerRefusal(
                "another holder of this run uses the same ledger. Every holder has one of its own (--ledger)."
            )
        charge_once(allowed, charge)  # [P3]
        others.tell_charged()
        outcome = run(prepared, data, noise, where)
        files = folder_files(outcome)
        # [P8]
        aside = ledger.workshop / f"{TEMPORARY}{key}-unsigned"
        try:  # a full disk is found before anybody has signed
            write_folder(aside, files | {"room": bytes(_ROOM * len(joint.holders))}, own=True, workshop=ledger.workshop)
            files = with_signature(files, others.sign)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        clear_unfinished(ledger.workshop, key)
        folder = write_folder(ledger.folder_of(key), files, own=True, workshop=ledger.workshop)
        seal = ledger.mark_stored(key, "no answer" if isinstance(outcome, NoAnswer) else "answer", seal_of(files))
    with contextlib.suppress(StoreError):  # the feed is written again at the next step
        refresh_feed(ledger)
    return read_sealed(folder, seal)


def _made_up(grid: Grid) -> ExactCounts:
    """The same few records on every machine: results of a rehearsal differ only where machines do."""
    cells = replayable_source(0).integers(grid.side**2, _MADE_UP)
    return ExactCounts.from_array(grid, np.bincount(cells, minlength=grid.side**2).reshape(grid.side, grid.side))
