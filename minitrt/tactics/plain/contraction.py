"""Einstein sums of one or two operands by a plain kernel."""

from __future__ import annotations

import math

from minitrt.graph.ir import LINEAR, Op
from minitrt.tactics.arguments import (
    NOTHING,
    array,
    dtype_name,
    floats,
    integers,
    launch,
    of_value,
    real_scale,
    strides_of,
)
from minitrt.tactics.contract import Device, Launch, Tactic
from minitrt.tactics.plain.indexing import table
from minitrt.tactics.plain.rows import real_elements

DOTS = "..."


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, for floats and for int8 with one scale."""
    if op.kind != "einsum" or not 1 <= len(op.inputs) <= 2 or not op.output.size:
        return []
    if not all(value.size and real_elements(value) for value in (*op.inputs, op.output)):
        return []
    return [Tactic("plain_einsum", launches, (LINEAR,) * len(op.inputs), (LINEAR,))]


def indices_of(equation: str, ranks: list[int]) -> tuple[list[list[str]], list[str]]:
    """Names of each operand's indices, and of the output's. Those of an ellipsis are numbers, counted from its end."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    wide = max(
        (rank - len(term.replace(DOTS, "")) for term, rank in zip(terms, ranks, strict=True) if DOTS in term), default=0
    )

    def named(term: str, dots: int) -> list[str]:
        before, there, after = term.partition(DOTS)
        return [*before, *(map(str, range(dots - 1, -1, -1)) if there else ()), *after]

    operands = [named(term, rank - len(term.replace(DOTS, ""))) for term, rank in zip(terms, ranks, strict=True)]
    if not arrow:
        once = sorted(letter for letter in set(left) - {",", "."} if left.count(letter) == 1)
        right = (DOTS if DOTS in left else "") + "".join(once)
    return operands, named(right, wide)


def launches(op: Op) -> list[Launch]:
    y = op.output
    operands, kept = indices_of(op.attrs["equation"], [len(value.shape) for value in op.inputs])
    summed = list(dict.fromkeys(name for names in operands for name in names if name not in kept))
    sizes = {
        name: max(
            n
            for names, v in zip(operands, op.inputs, strict=True)
            for one, n in zip(names, v.shape, strict=True)
            if one == name
        )
        for name in (*kept, *summed)
    }
    strides = [
        [
            sum(s for one, s, n in zip(names, strides_of(v.shape), v.shape, strict=True) if one == name and n > 1)
            for name in sizes
        ]
        for names, v in zip(operands, op.inputs, strict=True)
    ]
    single = len(op.inputs) == 1
    second = array(NOTHING, 1, 4) if single else of_value("input", 1, op.inputs[1])
    arguments = (
        *of_value("input", 0, op.inputs[0]), *second, *of_value("output", 0, y),
        *table("sizes", sizes.values()), *table("strides a", strides[0]), *table("strides b", strides[-1]),
        *floats(*(real_scale(value) for value in (op.inputs[0], op.inputs[-1], y))),
        *integers(y.size, math.prod(sizes[name] for name in summed), len(kept), len(sizes)),
    )  # fmt: skip
    types = {"a": dtype_name(op.inputs[0]), "b": "float32" if single else dtype_name(op.inputs[1])}
    return [launch("plain_einsum", y.size, arguments, **types, target=dtype_name(y), single=single)]
