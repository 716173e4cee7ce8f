"""Events built by hand, so that an analysis is tested without an interpreter."""

from __future__ import annotations

import inspect

import numpy as np

from simt.events import (
    Access,
    ArrayInfo,
    Barrier,
    Batch,
    Branch,
    Lanes,
    Launch,
    OutOfBounds,
    Site,
    Statement,
    WarpSync,
)


def site(line: int, text: str = "", function: str = "kernel", column: int = 0, loops=()) -> Site:
    """A site whose id follows from its place, so that equal places are one site."""
    around = tuple((first, last) for first, last in loops if first <= line <= last)
    return Site(abs(hash((function, line, column, text))), function, line, column, text, around)


def array(name="x", shape=(1024,), dtype="f4", space="global", base=0, initialised=None) -> ArrayInfo:
    """A C-ordered array."""
    strides = tuple(int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))
    n_cells = int(np.prod(shape))
    known = space == "global" if initialised is None else initialised
    return ArrayInfo((space, name), name, space, np.dtype(dtype), tuple(shape), strides, n_cells, base, known)


class Stage:
    """A launch whose blocks all run in one batch, and the events of it."""

    def __init__(self, *listeners, grid=(1, 1, 1), block=(32, 1, 1), arguments=(), block_ids=None):
        self.listeners = listeners
        self.loops = ()  # (first, last) line of the loops in the kernel, outermost first
        self.launch = Launch("kernel", grid, block, tuple(arguments))
        n_blocks = grid[0] * grid[1] * grid[2]
        self.batch = Batch(self.launch, np.asarray(range(n_blocks) if block_ids is None else block_ids, np.int64))
        self.tell("launch_begins", self.launch)
        self.tell("batch_begins", self.batch)

    def tell(self, name, *event):
        for listener in self.listeners:
            getattr(listener, name)(*event)

    def lanes(self, where=None) -> Lanes:
        """All threads, or those for which where(thread) holds; `where` may also be (n_blocks * threads,) bool."""
        threads = self.launch.threads_per_block
        block = np.repeat(np.arange(self.batch.n_blocks, dtype=np.int64), threads)
        thread = np.tile(np.arange(threads, dtype=np.int64), self.batch.n_blocks)
        if where is None:
            return Lanes(self.batch, block, thread)
        chosen = where(thread) if callable(where) else np.asarray(where)
        return Lanes(self.batch, block[chosen], thread[chosen])

    def access(self, kind, target, cells, line=1, where=None, values=None, text=None, lanes=None, **more):
        """cells: callable of the linear thread id, or (n,) values."""
        lanes = self.lanes(where) if lanes is None else lanes
        cells = cells(lanes.thread) if callable(cells) else cells
        cells = np.broadcast_to(np.asarray(cells, np.int64), len(lanes)).copy()
        if callable(values):
            values = values(lanes.thread)
        text = f"{target.name}[i]" if text is None else text
        self.tell("access", Access(site(line, text, loops=self.loops), kind, target, lanes, cells, values, **more))

    def load(self, target, cells, line=1, **more):
        self.access("load", target, cells, line, **more)

    def store(self, target, cells, line=1, values=lambda thread: thread.astype(float), **more):
        self.access("store", target, cells, line, values=values, **more)

    def atomic(self, target, cells, line=1, operation="add", **more):
        self.access("atomic", target, cells, line, operation=operation, **more)

    def branch(self, line, taken, where=None, text="condition"):
        lanes = self.lanes(where)
        self.tell("branch", Branch(site(line, text, loops=self.loops), lanes, taken(lanes.thread)))

    def statement(self, line, where=None):
        self.tell("statement", Statement("kernel", line, self.lanes(where)))

    def barrier(self, line=1, where=None, returned=0):
        lanes = self.lanes(where)
        gone = np.broadcast_to(np.asarray(returned), self.batch.n_blocks)
        live = self.launch.threads_per_block - gone
        self.tell("barrier", Barrier(site(line, "cuda.syncthreads()"), lanes, live, gone))

    def warp_sync(self, line=1, where=None, mask=0xFFFFFFFF, text="cuda.syncwarp()", orders_memory=True, **more):
        lanes = self.lanes(where)
        masks = np.broadcast_to(np.asarray(mask, np.int64), len(lanes))
        self.tell("warp_sync", WarpSync(site(line, text), lanes, masks, orders_memory, **more))

    def out_of_bounds(self, target, index, line=1, where=None, kind="load", wraps=False):
        lanes = self.lanes(where)
        indices = tuple(axis(lanes.thread) if callable(axis) else np.full(len(lanes), axis) for axis in index)
        self.tell("out_of_bounds", OutOfBounds(site(line, target.name), kind, target, lanes, indices, wraps))

    def end(self):
        self.tell("batch_ends", self.batch)
        self.tell("launch_ends", self.launch)


def line_of(kernel, mark: str) -> int:
    """The line of a kernel that carries a comment."""
    lines, first = inspect.getsourcelines(kernel.py_func)
    return first + next(k for k, text in enumerate(lines) if text.rstrip().endswith(f"# {mark}"))


def counts(analysis) -> dict:
    """All counters of an analysis, over all places."""
    from simt.analyses.counters import add_counters

    total: dict = {}
    for row in analysis.tally.rows.values():
        add_counters(total, row)
    return total
