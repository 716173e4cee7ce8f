"""Loops as the operations of all their steps, one behind the other.

How many steps there are must be known, or bounded by a profile: then as many are written as there may be, and those
that are too many hand on what they were given.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from minitrt.api.enums import DataType, LoopOutput
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from minitrt.network.control import IIteratorLayer, ILoop, ILoopBoundaryLayer, ILoopOutputLayer
from minitrt.network.layer import ILayer
from minitrt.network.naming import InvalidNetwork, unique
from minitrt.network.tensor import ITensor
from minitrt.shapes.size import Size


class Unrolling:
    """Mixed into Lowering, whose values, facts and names it uses."""

    values: dict[ITensor, Value]
    op_names: set[str]
    value_names: set[str]
    fixed: dict[ITensor, str]
    facts: Any

    if TYPE_CHECKING:

        def output(self, tensor: ITensor) -> Value: ...
        def shared(self, value: Value | None) -> Value | None: ...

    def unrolled(self, loop: ILoop) -> list[Op]:
        """All steps of a loop, at its first output; later outputs find theirs made.

        Raises: InvalidNetwork when the number of steps is not known.
        """
        if all(layer.get_output(0) in self.values for layer in loop._outputs):
            return []
        steps, count = self.trip_count(loop)
        if any(isinstance(layer, ILoopBoundaryLayer) for layer in loop._body()):
            raise InvalidNetwork(f"{loop.name} holds another loop: loops inside loops are not supported")
        carried = {layer: self.values[layer._inputs[0]] for layer in loop._recurrences}
        stacked: dict[ILoopOutputLayer, list[Value]] = {layer: [] for layer in loop._outputs}
        ops: list[Op] = []
        for step in range(steps):
            for layer, value in carried.items():
                self.values[layer.get_output(0)] = value
            for layer in loop._iterators:
                x = self.values[layer._inputs[0]]
                out = self.fresh(layer.get_output(0), f"{layer.name}/{step}")
                ops += [layer._slice(x, [out], step)] if count is None else self.element(layer, out, step)
                self.values[layer.get_output(0)] = out
            for layer in loop._body():
                ops += self.repeated(layer, step)
            new = {layer: self.values[layer.get_input(1)] for layer in loop._recurrences}
            kept = {layer: self.values[layer._inputs[0]] for layer in stacked}
            if count is not None:
                new, kept, more = self.only_while(loop, step, count, carried, new, kept)
                ops += more
            carried = new
            for layer, value in kept.items():
                stacked[layer].append(value)
        for op in ops:
            op.name, op.origin = unique(op.name, self.op_names), op.origin or [loop.name]
        for layer, values in stacked.items():
            last = layer.kind == LoopOutput.LAST_VALUE
            ops += self.leaving(layer, [self.last_value(layer, carried)] if last else values)
        return ops

    @staticmethod
    def last_value(layer: ILoopOutputLayer, carried: dict[ILayer, Value]) -> Value:
        """What a recurrence would hand to one more step. Raises: InvalidNetwork for other tensors, as TensorRT does."""
        maker = layer._inputs[0]._producer
        if maker not in carried:
            raise InvalidNetwork(f"{layer.name}: the input of a LAST_VALUE must be the output of an IRecurrenceLayer")
        return carried[maker]

    def trip_count(self, loop: ILoop) -> tuple[int, Value | None]:
        """How many steps are written, and, where that is the most there can be, what says how many there are."""
        trip = loop._trip.get_input(0) if loop._trip is not None else None
        value = self.facts.value(trip) if trip is not None else None
        number = value.data.reshape(-1)[0] if value is not None and value.data is not None else None
        if isinstance(number, Size) and number.high < inf:
            return int(number.high), self.values[trip]
        if number is None or isinstance(number, Size):
            raise InvalidNetwork(
                f"{loop.name}: the number of steps must be known when the engine is built, or bounded by a profile: a"
                " shape tensor's set_shape_input, or the size that it is taken from"
            )
        return int(number), None

    def element(self, layer: IIteratorLayer, out: Value, step: int) -> list[Op]:
        """The operations that take an iterator's slice of a step; past the end of an axis of open length the last."""
        x = self.values[layer._inputs[0]]
        if x.shape[layer.axis] != -1:
            return [layer._slice(x, [out], min(step, x.shape[layer.axis] - 1))]
        size, last, place = (
            Value(unique(f"{out.name}/{part}", self.value_names), DataType.INT64, shape)
            for part, shape in (("size", (1,)), ("last", ()), ("place", ()))
        )
        kind = "INT64"
        forward = [["sub", ["x0", 1], kind], ["min", ["t0", step], kind]]
        program = [["sub", ["x0", step + 1], kind], ["max", ["t0", 0], kind]] if layer.reverse else forward
        return [
            Op("shape_of", f"{out.name}/size", [x], [size], {"start": layer.axis, "end": layer.axis + 1}),
            Op("shuffle", f"{out.name}/last", [size], [last], {"shape": []}),
            Op("pointwise", f"{out.name}/place", [last], [place], {"program": program}),
            Op("gather", f"{layer.name}/{step}", [x, place], [out], {"axis": layer.axis}),
        ]

    def only_while(self, loop: ILoop, step: int, count: Value, carried, new, kept) -> tuple[dict, dict, list[Op]]:
        """What a step gives where it is one of the `count` that there are: new values to carry on, else those that it
        was given, and values to stack, else zeros."""
        runs = Value(unique(f"{loop.name}/runs {step}", self.value_names), DataType.BOOL, count.shape)
        ops = [Op("pointwise", runs.name, [count], [runs], {"program": [["greater", ["x0", step], "BOOL"]]})]

        def chosen(value: Value, otherwise: Value | float) -> Value:
            out = value.like(unique(f"{value.name}/if it runs", self.value_names))
            operands = [runs, value, *([otherwise] if isinstance(otherwise, Value) else [])]
            other = "x2" if isinstance(otherwise, Value) else otherwise
            program = [["where", ["x0", "x1", other], value.dtype.name]]
            ops.append(Op("pointwise", out.name, operands, [out], {"program": program}))
            return out

        stacking = {layer: value for layer, value in kept.items() if layer.kind != LoopOutput.LAST_VALUE}
        later = {layer: chosen(value, carried[layer]) for layer, value in new.items()}
        return later, kept | {layer: chosen(value, 0.0) for layer, value in stacking.items()}, ops

    def repeated(self, layer: ILayer, step: int) -> list[Op]:
        """A layer of a loop's body, for one step."""
        ins = [None if tensor is None else self.values[tensor] for tensor in layer._inputs]
        outs = [self.fresh(tensor, f"{tensor.name}/{step}") for tensor in layer._outputs]
        ops = layer._lowered(ins, outs)
        for op in ops:
            op.name = f"{op.name}/{step}"
            op.inputs = [self.shared(value) for value in op.inputs]
            for value in op.outputs:
                if value.shape is None:
                    self.facts_of(layer).describe(value, layer)
                    value.name = unique(f"{value.name}/{step}", self.value_names)
        self.values.update(zip(layer._outputs, outs, strict=True))
        return ops

    def fresh(self, tensor: ITensor, name: str) -> Value:
        value = self.output(tensor)
        value.name = unique(name, self.value_names)
        return value

    def leaving(self, layer: ILoopOutputLayer, values: list[Value]) -> list[Op]:
        """The operations that make a loop's output of the values of its steps."""
        tensor = layer.get_output(0)
        out = self.output(tensor)
        out.name = self.fixed.get(tensor) or unique(tensor.name, self.value_names)
        self.values[tensor] = out
        if layer.kind == LoopOutput.LAST_VALUE:
            program = [["identity", ["x0"], out.dtype.name]]
            return [Op("pointwise", unique(layer.name, self.op_names), values, [out], {"program": program})]
        is_open = out.shape[layer.axis] == -1
        if layer.kind == LoopOutput.REVERSE and (is_open or self.trip_count(layer.loop)[1] is not None):
            raise InvalidNetwork(f"{layer.name}: a REVERSE takes a number of steps that is known when building")
        values = values if is_open else values[: out.shape[layer.axis]]
        values = values[::-1] if layer.kind == LoopOutput.REVERSE else values
        ops, wide = [], []
        for step, value in enumerate(values):
            shape = (*value.shape[: layer.axis], 1, *value.shape[layer.axis :])
            wide.append(value.like(unique(f"{value.name}/stacked", self.value_names), shape=shape))
            name = unique(f"{layer.name}/{step}", self.op_names)
            ops.append(Op("shuffle", name, [value], [wide[-1]], {"unsqueeze": [layer.axis]}))
        if is_open:
            return [*ops, *self.cut(layer, wide, out)]
        if more := out.shape[layer.axis] - len(wide):  # kept more than there are steps: zeros behind them
            shape = (*out.shape[: layer.axis], more, *out.shape[layer.axis + 1 :])
            zeros = np.zeros(shape, NUMPY_TYPES[out.dtype])
            wide.append(Value(unique(f"{layer.name}/zeros", self.value_names), out.dtype, shape, data=zeros))
        ops.append(Op("concat", unique(layer.name, self.op_names), wide, [out], {"axis": layer.axis}))
        return ops

    def cut(self, layer: ILoopOutputLayer, wide: list[Value], out: Value) -> list[Op]:
        """The values of all steps that there may be, side by side, and of them as many as input 1 says."""
        shape = (*out.shape[: layer.axis], len(wide), *out.shape[layer.axis + 1 :])
        every = out.like(unique(f"{out.name}/all", self.value_names), shape=shape, range=None)
        ends = Value(unique(f"{out.name}/ends", self.value_names), self.values[layer._inputs[1]].dtype, (1,))
        attrs = {"starts": [0], "axes": [layer.axis], "steps": [1], "dynamic": {"ends": 1}}
        ends.host = True
        return [
            Op("concat", unique(f"{layer.name}/all", self.op_names), wide, [every], {"axis": layer.axis}),
            Op("shuffle", unique(f"{layer.name}/ends", self.op_names), [self.values[layer._inputs[1]]], [ends],
               {"shape": [1]}),
            Op("slice", unique(layer.name, self.op_names), [every, ends], [out], attrs),
        ]  # fmt: skip
