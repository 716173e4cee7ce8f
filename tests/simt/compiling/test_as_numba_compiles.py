"""What numba-cuda 0.30.4 compiled and refused on an H100, found with programs that nobody here had seen."""

import linecache
import math
import operator
from collections import namedtuple
from importlib.util import find_spec

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.errors import KernelError, UnsupportedError
from simt.numerics.mathematics import UFUNCS_ON_A_GPU

COMPILED = [
    ("2 ** -1", 0.5),  # Python's own compiler computes what is made of constants
    ("-(2 ** 62) * 2", -(2.0**63)),
    ("len('ab' + 'c')", 3),
    ("ord('hello'[1])", 101),
    ("'hello'.find('l')", 2),
    ("'hello'.rfind('l', 0, 3)", 2),
    ("'hello' > 'abc'", 1),
    ("(1, 2) < (1, 3)", 1),
    ("(1, 2, 0) <= (1, 2)", 0),
    ("(1, 2.5)[1]", 2.5),
    ("x[slice(0, 2)][0]", -1.0),
    ("x[None, 0][0]", -1.0),
    ("x[np.newaxis, :][0, 0]", -1.0),
    ("x[..., 0]", -1.0),
    ("np.real(x[0])", -1.0),
    ("np.imag(x[0])", 0.0),
    ("np.real(complex(x[0], 2.0))", -1.0),
    ("np.imag(complex(x[0], 2.0))", 2.0),
    ("x.real[0]", -1.0),
    ("np.asarray(x)[0]", -1.0),
    ("math.gamma(x[1])", math.inf),
    ("math.lgamma(x[0])", math.inf),
    ("np.angle(complex(x[1], 2.0))", math.pi / 2),
    ("np.angle(x[0], deg=True)", 180.0),  # the imaginary part of a number is 0.0, never -0.0
    ("np.imag(x[0] * math.nan)", 0.0),
    ("x[i : i + 1].item()", -1.0),
    ("x[:1].item()", -1.0),
    ("max(x)", 0.0),
    ("min(x[:1])", -1.0),
    ("-1.0 in x", 1),
    ("3 not in x", 1),
    ("np.count_nonzero(x)", 1),
    ("np.searchsorted(x, 0.0, side='right')", 2),
    ("np.searchsorted(x, 0.0)", 1),
    ("np.any(x[i])", 1),
    ("np.all(x[1])", 0),
    ("np.count_nonzero(x[i])", 1),
    ("np.average(x)", -0.5),
    ("np.sinc(x[0] / 2)", 2 / math.pi),
    ("np.sinc(x[1])", 1),
    ("np.nansum(x)", -1.0),
    ("np.nanmean(x)", -0.5),
    ("np.isscalar(x)", 0),
    ("np.isscalar(x[0])", 1),
    ("np.iscomplexobj(1j)", 1),
    ("np.isrealobj(x)", 1),
    ("operator.is_(x, x)", 1),
    ("operator.is_not(x[0], x[1])", 1),
    ("operator.contains(x, -1.0)", 1),
    ("operator.getitem(x, 0)", -1.0),
    ("operator.ixor(5, 3)", 6),
    ("operator.ilshift(5, i + 1)", 10),
    ("'ab'.isalpha()", 1),
    ("'ab'.isdigit()", 0),
    ("len((0, 1) * 3)", 6),
    ("sum((2,) * 3)", 6),
    ("Point(1, y=2.5).y", 2.5),
    ("np.dtype('f4').type(1)", 1),
]
REFUSED = [
    "len(np.float32.__name__)", "len(Point._fields)", "1j < 2", "math.sqrt(1j)", "np.PI", "math.pie",
    "np.sqrt(x[i])", "np.exp(x[i])", "np.abs(x[i])", "np.floor(x[i])", "np.power(x[i], 2)",
    "x.min()", "x.max()", "x.copy()[0]", "math.cbrt(x[i])", "math.gcd(4, 6)", "math.comb(4, 2)",
    "np.asarray(3)[0]", "(1, 2.5)[i % 2]", "(-8) ** (1 / 3)", "len('abc'.upper())", "len('%d' % i)", "'abc'.index('z')",
]  # fmt: skip


