"""Calls of a registered tactic as launches that a plan can hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.kernels.own import OWN, remembered
from minitrt.tactics.contract import Argument, KernelKey, Launch, Packed, Scalar, Tensor, Workspace
from minitrt.tactics.own.tactic import Call, In, Out, OwnTactic, Scratch, TacticError, calls_of, layouts_of, three

PLACE = 256  # scratch begins at multiples of it
ALIGNMENT = 16  # of inputs and outputs: kernels may load 16 bytes at a time
NUMBERS = ("int32", "uint32", "int64", "uint64", "float32", "float64")


def places(calls: Sequence[Call]) -> tuple[dict[int, int], int]:
    """Offset of each Scratch, by its id, and the bytes of all of them."""
    offsets: dict[int, int] = {}
    total = 0
    for scratch in (one for call in calls for one in call.args if isinstance(one, Scratch)):
        if id(scratch) not in offsets:
            offsets[id(scratch)] = total
            total += -(-scratch.nbytes // PLACE) * PLACE
    return offsets, total


def seen_as(tactic: OwnTactic, op: Op, argument: In | Out) -> tuple[tuple[int, ...], np.dtype]:
    """Shape and type of an input or output as its kernel sees it. Raises: TacticError."""
    role, values, layouts = (
        ("input", op.inputs, layouts_of(tactic, op)[0])
        if isinstance(argument, In)
        else ("output", op.outputs, layouts_of(tactic, op)[1])
    )
    if not 0 <= argument.index < len(values) or values[argument.index] is None:
        raise TacticError(tactic.name, f"{op.name} has no {role} {argument.index}")
    value = values[argument.index]
    if role == "input" and value.is_constant:
        problem = f"input {argument.index} of {op.name} is a constant: pass op.inputs[{argument.index}].data, packed"
        raise TacticError(tactic.name, f"{problem} as the kernel likes it")
    stored = value.like(value.name, layout=layouts[argument.index]).stored_shape
    shape = stored if argument.shape is None else tuple(int(size) for size in argument.shape)
    if math.prod(shape) != math.prod(stored):
        raise TacticError(tactic.name, f"{role} {argument.index} of {op.name} is {stored} in memory, and not {shape}")
    return shape, NUMPY_TYPES[value.dtype]


def words(of: Argument, shape: Sequence[int], dtype: np.dtype) -> list[Argument]:
    """An array without gaps as numba passes it: two unused words, elements, bytes of one, address, shape, strides."""
    item = int(np.dtype(dtype).itemsize)
    sizes = [*shape, *(item * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))]
    head = [Scalar(0, "uint64"), Scalar(0, "uint64"), Scalar(math.prod(shape), "int64"), Scalar(item, "int64")]
    return [*head, of, *(Scalar(int(size), "int64") for size in sizes)]


def number(tactic: OwnTactic, op: Op, argument: Any) -> tuple[Scalar, str]:
    """A number by value, and its type's name. Raises: TacticError."""
    kind = np.result_type(argument).name if isinstance(argument, (int, float, np.number)) else type(argument).__name__
    if isinstance(argument, bool) or kind not in NUMBERS:
        raise TacticError(
            tactic.name,
            f"a kernel of {op.name} gets {argument!r:.60}, and takes In, Out, Scratch, NumPy arrays, and numbers of"
            f" {', '.join(NUMBERS)}",
        )
    return Scalar(argument.item() if isinstance(argument, np.generic) else argument, kind), kind


def launch_of(tactic: OwnTactic, op: Op, place: int, call: Call, offsets: dict[int, int]) -> Launch:
    """One call as a launch. place: its number among the calls, which names its constants."""
    args: list[Argument] = []
    kinds: list[tuple[str, int]] = []
    for i, argument in enumerate(call.args):
        if isinstance(argument, (In, Out)):
            shape, dtype = seen_as(tactic, op, argument)
            role = "input" if isinstance(argument, In) else "output"
            args += words(Tensor(role, argument.index, alignment=ALIGNMENT), shape, dtype)
        elif isinstance(argument, Scratch):
            shape, dtype = argument.shape, np.dtype(argument.dtype)
            args += words(Workspace(offsets[id(argument)]), shape, dtype)
        elif isinstance(argument, np.ndarray):
            shape, dtype = argument.shape, argument.dtype
            args += words(Packed(f"{place}.{i}", np.ascontiguousarray(argument)), shape, dtype)
        else:
            scalar, kind = number(tactic, op, argument)
            args.append(scalar)
            kinds.append((kind, 0))
            continue
        kinds.append((dtype.name, len(shape)))
    block = three(call.block)
    key = KernelKey.of(OWN, **remembered(call.kernel, kinds, math.prod(block)))
    return Launch(key, three(call.grid), block, tuple(args), int(call.shared_bytes))


def launches_of(op: Op, tactic: OwnTactic) -> list[Launch]:
    """The launches of an operation. Raises: TacticError."""
    calls = calls_of(tactic, op)
    offsets, _ = places(calls)
    return [launch_of(tactic, op, i, call, offsets) for i, call in enumerate(calls)]
