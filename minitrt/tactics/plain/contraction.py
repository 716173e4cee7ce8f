"""Einstein sums of one or two operands by a plain kernel, and matrix products that no other tactic takes."""

from __future__ import annotations

import math
from collections.abc import Iterable

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
    operands, kept = indices_of(op.attrs["equation"], [len(value.shape) for value in op.inputs])
    return contracted(op, operands, kept)


def products(op: Op, device: Device) -> list[Tactic]:
    """Matrix products that no other tactic takes: of vectors, and of batches that broadcast in many ways."""
    plain = op.kind == "gemm" and len(op.present) == 2 and not op.attrs.get("activation")
    if not plain or op.attrs.get("alpha", 1) != 1 or not op.output.size:
        return []
    if not all(value.size and real_elements(value) for value in (*op.present, op.output)):
        return []
    return [Tactic("plain_contraction", product_launches, (LINEAR,) * len(op.inputs), (LINEAR,))]


def product_launches(op: Op) -> list[Launch]:
    """A product as an Einstein sum over k; batch axes are counted from the last."""
    ranks = [len(value.shape) for value in op.present]
    ends = ["mk", "kn"]
    ends = [end[::-1] if op.attrs.get(f"transpose_{name}") else end for end, name in zip(ends, "ab", strict=True)]
    ends = ["k" if rank == 1 else end for rank, end in zip(ranks, ends, strict=True)]
    operands = [[*map(str, range(rank - 3, -1, -1)), *end] for rank, end in zip(ranks, ends, strict=True)]
    kept = [*map(str, range(max(ranks) - 3, -1, -1)), *("m" if ranks[0] > 1 else ""), *("n" if ranks[1] > 1 else "")]
    return contracted(op, operands, kept)


def contracted(op: Op, operands: list[list[str]], kept: list[str]) -> list[Launch]:
    """One launch. operands: names of each operand's indices; kept: of the output's. What is not kept is summed over."""
    summed = list(dict.fromkeys(name for names in operands for name in names if name not in kept))
    shapes = [list(zip(names, value.shape, strict=True)) for names, value in zip(operands, op.present, strict=True)]
    sizes = {name: max(n for pairs in shapes for one, n in pairs if one == name) for name in (*kept, *summed)}
    strides = [strides_along(sizes, names, value.shape) for names, value in zip(operands, op.present, strict=True)]
    single, y = len(op.present) == 1, op.output
    second = array(NOTHING, 1, 4) if single else of_value("input", 1, op.inputs[1])
    arguments = (
        *of_value("input", 0, op.inputs[0]), *second, *of_value("output", 0, y),
        *table("sizes", sizes.values()), *table("strides a", strides[0]), *table("strides b", strides[-1]),
        *floats(*(real_scale(value) for value in (op.inputs[0], op.present[-1], y))),
        *integers(y.size, math.prod(sizes[name] for name in summed), len(kept), len(sizes)),
    )  # fmt: skip
    types = {"a": dtype_name(op.inputs[0]), "b": "float32" if single else dtype_name(op.inputs[1])}
    return [launch("plain_einsum", y.size, arguments, **types, target=dtype_name(y), single=single)]


def strides_along(indices: Iterable[str], names: list[str], shape: tuple[int, ...]) -> list[int]:
    """Elements of a tensor from one of each index to the next: 0 where it has none of it, or one element alone."""
    own = list(zip(names, strides_of(shape), shape, strict=True))
    return [sum(stride for name, stride, size in own if name == index and size > 1) for index in indices]
