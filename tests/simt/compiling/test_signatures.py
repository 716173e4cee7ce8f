"""Explicit signatures: which one is chosen, and what is converted."""

from __future__ import annotations

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.errors import KernelTypeError
from simt.values.castings import rating


@cuda.jit("int32(int32, int32)", device=True)
def quotient(a, b):
    return a / b


def test_device_functions_convert_their_arguments_and_their_result():
    @cuda.jit
    def divide(out):
        out[0] = quotient(9, 2.9)
        out[1] = quotient(7.9, np.float32(2))

    out = np.zeros(2)
    divide[1, 1](out)
    assert [9 // 2, 7 // 2] == out.tolist()


def test_of_several_signatures_the_closest_is_taken():
    @cuda.jit(["void(int64[:], int32)", "void(float64[:], int32)", "void(float64[:], float64)"])
    def store(out, value):
        out[0] = value

    whole, real = np.zeros(1, np.int64), np.zeros(1)
    store[1, 1](whole, 2.5)
    store[1, 1](real, 2.5)
    assert (2, 2.5) == (whole[0], real[0])


def test_a_kernel_of_one_signature_takes_memory_for_what_is_declared():
    @cuda.jit("void(int32[:], int32)")
    def subtract(values, n):
        values[0] -= n

    values = np.zeros(1, np.uint32)
    subtract[1, 1](values, 1)
    assert 2**32 - 1 == values[0]
    with pytest.raises(KernelTypeError, match="signature of subtract"):
        subtract[1, 1](values, 2.5)  # ctypes takes no float for an integer


@pytest.mark.parametrize("argument", [np.zeros(3, np.float64), np.zeros((3, 1), np.float32), np.float32(0)])
def test_arrays_must_be_of_the_declared_type(argument):
    @cuda.jit("void(float32[:])")
    def clear(out):
        out[0] = 0

    with pytest.raises(KernelTypeError, match=r"signature of clear is \(float32\[:\]\), but it was called with"):
        clear[1, 1](argument)


@pytest.mark.parametrize("text", ["float32[:,::1]", "float32[:, :]", "(float32[:,:],)"])
def test_signatures_are_read_however_they_are_spaced(text):
    @cuda.jit(text)
    def clear(out):
        out[0, 0] = 0

    out = np.ones((1, 1), np.float32)
    clear[1, 1](out)
    assert 0 == out[0, 0]
    with pytest.raises(KernelTypeError):
        clear[1, 1](out[0])


@pytest.mark.parametrize(
    ("signature", "fits", "fits_not"),
    [
        ("void(float32[::1])", lambda d: d[0], lambda d: d[:, 0]),
        ("void(float32[:, ::1])", lambda d: d[1:], lambda d: d[:, 1:]),
        ("void(float32[::1, :])", lambda d: cuda.to_device(np.asfortranarray(d)), lambda d: d),
    ],
)
def test_arrays_must_lie_in_the_declared_order(signature, fits, fits_not):
    kernel = cuda.jit(signature)(lambda out: None)
    d = cuda.to_device(np.zeros((4, 4), np.float32))

    kernel[1, 1](fits(d))
    with pytest.raises(KernelTypeError, match="takes any order"):
        kernel[1, 1](fits_not(d))


def test_of_two_signatures_that_fit_equally_well_numba_launches_neither():
    @cuda.jit(["void(float64[:], float32, float64)", "void(float64[:], float64, float32)"])
    def add(out, a, b):
        out[0] = a + b

    out = np.zeros(1)
    add[1, 1](out, np.float32(1), 2.0)
    assert 3 == out[0]
    with pytest.raises(KernelTypeError, match="equally well"):
        add[1, 1](out, 1, 2)


def test_conversions_are_rated_as_numba_rates_them():
    rules = pytest.importorskip("numba.cuda.typeconv.rules")
    from numba import from_dtype

    names = (
        "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
    )
    for given in map(np.dtype, names):
        for declared in map(np.dtype, names):
            theirs = rules.default_type_manager.check_compatible(from_dtype(given), from_dtype(declared))
            assert rating(given, declared) == (None if theirs is None else int(theirs) - 1), (given, declared)
