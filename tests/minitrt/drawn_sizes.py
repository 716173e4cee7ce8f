"""ONNX graphs drawn at random whose shapes and numbers follow from open sizes, by every operator that computes shapes.

`drawn(seed)` gives a model with input x (rows, columns), both open, and what it can be run with is `SHAPES`. A graph
holds numbers, int64 of shape (1,), and matrices of floats; a step makes a new number of numbers, or a new matrix of a
matrix and numbers. All numbers are outputs as well: what is frozen at one size is wrong at another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPES = [(2, 21), (1, 1), (3, 600), (4, 24), (7, 7), (5, 499), (1, 240)]
LOW, HIGH = (1, 1), (7, 600)
OPSET, IR_VERSION = 18, 9
NUMBERS: list[Callable[[Graph], str]] = []
MATRICES: list[Callable[[Graph, str], str]] = []


class Graph:
    """A graph that grows. numbers, matrices: names of what can be read, oldest first."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.matrices, self.numbers = ["x"], [self.size("x", 0), self.size("x", 1)]

    def among(self, some: list) -> Any:
        return some[int(self.rng.integers(len(some)))]

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def const(self, *numbers: int, shape: tuple | None = None, dtype: type = np.int64) -> str:
        name = f"c{len(self.arrays)}"
        self.arrays[name] = np.array(numbers, dtype).reshape(shape if shape is not None else (len(numbers),))
        return name

    def size(self, matrix: str, axis: int) -> str:
        """A dimension, as one exporter or another spells it."""
        if self.rng.random() < 0.3:
            return self.add("Shape", matrix, start=axis, end=axis + 1)
        shape = self.add("Shape", matrix)
        if self.rng.random() < 0.5:
            return self.add("Slice", shape, self.const(axis), self.const(axis + 1))
        one = self.add("Gather", shape, self.const(axis, shape=()), axis=0)
        return self.add("Unsqueeze", one, self.const(0))

    def number(self) -> str:
        return self.among(self.numbers)

    def small(self, most: int) -> str:
        """A number from 0 to below `most`."""
        return self.add("Mod", self.number(), self.const(most))

    def within(self, matrix: str, axis: int) -> str:
        """A number from 1 to a dimension."""
        return self.add("Max", self.add("Min", self.number(), self.size(matrix, axis)), self.const(1))

    def condition(self) -> str:
        """A truth of shape (1,)."""
        compare = self.among(["Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual"])
        found = self.add(
            compare, self.number(), self.among([self.number(), self.const(self.among([1, 7, 24, 240, 500]))])
        )
        if self.rng.random() < 0.3:
            found = self.add("Not", found)
        if self.rng.random() < 0.3:
            found = self.add(self.among(["And", "Or", "Xor"]), found, self.condition())
        return found


def number(function: Callable[[Graph], str]) -> Callable[[Graph], str]:
    NUMBERS.append(function)
    return function


def matrix(function: Callable[[Graph, str], str]) -> Callable[[Graph, str], str]:
    MATRICES.append(function)
    return function


@number
def combined(g: Graph) -> str:
    return g.add(
        g.among(["Add", "Sub", "Min", "Max"]), g.number(), g.among([g.number(), g.const(g.among([1, 8, 500]))])
    )


@number
def scaled(g: Graph) -> str:
    """Small, so that no sum of products leaves int32."""
    return g.add("Mul", g.small(100), g.const(g.among([2, 3, 16])))


@number
def parted(g: Graph) -> str:
    return g.add(g.among(["Div", "Mod"]), g.add("Abs", g.number()), g.const(g.among([2, 3, 7, 8, 256, 500])))


@number
def chosen(g: Graph) -> str:
    return g.add("Where", g.condition(), g.number(), g.number())


@number
def rounded(g: Graph) -> str:
    """Through floats, as sizes of resized pictures are."""
    real = g.add("Cast", g.small(1000), to=TensorProto.FLOAT)
    factor = g.const(g.among([0.5, 2.0, 0.25, 1.5, 1 / 3]), dtype=np.float32)
    real = g.add(g.among(["Mul", "Div"]), real, factor)
    return g.add("Cast", g.add(g.among(["Floor", "Ceil"]), real), to=TensorProto.INT64)


@number
def folded(g: Graph) -> str:
    parts = g.add("Concat", g.small(30), g.small(20), g.const(g.among([1, 3])), axis=0)
    return g.add(g.among(["ReduceProd", "ReduceMax", "ReduceMin", "ReduceSum"]), parts, g.const(0), keepdims=1)


@number
def measured(g: Graph) -> str:
    return g.size(g.among(g.matrices), g.among([0, 1]))


@number
def counted(g: Graph) -> str:
    return g.add("Unsqueeze", g.add("Size", g.among(g.matrices)), g.const(0))


@number
def from_a_list(g: Graph) -> str:
    some = g.add("Concat", g.number(), g.number(), g.const(5), axis=0)
    if g.rng.random() < 0.6:
        place = g.add("Mod", g.number(), g.const(3))
        return g.add(g.among(["Gather", "GatherElements"]), some, place, axis=0)
    return g.add("ScatterElements", g.add("Slice", some, g.const(1), g.const(2)), g.const(0), g.number(), axis=0)


