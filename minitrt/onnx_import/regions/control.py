"""If, Loop and Scan, unrolled while they are imported where that can be done: then a GPU runs all of it.

If: the branch that a known condition takes; one that sizes decide is chosen when they are given, and of one that data
decide both are computed where their shapes are equal. Loop: unrolled where its number of steps and its condition are
known when the engine is built. Scan: where the length is. What a run decides is run on the host (`bodies.py`).
"""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode
from minitrt.network.definition import INetworkDefinition
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.importing import Importing
from minitrt.onnx_import.node import Node, NodeError, Sequence, operator
from minitrt.onnx_import.order import in_order, node_name
from minitrt.onnx_import.regions.bodies import Inside, chosen, collecting, looped, shape_of_one
from minitrt.onnx_import.regions.deciding import alike, differing_ranks, from_sizes, of_declared_ranks, passing_on
from minitrt.shapes.dims import axis_of

MOST_STEPS = 4096  # each adds its layers to the engine
MOST_LAYERS = 20_000  # of all steps together, of loops in them, too


class Inner(Inside):
    """The import of a subgraph into the network around it."""

    def __init__(self, graph: onnx.GraphProto, outer: Importing, given: dict[str, ITensor]):
        super().__init__(outer.model, outer.network, outer.stored, graph)
        self.outer, self.wanted, self.kinds = outer, outer.wanted, outer.kinds
        self.tensors.update(given)

    def tensor(self, name: str) -> ITensor:
        own = name in self.tensors or name in self.initializers
        return super().tensor(name) if own else self.outer.tensor(name)

    def results(self, name: str) -> list[ITensor]:
        """Import the nodes, and give the subgraph's outputs. name: what names of layers begin with."""
        for index, proto in in_order(self.graph):
            self.add_node(proto, f"{name}/{node_name(proto, index)}")
        return [self.tensor(value.name) for value in self.graph.output]


def stacked(node: Node, values: list[ITensor], axis: int = 0) -> ITensor:
    """Values of steps along a new axis."""
    if not values:
        raise NodeError("a loop without steps has no values to stack", ErrorCode.UNSUPPORTED_NODE_SHAPE)
    wide = []
    for value in values:
        wide.append(node.unsqueezed(value, [axis]))
    layer = node.network.add_concatenation(wide)
    layer.axis = axis + len(values[0].shape) + 1 if axis < 0 else axis
    return layer.get_output(0)


@operator("If")
def conditional(node: Node) -> list[ITensor]:
    """The branch of a known condition. Of an unknown one both, and sizes, or a run, choose."""
    known = node.known(0)
    if known is not None:
        return branch(node, bool(np.all(known)))
    yes, no = tried(node, True), tried(node, False)
    if isinstance(yes, NodeError) and isinstance(no, NodeError):
        raise yes
    if isinstance(yes, NodeError) or isinstance(no, NodeError):
        taken, other = (yes, no) if isinstance(no, NodeError) else (no, yes)
        if not from_sizes(node.x):
            raise NodeError(f"a branch that may be taken cannot be imported: {other}", ErrorCode.UNSUPPORTED_NODE_SHAPE)
        return [assumed(node, taken is yes, each, str(other)) for each in taken]
    sized = from_sizes(node.x)
    if not sized:
        yes, no = of_declared_ranks(node, yes, no)
    pairs = list(zip(yes, no, strict=True))
    if sized or all(alike(node, *pair) for pair in pairs):
        return [joined(node, *pair) for pair in pairs]
    taken, why = passing_on(node), differing_ranks(node, yes, no)
    if why is None or taken is None:
        return chosen(node)
    return [assumed(node, taken, each, why) for each in (yes if taken else no)]


def branch(node: Node, taken: bool) -> list[ITensor]:
    graph = node.attributes["then_branch" if taken else "else_branch"]
    return Inner(graph, node.importing, {}).results(f"{node.name}/{'yes' if taken else 'no'}")


def tried(node: Node, taken: bool) -> list[ITensor] | NodeError:
    """A branch, or why it cannot be imported; then none of its layers that have no shape is left."""
    network, facts = node.network, node.network._facts
    first = network.num_layers
    try:
        results = branch(node, taken)
        for tensor in results:
            if tensor._producer is not None and facts.value(tensor) is None:
                raise NodeError(facts.why_not(tensor), ErrorCode.UNSUPPORTED_NODE_SHAPE)
        return results
    except ValueError as error:
        drop_shapeless(network, first)
        return error if isinstance(error, NodeError) else NodeError(str(error), ErrorCode.INVALID_NODE)


def drop_shapeless(network: INetworkDefinition, first: int) -> None:
    """Take out the layers from `first` on that have no shape; others stay, since tensors around may be theirs."""
    shaped = [layer for layer in network._layers[first:] if all(map(network._facts.value, layer._outputs))]
    network._layers[first:] = shaped


