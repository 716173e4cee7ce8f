"""Copies from global to shared memory that run beside the threads: what the course's `copy_async` and its kin do.

A copy begins, joins the group that its thread will close next, and is there once that thread waited for the group.
Until then the cell of shared memory keeps what it held, so that reading it early gives what it may give on a GPU.
Source: PTX ISA, "cp.async", "cp.async.commit_group", "cp.async.wait_group".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.memory import wide
from simt.memory.arrays import Array
from simt.memory.indexing import locate
from simt.values import as_lanes

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place

ELEMENT_BYTES = (4, 8)  # that one copy of a single element can move


@dataclass
class Copy:
    """One copy of several lanes. lanes: of the whole batch; groups: which of its lane's each belongs to; cells: of the
    flat buffer, where each begins; values: one array an element."""

    array: Array
    lanes: np.ndarray
    groups: np.ndarray
    cells: np.ndarray
    values: list[np.ndarray]

    def part(self, chosen: np.ndarray) -> Copy:
        """The same for some of the lanes."""
        lanes, groups, cells = self.lanes[chosen], self.groups[chosen], self.cells[chosen]
        return Copy(self.array, lanes, groups, cells, [value[chosen] for value in self.values])


class CopyQueue:
    """The copies of a batch that are under way, and how many groups each lane has closed."""

    def __init__(self, width: int) -> None:
        self.closed = np.zeros(width, np.int64)
        self.under_way: list[Copy] = []

    def begin(self, copy: Copy) -> None:
        """A copy joins its lanes' open groups."""
        self.under_way.append(copy)

    def take(self, lanes: np.ndarray, keep: int) -> list[Copy]:
        """What is there when these lanes have waited until at most `keep` of the groups they closed are under way."""
        waits = np.zeros(len(self.closed), bool)
        waits[lanes] = True
        done, left = [], []
        for copy in self.under_way:
            ready = waits[copy.lanes] & (copy.groups < self.closed[copy.lanes] - keep)
            if ready.all():
                done.append(copy)
                continue
            if ready.any():
                done.append(copy.part(ready))
            left.append(copy.part(~ready))
        self.under_way = left
        return done


def copy_async(env: Env, mask: Mask, place: Place, dst, dst_index, src, src_index) -> None:
    """Begin to copy one element of 4 or 8 bytes."""
    _check(dst, src, place)
    if dst.dtype.itemsize not in ELEMENT_BYTES:
        raise KernelTypeError("copy_async copies elements of 4 or 8 bytes")
    cells, within = locate(env, mask, dst, _indices(dst, dst_index, place), "store", place)
    if within is None:
        return
    from_cells, within = locate(env, within, src, _indices(src, src_index, place), "load", place)
    if within is None:
        return
    if env.batch.emit is not None:
        env.batch.emit.access(env, within, src, from_cells, "load", place)
    _begin(env, within, place, dst, cells, src, from_cells, 1)


def copy16_async(env: Env, mask: Mask, place: Place, dst, dst_index, src, src_index) -> None:
    """Begin to copy 16 bytes: four float32, or eight float16."""
    _check(dst, src, place)
    cells, within = wide.locate16(env, mask, place, dst, dst_index, "store")
    if within is None:
        return
    from_cells, within = wide.locate16(env, within, place, src, src_index, "load")
    if within is None:
        return
    n = wide.WIDE_BYTES // dst.dtype.itemsize
    wide.tell(env, within, src, from_cells, "load", place, n)
    _begin(env, within, place, dst, cells, src, from_cells, n)


def commit_copies(env: Env, mask: Mask, place: Place) -> None:
    """Close the group of the copies that each lane began since it last did."""
    _queue(env).closed[env.roots_of(mask)] += 1
    env.batch.touch()


def wait_copies(env: Env, mask: Mask, place: Place, keep=0) -> None:
    """Wait until at most `keep` of the groups that a lane closed are under way; the older ones are there."""
    if np.ndim(keep) or int(keep) < 0:
        raise KernelTypeError("wait_copies takes a number that is the same for all threads, 0 or more")
    batch = env.batch
    for copy in _queue(env).take(env.roots_of(mask), int(keep)):
        if batch.products is not None:
            batch.products.hidden[copy.lanes] = True
        _tell(env, "copy_ends", copy, place)  # as of a store, before it happens
        for i, value in enumerate(copy.values):
            copy.array.flat[copy.cells + i] = value
    batch.touch()


def _check(dst, src, place: Place) -> None:
    if getattr(dst, "space", "") != "shared" or getattr(src, "space", "") != "global":
        raise KernelTypeError(f"`{place.site.text}` copies from global to shared memory, and to nowhere else")
    if dst.dtype != src.dtype:
        raise KernelTypeError(f"`{place.site.text}` moves bytes as they are: both arrays need one element type")


def _indices(array: Array, index, place: Place) -> tuple:
    indices = index if type(index) is tuple else (index,)
    if len(indices) != array.ndim:
        raise KernelTypeError(f"`{place.site.text}` needs {array.ndim} indices for {array.name}, one an axis")
    return indices


def _queue(env: Env) -> CopyQueue:
    if env.batch.copies is None:
        env.batch.copies = CopyQueue(env.batch.width)
    return env.batch.copies


def _begin(env: Env, mask: Mask, place: Place, dst: Array, cells, src: Array, from_cells, n: int) -> None:
    queue, lanes = _queue(env), env.roots_of(mask)
    first, origin = (mask.pick(as_lanes(np.asarray(one)[()], env.width)) for one in (cells, from_cells))
    values = [src.flat[origin + i] for i in range(n)]
    copy = Copy(dst, lanes, queue.closed[lanes], first, values)
    queue.begin(copy)
    env.batch.touch()
    _tell(env, "copy_begins", copy, place)


def _tell(env: Env, name: str, copy: Copy, place: Place) -> None:
    """Tell listeners of a copy. place: of the call that begins it, or that waits for it."""
    if env.batch.emit is not None:
        env.batch.emit.copy(name, place, copy.array, copy.lanes, copy.cells, copy.values)
