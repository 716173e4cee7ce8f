"""A grid laid over an array, thread by thread: does it end too early, and would it fit the other way round?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from simt.events import ArrayInfo, Lanes, Launch
from simt.source.counts import count_text

AXES = "xyz"


@dataclass(frozen=True)
class Fit:
    """One way to lay a grid over an array. axes: for each axis of the array, the grid's that runs along it; extents:
    threads along each axis of the array; exchanged: whether only the other way round the grid covers the array."""

    array: ArrayInfo
    axes: tuple[int, ...]
    extents: tuple[int, ...]
    exchanged: bool

    @property
    def short(self) -> int:
        """The first axis of the array along which threads are missing."""
        sizes = zip(self.extents, self.array.shape, strict=True)
        return next(axis for axis, (threads, size) in enumerate(sizes) if threads < size)

    def sizes(self) -> str:
        """The grid's and the array's, as in "The grid has 960 threads, and y has 1,000 elements"."""
        shape, (first, *more) = self.array.shape, sorted(zip(self.axes, self.extents, strict=True))
        threads = count_text(first[1], "thread")
        if more:
            threads += f" along {AXES[first[0]]}" + "".join(f" and {n:,} along {AXES[axis]}" for axis, n in more)
        kinds = {1: ("elements",), 2: ("rows", "columns")}.get(len(shape))
        parts = " and ".join(f"{size:,} {kind}" for size, kind in zip(shape, kinds, strict=True)) if kinds else ""
        return f"The grid has {threads}, and {self.array.name} has {parts or f'shape {shape}'}"


def short_fits(array: ArrayInfo, launch: Launch) -> list[Fit]:
    """Every way in which a grid that is laid over an array falls short of it: by less than a block along each axis, as
    where blocks were rounded down, or so that it covers the array with its two axes exchanged."""
    used = [axis for axis in range(3) if launch.grid[axis] * launch.block[axis] > 1]
    if array.space != "global" or not len(used) == len(array.shape) == len(array.strides):
        return []
    fits = []
    for axes in permutations(used):
        blocks = [launch.block[axis] for axis in axes]
        extents = [launch.grid[axis] * launch.block[axis] for axis in axes]
        missing = [size - threads for size, threads in zip(array.shape, extents, strict=True)]
        rounded = all(one < block for one, block in zip(missing, blocks, strict=True))
        exchanged = not rounded and len(axes) == 2 and _covers(array.shape, extents[::-1], blocks[::-1])
        if max(missing) > 0 and (rounded or exchanged):
            fits.append(Fit(array, axes, tuple(extents), exchanged))
    return fits


def _covers(shape: tuple[int, ...], extents: list[int], blocks: list[int]) -> bool:
    """Whether so many threads along each axis are what an array needs, with no block to spare."""
    return all(0 <= threads - size < block for size, threads, block in zip(shape, extents, blocks, strict=True))


def positions(lanes: Lanes) -> tuple[np.ndarray, ...]:
    """(n,) along x, y and z: where each lane stands in the whole grid."""
    launch = lanes.batch.launch
    blocks, threads = lanes.batch.block_ids[lanes.block], lanes.thread
    places = []
    for grid, block in zip(launch.grid, launch.block, strict=True):
        places.append(blocks % grid * block + threads % block)
        blocks, threads = blocks // grid, threads // block
    return tuple(places)