def joined(node: Node, yes: ITensor, no: ITensor) -> ITensor:
    """What comes out of two branches. Where sizes decide, one is run; where a run's data do, both, which are alike.
    Raises: NodeError where their types differ."""
    first, second = (node.network._facts.value(each) for each in (yes, no))
    if first.dtype != second.dtype:
        each = " and ".join(f"{value.dtype.name} {tuple(value.shape)}" for value in (first, second))
        raise NodeError(f"the branches' results must have one type, but are {each}", ErrorCode.UNSUPPORTED_NODE_SHAPE)
    if len(first.shape) != len(second.shape):
        return assumed(node, True, yes, f"the other branch gives {len(second.shape)} axes, not {len(first.shape)}")
    if from_sizes(node.x):
        return node.builtin("choice", [node.x, yes, no], types=[first.dtype], dynamic={"condition": 0})
    return node.pointwise([["where", ["x0", "x1", "x2"], first.dtype.name]], node.x, yes, no)


def assumed(node: Node, taken: bool, result: ITensor, why: str) -> ITensor:
    """A branch's result in an engine that has this branch alone, and refuses sizes, or data, that do not take it."""
    which, sized = "then" if taken else "else", from_sizes(node.x)
    what = "these sizes do" if sized else "this run does"
    message = f"the engine has the {which}-branch alone ({why}), and {what} not take it"
    if not sized:
        node.importing.note(f"{node.name}: data choose a branch, and the engine has the {which}-branch alone: {why}")
    inputs = [node.x, result, None] if taken else [node.x, None, result]
    dtype = node.network._facts.dtype(result)
    return node.builtin("choice", inputs, types=[dtype], dynamic={"condition": 0}, message=message)


@operator("Loop")
def loop(node: Node) -> list[ITensor]:
    body, count = node.attributes["body"], node.known(0)
    goes_on = node.known(1) if node.has(1) else np.array(True)
    carried = [node.value(index) for index in range(2, len(node.proto.input))]
    first = node.network.num_layers
    most = np.inf if count is None else int(np.ravel(count)[0])
    if counted_alone(body) and not node.has(0) and goes_on is not None and np.all(goes_on):
        raise NodeError("it never ends: there is no trip count, and each step goes on if the one before did")
    unknown = goes_on is None or node.has(0) and count is None or counted_alone(body) and most > MOST_STEPS
    unrolled = None if unknown else steps_written(node, body, carried, most, goes_on)
    if unrolled is None:
        drop_shapeless(node.network, first)
        if any(isinstance(value, Sequence) for value in carried):
            return collecting(node, body, carried)
        return looped(node, body, carried)
    return unrolled


def counted_alone(body: onnx.GraphProto) -> bool:
    """Whether each step hands on the condition that it was given, so that the trip count alone ends the loop."""
    made = {each.output[0]: each for each in body.node if each.op_type == "Identity"}
    name = body.output[0].name
    while name in made:
        name = made.pop(name).input[0]
    return name == body.input[1].name


def steps_written(
    node: Node, body: onnx.GraphProto, carried: list[ITensor], most: float, goes_on: np.ndarray
) -> list[ITensor] | None:
    """All steps one behind the other; None where a run decides how many there are, or there are too many."""
    names, before = [value.name for value in body.input], node.network.num_layers
    scanned: list[list[ITensor]] = [[] for _ in body.output[1 + len(carried) :]]
    step = 0
    while bool(np.all(goes_on)) and step < most:
        if step == MOST_STEPS or node.network.num_layers - before > MOST_LAYERS:
            return None
        own = (np.full(shape_of_one(value), n) for value, n in zip(body.input, (step, True), strict=False))
        first = [node.constant(each) for each in own]
        given = dict(zip(names, [*first, *carried], strict=True))
        condition, *results = Inner(body, node.importing, given).results(f"{node.name}/{step}")
        goes_on = node.network._facts.elements(condition)
        if goes_on is None:
            return None
        carried = results[: len(carried)]
        for values, value in zip(scanned, results[len(carried) :], strict=True):
            values.append(value)
        step += 1
    if step == 0 and scanned:
        return None  # what no step has stacked has a shape all the same
    return [*carried, *(stacked(node, values) for values in scanned)]


@operator("SequenceMap")
def mapped(node: Node) -> list[Sequence]:
    """The body on each item of a sequence, with the items at its place in others, and with tensors."""
    body, count = node.attributes["body"], len(node.sequence(0).items)
    names, given = [value.name for value in body.input], [node.value(index) for index in range(len(node.proto.input))]
    node.need(
        all(len(each.items) == count for each in given if isinstance(each, Sequence)), "sequences differ in length"
    )
    made = []
    for step in range(count):
        items = [each.items[step] if isinstance(each, Sequence) else each for each in given]
        inner = Inner(body, node.importing, dict(zip(names, items, strict=True)))
        made.append(inner.results(f"{node.name}/{step}"))
    return [Sequence([results[place] for results in made]) for place in range(len(body.output))]


