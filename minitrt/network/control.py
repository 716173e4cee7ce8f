"""Loops, which are unrolled when the engine is built, and conditionals, which compute both sides and select.

A loop's body is what depends on its recurrences and iterators. `lower.py` lowers it once a step, with other values in
their place; so its trip count must be known when the engine is built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from minitrt.api.arguments import checked
from minitrt.api.enums import LayerType, LoopOutput, TripLimit
from minitrt.api.sealed import sealed
from minitrt.graph.ir import DATA_TYPES, Op, Value
from minitrt.network.layer import ILayer, Param
from minitrt.network.tensor import ITensor
from minitrt.shapes.dims import whole

if TYPE_CHECKING:
    from minitrt.network.definition import INetworkDefinition


class ILoopBoundaryLayer(ILayer):
    """A layer at the edge of a loop."""

    _loop = Param(None)

    @property
    def loop(self) -> ILoop:
        return self._loop


class IRecurrenceLayer(ILoopBoundaryLayer):
    """A value that is carried from step to step: input 0 at first, then input 1."""

    LAYER_TYPE = LayerType.RECURRENCE
    _next = Param(None)

    def set_input(self, index: int, tensor: ITensor) -> None:
        if index == 1:  # kept apart: as an input it would make the network a circle
            self._params["_next"] = tensor
        else:
            super().set_input(index, tensor)

    @property
    def num_inputs(self) -> int:
        return 1 + (self._params.get("_next") is not None)

    def get_input(self, index: int) -> ITensor | None:
        return self._params.get("_next") if index == 1 else super().get_input(index)

    def _ops(self, ins, outs):
        return self._same(ins, outs)


class IIteratorLayer(ILoopBoundaryLayer):
    """One slice of a tensor a step, along axis, from the end with reverse."""

    LAYER_TYPE = LayerType.ITERATOR
    axis = Param(0, int)
    reverse = Param(False, bool)

    def _ops(self, ins, outs):
        """For shapes only: any slice is like the first."""
        return [self._at(0, ins[0], outs, 0)]

    def _slice(self, x: Value, outs: list[Value], step: int) -> Op:
        """The operation that takes slice `step`."""
        return self._at(x.shape[self.axis] - 1 - step if self.reverse else step, x, outs, step)

    def _at(self, index: int, x: Value, outs: list[Value], step: int) -> Op:
        place = np.array(index, np.int64)
        where = Value(f"{self.name}/{step}", DATA_TYPES[place.dtype], (), data=place)
        return self._op("gather", [x, where], outs, axis=self.axis)


class ITripLimitLayer(ILoopBoundaryLayer):
    """How many steps: COUNT, a number."""

    LAYER_TYPE = LayerType.TRIP_LIMIT
    kind = Param(TripLimit.COUNT)

    def _ops(self, ins, outs):
        return []


class ILoopOutputLayer(ILoopBoundaryLayer):
    """What leaves a loop: what a recurrence holds behind the last step, or the values of all steps, stacked along a
    new axis (input 1: how many)."""

    LAYER_TYPE = LayerType.LOOP_OUTPUT
    kind = Param(LoopOutput.LAST_VALUE)
    axis = Param(0, int)

    def _ops(self, ins, outs):
        """For shapes only: as many copies of one step's value as there will be steps."""
        if self.kind == LoopOutput.LAST_VALUE:
            return self._same(ins[:1], outs)
        if len(ins) < 2 or ins[1].data is None:
            raise ValueError(f"{self.name}: the number of values to stack (input 1) must be known when building")
        wide = outs[0].like(f"{outs[0].name}/one", shape=None)
        repeats = [1] * (len(ins[0].shape) + 1)
        repeats[self.axis] = whole(ins[1].data.reshape(-1)[0])
        unsqueeze = self._op("shuffle", ins[:1], [wide], unsqueeze=[self.axis])
        return [unsqueeze, self._op("tile", [wide], outs, repeats=repeats)]


