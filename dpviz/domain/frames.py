"""Whether a value is a pandas table, without loading pandas: who gives one has loaded it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    import pandas as pd


def is_pandas_frame(value: Any) -> TypeGuard[pd.DataFrame]:
    """Whether this is a pandas DataFrame, or one of a library that builds on it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def pandas_missing() -> Any:
    """What pandas writes for a value that is missing; None where nobody has loaded pandas."""
    pandas = sys.modules.get("pandas")
    return None if pandas is None else pandas.NA
