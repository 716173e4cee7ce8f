"""If whose condition follows from sizes: one branch is run, and the other need not fit."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from minitrt.runtime.session import RunError, Session
from tests.minitrt.engines import Heard, engine_of, expected_of

HEAD = '<ir_version: 9, opset_import: ["" : 17]> g '
SIZE = "i = Constant <value_int = 1> () w = Shape (x) s = Gather (w, i)"
LIMIT = f"l = Constant <value_int = 8> () {SIZE} c = Greater (s, l)"
CASES = {
    "branches of other lengths": (
        f"(float[n, s] x) => (float[n, t] y) {{ {LIMIT} z = Constant <value_ints = [0]> ()"
        " e = Constant <value_ints = [8]> () o = Constant <value_ints = [1]> ()"
        " y = If (c) <then_branch = a () => (float[n, p] t) { t = Slice (x, z, e, o) },"
        " else_branch = b () => (float[n, q] u) { u = Concat <axis = 1> (x, x) }> }"),
    "a branch that does not fit where it is not taken": (
        f"(float[n, s] x) => (float[n, t] y) {{ {LIMIT} r = Constant <value_ints = [0, 4]> ()"
        " y = If (c) <then_branch = a () => (float[n, p] t) { t = Exp (x) },"
        " else_branch = b () => (float[n, q] u) { u = Reshape (x, r) }> }"),
    "branches in branches": (
        f"(float[n, s] x) => (float[n, t] y) {{ {LIMIT} k = Shape <end = 1> (x) kk = Squeeze (k) d = Equal (kk, i)"
        " y = If (c) <then_branch = a () => (float[n, p] t) { v = If (d) <then_branch = aa () => (float[n, p] v1)"
        " { v1 = Exp (x) }, else_branch = bb () => (float[n, p] v2) { v2 = Concat <axis = 1> (x, x) }> t = Neg (v) },"
        " else_branch = b () => (float[n, q] u) { u = Abs (x) }> }"),
}  # fmt: skip
SQUEEZED = (
    f"(float[n, s, f] x) => (float[a, b] y) {{ {SIZE} c = Equal (s, i)"
    " o = Constant <value_ints = [1]> () v = If (c) <then_branch = a () => (float[n, f] t) { t = Squeeze (x, o) },"
    " else_branch = b () => (float[n, s, f] u) { u = Identity (x) }> r = Shape (v) k = Size (r)"
    " m = Constant <value_int = 2> () h = Equal (k, m)"
    " y = If (h) <then_branch = d () => (float[n, f] t2) { t2 = Neg (v) },"
    " else_branch = e () => (float[n, f] u2) { q = Constant <value_ints = [0]> () u2 = Squeeze (v, q) }> }"
)


@pytest.mark.parametrize("name", CASES)
def test_the_branch_that_sizes_take_is_what_comes_out(name):
    model, logger = onnx.parser.parse_model(HEAD + CASES[name]), Heard()
    session = Session(engine_of(model, logger, x=((1, 4), (2, 12), (3, 40))), logger)

    for shape in ((2, 12), (3, 4), (1, 4), (1, 9), (3, 40)):
        x = {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}
        expected, found = expected_of(model, x)["y"], session.run(x)["y"]

        assert expected.shape == found.shape
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_what_does_not_fit_in_the_branch_that_is_taken_is_refused():
    model, logger = onnx.parser.parse_model(HEAD + CASES["a branch that does not fit where it is not taken"]), Heard()
    session = Session(engine_of(model, logger, x=((1, 4), (2, 12), (3, 40))), logger)

    with pytest.raises(RunError, match="cannot reshape 14 elements"):
        session.run({"x": np.ones((2, 7), np.float32)})


def test_of_branches_of_other_ranks_the_engine_has_one_and_refuses_a_profile_of_the_other():
    model, logger = onnx.parser.parse_model(HEAD + SQUEEZED), Heard()
    session = Session(engine_of(model, logger, x=((1, 1, 5), (2, 1, 5), (4, 1, 5))), logger)
    x = {"x": np.ones((2, 1, 5), np.float32)}

    np.testing.assert_array_equal(expected_of(model, x)["y"], session.run(x)["y"])
    with pytest.raises(AssertionError, match="then-branch alone.*the other branch gives 3 axes.*maximum: x .4, 3, 5"):
        engine_of(model, logger, x=((1, 1, 5), (2, 1, 5), (4, 3, 5)))


def test_a_number_that_is_an_input_chooses_among_branches():
    text = (
        "(float[n, 4] x, int64 rate) => (float[n, t] y) { l = Constant <value_int = 16000> () c = Equal (rate, l)"
        " y = If (c) <then_branch = a () => (float[n, p] t) { t = Exp (x) },"
        " else_branch = b () => (float[n, q] u) { u = Concat <axis = 1> (x, x) }> }"
    )
    model, logger = onnx.parser.parse_model(HEAD + text), Heard()
    session = Session(engine_of(model, logger, x=((1, 4), (2, 4), (3, 4))), logger)

    for rate in (16000, 8000, 16000):
        given = {"x": np.ones((2, 4), np.float32), "rate": np.array(rate)}
        np.testing.assert_allclose(session.run(given)["y"], expected_of(model, given)["y"], rtol=1e-6)
