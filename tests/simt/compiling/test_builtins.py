"""Python's built-in functions in kernels."""

from __future__ import annotations

import enum

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.errors import UnsupportedError

NAMES = "bool int8 int32 int64 uint8 uint64 float16 float32 float64 complex64 complex128".split()
KINDS = {int: "int64", float: "float64", bool: "bool", complex: "complex128", np.int32: "int32", np.float32: "float32"}


@pytest.mark.parametrize("kind", KINDS)
def test_isinstance_knows_exactly_one_type(kind):
    def ask(values, out):
        out[0] = isinstance(values[0], kind)
        out[1] = isinstance(values[0], (tuple, kind))
        out[2] = isinstance((values[0],), kind) or isinstance(values, kind) or not isinstance((1, 2), tuple)

    for name in NAMES:
        out = np.ones(3, bool)
        simt.launch(ask, 1, 1, np.zeros(1, name), out)
        assert [name == KINDS[kind]] * 2 + [False] == out.tolist(), name


def test_isinstance_refuses_what_no_kernel_has():
    def ask(out):
        out[0] = isinstance(out[0], list)

    with pytest.raises(UnsupportedError, match="line .*no list"):
        simt.launch(ask, 1, 1, np.zeros(1, bool))


class Fruit(enum.IntEnum):
    APPLE = 3
    PEAR = 7


@cuda.jit(device=True)
def fruit_of(i):
    if i % 2:
        return Fruit.APPLE
    return Fruit.PEAR


@pytest.mark.parametrize("n", [8, 1024])
def test_members_of_an_enum_may_differ_per_thread(n):
    @cuda.jit
    def choose(returned, assigned, same):
        i = cuda.grid(1)
        fruit = Fruit.APPLE
        if i % 3 == 0:
            fruit = Fruit.PEAR
        returned[i], assigned[i] = fruit_of(i), fruit
        same[i] = fruit is Fruit.PEAR

    returned, assigned, same = np.zeros(n, int), np.zeros(n, int), np.zeros(n, bool)
    choose[1, n](returned, assigned, same)
    assert np.where(np.arange(n) % 2, 3, 7).tolist() == returned.tolist()
    assert np.where(np.arange(n) % 3, 3, 7).tolist() == assigned.tolist()
    assert (np.arange(n) % 3 == 0).tolist() == same.tolist()


def test_strings_that_differ_per_thread_are_refused():
    def name(out):
        text = "a"
        if cuda.grid(1) == 1:
            text = "b"
        out[0] = text == "a"

    with pytest.raises(UnsupportedError, match="line .*one kind of value"):
        simt.launch(name, 1, 4, np.zeros(1))


def test_a_number_is_not_none():
    def ask(out):
        out[0] = out[0] == None  # noqa: E711
        out[1] = out[0] != None  # noqa: E711

    out = np.full(2, 5.0)
    simt.launch(ask, 1, 1, out)
    assert [0, 1] == out.tolist()


def test_a_default_value_of_none_is_asked_for():
    @cuda.jit(device=True)
    def scaled(x, factor=None):
        if factor is None:
            return x
        return x * factor

    @cuda.jit
    def scale(out):
        out[0], out[1] = scaled(3), scaled(3, 2)

    out = np.zeros(2)
    scale[1, 1](out)
    assert [3, 6] == out.tolist()


def test_a_breakpoint_stops_nobody_where_no_debugger_is():
    def stop(out):
        breakpoint()
        out[cuda.threadIdx.x] = 1

    out = np.zeros(4, np.int32)
    simt.launch(stop, 1, 4, out)

    assert [1, 1, 1, 1] == out.tolist()


def test_memory_that_cffi_hands_to_linked_c_is_refused_as_such():
    ffi = pytest.importorskip("cffi").FFI()

    def hands_on(out):
        ffi.from_buffer(out)

    with pytest.raises(UnsupportedError, match=r"`ffi.from_buffer` is CUDA C, which numba links"):
        simt.launch(hands_on, 1, 1, np.zeros(4, np.float32))


def test_zip_loads_no_more_than_the_shortest_sequence_has():
    @cuda.jit
    def position(strides, out):
        index = cuda.local.array(8, np.int32)
        for d in range(strides.size):
            index[d] = d + 5
        for i, stride in zip(index, strides):  # noqa: B905 - numba knows no strict
            out[0] += i * stride

    out = np.zeros(1, np.int64)
    trace = simt.trace(position, 1, 1, np.array([10, 1]), out)

    assert [56] == out.tolist() and [] == trace.findings


def test_zip_and_enumerate_load_an_element_when_its_turn_comes():
    @cuda.jit
    def grow(x, out):
        i = cuda.grid(1)
        for n, value in enumerate(x[i]):
            if n + 1 < x.shape[1]:
                x[i, n + 1] = value + 1
        pairs = zip(x[i], (1, 2, 3))  # noqa: B905 - numba knows no strict
        if i % 3 == 0:
            for value, factor in pairs:
                out[i] += value * factor
        for n, value in enumerate(x[i, : i % 4], i):
            out[i] += n * value

    x = np.arange(100, dtype=np.int64)[:, None] * np.array([10, 0, 0, 0])
    out = np.zeros(100, np.int64)
    simt.launch(grow, 4, 25, x, out)

    first = np.arange(100) * 10
    rows = first[:, None] + np.arange(4)
    expected = np.where(np.arange(100) % 3, 0, rows[:, :3] @ [1, 2, 3])
    for i in range(100):
        expected[i] += sum(n * int(value) for n, value in enumerate(rows[i, : i % 4], i))
    assert (rows == x).all() and (expected == out).all()


LETTERS = b"ACGT"


@cuda.jit
def read_text(out, i):
    out[0] = float("inf")
    out[1] = float(" -1.5e3 ")
    out[2] = ord("d")
    out[3] = -ord("d")
    out[4] = ord("日")
    out[5] = LETTERS[i]
    out[6] = -LETTERS[3]
    out[7] = len(LETTERS)
    for code in LETTERS:
        out[8] += code
    out[9] = "b" in "abc"
    out[10] = "b" not in "abc"


def test_text_that_the_source_names_gives_numbers_as_numba_gives_them():
    """Each line was compiled by numba-cuda, and its constant read in the PTX."""
    out = np.zeros(11)
    read_text[1, 1](out, 2)
    assert [np.inf, -1500, 100, -100, 26085, 71, 172, 4, 287, 1, 0] == out.tolist()
