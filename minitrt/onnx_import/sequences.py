"""Sequences and optional values: lists that the import keeps, of tensors that the engine has.

How long one is, and which place an operator means, must be known while importing.
"""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import Node, NodeError, Sequence, Stack, operator
from minitrt.shapes.dims import axis_of


def place(node: Node, index: int, count: int) -> int:
    """The place that an input names among `count`. Raises: NodeError where it is not known, or there is none."""
    number = int(node.numbers(index, "the place in a sequence")[0])
    if not -count <= number < count:
        raise NodeError(f"there is no place {number} in a sequence of {count}", ErrorCode.INVALID_NODE)
    return number % count


@operator("SequenceEmpty")
def empty(node: Node) -> Sequence:
    return Sequence([])


@operator("SequenceConstruct")
def construct(node: Node) -> Sequence:
    return Sequence(node.tensors())


@operator("SequenceInsert")
def insert(node: Node) -> Sequence:
    items = list(node.sequence(0).items)
    at = len(items)
    if node.has(2) and node.numbers(2, "the place in a sequence") != [at]:
        at = place(node, 2, at)  # a negative one is counted from the last item, before which the new one comes
    return Sequence([*items[:at], node.tensor(1), *items[at:]])


@operator("SequenceErase")
def erase(node: Node) -> Sequence:
    items = list(node.sequence(0).items)
    node.need(bool(items), "nothing can be taken out of an empty sequence")
    items.pop(place(node, 1, len(items)) if node.has(1) else -1)
    return Sequence(items)


@operator("SequenceAt")
def at(node: Node) -> ITensor:
    sequence = node.sequence(0)
    if isinstance(sequence, Stack):
        return node.network.add_gather(sequence.stack, node.tensor(1), 0).get_output(0)
    return sequence.items[place(node, 1, len(sequence.items))]


@operator("SequenceLength")
def length(node: Node) -> ITensor:
    sequence = node.sequence(0)
    if isinstance(sequence, Stack):
        shape = node.network.add_shape(sequence.stack).get_output(0)
        return node.network.add_gather(shape, node.constant(0, np.int64), 0).get_output(0)
    return node.constant(len(sequence.items), np.int64)


@operator("SplitToSequence")
def split(node: Node) -> Sequence:
    """Parts of the sizes that input 1 gives, of one size that it gives, or of 1, whose axis may go."""
    axis = axis_of(node.attr("axis", 0), node.rank())
    total, whole = node.shape()[axis], not node.has(1)
    sizes = node.known(1) if not whole else np.array(1)
    if whole and total == -1:
        order = [axis, *(each for each in range(node.rank()) if each != axis)]
        stack = node.transpose(node.x, order)
        return Stack(node.unsqueezed(stack, [axis + 1]) if node.attr("keepdims", 1) else stack)
    if sizes is None or total == -1:
        what = "the size of its parts" if sizes is None else f"the size of axis {axis}"
        raise NodeError(f"{what} must be known when the engine is built", ErrorCode.UNSUPPORTED_NODE_SHAPE)
    if sizes.ndim == 0:
        node.need(int(sizes) > 0, f"the parts have size {int(sizes)}, but must have one at least")
    edges = np.cumsum([0, *sizes]) if sizes.ndim else np.minimum(np.arange(0, total + int(sizes), int(sizes)), total)
    parts = [part(node, axis, int(a), int(b)) for a, b in zip(edges, edges[1:], strict=False)]
    if whole and not node.attr("keepdims", 1):
        parts = [node.builtin("shuffle", [each], squeeze=[axis]) for each in parts]
    return Sequence(parts)


def part(node: Node, axis: int, first: int, end: int) -> ITensor:
    layer = node.network.add_slice(node.x, None, None, None)
    layer._params["onnx"] = dict(starts=[first], ends=[end], axes=[axis], steps=[1])
    node.network._changed(layer)
    return layer.get_output(0)


@operator("ConcatFromSequence")
def concatenate(node: Node) -> ITensor:
    new, axis, sequence = node.attr("new_axis", 0), node.attr("axis"), node.sequence(0)
    if isinstance(sequence, Stack):
        return unstacked(node, sequence.stack, axis, bool(new))
    items = sequence.items
    node.need(bool(items), "an empty sequence cannot be concatenated")
    axis = axis_of(axis, len(items[0].shape) + new)
    items = [node.unsqueezed(each, [axis]) for each in items] if new else items
    layer = node.network.add_concatenation(items)
    layer.axis = axis
    return layer.get_output(0)


def unstacked(node: Node, stack: ITensor, axis: int, new: bool) -> ITensor:
    """Items that lie along axis 0 of a stack, along `axis` of the result: one that is theirs, or a new one."""
    rank = len(stack.shape)
    axis = axis_of(axis, rank if new else rank - 1)
    order = [*range(1, axis + 1), 0, *range(axis + 1, rank)]
    moved = node.transpose(stack, order) if axis else stack
    if new:
        return moved
    return node.parted(moved, [[[each] if each < axis else [axis, axis + 1] if each == axis else [each + 1], 1, 1]
                               for each in range(rank - 1)])  # fmt: skip


@operator("Optional")
def optional(node: Node) -> ITensor | Sequence:
    return node.value(0) if node.has(0) else Sequence([], absent=True)


@operator("OptionalHasElement")
def has_element(node: Node) -> ITensor:
    value = node.value(0) if node.has(0) else None
    return node.constant(value is not None and not (isinstance(value, Sequence) and value.absent), np.bool_)


@operator("OptionalGetElement")
def get_element(node: Node) -> ITensor | Sequence:
    value = node.value(0)
    node.need(not (isinstance(value, Sequence) and value.absent), "the optional value is absent")
    return value
