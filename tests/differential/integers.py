"""Whole-number expressions of every width, in the types numba gives them, without undefined behaviour."""

from __future__ import annotations

import re

from .expr import Expr, is_integer, promoted, result_of, unified, width_of
from .leaves import integer_leaf, name_of
from .limits import STORED, fits, limited

LITERAL = re.compile(r"[-+~()\d]+")


def integer(w, depth: int) -> Expr:
    """An integer of any type."""
    if depth <= 0 or w.choices.chance(20):
        return integer_leaf(w, depth)
    operations = [arithmetic, arithmetic, bitwise, division, unary, conversion, least_or_greatest, conditional, shift]
    operations.append(power)
    if w.has("bits"):
        operations.append(bit_count)
    if w.has("floats"):
        operations.append(of_float)
    if w.has("tuples"):
        operations.append(item_of_tuple)
    if any(is_integer(function.result) for function in w.scope.functions):
        operations.append(call)
    if not w.portable:
        operations.append(of_condition)
    return w.choices.pick(operations)(w, depth - 1)


def computed(value: Expr) -> Expr:
    """The value, in a form that neither CPython computes before numba sees it, nor numba before it types."""
    return Expr(f"int64({value.text})", "int64", bits=value.bits) if LITERAL.fullmatch(value.text) else value


def arithmetic(w, depth: int) -> Expr:
    """A sum, difference or product: of unsigned operands it wraps round, of others it fits."""
    symbol = w.choices.pick(("+", "-", "*"))
    left, right = computed(w.integer(depth)), w.integer(depth)
    if result_of(symbol, left.type, right.type) == "uint64":
        return Expr(f"({left.text} {symbol} {right.text})", "uint64")
    if w.has("unsigned") and w.choices.chance(25):
        return Expr(f"(uint64({left.text}) {symbol} uint64({right.text}))", "uint64")
    if symbol == "*" and left.bits + right.bits > 62:
        left, right = limited(w, left, 31), limited(w, right, 31)
    left, right = limited(w, left, 61), limited(w, right, 61)
    bits = left.bits + right.bits if symbol == "*" else max(left.bits, right.bits) + 1
    return Expr(f"({left.text} {symbol} {right.text})", result_of(symbol, left.type, right.type), bits=bits)


def bitwise(w, depth: int) -> Expr:
    symbol = w.choices.pick(("&", "|", "^"))
    left, right = computed(w.integer(depth)), w.integer(depth)
    bits = max(left.bits, right.bits) + 1
    return Expr(f"({left.text} {symbol} {right.text})", result_of(symbol, left.type, right.type), bits=bits)


def shift(w, depth: int) -> Expr:
    """A shift by 0 to 63, the width in which numba shifts."""
    symbol = w.choices.pick((">>", "<<"))
    value = computed(w.integer(depth))
    by = str(w.choices.between(0, 63)) if w.choices.chance(50) else f"({w.integer(depth).text} & 63)"
    bits = value.bits if symbol == ">>" else 64
    return Expr(f"({value.text} {symbol} {by})", result_of(symbol, value.type, "int64"), bits=bits)


def divisor(w, depth: int) -> str:
    """An int64 that is neither 0 nor -1: the smallest number divided by -1 has no answer."""
    if w.choices.chance(60):
        value = w.choices.pick((2, 3, 1, 7, 10, 16, 1000, -2, -3, -7))
        return f"({value})" if value < 0 else str(value)
    value = w.integer(depth).text
    return f"(({value} & 7) + 1)" if w.choices.chance(60) else f"(-2 - ({value} & 7))"


def division(w, depth: int) -> Expr:
    """// or %, which round towards minus infinity in numba as in Python."""
    symbol = w.choices.pick(("//", "%"))
    left = computed(w.integer(depth))
    if left.type.startswith("u") and w.choices.chance(60):
        right = Expr(f"{left.type}(({w.integer(depth).text} & 7) + 1)", left.type)
    else:
        right = Expr(divisor(w, depth), "int64")
    bits = left.bits if symbol == "//" else 10
    return Expr(f"({left.text} {symbol} {right.text})", result_of(symbol, left.type, right.type), bits=bits)


