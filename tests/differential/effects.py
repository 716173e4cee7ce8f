"""What a thread does to memory: its own cells, its local arrays, and counters to which all threads add in any order."""

from __future__ import annotations

from dataclasses import dataclass

from .expr import ArrayName, is_integer, kind_of
from .floats import unfused
from .leaves import index, subscript
from .limits import ADDED, limited

ATOMIC_TYPES = ("int32", "int64", "uint32", "uint64")
ORDERLESS = ("add", "max", "min", "and_", "or_", "xor", "sub")


@dataclass(frozen=True)
class Counter:
    """An array whose cells every thread may update, always by the same operation, and none reads meanwhile."""

    array: ArrayName
    operation: str


def own_cell(w) -> list[str]:
    """Write or update a cell that belongs to this thread alone."""
    if not w.own_arrays:
        return []
    array = w.choices.pick(w.own_arrays)
    cell = f"{array.name}[{', '.join(['i', *(index(w, array, 1, 1) for _ in array.shape[1:])])}]"
    if is_integer(array.type) and w.choices.chance(40):
        return [update(w, cell, array.type, ("+=", "-=", "^=", "*="))]
    if array.type in w.atomic_types and len(array.shape) == 1 and w.has("atomics") and w.choices.chance(40):
        return own_atomic(w, array)
    return [f"{cell} = {w.of_type(array.type).text}"]


def update(w, cell: str, kind: str, symbols: tuple[str, ...]) -> str:
    """An augmented assignment of an integer cell, which wraps round where the type is unsigned and fits elsewhere."""
    symbol = w.choices.pick(symbols)
    if kind == "uint64":
        return f"{cell} {symbol} {w.of_type('uint64').text}"
    if symbol == "*=" and kind == "int64":
        symbol = "+="
    return f"{cell} {symbol} {limited(w, w.of_type('int64'), 30 if symbol == '*=' else ADDED).text}"


def own_atomic(w, array: ArrayName) -> list[str]:
    """An atomic operation on a cell of this thread: what it returns is known."""
    name = w.fresh("t")
    value = w.of_type(array.type).text
    operations = ["add", "exch", "max", "min", "sub", "xor", "and_", "or_", "cas"]
    if array.type.startswith("u"):
        operations += ["inc", "dec"]
    operation = w.choices.pick(operations)
    extra = f"{w.of_type(array.type, 1).text}, " if operation == "cas" else ""
    w.constant(name, array.type)
    return [f"{name} = cuda.atomic.{operation}({array.name}, i, {extra}{value})"]


def update_local(w) -> list[str]:
    """Write or update a cell of a local array."""
    arrays = [array for array in w.scope.arrays if array.writable]
    if not arrays:
        return []
    array = w.choices.pick(arrays)
    cell = array.name + subscript(w, array, 1)
    if is_integer(array.type) and w.choices.chance(40):
        return [update(w, cell, array.type, ("+=", "-=", "|="))]
    if array.type == "float64" and w.choices.chance(40):
        return [f"{cell} += {unfused(w, w.floating()).text}"]
    return [f"{cell} = {w.of_type(array.type).text}"]


def update_shared_counter(w) -> list[str]:
    """An atomic update whose result no thread looks at."""
    if not w.counters:
        return []
    counter = w.choices.pick(w.counters)
    array = counter.array
    position = ", ".join(index(w, array, axis, 1) for axis in range(len(array.shape)))
    position = f"({position})" if len(array.shape) > 1 else position
    value = w.of_type(array.type).text
    if kind_of(array.type) == "f":
        value = f"{array.type}({w.integer(1).text} % 16)"
    return [f"cuda.atomic.{counter.operation}({array.name}, {position}, {value})"]


def new_counter(w) -> Counter:
    """A counter for the kernel to be given."""
    shape = w.choices.pick(((8,), (5,), (4, 3)))
    kind = w.choices.pick(w.atomic_types)
    operations = ORDERLESS
    if w.has("floats") and w.choices.chance(25):
        kind, operations = "float64" if w.portable else w.choices.pick(("float64", "float32")), ("add", "max", "min")
    return Counter(ArrayName(w.fresh("acc"), kind, shape), w.choices.pick(operations))
