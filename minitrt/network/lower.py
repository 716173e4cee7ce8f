"""A network as a graph: every layer's operations in order, every tensor a value, nothing optimised yet."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Graph, Op, Value
from minitrt.network.definition import INetworkDefinition
from minitrt.network.layer import ILayer
from minitrt.network.tensor import ITensor

SMALL = 4096  # elements of shape arithmetic that is known, and folded here


class InvalidNetwork(ValueError):
    """The network cannot be built. Attribute: layer, the name of the layer at fault, or None."""

    def __init__(self, message: str, layer: str | None = None):
        super().__init__(message)
        self.layer = layer


def lower(network: INetworkDefinition) -> Graph:
    """The graph of a network; shape arithmetic whose result is known for every size is constants already.

    Raises: InvalidNetwork when it has no output, when two inputs or outputs bear one name, or when a layer's inputs do
    not fit.
    """
    return Lowering(network).graph()


class Lowering:
    """One lowering: the values of tensors, the names that are taken, the constants that are shared."""

    def __init__(self, network: INetworkDefinition):
        self.network = network
        self.values: dict[ITensor, Value] = {}
        self.constants: dict[tuple, Value] = {}
        self.op_names: set[str] = set()
        self.fixed = self.names_of_inputs_and_outputs()
        self.value_names = set(self.fixed.values())

    def names_of_inputs_and_outputs(self) -> dict[ITensor, str]:
        tensors = list(dict.fromkeys([*self.network._inputs, *self.network._outputs]))
        names = [tensor.name for tensor in tensors]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InvalidNetwork(f"inputs and outputs need different names, but {twice} stand for several tensors")
        return dict(zip(tensors, names, strict=True))

    def graph(self) -> Graph:
        network = self.network
        if not network._outputs:
            raise InvalidNetwork("the network has no output: call mark_output for at least one tensor")
        for tensor in network._inputs:
            self.values[tensor] = Value(tensor.name, tensor._dtype, tensor._given_shape, range=tensor._range)
        graph = Graph(network.name, inputs=[self.values[tensor] for tensor in network._inputs])
        for layer in network._layers:
            graph.ops += self.lowered(layer)
        for tensor in network._facts.shape_tensors():
            if tensor in self.values:
                self.values[tensor].host = True
        missing = [tensor.name for tensor in network._outputs if tensor not in self.values]
        if missing:
            raise InvalidNetwork(f"outputs {missing} belong to no layer of the network")
        graph.outputs = [self.values[tensor] for tensor in network._outputs]
        return graph

    def lowered(self, layer: ILayer) -> list[Op]:
        ins = [None if tensor is None else self.values[tensor] for tensor in layer._inputs]
        outs = [self.output(tensor) for tensor in layer._outputs]
        templates = [value.name for value in outs]
        ops = layer._lowered(ins, outs)
        for op in ops:
            op.name = unique(op.name, self.op_names)
            op.inputs = [self.shared(value) for value in op.inputs]
            for value in op.outputs:
                if value.shape is None:
                    value.shape, value.dtype = self.network._facts.inner_value(layer, value.name)
                    value.name = unique(value.name, self.value_names)
        for tensor, value, template in zip(layer._outputs, outs, templates, strict=True):
            value.name = self.fixed.get(tensor) or unique(template, self.value_names)
            if ops:
                value.data = self.known(tensor)
        self.values.update(zip(layer._outputs, outs, strict=True))
        return ops

    def output(self, tensor: ITensor) -> Value:
        """The value of a layer's output, with what is known of it."""
        facts = self.network._facts
        shape = facts.shape(tensor)
        if shape is None:
            reasons = [why for failed in facts.failures.values() for why in failed.values() if "no shape" not in why]
            raise InvalidNetwork(reasons[0] if reasons else f"{tensor.name} has no shape", tensor._producer.name)
        return Value(tensor.name, facts.dtype(tensor), shape, range=tensor._range)

    def known(self, tensor: ITensor) -> np.ndarray | None:
        """The elements of shape arithmetic; small weights are left to the passes, which must see how they came
        about."""
        elements = self.network._facts.elements(tensor)
        if elements is None or elements.size > SMALL or not np.issubdtype(elements.dtype, np.integer):
            return None
        return elements if elements.dtype.itemsize >= 4 else None

    def shared(self, value: Value | None) -> Value | None:
        """One value for weights that several layers have in common."""
        if value is None or value.data is None or value.weights is None:
            return value
        key = value.weights, value.shape, value.dtype
        if key not in self.constants:
            value.name = value.name if value in self.values.values() else unique(value.name, self.value_names)
            self.constants[key] = value
        found = self.constants[key]
        same = found.data is value.data or np.array_equal(found.data, value.data)
        return found if same else value


def unique(name: str, used: set[str]) -> str:
    """`name`, numbered if it is taken; taken from now on."""
    candidate, number = name, 1
    while candidate in used:
        candidate, number = f"{name}_{number}", number + 1
    used.add(candidate)
    return candidate
