"""If, Loop and Scan, unrolled while they are imported: an engine is one fixed list of kernels.

If: the branch that a known condition takes; of an unknown one both, and the results are chosen, so their shapes must be
equal. Loop: its number of steps and its condition must be known when the engine is built. Scan: the length is a shape.
"""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.importing import Importing
from minitrt.onnx_import.node import Node, NodeError, operator

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
        shape = list(value.shape)
        at = axis + len(shape) + 1 if axis < 0 else axis
        wide.append(node.reshape(value, [*shape[:at], 1, *shape[at:]]))
    layer = node.network.add_concatenation(wide)
    layer.axis = axis + len(values[0].shape) + 1 if axis < 0 else axis
    return layer.get_output(0)


@operator("If")
def conditional(node: Node) -> list[ITensor]:
    known = node.known(0)
    branches = {"yes": node.attributes["then_branch"], "no": node.attributes["else_branch"]}
    if known is not None:
        taken = "yes" if bool(np.all(known)) else "no"
        return Inner(branches[taken], node.importing, {}).results(f"{node.name}/{taken}")
    yes, no = (Inner(graph, node.importing, {}).results(f"{node.name}/{name}") for name, graph in branches.items())
    for first, second in zip(yes, no, strict=True):
        if tuple(first.shape) != tuple(second.shape) or first.dtype != second.dtype:
            raise NodeError(
                f"both branches are computed, so their results must be alike, but are {first.dtype.name}"
                f" {tuple(first.shape)} and {second.dtype.name} {tuple(second.shape)}",
                ErrorCode.UNSUPPORTED_NODE_SHAPE,
            )
    program = [["where", ["x0", "x1", "x2"], ""]]
    return [
        node.pointwise([[*program[0][:2], first.dtype.name]], node.x, first, second)
        for first, second in zip(yes, no, strict=True)
    ]


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
