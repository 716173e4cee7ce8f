"""Expressions in one way of many: constants worked out, commuting operands in order, comparisons by < and <=."""

from __future__ import annotations

from functools import reduce

from autograder.drills.structure.forms import COMMUTE, ZERO, Form, is_num, num, parts, rebuilt

FLIPPED = {">": "<", ">=": "<="}
NEGATED = {"==": "!=", "!=": "=="}
POINTER_CASTS = {"void**", "const void**", "void*", "const void*"}  # change nothing that a card asks about
FLOAT_NAMES = {"float32": "f", "float": "f", "float64": "d", "double": "d"}
INTEGER_CASTS = {"int32", "int64", "uint32", "uint64", "intp", "int"}
WIDTHS = {"float4": 4, "int4": 4, "uint4": 4, "float2": 2, "int2": 2, "double2": 2}
ROUNDINGS = {"fmaxf": "max", "fminf": "min", "fmax": "max", "fmin": "min", "maximum": "max", "minimum": "min"}


def simplified(form: Form) -> Form:
    """The form with every expression in it made plain."""
    return rebuilt(form, _plain)


def _plain(form: Form) -> Form:
    """One node whose parts are plain already."""
    if not form or not isinstance(form[0], str):
        return form
    handler = HANDLERS.get(form[0])
    return handler(form) if handler else form


def _unary(form: Form) -> Form:
    operator, inside = form[0][-1], form[1]
    if operator == "!":
        return negated(inside)
    if operator == "-":
        return num(-inside[1], inside[2]) if is_num(inside) else _product(("*", num(-1), inside))
    if operator == "~" and is_num(inside, "i"):
        return num(0xFFFFFFFF if inside[1] == 0 else ~inside[1])  # of 32 bits, which a mask has
    return inside if operator == "+" else form


def negated(form: Form) -> Form:
    """The negation of a condition; of a comparison, the other comparison."""
    if form[0] == "<":
        return _comparison(("<=", form[2], form[1]))
    if form[0] == "<=":
        return _comparison(("<", form[2], form[1]))
    if form[0] in NEGATED:
        return (NEGATED[form[0]], *form[1:])
    if form[0] in ("&&", "||"):
        return _commuting(("||" if form[0] == "&&" else "&&", *map(negated, form[1:])))
    return form[1] if form[0] == "!" else ("!", form)


def flattened(form: Form) -> list[Form]:
    """The operands of a chain: a + (b + c) has three."""
    return [part for each in form[1:] for part in (each[1:] if each[0] == form[0] else (each,))]


def _commuting(form: Form) -> Form:
    operands = flattened(form)
    if form[0] in ("&&", "||", "max", "min"):
        operands = list(dict.fromkeys(operands))
    if len(operands) == 1:
        return operands[0]
    return (form[0], *sorted(operands, key=repr))


def _sum(form: Form) -> Form:
    """Whole numbers added up; floats stay where they are, since their kind matters."""
    operands = flattened(form)
    whole = sum(each[1] for each in operands if is_num(each, "i"))
    rest = [each for each in operands if not is_num(each, "i")]
    opposite = {repr(_product(("*", num(-1), each))): each for each in rest if not is_num(each)}
    for each in list(rest):
        twin = opposite.get(repr(each))
        if twin in rest and each in rest and each[0] != "call":
            rest.remove(each)
            rest.remove(twin)
    rest += [num(whole)] if whole or not rest else []
    return rest[0] if len(rest) == 1 else ("+", *sorted(rest, key=repr))


def _difference(form: Form) -> Form:
    one, other = form[1:]
    if is_num(one, "f", "d") and is_num(other, "f", "d"):
        return num(one[1] - other[1], _wider(one[2], other[2]))
    return _sum(("+", one, _product(("*", num(-1), other)) if not is_num(other) else num(-other[1], other[2])))


