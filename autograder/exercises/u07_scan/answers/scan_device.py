"""Answers to scan.scan_device."""

import numpy as np
from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

THREADS = 256
WARP = 32
WARPS = 8
FULL_WARP = 0xFFFFFFFF
PIECE = 1024


@cuda.jit(device=True)
def block_before(x):
    """The course's own."""
    sums = cuda.shared.array(WARPS, int32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    upto, d = x, 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, upto, d)
        if lane >= d:
            upto = int32(upto + y)
        d *= 2
    cuda.syncthreads()
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()
    before, total = int32(upto - x), int32(0)
    for w in range(WARPS):
        if w < warp:
            before = int32(before + sums[w])
        total = int32(total + sums[w])
    return before, total


@cuda.jit
def add_up(src, sums):
    """sums[b] = the sum of piece b."""
    first = cuda.blockIdx.x * PIECE
    acc = int32(0)
    for i in range(first + cuda.threadIdx.x, min(first + PIECE, src.size), THREADS):
        acc = int32(acc + src[i])
    total = block_before(acc)[1]
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total


@cuda.jit
def starts(sums):
    """sums = the sum of all pieces before, in place."""
    start = int32(0)
    for first in range(0, sums.size, THREADS):
        i = first + cuda.threadIdx.x
        before, total = block_before(sums[i] if i < sums.size else int32(0))
        if i < sums.size:
            sums[i] = start + before
        start = int32(start + total)


@cuda.jit
def ends(sums):
    """sums = the sum of all pieces up to this one, in place."""
    start = int32(0)
    for first in range(0, sums.size, THREADS):
        i = first + cuda.threadIdx.x
        x = sums[i] if i < sums.size else int32(0)
        before, total = block_before(x)
        if i < sums.size:
            sums[i] = start + before + x
        start = int32(start + total)


@cuda.jit
def starts_of_256(sums):
    """sums = the sum of all pieces before, in place, of at most 256 pieces."""
    i = cuda.threadIdx.x
    before = block_before(sums[i] if i < sums.size else int32(0))[0]
    if i < sums.size:
        sums[i] = before


@cuda.jit
def scan_from(src, sums, dst):
    """dst = running sums, piece b from sums[b] on."""
    start = sums[cuda.blockIdx.x]
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before + x
        start = int32(start + total)


@cuda.jit
def scan_from_end_of_last(src, sums, dst):
    """dst = running sums, piece b from sums[b - 1] on."""
    start = sums[cuda.blockIdx.x - 1] if cuda.blockIdx.x > 0 else int32(0)
    for first in range(0, PIECE, THREADS):
        i = cuda.blockIdx.x * PIECE + first + cuda.threadIdx.x
        x = int32(0)
        if i < src.size:
            x = src[i]
        before, total = block_before(x)
        if i < src.size:
            dst[i] = before + x + start
        start = int32(start + total)


@cuda.jit
def scan_alone(src, dst):
    """dst = running sums, each piece from 0 on."""
    start = int32(0)
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before + x
        start = int32(start + total)


@cuda.jit
def scan_and_add_up(src, sums, dst):
    """dst = running sums, each piece from 0 on, and its total."""
    start = int32(0)
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before + x
        start = int32(start + total)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = start


@cuda.jit
def add_starts(sums, dst):
    """dst += the start of its piece."""
    start = sums[cuda.blockIdx.x]
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        if i < dst.size:
            dst[i] += start


