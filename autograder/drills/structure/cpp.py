"""CUDA C++ in the common form: expressions. What stands round them is in `cpp_statements`."""

from __future__ import annotations

import re

from autograder.drills.structure.forms import Form, num

INTEGERS = re.compile(
    r"(?:unsigned|signed|int|long|size_t|ptrdiff_t|u?int(?:32|64)_t|uint|ulong)(?: (?:unsigned|signed|int|long))*"
)
ALL_LANES = dict.fromkeys(("FULL_MASK", "FULL_WARP", "FULLMASK", "ALL_LANES"), num(0xFFFFFFFF))
SPELLINGS = {"nullptr": num(0), "NULL": num(0), "true": num(1), "false": num(0), "warpSize": num(32), **ALL_LANES}
SAME_TYPES = {
    "unsigned char": "uint8_t", "signed char": "int8_t", "__half": "half", "CUstream": "cudaStream_t",
    "CUevent": "cudaEvent_t", "cudaError": "cudaError_t",
}  # fmt: skip
CASTS = ("static_cast", "reinterpret_cast", "const_cast")
SIZES = {
    "char": 1, "bool": 1, "int8_t": 1, "uint8_t": 1, "half": 2, "__half": 2, "short": 2, "integer": 4, "float": 4,
    "double": 8, "float2": 8, "int2": 8, "float4": 16, "int4": 16, "double2": 16, "uint4": 16,
}  # fmt: skip
SIZED = {"long": 8, "long long": 8, "size_t": 8, "unsigned long long": 8, "int64_t": 8, "uint64_t": 8}
VALUE_TYPES = ("float", "double", "int", "unsigned", "size_t", "half", "dim3", "char", "long", "bool", "float4")


def text_of(node) -> str:
    return re.sub(r"\s+", " ", node.text.decode()).strip()


def plain_name(text: str) -> str:
    """Without namespaces."""
    return text.rpartition("::")[2]


def value_type(text: str) -> str:
    """A type without its constness; all widths of a whole number that counts or indexes are one."""
    text = plain_name(re.sub(r"\b(const|constexpr|static|volatile|typename)\b", " ", text).strip())
    text = re.sub(r"\s+", " ", text).strip()
    text = SAME_TYPES.get(text, text)
    return "integer" if INTEGERS.fullmatch(text) else text


def type_of(node, declarator=None) -> str:
    """The type that a declaration or a cast names, with its stars; `const` is kept where a pointer points to it."""
    base = value_type(text_of(node.child_by_field_name("type")))
    stars = stars_of(declarator if declarator is not None else node.child_by_field_name("declarator"))
    return f"{'const ' if stars and is_const(node) else ''}{base}{stars}"


def is_const(node) -> bool:
    """Does the type's own qualifier say const, whichever side it stands on?"""
    return any(child.type == "type_qualifier" and child.text == b"const" for child in node.children)


def stars_of(declarator) -> str:
    """One for each pointer."""
    found = ""
    while declarator is not None:
        found += (
            "*" if "pointer_declarator" in declarator.type else "&" if "reference_declarator" in declarator.type else ""
        )
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or next((c for c in declarator.named_children if c.type.endswith("_declarator")), None)
    return found


def expression(node) -> Form:
    """One expression; what no card needs, as its text."""
    reader = READERS.get(node.type)
    return reader(node) if reader else ("text", text_of(node))


def several(node) -> tuple[Form, ...]:
    """The arguments of a call, without comments."""
    return tuple(expression(child) for child in node.named_children if child.type != "comment") if node else ()


def _field(node, name: str) -> Form:
    return expression(node.child_by_field_name(name))


def number(node) -> Form:
    """0xFFu, 1'024, 2.0f, 1e-3: whole, float or double."""
    text = text_of(node).replace("'", "")
    if text[:1] in "+-":  # the parser takes the sign of an argument into its number
        value = number_of(text[1:].strip())
        return num(-value[1], value[2]) if text[0] == "-" else value
    return number_of(text)


def number_of(text: str) -> Form:
    """A literal without a sign."""
    if re.fullmatch(r"0[xX][0-9a-fA-F]+[uUlL]*|0[bB][01]+[uUlL]*|\d+[uUlL]*", text):
        plain = text.rstrip("uUlL")
        return num(int(plain, 0) if plain[:1] != "0" or plain[1:2] in "xXbB" else int(plain, 8))
    single = text[-1] in "fF"
    return num(float(text.rstrip("fFlL")), "f" if single else "d")


def _name(node) -> Form:
    text = plain_name(text_of(node))
    return SPELLINGS.get(text, ("name", text))


def _binary(node) -> Form:
    return (text_of(node.child_by_field_name("operator")), _field(node, "left"), _field(node, "right"))


