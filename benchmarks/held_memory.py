"""How much memory a process and all that it starts hold together, and how long they compute."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.machine.beside import Beside

EVERY_S = 0.5  # between two looks


class Held(Beside):
    """What this process and all below it took while the block ran.

    peak_bytes: the most that they held together, shared pages counted in shares; processor_s: of all, those that began
    and ended between two looks among them, but for what a tree did after the last look at it that was killed.
    """

    def __init__(self) -> None:
        self.peak_bytes = 0
        self.processor_s = 0.0
        super().__init__(self._watch)

    def _watch(self) -> None:
        before, last = sum(map(_used, _tree(os.getpid()))), False
        while not last:
            last = self.over_within(EVERY_S)
            tree = _tree(os.getpid())
            self.peak_bytes = max(self.peak_bytes, sum(map(_held, tree)))
            now = sum(map(_used, tree))
            self.processor_s += max(now - before, 0.0)  # it falls where a tree was killed whose parent did not wait
            before = now


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


def _used(pid: int) -> float:
    """Seconds that a process computed, and those below it that it has waited for; 0 for one that has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
