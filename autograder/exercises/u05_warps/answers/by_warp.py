"""Answers to warps.by_warp."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

STEPS = 12
WARP = 32
PAIR = 64


@cuda.jit(device=True)
def halve(x):
    for _ in range(STEPS):
        x = float32(0.5) * x + float32(3)
    return x


@cuda.jit(device=True)
def distances(x):
    total = float32(0)
    for k in range(STEPS):
        total += abs(x - float32(k))
    return total


@right("block_in_halves")
@cuda.jit
def by_warp(src, out):
    t = cuda.threadIdx.x
    half = cuda.blockDim.x // 2
    first = cuda.blockIdx.x * cuda.blockDim.x
    if t < half:
        i = first + 2 * t
        if i < src.size:
            out[i] = halve(src[i])
    else:
        i = first + 2 * (t - half) + 1
        if i < src.size:
            out[i] = distances(src[i])


@right("divmod_of_the_pair")
@cuda.jit
def by_warp(src, out):
    pair, place = divmod(cuda.grid(1), PAIR)
    odd, lane = divmod(place, WARP)
    i = PAIR * pair + 2 * lane + odd
    if i >= src.size:
        return
    if odd:
        out[i] = distances(src[i])
    else:
        out[i] = halve(src[i])


@right("bits_moved")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    i = (t & ~63) | ((t & 31) << 1) | ((t >> 5) & 1)
    if i < src.size:
        x = src[i]
        if t & 32:
            y = distances(x)
        else:
            y = halve(x)
        out[i] = y


@right("halves_of_the_grid")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    half = cuda.gridsize(1) // 2
    i = 2 * t if t < half else 2 * (t - half) + 1
    if i < src.size:
        out[i] = halve(src[i]) if t < half else distances(src[i])


@right("one_of_each_per_thread")
@cuda.jit
def by_warp(src, out):
    i = 2 * cuda.grid(1)
    if i < src.size:
        out[i] = halve(src[i])
    if i + 1 < src.size:
        out[i + 1] = distances(src[i + 1])


@right("lane_and_warp_by_name")
@cuda.jit
def by_warp(src, out):
    warp = cuda.grid(1) // WARP
    lane = cuda.laneid
    i = (warp - warp % 2) * WARP + 2 * lane + warp % 2
    if i < src.size and warp % 2 == 0:
        out[i] = halve(src[i])
    elif i < src.size:
        out[i] = distances(src[i])


@wrong("element_of_the_thread", misconception="both_paths", says="one after the other")
@cuda.jit
def by_warp(src, out):
    i = cuda.grid(1)
    if i < src.size:
        if i % 2 == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])


@wrong("both_computed", misconception="both_computed", says="no warp should run both")
@cuda.jit
def by_warp(src, out):
    i = cuda.grid(1)
    if i < src.size:
        first, second = halve(src[i]), distances(src[i])
        out[i] = second if i % 2 == 1 else first


@wrong("warps_not_elements", misconception="wrong_element", says="32 of every 64")
@cuda.jit
def by_warp(src, out):
    i = cuda.grid(1)
    if i < src.size:
        if i // WARP % 2 == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])


@wrong("recipes_exchanged", misconception="recipes_exchanged", says="exchanged")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    odd = t // WARP % 2
    i = t // PAIR * PAIR + 2 * (t % WARP) + odd
    if i < src.size:
        if odd == 1:
            out[i] = halve(src[i])
        else:
            out[i] = distances(src[i])


@wrong("odd_ones_forgotten", misconception="never_read", says="was never written")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    i = 2 * t
    if i < src.size:
        if t // WARP % 2 == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])


@wrong("sixteen_lanes_each", misconception="both_paths", says="one after the other")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    odd = t // 16 % 2
    i = t // WARP * WARP + 2 * (t % 16) + odd
    if i < src.size:
        if odd == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])


@wrong("halves_of_the_array", misconception="no_guard", says="outside the array")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    half = src.size // 2
    if t < half:
        out[2 * t] = halve(src[2 * t])
    else:
        i = 2 * (t - half) + 1
        out[i] = distances(src[i])


@wrong("guard_on_the_thread", misconception="no_guard", says="outside the array")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    if t < src.size:
        odd = t // WARP % 2
        i = t // PAIR * PAIR + 2 * (t % WARP) + odd
        if odd == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])


@right("the_warp_votes")
@cuda.jit
def by_warp(src, out):
    t = cuda.grid(1)
    i = t // PAIR * PAIR + t % WARP * 2 + t % PAIR // WARP
    x = src[i] if i < src.size else float32(0)
    if cuda.all_sync(0xFFFFFFFF, i % 2 == 1):
        x = distances(x)
    else:
        x = halve(x)
    if i < src.size:
        out[i] = x


@wrong("neighbours_swapped", misconception="both_paths", says="one after the other")
@cuda.jit
def by_warp(src, out):
    i = cuda.grid(1) ^ 1
    if i < src.size:
        if i % 2 == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])


@wrong("one_block_of_warps", misconception="few_threads", says="one block does the work")
@cuda.jit
def by_warp(src, out):
    if cuda.blockIdx.x == 0:
        warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
        for i in range(PAIR * (warp // 2) + 2 * lane + warp % 2, src.size, cuda.blockDim.x):
            if warp % 2 == 1:
                out[i] = distances(src[i])
            else:
                out[i] = halve(src[i])
