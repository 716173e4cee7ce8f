"""What numba-cuda 0.30.4 took and refused on an H100: shapes, dtypes, strides, what is sent, what is launched."""

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.errors import InvalidLaunchError, UnsupportedError

MAKERS = [cuda.device_array, cuda.pinned_array, cuda.mapped_array, cuda.managed_array]
MATRIX = np.arange(12.0).reshape(3, 4)


@cuda.jit
def add_one(x):
    x[cuda.grid(1)] += 1


class Elsewhere:
    """An array of another library: it says where its memory is."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "shape", [np.int64(5), np.array(3), 5.0, np.float64(5), (5.0,), "5", None, np.array([2.0, 3.0])]
)
def test_a_shape_that_numba_refuses_is_a_type_error(make, shape):
    with pytest.raises(TypeError, match="A shape is an integer or a tuple of integers"):
        make(shape)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("shape", [(np.int64(2), 3), [2, 3], np.array([2, 3]), range(2, 4), (n for n in (2, 3))])
def test_a_shape_is_any_sequence_of_integers(make, shape):
    if make is not cuda.device_array and not isinstance(shape, tuple | list | np.ndarray | range):
        shape = (2, 3)  # a generator is at its end after the first
    assert (2, 3) == make(shape).shape


@pytest.mark.parametrize("make", MAKERS)
def test_negative_extents_other_orders_and_strides_that_do_not_fit_are_refused(make):
    with pytest.raises(OverflowError):
        make((-1, 2))
    with pytest.raises(ValueError, match="'C' or 'F'"):
        make((2, 3), order="A")
    with pytest.raises(ValueError, match="one stride for each axis"):
        make((2, 3), strides=(8,))


@pytest.mark.parametrize("make", MAKERS)
def test_strides_are_kept(make):
    assert (16, 4) == make((2, 3), np.float32, strides=(16, 4)).strides
    assert (8,) == make(4, np.float32, strides=8).strides


@pytest.mark.parametrize("make", MAKERS[1:])
def test_host_memory_of_no_bytes_cannot_be_had(make):
    with pytest.raises(ValueError, match="no elements"):
        make(0)
    assert (0,) == cuda.device_array(0).shape


def test_an_array_like_another_has_its_axes_in_the_same_order():
    like = np.zeros((2, 3, 4)).transpose(1, 0, 2)

    assert [like.strides] * 2 == [cuda.device_array_like(like).strides, cuda.pinned_array_like(like).strides]


@pytest.mark.parametrize("array", [MATRIX[:, ::2], MATRIX[::2], MATRIX[::-1]], ids=["columns", "rows", "backwards"])
def test_a_host_array_with_gaps_is_sent_nowhere(array):
    for send in (cuda.to_device, add_one[1, 1], lambda x: add_one[1, 1]((x, 1))):
        with pytest.raises(ValueError, match="np.ascontiguousarray"):
            send(array)


def test_what_lies_in_one_piece_is_sent():
    on_device = cuda.to_device(MATRIX)
    for array in (MATRIX.T, MATRIX[:, :], MATRIX[1:], np.broadcast_to(np.arange(3.0), (2, 3)), on_device[:, ::2]):
        assert array.shape == cuda.to_device(array).shape


def test_an_array_of_another_library_is_the_memory_that_it_names():
    on_device = cuda.to_device(np.zeros(4))
    add_one[1, 4](Elsewhere(on_device))

    assert [1.0] * 4 == cuda.to_device(Elsewhere(on_device)).copy_to_host().tolist()


def test_a_launch_takes_pythons_integers_only():
    for grid, block in ((np.int64(1), 4), (1, np.int32(4)), ((np.int64(1), 1), 4)):
        with pytest.raises(InvalidLaunchError, match=r"integer of NumPy's.*int\("):
            add_one[grid, block](np.zeros(4))


ODD = {
    "Python objects": np.zeros(4, object),
    "another order": np.zeros(4, ">i4"),
    "no GPU has": np.zeros(4, np.longdouble),
    "a masked array": np.ma.zeros(4),
    "holds Python objects": np.zeros(4, [("a", np.int32), ("b", object)]),
    "arrays and scalars": [1, 2, 3],
}


@pytest.mark.parametrize("says", ODD)
def test_an_array_that_numba_has_no_type_for_is_refused_as_numba_does(says):
    with pytest.raises(UnsupportedError, match=says) as told:
        add_one[1, 4](ODD[says])

    assert "argument_type" == told.value.reason


@pytest.mark.parametrize(
    "argument, instead",
    [("sum", "a number in its place"), (None, "an empty array"), (len, "Make an array"), ({}, "record")],
)
def test_what_is_no_array_and_no_number_is_refused_with_what_to_pass_instead(argument, instead):
    with pytest.raises(UnsupportedError, match=f"`x` is of type {type(argument).__name__}.*{instead}"):
        add_one[1, 1](argument)


def test_a_named_argument_is_told_by_its_name():
    with pytest.raises(TypeError, match="add_one: a launch takes its arguments by position. Write x without its name"):
        add_one[1, 1](x=np.zeros(1))


def test_a_launch_with_another_number_of_arguments_is_a_type_error():
    with pytest.raises(TypeError, match="takes 1 argument, but 2 were given"):
        add_one[1, 4](np.zeros(4), 3)
    with pytest.raises(TypeError, match="needs a value for x"):
        add_one[1, 4]()


def test_a_device_array_of_two_axes_is_transposed_and_what_is_like_it_has_no_gaps():
    d = cuda.to_device(np.arange(6.0).reshape(2, 3))
    assert [[0, 3], [1, 4], [2, 5]] == d.T.copy_to_host().tolist()
    assert (16, 8) == cuda.device_array_like(d.T).strides
    with pytest.raises(NotImplementedError, match="two axes"):
        cuda.to_device(np.zeros((2, 3, 4))).transpose()


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_repeated_array_is_copied_as_a_whole(axis):
    repeated = np.broadcast_to(np.expand_dims(MATRIX, axis), (*MATRIX.shape[:axis], 5, *MATRIX.shape[axis:]))
    device = cuda.to_device(repeated)
    device.copy_to_device(repeated + 1)
    assert (repeated + 1 == device.copy_to_host()).all()


def test_bytes_are_copied_as_they_lie():
    rows, columns = cuda.to_device(np.zeros((2, 3))), cuda.to_device(np.zeros((2, 3), order="F"))
    columns.copy_to_device(np.ones((2, 3)))  # of a host array numba makes a copy in the order of the device's
    for copy in (
        lambda: rows.copy_to_host(np.zeros((2, 3), order="F")),
        lambda: columns.copy_to_device(rows),
        lambda: rows[:, 0].copy_to_device(np.zeros(2)),
    ):
        with pytest.raises(ValueError, match="strides"):
            copy()
    assert 0 == rows[:, 0].copy_to_host().sum()
    with pytest.raises(NotImplementedError, match="has gaps"):
        rows[:, :2].reshape(4)


def test_a_device_array_has_the_stream_that_it_was_made_with():
    stream = cuda.stream()
    d = cuda.to_device(np.arange(4.0), stream=stream)
    assert stream is d.stream is d[1:].stream and 0 == cuda.device_array(2).stream
    d.setitem(0, 5.0)
    assert 5 == d.getitem(0)


def test_a_launch_keeps_to_its_launch_bounds():
    @cuda.jit(launch_bounds=64)
    def fill(out):
        out[cuda.grid(1)] = 1

    out = np.zeros(128)
    fill[2, 64](out)
    assert 128 == out.sum()
    with pytest.raises(InvalidLaunchError, match="at most 64 threads"):
        fill[1, 128](out)