@operator("Scan")
def scan(node: Node) -> list[ITensor]:
    if node.opset < 9:
        raise NodeError("Scan before opset 9 has a batch axis; convert the model", ErrorCode.UNSUPPORTED_NODE)
    body, count = node.attributes["body"], node.attr("num_scan_inputs")
    given, names = node.tensors(), [value.name for value in body.input]
    carried, sequences = given[: len(given) - count], given[len(given) - count :]
    axes, reverse = (node.attr(f"scan_input_{what}", [0] * count) for what in ("axes", "directions"))
    places = [axis_of(axis, len(x.shape)) for axis, x in zip(axes, sequences, strict=True)]
    lengths = {tuple(x.shape)[axis] for x, axis in zip(sequences, places, strict=True)}
    if len(lengths - {-1}) > 1:
        raise NodeError(f"the sequences need one length, not {sorted(lengths)}", ErrorCode.UNSUPPORTED_NODE_SHAPE)
    length = lengths.pop()
    if lengths or not 0 < length <= MOST_STEPS:
        return scanned_at_run_time(node, body, places, reverse)
    scanned: list[list[ITensor]] = [[] for _ in body.output[len(carried) :]]
    for step in range(length):
        slices = []
        for x, axis, backwards in zip(sequences, places, reverse, strict=True):
            index = node.constant(np.array(length - 1 - step if backwards else step, np.int64))
            slices.append(node.network.add_gather(x, index, axis).get_output(0))
        inner = Inner(body, node.importing, dict(zip(names, [*carried, *slices], strict=True)))
        results = inner.results(f"{node.name}/{step}")
        carried = results[: len(carried)]
        for values, value in zip(scanned, results[len(carried) :], strict=True):
            values.append(value)
    out_axes, out_reverse = (node.attr(f"scan_output_{what}", [0] * len(scanned)) for what in ("axes", "directions"))
    ordered = [values[::-1] if back else values for values, back in zip(scanned, out_reverse, strict=True)]
    return [*carried, *(stacked(node, values, axis) for values, axis in zip(ordered, out_axes, strict=True))]


def scanned_at_run_time(node: Node, body: onnx.GraphProto, places: list[int], reverse: list[int]) -> list[ITensor]:
    """A Scan as the Loop that it is: each step takes its slices of the sequences itself."""
    e, make = Expansion(node), onnx.helper.make_node
    count, total = len(places), len(node.proto.input)
    sequences = [e.given(index) for index in range(total - count, total)]
    length = e.op("Gather", e.op("Shape", sequences[0]), e.constant(places[0], np.int64))
    last = e.op("Sub", length, e.constant(1, np.int64))
    step, going, back = (f"{node.name}/{what}" for what in ("step", "going", "back"))
    inner = onnx.GraphProto(name=f"{node.name}/steps", initializer=body.initializer)
    inner.sparse_initializer.extend(body.sparse_initializer)
    carried = [value.name for value in body.input[:-count]]
    inner.input.extend(onnx.ValueInfoProto(name=name) for name in (step, going, *carried))
    inner.node.append(make("Sub", [last, step], [back]))
    for name, axis, backwards, value in zip(sequences, places, reverse, body.input[-count:], strict=True):
        inner.node.append(make("Gather", [name, back if backwards else step], [value.name], axis=axis))
    inner.node.extend(body.node)
    inner.node.append(make("Identity", [going], [f"{going} on"]))
    inner.output.extend([onnx.ValueInfoProto(name=f"{going} on"), *body.output])
    states = [e.given(index) for index in range(total - count)]
    made = e.op("Loop", length, "", *states, outputs=len(body.output), body=inner)
    made = [made] if isinstance(made, str) else made
    return [e.result(name) for name in [*made[: len(states)], *laid_out(e, made[len(states) :])]]


def laid_out(e: Expansion, stacks: list[str]) -> list[str]:
    """What steps gave, along the axis and in the order that the node asks for."""
    axes, reverse = (e.node.attr(f"scan_output_{what}", [0] * len(stacks)) for what in ("axes", "directions"))
    found = []
    for x, axis, backwards in zip(stacks, axes, reverse, strict=True):
        if backwards:
            edges = ([-1], [-(2**63) + 1], [0], [-1])  # from the last to the first
            x = e.op("Slice", x, *(e.constant(each, np.int64) for each in edges))
        rank = e.rank(x)
        order = list(range(1, rank))
        order.insert(axis_of(axis, rank), 0)
        found.append(e.transpose(x, order) if order[0] else x)
    return found
