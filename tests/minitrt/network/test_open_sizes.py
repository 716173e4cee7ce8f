"""Graphs with open sizes at every size of their profile: what changes with a size is no constant of the engine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import onnx
import pytest

from minitrt.runtime.session import RunError, Session
from tests.minitrt.engines import Heard, engine_of, expected_of, parsed

HEAD = '<ir_version: 9, opset_import: ["" : 17]> g '
WIDTH = "s = Shape <start = 1, end = 2> (x)"


class Case(NamedTuple):
    """text: the graph; shapes: of x, by which it is run; arrays: what else it is given."""

    text: str
    shapes: list[tuple[int, ...]]
    arrays: dict[str, np.ndarray] = {}


def table(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape) / 8


def numbers(text: str) -> str:
    """Constants of integers for a graph's text: "two=2 pair=1,3"."""
    pairs = (part.split("=") for part in text.split())
    return "".join(f"{name} = Constant <value_ints = [{values}]> () " for name, values in pairs)


BY_WIDTH = [(1, 7), (2, 21), (3, 499), (2, 600), (1, 1000)]
CASES = {
    "padded to a multiple of eight": Case(
        f"(float[n, s] x) => (float[n, t] y) {{ {numbers('eight=8 z=0')} {WIDTH} r = Mod (s, eight) q = Sub (eight, r)"
        " p = Mod (q, eight) pads = Concat <axis = 0> (z, z, z, p) y = Pad (x, pads) }", BY_WIDTH),
    "the last 500": Case(
        f"(float[n, s] x) => (float[n, t] y) {{ {numbers('most=500 zero=0 one=1')} {WIDTH} d = Sub (s, most)"
        " e = Max (d, zero) y = Slice (x, e, s, one) }", BY_WIDTH),
    "the first 500": Case(
        f"(float[n, s] x) => (float[n, t] y) {{ {numbers('most=500 zero=0 one=1')} {WIDTH} e = Min (s, most)"
        " y = Slice (x, zero, e, one) }", BY_WIDTH),
    "a branch by size": Case(
        f"(float[n, s] x) => (float[n, s] y) {{ {numbers('most=500')} {WIDTH} c = Greater (s, most) d = Squeeze (c)"
        " y = If (d) <then_branch = a () => (float[n, s] t) { t = Neg (x) },"
        " else_branch = b () => (float[n, s] e) { e = Exp (x) }> }", BY_WIDTH),
    "numbers that sizes divide into": Case(
        f"(float[n, s] x) => (float[n, s] y) {{ {numbers('far=500 two=2')} {WIDTH} d = Div (s, far) m = Mod (s, two)"
        " a = Add (d, m) f = Cast <to = 1> (a) y = Add (x, f) }", BY_WIDTH),
    "at least one frame": Case(
        f"(float[n, s] x) => (float[n, t] y) {{ {numbers('hop=256 one=1 zero=0')} {WIDTH} d = Div (s, hop)"
        " e = Max (d, one) y = Slice (x, zero, e, one) }", BY_WIDTH),
    "two sizes that may be equal": Case(
        f"(float[n, s] x) => (float[n, s] y) {{ {numbers('a=100 b=0')} {WIDTH} n = Shape <start = 0, end = 1> (x)"
        " c = Equal (n, s) k = Where (c, a, b) f = Cast <to = 1> (k) y = Add (x, f) }", [(2, 5), (5, 5), (7, 3)]),
    "sizes exchanged": Case(
        f"(float[n, s] x) => (float[a, b] y) {{ {WIDTH} n = Shape <start = 0, end = 1> (x)"
        " t = Concat <axis = 0> (s, n) y = Reshape (x, t) }", BY_WIDTH),
    "a window larger than most sizes": Case(
        "(float[n, 1, s] x) => (float[n, t, 3] y) { c = Conv <strides = [160]> (x, w)"
        " y = Transpose <perm = [0, 2, 1]> (c) }",
        [(1, 1, 512), (2, 1, 1760), (1, 1, 3999)], {"w": np.ones((3, 1, 512), np.float32) / 512}),
    "a weight says what a size is": Case(
        "(float[n, f] x) => (float[n, 6] y) { y = MatMul (x, w) }", [(1, 5), (9, 5)], {"w": table(5, 6)}),
    "a shape says what a size is": Case(
        f"(float[n, f] x) => (float[n, 5, 2] y) {{ {numbers('t=0,5,2')} y = Reshape (x, t) }}", [(1, 10), (9, 10)]),
    "a batch of one, by a reshape": Case(
        f"(float[n, s, 4] x) => (float[s, 1, 4] y) {{ {numbers('rest=1,4 zero=0')} {WIDTH}"
        " t = Concat <axis = 0> (s, rest) p = Transpose <perm = [1, 0, 2]> (x) r = Reshape (p, t)"
        " l = Shape <start = 0, end = 1> (r) e = Slice (w, zero, l, zero) y = Add (r, e) }",
        [(1, 4, 4), (1, 12, 4), (1, 40, 4)], {"w": table(64, 1, 4)}),
    "a state of batch one": Case(
        "(float[s, n, 3] x) => (float[1, n, 2] y) { z, y = GRU <hidden_size = 2> (x, w, r, , , h) }",
        [(4, 1, 3), (9, 1, 3)], {"w": table(1, 6, 3), "r": table(1, 6, 2), "h": table(1, 1, 2)}),
    "halves of floats": Case(
        f"(float[n, s] x) => (float[n, t] y) {{ {numbers('zero=0 one=1')} {WIDTH} f = Cast <to = 1> (s)"
        " h = Constant <value_float = 0.5> () g = Mul (f, h) k = Ceil (g) e = Cast <to = 7> (k)"
        " y = Slice (x, zero, e, one) }", BY_WIDTH),
    "positions counted up": Case(
        f"(float[n, s] x) => (float[n, s] y) {{ {WIDTH} u = Squeeze (s) z = Constant <value_int = 0> ()"
        " o = Constant <value_int = 1> () r = Range (z, u, o) f = Cast <to = 1> (r) y = Add (x, f) }", BY_WIDTH),
    "squeezed where a size is one": Case(
        "(float[n, 1, s] x) => (float y) { q = Squeeze (x) y = Exp (q) }", [(3, 1, 5)]),
    "expanded to sizes with -1": Case(
        f"(float[n, s] x) => (float[n, s] y) {{ {numbers('m=-1,-1')} t = Shape (x) o = Equal (t, m)"
        " k = ConstantOfShape <value = int64[1] {1}> (r) e = Where (o, k, t) y = Expand (w, e) }", BY_WIDTH,
        {"r": np.array([2], np.int64), "w": table(1, 1)}),
    "the largest, as many as half": Case(
        f"(float[n, s] x) => (float[n, t] y) {{ {numbers('two=2')} {WIDTH} k = Div (s, two) y, i = TopK (x, k) }}",
        BY_WIDTH),
    "flattened between open sizes": Case(
        "(float[n, c, h, w] x) => (float[a, b] y) { y = Flatten <axis = 2> (x) }", [(2, 3, 4, 5), (1, 1, 7, 2)]),
    "depth to space": Case(
        "(float[n, c, h, w] x) => (float[n, d, i, j] y) { y = DepthToSpace <blocksize = 2> (x) }",
        [(2, 8, 3, 5), (1, 4, 7, 2)]),
    "space to depth": Case(
        "(float[n, c, h, w] x) => (float[n, d, i, j] y) { y = SpaceToDepth <blocksize = 2> (x) }",
        [(2, 3, 6, 4), (1, 1, 2, 8)]),
    "split evenly": Case(
        "(float[n, s] x) => (float[n, t] y) { a, b = Split <axis = 1> (x) y = Sub (b, a) }", [(1, 4), (2, 600)]),
    "the hottest of an open axis": Case(
        "(float[n, s] x) => (float[n, s] y) { y = Hardmax <axis = 1> (x) }", BY_WIDTH),
    "a picture twice as large": Case(
        f"(float[n, 3, h, w] x) => (float[n, 3, i, j] y) {{ {numbers('two=2')} e = Constant <value_floats = [0.0]> ()"
        " a = Shape <start = 0, end = 2> (x) b = Shape <start = 2> (x) t = Mul (b, two) s = Concat <axis = 0> (a, t)"
        " y = Resize <mode = \"nearest\"> (x, , , s) }", [(1, 3, 4, 5), (2, 3, 9, 3)]),
    "elements of all": Case(
        f"(float[n, s] x) => (float[t] y) {{ {numbers('zero=0')} t = Shape (x)"
        " p = ReduceProd <axes = [0], keepdims = 1> (t) y = Reshape (x, p) }", BY_WIDTH),
}  # fmt: skip


