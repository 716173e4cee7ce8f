"""Subgraphs that are run as they are met, since a run's data decide how often, or which: networks of their own."""

from __future__ import annotations

from collections.abc import Set
from itertools import zip_longest
from typing import Any

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode
from minitrt.graph.bodies import as_body
from minitrt.graph.ir import DATA_TYPES, NUMPY_TYPES, Value
from minitrt.network.definition import INetworkDefinition
from minitrt.network.lower import lower
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.importing import Importing
from minitrt.onnx_import.node import Node, NodeError, Sequence, Stack
from minitrt.onnx_import.order import in_order, names_read, node_name
from minitrt.shapes.dims import is_open

Place = tuple[int, int]  # an input of the body and its axis


class Inside(Importing):
    """The import of a subgraph: what it does not name itself, the graph around it has."""

    outer: Importing

    def weights(self, name: str) -> np.ndarray | None:
        if name in self.tensors:
            return None
        found = super().weights(name)
        return self.outer.weights(name) if found is None else found


class Body(Inside):
    """The import of a subgraph into a network of its own, whose inputs are what it is given and what it reads of the
    graph around it.

    read: the tensors around it, in the order of its inputs. moving: dimensions of inputs that differ from step to step.
    """

    def __init__(self, graph: onnx.GraphProto, outer: Importing, moving: Set[Place] = frozenset()):
        network = INetworkDefinition(None, outer.network.flags, None)
        super().__init__(outer.model, network, outer.stored, graph)
        self.outer, self.moving, self.wanted, self.report, self.said = outer, moving, set(), outer.report, outer.said
        self.kinds = outer.kinds
        self.read: list[ITensor | None] = []

    def given(self, name: str, like: ITensor) -> None:
        """An input of the body that is as `like`, a tensor around it, where it is not moving."""
        self.tensors[name] = self.entry(like)

    def entry(self, like: ITensor) -> ITensor:
        """A new input of the network, with the sizes of a tensor around it."""
        value, place = like._network._facts.value(like), len(self.read)
        if value is None:
            raise NodeError(f"the shape of {like.name!r} is unknown: {like._network._facts.why_not(like)}")
        fixed = [n if isinstance(n, int) and (place, a) not in self.moving else -1 for a, n in enumerate(value.shape)]
        tensor = self.network.add_input(f"in {place}", value.dtype, fixed)
        for axis, n in enumerate(value.shape):
            if is_open(n) and (place, axis) not in self.moving:
                tensor.set_dimension_name(axis, str(n))
        self.read.append(like)
        return tensor

    def own(self, value: onnx.ValueInfoProto, dtype: Any) -> None:
        """One number that each step has another one of."""
        place, kind = f"in {len(self.read)}", DATA_TYPES[np.dtype(dtype)]
        self.tensors[value.name] = self.network.add_input(place, kind, shape_of_one(value))
        self.read.append(None)

    def tensor(self, name: str) -> ITensor:
        if name not in self.tensors and name not in self.initializers and self.weights(name) is None:
            around = self.outer.tensor(name)
            if isinstance(around, Stack):
                self.tensors[name] = Stack(self.entry(around.stack))
                return self.tensors[name]
            if not isinstance(around, ITensor):
                raise NodeError(
                    f"{name!r} is a sequence of tensors, and what a run repeats or chooses reads tensors alone"
                )
            known = around._network._facts.elements(around)
            self.tensors[name] = self.entry(around) if known is None else self.fixed(known)
        return super().tensor(name)

    def fixed(self, array: np.ndarray) -> ITensor:
        return self.network.add_constant(array.shape, np.asarray(array, order="C")).get_output(0)

    def imported(self, ranks: tuple[int | None, ...] = ()) -> list[Value]:
        """Import the nodes; what is known of the outputs. ranks: how many axes an output of one element is to have,
        where that matters. Raises: NodeError where one has no shape."""
        for index, proto in in_order(self.graph):
            self.add_node(proto, node_name(proto, index))
        found = []
        for value, rank in zip_longest(self.graph.output, ranks):
            tensor = self.of_rank(value.name, rank)
            tensor.name = f"out {len(found)}"
            self.network.mark_output(tensor)
            facts = self.network._facts
            if facts.value(tensor) is None:
                raise NodeError(facts.why_not(tensor), ErrorCode.UNSUPPORTED_NODE_SHAPE)
            found.append(facts.value(tensor))
        return found

    def of_rank(self, name: str, rank: int | None) -> ITensor:
        """A result as a tensor of its own; with another number of axes, where it is one element."""
        tensor = self.tensor(name)
        value = self.network._facts.value(tensor)
        if rank is None or value is None or len(value.shape) == rank or any(n != 1 for n in value.shape):
            return self.network.add_identity(tensor).get_output(0)
        self.note(f"a step gives {name!r} of shape {tuple(value.shape)}; the engine has {(1,) * rank}, as before it")
        layer = self.network.add_shuffle(tensor)
        layer.reshape_dims = (1,) * rank
        return layer.get_output(0)

    def place_of(self, size: Any) -> Place | None:
        """The first input and axis with an open size, None where that is none's own."""
        for place, tensor in enumerate(self.network._inputs):
            for axis, n in enumerate(self.network._facts.value(tensor).shape):
                if is_open(n) and n == size and (place, axis) not in self.moving:
                    return place, axis
        return None

    def lowered(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        """As plain data, and the constants that it expects behind its inputs."""
        body, constants = as_body(lower(self.network))
        return body, [value.data for value in constants]


def shape_of_one(value: onnx.ValueInfoProto) -> tuple[int, ...]:
    """Of a step's number, or its condition: PyTorch writes vectors of one, where ONNX asks for scalars."""
    return (1,) * len(value.type.tensor_type.shape.dim)


def looped(node: Node, body: onnx.GraphProto, carried: list[ITensor]) -> list[ITensor]:
    """A Loop whose steps are counted by the run. Raises: NodeError where a step changes the rank or type of a value."""
    moving: set[Place] = set()
    names = [value.name for value in body.input]
    while True:
        inner = Body(body, node.importing, moving)
        inner.own(body.input[0], np.int64)
        inner.own(body.input[1], np.bool_)
        for name, tensor in zip(names[2:], carried, strict=True):
            inner.given(name, tensor)
        made = inner.imported((None, *(len(tensor.shape) for tensor in carried)))
        begun = of_later_kind(node, body, carried, made[1:])
        more = set() if begun else changes(node, inner, made[1:], len(carried)) - moving
        if not more and not begun:
            break
        moving |= more
        carried = begun or carried
    graph, constants = inner.lowered()
    ends = [node.tensor(index) if node.has(index) else None for index in (0, 1)]
    inputs = [*ends, *carried, *inner.read[2 + len(carried) :], *(node.constant(each) for each in constants)]
    dims = [[size_of(inner, n) for n in inner.network._facts.value(tensor).shape]
            for tensor in inner.network._inputs[2 : 2 + len(carried)]]  # fmt: skip
    dims += [[None, *(size_of(inner, n) for n in value.shape)] for value in made[1 + len(carried) :]]
    types = [value.dtype for value in made[1:]]
    outs = node.builtin("loop", inputs, len(dims), types, carried=len(carried), body=graph, dims=dims)
    return outs if isinstance(outs, list) else [outs]


def of_later_kind(node: Node, body: onnx.GraphProto, carried: list[ITensor], made: list[Value]) -> list[ITensor] | None:
    """The values that a Loop begins with, of which those that no step reads have the rank and type that steps give
    them, as programs whose variables are made inside a loop are exported; None where all have. Only where there is a
    step: of a loop without any, such a value would come out."""
    count, goes_on = (node.known(index) if node.has(index) else np.array(1) for index in (0, 1))
    if count is None or goes_on is None or not np.all(count) or not np.all(goes_on):
        return None
    read, begun = names_read(body), list(carried)
    for place, (tensor, value, after) in enumerate(zip(carried, body.input[2:], made, strict=False)):
        before = node.network._facts.value(tensor)
        if value.name in read or before is None:
            continue
        if before.dtype != after.dtype or len(before.shape) != len(after.shape):
            zeros = np.zeros((1,) * len(after.shape), NUMPY_TYPES[after.dtype])
            begun[place] = node.constant(zeros)
    return begun if any(each is not other for each, other in zip(begun, carried, strict=True)) else None


def collecting(node: Node, body: onnx.GraphProto, carried: list) -> list[ITensor | Sequence]:
    """A Loop whose steps a run counts, and each of which appends one item to a sequence, empty at first: these are what
    its steps are asked for, too, and become a stack. Raises: NodeError where sequences are carried on otherwise."""
    inner = onnx.GraphProto(
        name=body.name, initializer=body.initializer, sparse_initializer=body.sparse_initializer, node=body.node
    )
    inner.input.extend(body.input[:2])
    inner.output.extend(body.output[:1])
    appended, states = [], []
    for value, before, after in zip(carried, body.input[2:], body.output[1:], strict=False):
        if not isinstance(value, Sequence):
            states.append(value)
            inner.input.append(before)
            inner.output.append(after)
            continue
        makers = [each for each in body.node if after.name in each.output]
        readers = [each for each in body.node if before.name in each.input]
        one = makers[0] if len(makers) == 1 == len(readers) and makers == readers else None
        if (
            isinstance(value, Stack)
            or value.items
            or one is None
            or one.op_type != "SequenceInsert"
            or len(one.input) > 2
        ):
            raise NodeError(
                f"the sequence {before.name!r} is carried on, and only a run knows how many steps there are: then each"
                " step may append one item to a sequence that is empty at first, and nothing else"
            )
        inner.node.remove(one)
        appended.append(one.input[1])
    inner.output.extend(body.output[1 + len(carried) :])
    inner.output.extend(onnx.ValueInfoProto(name=name) for name in appended)
    results = looped(node, inner, states)
    scans, stacks = results[len(states) : len(results) - len(appended)], iter(results[len(results) - len(appended) :])
    rest = iter(results)
    return [*(Stack(next(stacks)) if isinstance(value, Sequence) else next(rest) for value in carried), *scans]


def changes(node: Node, inner: Body, made: list[Value], count: int) -> set[Place]:
    """Dimensions of what is carried on that a step may change. Raises: NodeError where it changes rank or type."""
    found: set[Place] = set()
    for place, (tensor, after) in enumerate(zip(inner.network._inputs[2 : 2 + count], made, strict=False), 2):
        before = inner.network._facts.value(tensor)
        if before.dtype != after.dtype or len(before.shape) != len(after.shape):
            was, now = (f"{each.dtype.name} of rank {len(each.shape)}" for each in (before, after))
            name = inner.graph.input[place].name
            raise NodeError(f"a step makes {name!r}, which is {was}, {now}", ErrorCode.UNSUPPORTED_NODE_SHAPE)
        pairs = zip(before.shape, after.shape, strict=True)
        found |= {(place, axis) for axis, pair in enumerate(pairs) if pair[0] != pair[1]}
    return found


def size_of(inner: Body, n: Any) -> int | list[int] | None:
    """A size inside, as seen from around: a number, [input, axis], or None."""
    place = inner.place_of(n) if is_open(n) else None
    return list(place) if place else None if is_open(n) else int(n)


def chosen(node: Node) -> list[ITensor]:
    """An If whose branches are run one or the other, since their results differ in size.

    Raises: NodeError where they differ in rank or type.
    """
    branches = {name: Body(node.attributes[f"{word}_branch"], node.importing) for name, word in
                (("yes", "then"), ("no", "else"))}  # fmt: skip
    made = {name: body.imported() for name, body in branches.items()}
    inputs: list[ITensor] = [node.x]
    attrs, dims = {}, {}
    for name, body in branches.items():
        graph, constants = body.lowered()
        first = len(inputs)
        inputs += [*body.read, *(node.constant(each) for each in constants)]
        attrs[name] = {"graph": graph, "inputs": list(range(first, len(inputs)))}
        dims[name] = [[around(body, n, inputs, first) for n in value.shape] for value in made[name]]
    for yes, no in zip(made["yes"], made["no"], strict=True):
        if yes.dtype != no.dtype or len(yes.shape) != len(no.shape):
            each = " and ".join(f"{value.dtype.name} {tuple(value.shape)}" for value in (yes, no))
            raise NodeError(f"data choose between {each}, which must have one type and one rank",
                            ErrorCode.UNSUPPORTED_NODE_SHAPE)  # fmt: skip
    both = [[a[1] if a[0] == b[0] else None for a, b in zip(one, two, strict=True)]
            for one, two in zip(dims["yes"], dims["no"], strict=True)]  # fmt: skip
    types = [value.dtype for value in made["yes"]]
    outs = node.builtin("branch", inputs, len(both), types, dims=both, **attrs)
    return outs if isinstance(outs, list) else [outs]


def around(body: Body, n: Any, inputs: list[ITensor], first: int) -> tuple[Any, int | list[int] | None]:
    """What a branch's size is around it, to compare with the other branch's, and as an attribute."""
    seen = size_of(body, n)
    if not isinstance(seen, list):
        return (seen if seen is not None else object()), seen
    tensor, axis = inputs[first + seen[0]], seen[1]
    return tensor._network._facts.value(tensor).shape[axis], [first + seen[0], axis]
