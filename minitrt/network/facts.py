"""What is known of a network's tensors before anything is built: shapes, types, and the elements of shape tensors.

A dimension that is known only at run time has no number to compute with. So the network is looked at with a few probe
sizes put in for all of them: what comes out the same in every probe is fixed, what differs is -1. The rules for shapes
never see a -1 that way, and shape arithmetic (Shape, Gather, Mul, Concat, Reshape...) is simply computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from minitrt.api.enums import DataType, LayerType
from minitrt.graph.ir import Op, Value
from minitrt.network.layer import ILayer
from minitrt.network.tensor import ITensor
from minitrt.shapes.inference import FLEXIBLE
from minitrt.shapes.specialisation import specialised

if TYPE_CHECKING:
    from minitrt.network.definition import INetworkDefinition

CHANGING = (LayerType.RECURRENCE, LayerType.ITERATOR)  # another value in every step of a loop
PROBES = (240, 480, 24)  # divisible by what reshapes and patches divide by
SMALLER = (48, 96, 16, 32, 8, 12, 4, 6, 2, 3, 1)  # for networks with tables, or masks, of fewer elements
Table = dict[ITensor, Value]


class Facts:
    """Shapes, types and known elements of a network's tensors; thrown away piecewise when the network changes."""

    def __init__(self, network: INetworkDefinition):
        self.network = network
        self.tables: dict[int, Table] = {}
        self.failures: dict[int, dict[ILayer, str]] = {}
        self.shaping: set[ITensor] | None = None
        self.inner: dict[tuple[ILayer, str], list[Value]] = {}
        self.open_ended = False  # whether elements that only running gives decide some shape

    def forget(self) -> None:
        self.tables, self.failures, self.shaping, self.inner, self.open_ended = {}, {}, None, {}, False

    def knows(self, layer: ILayer) -> bool:
        """Whether something about this layer's outputs was worked out already."""
        outputs = layer._outputs
        return any(out in table for table in self.tables.values() for out in outputs) or any(
            layer in failed for failed in self.failures.values()
        )

    def probes(self) -> tuple[int, ...]:
        """One probe is enough for a network whose every size is fixed."""
        return PROBES if self.dynamic else PROBES[:1]

    @property
    def dynamic(self) -> bool:
        return self.network._is_dynamic or self.open_ended

    def values(self, tensor: ITensor) -> list[Value]:
        """What each probe that works gives for `tensor`; two at least, if there are, since one says what it is and not
        what changes."""
        self.value(tensor, PROBES[0])  # tells whether one probe is enough
        found = [value for probe in self.probes() if (value := self.value(tensor, probe)) is not None]
        for probe in SMALLER if self.dynamic else ():
            if len(found) >= 2:
                break
            found += [value for value in [self.value(tensor, probe)] if value is not None]
        return found

    def value(self, tensor: ITensor, probe: int) -> Value | None:
        """The tensor with sizes put in, or None where the probe fails on the way to it."""
        table = self.tables.setdefault(probe, {})
        stack = [tensor]
        while stack:
            current = stack[-1]
            if current in table or self.failed(current, probe):
                stack.pop()
                continue
            layer = current._producer
            if layer is None:
                table[current] = network_input(current, probe)
                continue
            missing = [t for t in layer._inputs if t is not None and t not in table and not self.failed(t, probe)]
            if missing:
                stack.extend(missing)
            else:
                self.compute(layer, probe)
        return table.get(tensor)

    def failed(self, tensor: ITensor, probe: int) -> bool:
        return tensor._producer in self.failures.get(probe, {})

    def compute(self, layer: ILayer, probe: int) -> None:
        """Enter a layer's outputs, or its failure, into the table of a probe."""
        table, failures = self.tables[probe], self.failures.setdefault(probe, {})
        if any(t is not None and t not in table for t in layer._inputs):
            failures[layer] = "an input has no shape"
            return
        ins = [None if t is None else table[t] for t in layer._inputs]
        outs = output_templates(layer, ins)
        made: dict[Value, Value] = {value: value for value in ins if value is not None}
        try:
            for op in layer._lowered(ins, outs):
                copy = specialised(op, made)
                for value in copy.outputs:
                    self.open_ended |= value.shape is None or -1 in value.shape
                    value.shape = concrete(value, copy, probe)
                    self.inner.setdefault((layer, value.name), []).append(value)
        except Exception as error:  # whatever a misfit makes of a rule: the layer has no shape, and this is why
            failures[layer] = str(error)
            return
        for tensor, template in zip(layer._outputs, outs, strict=True):
            value = made.get(template, template)
            value.name = tensor.name
            if layer.LAYER_TYPE in CHANGING:
                value.data = None
            table[tensor] = value

    def shape(self, tensor: ITensor) -> tuple[int, ...] | None:
        """With -1 where probes differ; None where it cannot be worked out, which is logged."""
        values = self.values(tensor)
        if not values or len({len(value.shape) for value in values}) > 1:
            self.complain(tensor)
            return None
        return merged(values)

    def inner_value(self, layer: ILayer, name: str) -> tuple[tuple[int, ...], DataType]:
        """Shape and type of a value between the operations of one layer."""
        values = self.inner[layer, name]
        return merged(values), values[0].dtype

    def dtype(self, tensor: ITensor) -> DataType:
        values = self.values(tensor)
        return values[0].dtype if values else DataType.FLOAT

    def elements(self, tensor: ITensor) -> np.ndarray | None:
        """The tensor's elements if they are known and the same in every probe."""
        values = self.values(tensor)
        if not values or any(value.data is None for value in values):
            return None
        first = values[0].data
        return first if all(np.array_equal(first, value.data) for value in values[1:]) else None

    def complain(self, tensor: ITensor) -> None:
        reasons = [
            why for failed in self.failures.values() for why in failed.values() if why != "an input has no shape"
        ]
        why = reasons[0] if reasons else "the layers before it have no shape"
        self.network._report.error(f"the shape of {tensor.name} is unknown: {why}")

    def shape_tensors(self) -> set[ITensor]:
        """Tensors whose elements decide shapes, back to the shapes or inputs they come from."""
        if self.shaping is None:
            self.shaping = set()
            for layer in self.network._layers:
                ins = [None if t is None else Value("", DataType.INT64, (1,)) for t in layer._inputs]
                table = self.tables.get(self.probes()[0], {})
                ins = [table.get(t, v) if t is not None else None for t, v in zip(layer._inputs, ins, strict=True)]
                for index in deciding_inputs(layer, ins):
                    self.mark(layer._inputs[index])
        return self.shaping

    def mark(self, tensor: ITensor) -> None:
        stack = [tensor]
        while stack:
            current = stack.pop()
            if current in self.shaping:
                continue
            self.shaping.add(current)
            layer = current._producer
            if layer is not None and type(layer).__name__ != "IShapeLayer":
                stack.extend(t for t in layer._inputs if t is not None)


