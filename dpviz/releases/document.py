"""release.json and PROOF.md: write and read everything about a release that is not a point (schema/release-2.json).

Reading refuses a folder whose files contradict each other.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from dpviz.domain import Adjacency, Frame, Unit
from dpviz.domain.protected import MAX_PUBLISHED_POINTS
from dpviz.domain.regions import ELSEWHERE
from dpviz.errors import DpvizError, StoreError
from dpviz.mechanisms.interface import Reason
from dpviz.privacy import Budget, Charge, Guarantee, RegionLevel, verify
from dpviz.releases import tables
from dpviz.releases.release import PUBLISHED, UNLEDGERED, UNVERIFIED, NoAnswer, Release, own_id
from dpviz.releases.request import ReleaseRequest
from dpviz.releases.schema_check import find_breach, published_schema
from dpviz.releases.signing import Signature
from dpviz.releases.tables import Columns, parse_csv, point_columns

_SLACK = 1e-9  # of the promise: the arithmetic of another machine
PROOF, PACKAGE = "PROOF.md", "datapackage.json"
_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS = (_PACKAGE.parent / "docs" / "proofs", _PACKAGE / "_data" / "proofs")  # a checkout, an installed wheel
_LINK_INTO_THE_PROJECT = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")
SCHEMA_VERSION = 2
_READABLE = (1, 2)  # version 1 has no cells
CODE_VERSION = "1.0.0"
DOCUMENT = "release.json"
CORESET_CSV = "coreset.csv"
CENTERS_CSV = "centers.csv"


def schema(version: int = SCHEMA_VERSION) -> dict[str, Any]:
    """The published JSON schema of release.json, of this version."""
    return published_schema(f"release-{version}")


def document_bytes(outcome: Release | NoAnswer, others: Mapping[str, bytes]) -> bytes:
    """release.json for this outcome and the other files of its folder."""
    unit = outcome.guarantee.unit
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "code_version": CODE_VERSION,
        "id": outcome.id,
        "outcome": "no answer" if isinstance(outcome, NoAnswer) else "answer",
        "status": PUBLISHED if outcome.status == UNVERIFIED else outcome.status,
        "demonstration": outcome.demonstration,
        "dataset": outcome.dataset,
        # Budgets are numbers here; the ledger spells them as decimals.
        "request": outcome.request.facts()
        | {"epsilon": outcome.request.budget.epsilon, "delta": outcome.request.budget.delta},
        "method": _method(outcome.method),
        "guarantee": {
            "epsilon": outcome.guarantee.epsilon,
            "delta": outcome.guarantee.delta,
            "relation": outcome.guarantee.adjacency.value,
            "unit": unit.facts() | {"in_words": str(unit)},
            "in_words": str(outcome.guarantee),
        },
        "charges": [asdict(charge) for charge in outcome.charges],
        "constants": outcome.constants,
        "frame": frame_facts(outcome.frame),
        "grid_side": outcome.side,
        "noise": {"kind": outcome.noise, "seed": outcome.seed},
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(others.items())},
        **({"about": dict(outcome.about)} if outcome.about else {}),
        **({} if outcome.ledger is None else {"ledger": outcome.ledger}),
    }
    if outcome.request.regions:
        document["request"]["regions"] = [region.facts() for region in outcome.request.regions]
        document["guarantee"]["regions"] = _regions(outcome.guarantee)
    if isinstance(outcome, NoAnswer):
        document["reason"] = outcome.reason.value
    else:
        points, cells = outcome.raw_coreset, outcome.protected_cells
        variances = outcome.coreset_variances is not None
        document |= {
            "centers": len(outcome.raw_centers),
            "coreset": None if points is None else {"points": len(points), "variances": variances},
            "cells": None if cells is None else tables.cell_facts(cells),
        }
        if outcome.protected_ends is not None:
            document["ends"] = [tables.cell_facts(tree) for tree in outcome.protected_ends]
    return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def frame_facts(frame: Frame) -> dict[str, Any]:
    """A frame as JSON values: lists, and the metric as a text."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(frame).items()}


