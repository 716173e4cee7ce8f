"""Answers to memory_access.copy_from."""

from numba import cuda

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import load16, store16


@right("aligned_asked_first")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    end = min(first + 4, dst.size)
    aligned = (start & 3) == 0
    if aligned and end - first == 4:
        store16(dst, first, load16(src, start + first))
        return
    for i in range(first, end):
        dst[i] = src[start + i]


@right("wide_stores_always")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if first + 3 < dst.size:
        j = start + first
        if start % 4 == 0:
            four = load16(src, j)
        else:
            four = (src[j], src[j + 1], src[j + 2], src[j + 3])
        store16(dst, first, four)
    else:
        while first < dst.size:
            dst[first] = src[start + first]
            first += 1


@right("lanes_side_by_side_where_narrow")
@cuda.jit
def copy_from(src, start, dst):
    if start % 4 == 0:
        first = 4 * cuda.grid(1)
        if first + 4 <= dst.size:
            store16(dst, first, load16(src, start + first))
        elif first < dst.size:
            for i in range(first, dst.size):
                dst[i] = src[start + i]
    else:
        for i in range(cuda.grid(1), dst.size, cuda.gridsize(1)):
            dst[i] = src[start + i]


@cuda.jit(device=True)
def one_by_one(src, start, dst, first):
    for i in range(first, min(first + 4, dst.size)):
        dst[i] = src[start + i]


@right("device_function_for_the_rest")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if first + 4 > dst.size or start % 4 != 0:
        one_by_one(src, start, dst, first)
    else:
        store16(dst, first, load16(src, start + first))


@right("view_of_the_source")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    part = src[start:]
    if start % 4 == 0 and first + 4 <= dst.size:
        store16(dst, first, load16(part, first))
    else:
        for k in range(4):
            if first + k < dst.size:
                dst[first + k] = part[first + k]


@right("grid_stride_over_fours")
@cuda.jit
def copy_from(src, start, dst):
    n_fours = dst.size // 4 if start % 4 == 0 else 0
    for k in range(cuda.grid(1), n_fours, cuda.gridsize(1)):
        store16(dst, 4 * k, load16(src, start + 4 * k))
    for i in range(4 * n_fours + cuda.grid(1), dst.size, cuda.gridsize(1)):
        dst[i] = src[start + i]


@wrong("alignment_not_asked", misconception="misaligned", says="multiple of 16")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if first + 4 <= dst.size:
        store16(dst, first, load16(src, start + first))
    else:
        for i in range(first, dst.size):
            dst[i] = src[start + i]


@wrong("even_is_not_enough", misconception="misaligned", says="multiple of 16")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if start % 2 == 0 and first + 4 <= dst.size:
        store16(dst, first, load16(src, start + first))
    else:
        for i in range(first, min(first + 4, dst.size)):
            dst[i] = src[start + i]


@wrong("no_tail", misconception="missing_tail", says="last whole four")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if first + 4 <= dst.size:
        if start % 4 == 0:
            store16(dst, first, load16(src, start + first))
        else:
            for i in range(first, first + 4):
                dst[i] = src[start + i]


@wrong("tail_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if start % 4 == 0 and first < dst.size:
        store16(dst, first, load16(src, start + first))
    else:
        for i in range(first, min(first + 4, dst.size)):
            dst[i] = src[start + i]


@wrong("start_rounded_down", misconception="start_rounded", says="rounded down")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    begin = start // 4 * 4
    if first + 4 <= dst.size:
        store16(dst, first, load16(src, begin + first))
    else:
        for i in range(first, dst.size):
            dst[i] = src[begin + i]


@wrong("start_left_out", misconception="start_left_out", says="start is left out")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if first + 4 <= dst.size:
        store16(dst, first, load16(src, first))
    else:
        for i in range(first, dst.size):
            dst[i] = src[i]


@wrong("four_single_loads", misconception="narrow_accesses", says="32 requests")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    for i in range(first, min(first + 4, dst.size)):
        dst[i] = src[start + i]


@wrong("only_the_load_is_wide", misconception="narrow_accesses", says="stores 512 bytes")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if start % 4 == 0 and first + 4 <= dst.size:
        four = load16(src, start + first)
        dst[first], dst[first + 1], dst[first + 2], dst[first + 3] = four
    else:
        for i in range(first, min(first + 4, dst.size)):
            dst[i] = src[start + i]


@wrong("neighbours_overlap", misconception="misaligned", says="multiple of 16")
@cuda.jit
def copy_from(src, start, dst):
    first = cuda.grid(1)
    if start % 4 == 0 and first + 4 <= dst.size:
        store16(dst, first, load16(src, start + first))
    elif first < dst.size:
        dst[first] = src[start + first]


@wrong("last_four_by_one_thread_of_the_block", misconception="store_not_reached", says="At n = 2, start = 4 no thread")
@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if start % 4 == 0 and first + 4 < dst.size:
        store16(dst, first, load16(src, start + first))
    elif start % 4 != 0:
        for i in range(first, min(first + 4, dst.size)):
            dst[i] = src[start + i]