def power(w, depth: int) -> Expr:
    """A small power; numba-cuda computes it in int64 and rounds it to float64 and back."""
    base = computed(w.integer(depth))
    exponent, most = w.choices.between(0, 6), 52 if w.portable else 62
    text = str(exponent)
    if w.choices.chance(30):
        exponent, text = 3, f"({w.integer(depth).text} & 3)"
    base = limited(w, base, most // max(exponent, 1))
    form = "pow({}, {})" if w.choices.chance(20) and not w.portable else "({} ** {})"
    kind = result_of("**", base.type, "int64")
    return Expr(form.format(base.text, text), kind, bits=max(base.bits * exponent, 1))


def unary(w, depth: int) -> Expr:
    value = w.integer(depth)
    form = w.choices.pick(("(-{})", "(~{})", "abs({})", "(+{})"))
    if form != "abs({})":
        if form == "(-{})" and value.type in ("int8", "int16"):  # as with abs, below
            value = Expr(f"{value.type}({value.text} | 1)", value.type, bits=value.bits)
        unsigned = value.type.startswith("u")
        bits = width_of(value.type) if unsigned else value.bits + 1
        return Expr(form.format(value.text), "uint64" if unsigned else "int64", bits=bits)
    if value.type != "int64":  # the absolute value of the smallest int16 fits the H200's register, but not the type
        value = Expr(f"int64({value.text})", "int64", bits=min(value.bits, 63))
    value = limited(w, value, 62)
    kind = "int64" if value.type == "int64" else "int32"
    return Expr(f"abs({kind}({value.text}))", kind, bits=value.bits)


def conversion(w, depth: int) -> Expr:
    """``int8(x)`` keeps the low bits."""
    wanted, value = w.choices.pick(w.integer_types), w.integer(depth)
    form = "np.{}({})" if w.choices.chance(25) else "{}({})"
    return Expr(form.format(wanted, value.text), wanted, bits=fits(wanted, value.bits))


def least_or_greatest(w, depth: int) -> Expr:
    """min or max; uint64 beside a signed type would be compared as float64."""
    name = w.choices.pick(("min", "max"))
    left, right = w.integer(depth), w.integer(depth)
    if not is_integer(promoted(left.type, right.type)):
        right = Expr(f"{left.type}({right.text})", left.type, bits=fits(left.type, right.bits))
    kind, bits = promoted(left.type, right.type), max(left.bits, right.bits)
    if w.choices.chance(15) and not w.portable:
        third = w.integer(depth)
        bits = max(bits, fits(kind, third.bits))
        return Expr(f"{name}({left.text}, {right.text}, {kind}({third.text}))", kind, bits=bits)
    return Expr(f"{name}({left.text}, {right.text})", kind, bits=bits)


def conditional(w, depth: int) -> Expr:
    condition, left, right = w.condition(depth), w.integer(depth), w.integer(depth)
    if not is_integer(unified(left.type, right.type)):
        right = Expr(f"{left.type}({right.text})", left.type, bits=fits(left.type, right.bits))
    text = f"({left.text} if {condition.text} else {right.text})"
    return Expr(text, unified(left.type, right.type), bits=max(left.bits, right.bits))


def bit_count(w, depth: int) -> Expr:
    """An intrinsic on bits, of a type all of them take."""
    name = w.choices.pick(("popc", "clz", "brev", "ffs"))
    kinds = ("uint32", "uint64") if name == "brev" else ("int32", "int64", "uint32", "uint64")
    kind = w.choices.pick(kinds)
    text = f"int64(cuda.{name}({kind}({w.integer(depth).text})))"
    return Expr(text, "int64", bits=63 if name == "brev" else 7)


def of_float(w, depth: int) -> Expr:
    """A float made whole, where it is in range; NaN and what is too large take the other side."""
    value = w.floating(depth)
    convert = w.choices.pick(("int", "round", "int32", "int64", "uint8", "int8"))
    if w.portable:
        convert = w.choices.pick(("int", "round"))
    bounds = "0 <= {0} < 200" if convert == "uint8" else "-100 < {0} < 100"
    test = bounds.format(value.text)
    kind = "int64" if convert in ("int", "round") else convert
    text = f"{convert}({value.text})"
    if w.portable:
        text = f"int64({text})"
    return Expr(f"({text} if {test} else {kind}({w.choices.between(0, 9)}))", kind, bits=8)


def item_of_tuple(w, depth: int) -> Expr:
    """An element of a tuple of one type, chosen at run time."""
    kind = w.choices.pick(w.integer_types)
    items = [f"{kind}({w.integer(depth).text})" for _ in range(w.choices.between(2, 3))]
    position = computed(w.integer(depth)).text
    return Expr(f"({', '.join(items)})[{position} % {len(items)}]", kind, bits=width_of(kind))


def call(w, depth: int) -> Expr:
    """A device function that returns an integer."""
    return call_of(w, w.choices.pick([f for f in w.scope.functions if is_integer(f.result)]), depth)


def call_of(w, function, depth: int) -> Expr:
    """A call with arguments of the types the function was written for."""
    arguments = [w.of_type(kind, min(depth, 1)).text for kind in function.parameters]
    bits = STORED if function.result == "int64" else 64
    return Expr(f"{function.name}({', '.join(arguments)})", function.result, bits=bits)


def of_condition(w, depth: int) -> Expr:
    """A truth value in arithmetic."""
    flag = name_of(w, lambda kind: kind == "bool") or w.condition(depth)
    if w.choices.chance(50):
        kind = w.choices.pick(w.integer_types)
        return Expr(f"{kind}({flag.text})", kind, bits=1)
    right = limited(w, w.integer(depth), 61)
    return Expr(f"({flag.text} + {right.text})", result_of("+", "bool", right.type), bits=right.bits + 1)
