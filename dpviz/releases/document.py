"""release.json: everything about a release that is not a point, and the way back. Schema: schema/release-2.json."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

from dpviz.domain import Adjacency, Frame, Unit
from dpviz.domain.regions import ELSEWHERE
from dpviz.errors import DpvizError, StoreError
from dpviz.mechanisms.interface import Reason
from dpviz.privacy import Charge, Guarantee, RegionLevel
from dpviz.releases import cell_tables
from dpviz.releases.agreement import refuse_contradictions
from dpviz.releases.content_ids import own_id
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest
from dpviz.releases.schema_check import breach
from dpviz.releases.signing import Signature
from dpviz.releases.status import PUBLISHED, UNLEDGERED, UNVERIFIED
from dpviz.releases.tables import parse_csv

SCHEMA_VERSION = 2
READABLE = (1, 2)  # version 1 has no cells
CODE_VERSION = "1.0.0"
DOCUMENT = "release.json"
CORESET_CSV = "coreset.csv"
CENTERS_CSV = "centers.csv"


def schema(version: int = SCHEMA_VERSION) -> dict[str, Any]:
    """The published JSON schema of release.json, of this version."""
    text = resources.files("dpviz.releases").joinpath(f"schema/release-{version}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def document_bytes(outcome: Release | NoAnswer, others: Mapping[str, bytes]) -> bytes:
    """release.json for this outcome and the other files of its folder."""
    frame, unit = outcome.frame, outcome.guarantee.unit
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "code_version": CODE_VERSION,
        "id": outcome.id,
        "outcome": "no answer" if isinstance(outcome, NoAnswer) else "answer",
        "status": PUBLISHED if outcome.status == UNVERIFIED else outcome.status,
        "demonstration": outcome.demonstration,
        "dataset": outcome.dataset,
        "request": {
            "k": outcome.request.k,
            "epsilon": outcome.request.budget.epsilon,
            "delta": outcome.request.budget.delta,
            "method": outcome.request.method,
            "purpose": outcome.request.facts()["purpose"],
        },
        "method": _method(outcome.method),
        "guarantee": {
            "epsilon": outcome.guarantee.epsilon,
            "delta": outcome.guarantee.delta,
            "relation": outcome.guarantee.adjacency.value,
            "unit": unit.facts() | {"in_words": str(unit)},
            "in_words": str(outcome.guarantee),
        },
        "charges": [
            {"name": charge.name, "epsilon": charge.epsilon, "delta": charge.delta, "rho": charge.rho}
            for charge in outcome.charges
        ],
        "constants": outcome.constants,
        "frame": {
            "names": list(frame.names),
            "low": list(frame.low),
            "high": list(frame.high),
            "scale": list(frame.scale),
            "metric": frame.metric,
        },
        "grid_side": outcome.side,
        "noise": {"kind": outcome.noise, "seed": outcome.seed},
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(others.items())},
    }
    if outcome.about:
        document["about"] = dict(outcome.about)
    if outcome.ledger is not None:
        document["ledger"] = outcome.ledger
    if outcome.request.period is not None:
        document["request"]["period"] = outcome.request.period.facts()
    if outcome.request.parts is not None:
        document["request"]["parts"] = outcome.request.parts.facts()
    if outcome.request.regions:
        document["request"]["regions"] = [region.facts() for region in outcome.request.regions]
        document["guarantee"]["regions"] = _regions(outcome.guarantee)
    if isinstance(outcome, NoAnswer):
        document["reason"] = outcome.reason.value
    else:
        document["centers"] = len(outcome.raw_centers)
        document["coreset"] = None
        if outcome.raw_coreset is not None:
            document["coreset"] = {
                "points": len(outcome.raw_coreset),
                "variances": outcome.coreset_variances is not None,
            }
        document["cells"] = None if outcome.protected_cells is None else cell_tables.facts(outcome.protected_cells)
        if outcome.protected_ends is not None:
            document["ends"] = [cell_tables.facts(tree) for tree in outcome.protected_ends]
    return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def _regions(guarantee: Guarantee) -> dict[str, Any]:
    """Every part's own ε, and what a record costs that moves: between two parts, and at most."""
    names = [None, *(region.name for region in guarantee.regions)]
    moves = [
        {"parts": [ELSEWHERE if name is None else name for name in (left, entered)], "epsilon": cost.epsilon}
        | {"delta": cost.delta}
        for at, left in enumerate(names)
        for entered in names[at:]
        for cost in [guarantee.moved(left, entered)]
    ]
    return {
        "elsewhere": guarantee.epsilon,
        "inside": [{"name": region.name, "epsilon": region.epsilon} for region in guarantee.regions],
        "moves": moves,
    }


