"""After a process with a kernel on the GPU was killed: is the GPU back? A copy that comes out right says so.

``python -m autograder.speed.canary`` is the copy. A GPU on which it does not come back within SECONDS is in quarantine:
nothing is judged on it until a canary lives again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

SECONDS = 10.0
AGAIN_S = 0.2  # between two tries
N = 1 << 20  # elements that are copied


_asked: list[str] = []  # by whom in this process a process on the GPU was killed, since the last look


def ask_for_one(why: str) -> None:
    """A process that had a kernel on the GPU was killed. Whoever is on duty looks when the task is done."""
    _asked.append(why)


def is_asked_for() -> bool:
    """Whether somebody was killed since the last look."""
    return bool(_asked)


def device_is_back(seconds: float = SECONDS) -> bool:
    """Whether a canary, tried again and again for so long, comes back alive."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if _lives(left):
            return True
        time.sleep(min(AGAIN_S, max(0.0, deadline - time.monotonic())))
    return False


def after_a_kill(device: str) -> bool:
    """Look after a device on which somebody was killed. Returns whether it is back; else it is in quarantine."""
    _asked.clear()
    if device_is_back():
        _forget(device)
        return True
    _note(device)
    return False


def lost(device: str) -> bool:
    """Whether a device is in quarantine, and a canary dies on it still."""
    return _path(device).exists() and not after_a_kill(device)


def _lives(seconds: float) -> bool:
    command = [sys.executable, "-m", "autograder.speed.canary"]
    try:
        return subprocess.run(command, capture_output=True, timeout=seconds).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _path(device: str) -> Path:
    from autograder.speed.profile import path_of

    return path_of(device).with_suffix(".lost")


def _note(device: str) -> None:
    try:
        _path(device).parent.mkdir(parents=True, exist_ok=True)
        _path(device).write_text(f"{time.time():.0f}\n", encoding="utf-8")
    except OSError:
        pass  # then each task finds out by itself


def _forget(device: str) -> None:
    try:
        _path(device).unlink(missing_ok=True)
    except OSError:
        pass


def main() -> int:
    """Copy on the device and look. Returns 0 where it is right."""
    import numpy as np

    from autograder.backend import cuda
    from autograder.speed.probes import THREADS, copy_four

    source = np.arange(N, dtype=np.uint32) ^ np.uint32(os.getpid())
    target = cuda.device_array(N, np.uint32)
    copy_four[N // (4 * THREADS), THREADS](cuda.to_device(source), target)
    return int(not np.array_equal(source, target.copy_to_host()))


if __name__ == "__main__":
    sys.exit(main())
