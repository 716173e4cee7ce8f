"""How is the work spread over the threads?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simt.analyses.costs.reads_by_blocks import ReadsByBlocks
from simt.events import Access, Batch, Lanes, Launch, Listener

FEW = 8  # where one in so many threads takes part, each is looked up; else all are passed over, which is quicker


@dataclass(frozen=True)
class LoadBalance:
    """Accesses to global and shared memory, counted thread by thread, of one or more launches.

    launches: that began. total: accesses of all threads. busiest: most accesses that one thread made in one launch.
    threads, blocks: that made any access, in the launch where most did. loads_in_a_row: most loads from global memory
    that a thread made before it stored to global memory, so most that can be under way at once.
    loads_ahead: from global memory, of all threads, after which the thread reads shared memory before it next stores
    there, or stores another result to global memory: they are under way while it works.
    alone: most accesses that one thread made in a launch beyond those of any thread that is not the busiest of its
    block: its block waited meanwhile. A block that holds a single element of an edge has one busy thread, too, which is
    no busier than others elsewhere. read_by_blocks, read_cells: see `ReadsByBlocks`. swap_bytes: of global memory, that
    threads asked compare-and-swaps for, lost ones included.
    """

    launches: int = 0
    total: int = 0
    busiest: int = 0
    threads: int = 0
    blocks: int = 0
    loads_in_a_row: int = 0
    loads_ahead: int = 0
    alone: int = 0
    read_by_blocks: float = 0.0
    read_cells: int = 0
    swap_bytes: int = 0

    @property
    def mean(self) -> float:
        """Accesses of a thread that made any, on average; 0.0 where nobody did."""
        return self.total / self.threads if self.threads else 0.0

    @property
    def counters(self) -> dict[str, float]:
        """The same as counters, for budgets and predictions."""
        return {
            "memory_accesses": self.total,
            "busiest_thread_accesses": self.busiest,
            "threads_at_work": self.threads,
            "blocks_at_work": self.blocks,
            "loads_in_a_row": self.loads_in_a_row,
            "loads_ahead": self.loads_ahead,
            "accesses_alone": self.alone,
            "read_by_blocks": self.read_by_blocks,
            "read_cells": self.read_cells,
            "swap_bytes": self.swap_bytes,
        }


class ThreadAccesses(Listener):
    """Counts the accesses of every thread, a batch of blocks at a time.

    A thread that has loaded more numbers than it has stored results, one load a result, has the next one under way.
    """

    hears_wide = True

    def __init__(self) -> None:
        self._launches = self._total = self._busiest = self._most_threads = self._most_blocks = self._longest_row = 0
        self._ahead = self._alone = self._first = self._second = self._swapped = 0
        self._counts = self._row = np.zeros(0, np.int64)  # (threads of the batch,)
        self._held = self._surplus = self._counts
        self._by_blocks = ReadsByBlocks()

    @property
    def balance(self) -> LoadBalance:
        """Everything so far."""
        most = self._most_threads, self._most_blocks
        ways, read = (self._longest_row, self._ahead, self._alone), self._by_blocks
        known = self._launches, self._total, self._busiest, *most, *ways
        return LoadBalance(*known, read.share, read.cells, self._swapped)

    def launch_begins(self, launch: Launch) -> None:
        self._launches += 1
        self._threads = self._blocks = self._first = self._second = 0
        self._by_blocks.launch_begins(launch)

    def batch_begins(self, batch: Batch) -> None:
        self._counts = np.zeros(batch.n_blocks * batch.launch.threads_per_block, np.int64)
        self._row, self._held, self._surplus = (np.zeros_like(self._counts) for _ in range(3))

    def access(self, event: Access) -> None:
        if event.array.space not in ("global", "shared"):
            return
        lanes = event.lanes
        who = ... if len(lanes) == self._counts.size else lanes.in_batch
        _add(1, self._counts, lanes)
        if event.array.space == "shared":
            self._ahead += int(self._held[who].sum()) if event.kind == "load" else 0
            self._held[who] = 0
            return
        if event.kind == "load":
            for each in (self._row, self._held, self._surplus):
                _add(1, each, lanes)
            self._by_blocks.load(event)
        else:
            self._swapped += len(lanes) * event.access_bytes if event.operation == "cas" else 0
            _add(-1, self._surplus, lanes)
            self._count_ahead_of_stores(who)
            self._end_rows(who)

    def _count_ahead_of_stores(self, who) -> None:
        """Threads that store a result while one load more is in a register."""
        ahead = (self._surplus[who] == 1) & (self._held[who] > 0)
        self._ahead += int(np.count_nonzero(ahead))
        self._held[who] = np.where(ahead, 0, self._held[who])

    def copy_begins(self, event: Access) -> None:
        """What was loaded for it is in no register."""
        self._held[event.lanes.in_batch] = 0

    def _end_rows(self, who) -> None:
        """Threads stored: whatever they load from now on was not under way before."""
        self._longest_row = max(self._longest_row, int(self._row[who].max(initial=0)))
        self._row[who] = 0

    def batch_ends(self, batch: Batch) -> None:
        if not self._counts.size:
            return
        self._end_rows(...)
        self._total += int(self._counts.sum())
        self._busiest = max(self._busiest, int(self._counts.max()))
        self._threads += int(np.count_nonzero(self._counts))
        by_block = self._counts.reshape(batch.n_blocks, -1)
        self._blocks += int(np.count_nonzero(by_block.any(axis=1)))
        self._note_busiest(by_block)
        self._counts = np.zeros(0, np.int64)

    def _note_busiest(self, by_block: np.ndarray) -> None:
        """The most accesses of a thread, and of one that another of its block surpasses. Blocks of one thread are
        taken as if they were one block."""
        alone = by_block.shape[1] == 1
        ranked = np.sort(by_block.T if alone else by_block, axis=1)[:, -2:]
        self._first = max(self._first, int(ranked[:, -1].max()))
        if ranked.shape[1] > 1:
            self._second = max(self._second, int(ranked[:, 0].max()))

    def launch_ends(self, launch: Launch) -> None:
        self._by_blocks.launch_ends()
        self._alone = max(self._alone, self._first - self._second)
        self._most_threads = max(self._most_threads, self._threads)
        self._most_blocks = max(self._most_blocks, self._blocks)


def _add(n: int, counts: np.ndarray, lanes: Lanes) -> None:
    """Add a number to what is counted of each of these lanes."""
    if FEW * len(lanes) < counts.size:
        counts[lanes.in_batch] += n
    elif len(lanes) < counts.size:
        np.add(counts, n, out=counts, where=lanes.taking_part)
    else:
        counts += n
