"""Loops, scans and branches that a run's data decide, against ONNX Runtime: x is FLOAT, t says how many steps."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest

import minitrt as trt
from minitrt.runtime.session import RunError, Session
from tests.minitrt.engines import STRONG, Heard, engine_of, expected_of

HEAD = '<ir_version: 8, opset_import: ["" : 17]> '
YES = "c = Constant<value = bool {1}>() "
SUMS = "(int64 i, bool ci, float[n,2] a) => (bool co, float[n,2] b, float[n,2] s)"

LOOPS = {
    "counted, stacking": YES
    + f"z, y = Loop(t, c, x) <body = body {SUMS} {{ co = Identity(ci) b = Add(a, x) s = Mul(a, x) }} >",
    "growing": YES
    + """y = Loop(t, c, x) <body = body (int64 i, bool ci, float[n,2] a) => (bool co, float[m,2] b) {
        co = Identity(ci) b = Concat<axis = 0>(a, x) } > z = Softmax(y)""",
    "one in another, which counts the first one's steps": YES
    + """y = Loop(t, c, x) <body = outer (int64 i, bool ci, float[n,2] a) => (bool co, float[n,2] b) {
        co = Identity(ci)
        b = Loop(i, ci, a) <body = inner (int64 j, bool cj, float[n,2] p) => (bool ck, float[n,2] q) {
            ck = Identity(cj) q = Sub(p, x) } > } > z = Relu(y)""",
    "with branches that data choose, and weights around": YES
    + """w = Constant<value = float[2,2] {1, 2, 3, 4}>() zero = Constant<value = float {0}>()
    y = Loop(t, c, x) <body = body (int64 i, bool ci, float[n,2] a) => (bool co, float[n,2] b) {
        co = Identity(ci) s = ReduceSum<keepdims = 0>(a) d = Greater(s, zero)
        b = If(d) <then_branch = yes () => (p) { m = MatMul(a, w) p = Neg(m) },
                   else_branch = no () => (q) { q = Tanh(a) }> } > z = Identity(y)""",
    "until data say so": """c = Constant<value = bool {1}>() high = Constant<value = float {40}>() e = Abs(x)
    z, y = Loop(t, c, e) <body = body (int64 i, bool ci, float[n,2] a) => (bool co, float[n,2] b, float[n,2] s) {
        b = Add(a, a) m = ReduceMax<keepdims = 0>(b) co = Less(m, high) s = Identity(b) } >""",
    "over rows, backwards": """h = ReduceSum<keepdims = 0>(x, axes) z, y = Scan<num_scan_inputs = 1,
        scan_input_directions = [1], scan_output_axes = [1], scan_output_directions = [1],
        body = body (float[2] a, float[2] row) => (float[2] b, float[2] s) { p = Add(a, row) b = Tanh(p) s = Exp(b) }
        >(h, x)""",
    "rows of another size in each branch": """s = ReduceSum<keepdims = 0>(x)
    zero = Constant<value = float {0}>() d = Greater(s, zero)
    y = If(d) <then_branch = yes () => (p) { p = Concat<axis = 0>(x, x) }, else_branch = no () => (q) { q = Neg(x) }>
    z = Relu(y)""",
}  # fmt: skip


def model_of(text: str) -> onnx.ModelProto:
    axes = "axes = Constant<value = int64[1] {0}>() " if "axes)" in text else ""
    head = "g (float[n,2] x, int64 t) => (float[k,l] y, float[o,p] z) { "
    return onnx.parser.parse_model(f"{HEAD}{head}{axes}{text} }}")


@pytest.mark.parametrize("name", LOOPS)
def test_a_run_decides_and_gives_what_onnx_runtime_gives(name):
    model = model_of(LOOPS[name])
    session = Session(engine_of(model, Heard(), x=((1, 2), (3, 2), (6, 2))))
    rng = np.random.default_rng(4)

    for rows, steps, sign in ((3, 3, 1), (1, 1, -1), (6, 5, -1), (2, 2, 1)):
        x = sign * np.abs(rng.standard_normal((rows, 2)).astype(np.float32))
        feeds = {"x": x, "t": np.array(steps)}
        found = session.run(feeds)
        for output, array in expected_of(model, feeds).items():
            assert found[output].shape == array.shape
            np.testing.assert_allclose(found[output], array, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("count", ["three", "u"])
def test_a_step_has_its_number_as_a_vector_of_one_where_the_body_says_so(count):
    """As PyTorch exports tensor_split, whose Slice asks for vectors."""
    steps = f"""three = Constant<value_ints = [3]>() one = Constant<value_ints = [1]>() u = Reshape(t, one) {YES}
        z, y = Loop({count}, c, x) <body = body (int64[1] i, bool ci, float[n,2] a)
        => (bool co, float[n,2] b, float[1,2] s) {{ co = Identity(ci) e = Add(i, one) b = Neg(a)
        zero = Constant<value_ints = [0]>() s = Slice(x, i, e, zero) }} >"""
    model = model_of(steps)
    session = Session(engine_of(model, Heard(), x=((3, 2), (4, 2), (6, 2))))
    feeds = {"x": np.arange(10, dtype=np.float32).reshape(5, 2), "t": np.array(3)}
    found = session.run(feeds)

    for output, array in expected_of(model, feeds).items():
        np.testing.assert_array_equal(found[output], array)


def test_of_no_step_what_is_carried_on_comes_out_and_nothing_is_stacked():
    session = Session(engine_of(model_of(LOOPS["counted, stacking"]), Heard(), x=((1, 2), (3, 2), (6, 2))))
    x = np.ones((4, 2), np.float32)
    found = session.run({"x": x, "t": np.array(0)})

    np.testing.assert_array_equal(found["z"], x)
    assert found["y"].shape == (0, 4, 2)


def said_of(text: str) -> str:
    logger = Heard()
    parser = trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger)
    assert not parser.parse(model_of(text).SerializeToString())
    return parser.get_error(0).desc()


def test_a_step_that_changes_the_rank_is_refused_by_name():
    body = "(int64 i, bool ci, float[n,2] a) => (bool co, float b) { co = Identity(ci) b = Unsqueeze(a, axes) }"
    said = said_of(f"one = Identity(axes) {YES} y = Loop(t, c, x) <body = body {body} > z = Relu(x)")

    assert said == "a step makes 'a', which is FLOAT of rank 2, FLOAT of rank 3"


def test_branches_of_different_rank_that_data_choose_are_refused_with_their_shapes():
    text = LOOPS["rows of another size in each branch"].replace("q = Neg(x)", "q = ReduceSum<keepdims = 0>(x)")

    assert "data choose between FLOAT (2 * n, 2) and FLOAT (), which must have one type and one rank" in said_of(text)


@pytest.mark.parametrize("asked", ["ReduceMin<keepdims = 0>(x)", "Size(few)"])
def test_of_a_branch_of_another_rank_that_data_choose_and_one_that_passes_on_the_engine_has_the_latter(asked):
    """As skl2onnx writes KNNImputer: the rare case has another rank, and what it asks is how many there are."""
    of_rows = "m = ReduceMin<axes = [1], keepdims = 0>(x) w = Greater(m, zero) few = Compress<axis = 0>(x, w)"
    text = f"""one = Constant<value_ints = [1]>() zero = Constant<value = float {{0}}>() {of_rows} s = {asked}
        f = Cast<to = 1>(s) d = Greater(f, zero)
        y = If(d) <then_branch = yes () => (p) {{ p = Unsqueeze(x, one) }},
                   else_branch = no () => (q) {{ q = Identity(x) }}>
        z = Abs(y)"""
    model, logger = model_of(text), Heard()
    session = Session(engine_of(model, logger, x=((1, 2), (3, 2), (6, 2))), logger)
    x = {"x": -np.arange(1, 7, dtype=np.float32).reshape(3, 2), "t": np.array(0)}

    np.testing.assert_array_equal(session.run(x)["z"], expected_of(model, x)["z"])
    assert any("the engine has the else-branch alone: the branches give 3 and 2 axes" in each
               for each in logger.of(trt.ILogger.WARNING))  # fmt: skip
    with pytest.raises(RunError):
        session.run({"x": np.ones((3, 2), np.float32), "t": np.array(0)})
    assert (
        "the engine has the else-branch alone" in logger.errors[-1] and "this run does not take it" in logger.errors[-1]
    )
