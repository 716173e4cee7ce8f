"""A chain of pointwise operations as one kernel, written for it: each input is read once, the result written once.

The program is the one of a `pointwise` operation: steps ``[operation, [operand, ...], dtype]``, where an operand is
"x<i>" (input i), "t<j>" (an earlier step) or a number.
"""

from __future__ import annotations

import json
import math
from typing import Any

from numba import boolean, float32, float64, int32, int64, types, uint8

from minitrt.kernels.inline import inline
from minitrt.kernels.plain import activations
from minitrt.kernels.plain.elements import THREADS, array, float16, larger, saturate, smaller
from minitrt.kernels.plain.generated import function_from

AXES = 5  # of the output, after neighbouring axes that every input treats alike are joined
ELEMENTS_PER_THREAD = 4  # a block apart, so that loads are coalesced and four are in flight
# What a kernel is given beside y, before its inputs: (name, numba type); d1 to d4: the output's last sizes.
OUTPUT_ARGUMENTS = (
    ("count", types.int64),
    ("y_scale", types.float32),
    *((name, types.int64) for name in ("d1", "d2", "d3", "d4")),
)
DECODE = (  # an element's number into its place on five axes
    *("c4 = i % d4", "r = i // d4", "c3 = r % d3", "r = r // d3"),
    *("c2 = r % d2", "r = r // d2", "c1 = r % d1", "c0 = r // d1"),
)


@inline
def power(a, b):
    return math.pow(a, b)


@inline
def truncated(a, b):
    """Integer division towards zero; 0 where b is 0."""
    if b == 0:
        return int64(0)
    quotient = abs(int64(a)) // abs(int64(b))
    return quotient if (a < 0) == (b < 0) else -quotient


@inline
def floor_mod(a, b):
    rest = math.fmod(a, b)
    return rest + b if rest != 0 and (rest < 0) != (b < 0) else rest


@inline
def remainder(a, b):
    """With the sign of a; 0 where b is 0, as NumPy has it."""
    return int64(a) - truncated(a, b) * int64(b) if b != 0 else int64(0)


@inline
def whole_mod(a, b):
    """With the sign of b; 0 where b is 0."""
    rest = remainder(a, b)
    return rest + int64(b) if rest != 0 and (rest < 0) != (b < 0) else rest


@inline
def whole_power(a, b):
    """a to the b, exactly; of a negative b what is left of the fraction, as a cast leaves it."""
    result, factor, left = int64(1), int64(a), int64(b)
    if b < 0:
        return result if a == 1 else (result - 2 * (left & 1)) if a == -1 else int64(0)
    while left > 0:
        if left & 1:
            result *= factor
        factor, left = factor * factor, left >> 1
    return result


@inline
def sign(a):
    return a if a != a else (a > 0) * float32(1) - (a < 0) * float32(1)


FLOAT = {  # operation -> expression of float32 operands
    "abs": "abs({0})", "ceil": "math.ceil({0})", "floor": "math.floor({0})", "neg": "-{0}", "identity": "{0}",
    "recip": "float32(1) / {0}", "round": "rint({0})", "sign": "sign({0})", "softsign": "{0} / (float32(1) + abs({0}))",
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}", "pow": "power({0}, {1})",
    "max": "larger({0}, {1})", "min": "smaller({0}, {1})", "mod": "floor_mod({0}, {1})", "fmod": "math.fmod({0}, {1})",
    "floor_div": "math.floor({0} / {1})", "prelu": "({0} * {1} if {0} < 0 else {0})",
    "where": "({1} if {0} else {2})", "isnan": "{0} != {0}", "isinf": "abs({0}) == INFINITY",
    **{name: f"math.{name}({{0}})" for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "log", "sin", "sinh", "sqrt",
        "tan", "tanh")},
    **{name: f"activations.{name}({{0}})" for name in (
        "relu", "sigmoid", "silu", "gelu_erf", "gelu_tanh", "hard_swish", "mish")},
    **{name: f"activations.{name}({{0}}, {{1}})" for name in (
        "leaky_relu", "elu", "celu", "thresholded_relu", "swish")},
    **{name: f"activations.{name}({{0}}, {{1}}, {{2}})" for name in (
        "clip", "selu", "softplus", "hard_sigmoid", "scaled_tanh")},
}  # fmt: skip
COMPARISONS = {"equal": "==", "greater": ">", "less": "<", "greater_equal": ">=", "less_equal": "<="}
INTEGER = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "truncated({0}, {1})", "neg": "-{0}",
    "abs": "abs({0})", "max": "max({0}, {1})", "min": "min({0}, {1})", "identity": "{0}",
    "where": "({1} if {0} else {2})", "bit_and": "{0} & {1}", "bit_or": "{0} | {1}", "bit_xor": "{0} ^ {1}",
    "clip": "min(max({0}, {1}), {2})", "relu": "max({0}, 0)", "sign": "({0} > 0) - ({0} < 0)",
    "mod": "whole_mod({0}, {1})", "fmod": "remainder({0}, {1})", "pow": "whole_power({0}, {1})",
}  # fmt: skip
LOGICAL = {"and": "({0} and {1})", "or": "({0} or {1})", "xor": "({0} != {1})", "not": "(not {0})", "identity": "{0}",
           "where": "({1} if {0} else {2})"}  # fmt: skip
