"""The life of releases: verify, publications, withdraw, supersede, correct."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import AsJson, LedgerFile, user_name
from dpviz.cli.terminal.printing import plain, say, tell, tell_rows
from dpviz.errors import InputError

ABOUT = "About the release (published)"
Id = Annotated[
    str,
    typer.Argument(help="The release's id, its first digits ('dpviz publications' lists them), or its folder."),
]
Reason = Annotated[str, typer.Option("--why", help="Why; kept in the ledger, never published.")]
Notice = Annotated[str, typer.Option(help="A sentence for the readers of the release; published.")]


@dataclass(frozen=True, kw_only=True)
class AboutOptions:
    """Public words about a release."""

    title: Annotated[str, typer.Option(help="A title.", rich_help_panel=ABOUT)] = ""
    description: Annotated[str, typer.Option(help="What it shows and for what.", rich_help_panel=ABOUT)] = ""
    period: Annotated[
        str,
        typer.Option(help="The time of the records: 2026, 2026-01 or 2026-01-01..2026-01-31.", rich_help_panel=ABOUT),
    ] = ""
    area: Annotated[str, typer.Option(help="The area in words.", rich_help_panel=ABOUT)] = ""
    licence: Annotated[
        str, typer.Option(help="What others may do with it, such as CC-BY-4.0.", rich_help_panel=ABOUT)
    ] = ""
    contact: Annotated[str, typer.Option(help="Whom to ask.", rich_help_panel=ABOUT)] = ""
    publisher: Annotated[str, typer.Option(help="Who publishes it.", rich_help_panel=ABOUT)] = ""
    language: Annotated[
        str, typer.Option(help="Of label and map page, such as de; English without it.", rich_help_panel=ABOUT)
    ] = ""

    def words(self) -> dpviz.About:
        """As the library takes them."""
        from dpviz.releases.about import period_of

        start, end = period_of(self.period)
        return dpviz.About.from_facts({**asdict(self), "period_start": start, "period_end": end})


def verify(
    folder: Annotated[Path, typer.Argument(help="A release folder.")],
    key: Annotated[str, typer.Option(help="The publisher's public key: 64 digits, or the file signing-key.pub.")] = "",
    remember: Annotated[str, typer.Option(help="Know the key of --key under this name from now on.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check a release folder without any ledger: every file, what it promises, and who signed it.

    Exit code 0 only where a key that was given, or is known here, signed it; 2 otherwise.

    Example: dpviz verify release --key signing-key.pub
    """
    if remember and not key:
        raise InputError("--remember names the key of --key; give both.")
    found = dpviz.verify_release(folder, key=key, remember=remember)
    lines = [
        f"Whole: {found.files} files, release {found.id} of {plain(found.dataset or 'no dataset')}.",
        found.guarantee,
        f"Status: {found.status}. "
        + ("Every holder signed it." if found.holders else f"{found.signature[:1].upper()}{found.signature[1:]}."),
        *(f"Holder {line}." for line in found.holders),
        "" if found.trusted else _advice(found.key, bool(key)),
        found.state,
    ]
    tell(as_json, asdict(found), *filter(None, lines))
    if not found.trusted:
        raise typer.Exit(2)


def _advice(key: str, asked: bool) -> str:
    if not key:
        return "Nobody signed it: what it says about itself may be true or not. Ask for the signed folder."
    if asked:
        return "It was not signed by the key that you gave."
    return (
        "The signature fits the files, and this computer does not know the key. Get the publisher's key in another "
        "way, and say so: --key FILE --remember NAME."
    )


def publications(
    ledger: LedgerFile = None,
    dataset: Annotated[str | None, typer.Option(help="Only of this dataset.")] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Write the signed feed beside the store again.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what was published: when, of what, at which level, by whom, and whether it still stands.

    Example: dpviz publications
    """
    from dpviz.life.publications import refresh_feed

    book = dpviz.Ledger(ledger, create=False)
    listed = dpviz.publications(book, dataset=dataset)
    if refresh:
        refresh_feed(book)
    columns = ("id", "dataset", "title", "published", "version", "k", "epsilon", "method", "state", "by", "who", "why")
    tell_rows(as_json, list(map(_row, listed)), columns, "Nothing was published yet.")


def withdraw(release: Id, why: Reason, notice: Notice = "", ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Say in public that a release should no longer be used. Its cost stays spent; copies stay where they are.

    Example: dpviz withdraw 3f2a --why "the box was wrong" --notice "Use the edition of February."
    """
    book = dpviz.Ledger(ledger, create=False)
    _tell(dpviz.withdraw(id_of(release), ledger=book, why=why, who=user_name(), notice=notice), as_json)


def supersede(
    release: Id,
    by: Annotated[str, typer.Option(help="The id or the folder of the release that takes its place.")],
    why: Reason,
    notice: Notice = "",
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Say in public that another release takes the place of this one.

    Example: dpviz supersede 3f2a --by 77c1 --why "finer grid"
    """
    book = dpviz.Ledger(ledger, create=False)
    _tell(dpviz.supersede(id_of(release), by=id_of(by), ledger=book, why=why, who=user_name(), notice=notice), as_json)


def correct(release: Id, about: AboutOptions, why: Reason, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Change the words about a release: a further version of the same draw, which costs nothing.

    What is left out stays as it was. The former version is superseded by the new one.

    Example: dpviz correct 3f2a --title "Taxi drop-offs, January" --why "title was missing"
    """
    from dpviz.life.publications import publication

    book = dpviz.Ledger(ledger, create=False)
    former = publication(id_of(release), book)
    words = dpviz.About.from_facts({**former.about, **about.words().facts()})
    _tell(publication(dpviz.correct(former.id, words, ledger=book, why=why, who=user_name()).id, book), as_json)


def id_of(release: str) -> str:
    """The id that was given, or that of the release folder that was named."""
    from dpviz.releases import load

    return load(release).id if (Path(release) / "release.json").is_file() else release


def _tell(found: dpviz.Publication, as_json: bool) -> None:
    from dpviz.life.publications import unheard_sentence
    from dpviz.releases.signing import own_public_key

    heir = f" by {found.by}" if found.by else ""
    tell(as_json, _row(found), f"{found.id} ({found.dataset}) is {found.state}{heir}. Folder: {found.folder}")
    if not as_json and (unheard := unheard_sentence(found, own_public_key())):
        say(f"dpviz: {unheard}")


def _row(one: dpviz.Publication) -> dict[str, Any]:
    return {
        "id": one.id,
        "dataset": one.dataset,
        "title": one.about.get("title", ""),
        "published": one.about.get("published", one.created[:10]),
        "version": one.version,
        "k": one.k,
        "epsilon": one.epsilon,
        "delta": one.delta,
        "method": one.method,
        "state": one.state,
        "by": one.by,
        "notice": one.notice,
        "who": one.who,
        "why": one.why,
        "created": one.created,
        "about": dict(one.about),
        "folder": None if one.folder is None else str(one.folder),
    }