def parse(
    files: Mapping[str, bytes], signature: Signature | None = None, *, ledger_knows: bool = False
) -> Release | NoAnswer:
    """The outcome that these files hold; the files stay with it, so that saving again gives the same bytes.

    It is published if the ledger knows it, or a known key signed it; never because the files say so.
    """
    try:
        document = json.loads(files[DOCUMENT])
        version = document["schema_version"]
        if version not in READABLE:
            raise StoreError(
                f"release.json has schema version {version!r}; this dpviz reads versions 1 to {SCHEMA_VERSION}. "
                "Read it with the dpviz that wrote it or a newer one.",
                version=version,
            )
        wrong = breach(document, schema(version))
        if wrong is not None:
            raise StoreError(
                f"release.json does not follow its schema at {wrong[:80]!a}: it was damaged or edited. Copy the folder "
                "again."
            )
        found = _parsed(document, files)
        refuse_contradictions(found, files)
        _refuse_another_id(found, str(document["code_version"]))
        signed = signature or Signature()
        believed = found.status != PUBLISHED or ledger_knows or signed.known
        return replace(found, signature=signed, status=found.status if believed else UNVERIFIED)
    except StoreError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, DpvizError):
        raise StoreError(
            "release.json is not a complete release document; the folder was damaged or edited. Copy it again."
        ) from None


def _refuse_another_id(found: Release | NoAnswer, code_version: str) -> None:
    """The id of a release outside the door is made of its request, its public facts, its constants and its points."""
    if found.status == UNLEDGERED and code_version == CODE_VERSION and own_id(found) != found.id:
        raise StoreError(
            "the folder contradicts itself: request, method, box, relation, unit, seed or constants in release.json, "
            "or the points, are not those that its id was made of. It was damaged or edited; copy it again."
        )


def _parsed(document: dict[str, Any], files: Mapping[str, bytes]) -> Release | NoAnswer:
    _check_words(document)
    promised, box = document["guarantee"], document["frame"]
    frame = Frame(
        names=tuple(str(name) for name in box["names"]),
        low=tuple(float(value) for value in box["low"]),
        high=tuple(float(value) for value in box["high"]),
        scale=tuple(float(value) for value in box["scale"]),
        metric=str(box["metric"]),
    )
    unit = Unit.from_facts(promised["unit"])
    request = ReleaseRequest.from_facts(document["request"])
    shared: dict[str, Any] = {
        "id": str(document["id"]),
        "request": request,
        "method": str(document["method"]["name"]),
        "guarantee": Guarantee(
            epsilon=float(promised["epsilon"]),
            delta=float(promised["delta"]),
            adjacency=Adjacency.parse(promised["relation"]),
            unit=unit,
            regions=tuple(RegionLevel(name=region.name, epsilon=region.epsilon) for region in request.regions),
        ),
        "charges": tuple(
            Charge(name=part["name"], epsilon=part["epsilon"], delta=part["delta"], rho=part["rho"])
            for part in document["charges"]
        ),
        "constants": dict(document["constants"]),
        "frame": frame,
        "side": document["grid_side"],
        "noise": str(document["noise"]["kind"]),
        "seed": document["noise"]["seed"],
        "status": str(document["status"]),
        "dataset": document["dataset"],
        "demonstration": bool(document["demonstration"]),
        "about": dict(document.get("about", {})),
        "ledger": document.get("ledger"),
        "loaded_files": dict(files),
    }
    if document["outcome"] == "no answer":
        return NoAnswer(**shared, reason=Reason(document["reason"]))
    centers = parse_csv(files[CENTERS_CSV], frame.dims + 1, what=CENTERS_CSV)
    shared |= {"raw_centers": centers[:, :-1], "center_weights": centers[:, -1]}
    if document["coreset"] is not None:
        with_variances = bool(document["coreset"]["variances"])
        points = parse_csv(files[CORESET_CSV], frame.dims + (2 if with_variances else 1), what=CORESET_CSV)
        if len(points) != document["coreset"]["points"]:
            raise ValueError("another number of points")
        shared |= {"raw_coreset": points[:, : frame.dims], "coreset_weights": points[:, frame.dims]}
        if with_variances:
            shared["coreset_variances"] = points[:, -1]
    said = document.get("cells")
    if said is not None:
        shared["protected_cells"] = cell_tables.parse_cells(
            frame, said, files[cell_tables.CELLS], files[cell_tables.MEASUREMENTS]
        )
    if document.get("ends") is not None:
        shared["protected_ends"] = cell_tables.parse_ends(frame, document["ends"], files)
    return Release(**shared)


def _check_words(document: dict[str, Any]) -> None:
    """Words that screens show and code trusts are those of the schema; a folder may come from anywhere."""
    known = (
        re.fullmatch(r"[0-9a-f]{32}", document["id"]) is not None
        and document["status"] in (PUBLISHED, UNLEDGERED)
        and document["noise"]["kind"] in ("secure", "replayable")
        and document["outcome"] in ("answer", "no answer")
        and re.fullmatch(r"[a-z0-9_:]+", document["method"]["name"]) is not None
        and (document["dataset"] is None or isinstance(document["dataset"], str))
    )
    if not known or (document["status"] == PUBLISHED and document["noise"]["kind"] != "secure"):
        raise ValueError("not the words of the schema")


def _method(name: str) -> dict[str, Any]:
    """What the catalogue says about the method at the time of writing."""
    from dpviz.mechanisms import catalogue  # here, so that reading releases loads no method

    info = catalogue.get(name).info
    return {
        "name": info.name,
        "title": info.title,
        "paper": info.paper,
        "proof": f"docs/proofs/{info.proof}.md",
        "vetted": info.vetted,
    }
