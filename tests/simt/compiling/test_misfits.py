"""No operand of the wrong kind ends in a sentence about the interpreter itself: what is wrong with it is said."""

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
    "rec", "rec[0]", "g", "cuda", "x[1:3]", "x.shape", "cuda.grid(2)", "cuda.grid", "np", "ROW",
)  # fmt: skip
FORMS = (
    "out[0] = {a}", "out[{a}] = 1", "q = {a} + {b}", "if {a} < {b}:\n        out[0] = 1", "q = min({a}, {b})",
    "q = abs({a})", "q = math.sqrt({a})", "q = int({a})", "q = -{a}", "for k in range({a}):\n        break",
    "q = len({a})", "q = {a} ** {b}", "cuda.atomic.add(out, {a}, {b})", "x[{a}:{b}] = 0", "q = x[{a}]",
    "rec[0].a = {a}",
    "out[0] += {a}", "q = cuda.popc({a})", "q = tuple({a})", "q = zip({a}, {b})", "q = complex({a}, {b})", "q = g.{g}",
    "q = cuda.shfl_sync({a}, {b}, 0)", "q = x.sum({a})", "q = float32({a})",
)  # fmt: skip
ROW = np.arange(3.0)
serial = itertools.count()


def says(statement: str) -> str:
    """What the interpreter says of a kernel with one statement; "" where it runs."""
    text = f"def kernel(x, m, out, rec):\n    i, g = cuda.grid(1), cuda.cg.this_grid()\n    {statement}\n"
    name = f"<misfit {next(serial)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"cuda": cuda, "math": math, "np": np, "float32": float32, "ROW": ROW}
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
    assert "`m[0]` is an array, and `x[0] + m[0]` needs one number there. Index it" in said


def test_a_call_with_too_few_arguments_is_said_so():
    assert "`math.sqrt()` is not given the arguments that it takes" in says("q = math.sqrt()")
