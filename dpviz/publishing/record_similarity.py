"""Whether records, or the people in them, are likely those of a registered dataset, whatever box, grid or columns.

The ledger keeps for each dataset:

* traces of all rows of the source (`domain.traces`): tables of counts by place, of 512 buckets for all records and for
  three thinner samples, and by person only whether a bucket is taken. They are XORed with a stream that follows from
  the ledger's key and a fresh number, and have one length whatever the records: without the key they are noise.
* 64 sums of the counts on coarse cells with random signs that follow from the key (Alon, Matias, Szegedy 1996), blinded
  by a stream from the key, which cancels in differences. They serve where no traces were taken: arrays of counts,
  Dask workers, ledgers of before. The same file less a few rows lies next to itself, other records far away.

Both are exact and never leave the ledger. Who has its key can test a guessed file against them, as against the keyed
hash of the content, and a guessed set of persons; no single place and no single person stands in them.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, Unit
from dpviz.domain.counts import LevelCounts, TracedCounts
from dpviz.domain.traces import BUCKETS, MOST_KEPT, SAMPLES, PlacesAsked, Traces, share_persons, share_records
from dpviz.errors import InputError, LedgerRefusal
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.rows import DatasetRow
from dpviz.mechanisms.interface import ExactData
from dpviz.mechanisms.mean_split.queries import exact_answer

POPULATION = "population"  # the kind of the notes that begin one
MEMBER = "member"  # the kind of the ledger's notes that name a dataset's population
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember"
)
_DATED = re.compile(rf"(?<![^\W\d_])({_MONTHS})(?![^\W\d_])|[\d\W_]+|(?<=\d)w(?=\d)", re.IGNORECASE)
LIKENESS = "likeness"
OTHER_PEOPLE = "other people"  # the kind of the notes that say why alike records are of other people
_SUMS = 64
_MOST_CELLS = 256
_RANGE = 2**62
_NEAR = 0.25  # of the distance that different records would have at least


class LikelySamePeople(LedgerRefusal):
    """The records, or their people, are likely those of registered datasets (`values["alike"]`), and nobody said so."""


def likeness_facts(data: ExactData, key: bytes) -> dict[str, Any]:
    """What the ledger keeps: blinded sums, the blinded size of the file to a power of two, and blinded traces."""
    traces = _traces_of(data)
    return {
        "size": (int(data.exact_total).bit_length() + _blinds(key, 1)[0]) % _RANGE,
        "sums": {str(side): _sums(cells, key) for side, cells in _coarse_cells(data).items()},
        **({} if traces is None else {"traces": _blinded(traces, key)}),
    }


def alike_names(
    name: str,
    facts: Mapping[str, Any],
    mine: Mapping[str, Any],
    rows: Sequence[DatasetRow],
    ledger: Ledger,
    equal: Sequence[str] = (),
) -> list[str]:
    """Registered datasets of which the records, or the people, are likely those of `name`, of no common population.

    `facts` are the public facts of `name`, `mine` its likeness, `rows` the datasets that are registered, `equal` those
    of equal content.
    """
    found = {note.subject: note.facts for note in ledger.notes(LIKENESS)}
    homes, known = populations_of_datasets(ledger), _Known(mine, ledger.content_key)
    return [
        row.name
        for row in rows
        if row.name != name
        and not (name in homes and homes.get(row.name) == homes[name])
        and (row.name in equal or (row.name in found and known.is_like(facts, row.facts, found[row.name])))
    ]


def populations_of_datasets(ledger: Ledger) -> dict[str, str]:
    """The population of every dataset that has one. The first note of a dataset counts."""
    return {note.subject: str(note.facts["population"]) for note in reversed(ledger.notes(MEMBER))}


def known_alike(ledger: Ledger, name: str) -> list[str]:
    """The other registered datasets whose records are nearly those of this one."""
    facts = {row.name: row.facts for row in ledger.datasets()}
    kept = {note.subject: note.facts for note in ledger.notes(LIKENESS)}
    if name not in kept or name not in facts:
        return []
    known = _Known(kept.pop(name), ledger.content_key)
    return [
        other
        for other, likeness in kept.items()
        if other in facts and known.shares_records(facts[name], facts[other], likeness)
    ]


def refuse_alike(name: str, alike: Sequence[str], other_people: str) -> None:
    """Refuse records that are likely registered already, until somebody says what they are."""
    if alike and not other_people:
        raise LikelySamePeople(
            f"the records of {name!r}, or the people in them, are likely those of {_some_of(alike)}: a second name "
            "would give the same people a second budget. If they are the same people, let both share one budget "
            f"(--same-people {alike[0]!r}, same_people={alike[0]!r}); if not, say why (--other-people WHY, "
            "other_people='why'). Nothing was charged or registered.",
            dataset=name,
            alike=tuple(alike),
        )


def _some_of(names: Sequence[str]) -> str:
    """The first three of these names, for a sentence."""
    return ", ".join(map(repr, names[:3])) + (" and others" if len(names) > 3 else "")


def checked_reason(other_people: str) -> str:
    """The reason why alike records are of other people: one line that the ledger can keep."""
    reason = " ".join(other_people.split())
    if other_people and not reason:
        raise InputError("say why these are other people (--other-people WHY): the ledger keeps it.")
    return reason


class _Known:
    """The likeness of one dataset, unblinded once for many comparisons."""

    def __init__(self, facts: Mapping[str, Any], key: bytes) -> None:
        self.facts, self.key = facts, key
        self.traces = _unblinded(facts, key)

    def is_like(self, facts: Mapping[str, Any], others: Mapping[str, Any], likeness: Mapping[str, Any]) -> bool:
        """Whether records or people are likely the same, by the public facts and the likeness of another dataset."""
        return self.shares_records(facts, others, likeness) or self.shares_persons(likeness)

    def shares_records(self, facts: Mapping[str, Any], others: Mapping[str, Any], likeness: Mapping[str, Any]) -> bool:
        """Whether the records are the same in good part: by traces, or where one of the two has none by sums."""
        if not _may_share(facts, others):
            return False
        theirs = _unblinded(likeness, self.key)
        if self.traces is None or theirs is None:
            return _box(facts) == _box(others) and _near(self.facts, likeness, self.key)
        return any(share_records(one, two) for one in self.traces.places for two in theirs.places)

    def shares_persons(self, other: Mapping[str, Any]) -> bool:
        """Whether the people are the same in good part, as far as columns of persons tell."""
        theirs = _unblinded(other, self.key)
        if self.traces is None or theirs is None or self.traces.persons is None or theirs.persons is None:
            return False
        return share_persons(self.traces.persons, theirs.persons)


def _may_share(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether one unit of protection can stand in both: in boxes apart a single record cannot, a person can."""
    if Adjacency.REPLACE_ONE.value in (one["relation"], other["relation"]):
        return True
    if any(facts["unit"].get("person_column") for facts in (one, other)):
        return True
    return any(
        all(
            low < their_high and their_low < high
            for low, high, their_low, their_high in zip(*mine, *theirs, strict=True)
        )
        for mine in _boxes(one)
        for theirs in _boxes(other)
    )


