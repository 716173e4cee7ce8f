"""Grids, blocks and the order of blocks. Linear ids run x fastest, as on the hardware."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from simt.errors import GridDoesNotFitError, InvalidLaunchError
from simt.hardware import (
    LIMITS,
    MAX_BLOCK,
    MAX_DYNAMIC_SHARED_BYTES,
    MAX_GRID,
    MAX_MULTIPROCESSORS,
    MAX_THREADS_PER_BLOCK,
    WARP_SIZE,
)
from simt.source.counts import count_text

AT_LEAST_ONE = "Round up, and launch at least one block, or nothing at all where there is nothing to do."
SHUFFLED_TOGETHER = 1 << 20  # blocks
SHUFFLED_ONCE = 1 << 10  # blocks of a grid whose order is kept

Dim3 = tuple[int, int, int]


def volume(dims: Dim3) -> int:
    """Number of blocks of a grid, or of threads of a block."""
    return dims[0] * dims[1] * dims[2]


def coordinates(linear, dims: Dim3) -> tuple:
    """(x, y, z) of a linear id: 5 in (4, 2, 1) is (1, 1, 0)."""
    x, y, _ = dims
    return linear % x, linear // x % y, linear // (x * y)


def norm3(dims, what: str = "grid") -> Dim3:
    """An int or a tuple of one to three ints as (x, y, z). Raises InvalidLaunchError for anything else."""
    sizes = tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)
    if not 1 <= len(sizes) <= 3:
        raise InvalidLaunchError(f"The {what} has {len(sizes)} dimensions.", remedy="Give it one to three.")
    try:
        sizes = tuple(operator.index(size) for size in sizes)
    except TypeError:
        if any(type(size).__name__ == "Stream" for size in sizes):
            raise InvalidLaunchError(
                f"A stream stands where the size of the {what} belongs.",
                remedy="The order is kernel[blocks, threads, stream](...).",
            ) from None
        raise InvalidLaunchError(
            f"The {what} is {dims!r}, but its sizes must be integers.", remedy="Divide with //, not /."
        ) from None
    return sizes + (1,) * (3 - len(sizes))


def _complaint(grid: Dim3, block: Dim3) -> tuple[str, str] | None:
    """What no GPU accepts about this launch and what to do instead, or None."""
    for what, dims in (("grid", grid), ("block", block)):
        unit = "blocks" if what == "grid" else "threads"
        if min(dims) < 0:
            return f"The {what} {dims} has a negative size.", f"Count the {unit} from 1 on."
        if min(dims) == 0:
            return f"The {what} {dims} holds 0 {unit}, so nothing would run.", AT_LEAST_ONE
    if volume(block) > MAX_THREADS_PER_BLOCK:
        says = f"The block {block} has {volume(block)} threads; the limit is {MAX_THREADS_PER_BLOCK}."
        return says, "Launch more and smaller blocks: 256 threads are a good start."
    for axis, size, limit in zip("xyz", block, MAX_BLOCK, strict=True):
        if size > limit:
            says = f"The block {block} has {size} threads along {axis}; the limit is {limit}."
            return says, "Put the long axis first: x takes up to 1024 threads."
    for axis, size, limit in zip("xyz", grid, MAX_GRID, strict=True):
        if size > limit:
            says = f"The grid {grid} has {size} blocks along {axis}; the limit is {limit}."
            return says, "Put the long axis first, or let each thread do several elements in a loop."
    return None


def check_launch(grid, block, dynamic_shared_bytes: int = 0) -> tuple[Dim3, Dim3]:
    """Grid and block as (x, y, z). Raises InvalidLaunchError, which also says if the two look swapped."""
    grid, block = norm3(grid, "grid"), norm3(block, "block")
    complaint = _complaint(grid, block)
    if complaint:
        plausible = min(grid) > 0 and volume(grid) >= WARP_SIZE  # a block is rarely smaller than a warp
        swapped = plausible and _complaint(block, grid) is None
        says, remedy = complaint
        if swapped:
            remedy = "Were the two swapped? A launch is kernel[blocks, threads_per_block]."
        raise InvalidLaunchError(says, grid, block, swapped, remedy)
    if not 0 <= dynamic_shared_bytes <= MAX_DYNAMIC_SHARED_BYTES:
        raise InvalidLaunchError(
            f"{dynamic_shared_bytes} bytes of dynamic shared memory; the limit is {MAX_DYNAMIC_SHARED_BYTES} a block.",
            grid,
            block,
            remedy="Keep a smaller tile, and work through the data tile by tile.",
        )
    return grid, block


def check_bounds(launch_bounds, grid: Dim3, block: Dim3, name: str) -> None:
    """What `@cuda.jit(launch_bounds=...)` promises: threads of a block at most, or a tuple that begins with them.

    Raises: InvalidLaunchError for a launch that breaks the promise.
    """
    most = launch_bounds[0] if isinstance(launch_bounds, tuple) and launch_bounds else launch_bounds
    if most is not None and type(most) is not int:
        raise InvalidLaunchError(
            f"`{name}` has launch_bounds that are no number of threads.",
            grid,
            block,
            remedy=f"Write an integer, as in launch_bounds={volume(block)}, or leave them out.",
        )
    if most is not None and volume(block) > most:
        raise InvalidLaunchError(
            f"`{name}` is compiled for at most {most} threads per block (launch_bounds), and this launch has "
            f"{volume(block)}.",
            grid,
            block,
            remedy=f"Launch with at most {most} threads per block, or compile for more: launch_bounds={volume(block)}.",
        )


def check_cooperative(grid: Dim3, block: Dim3) -> None:
    """Whether all blocks of a launch that has a grid barrier can be on one GPU at once, whichever it is.

    What a smaller GPU than the largest holds, and what registers and shared memory leave of that, its driver knows.
    Raises: GridDoesNotFitError.
    """
    warps = -(-volume(block) // WARP_SIZE)
    most = MAX_MULTIPROCESSORS * max(min(each.blocks, each.warps // warps) for each in LIMITS.values())
    if volume(grid) > most:
        raise GridDoesNotFitError(
            f"All {volume(grid):,} blocks of the grid wait for each other at this_grid().sync(), so all must be on the "
            f"GPU at once; the largest GPU has room for {most:,} blocks of {count_text(volume(block), 'thread')}.",
            grid,
            block,
            remedy="Launch no more blocks than fit, and let each thread do several elements in a loop over the grid.",
        )


def sampled_batches(n_blocks: int, per_batch: int, sample: int) -> Iterator[np.ndarray]:
    """As `block_batches`, of about `sample` blocks: the first, the last, and between them some that are neighbours.

    Edges are where guards are missed, and neighbours are who race at a seam.
    """
    ends = max(1, sample // 4)
    between = max(0, sample - 2 * ends)
    start = (n_blocks - between) // 2
    parts = (np.arange(ends), np.arange(start, start + between), np.arange(n_blocks - ends, n_blocks))
    ids = np.unique(np.concatenate(parts)).astype(np.int64)
    for first in range(0, len(ids), per_batch):
        yield ids[first : first + per_batch]


@lru_cache(maxsize=256)
def _shuffled(n_blocks: int, seed: int) -> np.ndarray:
    """A small grid's order, which programs ask for again and again: a generator costs as much as a small launch."""
    ids = np.random.default_rng(seed).permutation(n_blocks).astype(np.int64)
    ids.flags.writeable = False
    return ids


def block_batches(n_blocks: int, per_batch: int, seed: int | None, sample: int = 0) -> Iterator[np.ndarray]:
    """(at most per_batch,) int64, linear block ids in the order they run: ascending, or shuffled by a seed.

    A large grid is shuffled in parts, so that memory does not grow with it. sample: about so many of more, ascending.
    """
    if 0 < sample < n_blocks:
        yield from sampled_batches(n_blocks, per_batch, sample)
        return
    if seed is None:
        for start in range(0, n_blocks, per_batch):
            yield np.arange(start, min(start + per_batch, n_blocks), dtype=np.int64)
        return
    if n_blocks <= SHUFFLED_ONCE:
        ids = _shuffled(n_blocks, seed)
        for start in range(0, n_blocks, per_batch):
            yield ids[start : start + per_batch]
        return
    rng, size = np.random.default_rng(seed), max(SHUFFLED_TOGETHER, per_batch)
    n_parts = -(-n_blocks // size)
    for part in rng.permutation(n_parts) if n_parts > 1 else (0,):
        first = int(part) * size
        ids = first + rng.permutation(min(size, n_blocks - first)).astype(np.int64)
        for start in range(0, len(ids), per_batch):
            yield ids[start : start + per_batch]
