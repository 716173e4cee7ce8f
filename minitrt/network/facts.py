"""What is known of a network's tensors before anything is built: shapes, types, and the elements of shape tensors.

A dimension that is known only at run time is a symbol that is computed with (`minitrt/shapes/size.py`): the rules that
work out the shapes of a run work with them, too, and shape arithmetic (Shape, Gather, Mul, Concat, Reshape...) gives
expressions. Only what is an int after that is fixed; everything else is -1, and computed when sizes are given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from minitrt.api.enums import DataType, LayerType
from minitrt.graph.ir import Op, Value
from minitrt.network.layer import ILayer
from minitrt.network.tensor import ITensor
from minitrt.shapes import bodies
from minitrt.shapes.dims import is_open, known
from minitrt.shapes.elements import named_elements
from minitrt.shapes.inference import FLEXIBLE
from minitrt.shapes.size import Number, symbol, unknown
from minitrt.shapes.specialisation import specialised

if TYPE_CHECKING:
    from minitrt.network.definition import INetworkDefinition

CHANGING = (LayerType.RECURRENCE, LayerType.ITERATOR)  # another value in every step of a loop
STEPS = {LayerType.TRIP_LIMIT: {0}, LayerType.LOOP_OUTPUT: {1}}  # inputs that say how many steps, or how many are kept
NO_SHAPE = "an input has no shape"
AS_THE_INPUT = ("slice", "pad", "resize", "topk", "tile", "reduce", "deconv", "conv", "pool", "cumulative", "triangle")


@dataclass
class Limits:
    """What profiles say of inputs, by name: (lowest, highest) of each axis, and of each element of a shape tensor."""

    shapes: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    elements: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


class Facts:
    """Shapes, types and known elements of a network's tensors; thrown away when the network changes."""

    def __init__(self, network: INetworkDefinition, limits: Limits | None = None):
        self.network, self.limits = network, limits or Limits()
        self.forget()

    def forget(self) -> None:
        self.table: dict[ITensor, Value] = {}
        self.failures: dict[ILayer, str] = {}
        self.types: dict[ITensor, DataType] = {}  # of tensors without a shape
        self.shaping: set[ITensor] | None = None
        self.inner: dict[tuple[ILayer, str], Value] = {}

    def knows(self, layer: ILayer) -> bool:
        """Whether something about this layer's outputs was worked out already."""
        return layer in self.failures or any(out in self.table for out in layer._outputs)

    def value(self, tensor: ITensor) -> Value | None:
        """The tensor with sizes as symbols, or None where its shape cannot be worked out."""
        stack = [tensor]
        while stack:
            current = stack[-1]
            layer = current._producer
            if current in self.table or layer in self.failures:
                stack.pop()
            elif layer is None:
                self.table[current] = self.network_input(current)
            else:
                missing = [t for t in layer._inputs if t is not None and t not in self.table]
                missing = [t for t in missing if t._producer not in self.failures]
                stack.extend(missing)
                if not missing:
                    self.compute(layer)
        return self.table.get(tensor)

    def network_input(self, tensor: ITensor) -> Value:
        """Equal names of dimensions are equal sizes; one without a name is its own. What profiles fix is fixed."""
        shape: list[Number] = []
        limits = self.limits.shapes.get(tensor.name) or [(0, inf)] * len(tensor._given_shape)
        for axis, n in enumerate(tensor._given_shape):
            name = tensor.get_dimension_name(axis) or f"{tensor.name}[{axis}]"
            shape.append(n if n != -1 else symbol(name, *limits[axis]))
        value = Value(tensor.name, tensor._dtype, tuple(shape))
        value.data = named_elements(value, self.limits.elements.get(tensor.name, ()))
        return value

    def compute(self, layer: ILayer) -> None:
        """Enter a layer's outputs, or its failure."""
        if any(t is not None and t not in self.table for t in layer._inputs):
            self.failures[layer] = NO_SHAPE
            return
        ins = [None if t is None else self.table[t] for t in layer._inputs]
        outs = output_templates(layer, ins)
        made: dict[Value, Value] = {value: value for value in ins if value is not None}
        try:
            for op in layer._lowered(ins, outs):
                copy = specialised(op, made)
                for value in copy.outputs:
                    value.shape = value.shape if value.shape is not None else unknown_shape(value, copy)
                    value.shape = tuple(unknown() if n == -1 else n for n in value.shape)
                    value.data = value.data if value.is_constant else named_elements(value)
                    self.inner[layer, value.name] = value
        except Exception as error:  # whatever a misfit makes of a rule: the layer has no shape, and this is why
            self.failures[layer] = str(error)
            return
        for tensor, template in zip(layer._outputs, outs, strict=True):
            value = made.get(template, template)
            value.name = tensor.name
            if layer.LAYER_TYPE in CHANGING:
                value.data = None
            self.table[tensor] = value

    def shape(self, tensor: ITensor) -> tuple[int, ...] | None:
        """With -1 for what is not one number for every size; None where it cannot be worked out, which is logged."""
        value = self.value(tensor)
        if value is None:
            self.network._report.error(f"the shape of {tensor.name} is unknown: {self.why_not(tensor)}")
            return None
        return known(value.shape)

    def describe(self, value: Value, layer: ILayer) -> None:
        """Enter shape and type of a value between the operations of one layer."""
        found = self.inner[layer, value.name]
        value.shape, value.sizes, value.dtype = known(found.shape), found.shape, found.dtype

    def dtype(self, tensor: ITensor) -> DataType:
        value = self.value(tensor)
        return value.dtype if value is not None else self.type_without_shape(tensor)

    def type_without_shape(self, tensor: ITensor) -> DataType:
        """The type of a tensor whose shape is not known: types do not follow from shapes."""
        if tensor not in self.types:
            layer = tensor._producer
            ins = [None if t is None else Value("", self.dtype(t), (1,)) for t in layer._inputs]
            outs = output_templates(layer, ins)
            result = outs[layer._outputs.index(tensor)]
            makers = [op for op in lowered_alone(layer, ins, outs) if result in op.outputs]
            pointwise = makers and makers[0].kind == "pointwise"
            self.types[tensor] = DataType[makers[0].attrs["program"][-1][2]] if pointwise else result.dtype
        return self.types[tensor]

    def elements(self, tensor: ITensor) -> np.ndarray | None:
        """The tensor's elements if they are the same for every size."""
        value = self.value(tensor)
        return None if value is None or value.data is None or value.data.dtype == object else value.data

    def why_not(self, tensor: ITensor) -> str:
        """Why a tensor has no shape: what the first layer on the way to it said that has none."""
        layer = tensor._producer
        while layer is not None and self.failures.get(layer) == NO_SHAPE:
            makers = [each._producer for each in layer._inputs if each is not None]
            layer = next((maker for maker in makers if maker in self.failures), None)
        return self.failures.get(layer, "the layers before it have no shape")

    def shape_tensors(self) -> set[ITensor]:
        """Tensors whose elements decide shapes, back to the shapes or inputs they come from."""
        if self.shaping is None:
            self.shaping = set()
            for layer in self.network._layers:
                ins = [None if t is None else Value("", DataType.INT64, (1,)) for t in layer._inputs]
                ins = [self.table.get(t, v) if t is not None else None for t, v in zip(layer._inputs, ins, strict=True)]
                for index in deciding_inputs(layer, ins) | STEPS.get(layer.LAYER_TYPE, set()):
                    if index < len(layer._inputs):
                        self.mark(layer._inputs[index])
        return self.shaping

    def mark(self, tensor: ITensor) -> None:
        """Enter a tensor that decides shapes, and what it comes from; not if that is an input which can be no shape
        tensor: then only running tells."""
        stack, found = [tensor], set()
        while stack:
            current = stack.pop()
            if current in found | self.shaping:
                continue
            found.add(current)
            layer = current._producer
            if layer is None and (len(current._given_shape) > 1 or -1 in current._given_shape):
                return
            if layer is not None and type(layer).__name__ != "IShapeLayer":
                stack.extend(t for t in layer._inputs if t is not None)
        self.shaping |= found


