"""Recognises where a threadfence and atomics order two threads after all: locks, and the "last block done" pattern.

A lock: each thread takes it with an atomic whose result it looks at (`takes`), fences, works, fences again, and gives
it back with an atomic. "Last block done": the writer stores and fences, then its block updates a counter; the reader's
block updates the counter first and then reads (CUDA C++ Programming Guide, "Memory Fence Functions"). This order is all
that is recognised: which element was the lock is asked only where a thread reads in it without the first fence.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.races.block_locks import BlockLocks
from simt.analyses.races.codes import block_of, sequence_of, thread_of
from simt.analyses.races.counting import Counting
from simt.analyses.races.fence_times import NEVER, FenceTimes
from simt.analyses.races.taking import TAKING_FROM_ZERO, finds_open, takes
from simt.events import Access, Fence, Launch

NOTHING = -1  # in place of an address


class FenceLog:
    """Sequence numbers of fences and atomics, by thread of the grid and by block."""

    def __init__(self, launch: Launch) -> None:
        self.threads_per_block = launch.threads_per_block
        self.n_blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
        self.fenced: FenceTimes | None = None  # that reach beyond the block, and the thread's atomics
        self.fenced_near: FenceTimes | None = None  # the same for fences of any reach
        self.counted_on: FenceTimes | None = None  # those beyond the block, and atomics of the thread's block
        self.given_back: np.ndarray | None = None  # (threads,) last atomic since fences began
        self.taken: np.ndarray | None = None  # (threads,) first atomic that may have taken a lock
        self.asked: np.ndarray | None = None  # (threads,) first atomic that asked for one
        self.held: np.ndarray | None = None  # (threads,) address of the lock that it has, NOTHING without one
        self.put: np.ndarray | None = None  # (threads,) what it closed that lock with
        self.since: np.ndarray | None = None  # (threads,) the atomic that closed it
        self.first_lock: np.ndarray | None = None  # (threads,) address of the first lock that it took
        self.acquired: np.ndarray | None = None  # (threads,) first fence beyond the block since it took that one
        self.opened: np.ndarray | None = None  # (threads,) the atomic that gave it back first
        self.passed: np.ndarray | None = None  # (threads,) first atomic that asked in vain for the lock that it has
        self.blocks: BlockLocks | None = None  # locks that a thread takes for its block; None before a barrier in one
        self.swapped: dict[tuple, np.ndarray | None] = {}  # by array: (threads,) last cas; None: it had other atomics
        self.counting: Counting | None = None  # atomics of blocks on global memory

    def _by_thread(self) -> np.ndarray:
        return np.zeros(self.n_blocks * self.threads_per_block, np.int64)

    def fence(self, event: Fence, sequence: int) -> None:
        """Threads fenced after the access numbered `sequence`."""
        threads, n_threads = event.lanes.global_thread, self.n_blocks * self.threads_per_block
        if self.fenced_near is None or self.given_back is None:
            self.fenced_near, self.given_back = FenceTimes(n_threads), self._by_thread()
        self.fenced_near.fence(threads, sequence, self.given_back[threads])
        if event.scope == "block":  # other blocks may see the stores in another order
            return
        if self.fenced is None or self.counted_on is None:
            self.fenced, self.counted_on = FenceTimes(n_threads), FenceTimes(n_threads)
        self.fenced.fence(threads, sequence, self.given_back[threads])
        self.counted_on.fence(threads, sequence, self._counted_by(threads // self.threads_per_block))
        if self.blocks is not None and self.held is not None:
            self.blocks.fence(threads[self.held[threads] != NOTHING] // self.threads_per_block, sequence)
        if self.first_lock is not None and self.acquired is not None:
            holds = threads[(self.first_lock[threads] != NOTHING) & (self.acquired[threads] == NEVER)]
            self.acquired[holds] = sequence

    def barrier(self, blocks: np.ndarray, now: int) -> None:
        """Blocks passed a barrier before the access numbered `now`: what one thread locked, all of them have."""
        if self.held is None:
            return
        holds = self.held.reshape(self.n_blocks, -1)[blocks] != NOTHING
        owned = holds.any(axis=1)
        if self.blocks is None:
            if not owned.any():
                return
            self.blocks = BlockLocks(self.n_blocks)
        acquired = np.zeros_like(holds)
        if self.fenced is not None and self.since is not None:
            acquired = (self.fenced.last >= self.since).reshape(self.n_blocks, -1)[blocks]
        self.blocks.barrier(blocks, now, owned, (holds & acquired).any(axis=1))

    def atomic(self, event: Access, sequence: int) -> None:
        """Threads updated memory atomically in the access numbered `sequence`."""
        taking = takes(event)
        threads = event.lanes.global_thread if self.fenced_near is not None or taking else None
        if self.given_back is not None:
            self.given_back[threads] = sequence
        if taking:
            if self.taken is None or self.asked is None:
                self.taken, self.asked = self._by_thread(), self._by_thread()
            if event.operation != TAKING_FROM_ZERO:  # which is a ticket far more often, and asks for nothing
                self.asked[threads[self.asked[threads] == NEVER]] = sequence
            opened = finds_open(event)
            mine = threads[opened]
            self.taken[mine[self.taken[mine] == NEVER]] = sequence
            if event.array.space == "global":
                self._note_first_lock(mine, event.addresses[opened])
        if self.taken is not None and event.array.space == "global":
            self._note_holders(event, event.lanes.global_thread, sequence)
        if event.array.space == "global":
            self.counting = self.counting or Counting(self.n_blocks)
            self.counting.note(event, sequence, keep=self.counted_on is not None)

    def _note_first_lock(self, threads: np.ndarray, addresses: np.ndarray) -> None:
        if self.first_lock is None:
            self.first_lock, self.acquired = self._by_thread() + NOTHING, self._by_thread()
        anew = self.first_lock[threads] == NOTHING
        self.first_lock[threads[anew]] = addresses[anew]

    def _note_holders(self, event: Access, threads: np.ndarray, sequence: int) -> None:
        """Who has which lock; and who asks for the lock that it has, finds it closed, and so takes "closed" for "mine".

        A test the wrong way round, as in `while cas(lock, 0, 0, 1) == 0`: a right program never asks for what it has.
        """
        if self.held is None or self.passed is None or self.put is None:
            self.held, self.passed, self.put = self._by_thread() + NOTHING, self._by_thread(), self._by_thread()
            self.opened, self.since = self._by_thread(), self._by_thread()
        mine = self.held[threads] == event.addresses
        if event.values is None or not takes(event):
            self._give_back(threads[mine], sequence)
            return
        opened, put = finds_open(event), np.broadcast_to(np.asarray(event.values, np.int64), threads.shape)
        in_vain = threads[mine & ~opened]
        self.passed[in_vain[self.passed[in_vain] == NEVER]] = sequence
        self._give_back(threads[mine & opened & (put != self.put[threads])], sequence)
        taking = opened & ~mine
        self.held[threads[taking]], self.put[threads[taking]] = event.addresses[taking], put[taking]
        self.opened[threads[taking]] = NEVER
        self.since[threads[taking]] = sequence

    def _give_back(self, threads: np.ndarray, sequence: int) -> None:
        assert self.held is not None and self.opened is not None
        self.held[threads] = NOTHING
        if self.blocks is not None:
            self.blocks.opens(threads // self.threads_per_block)
        self.opened[threads[self.opened[threads] == NEVER]] = sequence

    def swap(self, event: Access, sequence: int) -> None:
        """Remember who compared and swapped last, for arrays that no other atomic updates."""
        key, swaps = event.array.key, event.operation == "cas" and event.result_used
        if key not in self.swapped or not swaps:
            self.swapped[key] = self._by_thread() if swaps and key not in self.swapped else None
        last = self.swapped[key]
        if last is not None:
            last[event.lanes.global_thread] = sequence

    def guesses(self, key: tuple, readers: np.ndarray) -> bool:
        """Whether what some of these threads read is a guess that a compare-and-swap of theirs checks.

        Asked of all clashes of a pair of lines: who sees that there is nothing to swap makes none, and who reads again
        in the next iteration has made one before. readers: (n,) codes.
        """
        last = self.swapped.get(key)
        return last is not None and bool((last[self._threads(readers)] != NEVER).any())

    def _threads(self, codes: np.ndarray) -> np.ndarray:
        return block_of(codes) * self.threads_per_block + thread_of(codes)

    def publishes(self, writers: np.ndarray, readers: np.ndarray) -> np.ndarray:
        """(n,) whether a fence and an atomic follow each write, and an atomic of the reader's block precedes its read.

        Not where the writer's block counted after that one. writers, readers: (n,) codes, of different blocks.
        """
        if self.counted_on is None or self.counting is None:
            return np.zeros(len(writers), bool)
        known = self.counted_on.before_atomic(self._threads(writers), self._counted_by(block_of(writers)))
        first = self.counting.first[block_of(readers)]
        unasked = self._passed(writers) & self._passed(readers) | self.counting.came_too_late(writers, readers)
        return (known >= sequence_of(writers)) & (first != NEVER) & (first < sequence_of(readers)) & ~unasked

    def _counted_by(self, blocks: np.ndarray) -> np.ndarray:
        return np.full(len(blocks), NEVER) if self.counting is None else self.counting.last[blocks]

    def counted(self, codes: tuple[int, int]) -> str:
        """Which part of a counter that tells who comes last is missing, where both blocks count: the fence before the
        "counter" moves, or asking it: "unasked". "" where they do not. codes: of the writer and the reader."""
        if self.counting is None:
            return ""
        writer, reader = np.array(codes[:1], np.int64), np.array(codes[1:], np.int64)
        first = self.counting.first[block_of(reader)]
        follows = self.counting.last[block_of(writer)] > sequence_of(writer)
        if not (follows & (first != NEVER) & (first < sequence_of(reader))).all():
            return ""
        fenced = self.counted_on is not None and self.counted_on.last[self._threads(writer)] >= sequence_of(writer)
        return "unasked" if np.all(fenced) and self.counting.came_too_late(writer, reader).all() else "counter"

    def lock_orders(self, earlier: np.ndarray, later: np.ndarray, later_ended: bool, near: bool) -> np.ndarray:
        """(n,) whether both accesses lie between taking a lock and giving it back.

        earlier, later: (n,) codes of `shadow`; later_ended: whether the later one must have given it back already;
        near: both are of one block, where threadfence_block is enough.
        """
        fenced = self.fenced_near if near else self.fenced
        if fenced is None or self.taken is None:
            return np.zeros(len(earlier), bool)
        ended = [earlier, later] if later_ended else [earlier]
        lent = [np.zeros(len(codes), bool) if near else self._lent(codes) for codes in (earlier, later)]
        gave_back = [self._gave_back(codes, fenced) for codes in ended]
        if self.blocks is not None and not near:
            gave_back = [
                own | self.blocks.gave_back(codes, fenced.last[self._threads(codes)])
                for own, codes in zip(gave_back, ended, strict=True)
            ]
        everywhere = near | ~(self._only_nearby(earlier) & ~lent[0] | self._only_nearby(later) & ~lent[1])
        took = (self._took(codes) | by_block for codes, by_block in zip((earlier, later), lent, strict=True))
        return np.logical_and.reduce([*took, everywhere, *gave_back])

    def _lent(self, codes: np.ndarray) -> np.ndarray:
        """(n,) whether the block of a thread had a lock for all of its threads."""
        return np.zeros(len(codes), bool) if self.blocks is None else self.blocks.took(codes)

    def _only_nearby(self, codes: np.ndarray) -> np.ndarray:
        """(n,) whether all locks that a thread took are in shared memory, where each block has its own."""
        return np.ones(len(codes), bool) if self.first_lock is None else self._first_lock(codes) == NOTHING

    def _first_lock(self, codes: np.ndarray) -> np.ndarray:
        assert self.first_lock is not None
        return self.first_lock[self._threads(codes)]

    def reads_early(self, writers: np.ndarray, readers: np.ndarray) -> np.ndarray:
        """(n,) whether both took the same lock, and no fence lies between the reader's taking it and its read.

        What it reads may then be older than the lock. Only of the first lock that each of them took.
        """
        if self.taken is None or self.first_lock is None or self.acquired is None:
            return np.zeros(len(writers), bool)
        lock, acquired = self._first_lock(readers), self.acquired[self._threads(readers)]
        same = (lock != NOTHING) & (lock == self._first_lock(writers))
        bare = (acquired == NEVER) | (acquired >= sequence_of(readers))
        early = self._took(writers) & self._took(readers) & same & bare
        if self.blocks is None:
            return early
        return early | self._lent(readers) & ~self.blocks.saw(readers) & (lock == NOTHING)

    def taken_at(self, code: int) -> int:
        """The number of the access in which a thread, or another one for its block, took its first lock."""
        assert self.taken is not None
        codes = np.array([code])
        own = int(self.taken[self._threads(codes)][0])
        if own != NEVER:
            return own
        in_block = self.taken.reshape(self.n_blocks, -1)[block_of(codes)]
        return int(in_block[in_block != NEVER].min())

    def is_lent(self, code: int) -> bool:
        """Whether a thread works under a lock that another one took for its block."""
        codes = np.array([code])
        return bool(self._lent(codes)[0] and not self._took(codes)[0])

    def lock_held(self, codes: tuple[int, int], near: bool) -> str:
        """What is missing where both threads took a lock before their access: "fence", or an "atomic" that opens it.

        "test" where they went on without it, "earlier" where one of them took it too late and "later" where one had
        given it back, "global" where each block has a lock of its own, "block" where one thread of each took it and no
        barrier lends it to the others; "" where one of them took none. near: whether they are of one block.
        """
        both = np.array(codes, np.int64)
        if self.taken is None or self.asked is None:
            return ""
        threads = self._threads(both)
        asked, took = self.asked[threads], self._took(both)
        if ((asked != NEVER) & (asked < sequence_of(both)) & ~took).all():
            return "test"
        if not near and not took.all() and (lacks := self._lacks_in_blocks(both, took)):
            return lacks
        if not took.all():
            return "earlier" if took.any() and (self.taken[threads] != NEVER).all() else ""
        if not near and self._only_nearby(both).all():
            return "global"
        opened = np.zeros(2) if self.opened is None else self.opened[threads]
        if ((opened != NEVER) & (opened < sequence_of(both))).any():
            return "later"
        fences = np.zeros(1) if self.fenced is None else self.fenced.last[threads]
        return "atomic" if (fences >= sequence_of(both)).all() else "fence"

    def _lacks_in_blocks(self, both: np.ndarray, took: np.ndarray) -> str:
        """What a lock lacks that one thread of each block took: "fence" before it opens, "block" for a barrier."""
        if self.held is None or (self.taken.reshape(self.n_blocks, -1)[block_of(both)] == NEVER).all(axis=1).any():
            return ""
        if (self.taken[self._threads(both)] != NEVER).any():
            return ""  # of who took it himself, more is known
        lent = took | self._lent(both)
        fenced = self.fenced is not None and self.blocks is not None and self.blocks.fenced_behind(both).all()
        return "block" if fenced or not lent.all() else "fence"

    def _took(self, codes: np.ndarray) -> np.ndarray:
        taken = self.taken[self._threads(codes)]
        return (taken != NEVER) & (taken < sequence_of(codes)) & ~self._passed(codes)

    def _passed(self, codes: np.ndarray) -> np.ndarray:
        if self.passed is None:
            return np.zeros(len(codes), bool)
        passed = self.passed[self._threads(codes)]
        return (passed != NEVER) & (passed < sequence_of(codes))

    def _gave_back(self, codes: np.ndarray, fenced: FenceTimes) -> np.ndarray:
        threads = self._threads(codes)
        return fenced.before_atomic(threads, self.given_back[threads]) >= sequence_of(codes)
