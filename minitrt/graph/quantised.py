"""A convolution that quantises its own input, as one operation and as two.

As one it has attrs["quantised"], the tensor that is not quantised yet as input 0, and as input 4 a constant that stands
for the quantised one: an empty number of its type and scale. It means the same numbers. What quantises is a reformat
by now (`passes/qdq.py`).
"""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Op, Value, joint_name
from minitrt.graph.shortcut import RESIDUAL

RESULT = RESIDUAL + 1  # input


def joined(quantize: Op, conv: Op) -> Op:
    """One operation for `conv` and the reformat that quantises its input; both are left as they are."""
    made = quantize.output
    stands = Value(f"{made.name} quantised", made.dtype, (), made.scale, data=np.zeros((), NUMPY_TYPES[made.dtype]))
    inputs = [quantize.inputs[0], conv.input(1), conv.input(2), None, stands]
    origin = [*quantize.origin, *(each for each in conv.origin if each not in quantize.origin)]
    return Op("conv", joint_name(quantize, conv), inputs, conv.outputs, {**conv.attrs, "quantised": True}, origin)


def unquantised(op: Op) -> tuple[Op | None, Op]:
    """(the reformat, the convolution): the two operations that a joint one means; (None, op) for others."""
    if not op.attrs.get("quantised"):
        return None, op
    x, stands = op.inputs[0], op.inputs[RESULT]
    between = x.like(stands.name, dtype=stands.dtype, scale=stands.scale)
    quantize = Op("reformat", f"{op.name} quantize", [x], [between])
    rest = {key: value for key, value in op.attrs.items() if key != "quantised"}
    return quantize, Op("conv", op.name, [between, *op.inputs[1:RESIDUAL]], op.outputs, rest, op.origin)
