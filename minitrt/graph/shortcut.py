"""A convolution whose residual is a 1x1 convolution of another tensor, as one operation and as two.

As one it has attrs["shortcut"], {"stride": [...]}, no residual, and as inputs 4 to 7 the shortcut's x, weights and bias
and a constant that stands for its result: an empty number of the result's type and scale. It means the same numbers,
since the shortcut's result is still rounded to its type before it is added.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Op, Value, joint_name

RESIDUAL, X, WEIGHTS, BIAS, RESULT = range(3, 8)  # inputs


def joined(short: Op, main: Op) -> Op:
    """One operation for `main` and the 1x1 convolution `short` that makes its residual; both are left as they are."""
    made = short.output
    result = Value(f"{made.name} shortcut", made.dtype, (), made.scale, data=np.zeros((), NUMPY_TYPES[made.dtype]))
    inputs = [*(main.input(index) for index in range(RESIDUAL)), None, *(short.input(index) for index in range(3))]
    attrs = {**main.attrs, "shortcut": {"stride": list(short.attrs.get("stride") or [1] * (len(made.shape) - 2))}}
    origin = [*short.origin, *(each for each in main.origin if each not in short.origin)]
    return Op("conv", joint_name(short, main), [*inputs, result], main.outputs, attrs, origin)


def parted(op: Op) -> tuple[Op | None, Op]:
    """(the shortcut, the convolution that adds it): the two operations that a joint one means; (None, op) for others.

    The residual between them is a value that nothing else knows.
    """
    how = op.attrs.get("shortcut")
    if how is None:
        return None, op
    result, axes = op.inputs[RESULT], len(op.output.shape) - 2
    between = op.output.like(result.name, dtype=result.dtype, scale=result.scale)
    attrs: dict[str, Any] = {
        "kernel": [1] * axes, "stride": list(how["stride"]), "dilations": [1] * axes, "groups": 1,
        "pads_before": [0] * axes, "pads_after": [0] * axes, "activation": None,
    }  # fmt: skip
    short = Op("conv", f"{op.name} shortcut", op.inputs[X:RESULT], [between], attrs)
    rest = {key: value for key, value in op.attrs.items() if key != "shortcut"}
    return short, Op("conv", op.name, [*op.inputs[:RESIDUAL], between], op.outputs, rest, op.origin)
