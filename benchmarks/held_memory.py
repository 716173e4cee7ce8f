"""How much memory a process and all that it starts hold together."""

from __future__ import annotations

import os
import threading
from pathlib import Path

EVERY_S = 0.5  # between two looks


class Memory:
    """The most that this process and all below it held together while the block ran, shared pages counted in shares."""

    def __init__(self) -> None:
        self.peak_bytes = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(EVERY_S):
            self.peak_bytes = max(self.peak_bytes, sum(map(_held, _tree(os.getpid()))))


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
