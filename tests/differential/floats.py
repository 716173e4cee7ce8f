"""float64 and float32 expressions whose every operation rounds to nearest, on the GPU as in NumPy.

A product or quotient is never added to anything: a compiler may fuse the two and round once. It goes through
something that stops the fusion first.
"""

from __future__ import annotations

import numpy as np

from .expr import Expr, result_of, unified
from .integers import call_of
from .leaves import float_leaf

FLOAT_TYPES = ("float64", "float32")


def floating(w, depth: int) -> Expr:
    """A float64 or float32."""
    if depth <= 0 or w.choices.chance(15):
        return float_leaf(w, depth)
    operations = [sum_or_difference, sum_or_difference, product, product, quotient, of_integer, function, sign]
    operations += [exact_product, conditional, modulo, square, conversion]
    if not w.portable:  # Python's min and max keep a NaN
        operations += [choice, fused, least_or_greatest]
    if any(f.result in FLOAT_TYPES for f in w.scope.functions):
        operations.append(call)
    return w.choices.pick(operations)(w, depth - 1)


def unfused(w, value: Expr) -> Expr:
    """The value, in a form that no addition can be fused with."""
    if not value.product:
        return value
    if value.type == "float64" and w.choices.chance(30) and not w.portable:
        return Expr(f"float32({value.text})", "float32")
    form = "abs({})" if w.portable else w.choices.pick(("abs({})", "max({}, {})", "min({}, {})"))
    if form.startswith("abs"):
        return Expr(form.format(value.text), value.type)
    return Expr(form.format(value.text, f"{value.type}({w.choices.pick((1, -3, 2, -1))})"), value.type)


def sum_or_difference(w, depth: int) -> Expr:
    symbol = w.choices.pick(("+", "-"))
    left, right = unfused(w, w.floating(depth)), operand(w, depth)
    if w.choices.chance(30):
        left, right = right, left
    return Expr(f"({left.text} {symbol} {right.text})", result_of(symbol, left.type, right.type))


def operand(w, depth: int) -> Expr:
    """The other operand: a float, or sometimes an integer."""
    return w.integer(depth) if w.choices.chance(25) else unfused(w, w.floating(depth))


def product(w, depth: int) -> Expr:
    left, right = w.floating(depth), operand(w, depth)
    return Expr(f"({left.text} * {right.text})", result_of("*", left.type, right.type), product=True)


def exact_product(w, depth: int) -> Expr:
    """A product that fits: of two float32 in float64."""
    if w.portable:
        return product(w, depth)
    parts = [unfused(w, w.floating(depth)).text for _ in range(2)]
    return Expr(f"(float64(float32({parts[0]})) * float64(float32({parts[1]})))", "float64")


def quotient(w, depth: int) -> Expr:
    """Division by anything; by zero it gives an infinity or NaN."""
    left = w.integer(depth) if w.choices.chance(25) else w.floating(depth)
    right = operand(w, depth)
    return Expr(f"({left.text} / {right.text})", result_of("/", left.type, right.type), product=True)


def modulo(w, depth: int) -> Expr:
    """// or % by a power of two, which is exact."""
    symbol = w.choices.pick(("%", "//"))
    value = unfused(w, w.floating(depth))
    by = w.choices.pick(("2.0", "1.0", "0.5", "8.0", "-4.0"))
    kind = value.type
    return Expr(f"({value.text} {symbol} {kind}({by}))", result_of(symbol, kind, kind), product=symbol == "//")


def square(w, depth: int) -> Expr:
    value = w.floating(depth)
    return Expr(f"({value.text} ** 2)", value.type, product=True)


def function(w, depth: int) -> Expr:
    """A function of math that is rounded exactly."""
    value = unfused(w, w.floating(depth))
    names = ["fabs", "sqrt"] if w.portable else ["floor", "ceil", "trunc", "fabs", "sqrt"]
    name = w.choices.pick((*names, "copysign", "fmod", "ldexp"))
    kind, number = value.type, value.text
    if name == "copysign":
        other = w.integer(depth)
        text = f"math.copysign({number}, {kind}({other.text}))"
    elif name == "fmod":
        other = f"({w.integer(depth).text} & 15) + 1" if w.portable else unfused(w, w.floating(depth)).text
        number = f"({number} if -1e6 < {number} < 1e6 else {kind}(1))" if w.portable else number
        text = f"math.fmod({number}, {kind}({other}))"
    elif name == "ldexp":
        number = f"({number} if -1e6 < {number} < 1e6 else {kind}(1))"
        text = f"math.ldexp({number}, {w.choices.between(-8, 8)})"
    elif name == "sqrt":
        number = f"abs({number})" if w.portable or w.choices.chance(70) else number
        text = f"math.sqrt({number})"
    else:
        text = f"math.{name}({number})"
    if w.portable:
        text = f"float64({text})"
    return Expr(text, kind)


def sign(w, depth: int) -> Expr:
    value = w.floating(depth)
    form = w.choices.pick(("(-{})", "abs({})", "(+{})"))
    return Expr(form.format(value.text), value.type, product=value.product and not form.startswith("abs"))


def least_or_greatest(w, depth: int) -> Expr:
    """min or max of two of one type; which zero wins depends on whether the compiler knows them, so both are 0.0."""
    name = w.choices.pick(("min", "max"))
    left, right = (without_minus_zero(w.floating(depth)) for _ in range(2))
    if left.type != right.type:  # numba's own min and max do not compile for these
        right = Expr(f"{left.type}({right.text})", left.type)
    return Expr(f"{name}({left.text}, {right.text})", left.type)


def without_minus_zero(value: Expr) -> Expr:
    text = f"abs({value.text})" if value.product else f"({value.text} + {value.type}(0))"
    return Expr(text, value.type)


def conditional(w, depth: int) -> Expr:
    condition, left = w.condition(depth), w.floating(depth)
    right = w.integer(depth) if w.choices.chance(20) and not w.portable else w.floating(depth)
    text = f"({left.text} if {condition.text} else {right.text})"
    return Expr(text, unified(left.type, right.type), product=left.product or right.product)


def choice(w, depth: int) -> Expr:
    """cuda.selp, of two values of one type."""
    left, right = w.floating(depth), unfused(w, w.floating(depth))
    text = f"cuda.selp({w.condition(depth).text}, {left.text}, {left.type}({right.text}))"
    return Expr(text, left.type, product=left.product)


def fused(w, depth: int) -> Expr:
    """cuda.fma rounds once."""
    kind = w.choices.pick(FLOAT_TYPES)
    parts = [f"{kind}({unfused(w, w.floating(depth)).text})" for _ in range(3)]
    return Expr(f"cuda.fma({', '.join(parts)})", kind)


def of_integer(w, depth: int) -> Expr:
    value = w.integer(depth)
    kind = "float64" if w.portable else w.choices.pick(FLOAT_TYPES)
    return Expr(f"{kind}({value.text})", kind)


def conversion(w, depth: int) -> Expr:
    kind = "float64" if w.portable else w.choices.pick(FLOAT_TYPES)
    value = w.floating(depth)
    form = "np.{}({})" if w.choices.chance(25) else "{}({})"
    narrower = np.dtype(kind).itemsize < value.dtype.itemsize
    return Expr(form.format(kind, value.text), kind, product=value.product and not narrower)


def call(w, depth: int) -> Expr:
    """A device function that returns a float."""
    return call_of(w, w.choices.pick([f for f in w.scope.functions if f.result in FLOAT_TYPES]), depth)
