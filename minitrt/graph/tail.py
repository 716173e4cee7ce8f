"""A convolution and a 1x1 convolution of its result as one operation with two results, and as two.

As one it has attrs["tail"], {"activation": ...}, the second one's weights and bias as inputs 8 and 9, and its result as
output 1. Nothing is left out: output 0 is still the first result.
"""

from __future__ import annotations

from typing import Any

from minitrt.graph.ir import Op, joint_name
from minitrt.graph.shortcut import RESIDUAL, RESULT

WEIGHTS, BIAS = RESULT + 1, RESULT + 2  # inputs


def chained(head: Op, tail: Op) -> Op:
    """One operation for `head` and the 1x1 convolution `tail` of its result; both are left as they are."""
    inputs = [*(head.input(index) for index in range(WEIGHTS)), tail.input(1), tail.input(2)]
    attrs = {**head.attrs, "tail": {"activation": tail.attrs.get("activation")}}
    origin = [*head.origin, *(each for each in tail.origin if each not in head.origin)]
    return Op("conv", joint_name(head, tail), inputs, [head.output, tail.output], attrs, origin)


def unchained(op: Op) -> tuple[Op, Op | None]:
    """(the first convolution, the second): the two operations that a chain means; (op, None) for others."""
    how = op.attrs.get("tail")
    if how is None:
        return op, None
    axes = len(op.output.shape) - 2
    rest = {key: value for key, value in op.attrs.items() if key != "tail"}
    last = WEIGHTS if "shortcut" in rest else RESIDUAL + 1
    attrs: dict[str, Any] = {
        "kernel": [1] * axes, "stride": [1] * axes, "dilations": [1] * axes, "groups": 1,
        "pads_before": [0] * axes, "pads_after": [0] * axes, **how,
    }  # fmt: skip
    head = Op("conv", op.name, op.inputs[:last], op.outputs[:1], rest, op.origin)
    return head, Op("conv", f"{op.name} tail", [op.output, op.input(WEIGHTS), op.input(BIAS)], op.outputs[1:], attrs)
