"""Types of inputs and outputs that differ from those inside: a weakly typed network's are FLOAT there, and the user
says what crosses its ends (`network.get_input(0).dtype = trt.float16`).

FP16 is converted, INT8 quantised by the scale of the tensor: of its dynamic range, or as it was calibrated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.network.definition import INetworkDefinition
from minitrt.network.lower import InvalidNetwork
from minitrt.passes.editing import constant

REAL = DataType.FLOAT, DataType.HALF
Types = dict[str, list[Any]]  # name of an input or output -> type, and scale where it is INT8


def asked_types(network: INetworkDefinition, graph: Graph, scales: dict[str, float]) -> Types:
    """What the user wants at the ends, where that is not what is there. scales: of tensors, where they are known.

    Raises: InvalidNetwork for INT8 without a scale, and for types that cannot be converted.
    """
    found: Types = {}
    values = {value.name: value for value in [*graph.inputs, *graph.outputs]}
    for tensor in [*network._inputs, *network._outputs]:
        wanted, there = tensor._asked_dtype, values[tensor.name].dtype
        if wanted is None or wanted == there:
            continue
        if there not in REAL or wanted not in (*REAL, DataType.INT8):
            raise InvalidNetwork(f"{tensor.name} is {there.name} inside, and cannot be {wanted.name} outside. Cast it.")
        if wanted == DataType.INT8 and tensor.name not in scales:
            raise InvalidNetwork(
                f"{tensor.name} is INT8 outside, and has neither a dynamic range nor a calibrated scale. Call its"
                " set_dynamic_range(-largest, largest)."
            )
        found[tensor.name] = [wanted.name, scales.get(tensor.name)]
    return found


def quantise_ends(graph: Graph, types: Types) -> None:
    """INT8 at the ends, before the passes, which fuse what is put there."""
    numbers = {name: constant(f"{name}/io scale", np.float32(s)) for name, (kind, s) in types.items() if kind == "INT8"}
    for place, value in enumerate(graph.inputs):
        if value.name in numbers:
            outside, scale = value.like(value.name, dtype=DataType.INT8, range=None), numbers[value.name]
            value.name = graph.fresh(f"{value.name}/real")
            attrs = {"axis": None, "to": value.dtype.name}
            graph.ops.insert(0, Op("dequantize", f"{outside.name}/dequantize", [outside, scale], [value], attrs))
            graph.inputs[place] = outside
    for place, value in enumerate(graph.outputs):
        if value.name in numbers and value not in graph.inputs:
            outside, scale = value.like(value.name, dtype=DataType.INT8, range=None), numbers[value.name]
            value.name = graph.fresh(f"{value.name}/real")
            attrs = {"axis": None, "to": "INT8"}
            graph.ops.append(Op("quantize", f"{outside.name}/quantize", [value, scale], [outside], attrs))
            graph.outputs[place] = outside


def convert_ends(graph: Graph, types: Types) -> None:
    """FP16 or FLOAT at the ends, after the passes: where a neighbour converts already, it need not."""
    for place, value in enumerate(graph.inputs):
        wanted = DataType[types[value.name][0]] if value.name in types else value.dtype
        if wanted != value.dtype and value.dtype in REAL:
            graph.inputs[place] = arriving(graph, value, wanted)
    for place, value in enumerate(graph.outputs):
        wanted = DataType[types[value.name][0]] if value.name in types else value.dtype
        if wanted != value.dtype and value.dtype in REAL:
            graph.outputs[place] = leaving(graph, value, wanted)
    graph.sort()


def arriving(graph: Graph, value: Value, wanted: DataType) -> Value:
    """An input of another type, with what converts it for those that cannot take it as it is."""
    outside = value.like(value.name, dtype=wanted)
    value.name = graph.fresh(f"{value.name}/{value.dtype.name.lower()}")
    for op in [op for op in graph.ops if is_conversion(op) and op.inputs[0] is value and op.output.dtype == wanted]:
        if op.output not in graph.outputs:
            graph.ops.remove(op)
            graph.replace(op.output, outside)
    graph.ops.insert(0, conversion(outside, value, f"Reformatting CopyNode for Network Input {outside.name}"))
    used = value in graph.outputs or any(value in op.inputs for op in graph.ops)
    graph.ops = graph.ops if used else graph.ops[1:]
    return outside


def leaving(graph: Graph, value: Value, wanted: DataType) -> Value:
    """An output of another type: what is converted to its type now, if there is such, else its conversion."""
    outside = value.like(value.name, dtype=wanted)
    value.name = graph.fresh(f"{value.name}/{value.dtype.name.lower()}")
    maker = next((op for op in graph.ops if value in op.outputs), None)
    read = sum(value in op.inputs for op in graph.ops) + sum(value is each for each in graph.outputs)
    if maker is not None and is_conversion(maker) and maker.inputs[0].dtype == wanted and read == 1:
        source = maker.inputs[0]
        if source not in [*graph.inputs, *graph.outputs] and source not in graph.kept:
            graph.ops.remove(maker)
            source.name = outside.name
            return source
    graph.ops.append(conversion(value, outside, f"Reformatting CopyNode for Network Output {outside.name}"))
    return outside


def conversion(source: Value, target: Value, name: str) -> Op:
    return Op("reformat", name, [source], [target], {}, [])


def is_conversion(op: Op) -> bool:
    """Whether an operation only changes the type of real numbers."""
    return op.kind == "reformat" and op.inputs[0].dtype in REAL and op.output.dtype in REAL
