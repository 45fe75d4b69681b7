"""Pages are opened here as they are in tests/ui."""

from tests.ui.conftest import few_tries, own_main

__all__ = ["few_tries", "own_main"]
