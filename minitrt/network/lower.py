"""A network as a graph: every layer's operations in order, every tensor a value, nothing optimised yet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minitrt.api.enums import DataType, LayerType, NetworkDefinitionCreationFlag
from minitrt.graph.ir import Graph, Op, Value
from minitrt.network.control import ILoopBoundaryLayer, ILoopOutputLayer
from minitrt.network.definition import INetworkDefinition
from minitrt.network.facts import Facts, Limits
from minitrt.network.layer import ILayer
from minitrt.network.naming import InvalidNetwork, unique
from minitrt.network.tensor import ITensor
from minitrt.network.unrolling import Unrolling
from minitrt.shapes.dims import known

ALIKE = {LayerType.ELEMENTWISE: (0, 1), LayerType.MATRIX_MULTIPLY: (0, 1), LayerType.SELECT: (1, 2)}
SMALL = 4096  # elements of shape arithmetic that is known, and folded here


def lower(network: INetworkDefinition, limits: Limits | None = None) -> Graph:
    """The graph of a network; shape arithmetic whose result is known for every size is constants already.

    limits: what profiles say of inputs' sizes and elements [nothing].
    Raises: InvalidNetwork when it has no output, when two inputs or outputs bear one name, or when a layer's inputs do
    not fit.
    """
    return Lowering(network, limits).graph()


class Lowering(Unrolling):
    """One lowering: the values of tensors, the names that are taken, the constants that are shared."""

    def __init__(self, network: INetworkDefinition, limits: Limits | None = None):
        self.network = network
        self.facts = Facts(network, limits) if limits else network._facts
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
            self.values[tensor].sizes = self.facts.value(tensor).shape
        graph = Graph(network.name, inputs=[self.values[tensor] for tensor in network._inputs])
        inside = {layer: loop for loop in network._loops for layer in loop._body()}
        for layer in makers_first(network._layers):
            if isinstance(layer, ILoopBoundaryLayer):
                graph.ops += self.unrolled(layer.loop) if isinstance(layer, ILoopOutputLayer) else []
            elif layer not in inside:
                graph.ops += self.lowered(layer)
        for tensor in (network._facts.shape_tensors() - set(network._outputs)) | set(network._shape_outputs):
            if tensor in self.values:  # an output decides shapes and still lies on the device, unless it was asked for
                self.values[tensor].host = True
        missing = [tensor.name for tensor in network._outputs if tensor not in self.values]
        if missing:
            raise InvalidNetwork(f"outputs {missing} belong to no layer of the network")
        graph.outputs = [self.values[tensor] for tensor in network._outputs]
        graph.equal = equal_dimensions(network)
        return graph

    def lowered(self, layer: ILayer) -> list[Op]:
        ins = [None if tensor is None else self.values[tensor] for tensor in layer._inputs]
        casts = self.alike(layer, ins)
        outs = [self.output(tensor) for tensor in layer._outputs]
        templates = [value.name for value in outs]
        ops = [*casts, *layer._lowered(ins, outs)]
        for op in ops:
            op.name = unique(op.name, self.op_names)
            op.inputs = [self.shared(value) for value in op.inputs]
            for value in op.outputs:
                if value.shape is None:
                    self.facts_of(layer).describe(value, layer)
                    value.name = unique(value.name, self.value_names)
        for tensor, value, template in zip(layer._outputs, outs, templates, strict=True):
            value.name = self.fixed.get(tensor) or unique(template, self.value_names)
            if ops:
                value.data = self.known(tensor)
        self.values.update(zip(layer._outputs, outs, strict=True))
        return ops

    def alike(self, layer: ILayer, ins: list[Value | None]) -> list[Op]:
        """What brings operands that are computed with each other to one type, and is put in their place: in a weakly
        typed network FLOAT and HALF mix, and the first one's type is the layer's.

        Raises: InvalidNetwork for other types, and for a strongly typed network.
        """
        places = [p for p in ALIKE.get(layer.LAYER_TYPE, ()) if p < len(ins) and ins[p] is not None]
        types = {ins[p].name: ins[p].dtype for p in places if ins[p].dtype != DataType.BOOL}
        if len(set(types.values())) <= 1:
            return []
        strong = self.network.get_flag(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
        if strong or not {*types.values()} <= {DataType.FLOAT, DataType.HALF}:
            each = " and ".join(f"{name} is {kind.name}" for name, kind in types.items())
            raise InvalidNetwork(f"{layer.name}: its inputs must have one type, but {each}. Cast one.", layer.name)
        wanted, casts = ins[places[0]].dtype, []
        for place in places[1:]:
            source = ins[place]
            if source.dtype != wanted:
                ins[place] = source.like(unique(f"{source.name}/{wanted.name.lower()}", self.value_names), dtype=wanted)
                attrs = {"program": [["cast", ["x0"], wanted.name]]}
                casts.append(Op("pointwise", f"{layer.name}/cast", [source], [ins[place]], attrs, [layer.name]))
        return casts

    def output(self, tensor: ITensor) -> Value:
        """The value of a layer's output, with what is known of it."""
        found = self.facts_of(tensor._producer).value(tensor)
        if found is None:
            raise InvalidNetwork(self.facts.why_not(tensor), tensor._producer.name)
        return Value(tensor.name, found.dtype, known(found.shape), range=tensor._range, sizes=found.shape)

    def facts_of(self, layer: ILayer) -> Facts:
        """What is known of a layer within the profiles' sizes; where it does not fit those, as in a branch that none of
        them takes, of any size."""
        shaped = all(self.facts.value(tensor) is not None for tensor in layer._outputs)
        return self.facts if shaped else self.network._facts

    def known(self, tensor: ITensor) -> np.ndarray | None:
        """The elements of shape arithmetic; small weights are left to the passes, which must see how they came
        about."""
        elements = self.facts.elements(tensor)
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


def makers_first(layers: Sequence[ILayer]) -> list[ILayer]:
    """The layers in an order in which each has its inputs made before it: set_input may have given a layer what a later
    one makes. Those that are in order already stay so. Raises: InvalidNetwork for layers that form a circle."""
    placed: dict[ILayer, object] = {}
    for layer in layers:
        path = {} if layer in placed else {layer: iter(needed_by(layer))}
        while path:
            current = next(reversed(path))
            maker = next((each for each in path[current] if each not in placed), None)
            if maker in path:
                raise InvalidNetwork(f"{maker.name} reads what is made of its own output", maker.name)
            if maker is None:
                placed[current] = path.pop(current)
            else:
                path[maker] = iter(needed_by(maker))
    return list(placed)


def needed_by(layer: ILayer) -> list[ILayer]:
    """The layers that make what a layer reads; a loop's output reads all that the loop does."""
    tensors = list(layer._inputs)
    if isinstance(layer, ILoopOutputLayer):
        edge = [*layer.loop._recurrences, *layer.loop._iterators, *filter(None, [layer.loop._trip])]
        tensors += [tensor for each in [*edge, *layer.loop._body()] for tensor in each._inputs]
        tensors += [each.get_input(1) for each in layer.loop._recurrences]
    return [t._producer for t in tensors if t is not None and t._producer is not None]


def equal_dimensions(network: INetworkDefinition) -> dict[str, list[tuple[str, int]]]:
    """Which open dimensions of inputs bear one name."""
    found: dict[str, list[tuple[str, int]]] = {}
    for tensor in network._inputs:
        for axis, n in enumerate(tensor._given_shape):
            if n == -1 and (name := tensor.get_dimension_name(axis)):
                found.setdefault(name, []).append((tensor.name, axis))
    return {name: places for name, places in found.items() if len(places) > 1}
