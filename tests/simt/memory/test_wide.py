"""16 bytes at once, ldmatrix and mma: exact values, the counters of one request, and races cell by cell."""

import numpy as np
import pytest
from numba import cuda, float32, int8, int32

import simt
from autograder.notebook.intrinsics import (
    bits16,
    halves,
    ldmatrix,
    ldmatrix_transposed,
    load16,
    mma,
    mma_int8,
    store16,
)
from autograder.notebook.warpgroups import stmatrix_transposed

float16 = np.float16


@cuda.jit
def copy16(src, dst):
    t = cuda.threadIdx.x
    store16(dst, (t, 4), load16(src, (t, 4)))


@cuda.jit
def copy16_off_by_one(src, dst):
    store16(dst, (cuda.threadIdx.x, 0), load16(src, (cuda.threadIdx.x, 1)))


@cuda.jit
def copy16_and_tail(src, dst):
    first = 4 * cuda.grid(1)
    if first + 4 <= dst.size:
        store16(dst, first, load16(src, first))
    else:
        for i in range(first, dst.size):
            dst[i] = src[i]


@cuda.jit
def store_then_neighbour(src, dst):
    tile = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    store16(tile, 4 * t, load16(src, (t, 0)))
    dst[t, 0] = tile[127 - 4 * t]


@cuda.jit
def words(src, dst):
    t = cuda.threadIdx.x
    dst[t] = bits16(src[t])


@cuda.jit
def both_halves(src, dst):
    t = cuda.threadIdx.x
    dst[t, 0], dst[t, 1] = halves(src[t])


