"""One process at a time on a GPU, however many of them judge: two at once would slow each other.

Only what is on the GPU waits. Another process may draw its inputs meanwhile, or be at work in its jail.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.backend import cuda

try:
    import fcntl
except ImportError:  # Windows: timings take their chance, which paired rounds bear
    fcntl = None


def this_device() -> str:
    """The UUID of this process's GPU, as text that names a file."""
    found = str(getattr(cuda.get_current_device(), "uuid", ""))
    return "".join(letter for letter in found if letter.isalnum() or letter == "-")


@contextmanager
def alone_on_the_gpu(device: str = "") -> Iterator[float]:
    """While the block runs, no other process of this user on this machine is in such a block for the same GPU.

    device: its UUID, as `this_device` says it; "" for this process's own, which opens it to ask.
    It ends with the process, however that ends. Yields for how many seconds nobody had the GPU before, inf for unknown.
    """
    if fcntl is None:
        yield math.inf
        return
    path = os.path.join(tempfile.gettempdir(), f"warpbook-timing-{os.getuid()}-{device or this_device()}.lock")
    lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        left = os.fstat(lock)
        idle_s = time.time() - left.st_mtime
        yield idle_s if left.st_size and idle_s >= 0 else math.inf
        os.pwrite(lock, b".", 0)  # which says when
    finally:
        os.close(lock)