WORKED_IN = {
    "FLOAT": "float32",
    "HALF": "float32",
    "INT32": "int32",
    "INT64": "int64",
    "UINT8": "uint8",
    "BOOL": "boolean",
}
READ_AS = {"float32": "FLOAT", "float16": "FLOAT", "int8": "FLOAT", "int32": "INT32", "int64": "INT64", "bool": "BOOL",
           "uint8": "UINT8"}  # fmt: skip
INTEGERS = ("INT32", "INT64", "UINT8", "INT8")


class NoExpression(NotImplementedError):
    """A step that no kernel computes. Attributes: operation, dtype."""

    def __init__(self, operation: str, dtype: str) -> None:
        super().__init__(f"no kernel computes {operation!r} of {dtype}")
        self.operation, self.dtype = operation, dtype


def expression(name: str, operands: list[str], dtype: str, from_dtype: str) -> str:
    """Source for one step. from_dtype: of its operands. Raises: NoExpression."""
    if name == "cast":
        if dtype == "BOOL":
            return f"{operands[0]} != 0"
        return whole(operands[0], dtype) if dtype in INTEGERS and from_dtype in ("FLOAT", "HALF") else operands[0]
    if name in COMPARISONS:
        return f"{operands[0]} {COMPARISONS[name]} {operands[1]}"
    table = LOGICAL if dtype == "BOOL" else INTEGER if dtype in INTEGERS else FLOAT
    if dtype == "BOOL" and name in ("isnan", "isinf"):
        table = FLOAT
    if name not in table:
        raise NoExpression(name, dtype)
    return table[name].format(*operands)


def whole(x: str, dtype: str) -> str:
    """Source for a float as an integer; one that does not fit becomes the least one, as in the reference."""
    kind, bits = ("int32", 31) if dtype == "INT32" else ("int64", 63)
    return f"{kind}({x}) if abs({x}) < float32({2.0**bits!r}) else {kind}({-(2**bits)})"


def steps_source(program: list, inputs: list[str]) -> list[str]:
    """A line a step, `t<j> = ...`. inputs: dtype names, INT8 where it is dequantised when it is read ("FLOAT" then)."""
    kinds, lines = {f"x{i}": kind for i, kind in enumerate(inputs)}, []
    for j, (name, operands, dtype) in enumerate(program):
        of = next((kinds[o] for o in operands if isinstance(o, str)), dtype)
        if name == "where":
            of = dtype
        worked = WORKED_IN.get(of, "int32")
        texts = [f"v{o[1:]}" if isinstance(o, str) and o[0] == "x" else o if isinstance(o, str) else number(o, worked)
                 for o in operands]  # fmt: skip
        text = f"{WORKED_IN.get(dtype, 'int32')}({expression(name, texts, dtype, of)})"
        lines.append(f"t{j} = float32(float16({text}))" if dtype == "HALF" else f"t{j} = {text}")
        kinds[f"t{j}"] = dtype
    return lines


def number(value: Any, kind: str) -> str:
    """A constant as source."""
    if kind == "boolean":
        return str(bool(value))
    if kind == "float32":
        value = float(value)
        text = "INFINITY" if value == math.inf else "-INFINITY" if value == -math.inf else repr(value)
        return f"float32({text})" if value == value else "NAN"
    return f"{kind}({int(value)})"


