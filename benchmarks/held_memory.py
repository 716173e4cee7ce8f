"""How much memory a process and all that it starts hold together, and how long they compute."""

from __future__ import annotations

import os
import threading
from pathlib import Path

EVERY_S = 0.5  # between two looks


class Held:
    """What this process and all below it took while the block ran.

    peak_bytes: the most that they held together, shared pages counted in shares; processor_s: of all, but for what each
    did after the last look at it.
    """

    def __init__(self) -> None:
        self.peak_bytes = 0
        self._processor_s: dict[tuple[int, str], float] = {}  # by process and when it began
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Held:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        before = _used(os.getpid())
        while not self._ended.wait(EVERY_S):
            tree = _tree(os.getpid())
            self.peak_bytes = max(self.peak_bytes, sum(map(_held, tree)))
            self._processor_s |= dict(filter(None, map(_used, tree)))
        if before is not None:
            self._processor_s[before[0]] = self._processor_s.get(before[0], before[1]) - before[1]

    @property
    def processor_s(self) -> float:
        return sum(self._processor_s.values())


def _tree(pid: int) -> set[int]:
    """A process and all that descend from it."""
    parents: dict[int, int] = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _held(pid: int) -> int:
    """Bytes of memory of a process, its share of shared pages; 0 for one that has ended."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return 1024 * int(next(line for line in text.splitlines() if line.startswith("Pss:")).split()[1])
    except (OSError, StopIteration, ValueError):
        return 0


def _used(pid: int) -> tuple[tuple[int, str], float] | None:
    """A process, with when it began, and its seconds of processor time; None for one that has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (pid, fields[19]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