def merged(values: list[Value]) -> tuple[int, ...]:
    """One shape of several probes' shapes: -1 where they differ."""
    return tuple(sizes[0] if len(set(sizes)) == 1 else -1 for sizes in zip(*(v.shape for v in values), strict=True))


def deciding_inputs(layer: ILayer, ins: list[Value | None]) -> set[int]:
    """Which inputs of a layer become attributes of its operations."""
    try:
        ops = layer._lowered(ins, output_templates(layer, ins))
    except (ValueError, TypeError, KeyError, NotImplementedError, AttributeError):
        return set()
    values = [op.inputs[index] for op in ops for index in op.attrs.get("dynamic", {}).values()]
    return {i for i, value in enumerate(ins) if any(value is one for one in values if value is not None)}


def network_input(tensor: ITensor, probe: int) -> Value:
    shape = tuple(probe if n == -1 else n for n in tensor._given_shape)
    return Value(tensor.name, tensor._dtype, shape)


def output_templates(layer: ILayer, ins: list[Value | None]) -> list[Value]:
    """Values of unknown shape, of the type of the first input, for a layer's outputs."""
    first = next((value for value in ins if value is not None), None)
    dtype = first.dtype if first is not None else DataType.FLOAT
    return [Value(tensor.name, dtype, None) for tensor in layer._outputs]


def concrete(value: Value, op: Op, probe: int) -> tuple[int, ...]:
    """The value's shape, with the probe where only running the operation would tell."""
    if value.shape is not None:
        return tuple(probe if n == -1 else n for n in value.shape)
    if op.kind == "plugin":
        trees = op.attrs["shapes"][op.outputs.index(value)]
        return (probe,) * len(trees)
    if op.kind in FLEXIBLE:
        return (len(op.inputs[0].shape), probe) if op.kind == "non_zero" else (probe, 3)
    if op.kind == "range":
        return (probe,)
    if op.kind == "one_hot":
        return (probe,) * (len(op.inputs[0].shape) + 1)
    index = (op.attrs.get("dynamic") or {}).get("shape")
    rank = op.inputs[index].shape[0] if index is not None and op.inputs[index].shape else len(op.inputs[0].shape)
    return (probe,) * rank
