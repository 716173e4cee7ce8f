"""Types that do not fit: indices that are no integers, arrays where a number belongs, values that are no arrays."""

from __future__ import annotations

from simt.refusals import Refusal
from simt.refusals.elements import row_of

MEMBER = "member of an enum"
OPERATOR_NAMES = {"<<": "lshift", ">>": "rshift", "&": "and_", "|": "or_"}
ONE_GROUP = (
    "Of cooperative groups there is the grid, and of a grid sync(): positions are those of cuda.grid and its kin."
)
GROWING = ("append", "extend", "insert")
NO_GROWTH = "An array does not grow: store into an element that there is, as in out[i] = value."
PLAIN_NUMBERS = "Use operators and the functions of `math`."
CHECK_THE_NAME = "Check the name before the bracket, and the order of the parameters."


def float_index(cell: str, dtype: str, call: str = "") -> Refusal:
    """cell: "dst[i / 2]"; dtype: of the index; call: what makes it a float, "" for a /."""
    if call:
        return Refusal(
            "index_type",
            f"An index of `{cell}` is a {dtype}, and arrays are indexed by integers. `{call}` gives a float.",
            "Use % on integers for a remainder." if "fmod" in call else "Convert it with int(...).",
        )
    if cell.startswith("cuda.atomic."):
        return Refusal(
            "index_type",
            f"The second argument of `{cell}` is an index, and a {dtype} is none.",
            "Say where first, then what: the array, the index, the value.",
        )
    return Refusal(
        "index_type",
        f"An index of `{cell}` is a {dtype}, and arrays are indexed by integers. / always gives a float.",
        "Divide with //, or convert with int(...).",
    )


def position_index(cell: str) -> Refusal:
    """threadIdx or its kin as an index."""
    return Refusal(
        "index_type",
        f"An index of `{cell}` is a whole position: cuda.threadIdx and cuda.blockIdx are three numbers each.",
        "Take one of them, as in cuda.threadIdx.x.",
    )


def values_for_positions(name: str, array: str) -> Refusal:
    """`for name in array:` whose body indexes with `name`."""
    return Refusal(
        "values_for_positions",
        f"`for {name} in {array}` goes over the values of {array}, and an index is a position.",
        f"Take the position of the thread, as in {name} = cuda.grid(1), or for several range({array}.size).",
    )


def tuple_index(cell: str) -> Refusal:
    """cuda.grid(2) as one index."""
    return Refusal(
        "index_type",
        f"An index of `{cell}` is a tuple: cuda.grid(2) gives two numbers at once.",
        "Unpack them first, as in x, y = cuda.grid(2).",
    )


def odd_index(cell: str, what: str) -> Refusal:
    """what: "string", "bool", MEMBER."""
    remedy = "Take its number, as in Kind.FIRST.value." if what == MEMBER else "Use an integer."
    return Refusal("index_type", f"An index of `{cell}` is a {what}; arrays are indexed by integers.", remedy)


def too_many_indices(cell: str, dtype: str, dimensions: int, indices: int) -> Refusal:
    """cell: "dst[0, 0]" of an array of `dtype` with fewer dimensions."""
    plural = "dimension" if dimensions == 1 else "dimensions"
    return Refusal(
        "too_many_indices",
        f"`{cell}` uses {indices} indices, and the array of {dtype} has {dimensions} {plural}.",
        "Use one index a dimension.",
    )


def too_few_indices(cell: str, dtype: str, dimensions: int, indices: int) -> Refusal:
    """An atomic on a row: an index for every dimension is missing."""
    plural = "index" if indices == 1 else "indices"
    return Refusal(
        "too_few_indices",
        f"`{cell}` uses {indices} {plural}, and the array of {dtype} has {dimensions} dimensions.",
        "Give the position as a tuple, one index a dimension, as in (row, col).",
    )


def number_indexed(cell: str, name: str) -> Refusal:
    """cell: "weight[i]"; name: "weight"; both "" when they are not known."""
    says = "This line indexes something that is a number, not an array."
    if cell:
        says = f"`{cell}` indexes `{name}`, which is a number, not an array."
    return Refusal("number_indexed", says, CHECK_THE_NAME)


