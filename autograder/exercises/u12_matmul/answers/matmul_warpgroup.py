"""Answers to matmul.matmul_warpgroup."""

import numpy as np
from numba import cuda, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import bits16, commit_copies, copy16_async, load16, store16, wait_copies
from autograder.notebook.warpgroups import show_tiles, store_sums, wait_products, warpgroup_mma, zero_sums

float16 = np.float16

HALVES_B = 128 * 64
HALVES = HALVES_B + 64 * 256


@cuda.jit(device=True, forceinline=True)
def word_at(src, row, col):
    """Two neighbours of a float16 matrix in one word of 32 bits, the first in the lower half; 0 past an edge."""
    low = high = uint32(0)
    if row < src.shape[0]:
        if col < src.shape[1]:
            low = bits16(src[row, col])
        if col + 1 < src.shape[1]:
            high = bits16(src[row, col + 1])
    return low | (high << uint32(16))


@cuda.jit(device=True, forceinline=True)
def fetch8(src, row, col):
    """Eight float16 neighbours from src[row, col] on, as four words: 16 bytes, as `fetch4` does it."""
    n_rows, n_cols = src.shape
    if row < n_rows and col + 8 <= n_cols and n_cols % 8 == 0:
        return load16(src, (row, col))
    return word_at(src, row, col), word_at(src, row, col + 2), word_at(src, row, col + 4), word_at(src, row, col + 6)


@cuda.jit(device=True, forceinline=True)
def piece(row, col):
    """Where the eight elements from (row, col) on lie in a tile 64 columns wide: pieces of 8 exchanged within a row."""
    return 64 * row + 8 * ((col // 8) ^ (row % 8))


@cuda.jit(device=True, forceinline=True)
def copy_whole(tiles, stage, a, b, row0, col0, k0):
    """Begin to copy 128 x 64 elements of a and 64 x 256 of b; four panels of 64 columns make the tile of b."""
    t = cuda.threadIdx.x
    row, k = t // 8, 8 * (t % 8)
    first = stage + piece(row, k)
    for i in range(4):
        copy16_async(tiles, first + 2048 * i, a, (row0 + row + 32 * i, k0 + k))
    k, col = t // 32, 8 * (t % 32)
    first = stage + HALVES_B + 4096 * (col // 64) + piece(k, col % 64)
    for i in range(8):
        copy16_async(tiles, first + 512 * i, b, (k0 + k + 8 * i, col0 + col))


@cuda.jit(device=True, forceinline=True)
def fill_ragged(tiles, stage, a, b, row0, col0, k0):
    """The same at the edges: store, and zeros past them."""
    for e in range(cuda.threadIdx.x, 1024, 256):
        row, k = e // 8, 8 * (e % 8)
        store16(tiles, stage + piece(row, k), fetch8(a, row0 + row, k0 + k))
    for e in range(cuda.threadIdx.x, 2048, 256):
        k, col = e // 32, 8 * (e % 32)
        to = stage + HALVES_B + 4096 * (col // 64) + piece(k, col % 64)
        store16(tiles, to, fetch8(b, k0 + k, col0 + col))


@cuda.jit(device=True, forceinline=True)
def copy_halves(tiles, stage, a, b, row0, col0, k0):
    """Begin to copy columns k0 to k0 + 63 of a and these rows of b into one stage; close the group."""
    n_inner, n_cols = b.shape
    if row0 + 128 <= a.shape[0] and col0 + 256 <= n_cols and n_cols % 8 == 0 and n_inner % 64 == 0:
        if k0 < n_inner:
            copy_whole(tiles, stage, a, b, row0, col0, k0)
    elif k0 < n_inner:
        fill_ragged(tiles, stage, a, b, row0, col0, k0)
    commit_copies()


@right("stages_by_remainder")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    tile = 0
    k0 = 0
    while k0 < a.shape[1]:
        now, free = HALVES * (tile % 4), HALVES * ((tile + 2) % 4)
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        tile += 1
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@right("range_over_tiles")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    for k0 in range(0, a.shape[1], 64):
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@right("three_tiles_ahead_each_product_waited_for")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(3):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 3 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(2)
        show_tiles()  # to the tensor cores as well
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 192)
        sums = wait_products(sums, 0)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@right("three_stages")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        sums = wait_products(sums, 0)
        now = now + HALVES if now < 2 * HALVES else 0
        free = free + HALVES if free < 2 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@right("products_waited_for_first")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@right("counts_its_turns")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    for turn in range((a.shape[1] + 63) // 64):
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, 64 * turn + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@right("group_offset_worked_out_before")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    own = 4096 * group
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + own, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("tiles_not_shown", misconception="tile_not_shown", says="show_tiles")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("shown_before_they_arrive", misconception="tile_not_shown", says="show_tiles")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        show_tiles()
        wait_copies(1)
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("sums_stored_at_once", misconception="product_under_way", says="wait_products")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("tiles_filled_while_they_are_multiplied", misconception="product_under_way", says="filled again")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(3):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 3 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(2)
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 192)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("waits_for_nothing_yet", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(2)
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("waits_for_all_copies", misconception="waits_at_once", says="nothing may wait")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("both_groups_multiply_the_same_rows", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("b_begins_where_a_does", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("group_begins_32_rows_on", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 2048 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("group_begins_at_an_odd_row", misconception="misaligned", says="multiple of 512")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4032 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < 64:
        wait_copies(1)  # this tile is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for everybody
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)


@wrong("three_stages_too_early", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    tiles = cuda.shared.array(0, float16)
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    turn = 0
    for k0 in range(0, a.shape[1], 64):
        wait_copies(1)
        show_tiles()
        cuda.syncthreads()
        now = HALVES * (turn % 3)
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        sums = wait_products(sums, 1)  # the other group may still multiply from the stage that is filled next
        copy_halves(tiles, HALVES * ((turn + 2) % 3), a, b, row0, col0, k0 + 128)
        turn += 1
    sums = wait_products(sums, 0)
    store_sums(c, row0 + 64 * group, col0, sums)
