"""Functions of whole arrays and sequences, which every thread computes on its own."""

from __future__ import annotations

import math

import numpy as np
import pytest

import simt
from simt.compiling.calls import CALLS
from simt.cuda_api import cuda
from simt.errors import UnsupportedError

SOURCES = [
    np.array(values, dtype) for dtype in ("i4", "u1", "f4", "f8") for values in ([3, 1, 4, 1, 5], [[2, 0], [7, 1]])
]


def by_method(array, out):
    seen(array.sum(), array.mean(), array.prod(), array.var(), array.std())
    seen(array.argmin(), array.argmax(), array.any(), array.all())


def by_function(array, out):
    seen(np.sum(array), np.mean(array), np.prod(array), np.var(array), np.std(array))
    seen(np.argmin(array), np.argmax(array), np.any(array), np.all(array))


def seen(*values):
    """Stands in kernels; what it is given goes to `SEEN`."""


SEEN = []
CALLS[seen] = lambda env, mask, *values: SEEN.extend(values)


@pytest.fixture
def collected():
    SEEN.clear()
    return SEEN


@pytest.mark.parametrize("array", SOURCES, ids=lambda array: f"{array.dtype}-{array.ndim}d")
def test_methods_give_what_numpy_gives_in_numba_types(array, collected):
    simt.launch(by_method, 1, 1, array, np.zeros(1))
    names = "sum mean prod var std argmin argmax any all".split()
    for name, value in zip(names, collected, strict=True):
        np.testing.assert_allclose(
            np.ravel(value)[0], getattr(array.astype(np.float64), name)(), rtol=1e-6, err_msg=name
        )
    wide = {"i": "int64", "u": "uint64", "f": array.dtype.name}[array.dtype.kind]
    assert [wide, "float64", wide] == [value.dtype.name for value in collected[:3]]
    assert ["float64", "float64", "int64", "int64", "bool", "bool"] == [value.dtype.name for value in collected[3:]]


@pytest.mark.parametrize("array", SOURCES[:3], ids=lambda array: f"{array.dtype}-{array.ndim}d")
def test_functions_are_the_methods(array, collected):
    simt.launch(by_method, 1, 1, array, np.zeros(1))
    of_methods = [float(np.ravel(value)[0]) for value in collected]
    collected.clear()
    simt.launch(by_function, 1, 1, array, np.zeros(1))
    of_functions = [float(np.ravel(value)[0]) for value in collected]
    assert of_methods == of_functions


def test_the_position_of_a_nan_is_that_of_the_extreme():
    def find(array, out):
        out[0], out[1] = array.argmin(), array.argmax()

    out = np.zeros(2, int)
    simt.launch(find, 1, 1, np.array([2.0, np.nan, -1.0, np.nan]), out)
    assert [1, 1] == out.tolist()


def test_python_sum_widens_as_it_goes(collected):
    def add(floats, out):
        seen(sum(floats), sum((1, 2)), sum((1, 2.5)), sum((1, 2), 0.5))

    simt.launch(add, 1, 1, np.array([1, 2], np.float32), np.zeros(1))
    assert [(3.0, "float64"), (3, "int64"), (3.5, "float64"), (3.5, "float64")] == [
        (value.item(), value.dtype.name) for value in collected
    ]


def test_every_thread_may_have_an_array_of_its_own():
    @cuda.jit
    def rows(matrix, out):
        i = cuda.grid(1)
        mine = cuda.local.array(3, np.float64)
        mine.fill(i)
        out[i] = matrix[i].sum() + mine[1] + sum(mine)
        matrix[i].fill(i)

    matrix, out = np.arange(12.0).reshape(4, 3), np.zeros(4)
    expected = matrix.sum(axis=1) + 4 * np.arange(4)
    rows[1, 4](matrix, out)
    assert expected.tolist() == out.tolist()
    assert [[i] * 3 for i in range(4)] == matrix.tolist()


