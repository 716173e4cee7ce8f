"""Programs of pointwise operations: what one `pointwise` operation computes for every element.

A program is plain data, a list of steps ``[operation, [operand, ...], dtype]``; the last step is the result:

    [["mul", ["x0", "x1"], "FLOAT"], ["add", ["t0", 0.5], "FLOAT"], ["relu", ["t1"], "FLOAT"]]

An operand is ``"x<i>"`` (input i), ``"t<j>"`` (result of step j) or a number (a constant of the other operands' type).
dtype names the step's result. Operands of one step have one type, but for `where` (its first is BOOL, its others and
numbers have the result's) and the target of `cast`. An INT8 input that has a scale is read as float32
``scale * stored``; a result that goes to an INT8 output with a scale is quantised, ``saturate(rint(v / scale))``, half
to even. HALF inputs are widened to float32, and steps marked "HALF" round their result to half.
"""

from __future__ import annotations

from typing import Any

Step = list[Any]

UNARY = (
    "abs acos acosh asin asinh atan atanh cast ceil cos cosh erf exp floor identity isinf isnan log neg not recip round"
    " sigmoid sign sin sinh softsign sqrt tan tanh relu silu gelu_erf gelu_tanh hard_swish mish"
).split()
BINARY = (
    "add sub mul div floor_div mod fmod pow max min and or xor equal greater less greater_equal less_equal"
    " bit_and bit_or bit_xor shift_left shift_right prelu"
).split()
TERNARY = "where clip".split()  # where(condition, yes, no); clip(x, low, high)
WITH_PARAMETERS = "leaky_relu elu selu softplus hard_sigmoid scaled_tanh thresholded_relu swish celu".split()
# their further operands are numbers: leaky_relu(x, alpha), elu(x, alpha), selu(x, alpha, gamma), softplus(x, alpha,
# beta) as alpha * log(1 + exp(beta * x)), hard_sigmoid(x, alpha, beta), scaled_tanh(x, alpha, beta) as alpha *
# tanh(beta * x), thresholded_relu(x, alpha), swish(x, alpha) as x * sigmoid(alpha * x), celu(x, alpha)


def inlined(program: list[Step], inner: list[Step], at: int, inputs: list[int]) -> list[Step]:
    """`program` with its input `at` replaced by `inner`'s result.

    inputs: for each input of `inner`, which input of the joint program it is. The other inputs of `program` keep their
    numbers, so the caller lists the joint inputs as: program's (one of them now unused), then inner's.
    """
    moved = [[op, [_moved(arg, inputs, 0) for arg in args], dtype] for op, args, dtype in inner]
    shift, result = len(inner), f"t{len(inner) - 1}"
    outer = [
        [op, [result if arg == f"x{at}" else _moved(arg, None, shift) for arg in args], dtype]
        for op, args, dtype in program
    ]
    return moved + outer


def _moved(arg: Any, inputs: list[int] | None, shift: int) -> Any:
    """An operand after renumbering its input (where `inputs` is given) or its step."""
    if not isinstance(arg, str):
        return arg
    number = int(arg[1:])
    if arg[0] == "t":
        return f"t{number + shift}"
    return arg if inputs is None else f"x{inputs[number]}"


def renumbered(program: list[Step], order: dict[int, int]) -> list[Step]:
    """The program with input i called ``x<order[i]>``."""
    return [
        [op, [f"x{order[int(a[1:])]}" if isinstance(a, str) and a[0] == "x" else a for a in args], dtype]
        for op, args, dtype in program
    ]


def inputs_read(program: list[Step]) -> set[int]:
    """The numbers of the inputs that some step reads."""
    return {int(a[1:]) for _, args, _ in program for a in args if isinstance(a, str) and a[0] == "x"}
