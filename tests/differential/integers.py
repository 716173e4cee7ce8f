"""Whole-number expressions of every width, in the types numba gives them, without undefined behaviour."""

from __future__ import annotations

import re

from .expr import Expr, is_integer, promoted, result_of, unified
from .leaves import integer_leaf, name_of

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
    """The value, in a form that CPython does not compute before numba sees it, with more than 64 bits."""
    return Expr(f"int64({value.text})", "int64") if LITERAL.fullmatch(value.text) else value


def arithmetic(w, depth: int) -> Expr:
    symbol = w.choices.pick(("+", "-", "*"))
    left, right = computed(w.integer(depth)), w.integer(depth)
    return Expr(f"({left.text} {symbol} {right.text})", result_of(symbol, left.type, right.type))


def bitwise(w, depth: int) -> Expr:
    symbol = w.choices.pick(("&", "|", "^"))
    left, right = computed(w.integer(depth)), w.integer(depth)
    return Expr(f"({left.text} {symbol} {right.text})", result_of(symbol, left.type, right.type))


def shift(w, depth: int) -> Expr:
    """A shift by 0 to 63, the width in which numba shifts."""
    symbol = w.choices.pick((">>", "<<"))
    value = computed(w.integer(depth))
    by = str(w.choices.between(0, 63)) if w.choices.chance(50) else f"({w.integer(depth).text} & 63)"
    return Expr(f"({value.text} {symbol} {by})", result_of(symbol, value.type, "int64"))


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
    return Expr(f"({left.text} {symbol} {right.text})", result_of(symbol, left.type, right.type))


def power(w, depth: int) -> Expr:
    """A small power; it wraps round."""
    base = computed(w.integer(depth))
    exponent = str(w.choices.between(0, 4)) if w.choices.chance(70) else f"({w.integer(depth).text} & 3)"
    if w.choices.chance(20) and not w.portable:
        return Expr(f"pow({base.text}, {exponent})", result_of("**", base.type, "int64"))
    return Expr(f"({base.text} ** {exponent})", result_of("**", base.type, "int64"))


def unary(w, depth: int) -> Expr:
    value = w.integer(depth)
    form = w.choices.pick(("(-{})", "(~{})", "abs({})", "(+{})"))
    widened = "uint64" if value.type.startswith("u") else "int64"
    if form == "abs({})":
        if value.type.startswith("u"):
            value = Expr(f"int64({value.text})", "int64")
        widened = value.type
    return Expr(form.format(value.text), widened)


def conversion(w, depth: int) -> Expr:
    """``int8(x)`` keeps the low bits."""
    wanted = w.choices.pick(w.integer_types)
    form = "np.{}({})" if w.choices.chance(25) else "{}({})"
    return Expr(form.format(wanted, w.integer(depth).text), wanted)


def least_or_greatest(w, depth: int) -> Expr:
    """min or max; uint64 beside a signed type would be compared as float64."""
    name = w.choices.pick(("min", "max"))
    left, right = w.integer(depth), w.integer(depth)
    if not is_integer(promoted(left.type, right.type)):
        right = Expr(f"{left.type}({right.text})", left.type)
    kind = promoted(left.type, right.type)
    if w.choices.chance(15) and not w.portable:
        third = Expr(f"{kind}({w.integer(depth).text})", kind)
        return Expr(f"{name}({left.text}, {right.text}, {third.text})", kind)
    return Expr(f"{name}({left.text}, {right.text})", kind)


def conditional(w, depth: int) -> Expr:
    condition, left, right = w.condition(depth), w.integer(depth), w.integer(depth)
    if not is_integer(unified(left.type, right.type)):
        right = Expr(f"{left.type}({right.text})", left.type)
    text = f"({left.text} if {condition.text} else {right.text})"
    return Expr(text, unified(left.type, right.type))


def bit_count(w, depth: int) -> Expr:
    """An intrinsic on bits, of a type all of them take."""
    name = w.choices.pick(("popc", "clz", "brev", "ffs"))
    kinds = ("uint32", "uint64") if name == "brev" else ("int32", "int64", "uint32", "uint64")
    kind = w.choices.pick(kinds)
    return Expr(f"int64(cuda.{name}({kind}({w.integer(depth).text})))", "int64")


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
    return Expr(f"({text} if {test} else {kind}({w.choices.between(0, 9)}))", kind)


def item_of_tuple(w, depth: int) -> Expr:
    """An element of a tuple of one type, chosen at run time."""
    kind = w.choices.pick(w.integer_types)
    items = [f"{kind}({w.integer(depth).text})" for _ in range(w.choices.between(2, 3))]
    position = w.integer(depth).text
    return Expr(f"({', '.join(items)})[{position} % {len(items)}]", kind)


def call(w, depth: int) -> Expr:
    """A device function that returns an integer."""
    return call_of(w, w.choices.pick([f for f in w.scope.functions if is_integer(f.result)]), depth)


def call_of(w, function, depth: int) -> Expr:
    """A call with arguments of the types the function was written for."""
    arguments = [w.of_type(kind, min(depth, 1)).text for kind in function.parameters]
    return Expr(f"{function.name}({', '.join(arguments)})", function.result)


def of_condition(w, depth: int) -> Expr:
    """A truth value in arithmetic."""
    flag = name_of(w, lambda kind: kind == "bool") or w.condition(depth)
    if w.choices.chance(50):
        kind = w.choices.pick(w.integer_types)
        return Expr(f"{kind}({flag.text})", kind)
    right = w.integer(depth)
    return Expr(f"({flag.text} + {right.text})", result_of("+", "bool", right.type))
