"""Elements of shape tensors: computed where all is known, and as expressions of sizes where some is known later.

An array with open elements is of objects: ints (truth as 0 or 1), floats, sizes, and `UNKNOWN` for a number that is no
size. Single precision is exact for whole numbers below 2^24, so a float that is a size stays one in sums, in products
with small whole numbers and in quotients without a rest; what may have been rounded is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, inf
from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from minitrt.graph.pointwise import Step
from minitrt.reference import run_op
from minitrt.reference.pointwise import OPERATIONS, cast
from minitrt.shapes.choices import above, at_least_zero, chosen, equal, largest, smallest, truncated_quotient, truth
from minitrt.shapes.size import UNKNOWN, Size, Undecided, Unknown, quotient, remainder, unknown

MOVES = ("shuffle", "slice", "concat", "expand", "tile", "gather", "scatter", "pad", "reverse_sequence")
AT_PLACES = ("gather", "scatter")  # which must be known
FOLDS = {"sum": "add", "prod": "mul", "max": "max", "min": "min"}
SMALL_FACTOR = 16  # what a size below a million may be multiplied by in single precision
FEW = 64  # elements of a tensor of integers that are told from each other although nothing is known of them
INTEGERS = (DataType.INT32, DataType.INT64)


def open_elements(op: Op) -> list[np.ndarray] | None:
    """The results of an operation some of whose inputs have open elements; None where they cannot be told.

    Every input has data, of the types of `NUMPY_TYPES` or of objects.
    """
    try:
        if op.kind == "pointwise":
            results = [pointwise(op)]
        elif op.kind == "reduce" and op.attrs["op"] in FOLDS:
            results = [folded(op)]
        elif op.kind == "range":
            results = [counted(op)]
        elif op.attrs.get("combine", "none") != "none":
            return None
        elif op.kind in MOVES and (op.kind not in AT_PLACES or op.inputs[1].data.dtype != object):
            results = run_op(op, [value if value is None else value.data for value in op.inputs])
        else:
            return None
    except Undecided:
        return None
    dtype = DataType[op.attrs["program"][-1][2]] if op.kind == "pointwise" else op.inputs[0].dtype
    return [closed(result, dtype) for result in results]


def closed(array: np.ndarray, dtype: DataType) -> np.ndarray:
    """The array as numbers if all of it is known; unknown integers get names of their own."""
    if array.dtype != object:
        return array
    if not any(isinstance(each, Size | Unknown) for each in array.flat):
        return array.astype(NUMPY_TYPES[dtype])
    if dtype in INTEGERS or dtype == DataType.BOOL:
        low, high = (0, 1) if dtype == DataType.BOOL else (-inf, inf)
        named = np.frompyfunc(lambda each: unknown(low, high) if each is UNKNOWN else each, 1, 1)
        array = np.asarray(named(array), object).reshape(array.shape)
    return array


def named_elements(value: Value, limits: Sequence[tuple[int, int]] = ()) -> np.ndarray | None:
    """For a small tensor of integers of which nothing is known, elements that are told from each other; else None.

    limits: (lowest, highest) of each element, where they are known.
    """
    if value.dtype not in INTEGERS or any(isinstance(n, Size) for n in value.shape) or value.size > FEW:
        return None
    array = np.empty(value.shape, object)
    limits = limits if len(limits) == value.size else [(-inf, inf)] * value.size
    for place, (low, high) in zip(np.ndindex(array.shape), limits, strict=True):
        array[place] = unknown(low, high)
    return closed(array, value.dtype)


def pointwise(op: Op) -> np.ndarray:
    """Known elements as the reference computes them, open ones step by step."""
    arrays = np.broadcast_arrays(*(value.data for value in op.inputs))
    is_open = np.zeros(arrays[0].shape, bool)
    typed = []
    for value, array in zip(op.inputs, arrays, strict=True):
        here = np.array([isinstance(each, Size | Unknown) for each in array.flat], bool).reshape(array.shape)
        is_open |= here & (array.dtype == object)
        typed.append(np.where(here, 1, array).astype(NUMPY_TYPES[value.dtype]) if array.dtype == object else array)
    (known,) = run_op(op, typed)
    result = known.astype(object)
    for place in np.argwhere(is_open):
        at = tuple(place)
        result[at] = run_steps(op.attrs["program"], [plain(array[at]) for array in arrays])
    return result


def run_steps(program: list[Step], inputs: list[Any]) -> Any:
    results: list[Any] = []
    for name, args, dtype in program:
        operands = [
            arg if not isinstance(arg, str) else (inputs if arg[0] == "x" else results)[int(arg[1:])] for arg in args
        ]
        results.append(step(name, DataType[dtype], operands))
    return results[-1]


def step(name: str, dtype: DataType, operands: list[Any]) -> Any:
    """One step on numbers of which some are sizes."""
    if name == "where" and not isinstance(operands[0], Size | Unknown):
        return operands[1 if operands[0] else 2]
    if any(each is UNKNOWN for each in operands) or dtype == DataType.HALF:
        return UNKNOWN
    if not any(isinstance(each, Size) for each in operands):
        wanted = NUMPY_TYPES[dtype]
        numbers = [np.asarray(each, None if isinstance(each, bool) else wanted) for each in operands]
        with np.errstate(all="ignore"):
            return plain(np.asarray(cast(numbers[0], wanted) if name == "cast" else OPERATIONS[name](*numbers)))
    numbers = [int(each) if isinstance(each, bool) or isinstance(each, float) and each.is_integer() else each
               for each in operands]  # fmt: skip
    if any(isinstance(each, float) for each in numbers):
        return compared(name, *numbers) if name in COMPARED else UNKNOWN
    function = (AS_FLOATS if dtype == DataType.FLOAT else {}).get(name) or STEPS.get(name)
    found = function(*numbers) if function is not None else None
    if name == "cast" and dtype == DataType.BOOL:
        found = truth(numbers[0])
    return UNKNOWN if found is None else found


def plain(element: Any) -> Any:
    """A number without its NumPy type."""
    return element.item() if isinstance(element, np.generic | np.ndarray) else element


def multiplied(a: Any, b: Any) -> Any:
    """In single precision: None where it may be rounded."""
    small = [each for each in (a, b) if isinstance(each, int) and abs(each) <= SMALL_FACTOR]
    return a * b if small else None


def divided(a: Any, b: Any) -> Any:
    """In single precision: None where there may be a rest."""
    if isinstance(a, int) or not isinstance(b, int) or b == 0 or any(factor % b for factor in a.terms.values()):
        return None
    return a // b


def compared(name: str, a: Any, b: Any) -> Any:
    """A size beside a number that is not whole, in either order."""
    if isinstance(a, float):
        return compared(COMPARED[name], b, a)
    if not abs(b) < inf:
        return UNKNOWN
    return {"less": lambda: above(ceil(b), a), "greater": lambda: above(a, floor(b)), "equal": lambda: 0,
            "less_equal": lambda: above(ceil(b), a), "greater_equal": lambda: above(a, floor(b))}[name]()  # fmt: skip


COMPARED = {  # and the same with its sides exchanged
    "less": "greater",
    "greater": "less",
    "equal": "equal",
    "less_equal": "greater_equal",
    "greater_equal": "less_equal",
}
STEPS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": truncated_quotient,
    "floor_div": lambda a, b: quotient(a, b) if b != 0 else None,
    "mod": lambda a, b: remainder(a, b) if b != 0 else None,
    "fmod": lambda a, b: a - b * q if b != 0 and (q := truncated_quotient(a, b)) is not None else None,
    "max": largest,
    "min": smallest,
    "abs": lambda a: at_least_zero(a) + at_least_zero(-a),
    "neg": lambda a: -a,
    "sign": lambda a: above(a) - above(-a),
    "relu": at_least_zero,
    "clip": lambda a, low, high: smallest(largest(a, low), high),
    "and": lambda a, b: truth(a) * truth(b),
    "or": lambda a, b: 1 - (1 - truth(a)) * (1 - truth(b)),
    "xor": lambda a, b: 1 - equal(truth(a), truth(b)),
    "not": lambda a: 1 - truth(a),
    "equal": equal,
    "greater": above,
    "less": lambda a, b: above(b, a),
    "greater_equal": lambda a, b: 1 - above(b, a),
    "less_equal": lambda a, b: 1 - above(a, b),
    "where": lambda condition, yes, no: chosen(truth(condition), yes, no),
    **dict.fromkeys(("identity", "cast", "floor", "ceil", "round"), lambda a: a),
}
AS_FLOATS = {"mul": multiplied, "div": divided, "mod": lambda a, b: None, "fmod": lambda a, b: None}


def folded(op: Op) -> np.ndarray:
    """Sums, products and extremes along axes."""
    x, name, keep = op.inputs[0].data.astype(object), FOLDS[op.attrs["op"]], op.attrs.get("keep_dims")
    together = np.frompyfunc(lambda a, b: step(name, op.inputs[0].dtype, [plain(a), plain(b)]), 2, 1)
    for axis in sorted(op.attrs["axes"], reverse=True):
        if not x.shape[axis]:
            raise Undecided(f"{op.name} folds nothing")
        x = np.asarray(together.reduce(x, axis=axis, keepdims=bool(keep)), object)
    return x


def counted(op: Op) -> np.ndarray:
    """As many steps as bounds prove. Raises: Undecided where they do not."""
    start, _, delta = numbers = [plain(value.data.reshape(-1)[0]) for value in op.inputs]
    array = np.empty(int(steps_between(*numbers)), object)
    array[:] = [step("add", op.inputs[0].dtype, [start, i * delta]) for i in range(len(array))]
    return array


def steps_between(start: Any, limit: Any, delta: Any) -> int | Size:
    """How many of start, start + delta, ... come before limit."""
    numbers = [int(each) if isinstance(each, float) and each.is_integer() else each for each in (start, limit, delta)]
    start, limit, delta = numbers
    if not any(isinstance(each, Size | Unknown) for each in numbers):
        return max(ceil((limit - start) / delta), 0)
    if not isinstance(delta, int) or any(isinstance(each, float | Unknown) for each in numbers):
        return unknown()
    return at_least_zero(-((start - limit) // delta))
