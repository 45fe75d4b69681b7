"""Asynchronous parts run in a thread of their own: a worker that opened a browser has an event loop already."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run_alone(job: Coroutine[Any, Any, Any]) -> Any:
    """What it gives."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, job).result()
