"""More operators for graphs of open sizes: loops, regions of data, places that are computed. They join those of
`drawn_sizes`."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

from tests.minitrt.drawn_sizes import MATRICES, Graph, matrix, number

__all__ = ["MATRICES"]


@number
def counted_elements(g: Graph) -> str:
    """How many elements of a matrix are above 0: of data, not of sizes alone."""
    x = g.among(g.matrices)
    above = g.add("Cast", g.add("Greater", x, g.const(0, shape=(), dtype=np.float32)), to=TensorProto.INT64)
    return g.add("Unsqueeze", g.add("ReduceSum", above, keepdims=0), g.const(0))


@number
def largest_place(g: Graph) -> str:
    flat = g.add("Reshape", g.among(g.matrices), g.const(-1))
    return g.add("ArgMax", flat, axis=0, keepdims=1)


@number
def running(g: Graph) -> str:
    """The last of running sums."""
    parts = g.add("Concat", g.small(30), g.small(20), g.const(2), axis=0)
    return g.add("Slice", g.add("CumSum", parts, g.const(0, shape=())), g.const(-1), g.const(2**31))


@number
def negative(g: Graph) -> str:
    """Quotient and rest of a negative number."""
    below = g.add("Sub", g.small(50), g.const(60))
    return g.add("Abs", g.add(g.among(["Div", "Mod"]), below, g.const(g.among([7, 8, -3]))))


@number
def bits(g: Graph) -> str:
    return g.add(g.among(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]), g.small(64), g.const(g.among([1, 7, 24])))


@number
def of_a_shape_compared(g: Graph) -> str:
    """-1 or a size, as exporters choose between them, and the size that comes of it."""
    x = g.among(g.matrices)
    sizes = g.add("Concat", g.size(x, 0), g.const(-1), axis=0)
    same = g.add("Equal", sizes, g.const(-1, -1))
    return g.size(g.add("Reshape", x, g.add("Where", same, g.add("Shape", x), sizes)), g.among([0, 1]))


@matrix
def looped(g: Graph, x: str) -> str:
    """As many steps as a number says, from none to four."""
    name, trips = f"Loop_{len(g.nodes)}", g.add("Squeeze", g.small(5), g.const(0))
    kind = g.among(["Neg", "Sin", "Abs"])
    body = helper.make_graph(
        [helper.make_node(kind, ["state"], ["changed"]), helper.make_node("Add", ["changed", x], ["next"]),
         helper.make_node("Identity", ["going"], ["on"])],
        f"{name}.body",
        [helper.make_tensor_value_info("step", TensorProto.INT64, []),
         helper.make_tensor_value_info("going", TensorProto.BOOL, []),
         helper.make_tensor_value_info("state", TensorProto.FLOAT, ["a", "b"])],
        [helper.make_tensor_value_info("on", TensorProto.BOOL, []),
         helper.make_tensor_value_info("next", TensorProto.FLOAT, ["a", "b"])],
    )  # fmt: skip
    g.nodes.append(helper.make_node("Loop", [trips, "", x], [name], name, body=body))
    return name


@matrix
def scanned(g: Graph, x: str) -> str:
    """Rows summed as they come."""
    name, start = f"Scan_{len(g.nodes)}", g.add("ReduceMin", x, g.const(0), keepdims=0)
    body = helper.make_graph(
        [helper.make_node("Add", ["state", "row"], ["sum"]), helper.make_node("Identity", ["sum"], ["out"])],
        f"{name}.body",
        [helper.make_tensor_value_info(each, TensorProto.FLOAT, ["columns of it"]) for each in ("state", "row")],
        [helper.make_tensor_value_info(each, TensorProto.FLOAT, ["columns of it"]) for each in ("sum", "out")],
    )
    g.nodes.append(helper.make_node("Scan", [start, x], [f"{name}.last", name], name, body=body, num_scan_inputs=1))
    return name


@matrix
def picked(g: Graph, x: str) -> str:
    """Columns by places that are computed."""
    limit = g.add("Squeeze", g.within(x, 1), g.const(0))
    places = g.add("Range", g.const(0, shape=()), limit, g.const(g.among([1, 2]), shape=()))
    if g.rng.random() < 0.5:
        places = g.add("Sub", g.const(-1), places)  # from the end
    return g.add("Gather", x, places, axis=1)


@matrix
def kept(g: Graph, x: str) -> str:
    """Rows whose sum is large, and one more: as many as the data say."""
    sums = g.add("ReduceSum", x, g.const(1), keepdims=0)
    rows = g.add("Compress", x, g.add("Greater", sums, g.const(0, shape=(), dtype=np.float32)), axis=0)
    return g.add("Concat", rows, g.add("Slice", x, g.const(0), g.const(1), g.const(0)), axis=0)


@matrix
def halves(g: Graph, x: str) -> str:
    """The larger half of a split that need not be even; of one column, all."""
    name, wide = f"Split_{len(g.nodes)}", g.add("Concat", x, x, axis=1)
    g.nodes.append(helper.make_node("Split", [wide], [name, f"{name}.rest"], name, axis=1, num_outputs=2))
    return name


@matrix
def written(g: Graph, x: str) -> str:
    """Zeros in places of the first row."""
    count = g.within(x, 1)
    limit = g.add("Squeeze", count, g.const(0))
    places = g.add("Unsqueeze", g.add("Range", g.const(0, shape=()), limit, g.const(1, shape=())), g.const(1))
    rows = g.add("Mul", places, g.const(0))
    return g.add("ScatterND", x, g.add("Concat", rows, places, axis=1), g.add("ConstantOfShape", count))


@matrix
def resized(g: Graph, x: str) -> str:
    """To as many columns as a number says."""
    wide = g.add("Unsqueeze", x, g.const(0, 1))
    sizes = g.add("Concat", g.const(1, 1), g.size(x, 0), g.add("Add", g.small(40), g.const(1)), axis=0)
    attrs = dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    return g.add("Squeeze", g.add("Resize", wide, "", "", sizes, **attrs), g.const(0, 1))


@matrix
def pooled(g: Graph, x: str) -> str:
    wide = g.add("Unsqueeze", x, g.const(1))
    kind = g.among(["AveragePool", "MaxPool"])
    return g.add("Squeeze", g.add(kind, wide, kernel_shape=[3], strides=[g.among([1, 2])], pads=[1, 1]), g.const(1))


@matrix
def times_itself(g: Graph, x: str) -> str:
    return g.add("Softmax", g.add("MatMul", x, g.add("Transpose", x, perm=[1, 0])), axis=1)


@matrix
def below_the_diagonal(g: Graph, x: str) -> str:
    return g.add("Trilu", x, g.add("Squeeze", g.small(9), g.const(0)), upper=g.among([0, 1]))


@matrix
def flipped(g: Graph, x: str) -> str:
    axis = g.among([0, 1])
    return g.add("Slice", x, g.const(-1), g.const(-(2**31)), g.const(axis), g.const(g.among([-1, -2])))


@matrix
def mirrored(g: Graph, x: str) -> str:
    zero = g.const(0)
    return g.add("Pad", x, g.add("Concat", zero, g.small(3), zero, g.small(4), axis=0), mode="edge")


@matrix
def masked(g: Graph, x: str) -> str:
    """Columns from a place on become a number."""
    scalars = [g.const(0, shape=()), g.add("Squeeze", g.size(x, 1), g.const(0)), g.const(1, shape=())]
    before = g.add("Less", g.add("Range", *scalars), g.number())
    return g.add("Where", before, x, g.const(-1, shape=(), dtype=np.float32))