def deciding_inputs(layer: ILayer, ins: list[Value | None]) -> set[int]:
    """Which inputs of a layer become attributes of its operations."""
    ops = lowered_alone(layer, ins, output_templates(layer, ins))
    values = [op.inputs[index] for op in ops for index in op.attrs.get("dynamic", {}).values()]
    return {i for i, value in enumerate(ins) if any(value is one for one in values if value is not None)}


def lowered_alone(layer: ILayer, ins: list[Value | None], outs: list[Value]) -> list[Op]:
    """A layer's operations for inputs of which not all is known; none where it needs that."""
    try:
        return layer._lowered(ins, outs)
    except (ValueError, TypeError, KeyError, NotImplementedError, AttributeError, IndexError):
        return []


def output_templates(layer: ILayer, ins: list[Value | None]) -> list[Value]:
    """Values of unknown shape, of the type of the first input, for a layer's outputs."""
    first = next((value for value in ins if value is not None), None)
    dtype = first.dtype if first is not None else DataType.FLOAT
    return [Value(tensor.name, dtype, None) for tensor in layer._outputs]


def unknown_shape(value: Value, op: Op) -> tuple[Number, ...]:
    """A shape of which only the rank is known. Raises: ValueError where not even that is."""
    if op.kind == "plugin":
        return unknown_sizes(len(op.attrs["shapes"][op.outputs.index(value)]))
    if op.kind in bodies.KINDS:
        return bodies.shape_of(op, op.attrs["dims"][op.outputs.index(value)])
    if op.kind == "choice" and len(op.present) == 2:  # a condition, and the one branch that there is
        return op.present[1].shape
    x = op.inputs[0].shape if op.present else ()
    if op.kind == "unique":
        return unknown_sizes(len(x) if value is op.outputs[0] and op.attrs["axis"] is not None else 1)
    if op.kind in FLEXIBLE:
        return (len(x), unknown()) if op.kind == "non_zero" else (unknown(), 3)
    if op.kind in ("range", "one_hot"):
        return unknown_sizes(1 if op.kind == "range" else len(x) + 1)
    index = (op.attrs.get("dynamic") or {}).get("shape")
    if index is not None and op.inputs[index].shape and not is_open(op.inputs[index].shape[0]):
        rank = op.inputs[index].shape[0]
        return unknown_sizes(max(rank, len(x)) if op.kind == "expand" else rank)
    if op.kind in AS_THE_INPUT and (op.kind != "reduce" or op.attrs.get("keep_dims")):
        return unknown_sizes(len(x))
    raise ValueError(f"{op.name}: not even the rank of its result is known: it depends on elements that are not known")


def unknown_sizes(rank: int) -> tuple[Number, ...]:
    return tuple(unknown() for _ in range(rank))
