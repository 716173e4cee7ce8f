"""If, Loop and Scan, unrolled while they are imported: an engine is one fixed list of kernels.

If: the branch that a known condition takes; one that sizes decide is chosen when they are given, and of one that data
decide both are computed, so their shapes must be equal. Loop: its number of steps and its condition must be known when
the engine is built. Scan: the length is a shape.
"""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode, LayerType
from minitrt.network.layer import ILayer
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.importing import Importing
from minitrt.onnx_import.node import Node, NodeError, operator
from minitrt.shapes.specialisation import SHAPE_ONLY

MOST_STEPS = 4096  # each adds its layers to the engine


class Inner(Importing):
    """The import of a subgraph: what it does not name itself, the graph around it has."""

    def __init__(self, graph: onnx.GraphProto, outer: Importing, given: dict[str, ITensor]):
        super().__init__(outer.model, outer.network, graph)
        self.outer, self.wanted = outer, outer.wanted
        self.tensors.update(given)

    def tensor(self, name: str) -> ITensor:
        own = name in self.tensors or name in self.initializers
        return super().tensor(name) if own else self.outer.tensor(name)

    def weights(self, name: str) -> np.ndarray | None:
        if name in self.tensors:
            return None
        found = super().weights(name)
        return self.outer.weights(name) if found is None else found

    def results(self, name: str) -> list[ITensor]:
        """Import the nodes, and give the subgraph's outputs. name: what names of layers begin with."""
        for index, proto in enumerate(self.graph.node):
            self.add_node(proto, f"{name}/{proto.name or proto.op_type + '_' + str(index)}")
        return [self.tensor(value.name) for value in self.graph.output]


def steps_of(node: Node, count: int) -> range:
    """Raises: NodeError for more steps than an engine should have layers."""
    if count > MOST_STEPS:
        raise NodeError(f"{count} steps are too many to unroll; at most {MOST_STEPS}", ErrorCode.UNSUPPORTED_NODE_ATTR)
    return range(count)


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
        return [assumed(node, taken is yes, each, str(other)) for each in taken]
    return [joined(node, *pair) for pair in zip(yes, no, strict=True)]


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
        shaped = [layer for layer in network._layers[first:] if all(map(facts.value, layer._outputs))]
        network._layers[first:] = shaped
        return error if isinstance(error, NodeError) else NodeError(str(error), ErrorCode.INVALID_NODE)


def joined(node: Node, yes: ITensor, no: ITensor) -> ITensor:
    """What comes out of two branches. Where sizes decide, one is run; where a run's data do, both, so results must be
    alike. Raises: NodeError where they are not."""
    first, second = (node.network._facts.value(each) for each in (yes, no))
    alike = first.dtype == second.dtype and first.shape == second.shape
    if not alike and (first.dtype != second.dtype or not from_sizes(node.x)):
        raise NodeError(
            "both branches are computed, so their results must be alike, but are"
            f" {first.dtype.name} {tuple(first.shape)} and {second.dtype.name} {tuple(second.shape)}",
            ErrorCode.UNSUPPORTED_NODE_SHAPE,
        )
    if len(first.shape) != len(second.shape):
        return assumed(node, True, yes, f"the other branch gives {len(second.shape)} axes, not {len(first.shape)}")
    if from_sizes(node.x):
        return node.builtin("choice", [node.x, yes, no], types=[first.dtype], dynamic={"condition": 0})
    return node.pointwise([["where", ["x0", "x1", "x2"], first.dtype.name]], node.x, yes, no)


def assumed(node: Node, taken: bool, result: ITensor, why: str) -> ITensor:
    """A branch's result in an engine that has this branch alone, and refuses sizes that do not take it."""
    if not from_sizes(node.x):
        raise NodeError(f"a branch that may be taken cannot be imported: {why}", ErrorCode.UNSUPPORTED_NODE_SHAPE)
    which = "then" if taken else "else"
    message = f"the engine has the {which}-branch alone ({why}), and these sizes do not take it"
    inputs = [node.x, result, None] if taken else [node.x, None, result]
    dtype = node.network._facts.dtype(result)
    return node.builtin("choice", inputs, types=[dtype], dynamic={"condition": 0}, message=message)


def from_sizes(tensor: ITensor) -> bool:
    """Whether a tensor's elements follow from shapes, constants and small inputs of integers: known before a run."""
    stack, seen = [tensor], set()
    while stack:
        layer = stack[-1]._producer
        current = stack.pop()
        if layer is None and current._network._facts.value(current).data is None:
            return False
        if layer is None or layer in seen or gives_sizes(layer):
            continue
        seen.add(layer)
        stack += [each for each in layer._inputs if each is not None]
    return True


def gives_sizes(layer: ILayer) -> bool:
    return layer.LAYER_TYPE == LayerType.SHAPE or layer._params.get("kind") in SHAPE_ONLY


@operator("Loop")
def loop(node: Node) -> list[ITensor]:
    body, count = node.attributes["body"], node.known(0)
    goes_on = node.known(1) if node.has(1) else np.array(True)
    if goes_on is None:
        refuse_condition()
    if node.has(0) and count is None:
        raise NodeError("the number of steps must be known when the engine is built", ErrorCode.UNSUPPORTED_NODE_INPUT)
    most = MOST_STEPS + 1 if count is None else int(np.ravel(count)[0])
    names = [value.name for value in body.input]
    carried = [node.tensor(index) for index in range(2, len(node.proto.input))]
    scanned: list[list[ITensor]] = [[] for _ in body.output[1 + len(carried) :]]
    step = 0
    while bool(np.all(goes_on)) and step < most:
        steps_of(node, step + 1)
        first = [node.constant(np.array(step, np.int64)), node.constant(np.array(True))]
        given = dict(zip(names, [*first, *carried], strict=True))
        condition, *results = Inner(body, node.importing, given).results(f"{node.name}/{step}")
        goes_on = node.network._facts.elements(condition)
        if goes_on is None:
            refuse_condition()
        carried = results[: len(carried)]
        for values, value in zip(scanned, results[len(carried) :], strict=True):
            values.append(value)
        step += 1
    return [*carried, *(stacked(node, values) for values in scanned)]


def refuse_condition() -> None:
    raise NodeError(
        "whether the loop goes on must be known when the engine is built: an engine runs a fixed list of kernels",
        ErrorCode.UNSUPPORTED_NODE_INPUT,
    )


@operator("Scan")
def scan(node: Node) -> list[ITensor]:
    if node.opset < 9:
        raise NodeError("Scan before opset 9 has a batch axis; convert the model", ErrorCode.UNSUPPORTED_NODE)
    body, count = node.attributes["body"], node.attr("num_scan_inputs")
    given, names = node.tensors(), [value.name for value in body.input]
    carried, sequences = given[: len(given) - count], given[len(given) - count :]
    axes, reverse = (node.attr(f"scan_input_{what}", [0] * count) for what in ("axes", "directions"))
    places = [axis % len(x.shape) for axis, x in zip(axes, sequences, strict=True)]
    lengths = {tuple(x.shape)[axis] for x, axis in zip(sequences, places, strict=True)}
    if len(lengths) != 1 or -1 in lengths:
        raise NodeError(f"the sequences need one known length, not {sorted(lengths)}", ErrorCode.UNSUPPORTED_NODE_SHAPE)
    length = lengths.pop()
    scanned: list[list[ITensor]] = [[] for _ in body.output[len(carried) :]]
    for step in steps_of(node, length):
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
