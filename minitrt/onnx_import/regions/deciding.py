"""Which branch of an If is taken: whether sizes decide, or a run's data, and how the results of both compare."""

from __future__ import annotations

import onnx

from minitrt.api.enums import LayerType
from minitrt.network.layer import ILayer
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import Node
from minitrt.shapes.bodies import KINDS as BODIES
from minitrt.shapes.dims import is_guessed
from minitrt.shapes.inference import FLEXIBLE
from minitrt.shapes.specialisation import SHAPE_ONLY

COUNTING = LayerType.NON_ZERO, LayerType.NMS
WORDS = "then", "else"


def from_sizes(tensor: ITensor) -> bool:
    """Whether a tensor's elements follow from shapes, constants and small inputs of integers: known before a run."""
    stack, seen = [tensor], set()
    while stack:
        layer = stack[-1]._producer
        current = stack.pop()
        if layer is None and current._network._facts.value(current).data is None:
            return False
        if layer is not None and gives_sizes(layer) and counted_by_a_run(layer._inputs[0]):
            return False
        if layer is None or layer in seen or gives_sizes(layer):
            continue
        seen.add(layer)
        stack += [each for each in layer._inputs if each is not None]
    return True


def gives_sizes(layer: ILayer) -> bool:
    return layer.LAYER_TYPE == LayerType.SHAPE or layer._params.get("kind") in SHAPE_ONLY


def counted_by_a_run(tensor: ITensor) -> bool:
    """Whether some size of a tensor follows from how many elements something found, or how many steps it took."""
    facts, stack, seen = tensor._network._facts, [tensor], set()
    while stack:
        value, layer = facts.value(stack[-1]), stack.pop()._producer
        if layer is None or layer in seen or value is None or not any(map(is_guessed, value.shape)):
            continue
        seen.add(layer)
        if layer.LAYER_TYPE in COUNTING or layer._params.get("kind") in (*FLEXIBLE, *BODIES):
            return True
        stack += [each for each in layer._inputs if each is not None]
    return False


def alike(node: Node, yes: ITensor, no: ITensor) -> bool:
    """Whether the results of two branches have one type and one shape."""
    first, second = (node.network._facts.value(each) for each in (yes, no))
    return first.dtype == second.dtype and first.shape == second.shape


def of_declared_ranks(node: Node, yes: list[ITensor], no: list[ITensor]) -> tuple[list[ITensor], list[ITensor]]:
    """The results of two branches, of which a single element is as many axes deep in both: as the model declares it,
    where exporters computed it with a vector of one in one branch. The other differs by axes of 1 alone."""
    pairs = []
    for place, pair in enumerate(zip(yes, no, strict=True)):
        shapes = [tuple(node.network._facts.value(each).shape) for each in pair]
        declared = {rank_of(node.attributes[f"{word}_branch"].output[place]) for word in WORDS}
        if len(shapes[0]) == len(shapes[1]) or any(n != 1 for n in (*shapes[0], *shapes[1])):
            pairs.append(pair)
            continue
        rank = declared.pop() if len(declared) == 1 and None not in declared else max(map(len, shapes))
        node.importing.note(f"{node.name}: the branches give {shapes[0]} and {shapes[1]}; the engine has {(1,) * rank}")
        pairs.append(tuple(node.reshape(each, [1] * rank) for each in pair))
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def rank_of(value: onnx.ValueInfoProto) -> int | None:
    """How many axes a model declares; None where it does not."""
    return len(value.type.tensor_type.shape.dim) if value.type.tensor_type.HasField("shape") else None


def passing_on(node: Node) -> bool | None:
    """Whether it is the then-branch that only passes on what there is, while the other mends a rare case; None where
    both do something, or neither."""
    idle = [all(each.op_type == "Identity" for each in node.attributes[f"{word}_branch"].node) for word in WORDS]
    return idle[0] if idle[0] != idle[1] else None


def differing_ranks(node: Node, yes: list[ITensor], no: list[ITensor]) -> str | None:
    """In words, what no tensor can be both of; None where the results of two branches have the same ranks."""
    for results in zip(yes, no, strict=True):
        ranks = [len(node.network._facts.value(each).shape) for each in results]
        if ranks[0] != ranks[1]:
            return f"the branches give {ranks[0]} and {ranks[1]} axes"
    return None
