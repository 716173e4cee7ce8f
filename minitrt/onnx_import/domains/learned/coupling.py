"""Probabilities of several classes from those of each pair, by the iteration that ONNX Runtime runs, stop and all.

Source: Wu, Lin and Weng, Probability Estimates for Multi-class Classification by Pairwise Coupling (2004), algorithm 2.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper

from minitrt.onnx_import.expanding import Expansion

TRIPS, NEAR = 100, 0.005  # iterations at the most, and the error, times classes, at which they stop
MOST_CLASSES = 20  # a step is written out for each


def coupled(e: Expansion, first: str, pairs: list[tuple[int, int]], count: int) -> str:
    """(N, classes). first: (N, pairs), how likely the first of each pair is, rather than the second."""
    won, lost = np.zeros((2, len(pairs), count, count), np.float32)
    for place, (i, j) in enumerate(pairs):
        won[place, i, j], lost[place, j, i] = 1, 1
    flat = e.op("MatMul", first, e.constant((won - lost).reshape(len(pairs), -1)))
    over = e.reshape(e.op("Add", flat, e.constant(lost.sum(0).reshape(-1))), [-1, count, count])
    under = e.transpose(over, [0, 2, 1])
    ones = e.constant(np.ones((count, 1), np.float32))
    own = e.reshape(e.op("MatMul", e.op("Mul", under, under), ones), [-1, count])
    unit = e.op("Mul", e.reshape(own, [-1, count, 1]), e.constant(np.eye(count, dtype=np.float32)))
    matrix = e.op("Sub", unit, e.op("Mul", under, over))
    start = e.op("Add", e.op("Mul", own, e.constant(0, np.float32)), e.constant(1 / count, np.float32))
    trips, going = e.constant(TRIPS, np.int64), e.constant(True, np.bool_)
    return e.op("Loop", trips, going, start, body=Coupling(e, count, matrix, own, ones).graph())


class Coupling:
    """One iteration, as a loop's body: rows that have come near stay, and it ends when all have."""

    def __init__(self, e: Expansion, count: int, matrix: str, own: str, ones: str):
        self.e, self.count, self.matrix, self.own, self.ones = e, count, matrix, own, ones
        self.nodes: list[onnx.NodeProto] = []
        self.name = f"{e.node.name}/step"

    def op(self, kind: str, *inputs: str, **attrs) -> str:
        name = f"{self.name}/{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, **attrs))
        return name

    def column(self, x: str, index: int) -> str:
        return self.op("Gather", x, self.e.constant([index], np.int64), axis=1)

    def graph(self) -> onnx.GraphProto:
        e, op, count = self.e, self.op, self.count
        number, before, p = (f"{self.name}/{what}" for what in ("number", "before", "p"))
        limit, one, two = (e.constant(each, np.float32) for each in (NEAR / count, 1, 2))
        tall = op("Reshape", p, e.constant([-1, count, 1], np.int64))
        product = op("Reshape", op("MatMul", self.matrix, tall), e.constant([-1, count], np.int64))
        total = op("MatMul", op("Mul", p, product), self.ones)
        errors = [op("Abs", op("Sub", self.column(product, index), total)) for index in range(count)]
        error, new = op("Max", *errors), p
        for index in range(count):
            own, here = self.column(self.own, index), self.column(product, index)
            change = op("Div", op("Sub", total, here), own)
            grown = op("Add", change, one)
            unit = e.constant(np.eye(count, dtype=np.float32)[index : index + 1])
            new = op("Div", op("Add", new, op("Mul", change, unit)), grown)
            more = op("Mul", change, op("Add", op("Mul", change, own), op("Mul", here, two)))
            total = op("Div", op("Div", op("Add", total, more), grown), grown)
            line = op("Reshape", self.column(self.matrix, index), e.constant([-1, count], np.int64))
            product = op("Div", op("Add", product, op("Mul", change, line)), grown)
        result = op("Where", op("Less", error, limit), p, new)
        again = op("Not", op("Less", op("ReduceMax", error, keepdims=0), limit))
        kinds = ((number, TensorProto.INT64, []), (before, TensorProto.BOOL, []), (p, TensorProto.FLOAT, ["N", count]))
        ends = ((again, TensorProto.BOOL, []), (result, TensorProto.FLOAT, ["N", count]))
        ins, outs = ([helper.make_tensor_value_info(*each) for each in some] for some in (kinds, ends))
        return helper.make_graph(self.nodes, self.name, ins, outs)