@number
def last_of_a_range(g: Graph) -> str:
    """The largest of start, start + step, ..., which are few."""
    limit = g.add("Add", g.small(9), g.const(1))
    scalars = [g.add("Squeeze", each, g.const(0)) for each in (g.const(0), limit, g.const(g.among([1, 2, 3])))]
    return g.add("ReduceMax", g.add("Range", *scalars), g.const(0), keepdims=1)


@matrix
def cut(g: Graph, x: str) -> str:
    """From the front, from the end, or with steps; one element at least."""
    axis = g.among([0, 1])
    count, along = g.within(x, axis), g.const(axis)
    if g.rng.random() < 0.5:
        return g.add("Slice", x, g.const(0), count, along, g.const(g.among([1, 2])))
    return g.add("Slice", x, g.add("Neg", count), g.const(2**31), along)


@matrix
def padded(g: Graph, x: str) -> str:
    zero = g.const(0)
    return g.add("Pad", x, g.add("Concat", zero, g.small(3), zero, g.small(8), axis=0))


@matrix
def reshaped(g: Graph, x: str) -> str:
    rows, columns = g.size(x, 0), g.size(x, 1)
    kind = g.among(["exchanged", "one row", "rows inferred", "flat and back"])
    if kind == "exchanged":
        return g.add("Reshape", x, g.add("Concat", columns, rows, axis=0))
    if kind == "one row":
        return g.add("Reshape", x, g.const(1, -1))
    if kind == "rows inferred":
        return g.add("Reshape", x, g.add("Concat", g.const(-1), columns, axis=0))
    return g.add("Reshape", g.add("Reshape", x, g.const(-1)), g.add("Concat", rows, g.const(-1), axis=0))


@matrix
def repeated(g: Graph, x: str) -> str:
    times = g.add("Add", g.add("Mod", g.number(), g.const(2)), g.const(1))
    return g.add(
        "Tile", g.add("Slice", x, g.const(0), g.const(40), g.const(1)), g.add("Concat", g.const(1), times, axis=0)
    )


@matrix
def expanded(g: Graph, x: str) -> str:
    """A row for as many rows as another number says, added."""
    row = g.add("Slice", x, g.const(0), g.const(1), g.const(0))
    return g.add("Expand", row, g.add("Concat", g.add("Add", g.small(4), g.const(1)), g.const(1), axis=0))


@matrix
def shifted(g: Graph, x: str) -> str:
    return g.add("Add", x, g.add("Cast", g.number(), to=TensorProto.FLOAT))


@matrix
def with_positions(g: Graph, x: str) -> str:
    scalars = [g.const(0, shape=()), g.add("Squeeze", g.size(x, 1), g.const(0)), g.const(1, shape=())]
    return g.add("Add", x, g.add("Cast", g.add("Range", *scalars), to=TensorProto.FLOAT))


@matrix
def filled(g: Graph, x: str) -> str:
    shape = g.add("Concat", g.size(x, 0), g.add("Add", g.small(5), g.const(1)), axis=0)
    return g.add("Concat", x, g.add("ConstantOfShape", shape), axis=1)


@matrix
def sorted_out(g: Graph, x: str) -> str:
    name = f"TopK_{len(g.nodes)}"
    g.nodes.append(helper.make_node("TopK", [x, g.within(x, 1)], [name, f"{name}.i"], name, axis=1))
    return name


@matrix
def branched(g: Graph, x: str) -> str:
    condition, name = g.add("Squeeze", g.condition(), g.const(0)), f"If_{len(g.nodes)}"
    branches = {}
    for which, kind in (("then_branch", "Neg"), ("else_branch", g.among(["Abs", "Transpose"]))):
        result = helper.make_tensor_value_info(
            f"{name}.{which}", TensorProto.FLOAT, [f"{name}.{which}.{axis}" for axis in "ab"]
        )
        body = helper.make_node(kind, [x], [result.name], result.name)
        branches[which] = helper.make_graph([body], result.name, [], [result])
    g.nodes.append(helper.make_node("If", [condition], [name], name, **branches))
    return name


@matrix
def turned(g: Graph, x: str) -> str:
    return g.add("Transpose", x, perm=[1, 0])


@matrix
def without_and_with_an_axis(g: Graph, x: str) -> str:
    wide = g.add("Unsqueeze", x, g.const(g.among([0, 1])))
    return g.add("Reshape", wide, g.add("Shape", x))


@matrix
def normalised(g: Graph, x: str) -> str:
    return g.add("Softmax", x, axis=g.among([0, 1]))


def drawn(seed: int) -> onnx.ModelProto:
    from tests.minitrt import drawn_regions  # its operators join those of here

    assert drawn_regions.MATRICES is MATRICES
    g = Graph(seed)
    for _ in range(int(g.rng.integers(3, 9))):
        if g.rng.random() < 0.6:
            g.numbers.append(g.among(NUMBERS)(g))
        else:
            g.matrices.append(g.among(MATRICES)(g, g.matrices[-1]))
    outputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [1]) for name in dict.fromkeys(g.numbers)]
    outputs += [helper.make_tensor_value_info(g.matrices[-1], TensorProto.FLOAT, [None, None])]
    if g.matrices[-1] == "x":
        g.nodes.append(helper.make_node("Identity", ["x"], ["y"]))
        outputs[-1].name = "y"
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", "columns"])
    arrays = [numpy_helper.from_array(array, name) for name, array in g.arrays.items()]
    graph = helper.make_graph(g.nodes, f"sizes {seed}", [x], outputs, arrays)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