def copies_slice(text: str) -> Refusal:
    """text: "dst[0:4]", to which an array is assigned."""
    return Refusal(
        "allocates_array",
        f"`{text}` copies a slice, and a kernel computes element by element.",
        "Let each thread copy one element, as in out[i] = a[i].",
    )


def allocates(text: str) -> Refusal:
    """text: "a + b" of two arrays, or "np.zeros(4)"."""
    return Refusal(
        "allocates_array",
        f"`{text}` makes a new array, and a thread cannot allocate memory: a kernel computes element by element.",
        "Index the arrays, as in out[i] = a[i] + b[i]. For scratch space use cuda.local.array or cuda.shared.array.",
    )


def no_axis(name: str) -> Refusal:
    """cuda.threadIdx.w."""
    return Refusal(
        "unknown_attribute",
        f"cuda.threadIdx and its kind have no `{name}`: they have x, y and z.",
        "Use .x, .y or .z.",
    )


def no_array_attribute(name: str) -> Refusal:
    """a.length"""
    return Refusal(
        "unknown_attribute",
        f"Arrays have no `{name}` inside a kernel.",
        NO_GROWTH if name in GROWING else "Use .size or .shape, and index single elements.",
    )


def no_attribute(owner: str, name: str) -> Refusal:
    """owner: a type, as in "float32"."""
    return Refusal(
        "unknown_attribute",
        f"A value of type {owner} has no `{name}` inside a kernel.",
        ONE_GROUP if owner == "GridGroup" else _without(name) if owner.startswith(("int", "uint")) else PLAIN_NUMBERS,
    )


def _without(name: str) -> str:
    return f"It is one number already: write it without .{name}." if name in ("x", "y", "z") else PLAIN_NUMBERS


def no_method(owner: str, name: str) -> Refusal:
    """owner: "array", or a type as in "float32"."""
    if owner == "array" and name in ("shape", "size", "ndim", "strides", "itemsize", "nbytes"):
        return Refusal(
            "not_callable",
            f"`{name}` of an array is no function.",
            f"Write it without the brackets of a call: x.{name}" + ("[0]." if name in ("shape", "strides") else "."),
        )
    what = "Arrays have" if owner == "array" else f"A value of type {owner} has"
    remedy = ONE_GROUP if owner == "GridGroup" else NO_GROWTH if name in GROWING else "Write it out with a loop."
    return Refusal("unknown_attribute", f"{what} no `{name}()` inside a kernel.", remedy)


def cannot_unify(name: str, first: str, second: str) -> Refusal:
    """A variable of two types."""
    return Refusal(
        "cannot_unify",
        f"`{name}` would be {first} on one path and {second} on another, and a variable has one type.",
        "Use two names, or convert both to the same type.",
    )


def not_callable(call: str) -> Refusal:
    """call: "dst(0)"."""
    name, _, arguments = call.partition("(")
    if name.rpartition(".")[2] in ("shape", "size") and "." in name:
        return no_method("array", name.rpartition(".")[2])
    if name.startswith("cuda."):
        return Refusal("not_callable", f"`{name}` is a number and no function.", f"Write it without brackets: {name}.")
    written = f"{name}[{arguments[:-1]}]" if len(arguments) > 1 else "a[i]"
    return Refusal(
        "not_callable",
        f"`{call}` calls something that is an array or a number.",
        f"Elements are taken with square brackets: {written}.",
    )


def unpacking() -> Refusal:
    """More names than values, or fewer."""
    return Refusal(
        "unpacking",
        "The number of names on the left differs from the number of values on the right.",
        "Make them agree.",
    )


def unpacking_position(call: str) -> Refusal:
    """call: "cuda.grid(2)"."""
    return Refusal(
        "unpacking",
        f"`{call}` gives as many numbers as it has dimensions: 1, 2 or 3, with as many names on the left.",
        "Write i = cuda.grid(1), x, y = cuda.grid(2) or x, y, z = cuda.grid(3).",
    )


