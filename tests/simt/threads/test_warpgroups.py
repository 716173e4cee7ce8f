"""Products of whole tiles by four warps: exact, dealt out as on an H100, and told where somebody did not wait."""

import numpy as np
import pytest
from numba import cuda

import simt
from autograder.notebook.intrinsics import commit_copies, copy16_async, wait_copies
from autograder.notebook.warpgroups import (
    show_tiles,
    store_sums,
    wait_products,
    warpgroup_mma,
    warpgroup_mma_int8,
    zero_sums,
    zero_sums_int8,
)
from simt.threads.tile_forms import cell_of

float16 = np.float16
B = 64 * 64  # where the tile of b begins
SHARED = 2 * (64 * 64 + 64 * 256)  # bytes


def kernel_of(shows=True, meets=True, keep=0, fills_again=False, first_a=0, late=False):
    """One warpgroup copies 20,480 elements as they lie, and multiplies them."""

    @cuda.jit
    def product(src, c):
        tiles = cuda.shared.array(0, float16)
        if late:
            show_tiles()  # nothing yet, as after an earlier tile
        for i in range(8 * cuda.threadIdx.x, src.size, 1024):
            copy16_async(tiles, i, src, i)
        commit_copies()
        wait_copies(0)
        if shows:
            show_tiles()
        if meets:
            cuda.syncthreads()
        if late:
            show_tiles()
        sums = warpgroup_mma(tiles, first_a, B, zero_sums())
        if fills_again:
            tiles[cuda.threadIdx.x] = float16(7)
        sums = wait_products(sums, keep)
        store_sums(c, 0, 0, sums)

    return product


def laid_out(a, b):
    """The tiles of a and b as one array, their pieces exchanged."""
    src = np.zeros(B + b.size, float16)
    src[cell_of(*np.indices(a.shape))] = a
    src[B + cell_of(*np.indices(b.shape))] = b
    return src


def traced(kernel, c_shape=(64, 256), block=128):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-8, 9, shape).astype(float16) for shape in ((64, 64), (64, 256)))
    c = np.full(c_shape, 77, np.float32)
    trace = simt.trace(kernel, 1, block, laid_out(a, b), c, dynamic_shared_bytes=SHARED)
    return trace, a.astype(np.float64) @ b.astype(np.float64), c


def said(trace):
    return [(one.kind, one.message) for one in trace.findings]


def test_a_product_is_exact_and_its_reads_are_no_requests():
    trace, expected, c = traced(kernel_of())

    assert said(trace) == [] and np.array_equal(c, expected)
    assert trace.counters["shared_load_requests"] == 0
    assert trace.counters["tensor_flops"] == 2 * 64 * 64 * 256


def test_sums_past_an_edge_of_c_are_left_out():
    trace, expected, c = traced(kernel_of(), (61, 251))

    assert said(trace) == [] and np.array_equal(c, expected[:61, :251])


@pytest.mark.parametrize(
    "kernel, kind, part",
    [
        (kernel_of(shows=False), "tile_not_shown", "show_tiles()"),
        (kernel_of(shows=False, late=True), "tile_not_shown", "after the last barrier"),
        (kernel_of(keep=1), "product_under_way", "still adds to them"),
        (kernel_of(fills_again=True), "product_under_way", "filled again"),
        (kernel_of(first_a=64), "misaligned", "multiple of 512"),
        (kernel_of(meets=False), "race", "barrier"),
    ],
    ids=["not shown", "shown too late", "not waited for", "filled again", "misaligned", "no barrier"],
)
def test_what_a_gpu_does_not_tell_is_told(kernel, kind, part):
    trace = traced(kernel)[0]

    assert any(one.kind == kind and part in f"{one.message} {one.remedy}" for one in trace.findings), said(trace)


def test_every_thread_of_a_warpgroup_must_come():
    @cuda.jit
    def half(src, c):
        tiles = cuda.shared.array(0, float16)
        show_tiles()
        if cuda.threadIdx.x < 64:
            store_sums(c, 0, 0, warpgroup_mma(tiles, 0, B, zero_sums()))

    assert "all 128 threads" in said(traced(half)[0])[0][1]


