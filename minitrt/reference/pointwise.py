"""Pointwise programs (`graph/pointwise.py`), evaluated step by step, and the activations that epilogues share with
them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.reference.registry import evaluates

erf = np.vectorize(math.erf, otypes=[np.float64])


@evaluates("pointwise")
def pointwise(op: Op, *inputs: np.ndarray) -> np.ndarray:
    """The result of the last step of ``op.attrs["program"]``."""
    return run_program(op.attrs["program"], inputs)


def run_program(program: list, inputs: tuple[np.ndarray, ...]) -> np.ndarray:
    """Evaluate a program; HALF steps are computed in float32 and rounded to half."""
    results: list[np.ndarray] = []
    for name, args, dtype in program:
        wanted = NUMPY_TYPES[DataType[dtype]]
        wide = np.dtype(np.float32) if wanted == np.float16 else wanted
        operands = with_numbers(args, inputs, results, wide if name == "where" else None)
        result = np.asarray(OPERATIONS[name](*operands) if name != "cast" else cast(operands[0], wanted))
        results.append(result.astype(wanted).astype(wide) if result.dtype != wide or wide != wanted else result)
    return results[-1]


def with_numbers(args: list, inputs, results, numbers_type: np.dtype | None) -> list[np.ndarray]:
    """A step's operands; its numbers take the type of the first operand that is none, or the given one."""
    arrays = [(inputs if arg[0] == "x" else results)[int(arg[1:])] if isinstance(arg, str) else None for arg in args]
    first = next(array for array in arrays if array is not None)
    kind = numbers_type or (np.dtype(np.float32) if first.dtype == np.float16 else first.dtype)
    return [np.asarray(arg, kind) if array is None else array for arg, array in zip(args, arrays, strict=True)]


def cast(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """C's conversion: truncation towards zero; anything but zero is True; wraps where an integer is too narrow.

    A float that is beyond INT64, or INT32 where that is wanted, becomes the least of these, as on x86; so does a NaN.
    """
    if not (np.issubdtype(x.dtype, np.floating) and np.issubdtype(dtype, np.integer)):
        return x.astype(dtype)
    wide = np.dtype(np.int32 if dtype == np.int32 else np.int64)
    least = np.iinfo(wide).min
    fits = np.abs(x) < -np.float64(least)
    return np.where(fits, np.where(fits, x, 0).astype(wide), least).astype(dtype)


def divide(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a / b; integers truncate towards zero, as in C, and division by zero gives 0."""
    if not np.issubdtype(a.dtype, np.integer):
        return a / b
    safe = np.where(b == 0, 1, b)
    quotient = a // safe
    inexact = (quotient * safe != a) & ((a < 0) != (safe < 0))
    return np.where(b == 0, 0, quotient + inexact).astype(a.dtype)


def power(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if np.issubdtype(a.dtype, np.integer):
        exact = np.issubdtype(b.dtype, np.integer) and not np.any(b < 0)
        return np.power(a, b) if exact else np.power(a.astype(np.float64), b)
    return np.power(a, b)


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)) without overflow."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, small) / (1 + small)


def softplus(x: np.ndarray, alpha: float = 1.0, beta: float = 1.0) -> np.ndarray:
    return alpha * (np.maximum(beta * x, 0) + np.log1p(np.exp(-np.abs(beta * x))))


def gelu_tanh(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def bits(function: Callable) -> Callable:
    return lambda a, b: function(a, b)


OPERATIONS: dict[str, Callable[..., np.ndarray]] = {
    # one operand
    "abs": np.abs, "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh, "erf": erf, "exp": np.exp, "floor": np.floor,
    "identity": lambda x: x, "isinf": np.isinf, "isnan": np.isnan, "log": np.log, "neg": np.negative,
    "not": np.logical_not, "recip": lambda x: 1 / x, "round": np.rint, "sigmoid": sigmoid, "sign": np.sign,
    "sin": np.sin, "sinh": np.sinh, "softsign": lambda x: x / (1 + np.abs(x)), "sqrt": np.sqrt, "tan": np.tan,
    "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0).astype(x.dtype), "silu": lambda x: x * sigmoid(x),
    "gelu_erf": lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2))), "gelu_tanh": gelu_tanh,
    "hard_swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1), "mish": lambda x: x * np.tanh(softplus(x)),
    # two
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": divide, "floor_div": np.floor_divide, "mod": np.mod,
    "fmod": np.fmod, "pow": power, "max": np.maximum, "min": np.minimum, "and": np.logical_and, "or": np.logical_or,
    "xor": np.logical_xor, "equal": np.equal, "greater": np.greater, "less": np.less,
    "greater_equal": np.greater_equal, "less_equal": np.less_equal, "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or, "bit_xor": np.bitwise_xor, "shift_left": np.left_shift, "shift_right": np.right_shift,
    "prelu": lambda x, slope: np.where(x < 0, x * slope, x),
    # three
    "where": np.where, "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    # with parameters
    "leaky_relu": lambda x, alpha: np.where(x < 0, alpha * x, x),
    "elu": lambda x, alpha: np.where(x < 0, alpha * np.expm1(x), x),
    "selu": lambda x, alpha, gamma: gamma * np.where(x < 0, alpha * np.expm1(x), x),
    "celu": lambda x, alpha: np.maximum(x, 0) + np.minimum(0, alpha * np.expm1(x / alpha)),
    "softplus": softplus,
    "hard_sigmoid": lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1),
    "scaled_tanh": lambda x, alpha, beta: alpha * np.tanh(beta * x),
    "thresholded_relu": lambda x, alpha: np.where(x > alpha, x, 0),
    "swish": lambda x, alpha: x * sigmoid(alpha * x),
}  # fmt: skip

PARAMETERS = {"clip": 2, "leaky_relu": 1, "elu": 1, "hard_sigmoid": 2, "scaled_tanh": 2, "thresholded_relu": 1}


def activate(activation: dict | None, x: np.ndarray) -> np.ndarray:
    """The activation of an epilogue, ``{"type", "alpha", "beta"}``, of float32 `x`; `x` itself for None."""
    if activation is None:
        return x
    kind = activation["type"]
    numbers = [np.float32(activation[key]) for key in ("alpha", "beta")[: PARAMETERS.get(kind, 0)]]
    return OPERATIONS[kind](x, *numbers).astype(np.float32)
