# mypy: ignore-errors
"""The smallest cases of the forced transcripts with the kernels of the mechanisms uncompiled, for coverage.py.

`python -m dpviz_research._uncompiled_kernels [PART PARTS]`. The kernels of the clustering see protected numbers
alone and stay compiled, which takes a tenth of the time.
"""

from __future__ import annotations

import sys

import numba


def main() -> None:
    """Compile what is not looked at, and nothing after that."""
    import dpviz.clustering  # noqa: F401

    numba.config.DISABLE_JIT = True
    from dpviz_research.transcripts.record import run_smallest

    run_smallest(*map(int, sys.argv[1:]))


if __name__ == "__main__":
    main()
