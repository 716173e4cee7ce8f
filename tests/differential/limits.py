"""Keeps signed integers from overflowing, which numba-cuda declares undefined: its compiler then assumes that a square
is not negative, or that an index stays inside. Unsigned integers wrap round; narrowing conversions cut off bits.

Every integer expression knows a width that its magnitude fits. What is stored in an int64 fits STORED bits; what loops
add to it leaves it below VARIABLE bits.
"""

from __future__ import annotations

from .expr import Expr, width_of

STORED, VARIABLE, ADDED, FACTOR = 40, 46, 32, 15
MODULUS = 1_000_003


def limited(w, value: Expr, most: int) -> Expr:
    """The value if it fits so many bits, else something of it that does."""
    if value.bits <= most:
        return value
    if most < 8:
        return Expr(f"({value.text} % 100)", "int64", bits=7)
    if w.portable or w.choices.chance(30):
        modulus, bits = (MODULUS, 20) if most >= 20 else (100, 7)
        return Expr(f"(int64({value.text}) % {modulus})", "int64", bits=bits)
    kind = "int32" if most >= 31 else "int16" if most >= 15 else "int8"
    return Expr(f"{kind}({value.text})", kind, bits=width_of(kind))


def fits(kind: str, value_bits: int) -> int:
    """The width of a value after conversion to a type."""
    return min(width_of(kind), value_bits) if kind.startswith("i") else width_of(kind)