@sealed
@checked
class ILoop:
    """A loop under construction. Made by ``INetworkDefinition.add_loop``."""

    def __init__(self, network: INetworkDefinition):
        self._network, self.name = network, f"(Unnamed Loop {len(network._loops)})"
        self._recurrences: list[IRecurrenceLayer] = []
        self._iterators: list[IIteratorLayer] = []
        self._outputs: list[ILoopOutputLayer] = []
        self._trip: ITripLimitLayer | None = None

    def add_recurrence(self, initial_value: ITensor) -> IRecurrenceLayer:
        layer = self._network._append(IRecurrenceLayer(self._network, [initial_value], _loop=self))
        self._recurrences.append(layer)
        return layer

    def add_iterator(self, tensor: ITensor, axis: int = 0, reverse: bool = False) -> IIteratorLayer:
        layer = IIteratorLayer(self._network, [tensor], _loop=self, axis=axis, reverse=reverse)
        self._iterators.append(self._network._append(layer))
        return layer

    def add_trip_limit(self, tensor: ITensor, kind: TripLimit) -> ITripLimitLayer | None:
        """How long the loop runs. Only COUNT: None, and an error, for WHILE."""
        if kind != TripLimit.COUNT:
            self._network._report.error(f"{self.name}: loops are unrolled, so their limit must be a COUNT, not {kind}")
            return None
        self._trip = self._network._append(ITripLimitLayer(self._network, [tensor], 0, _loop=self, kind=kind))
        return self._trip

    def add_loop_output(self, tensor: ITensor, kind: LoopOutput, axis: int = 0) -> ILoopOutputLayer:
        layer = ILoopOutputLayer(self._network, [tensor], _loop=self, kind=kind, axis=axis)
        self._outputs.append(self._network._append(layer))
        return layer

    def _body(self) -> list[ILayer]:
        """The layers to repeat: those that depend on a recurrence or an iterator, before any output of the loop."""
        edge = [*self._recurrences, *self._iterators]
        inside = {tensor for layer in edge for tensor in layer._outputs}
        body = []
        for layer in self._network._layers:
            if layer in edge or isinstance(layer, ILoopOutputLayer) and layer.loop is self:
                continue
            if any(tensor in inside for tensor in layer._inputs if tensor is not None):
                body.append(layer)
                inside.update(layer._outputs)
        return body


class IIfConditionalBoundaryLayer(ILayer):
    """A layer at the edge of a conditional."""

    _conditional = Param(None)

    @property
    def conditional(self) -> IIfConditional:
        return self._conditional

    def _ops(self, ins, outs):
        return self._same(ins[:1], outs)


class IConditionLayer(IIfConditionalBoundaryLayer):
    """The condition."""

    LAYER_TYPE = LayerType.CONDITION


class IIfConditionalInputLayer(IIfConditionalBoundaryLayer):
    """A tensor that comes into a conditional."""

    LAYER_TYPE = LayerType.CONDITIONAL_INPUT


class IIfConditionalOutputLayer(IIfConditionalBoundaryLayer):
    """condition ? input 0 : input 1; both are computed and must have one shape."""

    LAYER_TYPE = LayerType.CONDITIONAL_OUTPUT

    def _ops(self, ins, outs):
        yes, no, condition = ins
        if yes.shape != no.shape:
            raise ValueError(f"{self.name}: both sides must have one shape, but have {yes.shape} and {no.shape}")
        program = [["where", ["x0", "x1", "x2"], yes.dtype.name]]
        return [self._op("pointwise", [condition, yes, no], outs, program=program)]


@sealed
@checked
class IIfConditional:
    """A conditional under construction. Made by ``INetworkDefinition.add_if_conditional``."""

    def __init__(self, network: INetworkDefinition):
        self._network, self.name, self._condition = network, "(Unnamed Conditional)", None

    def set_condition(self, condition: ITensor) -> IConditionLayer:
        layer = IConditionLayer(self._network, [condition], 1, _conditional=self)
        self._condition = condition
        return self._network._append(layer)

    def add_input(self, input: ITensor) -> IIfConditionalInputLayer:
        return self._network._append(IIfConditionalInputLayer(self._network, [input], _conditional=self))

    def add_output(self, true_subgraph_output: ITensor, false_subgraph_output: ITensor) -> IIfConditionalOutputLayer:
        inputs = [true_subgraph_output, false_subgraph_output, self._condition]
        return self._network._append(IIfConditionalOutputLayer(self._network, inputs, _conditional=self))
