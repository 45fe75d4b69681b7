"""Switch on TCP_NODELAY, which Streamlit's listening socket lacks.

Without it the second piece of each answer waits up to 40 ms for an acknowledgement: for each of a page's hundred files.
Each accepted connection inherits the option from its listening socket.
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