def _boxes(facts: Mapping[str, Any]) -> list[tuple[Sequence[float], Sequence[float]]]:
    """The box of every pair of coordinates: pick-up and drop-off have two."""
    low, high = _box(facts)
    if facts["frame"]["metric"] != "m":
        return [(low, high)]
    return [(low[at : at + 2], high[at : at + 2]) for at in range(0, len(low), 2)]


def _near(one: Mapping[str, Any], other: Mapping[str, Any], key: bytes) -> bool:
    shared = [side for side in one["sums"] if side in other["sums"]]
    sizes = [(int(facts["size"]) - _blinds(key, 1)[0]) % _RANGE for facts in (one, other)]
    if not shared or not min(sizes):
        return False
    pairs = zip(one["sums"][shared[0]], other["sums"][shared[0]], strict=True)
    gaps = [(mine - theirs + _RANGE // 2) % _RANGE - _RANGE // 2 for mine, theirs in pairs]
    least = 2.0 ** (min(sizes) - 1)  # records in each, at least
    return sum(float(gap) ** 2 for gap in gaps) / len(gaps) <= _NEAR * 2 * least


def taken_traces(data: ExactData) -> Traces | None:
    """The traces that were taken when these records were read."""
    if isinstance(data, TracedCounts | LevelCounts):
        return data.traces
    return None if data.report is None else data.report.traces


def _traces_of(data: ExactData) -> Traces | None:
    """The traces taken at reading; those of points are made of the points themselves where none were taken."""
    taken = taken_traces(data)
    if taken is not None or isinstance(data, ExactCounts) or data.frame.metric != "m" or data.frame.dims % 2:
        return taken
    low, high = np.asarray(data.frame.low), np.asarray(data.frame.high)
    return Traces(exact_answer(data, PlacesAsked(low=low, wide=high - low)), None)


def _blinded(traces: Traces, key: bytes) -> dict[str, Any]:
    """Two bytes a bucket of places (larger counts are cut), a bit a bucket of persons, all XORed with the stream."""
    places = np.minimum(traces.places, MOST_KEPT).astype("<u2").tobytes()
    persons = b"" if traces.persons is None else np.packbits(traces.persons > 0).tobytes()
    nonce = secrets.token_bytes(16)
    text = base64.b64encode(_turned(places + persons, key, nonce)).decode("ascii")
    return {"nonce": nonce.hex(), "pairs": len(traces.places), "persons": traces.persons is not None, "table": text}


def _unblinded(facts: Mapping[str, Any], key: bytes) -> Traces | None:
    kept = facts.get("traces")
    if kept is None:  # a note of before, or records without traces
        return None
    table = _turned(base64.b64decode(kept["table"]), key, bytes.fromhex(kept["nonce"]))
    size = 2 * int(kept["pairs"]) * SAMPLES * BUCKETS
    places = np.frombuffer(table[:size], "<u2").astype(np.int64).reshape(-1, SAMPLES, BUCKETS)
    if not kept["persons"]:
        return Traces(places, None)
    bits = np.unpackbits(np.frombuffer(table[size:], np.uint8))
    return Traces(places, bits.astype(np.int64).reshape(SAMPLES, BUCKETS))


def _turned(content: bytes, key: bytes, nonce: bytes) -> bytes:
    stream = hashlib.shake_256(b"likeness traces" + key + nonce).digest(len(content))
    return (np.frombuffer(content, np.uint8) ^ np.frombuffer(stream, np.uint8)).tobytes()


def _coarse_cells(data: ExactData) -> dict[int, NDArray[np.int64]]:
    """Counts on coarse grids that are nested in every grid of the box, finest first."""
    if isinstance(data, ExactCounts):
        sides = [side for side in (16, 4) if side <= data.grid.side and data.grid.side % side == 0]
        return {side: data.coarsened(side).exact_cells[::-1].T.ravel() for side in sides}
    dims = data.frame.dims
    found: dict[int, NDArray[np.int64]] = {}
    for side in (16, 4, 2):
        if side**dims <= _MOST_CELLS or (side == 2 and not found):
            found[side] = exact_answer(data, _CoarseCells(side=side, axes=min(dims, 8), extent=data.frame.extent))
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class _CoarseCells:
    """How many records lie in each cell of a coarse grid over the first few axes."""

    side: int
    axes: int
    extent: NDArray[np.float64]

    def empty(self) -> NDArray[np.int64]:
        return np.zeros(self.side**self.axes, np.int64)

    def add(self, cube: NDArray[np.float64], answer: NDArray[np.int64]) -> None:
        local = cube * self.extent / self.extent
        places = np.minimum((local * self.side).astype(np.int64), self.side - 1)[:, : self.axes]
        flat = np.zeros(len(cube), dtype=np.int64)
        for axis in range(self.axes):
            flat = flat * self.side + places[:, axis]
        answer += np.bincount(flat, minlength=len(answer)).astype(np.int64)


def _sums(cells: NDArray[np.int64], key: bytes) -> list[int]:
    bits = hashlib.shake_256(b"likeness signs" + key).digest(_SUMS * len(cells) // 8)
    signs = np.unpackbits(np.frombuffer(bits, dtype=np.uint8)).reshape(_SUMS, len(cells)).astype(np.int64) * 2 - 1
    found = (signs @ cells).tolist()
    return [(value + blind) % _RANGE for value, blind in zip(found, _blinds(key, _SUMS), strict=True)]


def _blinds(key: bytes, many: int) -> list[int]:
    stream = hashlib.shake_256(b"likeness blinds" + key).digest(8 * many)
    return [int.from_bytes(stream[8 * at : 8 * at + 8], "big") % _RANGE for at in range(many)]


def _box(facts: Mapping[str, Any]) -> tuple[Any, Any]:
    return list(facts["frame"]["low"]), list(facts["frame"]["high"])


def possible_relatives(ledger: Ledger, name: str, facts: Mapping[str, Any]) -> list[str]:
    """Registered datasets of the same box that have the same person column, or the same name but for a date.

    None for a dataset whose population is named: the window's budget holds for all of it.
    """
    if ledger.notes(MEMBER, name):
        return []
    person, dated = Unit.from_facts(facts["unit"]).person_column, _DATED.search(name) is not None
    return [
        row.name
        for row in ledger.datasets()
        if row.name != name
        and _box(row.facts) == _box(facts)
        and (
            (person is not None and row.unit.person_column == person)
            or (dated and _undated(row.name) == _undated(name) != "")
        )
    ]


def relatives_sentence(name: str, relatives: list[str]) -> str | None:
    """What is said about them at registration."""
    if not relatives:
        return None
    return (
        f"{name!r} may be about the same people as {_some_of(relatives)}: if they are in both, what both spend adds up "
        "for them. A population gives them one budget together (dpviz.register_member, dpviz series begin)."
    )


def _undated(name: str) -> str:
    return _DATED.sub("", name).casefold()
