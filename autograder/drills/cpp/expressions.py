"""Expressions of C++ in Python, with C's types and conversions."""

from __future__ import annotations

import re
import struct

from autograder.drills.cpp.body import EXPRESSIONS, Body
from autograder.drills.cpp.elements import place_of
from autograder.drills.cpp.kinds_of_number import (
    BITS,
    BOOL,
    Value,
    arithmetic,
    common,
    compared,
    constant,
    converted,
    declared,
    inverted,
    is_float,
    kind_named,
    negated,
    promoted,
    shifted,
    truth,
    whole,
)
from autograder.drills.cpp.parsing import changes_something, field, mistaken, named, refused, text_of
from autograder.drills.cpp.places import Place
from autograder.drills.cpp.pointers import between
from autograder.drills.cpp.teams import index_of_a_team

ARITHMETIC, SHIFTS, COMPARISONS = (
    ("+", "-", "*", "/", "%", "&", "|", "^"),
    ("<<", ">>"),
    ("<", "<=", ">", ">=", "==", "!="),
)
INDEX = {"threadIdx", "blockIdx", "blockDim", "gridDim"}
WORDS = {"and": "&&", "or": "||", "bitand": "&", "bitor": "|", "xor": "^", "not_eq": "!="}
FLOAT_MAX = struct.unpack("f", b"\xff\xff\x7f\x7f")[0]
CONSTANTS = {
    "warpSize": Value("32", "int32", 32), "INT_MAX": whole(2**31 - 1, "int32"), "INT_MIN": whole(-(2**31), "int32"),
    "UINT_MAX": whole(2**32 - 1, "uint32"), "INFINITY": Value("float32(math.inf)", "float32"),
    "FLT_MAX": Value(f"float32({FLOAT_MAX!r})", "float32"), "NAN": Value("float32(math.nan)", "float32"),
    "CUDART_INF_F": Value("float32(math.inf)", "float32"), "CUDART_NAN_F": Value("float32(math.nan)", "float32"),
    "HUGE_VALF": Value("float32(math.inf)", "float32"), "DBL_MAX": Value("1.7976931348623157e308", "float64"),
    "M_PI": Value("math.pi", "float64"), "INT8_MIN": whole(-128, "int32"), "INT8_MAX": whole(127, "int32"),
    "CHAR_BIT": whole(8, "int32"), "FLT_MIN": Value("float32(2.0 ** -126)", "float32"),
    "FLT_EPSILON": Value("float32(2.0 ** -23)", "float32"),
}  # fmt: skip


def _number(body: Body, node) -> Value:
    text = text_of(node).replace("'", "").replace(" ", "")
    if text[:1] in "+-":
        plain = _literal(node, text[1:])
        return negated(plain) if text[0] == "-" else plain
    return _literal(node, text)


