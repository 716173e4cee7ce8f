"""No operand of the wrong kind ends in a sentence about the interpreter itself: what is wrong with it is said."""

import enum
import itertools
import linecache
import math
import random

import numpy as np
import pytest

import simt
from simt.cuda_api.cuda import float32
from tests.simt.kernels import cuda

OPERANDS = (
    "x", "x[0]", "m[0]", "(1, 2)", "'text'", "None", "cuda.threadIdx", "math", "math.sqrt", "float32", "i", "1.5",
    "rec", "rec[0]", "g", "cuda", "x[1:3]", "x.shape", "cuda.grid(2)", "cuda.grid", "np", "ROW", "np.int8",
    "...", "slice(1, 2)", "(lambda y: y)", "Plain.A", "Colour.RED", "99999999999999999999", "2j", "range(i)",
    "enumerate(x)",
)  # fmt: skip
FORMS = (
    "out[0] = {a}", "out[{a}] = 1", "q = {a} + {b}", "if {a} < {b}:\n        out[0] = 1", "q = min({a}, {b})",
    "q = abs({a})", "q = math.sqrt({a})", "q = int({a})", "q = -{a}", "for k in range({a}):\n        break",
    "q = len({a})", "q = {a} ** {b}", "cuda.atomic.add(out, {a}, {b})", "x[{a}:{b}] = 0", "q = x[{a}]",
    "rec[0].a = {a}",
    "out[0] += {a}", "q = cuda.popc({a})", "q = tuple({a})", "q = zip({a}, {b})", "q = complex({a}, {b})", "q = g.{g}",
    "q = cuda.shfl_sync({a}, {b}, 0)", "q = x.sum({a})", "q = float32({a})",
    "q = np.maximum({a}, {b})", "q = np.sin({a})", "q = not {a}", "q = not ({a} if i else {b})",
)  # fmt: skip
ROW = np.arange(3.0)
serial = itertools.count()


class Plain(enum.Enum):
    A = 1


class Colour(enum.IntEnum):
    RED = 1


def says(statement: str) -> str:
    """What the interpreter says of a kernel with one statement; "" where it runs."""
    text = f"def kernel(x, m, out, rec):\n    i, g = cuda.grid(1), cuda.cg.this_grid()\n    {statement}\n"
    name = f"<misfit {next(serial)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"cuda": cuda, "math": math, "np": np, "float32": float32, "ROW": ROW}
    namespace |= {"Plain": Plain, "Colour": Colour}
    exec(compile(text, name, "exec"), namespace)
    rec = np.zeros(3, [("a", "f4"), ("b", "i4")])
    try:
        simt.launch(namespace["kernel"], 1, 8, np.ones(10), np.ones((4, 4)), np.zeros(10), rec)
    except simt.errors.SimtError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("form", FORMS)
def test_an_operand_that_does_not_fit_is_named(form, capsys):
    chosen = random.Random(form).sample(list(itertools.product(OPERANDS, OPERANDS)), 24)
    groups = ("size", "thread_rank", "num_threads", "group_dim")
    statements = dict.fromkeys(form.format(a=a, b=b, g=groups[k % 4]) for k, (a, b) in enumerate(chosen))

    assert [] == [one for one in statements if "simpler steps" in says(one)]


def test_the_sentence_names_the_operand_its_kind_and_the_place():
    said = says("q = x[0] + m[0]")
    assert "`m[0]` is a row of an array, and `x[0] + m[0]` needs one number there. Index every axis, as in m[i" in said
    assert "`x[1:3]` is an array, and `x[0] + x[1:3]` needs one number there. Index it" in says("q = x[0] + x[1:3]")


def test_a_range_without_bounds_is_said_so_and_one_below_zero_holds_nothing():
    assert "`range()` is not given the arguments that it takes" in says("for k in range():\n        pass")
    assert "" == says("for k in np.ndindex(-3):\n        out[0] = 1")
    for shape in ("2.5", "2j", "(2, 2.5)"):
        assert "ndindex" in says(f"for k in np.ndindex({shape}):\n        out[0] = 1")


def test_a_call_with_too_few_arguments_is_said_so():
    assert "`math.sqrt()` is not given the arguments that it takes" in says("q = math.sqrt()")


@pytest.mark.parametrize(
    "written", ["~{}", "-{}", "+{}", "math.isnan({})", "math.pow(-{}, 3)", "cuda.popc({})", "{} * 2"]
)
def test_a_member_of_an_int_enum_is_a_number_wherever_numba_takes_it_for_one(written):
    assert "" == says(f"out[0] = {written.format('Colour.RED')}")


@pytest.mark.parametrize("written", ["float({})", "int({})", "round({})"])
def test_a_member_is_not_converted_as_in_numba(written):
    assert "member of an enum, which numba does not. Take its number" in says(f"q = {written.format('Colour.RED')}")


@pytest.mark.parametrize("integer", ["99999999999999999999", "-99999999999999999999", "18446744073709551616"])
def test_an_integer_past_64_bits_is_refused_by_its_size(integer):
    assert "is too large: a GPU's have 64 bits" in says(f"q = {integer}")


@pytest.mark.parametrize("bounds", ["2j:", "2j:i", ":i * 2j", "::2j", "::0", "::0.5", "i::0"])
def test_a_slice_is_bounded_by_numbers_and_has_a_step(bounds):
    assert says(f"x[{bounds}] = 0") and "simpler steps" not in says(f"x[{bounds}] = 0")


def test_a_bound_that_is_a_float_loses_its_fraction():
    assert "" == says("x[1.5:i * 1.5] = 0")


@pytest.mark.parametrize(
    "written, says_of_it",
    [
        ("x.shape[1]", "asks for axis 1, and x has 1 axis here"),
        ("m.shape[-3]", "asks for axis -3, and m has 2 axes here"),
        ("(1, 2)[5]", "asks for an item that is not there: the tuple has 2"),
        ("()[i]", "asks for an item that is not there: the tuple has 0"),
    ],
)
def test_an_item_that_a_tuple_has_not_is_refused_as_numba_does(written, says_of_it):
    assert says_of_it in says(f"q = {written}")
    assert "" == says("k = 7\n    q = (1, 2)[k + i]")  # which ends the thread


@pytest.mark.parametrize("parts", ["2j, 1.0", "1.0, 2j", "x[0], 2j"])
def test_a_part_of_a_complex_number_is_a_real_one(parts):
    assert "The GPU has no `complex` for these types" in says(f"q = complex({parts})")


@pytest.mark.parametrize("place", ["rec[0].b = 2j", "q = math.ldexp(1.0, 2j)", "q = cuda.popc(2j)", "rec[0] = 2"])
def test_a_number_goes_nowhere_that_it_does_not_fit(place):
    assert says(place) and "simpler steps" not in says(place)
