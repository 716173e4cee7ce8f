"""Other ways to count bytes than the course's: a copy per warp, wide loads, lanes that agree first, private counters.

Each function here makes a kernel (words, hist) for its sizes. They differ from the answers of unit 08 in what
`bench_atomics.py` is to find out: who shares a counter, how many bytes are on their way, and what equal bytes cost.
words: (n,) uint32, four bytes each; hist: (256,) int32, zeros before.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, int32, uint32

BINS, WARP, CODES = 256, 32, 4096
FULL_WARP = 0xFFFFFFFF
ROWS = BINS // 4  # words of four counters of 8 bits
TURN_WORDS = 60  # 240 bytes per thread, so that no counter of 8 bits passes 255


def per_warp(threads: int) -> Any:
    """A histogram for each warp of a block."""
    warps = threads // WARP

    @cuda.jit
    def count_per_warp(words, hist):
        s = cuda.shared.array((warps, BINS), int32)
        t = cuda.threadIdx.x
        warp = t >> 5
        for k in range(t, warps * BINS, threads):
            s[k // BINS, k % BINS] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
            word = words[i]
            for b in range(4):
                cuda.atomic.add(s, (warp, (word >> uint32(8 * b)) & uint32(255)), 1)
        cuda.syncthreads()
        for v in range(t, BINS, threads):
            count = int32(0)
            for w in range(warps):
                count += s[w, v]
            cuda.atomic.add(hist, v, count)

    return count_per_warp


@cuda.jit(device=True, forceinline=True)
def count_word(s, word, lane):
    """Four atomics in the copy of a lane. s: (256 * 32,) int32."""
    cuda.atomic.add(s, (word & uint32(255)) * uint32(WARP) + lane, 1)
    cuda.atomic.add(s, ((word >> uint32(8)) & uint32(255)) * uint32(WARP) + lane, 1)
    cuda.atomic.add(s, ((word >> uint32(16)) & uint32(255)) * uint32(WARP) + lane, 1)
    cuda.atomic.add(s, (word >> uint32(24)) * uint32(WARP) + lane, 1)


def per_lane(threads: int, loads: int) -> Any:
    """A copy per lane, as the course's, with `loads` (1, 4 or 8) words of a thread on their way at a time."""
    cells = BINS * WARP

    @cuda.jit
    def count_per_lane(words, hist):
        s = cuda.shared.array(cells, int32)
        t = cuda.threadIdx.x
        lane = uint32(t & 31)
        for k in range(t, cells, threads):
            s[k] = 0
        cuda.syncthreads()
        for first in range(cuda.blockIdx.x * threads * loads + t, words.size, cuda.gridDim.x * threads * loads):
            if first + (loads - 1) * threads < words.size:
                if loads == 1:
                    count_word(s, words[first], lane)
                else:
                    a, b = words[first], words[first + threads]
                    c, d = words[first + 2 * threads], words[first + 3 * threads]
                    if loads == 8:
                        e, f = words[first + 4 * threads], words[first + 5 * threads]
                        g, h = words[first + 6 * threads], words[first + 7 * threads]
                    count_word(s, a, lane)
                    count_word(s, b, lane)
                    count_word(s, c, lane)
                    count_word(s, d, lane)
                    if loads == 8:
                        count_word(s, e, lane)
                        count_word(s, f, lane)
                        count_word(s, g, lane)
                        count_word(s, h, lane)
            else:
                for i in range(first, words.size, threads):
                    count_word(s, words[i], lane)
        cuda.syncthreads()
        for v in range(t, BINS, threads):
            count = int32(0)
            for k in range(WARP):
                count += s[v * WARP + (k + t) % WARP]
            cuda.atomic.add(hist, v, count)

    return count_per_lane


def agreed(threads: int, copies: int) -> Any:
    """Equal lanes of a warp agree first, and one of them adds for all; `copies` histograms per block."""
    cells = copies * BINS

    @cuda.jit
    def count_agreed(words, hist):
        s = cuda.shared.array(cells, int32)
        t = cuda.threadIdx.x
        lane = t & 31
        base = (t >> 5) % copies * BINS
        for k in range(t, cells, threads):
            s[k] = 0
        cuda.syncthreads()
        for first in range(cuda.blockIdx.x * threads, words.size, cuda.gridsize(1)):
            inside = first + t < words.size
            word = words[first + t] if inside else uint32(0)
            for b in range(4):
                v = int32((word >> uint32(8 * b)) & uint32(255)) if inside else int32(BINS)
                peers = cuda.match_any_sync(FULL_WARP, v)
                if inside and cuda.ffs(peers) - 1 == lane:
                    cuda.atomic.add(s, base + v, cuda.popc(peers))
        cuda.syncthreads()
        for v in range(t, BINS, threads):
            count = int32(0)
            for k in range(copies):
                count += s[k * BINS + v]
            cuda.atomic.add(hist, v, count)

    return count_agreed


