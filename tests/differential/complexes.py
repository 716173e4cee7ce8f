"""Complex expressions whose parts stay whole numbers of quarters that fit, so that every operation is exact."""

from __future__ import annotations

from .expr import EXACT_BITS, Expr, result_of
from .leaves import complex_leaf

BITS_OF_VARIABLE = 9  # what a variable or an array may hold: quarters up to 32, and their sign


def complex_number(w, depth: int) -> Expr:
    """A complex64 or complex128."""
    if depth <= 0 or w.choices.chance(20):
        return complex_leaf(w, depth)
    return w.choices.pick((addition, product, negative, conjugate, of_parts, conditional, widened))(w, depth - 1)


def fitting(value: Expr, wanted: str) -> Expr:
    """The value, or 1 where its parts might not fit the type."""
    return value if value.bits <= EXACT_BITS[wanted] else Expr(f"{wanted}(1)", wanted, bits=3)


def addition(w, depth: int) -> Expr:
    symbol = w.choices.pick(("+", "-"))
    left, right = w.complex_number(depth), w.complex_number(depth)
    result = result_of(symbol, left.type, right.type)
    value = Expr(f"({left.text} {symbol} {right.text})", result, bits=max(left.bits, right.bits) + 1)
    return fitting(value, result)


def product(w, depth: int) -> Expr:
    left, right = w.complex_number(depth), w.complex_number(depth)
    result = result_of("*", left.type, right.type)
    return fitting(Expr(f"({left.text} * {right.text})", result, bits=left.bits + right.bits + 1), result)


def negative(w, depth: int) -> Expr:
    value = w.complex_number(depth)
    return Expr(f"(-{value.text})", value.type, bits=value.bits)


def conjugate(w, depth: int) -> Expr:
    value = w.complex_number(depth)
    return Expr(f"{value.text}.conjugate()", value.type, bits=value.bits)


def of_parts(w, depth: int) -> Expr:
    """Of two small whole numbers."""
    parts = [f"float64({w.integer(depth).text} % 16)" for _ in range(2)]
    return Expr(f"complex({parts[0]}, {parts[1]})", "complex128", bits=7)


def conditional(w, depth: int) -> Expr:
    left, right = w.complex_number(depth), w.complex_number(depth)
    right = right if right.type == left.type else Expr(f"{left.type}(2j)", left.type, bits=4)
    text = f"({left.text} if {w.condition(depth).text} else {right.text})"
    return Expr(text, left.type, bits=max(left.bits, right.bits))


def widened(w, depth: int) -> Expr:
    value = w.complex_number(depth)
    return Expr(f"complex128({value.text})", "complex128", bits=value.bits)


def part(w, depth: int) -> Expr:
    """The real or the imaginary part: a float that is exact."""
    value = w.complex_number(depth)
    kind = "float64" if value.type == "complex128" else "float32"
    return Expr(f"{value.text}.{w.choices.pick(('real', 'imag'))}", kind)


def stored(w, wanted: str, depth: int) -> Expr:
    """A complex number that a variable may keep: one whose parts are small again."""
    value = w.complex_number(depth)
    if value.bits > BITS_OF_VARIABLE:
        parts = [f"({value.text}.{name} // 1.0) % 8.0" for name in ("real", "imag")]
        value = Expr(f"complex({parts[0]}, {parts[1]})", "complex128", bits=6)
    return value if value.type == wanted else Expr(f"{wanted}({value.text})", wanted, bits=value.bits)