Point = namedtuple("Point", "x y")


def result_of(expression):
    text, name = f"def kernel(x, out):\n    i = cuda.grid(1)\n    out[i] = {expression}\n", f"<{expression}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"cuda": cuda, "np": np, "math": math, "operator": operator, "Point": Point}
    exec(compile(text, name, "exec"), space)
    out = np.zeros(2)
    simt.launch(space["kernel"], 1, 2, np.array([-1.0, 0.0]), out)
    return out[0]


@pytest.mark.parametrize(("expression", "expected"), COMPILED, ids=[one for one, _ in COMPILED])
def test_what_numba_compiles_runs_and_gives_what_it_gives(expression, expected):
    assert expected == result_of(expression)


@pytest.mark.parametrize("expression", REFUSED)
def test_what_numba_refuses_is_refused(expression):
    with pytest.raises(KernelError) as refused:
        result_of(expression)
    assert "check this kernel on a GPU" not in str(refused.value)  # which would refuse it, too


def test_a_loop_over_items_of_several_types_is_compiled_when_it_is_unrolled():
    @cuda.jit
    def loops(out, arrays):
        for array in arrays:
            out[0] += array[0]

    with pytest.raises(KernelError, match="int64 and 1-d float64.*literal_unroll"):
        loops[1, 1](np.zeros(1), (np.ones(1, np.int64), np.ones(1)))


def test_the_functions_of_numpy_are_those_that_numba_has_code_for():
    if find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed")
    from numba.cuda import ufuncs

    all_of_numpys = [value for value in vars(np).values() if isinstance(value, np.ufunc)]
    assert UFUNCS_ON_A_GPU == {one for one in all_of_numpys if _has_code(ufuncs, one)}


def _has_code(ufuncs, ufunc) -> bool:
    try:
        return bool(ufuncs.get_ufunc_info(ufunc))
    except KeyError:
        return False


def test_text_that_a_thread_would_have_to_make_is_refused():
    with pytest.raises(UnsupportedError, match="text"):
        result_of("len('abc' + 'd' * i)")


def test_a_slice_of_another_length_in_each_thread_is_filled_added_up_and_searched():
    def ragged(x, out):
        i = cuda.grid(1)
        if i < 3:
            part = x[4 * i : min(4 * i + 4, x.size)]
            out[i, 0] = part.sum()
            out[i, 1] = sum(part)
            out[i, 2] = part.mean()
            out[i, 3] = part.argmax() + part.std()
            out[i, 4] = max(part) + (9.0 in part)
            out[i, 5] = np.searchsorted(part, 5.0)
            out[i, 6] = np.count_nonzero(part) + part.all()
            part[:] = i

    x, out = np.arange(10, dtype=np.float32), np.zeros((3, 7))
    simt.launch(ragged, 1, 32, x, out)

    parts = np.split(np.arange(10.0), (4, 8))
    for row, part in zip(out, parts, strict=True):
        assert [part.sum()] * 2 == row[:2].tolist() and part.mean() == row[2]
        assert part.argmax() + part.std() == pytest.approx(row[3]) and part.max() + (9.0 in part) == row[4]
        assert np.searchsorted(part, 5.0) == row[5] and np.count_nonzero(part) + part.all() == row[6]
    assert [0] * 4 + [1] * 4 + [2] * 2 == x.tolist()


def test_a_range_cuts_the_fraction_off_a_float():
    def count(x, out):
        for k in range(x[0] / 2):
            out[0] += k
        for k in range(1, 7.5, 2.9):
            out[1] += k
        for (row, col), value in np.ndenumerate(x.reshape(2, 1)):
            out[2] += value + row + col

    out = np.zeros(3)
    simt.launch(count, 1, 1, np.array([7.0, 9.0], np.float32), out)

    assert [0 + 1 + 2, 1 + 3 + 5, 7 + 9 + 1] == out.tolist()
