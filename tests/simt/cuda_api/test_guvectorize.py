"""Functions of rows applied to arrays by the interpreter."""

import numpy as np
import pytest

from simt.cuda_api import DeviceArray, cuda
from simt.cuda_api.guvectorize import Layout, guvectorize
from simt.errors import SimtError


@guvectorize(["void(float32[:], float32[:])", "void(float64[:], float64[:])"], "(n)->(n)", target="cuda")
def running_sum(row, out):
    total = 0.0
    for i in range(row.shape[0]):
        total += row[i]
        out[i] = total


@guvectorize("void(int64[:], int64, int64[:])", "(n),()->(n)", target="cuda")
def shifted(row, by, out):
    for i in range(row.shape[0]):
        out[i] = row[i] + by


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n)->(),()", target="cuda")
def extremes(row, low, high):
    low[0] = high[0] = row[0]
    for i in range(1, row.shape[0]):
        low[0] = min(low[0], row[i])
        high[0] = max(high[0], row[i])


def test_every_row_is_one_call():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    np.testing.assert_array_equal(np.cumsum(x, axis=-1), running_sum(x))
    assert np.float64 == running_sum(np.arange(3.0)).dtype


def test_a_number_goes_to_every_row_or_one_to_each():
    assert [[2, 3], [4, 5]] == shifted(np.arange(4).reshape(2, 2), 2).tolist()
    assert [[10, 11], [22, 23]] == shifted(np.arange(4).reshape(2, 2), np.array([10, 20])).tolist()


def test_several_outputs_are_a_tuple_and_a_number_is_written_as_an_array_of_one():
    low, high = extremes(np.array([[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]]))
    assert ([1.0, 7.0], [3.0, 9.0]) == (low.tolist(), high.tolist())


def test_results_stay_where_the_arguments_are_and_outputs_are_filled():
    x = cuda.to_device(np.arange(6, dtype=np.float32).reshape(2, 3))
    out = cuda.device_array((2, 3), np.float32)
    assert isinstance(running_sum(x), DeviceArray)
    assert out is running_sum(x, out=out)
    assert [[0, 1, 3], [3, 7, 12]] == out.copy_to_host().tolist()
    host = np.zeros((2, 3))
    running_sum(np.ones((2, 3)), host)
    assert [[1, 2, 3], [1, 2, 3]] == host.tolist()


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: running_sum(np.arange(3, dtype=np.int8).astype("M8[s]")), TypeError, "is declared for"),
        (lambda: running_sum(np.ones(3), np.ones(3), np.ones(3)), TypeError, "takes 1 input, or as many and 1 output"),
        (lambda: running_sum(np.ones(3), out=np.ones(4)), ValueError, "has shape .4,., and the result .3,."),
        (lambda: shifted(np.ones((2, 3), int), np.ones(3, int)), ValueError, "outer dimensions"),
        (lambda: Layout.read("(n)->(m)"), SimtError, "every output has dimensions of the inputs"),
        (lambda: guvectorize("int64(int64[:], int64[:])", "(n)->(n)")(lambda x, y: None), TypeError, "cannot return"),
        (lambda: guvectorize("void(int64, int64[:])", "(n)->(n)")(lambda x, y: None), ValueError, "is no array"),
    ],
)
def test_what_does_not_fit_is_said(call, error, says):
    with pytest.raises(error, match=says):
        call()
