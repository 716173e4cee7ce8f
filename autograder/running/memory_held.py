"""How much memory a child process held when it died: what tells an answer's own doing from the machine's.

A machine that runs out of memory kills whom it likes. It was the answer's doing where the answer held much of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

MUCH = 4 << 30  # bytes; what a jail allows, too
SHARE = 0.5  # of the memory that there is
LIMIT_OF_THE_GROUP = Path("/sys/fs/cgroup/memory.max")
TURN_S = 0.01
UNIT_BYTES = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss


def at_the_end_of(process: subprocess.Popen, seconds: float) -> int:
    """Wait so long for a process to end. Returns: the most bytes it held; 0 where it goes on, or nobody knows.

    A process is born with the peak of who started it, and keeps that as its own: up to there, nobody knows.
    """
    deadline = time.monotonic() + seconds
    while process.returncode is None and hasattr(os, "wait4"):
        try:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        except ChildProcessError:  # somebody asked before
            break
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            peak = usage.ru_maxrss * UNIT_BYTES
            return peak if peak > own_peak() else 0
        if time.monotonic() > deadline:
            break
        time.sleep(TURN_S)
    return 0


def own_peak() -> int:
    """The most bytes that this process has held."""
    import resource  # which is no module of Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT_BYTES


@cache
def too_much() -> float:
    """Bytes from which a process that was killed had it coming: MUCH, or half of all that there is."""
    return min([MUCH, *(SHARE * each for each in there_is())])


def there_is() -> list[int]:
    """Bytes of memory: of the machine, and of the group of processes where that has a limit; [] where nobody knows."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")] if hasattr(os, "sysconf") else []
    try:
        found.append(int(LIMIT_OF_THE_GROUP.read_text(encoding="utf-8")))
    except (OSError, ValueError):  # no such group, or no limit: "max"
        pass
    return found
