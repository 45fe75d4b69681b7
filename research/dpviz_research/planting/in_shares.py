"""Bugs planted where something is divided: δ and ε among steps and periods, persons among workers."""

from __future__ import annotations

from dpviz_research.planting.in_rooms import CAP, COMPOSITION, NOISE
from dpviz_research.planting.patches import Bug

_SEARCH = "the steps of a search share its budget"
_WORKERS = "persons on workers"
_SECOND = "the second computation of charges"
_WINDOWS = "periods of a window against every way to meet them"

BUGS = (
    Bug(
        name="every step of a search has the whole ε",
        room=NOISE,
        where="noise.recconcave:rec_concave",
        old="budget.epsilon / (3 * depth + 1)",
        new="budget.epsilon",
        check=_SEARCH,
    ),
    Bug(
        name="every step of a search has the whole δ",
        room=NOISE,
        where="noise.recconcave:rec_concave",
        old="budget.delta / max(1, 2 * depth)",
        new="budget.delta",
        check=_SEARCH,
    ),
    Bug(
        name="a worker keeps one more than the cap",
        room=CAP,
        where="ingest.dask.capped_workers:keep_bucket",
        old="keep(keys[rows], values, cap, hashed)",
        new="keep(keys[rows], values, cap + 1, hashed)",
        check=_WORKERS,
    ),
    Bug(
        name="whom a worker keeps hangs on the order of rows",
        room=CAP,
        where="ingest.dask.capped_workers:keep_bucket",
        old="keep(keys[rows], values, cap, hashed)",
        new="keep(keys[rows], (np.arange(len(rows)),), cap, hashed)",
        check=_WORKERS,
    ),
    Bug(
        name="the coins of a bucket hang on how many rows it has",
        room=CAP,
        where="ingest.dask.capped_workers:keep_bucket",
        old="keep(keys[rows], values, cap, hashed)",
        new="keep(keys[rows], values, cap, PersonHash(words=(*hashed.words[:3], len(raw))))",
        check=_WORKERS,
    ),
    Bug(
        name="the rest's ε is forgotten beside what is composed by zCDP",
        room=COMPOSITION,
        where="privacy.accountant:_zcdp",
        old="epsilon += sum((Fraction(charge.epsilon) for charge in rest), Fraction(0))",
        new="epsilon += 0",
        check=_SECOND,
    ),
    Bug(
        name="the rest's δ is spent a second time by zCDP",
        room=COMPOSITION,
        where="privacy.accountant:_zcdp",
        old="left = float(Fraction(budget.delta) - spent) * (1 - 1e-12)",
        new="left = float(Fraction(budget.delta)) * (1 - 1e-12)",
        check=_SECOND,
    ),
    Bug(
        name="the plain half of a window spends δ that the other half converts with",
        room=COMPOSITION,
        where="privacy.windows:_mixed",
        old="left = Fraction(delta) - Fraction(basic.delta)",
        new="left = Fraction(delta)",
        check=_WINDOWS,
    ),
    Bug(
        name="a window may be overdrawn by one percent",
        room=COMPOSITION,
        where="privacy.windows:fits",
        old="slack = 1 + Fraction(1, 10**12)",
        new="slack = 1 + Fraction(1, 100)",
        check=_WINDOWS,
    ),
)
