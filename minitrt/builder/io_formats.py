"""Inputs and outputs that the user wants as HWC, channels last as cameras and decoders have them.

The engine computes with layouts of its own; at its ends stands one operation that brings the elements over.
"""

from __future__ import annotations

from collections.abc import Iterable

from minitrt.api.enums import TensorFormat
from minitrt.graph.ir import HWC, LINEAR, Graph, Op, Value
from minitrt.network.definition import INetworkDefinition

LEAST_AXES = 3


def hwc_names(network: INetworkDefinition) -> set[str]:
    """Inputs and outputs for which HWC alone is allowed."""
    tensors = [*network._inputs, *network._outputs]
    return {tensor.name for tensor in tensors if tensor.allowed_formats == 1 << int(TensorFormat.HWC)}


def with_ends(graph: Graph, names: Iterable[str]) -> None:
    """Give inputs and outputs of these names the layout HWC, and put a reformat between them and the rest."""
    names = set(names)
    for value in graph.inputs:
        if value.name in names and len(value.shape) >= LEAST_AXES and value not in graph.outputs:
            inner = value.like(graph.fresh(f"{value.name}/linear"), layout=LINEAR)
            graph.replace(value, inner)
            value.layout = HWC
            graph.ops.insert(0, end(value, inner, f"Reformatting CopyNode for Network Input {value.name}"))
    for place, value in enumerate(list(graph.outputs)):
        if value.name in names and len(value.shape) >= LEAST_AXES and value not in graph.inputs:
            out = value.like(value.name, layout=HWC)
            value.name = graph.fresh(f"{value.name}/linear")
            graph.ops.append(end(value, out, f"Reformatting CopyNode for Network Output {out.name}"))
            graph.outputs[place] = out


def reformat_of(value: Value, made: str, wanted: str) -> Op:
    """What brings a value from one layout to another, to ask tactics about."""
    source = value.like(value.name, layout=made)
    return Op("reformat", "reformat", [source], [value.like(f"{value.name}/{wanted}", layout=wanted)])


def end(source: Value, target: Value, name: str) -> Op:
    return Op("reformat", name, [source], [target])
