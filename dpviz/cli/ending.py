"""How a command ends: errors as one or two lines that say what to do, and the exit code of the contract."""

from __future__ import annotations

import os
from collections.abc import Callable

from dpviz.cli.output import say
from dpviz.errors import DpvizError

INTERRUPTED = 130  # what shells say for Ctrl-C


def guarded(run: Callable[[], None]) -> int:
    """Errors as one or two lines that say what to do, and the exit code of the contract; never a traceback."""
    try:
        run()
    except DpvizError as error:
        say(f"dpviz: {error.message}")
        return error.exit_code
    except KeyboardInterrupt:
        return interrupted()
    except BrokenPipeError:
        return 0
    except MemoryError:
        say("dpviz: not enough memory; use a smaller --side or --engine dask.")
        return 2
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
        return interrupted() if code == INTERRUPTED else code  # typer turns Ctrl-C into this code without a word
    except Exception as error:
        if os.environ.get("DPVIZ_DEBUG"):
            raise
        # The text of an unforeseen error may hold somebody's record, so only its kind is shown.
        say(f"dpviz: unexpected {type(error).__name__}. Set DPVIZ_DEBUG=1 to see where, on data that you may show.")
        return 1
    return 0


def interrupted() -> int:
    """What Ctrl-C leaves behind, said."""
    say("dpviz: interrupted; nothing was left half-written. What was charged is completed by the same command.")
    return INTERRUPTED
