"""The sparse product of tensor cores: any two of four go to where their places say; other places are refused."""

import itertools

import numpy as np
import pytest
from numba import cuda, float32, uint32

import simt
from autograder.exercises.u20_compression.sparse_values import places_of, words_of
from autograder.notebook.intrinsics import ldmatrix, ldmatrix_transposed, load16, mma_sparse, store16
from simt.errors import PlacesOutOfOrderError

float16 = np.float16
PAIRS = np.array(list(itertools.combinations(range(4), 2)))


@cuda.jit
def one_sparse_mma(packed, told, b, c):
    """c = a b + 1 of one warp: packed (16, 16) float16, told (32,) int32, a word per lane, b (32, 8) float16."""
    tile_a = cuda.shared.array((16, 16), float16, alignment=16)
    tile_b = cuda.shared.array((32, 8), float16, alignment=16)
    lane = cuda.threadIdx.x
    store16(tile_a, (lane // 2, 8 * (lane % 2)), load16(packed, (lane // 2, 8 * (lane % 2))))
    store16(tile_b, (lane, 0), load16(b, (lane, 0)))
    cuda.syncthreads()
    one = float32(1)
    x = ldmatrix(tile_a, (lane % 16, 8 * (lane // 16)))
    y = ldmatrix_transposed(tile_b, (lane, 0))
    sums = mma_sparse(x, y, uint32(told[lane]), (one, one, one, one))
    row, col = lane // 4, 2 * (lane % 4)
    c[row, col], c[row, col + 1], c[row + 8, col], c[row + 8, col + 1] = sums


def told_by_lanes(words, others=0xFFFFFFFF):
    """(32,) int32: what each lane gives for the words of 16 rows. others: what lanes give that are not asked."""
    told = np.full(32, others, np.uint32)
    for lane in range(32):
        if lane % 4 < 2:
            shift = 16 * (lane % 4)
            low, high = (int(words[lane // 4 + 8 * half]) >> shift & 0xFFFF for half in (0, 1))
            told[lane] = low | high << 16
    return told.view(np.int32)


def drawn():
    """packed, places of all six kinds, b, and the product of the matrix with its zeros, plus 1."""
    rng = np.random.default_rng(20)
    packed, b = rng.integers(-9, 10, (16, 16)).astype(float16), rng.integers(-9, 10, (32, 8)).astype(float16)
    places = PAIRS[rng.integers(0, 6, (16, 8))]
    whole = np.zeros((16, 8, 4), np.float32)
    np.put_along_axis(whole, places, packed.reshape(16, 8, 2).astype(np.float32), axis=2)
    return packed, places, b, whole.reshape(16, 32) @ b.astype(np.float32) + 1


def test_stored_elements_meet_the_rows_of_b_that_their_places_name():
    packed, places, b, right = drawn()
    told, c = told_by_lanes(words_of(places)[0].view(np.uint32)), np.zeros((16, 8), np.float32)
    trace = simt.trace(one_sparse_mma, 1, 32, packed, told, b, c)

    assert [] == trace.findings
    np.testing.assert_array_equal(right, c)
    assert 2 * 16 * 16 * 8 == trace.counters["tensor_flops"]


@pytest.mark.gpu
def test_a_gpu_spreads_them_alike():
    packed, places, b, right = drawn()
    told, c = told_by_lanes(words_of(places)[0].view(np.uint32)), np.zeros((16, 8), np.float32)
    one_sparse_mma[1, 32](packed, told, b, c)

    np.testing.assert_array_equal(right, c)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (3, 3), (2, 1), (3, 0)])
def test_places_that_do_not_rise_are_refused_with_the_row_and_the_elements_they_are_of(first, second):
    packed, places, b, _ = drawn()
    places[9, 6] = first, second
    told = told_by_lanes(words_of(places)[0].view(np.uint32))

    with pytest.raises(PlacesOutOfOrderError, match=f"row 9 has places {first} and {second} .* 24 to 27"):
        simt.launch(one_sparse_mma, 1, 32, packed, told, b, np.zeros((16, 8), np.float32))


def test_words_of_places_are_read_as_they_were_packed():
    places = PAIRS[np.random.default_rng(1).integers(0, 6, (5, 24))]

    np.testing.assert_array_equal(places, places_of(words_of(places)))


@pytest.mark.parametrize("capability", [(8, 0), (9, 0)])
def test_it_compiles_where_there_are_sparse_tensor_cores(capability):
    assert "mma.sp::ordered_metadata" in compiled(capability)


def test_an_older_gpu_is_told_what_it_lacks():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError, match="compute capability 8.0 and newer"):
        compiled((7, 5))


def compiled(capability):
    """The PTX of one product."""
    from numba import types

    half, single = (types.Array(kind, 2, "C") for kind in (types.float16, types.float32))
    signature = types.void(half, types.Array(types.int32, 1, "C"), half, single)
    return cuda.compile_ptx(one_sparse_mma.py_func, signature, cc=capability)[0]