def _product(form: Form) -> Form:
    operands = flattened(form)
    whole = reduce(lambda so_far, each: so_far * each[1], (each for each in operands if is_num(each, "i")), 1)
    rest = [each for each in operands if not is_num(each, "i")]
    if len(rest) == 1 and is_num(rest[0]) and whole == -1:
        return num(-rest[0][1], rest[0][2])
    if len(rest) == 1 and rest[0][0] == "+" and whole == -1:
        return _sum(("+", *(_product(("*", num(-1), each)) for each in rest[0][1:])))
    rest += [num(whole)] if whole != 1 or not rest else []
    return rest[0] if len(rest) == 1 else ("*", *sorted(rest, key=repr))


def _wider(one: str, other: str) -> str:
    return max(one, other, key="ifd".index)


def _quotient(form: Form) -> Form:
    one, other = form[1:]
    if is_num(one, "i") and is_num(other, "i") and other[1] and one[1] >= 0 < other[1]:
        return num(one[1] // other[1])
    return one if other == num(1) else form


def _remainder(form: Form) -> Form:
    one, other = form[1:]
    if is_num(one, "i") and is_num(other, "i") and other[1]:
        return num(one[1] % other[1])
    return form


def _right_shift(form: Form) -> Form:
    """By a constant: a division by a power of two."""
    one, other = form[1:]
    if not is_num(other, "i") or not 0 <= other[1] < 64:
        return form
    if is_num(one, "i"):
        return num(one[1] >> other[1])
    return _quotient(("/", one, num(1 << other[1])))


def _left_shift(form: Form) -> Form:
    one, other = form[1:]
    return _product(("*", one, num(1 << other[1]))) if is_num(other, "i") and 0 <= other[1] < 64 else form


def _mask(form: Form) -> Form:
    """x & 31 is x % 32 for the whole numbers of an index."""
    operands = flattened(form)
    numbers = [each for each in operands if is_num(each, "i")]
    if len(operands) == 2 and len(numbers) == 1 and numbers[0][1] > 0 and not numbers[0][1] & (numbers[0][1] + 1):
        (other,) = [each for each in operands if each is not numbers[0]]
        return ("%", other, num(numbers[0][1] + 1))
    return _commuting(form)


def _comparison(form: Form) -> Form:
    """By < and <=; among whole numbers, i <= n - 1 is i < n."""
    operator, one, other = form[0], form[1], form[2]
    if operator in FLIPPED:
        operator, one, other = FLIPPED[operator], other, one
    if is_num(one, "i") and is_num(other, "i"):
        return num(int(one[1] < other[1] if operator == "<" else one[1] <= other[1]))
    if operator == "<" and one[0] == "+" and num(-1) in one:
        return ("<=", _sum(("+", one, num(1))), other)
    if operator == "<=" and is_num(one, "i") and not is_num(other):
        return ("<", num(one[1] - 1), other)
    if operator == "<=" and other[0] == "+" and num(-1) in other:
        return ("<", one, _sum(("+", other, num(1))))
    if operator == "<=" and one[0] == "+" and num(1) in one:
        return ("<", _sum(("+", one, num(-1))), other)
    return (operator, one, other)


def _equal(form: Form) -> Form:
    one, other = form[1:]
    if is_num(one, "i") and is_num(other, "i"):
        return num(int((one[1] == other[1]) == (form[0] == "==")))
    return _commuting(form)


def _select(form: Form) -> Form:
    """A select between two things that its condition compares is their maximum or minimum."""
    _, condition, one, other = form
    if condition[0] == "!":
        condition, one, other = condition[1], other, one
    if condition[0] in ("<", "<="):
        if (one, other) == (condition[2], condition[1]):
            return _commuting(("max", one, other))
        if (one, other) == (condition[1], condition[2]):
            return _commuting(("min", one, other))
    return ("select", condition, one, other)


def _cast(form: Form) -> Form:
    """Casts of constants are worked out; casts between whole numbers, and those that cudaMalloc wants, are dropped."""
    if len(form) != 3:
        return form
    _, kind, inside = form
    if kind in FLOAT_NAMES and is_num(inside):
        return num(inside[1], FLOAT_NAMES[kind])
    if kind in POINTER_CASTS or (kind == "integer" and not may_have_a_fraction(inside)):
        return inside
    return form


def may_have_a_fraction(form: Form) -> bool:
    """Is there a float in it, or an element of an array, which may be one?"""
    return any(each == "index" or is_num(each, "f", "d") for each in parts(form))


def _index(form: Form) -> Form:
    """p[0] of p + i is p[i]; what was cast to a vector of four is counted in fours."""
    base, *at = form[1:]
    if not base or (base[0] == "cast" and len(base) != 3):
        return form
    if base[0] == "addr" and at == [ZERO]:
        return base[1]
    if base[0] == "cast" and base[2][0] == "+" and base[1].endswith("*"):
        base, at = _counted_in_vectors(base, at)
    if base[0] == "+" and len(at) == 1 and (pointer := _pointer_of(base)):
        rest = [each for each in base[1:] if each is not pointer]
        base, at = pointer, [_sum(("+", *rest, at[0]))]
    return ("index", base, *at)


def _pointer_of(form: Form) -> Form | None:
    """Which operand of a sum is the pointer: a cast, or the first name that is no index."""
    for each in form[1:]:
        if each[0] == "cast" and each[1].endswith("*"):
            return each
    names = [each for each in form[1:] if each[0] == "name"]
    return names[0] if len(names) == 1 else None


def _counted_in_vectors(base: Form, at: list[Form]) -> tuple[Form, list[Form]]:
    """((const float4*)(x + 4 * i))[0] is ((const float4*)x)[i]."""
    width = WIDTHS.get(base[1].removeprefix("const ").rstrip("*"))
    pointer = _pointer_of(base[2]) or next((each for each in base[2][1:] if each[0] == "name"), None)
    if width and pointer:
        rest = [each for each in base[2][1:] if each is not pointer]
        if len(rest) == 1 and rest[0][0] == "*" and num(width) in rest[0] and len(at) == 1:
            others = [each for each in rest[0][1:] if each != num(width)]
            place = others[0] if len(others) == 1 else ("*", *others)
            return ("cast", base[1], pointer), [_sum(("+", place, at[0]))]
    return base, at


def _addr(form: Form) -> Form:
    """&x[i] is x + i."""
    inside = form[1]
    if inside[0] == "index" and len(inside) == 3:
        return _sum(("+", inside[1], inside[2]))
    return form


def _call(form: Form) -> Form:
    """Functions that are arithmetic by another name."""
    name, given = form[1], form[2:]
    if name in ROUNDINGS or name in ("max", "min"):
        return _commuting((ROUNDINGS.get(name, name), *given))
    if name in FLOAT_NAMES and len(given) == 1:
        return _cast(("cast", {"f": "float", "d": "double"}[FLOAT_NAMES[name]], given[0]))
    if name in INTEGER_CASTS and len(given) == 1:
        return _cast(("cast", "integer", given[0]))
    if name == "__ldg" and len(given) == 1:
        return _index(("index", given[0], ZERO))
    return form


HANDLERS = {
    "unary -": _unary, "unary +": _unary, "!": lambda form: negated(form[1]),
    "unary !": _unary, "unary ~": _unary, "+": _sum, "-": _difference,
    "*": _product, "/": _quotient, "%": _remainder, ">>": _right_shift, "<<": _left_shift, "&": _mask,
    "<": _comparison, "<=": _comparison, ">": _comparison, ">=": _comparison, "==": _equal, "!=": _equal,
    "select": _select, "cast": _cast, "index": _index, "addr": _addr, "call": _call,
    **{operator: _commuting for operator in COMMUTE if operator in ("|", "^", "&&", "||", "max", "min")},
}  # fmt: skip
