"""Argument types are the ones a launch would infer."""

import numpy as np
import pytest

pytest.importorskip("numba.cuda")
from numba import types

from autograder.lint import SignatureError, describe, signature_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "int64"),
        (2.5, "float64"),
        (True, "bool"),
        (np.float32(2.5), "float32"),
        (np.int8(1), "int8"),
        (np.zeros(3, np.float32), "float32[::1]"),
        (np.zeros((3, 4), np.float32), "float32[:, ::1]"),
        (np.zeros((3, 4), np.float32).T, "float32[::1, :]"),
        (np.zeros((4, 4), np.float32)[:, 1], "float32[:]"),
    ],
)
def test_a_value_has_the_type_that_numba_gives_it(value, text):
    assert text == describe(signature_of((value,))[0])


def test_a_mapping_is_taken_in_its_order():
    values = {"factor": np.float32(1), "src": np.zeros(2, np.int32)}
    assert (types.float32, types.Array(types.int32, 1, "C")) == signature_of(values)


def test_a_device_array_has_the_type_of_its_host_twin():
    class OnDevice:
        dtype, shape, strides = np.dtype(np.float32), (4, 8), (32, 4)

    assert "float32[:, ::1]" == describe(signature_of((OnDevice(),))[0])


def test_what_no_kernel_can_take_is_refused_in_words():
    with pytest.raises(SignatureError, match="argument 2 is a dict, which a kernel cannot take"):
        signature_of((1, {}))


@pytest.mark.parametrize(
    "value",
    [
        np.zeros(3, np.float32),
        np.zeros((2, 3)),
        np.zeros((2, 3), order="F"),
        np.zeros((4, 6))[::2, ::2],
        np.int32(2),
        3,
        1.5,
    ],
    ids=lambda value: str(getattr(value, "strides", value)),
)
def test_without_numba_a_type_has_the_same_words(monkeypatch, value):
    words = describe(signature_of([value])[0])
    monkeypatch.setattr("autograder.lint.signature.unavailable_reason", lambda: "numba-cuda is not installed")

    assert (words,) == signature_of([value])
