"""What people type for arguments, launch shapes and signatures, and what they are told when it cannot be read."""

import numpy as np
import pytest

from autograder.machine.command_arguments import UsageError
from autograder.programs.typed_arguments import dimensions, kernel_argument, signature


def test_an_array_is_seeded_and_has_the_type_and_shape_asked_for():
    array = kernel_argument("float32[64,32]", seed=1)

    assert (np.float32, (64, 32)) == (array.dtype, array.shape)
    assert (array == kernel_argument("float32[64,32]", seed=1)).all()
    assert np.int32 == kernel_argument("int32[8]", seed=0).dtype


def test_plain_numbers_are_python_numbers_and_typed_ones_are_not():
    assert 7 == kernel_argument("7", 0)
    assert isinstance(kernel_argument("2.5", 0), float)
    assert np.float32 is type(kernel_argument("float32(2.5)", 0))


@pytest.mark.parametrize("text", ["float31[4]", "banana", "float32(x)"])
def test_an_unreadable_argument_says_what_to_write_instead(text):
    with pytest.raises(UsageError, match="float32|no float32"):
        kernel_argument(text, 0)


@pytest.mark.parametrize("text", ["", "0", "1,2,3,4", "a,b", "-1"])
def test_a_launch_shape_is_one_to_three_positive_integers(text):
    with pytest.raises(UsageError, match="one to three positive integers"):
        dimensions("--grid", text)


def test_signatures_are_read_as_numba_writes_them():
    numba = pytest.importorskip("numba")
    expected = (numba.float32[::1], numba.types.Array(numba.float32, 2, "C"), numba.int32)

    assert expected == signature("float32[:], float32[:, :], int32")
