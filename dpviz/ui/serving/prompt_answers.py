"""Answers leave at once.

An answer of the server is written in two pieces, what it is and what it holds. A system that saves packets keeps the
second back until the first was acknowledged: 40 milliseconds for each of the hundred files of a page, and for each
message to it. Servers usually switch that off for every line (`TCP_NODELAY`); Python's own does where a listening
socket names its protocol, and Streamlit's does not name it. So it is switched on here for the listening socket of this
process, and every line that is taken from it has it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

_OPEN_FILES = Path("/dev/fd")  # of this process, as Linux and macOS show them


def answer_promptly() -> int:
    """Once, when the server has its address; how many sockets it was said to. Elsewhere than there, nothing happens."""
    return sum(_told(int(name)) for name in os.listdir(_OPEN_FILES)) if _OPEN_FILES.is_dir() else 0


def _told(number: int) -> bool:
    with contextlib.suppress(OSError):
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            return False  # of what is no socket a copy would stay open
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as found:
        if found.family in (socket.AF_INET, socket.AF_INET6) and found.type == socket.SOCK_STREAM:
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return True
    return False