@pytest.mark.parametrize("meet", [True, False])
def test_a_wait_says_nothing_of_the_other_warpgroup(meet):
    """Both multiply by one tile of b; who has waited for its own product must not fill that tile again."""

    @cuda.jit
    def both(src, c):
        tiles = cuda.shared.array(0, float16)
        for i in range(8 * cuda.threadIdx.x, src.size, 2048):
            copy16_async(tiles, i, src, i)
        commit_copies()
        wait_copies(0)
        show_tiles()
        cuda.syncthreads()
        sums = wait_products(warpgroup_mma(tiles, 0, B, zero_sums()), 0)
        if meet:
            cuda.syncthreads()
        tiles[B + cuda.threadIdx.x] = float16(7)
        store_sums(c, 0, 0, sums)

    trace = traced(both, block=256)[0]

    assert [one.kind for one in trace.findings if not one.note and "tiles" in one.message] == ([] if meet else ["race"])


ROWS_OF_A = 70  # more than a product takes, so that it may begin at any of them


def int8_kernel(first_row, fills_again=False):
    """One warpgroup lays out rows of 32 bytes with their halves exchanged, and multiplies 64 of A with 256 of B."""

    @cuda.jit
    def product(a, b, c):
        tiles = cuda.shared.array(0, np.int8)
        t = cuda.threadIdx.x
        for i in range(t, 32 * (72 + 256), 128):
            row, half, k = i // 32, i // 16 % 2, i % 16
            x = np.int8(0)
            if row < ROWS_OF_A:
                x = a[row, 16 * half + k]
            elif row >= 72:
                x = b[row - 72, 16 * half + k]
            tiles[32 * row + 16 * (half ^ (row // 4 % 2)) + k] = x
        show_tiles()
        cuda.syncthreads()
        sums = warpgroup_mma_int8(tiles, 32 * first_row, 32 * 72, zero_sums_int8())
        if fills_again:
            tiles[32 * first_row + t] = np.int8(99)
        sums = wait_products(sums, 0)
        for j in range(32):
            row, col = 16 * (t // 32) + t % 32 // 4, 8 * j + 2 * (t % 4)
            c[row, col], c[row, col + 1] = sums[4 * j], sums[4 * j + 1]
            c[row + 8, col], c[row + 8, col + 1] = sums[4 * j + 2], sums[4 * j + 3]

    return product


def int8_traced(kernel):
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-128, 128, (rows, 32)).astype(np.int8) for rows in (ROWS_OF_A, 256))
    c = np.zeros((64, 256), np.int32)
    return simt.trace(kernel, 1, 128, a, b, c, dynamic_shared_bytes=32 * (72 + 256)), a.astype(int) @ b.astype(int).T, c


@pytest.mark.parametrize("first_row", [0, 1, 4, 6])
def test_a_product_of_int8_is_exact_and_may_begin_at_any_row(first_row):
    trace, expected, c = int8_traced(int8_kernel(first_row))

    assert said(trace) == [] and np.array_equal(c, expected[first_row : first_row + 64])
    assert trace.counters["tensor_flops"] == 0, "sums of whole numbers are no flops"


def test_a_tile_of_int8_that_is_filled_again_too_early_is_told():
    trace, _, _ = int8_traced(int8_kernel(0, fills_again=True))

    assert "product_under_way" in [one.kind for one in trace.findings]


@pytest.mark.parametrize("reads", ["one of them", "a slice", "in a loop"])
@pytest.mark.parametrize("waits", [True, False])
def test_sums_that_are_read_while_a_product_adds_to_them_are_told(reads, waits):
    @cuda.jit
    def product(a, b, c):
        tiles = cuda.shared.array(0, np.int8)
        t = cuda.threadIdx.x
        for i in range(t, 32 * (72 + 256), 128):
            tiles[i] = np.int8(1)
        show_tiles()
        cuda.syncthreads()
        sums = warpgroup_mma_int8(tiles, 0, 32 * 72, zero_sums_int8())
        if waits:
            sums = wait_products(sums, 0)
        x = 0
        if reads == "one of them":
            x = sums[3]
        elif reads == "a slice":
            x = sums[:16][3]
        else:
            for one in sums:
                x = one
        c[t // 2, t % 2] = x
        wait_products(sums, 0)

    trace, _, c = int8_traced(product)

    assert ([] if waits else ["product_under_way"]) == [one.kind for one in trace.findings]
    assert not waits or (c[:, :2] == 32).all()
