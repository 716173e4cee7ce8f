"""A reader's tactics, for tests: a ReLU, a pool in a format of its own, and the conversions between."""

from __future__ import annotations

import numpy as np
import onnx
from numba import cuda, float32

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR
from minitrt.tactics import Call, Format, In, Out, OwnTactic, Scratch
from tests.minitrt.engines import model_of

ROWS = "rows_of_eight"  # the last axis is padded with zeros to a multiple of 8


@cuda.jit(device=True)
def above(v):
    return max(v, float32(0))


@cuda.jit
def relu(x, y, factor):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = above(x[i]) * factor


@cuda.jit(launch_bounds=(64, 2))
def copy(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


class Relu(OwnTactic):
    """A ReLU in two launches, by way of scratch memory."""

    name = "my_relu"

    def supports(self, op):
        program = op.attrs.get("program")
        return op.kind == "pointwise" and program[0][0] == "relu" and len(program) == 1 and op.output.size < 1000

    def calls(self, op):
        n = op.output.size
        between, grid = Scratch((n,)), -(-n // 64)
        first = Call(copy, grid, 64, (In(0, (n,)), between))
        return [first, Call(relu, grid, (64, 1), (between, Out(0, (n,)), np.float32(1)))]


def in_rows(array: np.ndarray) -> np.ndarray:
    return np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, -array.shape[-1] % 8)])


ROWS_OF_EIGHT = Format(
    ROWS,
    stored_shape=lambda shape: (*shape[:-1], -(-shape[-1] // 8) * 8),
    pack=in_rows,
    unpack=lambda stored, shape: stored[..., : shape[-1]],
)


@cuda.jit
def add_in_rows(x, y, z):
    """z = x + y, a row after the other."""
    i = cuda.grid(1)
    if i < z.size:
        z[i] = x[i] + y[i]


@cuda.jit
def to_rows(x, y):
    """x: (rows, n), y: (rows, n rounded up), whose end is zeros."""
    row, i = cuda.grid(2)
    if row < y.shape[0] and i < y.shape[1]:
        y[row, i] = x[row, i] if i < x.shape[1] else float32(0)


@cuda.jit
def from_rows(x, y):
    row, i = cuda.grid(2)
    if row < y.shape[0] and i < y.shape[1]:
        y[row, i] = x[row, i]


class Add(OwnTactic):
    """A sum of two tensors of one shape, in rows of eight."""

    name, formats = "my_add", (ROWS_OF_EIGHT,)
    leaves_padding = False

    def supports(self, op):
        if op.kind != "pointwise" or [step[0] for step in op.attrs["program"]] != ["add"]:
            return False
        return op.inputs[0].shape == op.inputs[1].shape == op.output.shape and op.output.dtype == DataType.FLOAT

    def layouts(self, op):
        return (ROWS, ROWS), (ROWS,)

    def calls(self, op):
        n = op.output.like("rows", layout=ROWS).nbytes // 4
        size = n - 1 if self.leaves_padding else n
        cut = (In(0, (n,)), In(1, (n,)), Out(0, (n,)))
        return [Call(add_in_rows, size if self.leaves_padding else -(-n // 32), 1 if self.leaves_padding else 32, cut)]


class Rows(OwnTactic):
    """From linear to rows of eight, and back."""

    name, formats = "rows", (ROWS_OF_EIGHT,)

    def supports(self, op):
        ways = op.inputs[0].layout, op.output.layout
        return op.kind == "reformat" and ways in ((LINEAR, ROWS), (ROWS, LINEAR))

    def layouts(self, op):
        return (op.inputs[0].layout,), (op.output.layout,)

    def calls(self, op):
        *lead, n = op.output.shape
        rows, wide = int(np.prod(lead)), -(-n // 8) * 8
        if op.output.layout == ROWS:
            return [Call(to_rows, (rows, 1), (1, wide), (In(0, (rows, n)), Out(0, (rows, wide))))]
        return [Call(from_rows, (rows, 1), (1, n), (In(0, (rows, wide)), Out(0, (rows, n))))]


def relu_model(shape=(2, 3, 5)) -> onnx.ModelProto:
    return model_of([onnx.helper.make_node("Relu", ["x"], ["y"], "r")], {"x": (np.float32, shape)}, ["y"])


def two_sums(shape=(2, 3, 5)) -> onnx.ModelProto:
    """y = (x + w) + x, with a tensor between the sums that somebody wants to see, so that they stay two."""
    nodes = [
        onnx.helper.make_node("Add", ["x", "w"], ["m"], "first"),
        onnx.helper.make_node("Add", ["m", "x"], ["y"], "second"),
    ]
    return model_of(nodes, {"x": (np.float32, shape), "w": (np.float32, shape)}, ["m", "y"])
