"""One timing at a time on a machine's GPU, however many processes judge: two at once would slow each other.

Only the timing waits. Another process may draw its inputs meanwhile.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import fcntl
except ImportError:  # Windows: timings take their chance, which paired rounds bear
    fcntl = None


@contextmanager
def alone_on_the_gpu() -> Iterator[None]:
    """While the block runs, no other process of this user on this machine is in such a block."""
    if fcntl is None:
        yield
        return
    path = os.path.join(tempfile.gettempdir(), f"warpbook-timing-{os.getuid()}.lock")
    lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