def model_of(case: Case) -> onnx.ModelProto:
    model = onnx.parser.parse_model(HEAD + case.text)
    model.graph.initializer.extend(onnx.numpy_helper.from_array(a, name) for name, a in case.arrays.items())
    return model


def triple_of(case: Case) -> tuple:
    """A profile of the case's sizes: the largest of each axis, the smallest, and one that was not asked for."""
    lows, highs = (tuple(edge(axis) for axis in zip(*case.shapes, strict=True)) for edge in (min, max))
    return lows, case.shapes[0], highs


@pytest.mark.parametrize("name", CASES)
def test_every_size_of_the_profile_gives_what_onnx_runtime_gives(name):
    case = CASES[name]
    model, logger = model_of(case), Heard()
    session = Session(engine_of(model, logger, x=triple_of(case)), logger)

    for shape in case.shapes:
        x = {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}
        expected, found = expected_of(model, x)["y"], session.run(x)["y"]

        assert expected.shape == found.shape
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("(float[n, s] x) => (float[n, t] y) { p = Concat <axis = 1> (x, x) y = Relu (p) }", (-1, -1)),
        (f"(float[n, 8] x) => (float[n, t] y) {{ {numbers('t=0,4,-1')} r = Reshape (x, t) y = Relu (r) }}", (-1, 4, 2)),
        (f"(float[n, 4, s] x) => (float[n, t] y) {{ {numbers('m=-1')} n = Shape <start = 0, end = 1> (x)"
         " s = Shape <start = 2, end = 3> (x) ns = Mul (n, s) t = Concat <axis = 0> (ns, m) y = Reshape (x, t) }",
         (-1, 4)),
        (f"(float[n, s] x, float[n, s] z) => (float[n, t] y) {{ {numbers('f=4')} {WIDTH} e = Shape <start = 1> (z)"
         " d = Sub (s, e) k = Add (d, f) zero = Sub (f, f) y = Slice (x, zero, k) }",
         (-1, -1)),
    ],
)  # fmt: skip
def test_a_dimension_is_known_where_algebra_proves_it(text, shape):
    _, network, _ = parsed(onnx.parser.parse_model(HEAD + text), Heard())

    assert shape == tuple(network.get_output(0).shape)