def _regions(guarantee: Guarantee) -> dict[str, Any]:
    """Every part's own ε, and what a record costs that moves: between two parts, and at most."""
    names = [None, *(region.name for region in guarantee.regions)]
    return {
        "elsewhere": guarantee.epsilon,
        "inside": [{"name": region.name, "epsilon": region.epsilon} for region in guarantee.regions],
        "moves": [
            {"parts": [ELSEWHERE if name is None else name for name in (left, entered)], "epsilon": cost.epsilon}
            | {"delta": cost.delta}
            for at, left in enumerate(names)
            for entered in names[at:]
            for cost in [guarantee.moved(left, entered)]
        ],
    }


def read_document(
    files: Mapping[str, bytes], signature: Signature | None = None, *, ledger_knows: bool = False
) -> Release | NoAnswer:
    """The outcome that these files hold; the files stay with it, so that saving again gives the same bytes.

    It is published if the ledger knows it, or a known key signed it; never because the files say so.
    """
    try:
        document = json.loads(files[DOCUMENT])
        version = document["schema_version"]
        if version not in _READABLE:
            raise StoreError(
                f"release.json has schema version {version!r}; this dpviz reads versions 1 to {SCHEMA_VERSION}. "
                "Read it with the dpviz that wrote it or a newer one.",
                version=version,
            )
        wrong = find_breach(document, schema(version))
        if wrong is not None:
            raise StoreError(
                f"release.json does not follow its schema at {wrong[:80]!a}: it was damaged or edited. Copy the folder "
                "again."
            )
        found = _parsed(document, files)
        _refuse_contradictions(found, files)
        # The id of a release outside the door is made of its request, public facts, constants and points.
        if found.status == UNLEDGERED and document["code_version"] == CODE_VERSION and own_id(found) != found.id:
            raise _contradiction(
                "request, method, box, relation, unit, seed or constants in release.json, or the points, are not those "
                "that its id was made of"
            )
        signed = signature or Signature()
        _refuse_other_signers(found.request, signed)
        believed = found.status != PUBLISHED or ledger_knows or signed.known
        return replace(found, signature=signed, status=found.status if believed else UNVERIFIED)
    except StoreError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, DpvizError):
        raise StoreError(
            "release.json is not a complete release document; the folder was damaged or edited. Copy it again."
        ) from None