def pieces_of(src):
    """Pieces that cover src, one at least."""
    return max(1, (src.size + PIECE - 1) // PIECE)


@right("ends_in_place_of_starts")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up[blocks, THREADS](src, sums)
    ends[1, THREADS](sums)
    scan_from_end_of_last[blocks, THREADS](src, sums, dst)


@right("nothing_for_nothing")
def scan_device(src, sums, dst):
    if src.size == 0:
        return
    blocks = pieces_of(src)
    add_up[blocks, THREADS](src, sums)
    if blocks > 1:
        starts[1, THREADS](sums)
        scan_from[blocks, THREADS](src, sums, dst)
    else:
        scan_alone[1, THREADS](src, dst)


@cuda.jit
def add_up_four(src, sums):
    """sums[b] = the sum of piece b, four elements per thread looked at one by one."""
    acc = int32(0)
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        acc = int32(acc + (src[i] if i < src.size else 0))
    before, total = block_before(acc)
    if cuda.threadIdx.x == THREADS - 1:
        sums[cuda.blockIdx.x] = before + acc


@right("last_thread_knows_the_sum")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up_four[blocks, THREADS](src, sums)
    starts[1, THREADS](sums[:blocks])
    scan_from[blocks, THREADS](src, sums, dst)


@cuda.jit
def starts_by_one_warp(sums):
    """sums = the sum of all pieces before, in place, 32 at a time."""
    lane = cuda.threadIdx.x
    start = int32(0)
    for first in range(0, sums.size, WARP):
        i = first + lane
        x = sums[i] if i < sums.size else int32(0)
        upto, d = x, 1
        while d < WARP:
            y = cuda.shfl_up_sync(FULL_WARP, upto, d)
            if lane >= d:
                upto = int32(upto + y)
            d *= 2
        if i < sums.size:
            sums[i] = start + upto - x
        start = int32(start + cuda.shfl_sync(FULL_WARP, upto, WARP - 1))


@right("one_warp_in_the_middle")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up[blocks, THREADS](src, sums)
    starts_by_one_warp[1, WARP](sums[:blocks])
    scan_from[blocks, THREADS](src, sums, dst)


@right("in_one_stream")
def scan_device(src, sums, dst):
    stream, pieces = cuda.stream(), -(-src.size // PIECE)
    if pieces > 0:
        add_up[pieces, THREADS, stream](src, sums)
        ends[1, THREADS, stream](sums)
        scan_from_end_of_last[pieces, THREADS, stream](src, sums, dst)
    stream.synchronize()


@right("few_pieces_at_once")
def scan_device(src, sums, dst):
    pieces = pieces_of(src)
    add_up[pieces, THREADS](src, sums)
    middle = starts_of_256 if pieces <= THREADS else starts
    middle[1, THREADS](sums[:pieces])
    scan_from[pieces, THREADS](src, sums, dst)


@wrong("pieces_alone", misconception="pieces_alone", says="1,024 elements")
def scan_device(src, sums, dst):
    scan_alone[pieces_of(src), THREADS](src, dst)


@wrong("own_sum_included", misconception="starts_inclusive", says="too large by its own sum")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up[blocks, THREADS](src, sums)
    ends[1, THREADS](sums)
    scan_from[blocks, THREADS](src, sums, dst)


@cuda.jit
def scan_before(src, sums, dst):
    """dst = running sums, piece b from sums[b] on."""
    start = sums[cuda.blockIdx.x]
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before
        start = int32(start + total)


@wrong("own_element_left_out", misconception="inclusive_or_exclusive", says="ends one element too early")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up[blocks, THREADS](src, sums)
    starts[1, THREADS](sums)
    scan_before[blocks, THREADS](src, sums, dst)


@wrong("scans_then_adds", misconception="written_twice", says="written once")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    scan_and_add_up[blocks, THREADS](src, sums, dst)
    starts[1, THREADS](sums)
    add_starts[blocks, THREADS](sums, dst)


@wrong("room_of_its_own", misconception="allocates_per_call", says="sums is all the room")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    room = cuda.device_array(blocks, np.int32)
    add_up[blocks, THREADS](src, room)
    starts[1, THREADS](room)
    scan_from[blocks, THREADS](src, room, dst)


@wrong("sums_scanned_on_the_host", misconception="too_many_transfers", says="on the device already")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up[blocks, THREADS](src, sums)
    totals = sums.copy_to_host()
    sums.copy_to_device((totals.cumsum() - totals).astype(np.int32))
    scan_from[blocks, THREADS](src, sums, dst)


@wrong("only_256_pieces", misconception="one_turn_of_sums", says="from number 256 on")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up[blocks, THREADS](src, sums)
    starts_of_256[1, THREADS](sums)
    scan_from[blocks, THREADS](src, sums, dst)


@wrong("numpy_on_the_host", misconception="nothing_on_device", says="device")
def scan_device(src, sums, dst):
    dst.copy_to_device(src.copy_to_host().cumsum().astype(np.int32))


@cuda.jit
def add_up_in_float(src, sums):
    """sums[b] = the sum of piece b, of which a thread's part is a float32."""
    first = cuda.blockIdx.x * PIECE
    acc = float32(0)
    for i in range(first + cuda.threadIdx.x, min(first + PIECE, src.size), THREADS):
        acc += float32(src[i])
    total = block_before(int32(acc))[1]
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total


@wrong("adds_up_in_float", misconception="float_index", says="16,777,216")
def scan_device(src, sums, dst):
    blocks = pieces_of(src)
    add_up_in_float[blocks, THREADS](src, sums)
    starts[1, THREADS](sums)
    scan_from[blocks, THREADS](src, sums, dst)