def test_dimensions_of_one_name_must_be_equal_in_a_profile_and_in_a_run():
    model = onnx.parser.parse_model(HEAD + "(float[n, s] x, float[n, s] z) => (float[n, s] y) { y = Add (x, z) }")
    logger = Heard()
    builder, network, config = parsed(model, logger)
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (1, 1), (2, 3), (4, 9))
    profile.set_shape("z", (1, 1), (2, 3), (4, 8))
    config.add_optimization_profile(profile)

    assert builder.build_serialized_network(network, config) is None
    assert "dimension 's' is 9 in axis 1 of x and 8 in axis 1 of z" in logger.errors[-1]

    session = Session(engine_of(model, logger, x=((1, 1), (2, 3), (4, 9)), z=((1, 1), (2, 3), (4, 9))), logger)
    with pytest.raises(RunError, match="dimension 's' is 3 in axis 1 of x and 1 in axis 1 of z"):
        session.run({"x": np.ones((2, 3), np.float32), "z": np.ones((2, 1), np.float32)})


def test_names_that_exporters_write_for_no_name_are_none():
    model = onnx.parser.parse_model(HEAD + "(float[n, s] x, float[n, s] z) => (float[n, s] y) { y = Add (x, z) }")
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[1].dim_param = "?"
    session = Session(engine_of(model, x=((1, 1), (2, 3), (4, 9)), z=((1, 1), (2, 3), (4, 9))))

    found = session.run({"x": np.ones((2, 3), np.float32), "z": np.ones((2, 1), np.float32)})["y"]

    assert (2, 3) == found.shape


def test_a_profile_that_leaves_a_rank_open_is_told_what_to_do():
    logger = Heard()
    model = onnx.parser.parse_model(HEAD + "(float[n, 3] x) => (float[t] y) { y = Squeeze (x) }")
    builder, network, config = parsed(model, logger)
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (1, 3), (2, 3), (4, 3))
    config.add_optimization_profile(profile)

    assert builder.build_serialized_network(network, config) is None
    assert "axes [0] may be 1" in logger.errors[-1] and "one size each in the profile" in logger.errors[-1]


def test_no_array_of_an_input_s_size_is_made():
    """Ten terabytes, if it were."""
    text = "(float[n, 30000, 30000, 3000] x) => (float[n, 10, t, u] y) "
    cut = numbers("z=0 ten=10 one=1 i=0,3") + "p = Slice (x, z, ten, one) q = Gather <axis = 2> (p, i)"
    model = onnx.parser.parse_model(HEAD + text + f"{{ {cut} y = Relu (q) }}")

    _, network, _ = parsed(model, Heard())

    assert (-1, 10, 2, 3000) == tuple(network.get_output(0).shape)
