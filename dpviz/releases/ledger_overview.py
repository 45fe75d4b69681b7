"""The ledger as JSON values: every dataset with its total, what remains and its charges, for the curator's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpviz.releases.ledger import Ledger
    from dpviz.releases.ledger_rows import ChargeRow, DatasetRow


def overview(ledger: Ledger) -> list[dict[str, Any]]:
    """All datasets in the order of their registration."""
    return [_dataset(ledger, row) for row in ledger.datasets()]


def _dataset(ledger: Ledger, row: DatasetRow) -> dict[str, Any]:
    return {
        "dataset": row.name,
        "relation": row.facts["relation"],
        "unit": row.facts["unit"],
        "total": row.total.as_numbers(),
        "remaining": ledger.remaining(row.name).as_numbers(),
        "standin_share": float(row.standin_share),
        "who": row.who,
        "why": row.why,
        "created": row.created,
        "charges": [_charge(charge) for charge in ledger.charges(row.name)],
    }


def _charge(charge: ChargeRow) -> dict[str, Any]:
    return {
        "id": charge.key,
        "purpose": charge.purpose,
        "charged": charge.amount.as_numbers(),
        "request": dict(charge.request_facts),
        "who": charge.who,
        "why": charge.why,
        "created": charge.created,
        "stored": charge.stored,
    }