def adaptive(threads: int, copies: int, loads: int) -> Any:
    """One atomic for a warp whose lanes all hold one word of four equal bytes; else four per lane."""
    cells = copies * BINS

    @cuda.jit(device=True, forceinline=True)
    def count_either(s, base, word, lane):
        low = uint32(cuda.shfl_sync(FULL_WARP, int32(word), 0)) & uint32(255)
        if cuda.all_sync(FULL_WARP, word == low * uint32(0x01010101)):
            if lane == 0:
                cuda.atomic.add(s, base + low, 128)
        else:
            cuda.atomic.add(s, base + (word & uint32(255)), 1)
            cuda.atomic.add(s, base + ((word >> uint32(8)) & uint32(255)), 1)
            cuda.atomic.add(s, base + ((word >> uint32(16)) & uint32(255)), 1)
            cuda.atomic.add(s, base + (word >> uint32(24)), 1)

    @cuda.jit
    def count_adaptive(words, hist):
        s = cuda.shared.array(cells, int32)
        t = cuda.threadIdx.x
        lane = t & 31
        base = uint32((t >> 5) % copies * BINS)
        for k in range(t, cells, threads):
            s[k] = 0
        cuda.syncthreads()
        step = cuda.gridDim.x * threads * loads
        whole = words.size // (threads * loads) * (threads * loads)
        for start in range(cuda.blockIdx.x * threads * loads, whole, step):
            if loads == 1:
                count_either(s, base, words[start + t], lane)
            else:
                a, b = words[start + t], words[start + threads + t]
                c, d = words[start + 2 * threads + t], words[start + 3 * threads + t]
                count_either(s, base, a, lane)
                count_either(s, base, b, lane)
                count_either(s, base, c, lane)
                count_either(s, base, d, lane)
        for i in range(whole + cuda.grid(1), words.size, cuda.gridsize(1)):
            word = words[i]
            for k in range(4):
                cuda.atomic.add(s, base + ((word >> uint32(8 * k)) & uint32(255)), 1)
        cuda.syncthreads()
        for v in range(t, BINS, threads):
            count = int32(0)
            for k in range(copies):
                count += s[k * BINS + v]
            cuda.atomic.add(hist, v, count)

    return count_adaptive


def private(threads: int, loads: int) -> Any:
    """256 counters of 8 bits per thread, no atomic while counting; the block adds them up before one is full."""
    parts, width = threads // ROWS, ROWS  # a row of counters is added up by so many threads, 64 cells each
    groups = TURN_WORDS // loads

    @cuda.jit(device=True, forceinline=True)
    def count_four(s, t, word):
        for k in range(4):
            v = word >> uint32(8 * k)
            s[(v >> uint32(2)) & uint32(63), t] += uint32(1) << ((v & uint32(3)) << uint32(3))

    @cuda.jit
    def count_private(words, hist):
        s = cuda.shared.array((ROWS, threads), uint32)
        t = cuda.threadIdx.x
        for r in range(ROWS):
            s[r, t] = 0
        row, begin = t // parts, t % parts * width
        even = odd = uint32(0)
        n0 = n1 = n2 = n3 = int32(0)
        share = threads * loads * groups
        for start in range(cuda.blockIdx.x * share, words.size, cuda.gridDim.x * share):
            if start + share <= words.size:
                for g in range(groups):
                    i = start + g * threads * loads + t
                    if loads == 1:
                        count_four(s, t, words[i])
                    else:
                        a, b, c, d = words[i], words[i + threads], words[i + 2 * threads], words[i + 3 * threads]
                        count_four(s, t, a)
                        count_four(s, t, b)
                        count_four(s, t, c)
                        count_four(s, t, d)
            else:
                for i in range(start + t, words.size, threads):
                    count_four(s, t, words[i])
            cuda.syncthreads()
            even = odd = uint32(0)
            for k in range(width):
                column = begin + (k + t) % width
                four = s[row, column]
                s[row, column] = 0
                even += four & uint32(0x00FF00FF)
                odd += (four >> uint32(8)) & uint32(0x00FF00FF)
            n0 += int32(even & uint32(0xFFFF))
            n2 += int32(even >> uint32(16))
            n1 += int32(odd & uint32(0xFFFF))
            n3 += int32(odd >> uint32(16))
            cuda.syncthreads()
        cuda.atomic.add(hist, 4 * row, n0)
        cuda.atomic.add(hist, 4 * row + 1, n1)
        cuda.atomic.add(hist, 4 * row + 2, n2)
        cuda.atomic.add(hist, 4 * row + 3, n3)

    return count_private


@cuda.jit
def codes_plainly(codes, hist):
    """hist[c] += how often c occurs, a copy per block, an atomic per code. codes: (n,) uint16; hist: (4096,) int32."""
    s = cuda.shared.array(CODES, int32)
    for k in range(cuda.threadIdx.x, CODES, cuda.blockDim.x):
        s[k] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
        cuda.atomic.add(s, codes[i], 1)
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, CODES, cuda.blockDim.x):
        cuda.atomic.add(hist, k, s[k])


@cuda.jit
def codes_agreed(codes, hist):
    """The same, equal lanes found by a match and added by the first of them."""
    s = cuda.shared.array(CODES, int32)
    t = cuda.threadIdx.x
    for k in range(t, CODES, cuda.blockDim.x):
        s[k] = 0
    cuda.syncthreads()
    for first in range(cuda.blockIdx.x * cuda.blockDim.x, codes.size, cuda.gridsize(1)):
        code = int32(codes[first + t]) if first + t < codes.size else int32(-1)
        peers = cuda.match_any_sync(FULL_WARP, code)
        if code >= 0 and cuda.ffs(peers) - 1 == (t & 31):
            cuda.atomic.add(s, code, cuda.popc(peers))
    cuda.syncthreads()
    for k in range(t, CODES, cuda.blockDim.x):
        cuda.atomic.add(hist, k, s[k])
