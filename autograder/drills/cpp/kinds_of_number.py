"""C's types of numbers, by NumPy's names, and what it does before it computes: promote, convert, wrap."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

BOOL = "boolean"
NAMES = {
    "bool": BOOL, "char": "int8", "signed char": "int8", "int8_t": "int8", "unsigned char": "uint8", "uint8_t": "uint8",
    "short": "int16", "int16_t": "int16", "unsigned short": "uint16", "uint16_t": "uint16", "int": "int32",
    "signed": "int32", "signed int": "int32", "int32_t": "int32", "unsigned": "uint32", "unsigned int": "uint32",
    "uint": "uint32", "uint32_t": "uint32", "long": "int64", "long int": "int64", "long long": "int64",
    "long long int": "int64", "int64_t": "int64", "ptrdiff_t": "int64", "unsigned long": "uint64", "size_t": "uint64",
    "unsigned long long": "uint64", "uint64_t": "uint64", "unsigned long long int": "uint64", "float": "float32",
    "double": "float64",
}  # fmt: skip
BITS = {"int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64, "uint64": 64}
FLOATS = ("float32", "float64")


@dataclass(frozen=True)
class Value:
    """An expression in Python whose value is exactly C's. kind: its type; known: the value where it is a constant."""

    code: str
    kind: str
    known: int | None = None


def kind_named(text: str) -> str | None:
    """The type that C++ calls so; None where it is none of numbers."""
    text = re.sub(r"\b(?:const|constexpr|static|volatile|std::|register)\b|std::", " ", text)
    words = text.split()
    if words and words[0] in ("long", "short", "int") and "unsigned" in words:
        words = ["unsigned", *[word for word in words if word != "unsigned"]]
    return NAMES.get(" ".join(words))


def is_float(kind: str) -> bool:
    return kind in FLOATS


def is_signed(kind: str) -> bool:
    return kind.startswith("int")


def promoted(kind: str) -> str:
    """What small integers become before any arithmetic."""
    return "int32" if kind == BOOL or BITS.get(kind, 64) < 32 else kind


def common(one: str, other: str) -> str:
    """The type in which C computes with two numbers."""
    for kind in reversed(FLOATS):
        if kind in (one, other):
            return kind
    one, other = promoted(one), promoted(other)
    if one == other or BITS[one] > BITS[other]:
        return one
    if BITS[other] > BITS[one]:
        return other
    return other if is_signed(one) else one


def wrapped(number: int, kind: str) -> int:
    """A whole number as that type holds it."""
    bits = BITS[kind]
    number &= (1 << bits) - 1
    return number - (1 << bits) if is_signed(kind) and number >> (bits - 1) else number


def whole(number: int, kind: str) -> Value:
    """A constant."""
    number = wrapped(number, kind)
    return Value(f"({number})" if number < 0 else str(number), kind, number)


def converted(value: Value, kind: str) -> Value:
    """The value as another type, as an assignment or a cast makes it."""
    if value.kind == kind:
        return value
    if kind == BOOL:
        return truth(value)
    if value.known is not None and kind in BITS:
        return whole(value.known, kind)
    return Value(f"{kind}({value.code})", kind)


def declared(value: Value, kind: str) -> str:
    """What a variable of that type is set to: a bare constant would have a type of its own in Python."""
    found = converted(value, kind)
    return f"{kind}({found.code})" if found.known is not None and kind in BITS else found.code


def truth(value: Value) -> Value:
    """The value as a condition."""
    if value.kind == BOOL:
        return value
    return Value(f"({value.code} != 0)", BOOL)


def arithmetic(operator: str, one: Value, other: Value) -> Value:
    """+ - * / % & | ^ of two numbers."""
    kind = common(one.kind, other.kind)
    left, right = converted(one, kind), converted(other, kind)
    if is_float(kind):
        return Value(f"({left.code} {operator} {right.code})", kind)
    if left.known is not None and right.known is not None and (operator not in "/%" or right.known):
        return whole(_folded(operator, left.known, right.known), kind)
    if operator in "/%" and is_signed(kind):
        helper = {"/": "c_quotient", "%": "c_remainder"}[operator]
        return Value(f"{kind}({helper}({left.code}, {right.code}))", kind)
    sign = "//" if operator == "/" else operator
    return Value(f"{kind}({left.code} {sign} {right.code})", kind)


def _folded(operator: str, left: int, right: int) -> int:
    if operator in "/%":
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    return {
        "+": left + right, "-": left - right, "*": left * right,
        "&": left & right, "|": left | right, "^": left ^ right,
    }[operator]  # fmt: skip


def shifted(operator: str, one: Value, other: Value) -> Value:
    """<< and >>: the type is that of the left side alone."""
    kind = promoted(one.kind)
    left = converted(one, kind)
    if left.known is not None and other.known is not None:
        number = left.known << other.known if operator == "<<" else left.known >> other.known
        return whole(number, kind)
    return Value(f"{kind}({left.code} {operator} {other.code})", kind)


def compared(operator: str, one: Value, other: Value) -> Value:
    """A comparison, in the common type: -1 < 1u is false."""
    kind = common(one.kind, other.kind)
    left, right = converted(one, kind), converted(other, kind)
    return Value(f"({left.code} {operator} {right.code})", BOOL)


def negated(value: Value) -> Value:
    """Unary minus."""
    kind = promoted(value.kind)
    if value.known is not None:
        return whole(-value.known, kind)
    code = f"(-{converted(value, kind).code})"
    return Value(code if is_float(kind) else f"{kind}{code}", kind)


def inverted(value: Value) -> Value:
    """Unary ~."""
    kind = promoted(value.kind)
    if value.known is not None:
        return whole(~value.known, kind)
    return Value(f"{kind}(~{converted(value, kind).code})", kind)


def constant(value: Value) -> Value:
    """A name of the constant itself; the value where it is known."""
    return replace(value, code=str(value.known)) if value.known is not None and value.known >= 0 else value
