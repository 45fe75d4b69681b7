"""What commands print, and how they end: tables, one JSON document, progress on a terminal, errors and exit codes."""

from __future__ import annotations

import atexit
import errno
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from dpviz.errors import CHARGED, ChargedError, DpvizError, JointError, missing_extra

INTERRUPTED = 130  # what shells say for Ctrl-C
_POLITE = ("SIGTERM", "SIGHUP")  # asked to stop by the system, or the terminal was closed


def escape_unprintable_letters() -> None:
    """Escape letters that the console cannot print, as on Windows behind a pipe, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_json(value: Any) -> None:
    """Print one JSON document on standard output."""
    every_letter = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")

    def as_plain(part: Any) -> Any:
        return part.tolist() if hasattr(part, "tolist") else str(part)

    print(json.dumps(value, ensure_ascii=not every_letter, indent=2, default=as_plain))


@dataclass(frozen=True)
class Table:
    """Rows to print under their columns: mappings of which these columns are told, or ready cells."""

    columns: Sequence[str]
    rows: Iterable[Mapping[str, Any] | Sequence[Any]]


def tell(as_json: bool, facts: Any, *said: str | Table) -> None:
    """Print the facts as one JSON document, or else what is said: sentences and tables."""
    if as_json:
        print_json(facts)
        return
    for one in said:
        _print_table(one) if isinstance(one, Table) else print(one)


def _print_table(told: Table) -> None:
    """Print a table; wide where the output is no terminal, so that pipes get whole lines."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(*(column.replace("_", " ") for column in told.columns), box=None, pad_edge=False)
    for row in told.rows:
        cells = [row[column] for column in told.columns] if isinstance(row, Mapping) else row
        table.add_row(*[Text(plain(cell)) for cell in cells])
    console = Console()
    (console if console.is_terminal else Console(width=200)).print(table)


def center_rows(table: Any, metric: str) -> list[list[str]]:
    """A table of centers as cells: coordinates (1e-5 degrees are about a metre), and the weight."""
    digits = 5 if metric == "m" else 6
    return [[*(f"{value:.{digits}f}" for value in row[:-1]), f"{row[-1]:,.0f}"] for row in table.to_numpy()]


def plain(value: Any) -> str:
    """A value as a cell of a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def say(text: str) -> None:
    """Print a line on standard error."""
    print(text, file=sys.stderr)


@contextmanager
def progress(what: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner on a terminal, with words that can be changed; silent otherwise."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(what) as shown:
        yield shown.update


@contextmanager
def reading_progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar of the bytes read on a terminal; silent otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)


class _Stopped(BaseException):
    """A termination signal came; unfinished work is cleaned up on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number  # as shells say it


def exit_before_library_threads_abort(run: Callable[[], int]) -> None:
    """Run, and end the process with the returned code before the interpreter is taken down. For programs alone.

    While it is, a thread of Arrow may abort a process that has done its work (apache/arrow#34314). A release that was
    charged and saved would end with 134 instead of 0. Exit handlers that were registered later run as usual.
    """
    code = 1

    def leave() -> None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)

    atexit.register(leave)
    code = run()
    sys.exit(code)


def guarded(run: Callable[[], None]) -> int:
    """Run a command, print errors as one or two lines that say what to do, and return the exit code; no traceback."""
    try:
        with _polite_signals():
            run()
    except DpvizError as error:
        say(f"dpviz: {error.message}")
        if error.exit_code == CHARGED and not isinstance(error, ChargedError | JointError):
            say("The request is charged: the same command completes it and spends nothing more.")
        return error.exit_code
    except KeyboardInterrupt:
        return interrupted()
    except _Stopped as stopped:
        return interrupted(stopped.exit_code)
    except BrokenPipeError:
        return 0
    except MemoryError:
        say("dpviz: not enough memory; use a smaller --side or --engine dask.")
        return 2
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
        return interrupted() if code == INTERRUPTED else code  # typer turns Ctrl-C into this code without a word
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            return _unforeseen(error)
        say("dpviz: the name of a file or folder is longer than this system accepts; give a shorter one.")
        return 2
    except Exception as error:
        absent = missing_extra(error) if isinstance(error, ImportError) else None
        if absent is not None:
            say(f"dpviz: {absent.message}")
            return absent.exit_code
        return _unforeseen(error)
    return 0


@contextmanager
def charged_before(what: str) -> Iterator[None]:
    """Turn a failure after a charge into `ChargedError`, whose exit code never claims that nothing was charged."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (DpvizError, OSError) as error:
        told = error.message if isinstance(error, DpvizError) else f"writing failed ({error.strerror})."
        raise ChargedError(
            f"{told}\nThe {what} is published and stored all the same: the same command with another --out charges "
            "nothing."
        ) from None


def _unforeseen(error: Exception) -> int:
    if os.environ.get("DPVIZ_DEBUG"):
        raise error
    # The text of an unforeseen error may hold somebody's record, so only its kind is shown.
    say(f"dpviz: unexpected {type(error).__name__}. Set DPVIZ_DEBUG=1 to see where, on data that you may show.")
    return 1


def interrupted(code: int = INTERRUPTED) -> int:
    """Say what Ctrl-C or a termination signal leaves behind, and return the exit code."""
    say("dpviz: interrupted; nothing was left half-written. What was charged is completed by the same command.")
    return code


@contextmanager
def _polite_signals() -> Iterator[None]:
    """Raise on termination signals, so that temporary files and workers are cleaned up on the way out."""

    def stop(number: int, _: object) -> None:
        raise _Stopped(number)

    known = [getattr(signal, name) for name in _POLITE if hasattr(signal, name)]
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in known}
    wanted = [number for number, handler in before.items() if handler == signal.SIG_DFL]  # nohup stays nohup
    for number in wanted:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in wanted:
            signal.signal(number, signal.SIG_DFL)
