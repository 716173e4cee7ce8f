"""A quicker round of a sort: a tile tells what it has before it ranks its keys, and looks back when it is done.

    sweep = early_sweep(384, 16, True)               # threads, keys per thread, equal digits by votes
    sweep[tiles, 384](keys, out, starts, state, ticket, shift)

It does the work of `sort_kernels.sweep`, in another order. Warps count their digits with atomics, and the block tells
later tiles at once. While those numbers travel, the keys are ranked; a rank is the key's place in the tile, so the key
goes there right away. The look-back comes last, when the tiles before have mostly told where they end, and a thread
asks several of them at a time. Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for
GPUs", and the order of steps in CUB's agent of that name.

All numbers are uint32: a signed index is asked whether it counts from the end, and a sum of two int32 has 64 bits.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, int32, uint32

from autograder.notebook.relaxed import load_relaxed
from benchmarks.scan_kernels import FULL_WARP, WARP
from benchmarks.sort_kernels import peers_by

DIGITS, DIGIT_WARPS = 256, 8  # a thread per digit
SUM_BIT, PREFIX_BIT, COUNT_BITS = 1 << 30, 1 << 31, (1 << 30) - 1
WINDOW = 4  # tiles that a thread asks at a time


@cuda.jit(device=True, forceinline=True)
def digit_of(key, shift):
    """The 8 bits of a key from `shift` on."""
    return uint32((key >> uint32(shift & 31)) & uint32(255))  # & 31: so that 32 bits are shifted, not 64


@cuda.jit(device=True, forceinline=True)
def digits_before(n, sums):
    """The sum of n over the threads before. The first 256 threads' count; every thread must call. sums: (8,) uint32."""
    t = cuda.threadIdx.x
    lane, warp = t & 31, t >> 5
    upto, d = int32(n), 1
    while d < WARP:
        below = cuda.shfl_up_sync(FULL_WARP, upto, d)
        if lane >= d:
            upto = int32(upto + below)
        d *= 2
    if lane == WARP - 1 and t < DIGITS:
        sums[warp] = upto
    cuda.syncthreads()  # the sums of all warps are written
    before = uint32(upto - n)
    for w in range(DIGIT_WARPS):
        if w < warp:
            before = uint32(before + sums[w])
    return before


@cuda.jit(device=True, forceinline=True)
def tell(state, tile, digit, flag, n):
    """Leave a flag and a number for the tiles to come."""
    cuda.atomic.exch(state, uint32(tile * DIGITS + digit), uint32(flag | n))


@cuda.jit(device=True, forceinline=True)
def look_back(state, tile, digit):
    """How many keys of all tiles before have the digit. Tile 0 must have told a prefix: nobody looks past it."""
    words = cuda.local.array(WINDOW, uint32)
    before, at, missing = uint32(0), int32(tile - 1), tile > 0
    while missing:
        for j in range(WINDOW):  # loads that do not wait for each other
            words[j] = load_relaxed(state, uint32(max(int32(at - j), int32(0)) * DIGITS + digit))
        told = True
        for j in range(WINDOW):
            told = told and missing and words[j] != 0
            if told:
                before = uint32(before + (words[j] & uint32(COUNT_BITS)))
                missing = words[j] < uint32(PREFIX_BIT)
                at = int32(at - 1)
    return before


def early_sweep(threads: int, each: int, votes: bool) -> Any:
    """The kernel for tiles of threads * each keys, which finds equal digits by votes or by a match.

    threads: a multiple of 32, 256 at least. A tile's keys and 256 counters per warp must fit into 48 KB.
    """
    peers_of = peers_by(votes)
    warps, share, tile_size = threads // WARP, WARP * each, threads * each
    counters = warps * DIGITS

    @cuda.jit(device=True, forceinline=True)
    def load_keys(key, keys, first):
        """This thread's keys, a warp's width apart; past the end the largest, which stays last and is not written."""
        if first + share - WARP < keys.size:
            for k in range(each):
                key[k] = keys[first + uint32(k * WARP)]
        else:
            for k in range(each):
                i = uint32(first + uint32(k * WARP))
                key[k] = keys[i] if i < keys.size else uint32(0xFFFFFFFF)

    @cuda.jit(device=True, forceinline=True)
    def starts_of_warps(seen, digit, start):
        """seen[w, digit] becomes where the warp's keys with the digit begin in the tile."""
        for w in range(warps):
            at = uint32(w * DIGITS + digit)
            n = seen[at]
            seen[at] = start
            start = uint32(start + n)

    @cuda.jit(device=True, forceinline=True)
    def put_in_order(key, seen, staged, row, shift):
        """Each key goes to its place in the tile. seen[row + digit]: where the warp's next key with it goes."""
        below = uint32((uint32(1) << uint32(cuda.threadIdx.x & 31)) - 1)
        for k in range(each):
            at = uint32(row + digit_of(key[k], shift))
            peers = peers_of(digit_of(key[k], shift))
            lower = uint32(cuda.popc(uint32(peers & below)))
            place = seen[at]
            cuda.syncwarp()  # all lanes have read
            if lower == 0:
                seen[at] = uint32(place + uint32(cuda.popc(peers)))
            cuda.syncwarp()  # the next keys' places are written
            staged[uint32(place + lower)] = key[k]

    @cuda.jit(device=True, forceinline=True)
    def write_out(out, staged, base, begin, shift):
        """Neighbours of a digit go out together."""
        left = uint32(out.size - begin)
        for k in range(each):
            j = uint32(cuda.threadIdx.x + k * threads)
            if left >= tile_size or j < left:
                key = staged[j]
                out[uint32(base[digit_of(key, shift)] + j)] = key

    @cuda.jit
    def sweep(keys, out, starts, state, ticket, shift):
        """One round, for keys and out of the same size; starts[d]: how many keys have a lower digit than d."""
        seen, staged = cuda.shared.array(counters, uint32), cuda.shared.array(tile_size, uint32)
        base, sums = cuda.shared.array(DIGITS, uint32), cuda.shared.array(DIGIT_WARPS, uint32)
        drawn = cuda.shared.array(1, int32)
        key = cuda.local.array(each, uint32)
        t = uint32(cuda.threadIdx.x)
        lane, warp = uint32(t & 31), uint32(t >> 5)
        row = uint32(warp * DIGITS)
        if t == 0:
            drawn[0] = cuda.atomic.add(ticket, 0, 1)
        for k in range(lane, DIGITS, WARP):
            seen[uint32(row + k)] = 0
        cuda.syncthreads()  # the tile is known to all, and every counter is cleared
        tile = drawn[0]
        begin = uint32(tile * tile_size)
        load_keys(key, keys, uint32(begin + warp * share + lane))
        for k in range(each):
            cuda.atomic.add(seen, uint32(row + digit_of(key[k], shift)), uint32(1))
        cuda.syncthreads()  # all warps have counted
        total = uint32(0)
        if t < DIGITS:
            for w in range(warps):
                total = uint32(total + seen[uint32(w * DIGITS + t)])
            tell(state, tile, t, SUM_BIT if tile > 0 else PREFIX_BIT, total)
        start = digits_before(total, sums)
        if t < DIGITS:
            starts_of_warps(seen, t, start)
        cuda.syncthreads()  # the starts are written
        put_in_order(key, seen, staged, row, shift)
        if t < DIGITS:
            before = look_back(state, tile, t)
            tell(state, tile, t, PREFIX_BIT, before + total)
            base[t] = uint32(starts[t] + before - start)
        cuda.syncthreads()  # all keys lie in order, and where each digit goes is known
        write_out(out, staged, base, begin, shift)

    return sweep