def place_of(i: int, where: str) -> tuple[str, list[str]]:
    """(index of input `i` as source, the parameters in it)"""
    if where == "wrapped":
        return f"i % x{i}_period", [f"x{i}_period"]
    strides = [f"x{i}_{axis}" for axis in range(AXES)] if where == "strided" else []
    return {"flat": "i", "one": "0"}.get(where) or " + ".join(f"c{a} * {s}" for a, s in enumerate(strides)), strides


def arguments_of(i: int, dtype: str, where: str) -> list[tuple[str, Any]]:
    """(name, numba type) of what the kernel is given for input `i`."""
    more = [(name, types.int64) for name in place_of(i, where)[1]]
    return [(f"x{i}", array(dtype)), (f"scale{i}", types.float32), *more]


def element_of(i: int, dtype: str, at: str) -> str:
    """The element of input `i` at an index as source: a number to compute with."""
    element = f"x{i}[{at}]"
    if dtype == "int8":
        return f"float32({element}) * scale{i}"
    return f"float32({element})" if dtype == "float16" else element


def pointwise(program: list, inputs: list, output: str, scaled: bool) -> tuple:
    """(kernel, signature, threads) for a program.

    inputs: (dtype, where) each; where: "flat" (as the output lies), "one" (a single element), "wrapped" (as its
    last axes lie, again and again) or "strided".
    output: dtype; scaled: whether it is int8 that is quantised.
    The kernel's arguments: y, count, y_scale, the output's last four sizes, then for each input: array, scale, and if
    it is wrapped its elements, if it is strided its five strides.
    """
    arguments = [*OUTPUT_ARGUMENTS, *(one for i, given in enumerate(inputs) for one in arguments_of(i, *given))]
    kinds = [array(output), *(kind for _, kind in arguments)]
    read = [f"v{i} = {element_of(i, dtype, place_of(i, where)[0])}" for i, (dtype, where) in enumerate(inputs)]
    steps = steps_source(program, [READ_AS[dtype] for dtype, _ in inputs])
    result = f"t{len(program) - 1}"
    stored = {
        "int8": f"saturate({result} / y_scale)" if scaled else f"int32({result})",
        "float16": f"float16({result})",
    }
    decode = DECODE if any(where == "strided" for _, where in inputs) else ()
    body = [*decode, *read, *steps, f"y[i] = {stored.get(output, result)}"]
    source = "\n".join([
        f"def pointwise(y, {', '.join(name for name, _ in arguments)}):",
        f"    first = int64(cuda.blockIdx.x) * (cuda.blockDim.x * {ELEMENTS_PER_THREAD}) + cuda.threadIdx.x",
        f"    for e in range({ELEMENTS_PER_THREAD}):",
        "        i = first + e * cuda.blockDim.x",
        "        if i < count:",
        *[f"            {line}" for line in body],
        "",
    ])  # fmt: skip
    return function_from(source, "pointwise", NAMES), types.void(*kinds), THREADS


def factory(program: str, inputs: list, output: str, scaled: bool) -> tuple:
    """(kernel, signature, threads); the program as JSON, since a kernel's key is plain data."""
    return pointwise(json.loads(program), inputs, output, scaled)


def _names() -> dict[str, Any]:
    """What generated source may use."""
    from minitrt.backend import cuda

    shift = float32(12582912.0)

    @inline
    def rint(v):
        """Half to even; beyond 2^22 every float32 is an integer but for halves that the shift rounds, too."""
        return v if not abs(v) < float32(4194304.0) else (v + shift) - shift

    return {
        "cuda": cuda, "math": math, "activations": activations, "float32": float32, "float64": float64, "int32": int32,
        "int64": int64, "uint8": uint8, "boolean": boolean, "float16": float16, "saturate": saturate, "larger": larger,
        "smaller": smaller, "power": power, "truncated": truncated, "floor_mod": floor_mod, "sign": sign,
        "remainder": remainder, "whole_mod": whole_mod, "whole_power": whole_power, "rint": rint,
        "INFINITY": float32(math.inf), "NAN": float32(math.nan),
    }  # fmt: skip


NAMES = _names()
