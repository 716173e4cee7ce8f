"""What a program teaches numba's compiler is a limit of ours where we cannot run it, and no mistake of the program."""

import numpy as np
import pytest

import simt
from simt.errors import UnsupportedError

extending = pytest.importorskip("numba.extending", reason="needs numba, which can be taught")
from numba import cuda, types


class Span:
    """A type of the program's own."""


@extending.type_callable(Span)
def type_span(context):
    return lambda low, high: types.UniTuple(types.float64, 2)


def apply(value, function):
    return function(value)


@extending.overload(apply, target="generic")
def apply_on_a_gpu(value, function):
    return lambda value, function: function(value)


def test_a_class_that_numba_was_taught_is_not_called_an_object_of_the_host():
    @cuda.jit
    def kernel(out):
        out[0] = Span(1.0, 2.0)[0]

    with pytest.raises(UnsupportedError, match="the interpreter does not know `Span`, which the program teaches numba"):
        simt.launch(kernel, 1, 1, np.zeros(1))


def test_a_function_made_in_a_kernel_is_an_argument_of_an_overload():
    @cuda.jit
    def kernel(out):
        def scaled(x, by=10):
            return x * by

        out[0] = apply(out[1], scaled)

    out = np.array([0.0, 4.0])
    simt.launch(kernel, 1, 1, out)
    assert 40 == out[0]
