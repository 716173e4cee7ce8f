"""What is kept of one block: its steps, and what its arrays held when they were first touched."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simt.events import ArrayInfo, Launch, Site


@dataclass(frozen=True)
class StepAccess:
    """One access of a step. threads, cells: (n,); values: (n,) what was loaded, stored, or is there after an atomic."""

    site: Site
    kind: str  # "load", "store" or "atomic"
    array: ArrayInfo
    threads: np.ndarray
    cells: np.ndarray
    values: np.ndarray
    wide: int = 1  # consecutive cells that each thread touches

    @property
    def touched(self) -> np.ndarray:
        """Every cell, once."""
        return np.unique(self.cells[:, None] + np.arange(self.wide))


@dataclass(frozen=True)
class Assigned:
    """A variable of the function at `depth` that `threads` set. values: (n, ...); given: an argument of a call."""

    depth: int
    function: str
    name: str
    threads: np.ndarray
    values: np.ndarray
    given: bool = False


@dataclass
class Step:
    """One line, executed by the active threads of the block; what it assigned and wrote is that of its end.

    active, ended: (threads,) bool, who executes the line, and who had returned before; taken: (threads,) bool, for
    whom a condition held. arrived, live: threads at a barrier, and threads that it waits for; 0 where there is none.
    meets: (threads,) bool, lanes that exchange values within their warps. written: array key -> (cells, values) that
    are new after the step, whichever block of the launch wrote them.
    """

    function: str
    line: int
    last_line: int
    depth: int
    active: np.ndarray
    ended: np.ndarray
    accesses: list[StepAccess] = field(default_factory=list)
    assigned: list[Assigned] = field(default_factory=list)
    written: dict[tuple, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    taken: np.ndarray | None = None
    decided_at: int = -1  # id of the site of the condition
    arrived: int = 0
    live: int = 0
    meets: np.ndarray | None = None

    def covers(self, site: Site) -> bool:
        """Whether a site lies in this line."""
        return site.function == self.function and self.line <= site.line <= max(self.line, self.last_line)


@dataclass
class BlockRecording:
    """What was kept of one block. contents: array key -> its info and values when it was first touched."""

    block: int  # linear id
    launch: Launch | None = None
    steps: list[Step] = field(default_factory=list)
    contents: dict[tuple, tuple[ArrayInfo, np.ndarray]] = field(default_factory=dict)
    n_dropped: int = 0  # steps after the last that was kept