def _literal(node, text: str) -> Value:
    """Its type follows from its suffix, and, of a whole number, from whether it fits."""
    lower = text.lower()
    if found := re.fullmatch(r"(0x[0-9a-f]+|0b[01]+|\d+)([ul]*)", lower):
        digits, suffix = found.groups()
        whole_value = int(digits, 8) if re.fullmatch(r"0[0-7]+", digits) else int(digits, 0)
        kinds = ["int32", "uint32", "int64", "uint64"]
        if "u" in suffix:
            kinds = kinds[1::2]
        elif digits[:2] not in ("0x", "0b"):
            kinds = kinds[::2]
        if "l" in suffix:
            kinds = kinds[len(kinds) // 2 :]
        for kind in kinds:
            if whole(whole_value, kind).known == whole_value:
                return whole(whole_value, kind)
    elif found := re.fullmatch(r"((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(f?)", lower):
        number, single = float(found[1]), found[2]
        return Value(f"float32({number!r})", "float32") if single else Value(repr(number), "float64")
    raise refused(node, f"the number `{text}` cannot be read")


def _name(body: Body, node) -> Value:
    name = text_of(node).rpartition("::")[2]
    if name in CONSTANTS:
        return CONSTANTS[name]
    found = body.find(node, name)
    if found.known is not None:
        return constant(Value(found.name, found.kind, found.known))
    if found.text:
        return Value(found.text, found.kind)
    return read(place_of(body, node))


def read(place: Place) -> Value:
    """What stands at a place."""
    return Value(place.code, place.kind)


def _member(body: Body, node) -> Value:
    whose, axis = text_of(field(node, "argument")), text_of(field(node, "field"))
    if whose in INDEX and axis in ("x", "y", "z"):
        return Value(f"cuda.{whose}.{axis}", "uint32")
    if place := index_of_a_team(body, field(node, "argument")):
        return Value(f"cuda.{place}.{axis}", "uint32")
    return read(place_of(body, node))


def _binary(body: Body, node) -> Value:
    operator = text_of(field(node, "operator"))
    operator = WORDS.get(operator, operator)
    if operator in ("&&", "||"):
        left = truth(body.value(field(node, "left")))
        if body.may_hoist and changes_something(field(node, "right")):
            return _shortened(body, node, operator, left)
        with body.conditional():
            right = truth(body.value(field(node, "right")))
        return Value(f"({left.code} {'and' if operator == '&&' else 'or'} {right.code})", BOOL)
    if (operator in COMPARISONS or operator == "-") and (ends := between(body, node)):
        return compared(operator, *ends) if operator != "-" else arithmetic("-", *ends)
    left, right = body.value(field(node, "left")), body.value(field(node, "right"))
    return binary(node, operator, left, right)


def binary(node, operator: str, left: Value, right: Value) -> Value:
    """An operator between two values. Raises: CppError where C++ has none for them."""
    if operator in COMPARISONS:
        return compared(operator, left, right)
    whole_only = operator in ("%", "&", "|", "^", *SHIFTS)
    if whole_only and (is_float(left.kind) or is_float(right.kind)):
        raise mistaken(node, f"`{operator}` takes whole numbers: `{text_of(node)}`")
    if operator in SHIFTS:
        return shifted(operator, left, right)
    if operator in ARITHMETIC:
        return arithmetic(operator, left, right)
    raise refused(node, f"the operator `{operator}` is left out")


def _unary(body: Body, node) -> Value:
    operator, value = text_of(field(node, "operator")), body.value(field(node, "argument"))
    if operator in ("!", "not"):
        return Value(f"(not {truth(value).code})", BOOL)
    if operator == "-":
        return negated(value)
    if operator == "~" and not is_float(value.kind):
        return inverted(value)
    if operator == "+":
        return converted(value, promoted(value.kind))
    raise refused(node, f"`{text_of(node)}` is left out")


def _choice(body: Body, node) -> Value:
    condition = truth(body.value(field(node, "condition")))
    sides = [field(node, part) for part in ("consequence", "alternative")]
    if body.may_hoist and any(map(changes_something, sides)):
        return _branched(body, condition, sides)
    with body.conditional():
        one, other = (body.value(field(node, part)) for part in ("consequence", "alternative"))
    kind = BOOL if one.kind == other.kind == BOOL else common(one.kind, other.kind)
    if one.kind == other.kind:
        kind = one.kind
    return Value(f"({converted(one, kind).code} if {condition.code} else {converted(other, kind).code})", kind)


def _shortened(body: Body, node, operator: str, left: Value) -> Value:
    """a && (b = c): the right side in lines of its own, which run where the left one asks for them."""
    kept = body.kept_value(left.code)
    body.emit(f"if {kept if operator == '&&' else f'not {kept}'}:")
    with body.block():
        right = truth(body.value(field(node, "right")))
        body.emit(f"{kept} = {right.code}")
    return Value(kept, BOOL)


def _branched(body: Body, condition: Value, sides: list) -> Value:
    """c ? (a = b) : d, as if and else."""
    before = len(body.lines), len(body.places), dict(body.taken)
    kinds = [body.value(side).kind for side in sides]  # tried, to know what both have in common
    del body.lines[before[0] :], body.places[before[1] :]
    body.taken = before[2]
    kind = kinds[0] if kinds[0] == kinds[1] else common(*kinds)
    kept = body.name_for_a_value()
    for word, side in zip((f"if {condition.code}:", "else:"), sides, strict=True):
        body.emit(word)
        with body.block():
            body.emit(f"{kept} = {declared(converted(body.value(side), kind), kind)}")
    return Value(kept, kind)


def kind_of_cast(node) -> str:
    """The type that a cast names. Raises: CppError where it is no number's."""
    kind = kind_named(text_of(node))
    if kind is None:
        raise refused(node, f"a cast to `{text_of(node)}` is left out: numbers only")
    return kind


def _cast(body: Body, node) -> Value:
    return converted(body.value(field(node, "value")), kind_of_cast(field(node, "type")))


def _braced(body: Body, node) -> Value:
    """float{0}."""
    given = named(field(node, "value"))
    kind = kind_of_cast(field(node, "type"))
    return converted(body.value(given[0]), kind) if given else whole_or_zero(kind)


def whole_or_zero(kind: str) -> Value:
    """What empty braces make."""
    return whole(0, kind) if kind in BITS else converted(whole(0, "int32"), kind)


def _sizeof(body: Body, node) -> Value:
    kind = kind_named(text_of(node.child_by_field_name("type") or field(node, "value")).strip("() "))
    if kind is None:
        raise refused(node, f"`{text_of(node)}` is left out")
    return whole(BITS.get(kind, {"float32": 32, "float64": 64, BOOL: 8}.get(kind, 0)) // 8, "uint64")


def _dereference(body: Body, node) -> Value:
    if text_of(node).startswith("&"):
        raise refused(node, f"`{text_of(node)}`: an address is no number here")
    return read(place_of(body, node))


EXPRESSIONS |= {
    "number_literal": _number,
    "identifier": _name,
    "qualified_identifier": _name,
    "true": lambda body, node: Value("True", BOOL),
    "false": lambda body, node: Value("False", BOOL),
    "parenthesized_expression": lambda body, node: body.value(named(node)[0]),
    "condition_clause": lambda body, node: body.value(field(node, "value")),
    "binary_expression": _binary,
    "unary_expression": _unary,
    "conditional_expression": _choice,
    "cast_expression": _cast,
    "compound_literal_expression": _braced,
    "sizeof_expression": _sizeof,
    "subscript_expression": lambda body, node: read(place_of(body, node)),
    "pointer_expression": _dereference,
    "field_expression": _member,
}