def caret() -> Refusal:
    """x ^ 2 of a float."""
    return Refusal(
        "no_such_operator",
        "`^` is the exclusive or of two integers, not a power.",
        "Write x ** 2, or x * x.",
    )


def no_float_there() -> Refusal:
    """x ^ y, one of which is a float: no power was meant."""
    return Refusal(
        "no_such_operator",
        "`^` is the exclusive or of two integers, and one of its sides is a float here.",
        "Keep both integers. A variable that is unsigned on one line and signed on another is a float64 in numba: "
        "write its constants as uint64(...).",
    )


def array_for_number(text: str) -> Refusal:
    """text: "math.sqrt(dst)"."""
    return Refusal(
        "array_for_number", f"`{text}` is given a whole array where a thread needs one number.", "Index it, as in x[i]."
    )


def slice_for_number(text: str) -> Refusal:
    """text: "src[start::step]", stored in one element."""
    return Refusal(
        "array_for_number", f"`{text}` is a part of an array, and a thread needs one number here.", "Take one element."
    )


def member_for_number(text: str) -> Refusal:
    """text: "float(Colour.RED)", a conversion of an enum's member."""
    says = f"`{text}` converts a member of an enum, which numba does not."
    return Refusal("wrong_types", says, "Take its number, as in Colour.RED.value.")


def wrong_types(name: str, call: str) -> Refusal:
    """name: "lshift"; call: "lshift(float32, the integer 1)"."""
    return Refusal(
        "wrong_types",
        f"The GPU has no `{name}` for these types: {call}.",
        "Check the type of each operand on this line.",
    )


def operator(symbol: str, left: str, right: str) -> Refusal:
    """An operator of integers between other types. symbol: "<<"; left, right: types in numba's words."""
    if symbol == "^":
        return caret()
    name = OPERATOR_NAMES.get(symbol, symbol)
    return wrong_types(name, f"{name}({left}, {right})")


KINDS = {  # of what stands where something else is needed: in a sentence, and what to do about it
    "array": ("an array", "Index it, as in x[i], so that each thread takes one element."),
    "record": ("a record", "Take one of its fields, as in r.x."),
    "position": ("a whole position: three numbers, x, y and z", "Take one of them, as in cuda.threadIdx.x."),
    "tuple": ("a tuple", "Take one of its values, as in t[0]."),
    "sequence": ("a range, or what enumerate or zip gives", "Go over it: for value in range(3)."),
    "text": ("text", "A kernel works with numbers: give what you compare or count a number on the host."),
    "None": ("None", "Give it a number before."),
    "module": ("a module", "Write the name of what it holds, as in math.pi."),
    "type": ("a type", "Call it to convert a number, as in float32(2)."),
    "function": ("a function", "Call it, with its arguments in brackets."),
    "group of threads": ("a group of threads", "Call its sync()."),
    "slice": ("a slice", "Give one index, or the bounds in the brackets themselves, as in x[1:3]."),
    "ellipsis": ("an ellipsis", "It stands in the index of an array only."),
    "member": ("a member of an enum", "Take its number, as in Colour.RED.value."),
    "one number": ("one number", "Pass an array or a tuple."),
}


def unanswered(written: str) -> Refusal:
    """written: the operation, as in "dates[i] ** 2"."""
    says = f"`{written}` has no meaning for values of these types."
    return Refusal("wrong_types", says, "Check the type of each operand: a day, say, has no power.")


def miscounted(written: str) -> Refusal:
    """written: the innermost call, as in "math.sqrt()"."""
    says = f"`{written}` is not given the arguments that it takes in a kernel."
    return Refusal("wrong_call", says, "Count them; options such as an axis are NumPy's, and no kernel has them.")


def misfit(operand: str, kind: str, where: str, wanted: str) -> Refusal:
    """operand: "x[1:3]", which is a `kind` of KINDS; where: the expression; wanted: "number" or "several"."""
    is_a, remedy = KINDS[kind]
    if kind == "array":
        is_a, remedy = row_of(operand) or (is_a, remedy)
    needs = "an array or a tuple" if wanted == "several" else "one number"
    return Refusal("misfit", f"`{operand}` is {is_a}, and `{where}` needs {needs} there.", remedy)
