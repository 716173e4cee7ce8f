"""Activations of an epilogue that are no straight lines, as a few instructions on one float32 register.

Each takes a value in real units. Errors are some units in the last place of a result near 1, far below a step of int8
or float16.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minitrt.kernels.ptx import F32, emit_pure
from simt.compilers.low_level import ir

LOG2_E = math.log2(math.e)
# erf(z) = 1 - (a1 t + ... + a5 t^5) exp(-z^2), t = 1 / (1 + p z), z >= 0; error at most 1.5e-7.
# Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26
ERF_P, ERF_A = 0.3275911, (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
FLAT = 64.0  # from here on a curve is its asymptote


def number(value: float) -> ir.Constant:
    return ir.Constant(F32, value)


def _one(b: Any, text: str, *operands: Any) -> Any:
    letters = ",".join(["=f"] + ["f"] * len(operands))
    return emit_pure(b, F32, text, list(operands), letters)


def power_of_two(b: Any, x: Any) -> Any:
    return _one(b, "ex2.approx.ftz.f32 $0, $1;", x)


def reciprocal(b: Any, x: Any) -> Any:
    return _one(b, "rcp.approx.ftz.f32 $0, $1;", x)


def logistic(b: Any, x: Any, factor: float = 1.0) -> Any:
    """1 / (1 + exp(-factor x))."""
    return reciprocal(b, b.fadd(power_of_two(b, b.fmul(x, number(-factor * LOG2_E))), number(1.0)))


def gelu_erf(b: Any, x: Any) -> Any:
    """x (1 + erf(x / sqrt(2))) / 2, written as max(x, 0) less what is left of |x| / 2 past the error function."""
    size = _one(b, "{ .reg .f32 t; abs.f32 t, $1; min.f32 $0, t, $2; }", x, number(FLAT))
    t = reciprocal(b, b.fma(size, number(ERF_P * math.sqrt(0.5)), number(1.0)))
    rest = number(ERF_A[-1])
    for a in reversed(ERF_A[:-1]):
        rest = b.fma(rest, t, number(a))
    fallen = power_of_two(b, b.fmul(b.fmul(size, size), number(-0.5 * LOG2_E)))
    half = b.fmul(b.fmul(size, number(0.5)), b.fmul(b.fmul(rest, t), fallen))
    return b.fsub(_one(b, "max.NaN.f32 $0, $1, 0f00000000;", x), half)


def gelu_tanh(b: Any, x: Any) -> Any:
    """x (1 + tanh(u)) / 2 = x / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3)."""
    inner = b.fma(b.fmul(x, x), b.fmul(x, number(0.044715)), x)
    return b.fmul(x, logistic(b, inner, 2 * math.sqrt(2 / math.pi)))


def silu(b: Any, x: Any) -> Any:
    return b.fmul(x, logistic(b, x))


def hard_swish(b: Any, x: Any) -> Any:
    ramp = b.fma(x, number(1 / 6), number(0.5))
    return b.fmul(x, _one(b, "{ .reg .f32 t; max.f32 t, $1, 0f00000000; min.f32 $0, t, 0f3F800000; }", ramp))


CURVES: dict[str, Callable[[Any, Any], Any]] = {
    "gelu_erf": gelu_erf, "gelu_tanh": gelu_tanh, "silu": silu, "sigmoid": logistic, "hard_swish": hard_swish,
}  # fmt: skip