def test_loops_over_indices_and_over_all_elements():
    def walk(matrix, out):
        for i, j in np.ndindex(matrix.shape):
            out[0] += matrix[i, j] * (i + 1)
        for value in matrix.flat:
            out[1] += value
        for index in np.ndindex(2, 2):
            out[2] += matrix[index]
        out[3] = matrix.flat[4] + matrix.transpose()[2, 1] + np.size(matrix) + np.shape(matrix)[1] + len("four")

    matrix, out = np.arange(6.0).reshape(2, 3), np.zeros(4)
    simt.launch(walk, 1, 1, matrix, out)
    assert [27, 15, 0 + 1 + 3 + 4, 4 + 5 + 6 + 3 + 4] == out.tolist()


def test_a_number_is_made_of_the_type_of_another(collected):
    def make(values, out):
        seen(type(values[0])(2.7), values.dtype.type(2.7))

    simt.launch(make, 1, 1, np.zeros(1, np.int16), np.zeros(1))
    assert [(2, "int16")] * 2 == [(value.item(), value.dtype.name) for value in collected]


def test_words_of_wider_elements_are_seen_through_a_view():
    def split(values, words, out):
        i = cuda.grid(1)
        out[i] = values.view(np.uint32)[2 * i + 1]
        words[i] = values.view(np.uint32).size

    values = np.array([5 << 32, 7 << 32], np.uint64)
    words, out = np.zeros(2, int), np.zeros(2, int)
    simt.launch(split, 1, 2, values, words, out)
    assert ([5, 7], [4, 4]) == (out.tolist(), words.tolist())


def test_a_sum_over_rows_is_refused():
    def add(matrix, out):
        out[0] = sum(matrix)

    with pytest.raises(UnsupportedError, match="line .*one dimension"):
        simt.launch(add, 1, 1, np.zeros((2, 2)), np.zeros(1))


def without_nan(array, out):
    seen(np.nansum(array), np.nanprod(array), np.nanmean(array), np.nanvar(array), np.nanstd(array))


WITH_NAN = [
    np.array([2.0, math.nan, 3.0, 7.0], np.float32),
    np.array([[2.0, math.nan], [math.nan, 7.0]]),
    np.array([3, 0, 4], np.int32),
    np.array([3, 0, 4], np.uint8),
    np.array([1 + 2j, complex(math.nan, 0), 3 - 1j], np.complex64),
]


@pytest.mark.parametrize("array", WITH_NAN, ids=lambda array: f"{array.dtype}-{array.ndim}d")
def test_functions_without_nan_give_what_numpy_gives_in_numba_types(array, collected):
    simt.launch(without_nan, 1, 1, array, np.zeros(1))
    names = "nansum nanprod nanmean nanvar nanstd".split()
    for name, value in zip(names, collected, strict=True):
        np.testing.assert_allclose(np.ravel(value)[0], getattr(np, name)(array), rtol=1e-6, err_msg=name)
    wide = {"i": "int64", "u": "int64"}.get(array.dtype.kind, array.dtype.name)
    mean = "complex128" if array.dtype.kind == "c" else "float64"
    assert [wide, wide, mean, "float64", "float64"] == [value.dtype.name for value in collected]


def test_the_mean_of_no_number_is_nan(collected):
    with np.errstate(all="ignore"):
        simt.launch(without_nan, 1, 1, np.full(2, math.nan), np.zeros(1))
    assert [0.0, 1.0] == collected[:2] and np.isnan(collected[2:]).all()


def diagonals(matrix, out):
    seen(np.trace(matrix), np.trace(matrix, 1), np.trace(matrix, -2), np.trace(matrix, offset=7))


def test_traces_are_sums_along_diagonals_in_float64(collected):
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    simt.launch(diagonals, 1, 1, matrix, np.zeros(1))
    assert [np.trace(matrix), np.trace(matrix, 1), np.trace(matrix, -2), 0] == collected
    assert ["float64"] * 3 == [value.dtype.name for value in collected[:3]]