def _refuse_other_signers(request: ReleaseRequest, signed: Signature) -> None:
    """Refuse a joint release that not all of its holders have signed, and several signatures of any other one."""
    keys = set() if request.joint is None else {key for _, key in request.joint.holders}
    if (keys or signed.others) and signed.keys != keys:
        raise StoreError(
            "not exactly the holders that this release names have signed it. Get the folder again from one of them."
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
        shared["protected_cells"] = tables.parse_cells(frame, said, files[tables.CELLS], files[tables.MEASUREMENTS])
    if document.get("ends") is not None:
        shared["protected_ends"] = tables.parse_ends(frame, document["ends"], files)
    return Release(**shared)


def _check_words(document: dict[str, Any]) -> None:
    """Words that screens show and code trusts are those of the schema; a folder may come from anywhere."""
    if not (
        re.fullmatch(r"[0-9a-f]{32}", document["id"]) is not None
        and document["status"] in (PUBLISHED, UNLEDGERED)
        and document["noise"]["kind"] in ("secure", "replayable")
        and document["outcome"] in ("answer", "no answer")
        and re.fullmatch(r"[a-z0-9_:]+", document["method"]["name"]) is not None
        and (document["dataset"] is None or isinstance(document["dataset"], str))
    ) or (document["status"] == PUBLISHED and document["noise"]["kind"] != "secure"):
        raise ValueError("not the words of the schema")


def _method(name: str) -> dict[str, Any]:
    """What the catalogue says about the method at the time of writing."""
    from dpviz.mechanisms import catalogue  # here, so that reading releases loads no method

    info = catalogue.describe(name)
    facts = {name: getattr(info, name) for name in ("name", "title", "paper", "vetted")} | {"proof": info.page}
    return facts | ({"package": info.package} if info.package else {})


def proof_of(method: str) -> str:
    """The page of a method's proof; what it names in the program is text, because the folder holds this page alone."""
    from dpviz.mechanisms import catalogue  # here, so that reading releases loads no method

    info = catalogue.describe(method)
    if method.rpartition(":")[2] in catalogue.FORMER:
        return f"The method {method} was part of earlier versions of dpviz; its proof lies in the releases of these.\n"
    if info.package:
        where = f" Its package names this place: {info.proof}" if info.proof else ""
        return f"The method {method} comes from {info.package}. Nobody has checked its proof for dpviz.{where}\n"
    return _page(info.proof)


@cache
def _page(name: str) -> str:
    page = (next(folder for folder in _FOLDERS if folder.is_dir()) / f"{name}.md").read_text(encoding="utf-8")
    alone = _LINK_INTO_THE_PROJECT.sub(r"\1", page).rstrip()
    return f"{alone}\n\nThis is the page docs/proofs/{name}.md of dpviz.\n"


def _refuse_contradictions(outcome: Release | NoAnswer, files: Mapping[str, bytes]) -> None:
    """Raise a sentence that names the first two parts that do not agree."""
    _refuse_another_promise(outcome)
    if outcome.noise == "secure" and outcome.seed is not None:
        raise _contradiction("noise of the secure source has no seed")
    if isinstance(outcome, NoAnswer):
        return
    if outcome.raw_coreset is not None and len(outcome.raw_coreset) > MAX_PUBLISHED_POINTS:
        raise _contradiction(f"the coreset has more than {MAX_PUBLISHED_POINTS} points, which no release has")
    for name, columns in point_columns(outcome).items():
        if f"{name}.geojson" in files and not _same_places(files[f"{name}.geojson"], columns, outcome.frame.dims):
            raise _contradiction(f"{name}.csv and {name}.geojson hold other points")
        if f"{name}.parquet" in files and not _same_table(files[f"{name}.parquet"], columns):
            raise _contradiction(f"{name}.csv and {name}.parquet hold other points")


def _refuse_another_promise(outcome: Release | NoAnswer) -> None:
    """Guarantee = request, and the charges come to it; δ is promised only where the charges need it."""
    promised, asked = outcome.guarantee, outcome.request.budget
    if promised.epsilon != asked.epsilon or promised.delta not in (0.0, asked.delta):
        raise _contradiction("the guarantee is not the one that was asked for")
    try:
        verify(outcome.charges, Budget(epsilon=promised.epsilon, delta=promised.delta))
    except DpvizError:
        raise _contradiction("the charges come to more than the guarantee") from None
    pure = all(charge.delta == 0 and charge.rho is None for charge in outcome.charges)
    if pure and sum(charge.epsilon for charge in outcome.charges) < promised.epsilon * (1 - _SLACK):
        raise _contradiction("the charges come to less than the guarantee")


def _same_table(content: bytes, columns: Columns) -> bool:
    rows = len(next(iter(columns.values())))
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        if file.metadata.num_rows != rows or file.metadata.num_columns > len(columns) + 1:
            return False
        table = file.read()
        return all(np.array_equal(table[name].to_numpy(), values) for name, values in columns.items())
    except Exception:  # whatever a damaged file makes the reader say
        return False


def _same_places(content: bytes, columns: Columns, dims: int) -> bool:
    names = list(columns)
    try:
        features: list[dict[str, Any]] = json.loads(content)["features"]
        places = np.array([feature["geometry"]["coordinates"] for feature in features], dtype=np.float64)
        rows = np.column_stack([columns[name] for name in names])
        if len(features) != len(rows) or not np.array_equal(places.reshape(len(rows), dims), rows[:, :dims]):
            return False
        kept = [[float(feature["properties"][name]) for name in names[dims:]] for feature in features]
        return np.array_equal(np.array(kept, dtype=np.float64).reshape(len(rows), len(names) - dims), rows[:, dims:])
    except (KeyError, TypeError, ValueError, IndexError, RecursionError):
        return False


def _contradiction(what: str) -> StoreError:
    return StoreError(f"the folder contradicts itself: {what}. It was damaged or edited; copy it again.")