def _unary(node) -> Form:
    return (f"unary {text_of(node.child_by_field_name('operator'))}", _field(node, "argument"))


def _pointer(node) -> Form:
    inside = _field(node, "argument")
    return ("index", inside, num(0)) if text_of(node).startswith("*") else ("addr", inside)


def _assignment(node) -> Form:
    """As an expression, which is only taken apart where it is a statement or a condition."""
    left, right = _field(node, "left"), _field(node, "right")
    operator = text_of(node.child_by_field_name("operator"))
    return ("assign", left, right if operator == "=" else (operator[:-1], left, right))


def _update(node) -> Form:
    place = _field(node, "argument")
    return ("assign", place, ("+" if "++" in text_of(node) else "-", place, num(1)))


def _call(node) -> Form:
    function = node.child_by_field_name("function")
    given = several(node.child_by_field_name("arguments"))
    launch = next((child for child in node.children if child.type == "kernel_call_syntax"), None)
    if launch is not None:
        shape = several(launch)
        grid, block, shared, stream = (*shape, *(num(0),) * (4 - len(shape)))[:4]
        return ("launch", _function(function), grid, block, stream, shared, *given)
    return _called(function, given)


def _called(function, given: tuple[Form, ...]) -> Form:
    """A call by what is called: a cast, a method, a function of a name."""
    if function.type == "template_function":
        name = plain_name(text_of(function.child_by_field_name("name")))
        if name in CASTS:
            kind = next(child for child in function.child_by_field_name("arguments").named_children)
            to = cast_type(kind, name)
            compiles = name != "static_cast" or not to.endswith("*") or "void" in to
            return ("cast", to if compiles else f"static {to}", *given)
        return ("call", name, *given)
    if function.type == "primitive_type" or (text_of(function) in VALUE_TYPES and text_of(function) != "dim3"):
        return ("cast", value_type(text_of(function)), *given)
    if function.type == "field_expression":
        return ("call", text_of(function.child_by_field_name("field")), _field(function, "argument"), *given)
    if function.type == "parenthesized_expression" and len(given) == 1:
        return ("call", text_of(function), *given)
    return ("call", plain_name(text_of(function)), *given)


def _function(node) -> Form:
    if node.type == "template_function":
        return ("name", text_of(node).replace(" ", ""))
    return ("name", plain_name(text_of(node)))


def cast_type(node, by: str) -> str:
    """The type that is cast to. A cast in the way of C may take a const away, so its pointers are all alike."""
    found = type_of(node)
    if by == "C" and found.endswith("*"):
        return f"const {found.removeprefix('const ')}"
    return found


def _cast(node) -> Form:
    return ("cast", cast_type(node.child_by_field_name("type"), "C"), _field(node, "value"))


def _sizeof(node) -> Form:
    kind = node.child_by_field_name("type")
    if kind is not None:
        text = re.sub(r"^const ", "", text_of(kind))
        size = 8 if text.endswith("*") else SIZED.get(text) or SIZES.get(value_type(text))
        return num(size) if size else ("call", "sizeof", ("name", text))
    inside = _field(node, "value")
    if inside[0] == "name" and (size := SIZES.get(value_type(inside[1]))):
        return num(size)
    return ("call", "sizeof", inside)


def _braced(node) -> Form:
    """dim3{256}, float{0}."""
    kind = text_of(node.child_by_field_name("type"))
    given = several(node.child_by_field_name("value"))
    return ("call", "dim3", *given) if kind == "dim3" else ("cast", value_type(kind), *given)


READERS = {
    "number_literal": number,
    "identifier": _name,
    "field_identifier": _name,
    "qualified_identifier": _name,
    "type_identifier": _name,
    "null": lambda node: num(0),
    "true": lambda node: num(1),
    "false": lambda node: num(0),
    "string_literal": lambda node: ("text", text_of(node)),
    "char_literal": lambda node: ("text", text_of(node)),
    "parenthesized_expression": lambda node: several(node)[0],
    "condition_clause": lambda node: _field(node, "value"),
    "binary_expression": _binary,
    "unary_expression": _unary,
    "pointer_expression": _pointer,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "call_expression": _call,
    "cast_expression": _cast,
    "sizeof_expression": _sizeof,
    "compound_literal_expression": _braced,
    "initializer_list": lambda node: ("tuple", *several(node)),
    "subscript_expression": lambda node: (
        "index", _field(node, "argument"), *several(node.child_by_field_name("indices"))
    ),
    "field_expression": lambda node: (
        "member", _field(node, "argument"), text_of(node.child_by_field_name("field"))
    ),
    "conditional_expression": lambda node: (
        "select", _field(node, "condition"), _field(node, "consequence"), _field(node, "alternative")
    ),
}  # fmt: skip
