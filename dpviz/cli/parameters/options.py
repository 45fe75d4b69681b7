"""Options that several commands share, with their help, and groups of them. Those of reading are in `reading.py`.

A command takes a group as one parameter, such as `asked: RequestOptions`; `with_options` makes an option of each field.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

import dpviz
from dpviz.cli.terminal.printing import say
from dpviz.errors import InputError

# Options in the panels of the help that several commands share.
in_file = functools.partial(typer.Option, rich_help_panel="The file")
in_privacy = functools.partial(typer.Option, rich_help_panel="Clusters and privacy")
in_ledger = functools.partial(typer.Option, rich_help_panel="The ledger")

LedgerFile = Annotated[
    Path | None,
    in_ledger("--ledger", help="The ledger file; default: DPVIZ_LEDGER, or ledger.sqlite3 in your data folder."),
]


def level_number(text: str) -> int:
    """The number of a level that is given by number or by name."""
    named = {level.name.casefold(): level.number for level in dpviz.LEVELS}
    tidy = str(text).strip().casefold()
    if tidy not in named and not tidy.lstrip("-").isdigit():
        raise typer.BadParameter(f"{text!r} is no level; give 1 to {len(named)}, or {', '.join(named)}.")
    return named[tidy] if tidy in named else int(tidy)


Level = Annotated[
    int | None,
    in_privacy(
        help="Privacy level from 1 (most detail) to 7 (most privacy), or its name, such as Balanced.",
        parser=level_number,
        metavar="LEVEL",
    ),
]
Epsilon = Annotated[
    float | None, in_privacy(help="The privacy budget, instead of a level: above 0; smaller is more private.")
]


def _published_purpose(given: str) -> str:
    """Refuse the stand-in: its curator looks at it, and it is no release to hand out."""
    if given == "stand-in":
        raise InputError("a stand-in is for its curator and is not given out; publish a release (--purpose centers).")
    return given


Separator = Annotated[
    str | None,
    in_file(
        help="What stands between the fields of separated text: ',', ';', tab or '|'. Without it the line of column "
        "names decides."
    ),
]
Decimal = Annotated[str | None, in_file(help="The decimal sign of separated text: '.' or ','.")]
Header = Annotated[
    bool | None,
    in_file(
        "--header/--no-header",
        help="Whether the first line of separated text names the columns. With --no-header give --separator and "
        "--decimal; columns are then column_1, column_2 and so on.",
        show_default=False,
    ),
]
Unvetted = Annotated[bool, in_privacy("--unvetted", help="The --method is another package's, checked by nobody.")]
Why = Annotated[str, in_ledger(help="A note for the ledger; never published.")]
Ask = Annotated[
    bool,
    in_ledger(
        "--ask", help="Ask somebody else to approve this (with --why) instead of publishing it. Nothing is charged."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]


@dataclass(frozen=True, kw_only=True)
class RequestOptions:
    """What is asked of a method: number of clusters, budget and purpose."""

    k: Annotated[int, in_privacy("--k", help="Number of clusters, 1 to 4096.")]
    level: Level = None
    epsilon: Epsilon = None
    delta: Annotated[float | None, in_privacy(help="Default: 0, or 1e-9 for methods that need it.")] = None
    method: Annotated[str, in_privacy(help="A name from 'dpviz methods', or auto.")] = "auto"
    purpose: Annotated[
        str,
        in_privacy(
            "--purpose",
            callback=_published_purpose,
            help="What the budget is for: centers, balanced, or 'any question' (counts of areas).",
        ),
    ] = "centers"

    def request(
        self, regions: Path | None = None, *, unvetted: bool = False, prior: dpviz.PublicMap | None = None
    ) -> dpviz.ReleaseRequest:
        """The request, with the regions of a GeoJSON file and a public map."""
        return dpviz.ReleaseRequest(
            k=self.k,
            budget=chosen_budget(self.level, self.epsilon, self.delta, self.method),
            method=self.method,
            purpose=self.purpose,
            regions=read_region_file(regions),
            unvetted=unvetted,
            prior=prior,
        )


@dataclass(frozen=True, kw_only=True)
class RegistrationOptions:
    """How a dataset stands in the ledger."""

    dataset: Annotated[
        str | None,
        in_ledger(help="Name of the dataset in the ledger, published with every release; default: the file's name."),
    ] = None
    same_people: Annotated[
        str,
        in_ledger(
            help="A registered dataset of the same people: a new name shares its budget instead of getting another one."
        ),
    ] = ""
    other_people: Annotated[
        str, in_ledger(help="Why these are other people than those of the dataset they look like; the ledger keeps it.")
    ] = ""
    ledger: LedgerFile = None
    why: Why = ""

    def name(self, files: list[str]) -> str:
        """The name of the dataset, checked before any file is read: the one given, or that of the first file."""
        from dpviz.ledger.rows import checked_name

        return checked_name(dataset_name(files) if self.dataset is None else self.dataset)

    def open_ledger(
        self, name: str, whole: dpviz.Budget | None, read: Iterable[str | Path]
    ) -> tuple[dpviz.Ledger, bool]:
        """The ledger, in which the dataset may stand like this, and whether a stand-in is looked at instead of it."""
        from dpviz.cli.terminal.output_paths import ledger_at
        from dpviz.publishing.datasets import check_registration, looked_at_through_standin

        book = ledger_at(self.ledger, read)
        check_registration(name, total=whole, ledger=book)
        return book, looked_at_through_standin(name, ledger=book)

    def enter(self, step: Callable[..., dpviz.Dataset], name: str, data: object, **stated: Any) -> dpviz.Dataset:
        """Register by this function of the library, and say on standard error what it noticed."""
        from dpviz.publishing.datasets import SameContentWarning

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SameContentWarning)  # said as one line instead
            opened = step(
                name,
                data,
                same_people=self.same_people,
                other_people=self.other_people,
                who=user_name(),
                why=self.why,
                **stated,
            )
        if opened.notice:
            say(f"dpviz: note: {opened.notice}")
        return opened


def shows_group(context: typer.Context, ledger: Path | None, as_json: bool) -> bool:
    """Whether a group such as `dpviz series` was typed alone, so that it shows itself."""
    if context.invoked_subcommand is None:
        return True
    if ledger is not None or as_json:
        raise InputError(f"write --ledger and --json behind '{context.invoked_subcommand}'.")
    return False


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer sees it: a parameter that is a group of options becomes one option for each field."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for one in inspect.signature(command).parameters.values():
        kind = groups.get(one.name)
        inner = {} if kind is None else get_type_hints(kind, include_extras=True)
        given = [one] if kind is None else inspect.signature(kind).parameters.values()
        parameters += [
            each.replace(kind=each.KEYWORD_ONLY, annotation=inner.get(each.name, hints.get(each.name)))
            for each in given
        ]

    @functools.wraps(command)
    def call(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        command(**given)

    del call.__wrapped__  # typer and the reference look at the signature set here
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


LARGEST_REGIONS = 16 * 2**20  # bytes that are looked at; the reader of regions accepts fewer


def chosen_budget(level: int | None, epsilon: float | None, delta: float | None, method: str) -> dpviz.Budget:
    """The budget of a level or of numbers. δ is 0 unless given, or 1e-9 for a method that cannot do without."""
    from dpviz.privacy import DEFAULT_DELTA, level_numbers

    if (level is None) == (epsilon is None):
        raise InputError(f"give either --level ({level_numbers()}) or --epsilon, such as --level 4 or --epsilon 0.5.")
    if level is not None:
        if not 1 <= level <= len(dpviz.LEVELS):
            raise InputError(f"--level {level}: levels go from 1 (most detail) to {len(dpviz.LEVELS)} (most privacy).")
        epsilon = dpviz.LEVELS[level - 1].epsilon
    needs_delta = {row["name"] for row in dpviz.methods() if row["guarantee"] == "approximate"}
    if delta is None:
        delta = DEFAULT_DELTA if method in needs_delta else 0.0
    assert epsilon is not None
    return dpviz.Budget(epsilon=epsilon, delta=delta)


def total_budget(epsilon: float, request_delta: float = 0.0) -> dpviz.Budget:
    """All that a new dataset may ever spend. A little δ leaves room for methods that need it, as on the screen."""
    from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA

    return dpviz.Budget(epsilon=epsilon, delta=max(DEFAULT_TOTAL_DELTA, request_delta))


def dataset_name(files: list[str]) -> str:
    """What a dataset is called where nobody gave it a name: as its first file. The name is published."""
    if files == ["-"]:
        raise InputError("records from standard input have no name; give one for the ledger (--dataset NAME).")
    from dpviz.ingest.sources import show_address  # an address may hold a password or a signature

    return Path((show_address(files[0]) if "://" in files[0] else files[0]).rstrip("/")).name or "data"


def degrees_box(text: str, refusal: str) -> dpviz.GeoBox:
    """The public box of these words; a refusal where it is not one of degrees."""
    from dpviz.ingest import parse_box

    found = parse_box(text)
    if not isinstance(found, dpviz.GeoBox):
        raise InputError(refusal)
    return found


def read_region_file(file: Path | None) -> tuple[dpviz.Region, ...]:
    """The regions of a GeoJSON file; none without a file."""
    if file is None:
        return ()
    try:
        with open(file, "rb") as handle:
            content = handle.read(LARGEST_REGIONS + 1)
    except OSError as error:
        raise InputError(
            f"cannot read {str(file)!r}: {error.strerror or type(error).__name__}; give a GeoJSON file (--regions)."
        ) from None
    return dpviz.read_regions(content)


def read_prior(file: Path | None, weight: str | None, box: str | None) -> dpviz.PublicMap | None:
    """The public map of a file, or of the folder of an earlier release; none without one."""
    if file is None:
        if weight is not None:
            raise InputError("--prior-weight names a column of the map that --prior gives.")
        return None
    if not file.is_dir():
        from dpviz.ingest.cities import parse_box

        return dpviz.PublicMap.read(file, box=None if box is None else parse_box(box), weight=weight)
    return dpviz.PublicMap.of(dpviz.Release.load(file))


def user_name() -> str:
    """Who is at work, for the ledger."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
