"""A GPU with two streams whose clock the judge holds: what unit 19's two_streams feeds.

Copies up, runs and copies down go on side by side, one of each at a time. Times are the same in every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

IN, RUN, OUT = range(3)
FILL, WAIT, TAKE = "fill", "wait", "take"  # what the host itself does
N_STREAMS = 2
SPOILED, EMPTY = -1, -2  # what is found in place of an answer


@dataclass(frozen=True)
class Done:
    """What the host did: fill, wait or take; the stream, the batch in its buffer, and from when until when."""

    what: str
    stream: int
    batch: int | None
    begin: int
    end: int


class JudgedStreams:
    """batches: fill, copy up, run and copy down of each, in microseconds; n_streams: each with one page-locked buffer,
    of requests and then of answers."""

    def __init__(self, batches: Sequence[Sequence[int]], n_streams: int = N_STREAMS) -> None:
        self._times = [tuple(int(n) for n in batch) for batch in batches]
        self._now = 0
        self._engine_free = [0, 0, 0]
        self._put_there: list[list[int]] = [[] for _ in range(n_streams)]  # jobs of the batch in hand
        self._ends = [0] * n_streams  # of all that is in the stream
        self._held: list[int | None] = [None] * n_streams  # the batch that a buffer was filled with last
        self._spoiled: set[int] = set()
        self.log: list[Done] = []  # for the judge

    @classmethod
    def of(cls, table: np.ndarray) -> JudgedStreams:
        """A GPU by its numbers. table: (4 n_batches,) int64."""
        return cls(table.reshape(-1, 4).tolist())

    def fill(self, s: int, b: int) -> None:
        """The host writes the requests of batch b into the buffer of stream s, which takes it a while."""
        if not 0 <= b < len(self._times):
            raise IndexError(f"there is no batch {b}: they are 0 to {len(self._times) - 1}")
        before = self._held[self._known(s)]
        if self._ends[s] > self._now and before is not None:
            self._spoiled |= {before, b}  # a copy still reads or writes this buffer
        begin, self._now = self._now, self._now + self._times[b][0]
        self._held[s], self._put_there[s] = b, []
        self.log.append(Done(FILL, s, b, begin, self._now))

    def copy_in(self, s: int) -> None:
        """Put the copy of the buffer to the GPU into stream s, and return at once; so do the next two."""
        self._put(s, IN)

    def run(self, s: int) -> None:
        """Put the network's run into stream s."""
        self._put(s, RUN)

    def copy_out(self, s: int) -> None:
        """Put the copy of the answers back to the buffer into stream s."""
        self._put(s, OUT)

    def wait(self, s: int) -> None:
        """The host waits until stream s has done all that it was given."""
        begin, self._now = self._now, max(self._now, self._ends[self._known(s)])
        self.log.append(Done(WAIT, s, self._held[s], begin, self._now))

    def take(self, s: int) -> int:
        """The answer that lies in the buffer of stream s."""
        b = self._held[self._known(s)]
        self.log.append(Done(TAKE, s, b, self._now, self._now))
        if b in self._spoiled:
            return SPOILED
        there = b is not None and self._put_there[s] == [IN, RUN, OUT] and self._ends[s] <= self._now
        return self.answer(b) if there and b is not None else EMPTY

    def clock(self) -> int:
        """Microseconds since the start."""
        return self._now

    def answer(self, b: int) -> int:
        """What the network says of batch b: for the judge."""
        return 1 + (7 * b + sum(self._times[b])) % 1_009

    def _known(self, s: int) -> int:
        if not 0 <= s < len(self._held):
            raise IndexError(f"there is no stream {s}: they are 0 to {len(self._held) - 1}")
        return s

    def _put(self, s: int, job: int) -> None:
        """Raises: RuntimeError where nothing was filled in, or a job is put twice or before the one that it needs."""
        b = self._held[self._known(s)]
        if b is None or self._put_there[s] != list(range(job)):
            raise RuntimeError(f"stream {s} takes a batch in this order: fill, copy_in, run, copy_out, each once")
        begin = max(self._now, self._ends[s], self._engine_free[job])
        self._ends[s] = self._engine_free[job] = begin + self._times[b][job + 1]
        self._put_there[s].append(job)
