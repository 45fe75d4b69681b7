"""Commands for a release of several holders, none of whom sees the records of another: joint plan, key, check, run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import dpviz
from dpviz.cli import approval
from dpviz.cli.parameters.options import (
    AsJson,
    Ask,
    RegistrationOptions,
    RequestOptions,
    degrees_box,
    in_file,
    in_ledger,
    total_budget,
    user_name,
    with_options,
)
from dpviz.cli.parameters.reading import SourceOptions, read_records, report_of
from dpviz.cli.publishing import print_release, run_charge
from dpviz.cli.terminal.output_paths import RELEASE, Overwrite, claim
from dpviz.cli.terminal.printing import Table, progress, say, tell
from dpviz.errors import InputError

app = typer.Typer(help="One release of several holders, none of whom sees the records of another.")
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="The plan, the same file at every holder.")]
As = Annotated[str, typer.Option("--as", help="Which holder of the plan this is.")]
Wait = Annotated[float, typer.Option(help="Seconds to wait for the other holders in every step.")]
Listen = Annotated[
    str | None,
    typer.Option(help="HOST:PORT to listen at here, where the address in the plan is forwarded to this machine."),
]


def _make(
    holder: Annotated[
        list[str], typer.Option(help="NAME=HOST:PORT of one holder, as the others reach it; at least three of them.")
    ],
    box: Annotated[
        str, typer.Option(help="The public box: west,south,east,north in degrees, or a city such as 'New York'.")
    ],
    wanted: RequestOptions,
    out: Annotated[Path, typer.Option(help="The file of the plan, such as joint.toml.")],
    side: Annotated[int, typer.Option(help="Cells along each side of the public grid, a power of two.")] = 1024,
    pooling: Annotated[
        int | None,
        typer.Option(
            help="How many holders may pool all they see without learning more than epsilon allows; each adds noise. "
            "Default: the most, just below half of them. With 0 each holder may learn more than that about the others."
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="The title of the release.")] = "",
    as_json: AsJson = False,
) -> None:
    """Write the public plan of a joint release: who holds records, where, and what is asked of all of them.

    Example: dpviz joint plan --holder a=a.example:7101 --holder b=b.example:7101 --holder c=c.example:7101
    --box "New York" --k 5 --epsilon 1 --out joint.toml
    """
    found = degrees_box(box, "a joint release needs a box in degrees: --box west,south,east,north, or a city.")
    if out.exists():
        raise InputError(f"{str(out)!r} is there already; give the plan another name (--out).")
    plan = dpviz.joint.make_plan(holder, request=wanted.request(), box=found, side=side, pooling=pooling, title=title)
    plan.save(out)
    tell(
        as_json,
        {**plan.facts(), "digest": plan.digest},
        f"Written to {out}. {plan.promise}",
        f"Next, in turn: every holder runs 'dpviz joint key {out} --as NAME' and sends the file on.",
    )


@app.command()
def key(plan: PlanFile, holder: As, as_json: AsJson = False) -> None:
    """Make the key and certificate of this holder and put the certificate into this copy of the plan.

    The key is the one that signs releases of this machine, and never leaves it.

    Example: dpviz joint key joint.toml --as a
    """
    from dpviz.joint.plan import make_certificate

    pinned = dpviz.joint.read_plan(plan).with_certificate(holder, make_certificate())
    pinned.save(plan)
    own = pinned.holders[pinned.place_of(holder)]
    missing = [one.name for one in pinned.holders if not one.certificate]
    tell(
        as_json,
        {"holder": holder, "fingerprint": own.fingerprint, "key": own.key, "missing": missing},
        f"{holder}: fingerprint {own.fingerprint}",
        f'certificate = "{own.certificate}"',
        f"{plan} still lacks the certificates of {', '.join(missing)}: send it on to them."
        if missing
        else f"{plan} has every certificate: send it to all. Compare fingerprints by telephone.",
    )


@app.command()
def check(plan: PlanFile, holder: As, wait: Wait = 600.0, listen: Listen = None, as_json: AsJson = False) -> None:
    """See that all holders are reached and have the same plan, versions and fingerprints. Nothing is charged.

    All holders start it at about the same time.

    Example: dpviz joint check joint.toml --as a
    """
    agreed = dpviz.joint.read_plan(plan)
    with progress("connecting") as say_step:
        dpviz.joint.check(agreed, holder, wait=wait, listen=listen, tell=say_step)
    rows = [
        {"holder": one.name, "address": f"{one.host}:{one.port}", "fingerprint": one.fingerprint}
        for one in agreed.holders
    ]
    said = f"All were reached, with this plan and the same versions. {agreed.promise} Nothing was charged."
    table = Table(("holder", "address", "fingerprint"), rows)
    tell(as_json, {"plan": agreed.digest, "holders": rows}, table, said)


def _run(
    plan: PlanFile,
    holder: As,
    asked: SourceOptions,
    entry: RegistrationOptions,
    out: Annotated[Path, typer.Option(help="Folder for a copy of the release.")],
    total: Annotated[
        float | None, in_ledger(help="Total epsilon that new records may ever spend. Default: the plan's epsilon.")
    ] = None,
    overwrite: Overwrite = False,
    strict: Annotated[
        bool,
        in_file(
            "--strict",
            help="Take part even when no row is inside the box. Otherwise the others see that this holder stays away.",
        ),
    ] = False,
    ask: Ask = False,
    wait: Wait = 600.0,
    listen: Listen = None,
    as_json: AsJson = False,
) -> None:
    """Publish with the other holders of the plan: each charges its own ledger, and none sees another's records.

    All holders start it at about the same time. A second run of the same plan draws and charges again.

    Example: dpviz joint run joint.toml --as a trips.csv --out release
    """
    from dpviz.joint.circle import Circle
    from dpviz.joint.run import checked_counts, run_registered
    from dpviz.publishing.approvals import ask_approval, permit
    from dpviz.publishing.joint_door import earlier_runs, permit_of_run

    agreed, name = dpviz.joint.read_plan(plan), entry.name(asked.files)
    request = agreed.request_of_run("0")
    agreed.place_of(holder)
    if one := asked.given("person", "cap", "weight", "columns", "level_column"):
        raise InputError(f"a joint release protects single records on one grid; leave out {one}.")
    place = claim(out, RELEASE, inputs=asked.files, ledger=entry.ledger, overwrite=overwrite)
    whole = None if total is None else total_budget(total)
    book, hidden = entry.open_ledger(name, whole, asked.files)
    strict = strict or hidden
    counts = checked_counts(
        agreed, read_records(asked, box=agreed.box, side=agreed.side, strict=strict, said=not strict)
    )
    opened = entry.enter(
        dpviz.register_or_open, name, counts, request=agreed.request, total=whole, ledger=book, strict=strict
    )
    needed = permit_of_run(opened, request)
    if ask:
        approval.tell_request(ask_approval(approval.account(), needed, entry.why), as_json)
        return
    permit(user_name(), needed)
    if paid := earlier_runs(opened, agreed.digest):
        say(
            f"dpviz: note: this plan was run before ({paid[-1].created[:10]}). This run draws anew, and charges "
            f"epsilon {agreed.request.budget.epsilon:g} anew."
        )
    answer, facts = run_charge(
        lambda say_step: run_registered(
            Circle(agreed, holder, wait=wait, listen=listen, tell=say_step), opened, who=user_name(), why=entry.why
        ),
        lambda _: None,
        out=out,
        place=place,
        overwrite=overwrite,
        facts={"dataset": opened.name, **report_of(counts, said=not strict)},
        as_json=as_json,
    )
    print_release(answer, facts, as_json)


app.command("plan")(with_options(_make))
app.command("run")(with_options(_run))
