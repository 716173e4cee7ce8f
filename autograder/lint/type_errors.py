"""Types that do not fit: indices that are no integers, arrays where a number belongs, variables of two types."""

from __future__ import annotations

import ast
import re

from autograder.lint.rule import Answer, Context, rule

_INDEX = r"Unsupported array index type (float\d+|Dim3|unicode_type|Literal\[str\]|UniTuple|Tuple|bool)"


@rule("index_type", _INDEX)
def index_type(context: Context) -> Answer:
    found, cell = context.match[1], context.first(ast.Subscript) or "the array"
    if found.startswith("float"):
        return (
            f"An index of `{cell}` is a {found}, and arrays are indexed by integers. / always gives a float.",
            "Divide with //, or convert with int(...).",
        )
    if found == "Dim3":
        return (
            f"An index of `{cell}` is a whole position: cuda.threadIdx and cuda.blockIdx are three numbers each.",
            "Take one of them, as in cuda.threadIdx.x.",
        )
    if "Tuple" in found:
        return (
            f"An index of `{cell}` is a tuple: cuda.grid(2) gives two numbers at once.",
            "Unpack them first, as in x, y = cuda.grid(2).",
        )
    return (
        f"An index of `{cell}` is a {_PLAIN.get(found, found)}; arrays are indexed by integers.",
        "Use an integer.",
    )


_PLAIN = {"unicode_type": "string", "Literal[str]": "string"}


@rule("too_many_indices", r"cannot index (?:readonly )?array\((\w+), (\d)d.*?\) with (\d+) indices")
def too_many_indices(context: Context) -> Answer:
    dtype, dimensions, indices = context.match.groups()
    cell = context.first(ast.Subscript) or "This expression"
    plural = "dimension" if dimensions == "1" else "dimensions"
    return (
        f"`{cell}` uses {indices} indices, and the array of {dtype} has {dimensions} {plural}.",
        "Use one index a dimension.",
    )


@rule(
    "number_indexed",
    r">>> getitem\((?:Literal\[int\]\(\d+\)|u?int\d+|float\d+|bool),|>>> setitem\((?:u?int\d+|float\d+|bool),",
)
def number_indexed(context: Context) -> Answer:
    cell = _indexed_number(context)
    if cell is None:
        return "This line indexes something that is a number, not an array.", _CHECK_THE_NAME
    name = ast.unparse(cell.value)
    return f"`{ast.unparse(cell)}` indexes `{name}`, which is a number, not an array.", _CHECK_THE_NAME


_CHECK_THE_NAME = "Check the name before the bracket, and the order of the parameters."


def _indexed_number(context: Context) -> ast.Subscript | None:
    """The subscript that numba refused: one of a parameter that is a number, else the first that reads, or writes."""
    cells = list(context.expressions(ast.Subscript))
    known = [cell for cell in cells if isinstance(cell.value, ast.Name) and cell.value.id in context.numbers]
    way = ast.Store if "setitem" in context.match.group() else ast.Load
    alike = [cell for cell in cells if isinstance(cell.ctx, way)]
    return next(iter([*known, *alike, *cells]), None)


@rule(
    "allocates_array",
    r"_ol_array_allocate|NRT|Function\(<built-in function (?:zeros|ones|empty|array|full)>\)|scipy",
)
def allocates_array(context: Context) -> Answer:
    if sliced := [node for node in context.expressions(ast.Subscript) if isinstance(node.slice, ast.Slice)]:
        says = f"`{ast.unparse(sliced[0])}` copies a slice, and a kernel computes element by element."
        return says, "Let each thread copy one element, as in out[i] = a[i]."
    text = context.first(ast.Call, ast.BinOp) or "This line"
    return (
        f"`{text}` makes a new array, and a thread cannot allocate memory: a kernel computes element by element.",
        "Index the arrays, as in out[i] = a[i] + b[i]. For scratch space use cuda.local.array or cuda.shared.array.",
    )


@rule("unknown_attribute", r"Unknown attribute '(\w+)' of type (\w+)")
def unknown_attribute(context: Context) -> Answer:
    name, owner = context.match.groups()
    if owner == "Dim3":
        return f"cuda.threadIdx and its kind have no `{name}`: they have x, y and z.", "Use .x, .y or .z."
    if owner == "array":
        return f"Arrays have no `{name}` inside a kernel.", "Use .size or .shape, and index single elements."
    return (
        f"A value of type {owner} has no `{name}` inside a kernel.",
        "Use operators and the functions of `math`.",
    )


@rule("cannot_unify", r"[Cc]annot unify (.+?) and (.+?) for '(\w+)")
def cannot_unify(context: Context) -> Answer:
    first, second, name = context.match.groups()
    return (
        f"`{name.split('.')[0]}` would be {first} on one path and {second} on another, and a variable has one type.",
        "Use two names, or convert both to the same type.",
    )


@rule(
    "not_callable",
    r"Invalid use of (?:array|u?int\d+|float\d+|Literal\[int\])\S* .*?with parameters|No type info .* as a callable",
)
def not_callable(context: Context) -> Answer:
    text = context.first(ast.Call) or "This"
    return (
        f"`{text}` calls something that is an array or a number.",
        "Elements are taken with square brackets: a[i].",
    )


@rule("unpacking", r"wrong tuple length|failed to unpack|argument can only be 1, 2, 3")
def unpacking(context: Context) -> Answer:
    call = context.first(ast.Call)
    if "cuda.grid" not in call:
        return "The number of names on the left differs from the number of values on the right.", "Make them agree."
    return (
        f"`{call}` gives as many numbers as it has dimensions: 1, 2 or 3, with as many names on the left.",
        "Write i = cuda.grid(1), x, y = cuda.grid(2) or x, y, z = cuda.grid(3).",
    )


@rule("no_such_operator", r"Function\(<built-in function xor>\).*?>>> xor\([^\n]*float")
def no_such_operator(context: Context) -> Answer:
    return "`^` is the exclusive or of two integers, not a power.", "Write x ** 2, or x * x."


@rule("array_for_number", r">>> [^\n]*\([^\n]*array\(\w+, \dd, \w\)")
def array_for_number(context: Context) -> Answer:
    text = context.first(ast.Call, ast.BinOp, ast.Compare, ast.UnaryOp) or "This expression"
    return (
        f"`{text}` is given a whole array where a thread needs one number.",
        "Index it, as in x[i].",
    )


@rule("wrong_types", r"No implementation of function Function\(<?(?:[\w-]+ )*(\w+)[^\n]*\n.*?>>> ([^\n]+)")
def wrong_types(context: Context) -> Answer:
    name, call = context.match.groups()
    call = re.sub(r"Literal\[int\]\((-?\d+)\)", r"the integer \1", call.strip())
    return (
        f"The GPU has no `{name}` for these types: {call}.",
        "Check the type of each operand on this line.",
    )


@rule("other", r"")
def other(context: Context) -> Answer:
    sentences = [line.strip() for line in context.message.splitlines() if line.strip()]
    told = [line for line in sentences if not line.startswith(("Failed in", "During", "File "))]
    says = told[0] if told else type(context.error).__name__
    return (
        f"numba cannot compile this kernel: {says}",
        "Simplify this line until it compiles, then add back one piece at a time.",
    )


RULES = (
    index_type,
    too_many_indices,
    number_indexed,
    allocates_array,
    unknown_attribute,
    cannot_unify,
    not_callable,
    unpacking,
    no_such_operator,
    array_for_number,
    wrong_types,
    other,
)
