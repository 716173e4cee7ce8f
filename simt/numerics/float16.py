"""cuda.fp16: operations on float16. Those that the hardware does in float32 are rounded once, at the end."""

from __future__ import annotations

import numpy as np

from simt.numerics.fma import fused_multiply_add
from simt.values.numba_rules import F16, F32, cast


def _on_halves(function):
    taken = getattr(function, "nin", 3 if function is fused_multiply_add else 1)

    def run(env, mask, place, *operands):
        if len(operands) != taken:  # a third one would be where NumPy writes its result
            raise TypeError(f"takes {taken} positional arguments")
        return function(*(cast(operand, F16) for operand in operands))

    return run


def _in_single(function):
    """Compute in float32, round to float16."""
    return lambda operand: function(operand.astype(F32)).astype(F16)


FUNCTIONS = {
    "hadd": np.add, "hsub": np.subtract, "hmul": np.multiply, "hdiv": np.divide, "hneg": np.negative, "habs": np.abs,
    "hfma": fused_multiply_add,
    "hsin": np.sin, "hcos": np.cos, "hlog": np.log, "hlog2": np.log2, "hlog10": np.log10, "hexp": np.exp,
    "hexp2": np.exp2, "hexp10": _in_single(lambda x: np.float32(10) ** x),
    "hsqrt": np.sqrt, "hrsqrt": _in_single(lambda x: 1 / np.sqrt(x)),
    "hrcp": _in_single(lambda x: 1 / x), "hceil": np.ceil, "hfloor": np.floor, "htrunc": np.trunc, "hrint": np.rint,
    "htanh": np.tanh, "hmax": np.maximum, "hmin": np.minimum,
    "heq": np.equal, "hne": np.not_equal, "hge": np.greater_equal,
    "hgt": np.greater, "hle": np.less_equal, "hlt": np.less,
}  # fmt: skip
INTRINSICS = {f"fp16.{name}": _on_halves(function) for name, function in FUNCTIONS.items()}
