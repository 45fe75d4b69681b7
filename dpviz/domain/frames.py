"""Recognise pandas tables without importing pandas: a caller who passes one has imported it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    import pandas as pd


def is_pandas_frame(value: Any) -> TypeGuard[pd.DataFrame]:
    """Whether this is a pandas DataFrame or a subclass."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)