@cuda.jit
def one_mma_int8(a, b_turned, c):
    """c = a b of int8, 16 x 32 by 32 x 8, b turned round."""
    tile_a = cuda.shared.array((16, 48), int8, alignment=16)
    tile_b = cuda.shared.array((16, 48), int8, alignment=16)
    lane = cuda.threadIdx.x
    row, col = lane // 2, 16 * (lane % 2)
    store16(tile_a, (row, col), load16(a, (row, col)))
    store16(tile_b, (row, col), load16(b_turned, (row, col)))
    cuda.syncthreads()
    x = ldmatrix(tile_a, (lane % 16, 16 * (lane // 16)))
    y = ldmatrix(tile_b, (lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)))
    z = int32(1)
    left, right = mma_int8(x, y[:2], (z, z, z, z)), mma_int8(x, y[2:], (z, z, z, z))
    row, col = lane // 4, 2 * (lane % 4)
    c[row, col], c[row, col + 1], c[row + 8, col], c[row + 8, col + 1] = left
    c[row, col + 8], c[row, col + 9], c[row + 8, col + 8], c[row + 8, col + 9] = right


@cuda.jit
def one_mma(a, b, c):
    tile_a = cuda.shared.array((16, 24), float16)
    tile_b = cuda.shared.array((16, 24), float16)
    lane = cuda.threadIdx.x
    for i in range(16):
        if lane < 16:
            tile_a[i, lane] = a[i, lane]
            tile_b[i, lane] = b[i, lane]
    cuda.syncthreads()
    x = ldmatrix(tile_a, (lane % 16, lane // 16 * 8))
    y = ldmatrix_transposed(tile_b, (lane % 16, lane // 16 * 8))
    z = float32(0)
    left, right = mma(x, y[:2], (z, z, z, z)), mma(x, y[2:], (z, z, z, z))
    row, col = lane // 4, lane % 4 * 2
    c[row, col], c[row, col + 1], c[row + 8, col], c[row + 8, col + 1] = left
    c[row, col + 8], c[row, col + 9], c[row + 8, col + 8], c[row + 8, col + 9] = right


@cuda.jit
def turned(src, words, back):
    """32 rows of 16 bytes in pairs, turned into registers and out of them again."""
    tile = cuda.shared.array((64, 16), int8)
    lane = cuda.threadIdx.x
    store16(tile, (lane, 0), load16(src, (lane, 0)))
    cuda.syncwarp()
    x = ldmatrix_transposed(tile, (lane, 0))
    words[lane, 0], words[lane, 1], words[lane, 2], words[lane, 3] = x
    stmatrix_transposed(tile, (32 + lane, 0), x)
    cuda.syncwarp()
    store16(back, (lane, 0), load16(tile, (32 + lane, 0)))


@cuda.jit
def stmatrix_of_floats(words):
    tile = cuda.shared.array((32, 4), float32)
    stmatrix_transposed(tile, (cuda.threadIdx.x, 0), load16(words, (cuda.threadIdx.x, 0)))


@cuda.jit
def stmatrix_of_two(words):
    tile = cuda.shared.array((32, 16), int8)
    stmatrix_transposed(tile, (cuda.threadIdx.x, 0), (words[0, 0], words[0, 1]))


@pytest.mark.parametrize(("kernel", "says"), [(stmatrix_of_floats, "float16 or int8"), (stmatrix_of_two, "four words")])
def test_stmatrix_takes_four_words_and_writes_what_it_can_turn(kernel, says):
    (finding,) = simt.trace(kernel, 1, 32, np.zeros((32, 16), np.int8)).findings

    assert says in finding.message


def test_pairs_of_bytes_are_turned_together_and_stmatrix_turns_them_back():
    src = np.random.default_rng(2).integers(-128, 128, (32, 16)).astype(np.int8)
    words, back = np.zeros((32, 4), np.uint32), np.zeros((32, 16), np.int8)
    trace = simt.trace(turned, 1, 32, src, words, back)

    pairs = src.view(np.uint16).reshape(4, 8, 8)  # matrix, row, column
    lanes, e = np.arange(32)[:, None], np.arange(2)
    held = pairs[:, 2 * (lanes % 4) + e, lanes // 4]  # matrix, lane, half of its word
    assert [] == trace.findings
    np.testing.assert_array_equal(np.ascontiguousarray(held).view(np.uint32)[..., 0].T, words)
    np.testing.assert_array_equal(src, back)


def test_sixteen_bytes_are_one_request_of_as_many_sectors_as_they_touch():
    src, dst = np.arange(32 * 8, dtype=np.float32).reshape(32, 8), np.zeros((32, 8), np.float32)
    trace = simt.trace(copy16, 1, 32, src, dst)

    assert [] == trace.findings
    np.testing.assert_array_equal(src[:, 4:], dst[:, 4:])
    assert (1, 32, 512) == tuple(trace.counters[f"global_load_{what}"] for what in ("requests", "sectors", "bytes"))


def test_an_address_that_sixteen_does_not_divide_is_a_finding():
    matrix = np.zeros((32, 8), np.float32)
    (finding,) = simt.trace(copy16_off_by_one, 1, 32, matrix, np.zeros((32, 8), np.float32)).findings

    assert "misaligned" == finding.kind
    assert "src[0, 1]" in finding.message


@pytest.mark.parametrize("n", [1, 127, 509, 1021])
def test_a_lane_that_has_only_a_tail_disturbs_no_wide_access_of_others(n):
    src, dst = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
    trace = simt.trace(copy16_and_tail, 1, 256, src, dst)

    assert [] == trace.findings
    np.testing.assert_array_equal(src, dst)


def test_a_race_on_the_last_of_sixteen_bytes_is_seen():
    trace = simt.trace(store_then_neighbour, 1, 32, np.ones((32, 4), np.float32), np.zeros((32, 4), np.float32))

    assert {"race"} == {finding.kind for finding in trace.findings}


def test_bits_of_a_half_are_those_that_numpy_sees():
    halves, seen = np.array([1, -2.5, np.inf, 6e-8] * 8, float16), np.zeros(32, np.uint32)
    simt.launch(words, 1, 32, halves, seen)

    np.testing.assert_array_equal(halves.view(np.uint16), seen)


def test_one_mma_is_a_product_of_halves_in_float32():
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-9, 10, (16, 16)).astype(float16) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    trace = simt.trace(one_mma, 1, 32, a, b, c)

    assert [] == trace.findings
    np.testing.assert_array_equal(a.astype(np.float32) @ b.astype(np.float32), c)
    assert 2 * 16**3 == trace.counters["tensor_flops"]


def test_one_mma_of_int8_is_exact():
    rng = np.random.default_rng(2)
    a, b_turned = (rng.integers(-128, 128, (16, 32), dtype=np.int8) for _ in range(2))
    c = np.zeros((16, 16), np.int32)
    trace = simt.trace(one_mma_int8, 1, 32, a, b_turned, c)

    assert [] == trace.findings
    np.testing.assert_array_equal(a.astype(np.int32) @ b_turned.T.astype(np.int32) + 1, c)


@pytest.mark.parametrize("capability", [(7, 5), (8, 0), (9, 0)])
def test_every_intrinsic_compiles_for_every_architecture_of_the_course(capability):
    from numba import types

    half, single = (types.Array(kind, 2, "C") for kind in (types.float16, types.float32))
    text, _ = cuda.compile_ptx(one_mma.py_func, types.void(half, half, single), cc=capability)

    assert ("m16n8k16" if capability >= (8, 0) else "m16n8k8") in text
    byte, whole = (types.Array(kind, 2, "C") for kind in (types.int8, types.int32))
    text, _ = cuda.compile_ptx(one_mma_int8.py_func, types.void(byte, byte, whole), cc=capability)
    assert ("m16n8k32" if capability >= (8, 0) else "m8n8k16") in text
    assert "ld.global.v4.f32" in cuda.compile_ptx(copy16.py_func, types.void(single, single), cc=capability)[0]


def test_halves_are_the_two_float16_of_a_word_the_lower_one_first():
    pairs = np.array([[1, -2], [65504, 2**-24], [np.inf, -0.0], [0.1, np.nan]], float16)
    found = np.zeros((4, 2), np.float32)

    simt.trace(both_halves, 1, 4, pairs.view(np.uint32).ravel(), found)

    np.testing.assert_array_equal(found, pairs.astype(np.float32))
    assert np.signbit(found[2, 1])
