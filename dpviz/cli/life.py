"""The life of releases: verify, publications, withdraw, supersede, correct."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import AsJson, LedgerFile, shows_group, user_name
from dpviz.cli.terminal.output_paths import existing_ledger
from dpviz.cli.terminal.printing import Table, plain, say, tell
from dpviz.errors import InputError

in_about = partial(typer.Option, rich_help_panel="About the release (published)")
Id = Annotated[
    str, typer.Argument(help="The release's id, its first digits ('dpviz publications' lists them), or its folder.")
]
Reason = Annotated[str, typer.Option("--why", help="Why; kept in the ledger, never published.")]
Notice = Annotated[str, typer.Option(help="A sentence for the readers of the release; published.")]

app = typer.Typer(help="Show the datasets, what was charged, by whom and why, and what remains; or look after it.")
WhyAccept = Annotated[str, typer.Option(help="Why; the ledger keeps it.")]


@dataclass(frozen=True, kw_only=True)
class AboutOptions:
    """Public words about a release."""

    title: Annotated[str, in_about(help="A title.")] = ""
    description: Annotated[str, in_about(help="What it shows and for what.")] = ""
    period: Annotated[str, in_about(help="The time of the records: 2026, 2026-01 or 2026-01-01..2026-01-31.")] = ""
    area: Annotated[str, in_about(help="The area in words.")] = ""
    licence: Annotated[str, in_about(help="What others may do with it, such as CC-BY-4.0.")] = ""
    contact: Annotated[str, in_about(help="Whom to ask.")] = ""
    publisher: Annotated[str, in_about(help="Who publishes it.")] = ""
    language: Annotated[str, in_about(help="Of label and map page, such as de; English without it.")] = ""

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
    rows = list(map(_row, listed))
    tell(as_json, rows, Table(columns, rows) if rows else "Nothing was published yet.")


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
    names = ("version", "k", "epsilon", "delta", "method", "state", "by", "notice", "who", "why", "created")
    return {
        "id": one.id,
        "dataset": one.dataset,
        "title": one.about.get("title", ""),
        "published": one.about.get("published", one.created[:10]),
        **{name: getattr(one, name) for name in names},
        "about": dict(one.about),
        "folder": None if one.folder is None else str(one.folder),
    }


@app.callback(invoke_without_command=True)
def ledger(context: typer.Context, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show the datasets, what was charged, by whom and why, and what remains; or look after the ledger."""
    if shows_group(context, ledger, as_json):
        report = _ledger_report(ledger)
        said: list[str | Table] = []
        for rows in filter(None, (report["datasets"], report["charges"])):
            said += [Table([column for column in rows[0] if column not in ("facts", "request")], rows), ""]
        empty = "The ledger is empty. 'dpviz release' registers a dataset with its first release."
        tell(as_json, report, *([] if report["datasets"] else [empty]), *said)


@app.command("verify")
def check_ledger(
    ledger: LedgerFile = None,
    accept: Annotated[
        bool,
        typer.Option("--accept", help="Go on with a file that is not where it was last seen (moved back, forked)."),
    ] = False,
    why: WhyAccept = "",
    as_json: AsJson = False,
) -> None:
    """Check that ledger and store are as they were left: every row, every stored file, nothing foreign.

    Exit code 2 and one line for each thing that is not. --accept, with --why, is for a ledger whose rows are in order
    and whose notes outside say that others came later: what those charged is then forgotten, and a row says so.

    Example: dpviz ledger verify
    """
    from dpviz.life.ledger_care import accept_ledger, verify_ledger

    if accept:
        lost = accept_ledger(ledger, why=why)
        print(f"Accepted. {lost} rows that were noted elsewhere are not in it.")
    found = verify_ledger(ledger)
    unfinished = "Charged and not stored: {}. The same request completes it and costs nothing."
    order = f"In order: {found.rows} rows, {found.releases} stored releases. Ledger {found.ledger}."
    lines = [*(f"WRONG: {line}" for line in found.wrong), *map(unfinished.format, found.unfinished)]
    tell(as_json, asdict(found), *lines, *([] if found.wrong else [order]))
    if found.wrong:
        raise typer.Exit(2)


@app.command()
def backup(
    out: Annotated[Path, typer.Option(help="A new folder for the copy of ledger and store.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Copy the ledger and its store, while they may be in use, and check the copy.

    The key that signs releases is not in it: keep a copy of that one in another place.

    Example: dpviz ledger backup --out backup-of-today
    """
    from dpviz.life.ledger_care import backup_ledger
    from dpviz.releases.signing import own_key_file

    head = backup_ledger(ledger, out)
    facts = {"out": str(out), "rows": head.number, "signing_key": str(own_key_file())}
    done = f"Backed up {head.number} rows and the releases to {out}. The signing key is not in it: {own_key_file()}"
    tell(as_json, facts, done)


@app.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="A folder of 'dpviz ledger backup'.")],
    ledger: LedgerFile = None,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Take a backup that lacks rows which were noted later.")
    ] = False,
    why: WhyAccept = "",
    as_json: AsJson = False,
) -> None:
    """Put back lost or changed release folders, and the ledger itself where it is lost or damaged.

    Charges that a backup does not have would be forgotten, so an older one needs --accept-loss and --why, and the
    restored ledger says so for good. What lay there is kept aside.

    Example: dpviz ledger restore backup-of-today
    """
    from dpviz.life.ledger_care import restore_ledger

    done = restore_ledger(backup, ledger, accept_loss=accept_loss, why=why)
    kept = done.kept_aside and f"The file that was there is kept as {done.kept_aside}"
    tell(
        as_json,
        asdict(done),
        f"Restored {len(done.folders)} release folders. Rows lost: {done.rows_lost}.",
        *([kept] if kept else []),
    )


def _ledger_report(path: Path | None) -> dict[str, Any]:
    """What the ledger knows, as plain data."""
    from dpviz.releases.paths import default_ledger_path

    book = existing_ledger(path, "dpviz release")
    if book is None:
        return {"ledger": str(default_ledger_path()), "datasets": [], "charges": []}
    datasets = [
        {
            "dataset": row.name,
            "total_epsilon": row.total.text()[0],
            "remaining_epsilon": book.remaining(row.name).text()[0],
            "total_delta": row.total.text()[1],
            "remaining_delta": book.remaining(row.name).text()[1],
            **{"who": row.who, "why": row.why, "created": row.created, "facts": dict(row.facts)},
        }
        for row in book.datasets()
    ]
    charges = [
        {
            **{"dataset": row.dataset, "purpose": row.purpose},
            **dict(zip(("epsilon", "delta"), row.amount.text(), strict=True)),
            **{"k": row.request.k, "method": row.request.method},
            **{name: getattr(row, name) for name in ("stored", "who", "why", "created", "key")},
            "request": dict(row.request_facts),
        }
        for row in book.charges()
    ]
    return {"ledger": str(path or default_ledger_path()), "datasets": datasets, "charges": charges}
