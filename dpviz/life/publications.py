"""The life of a release after its publication: withdrawn, superseded, or corrected in its words. Never a refund.

Each step is a further row of the ledger, with who and why; what is public of it stands in a signed feed beside the
releases, which anybody can read without the ledger.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpviz.errors import InputError, StoreError
from dpviz.ledger.ledger import Ledger, LedgerLike, as_ledger
from dpviz.ledger.persons import Person, Step, Who, acting_person
from dpviz.ledger.rows import ChargeRow, NoteRow, insert_note, writable
from dpviz.life.feed import PUBLISHED_STATE, SUPERSEDED, WITHDRAWN, Entry, feed_beside, read_feed, write_feed
from dpviz.life.folder_files import folder_files
from dpviz.releases.about import About, stamp_words
from dpviz.releases.document import DOCUMENT
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import STAND_IN, digest
from dpviz.releases.signing import with_signature
from dpviz.releases.store import clear_unfinished, read_folder, read_ordinary, read_sealed, seal_of, write_folder

VERSION = "version"
_LONGEST_NOTICE = 300


@dataclass(frozen=True, kw_only=True)
class Publication:
    """One version of a published release, as the curator sees it. `who` and `why` never leave the ledger."""

    id: str
    dataset: str
    purpose: str
    epsilon: float
    delta: float
    k: int
    method: str
    about: Mapping[str, Any]
    who: str
    why: str
    created: str
    # published, withdrawn, superseded; charged (a crash left it without its release); ended (a joint run that did not
    # come to its end); lost (its folder is)
    state: str
    by: str = ""  # what supersedes it
    notice: str = ""  # what is said in public about its state
    folder: Path | None = None
    seal: str = field(default="", repr=False)  # SHA-256 of the folder, from the ledger
    holders: tuple[str, ...] = ()  # of a joint release

    @property
    def version(self) -> int:
        """1, or which correction of the words this is."""
        return int(self.about.get("version", 1))


def publications(
    ledger: LedgerLike = None, *, dataset: str | None = None, stand_ins: bool = False
) -> list[Publication]:
    """Every published release of a ledger in its order, corrected versions behind the ones that they correct."""
    book = as_ledger(ledger)
    states = {note.subject: note for note in book.notes() if note.kind in (WITHDRAWN, SUPERSEDED)}
    versions: dict[str, list[NoteRow]] = {}
    for note in book.notes(VERSION):
        versions.setdefault(str(note.facts["first"]), []).append(note)
    return [
        _publication(book, charge, note, states.get(charge.key if note is None else note.subject))
        for charge in book.charges(dataset)
        if charge.purpose != STAND_IN or stand_ins
        for note in (None, *versions.get(charge.key, ()))
    ]


def publication(release: str, ledger: LedgerLike = None) -> Publication:
    """The one publication of this id; its first digits are enough where no other begins like that."""
    listed = publications(ledger, stand_ins=True)
    found = [one for one in listed if len(release) >= 4 and one.id.startswith(release.lower())]
    if len(found) != 1:
        several = "several releases have ids that begin" if found else "no release has an id that begins"
        raise InputError(f"{several} with {release[:40]!a}; list them with 'dpviz publications'.")
    return found[0]


def withdraw(release: str, *, ledger: LedgerLike = None, why: str, who: Who = "", notice: str = "") -> Publication:
    """Say in public that a release should no longer be used. What it cost stays spent; copies stay where they are."""
    return _take_step(WITHDRAWN, release, "", ledger, who, why, notice)


def supersede(
    release: str, *, by: str, ledger: LedgerLike = None, why: str, who: Who = "", notice: str = ""
) -> Publication:
    """Say in public that another release takes the place of this one."""
    return _take_step(SUPERSEDED, release, by, ledger, who, why, notice)


def correct(
    release: str,
    about: About,
    *,
    ledger: LedgerLike = None,
    why: str,
    who: Who = "",
    basemap: Mapping[str, Any] | None = None,
) -> Release | NoAnswer:
    """A further version of the same draw with other words about it: costs nothing; the former one is superseded."""
    book, person = as_ledger(ledger), acting_person(who, Step.CHANGE_RELEASE)
    _check_reason(why)
    former = publication(release, book)
    _refuse_twice(former)
    stored = stored_release(former)
    if stored.request.joint is not None:
        raise InputError("the words of a joint release are signed by all of its holders; no one alters them alone.")
    first = next((str(note.facts["first"]) for note in book.notes(VERSION, former.id)), former.id)
    number = 2 + len([note for note in book.notes(VERSION) if note.facts["first"] == first])
    key = digest({"first": first, "version": number, "ledger": book.id})
    words = stamp_words(about, version=number, corrects=former.id)
    files = with_signature(folder_files(replace(stored, id=key, about=words, loaded_files=None), basemap=basemap))
    facts: dict[str, Any] = {"first": first, "corrects": former.id, "seal": seal_of(files), "about": words}
    with book.one_at_a_time(key):
        if book.notes(VERSION, key):
            raise InputError(f"{former.id} was corrected by somebody else at this moment; look again, and ask again.")
        clear_unfinished(book.workshop, key)
        shutil.rmtree(book.folder_of(key), ignore_errors=True)  # of a killed process: no row speaks of it
        write_folder(book.folder_of(key), files, own=True, workshop=book.workshop)
        _note_step(book, former, person, why, (VERSION, key, facts), (SUPERSEDED, former.id, {"by": key, "notice": ""}))
    refresh_feed(book)
    return read_sealed(book.folder_of(key), facts["seal"])


def stored_release(publication: Publication) -> Release | NoAnswer:
    """The release itself, from the store; refused where its bytes are not those that were published."""
    if publication.folder is None:
        raise StoreError(
            f"the release {publication.id} is {publication.state}; ask for it again (dpviz release), which completes "
            "what a crash left and costs nothing, or copy a lost folder back (dpviz ledger restore)."
        )
    return read_sealed(publication.folder, publication.seal)


def refresh_feed(ledger: LedgerLike = None) -> Path:
    """Write the feed and its signature beside the store: what is public of all releases of this ledger."""
    book = as_ledger(ledger)
    with book.one_at_a_time("feed"):
        return write_feed(book.store, book.id, _entries(book))


def fault_of_the_feed(ledger: LedgerLike = None) -> list[str]:
    """List faults of the feed: it is missing, it contradicts the ledger, or readers do not trust its signature."""
    book = as_ledger(ledger)
    listed = [one for one in publications(book) if one.folder is not None]
    again = "write it again (dpviz publications --refresh)."
    try:
        feed = read_feed(book.store)
    except StoreError as error:
        return [error.message]
    if feed is None:
        return [f"the feed {str(feed_beside(book.store))!r} is gone; {again}"] if listed else []
    told, known = {entry.id: entry for entry in feed.entries}, {one.id for one in publications(book)}
    if any(told.get(entry.id) != entry for entry in _entries(book)) or not known.issuperset(told):
        return [f"the feed {str(feed_beside(book.store))!r} says otherwise than the ledger; {again}"]
    return [unheard for one in listed if (unheard := unheard_sentence(one, feed.signature.key))]


def unheard_sentence(one: Publication, key: str) -> str:
    """Say why readers do not trust a feed signed by this key about a release; "" where they do."""
    if one.folder is None or one.state not in (WITHDRAWN, SUPERSEDED):
        return ""
    theirs = read_folder(one.folder, ledger_knows=True).signature.keys
    if not theirs or key in theirs:
        return ""
    return (
        f"{one.id} is {one.state}, and its readers are not told: another key than yours signed it, and only that key's "
        "feed counts for it. Put that key back (signing-key.pem) and write the feed again (dpviz publications "
        "--refresh), or tell them in another way."
    )


def _entries(book: Ledger) -> list[Entry]:
    listed = [one for one in publications(book) if one.folder is not None]
    return [Entry.from_facts({**one.about, **vars(one), "version": one.version}) for one in listed]


def _publication(book: Ledger, charge: ChargeRow, version: NoteRow | None, state: NoteRow | None) -> Publication:
    key = charge.key if version is None else version.subject
    folder = book.folder_of(key)
    noted = charge.stored or version is not None
    stored = noted and folder.is_dir()
    origin: ChargeRow | NoteRow = charge if version is None else version
    step: Mapping[str, Any] = {} if state is None else state.facts
    joint = charge.request.joint
    standing = PUBLISHED_STATE if stored else "lost" if noted else "charged" if joint is None else "ended"
    return Publication(
        id=key,
        dataset=charge.dataset,
        purpose=charge.purpose,
        epsilon=charge.request.budget.epsilon,  # promised; with own levels the charge is a part of all their totals
        delta=float(charge.amount.delta),
        k=charge.request.k,
        method=charge.request.method,
        about=(_about_of(folder) if stored else {}) if version is None else version.facts["about"],
        who=origin.who,
        why=origin.why,
        created=origin.created,
        state=standing if state is None else state.kind,
        by=str(step.get("by", "")),
        notice=str(step.get("notice", "")),
        folder=folder if stored else None,
        seal=charge.seal if version is None else str(version.facts["seal"]),
        holders=() if joint is None else joint.names,
    )


def _about_of(folder: Path) -> Mapping[str, Any]:
    """The words of a stored release; nothing where its document cannot be read (a list is for finding that out)."""
    try:
        return dict(json.loads(read_ordinary(folder / DOCUMENT))["about"])
    except (OSError, StoreError, KeyError, TypeError, ValueError, RecursionError):
        return {}


def _take_step(kind: str, release: str, by: str, ledger: LedgerLike, who: Who, why: str, notice: str) -> Publication:
    book, person = as_ledger(ledger), acting_person(who, Step.CHANGE_RELEASE)
    _check_reason(why)
    words = " ".join(notice.split())
    if len(words) > _LONGEST_NOTICE or not words.isprintable():
        raise InputError(
            f"the notice has {len(words)} characters; at most {_LONGEST_NOTICE} printable ones (--notice)."
        )
    chosen = publication(release, book)
    _refuse_twice(chosen)
    facts = {"notice": words}
    if kind == SUPERSEDED:
        heir = publication(by, book)
        if heir.purpose == STAND_IN:
            raise InputError(f"{heir.id} is a stand-in, which is not published. Name a published release (--by).")
        if heir.id == chosen.id or heir.state != PUBLISHED_STATE:
            raise InputError(
                f"{heir.id} cannot take the place of {chosen.id}: it is "
                f"{'the same release' if heir.id == chosen.id else heir.state}. Name a published one (--by)."
            )
        facts["by"] = heir.id
    _note_step(book, chosen, person, why, (kind, chosen.id, facts))
    refresh_feed(book)
    return publication(chosen.id, book)


def _refuse_twice(chosen: Publication) -> None:
    if chosen.state in (WITHDRAWN, SUPERSEDED):
        heir = f" by {chosen.by}" if chosen.by else ""
        raise InputError(f"{chosen.id} is {chosen.state}{heir} already; what stands in the ledger stays.")


def _note_step(
    book: Ledger, chosen: Publication, person: Person, why: str, *notes: tuple[str, str, Mapping[str, Any]]
) -> None:
    """Write these notes in one transaction, unless another process has taken a step since it was looked at."""
    who, reason = writable(person.name), writable(why)
    with book.transaction() as connection:
        found = connection.execute(
            "SELECT kind FROM notes WHERE subject = ? AND kind IN (?, ?)", (chosen.id, WITHDRAWN, SUPERSEDED)
        ).fetchone()
        if found is not None:
            raise InputError(f"{chosen.id} was {found['kind']} by somebody else at this moment; what stands stays.")
        for kind, subject, facts in notes:
            insert_note(connection, NoteRow(kind=kind, subject=subject, facts=facts, who=who, why=reason))


def _check_reason(why: str) -> None:
    if not why.strip():
        raise InputError("say why (--why): the ledger keeps the reason; it is not published.")
