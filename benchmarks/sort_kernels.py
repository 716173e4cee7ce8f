"""Another way to sort than the course's: the keys are read once per digit, and each digit looks back by itself.

The sweeps differ in threads, in keys per thread, and in how a warp finds its equal digits: by `match_any_sync`, or by
eight votes. Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda, int32, uint32

from autograder.notebook.relaxed import load_relaxed
from benchmarks.scan_kernels import FULL_WARP, WARP

DIGITS = 256
ALL_DIGITS = 4 * DIGITS  # of the four rounds
SUM_BIT, PREFIX_BIT, COUNT_BITS = 1 << 30, 1 << 31, (1 << 30) - 1
SORTS = ((256, 16, False), (256, 16, True))  # threads, keys per thread, votes: those that rank first
EARLY = ((384, 16, False), (256, 16, True), (384, 16, True), (384, 20, True), (512, 12, True))  # that count first


@cuda.jit
def all_digits(keys, totals):
    """totals[256 r + d] += how many keys have digit d at 8 r, for the four digits of a key in one reading."""
    s = cuda.shared.array(ALL_DIGITS, int32)
    t = cuda.threadIdx.x
    for k in range(t, ALL_DIGITS, cuda.blockDim.x):
        s[k] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), keys.size, cuda.gridsize(1)):
        key = keys[i]
        cuda.atomic.add(s, key & 255, 1)
        cuda.atomic.add(s, DIGITS + ((key >> 8) & 255), 1)
        cuda.atomic.add(s, 2 * DIGITS + ((key >> 16) & 255), 1)
        cuda.atomic.add(s, 3 * DIGITS + (key >> 24), 1)
    cuda.syncthreads()
    for k in range(t, ALL_DIGITS, cuda.blockDim.x):
        cuda.atomic.add(totals, k, s[k])


@cuda.jit
def digit_starts(totals):
    """Each 256 totals become the numbers of keys with a lower digit, in place; a block per round."""
    s = cuda.shared.array(DIGITS, int32)
    t = cuda.threadIdx.x
    own = totals[cuda.blockIdx.x * DIGITS + t]
    s[t] = own
    d = 1
    while d < DIGITS:
        cuda.syncthreads()
        x = s[t - d] if t >= d else int32(0)
        cuda.syncthreads()
        s[t] += x
        d *= 2
    totals[cuda.blockIdx.x * DIGITS + t] = s[t] - own


def peers_by(votes: bool) -> Any:
    """The device function that tells which lanes have the same digit, as a uint32 mask."""
    if not votes:

        @cuda.jit(device=True, forceinline=True)
        def matched(digit):
            return uint32(cuda.match_any_sync(FULL_WARP, int32(digit)))

        return matched

    @cuda.jit(device=True, forceinline=True)
    def voted(digit):
        peers = uint32(FULL_WARP)
        for bit in range(8):
            mine = uint32(digit) & uint32(1 << bit) != 0
            found = uint32(cuda.ballot_sync(FULL_WARP, mine))
            peers = uint32(peers & uint32(found ^ (uint32(0) if mine else uint32(FULL_WARP))))
        return peers

    return voted


def sweep(threads: int, each: int, votes: bool) -> Any:
    """One round of a radix sort that reads the keys once: ranks within the tile, look-back for each digit."""
    peers_of = peers_by(votes)
    warps, share, tile_size = threads // WARP, WARP * each, each * threads

    @cuda.jit
    def one_sweep(keys, out, starts, state, ticket, shift):
        seen, base = cuda.shared.array((warps, DIGITS), int32), cuda.shared.array(DIGITS, int32)
        local, staged = cuda.shared.array(DIGITS, int32), cuda.shared.array(tile_size, uint32)
        drawn = cuda.shared.array(1, int32)
        key, rank = cuda.local.array(each, uint32), cuda.local.array(each, int32)
        t = cuda.threadIdx.x
        lane, warp = t & 31, t >> 5
        below = uint32((1 << lane) - 1)
        if t == 0:
            drawn[0] = cuda.atomic.add(ticket, 0, 1)
        for k in range(t, warps * DIGITS, threads):
            seen[k // DIGITS, k % DIGITS] = 0
        cuda.syncthreads()
        tile = drawn[0]
        first = tile * tile_size + warp * share + lane
        for k in range(each):
            i = first + k * WARP
            key[k] = keys[i] if i < keys.size else uint32(0xFFFFFFFF)  # comes last in its tile, and is not written
        for k in range(each):
            digit = int32((key[k] >> shift) & uint32(255))
            peers = peers_of(digit)
            lower = cuda.popc(peers & below)
            rank[k] = seen[warp, digit] + lower
            cuda.syncwarp()
            if lower == 0:
                seen[warp, digit] += cuda.popc(peers)
            cuda.syncwarp()
        cuda.syncthreads()
        total = int32(0)
        if t < DIGITS:
            for w in range(warps):
                n = seen[w, t]
                seen[w, t] = total
                total = int32(total + n)
            cuda.atomic.exch(state, tile * DIGITS + t, uint32(SUM_BIT | total))
            local[t] = total
        d = 1
        while d < DIGITS:
            cuda.syncthreads()
            x = local[t - d] if d <= t < DIGITS else int32(0)
            cuda.syncthreads()
            if t < DIGITS:
                local[t] += x
            d *= 2
        if t < DIGITS:
            before, at, open_end = int32(0), tile - 1, True
            while open_end and at >= 0:
                word = load_relaxed(state, at * DIGITS + t)
                if word != 0:
                    before = int32(before + (word & uint32(COUNT_BITS)))
                    open_end = word < uint32(PREFIX_BIT)
                    at -= 1
            cuda.atomic.exch(state, tile * DIGITS + t, uint32(PREFIX_BIT | (before + total)))
            begins = local[t] - total
            local[t] = begins
            base[t] = starts[t] + before - begins
        cuda.syncthreads()
        for k in range(each):
            digit = int32((key[k] >> shift) & uint32(255))
            staged[local[digit] + seen[warp, digit] + rank[k]] = key[k]
        cuda.syncthreads()
        for j in range(t, min(tile_size, keys.size - tile * tile_size), threads):
            one = staged[j]
            out[base[int32((one >> shift) & uint32(255))] + j] = one

    return one_sweep


def one_sweep_sort(kernel: Any, threads: int, each: int) -> Callable:
    """prepare(keys, spare, words) -> sort(), which sorts keys, uint32, in place with as many spare ones.

    kernel: one of `sweep` or of `early_sweep`, made for so many threads and keys per thread.
    words: 4 (256 tiles + 256 + 1) int32, which must be 0 before each sort: states, starts and a ticket per round.
    """

    def prepare(keys, spare, words) -> Callable[[], None]:
        tiles = max(1, -(-keys.size // (threads * each)))
        states, starts = words[: ALL_DIGITS * tiles].view(np.uint32), words[ALL_DIGITS * tiles :]
        totals = starts[:ALL_DIGITS]
        rounds = []
        for turn in range(4):
            arrays = (keys, spare) if turn % 2 == 0 else (spare, keys)
            state = states[DIGITS * tiles * turn : DIGITS * tiles * (turn + 1)]
            own, ticket = starts[DIGITS * turn : DIGITS * (turn + 1)], starts[ALL_DIGITS + turn : ALL_DIGITS + turn + 1]
            rounds.append((*arrays, own, state, ticket, 8 * turn))

        def sort() -> None:
            all_digits[min(1056, tiles), 256](keys, totals)
            digit_starts[4, DIGITS](totals)
            for arguments in rounds:
                kernel[tiles, threads](*arguments)

        return sort

    return prepare
