"""What stands before a kernel's statements: constant tables, views of arrays, local arrays."""

from __future__ import annotations

from .expr import ArrayName, is_integer
from .limits import VARIABLE
from .phases import dtype_name
from .statements import INDENT


def tables(w) -> list[str]:
    """Arrays at module level, which numba makes constants of the kernel."""
    if not w.has("tables"):
        return []
    lines = []
    for _ in range(w.choices.between(1, 2)):
        kind = w.choices.pick([kind for kind in w.types if is_integer(kind) or kind in ("float64", "float32")])
        low = 0 if kind.startswith("u") else -20
        shape = (3, 4) if w.has("matrices") and w.choices.chance(40) else (w.choices.between(3, 8),)
        rows = [[w.choices.between(low, 100) for _ in range(shape[-1])] for _ in range(shape[0] if shape[1:] else 1)]
        values = rows if shape[1:] else rows[0]
        name = w.fresh("TABLE")
        lines += [f"{name} = np.array({values}, dtype=np.{kind})"]
        w.tables = (*w.tables, ArrayName(name, kind, shape, bits=7))
    return [*lines, ""]


def views(w) -> list[str]:
    """Constant tables by name or by ``const.array_like``, and parts of the input arrays."""
    lines = []
    arrays = list(w.scope.arrays)
    for table in w.tables:
        if w.choices.chance(50):
            name = w.fresh("c")
            lines.append(f"{name} = cuda.const.array_like({table.name})")
            table = ArrayName(name, table.type, table.shape, bits=7)
        arrays.append(table)
    if w.has("views"):
        for array in list(w.scope.arrays):
            if w.choices.chance(60):
                line, view = view_of(w, array)
                lines.append(line)
                arrays.append(view)
    w.scope.arrays = tuple(arrays)
    return lines


def view_of(w, array: ArrayName) -> tuple[str, ArrayName]:
    """A line that makes a view, and the view."""
    name, first = w.fresh("view"), array.shape[0]
    if len(array.shape) > 1:
        forms = {
            f"{array.name}[i % {first}]": array.shape[1:],
            f"{array.name}[{w.choices.between(0, first - 1)}]": array.shape[1:],
            f"{array.name}[:, {w.choices.between(0, array.shape[1] - 1)}]": (first, *array.shape[2:]),
            f"{array.name}[1:, :]": (first - 1, *array.shape[1:]),
            f"{array.name}[i % {first}, 1:]": (array.shape[1] - 1, *array.shape[2:]),
        }
    else:
        low = w.choices.between(0, 3)
        forms = {
            f"{array.name}[{low}:]": (first - low,),
            f"{array.name}[{low}:{low + 4}]": (4,),
            f"{array.name}[::2]": ((first + 1) // 2,),
            f"{array.name}[::-1]": (first,),
            f"{array.name}[-5:-1]": (4,),
            f"{array.name}[i % 4:i % 4 + 4]": (4,),
            f"{array.name}[{first - 1}:{low}:-2]": ((first - 2 - low) // 2 + 1,),
        }
    text, shape = w.choices.pick(list(forms.items()))
    return f"{name} = {text}", ArrayName(name, array.type, shape, bits=array.bits)


def local_arrays(w) -> list[str]:
    """Arrays of each thread, filled before anything reads them."""
    if not w.has("local"):
        return []
    kind = w.choices.pick(w.types)
    name, counter = w.fresh("loc"), w.fresh("k")
    shape = (3, 4) if w.has("matrices") and w.choices.chance(40) else (w.choices.between(2, 8),)
    extents = str(shape[0]) if len(shape) == 1 else str(shape)
    lines = [f"{name} = cuda.local.array({extents}, {dtype_name(kind)})", f"for {counter} in range({shape[0]}):"]
    with w.inside():
        known = f"{counter}i" if w.portable else counter
        if w.portable:
            lines.append(f"{INDENT}{known} = int64({counter})")
        w.constant(known, "int64", 4)
        if len(shape) == 1:
            lines.append(f"{INDENT}{name}[{counter}] = {w.of_type(kind).text}")
        else:
            second = w.fresh("k")
            lines += [f"{INDENT}for {second} in range({shape[1]}):"]
            lines += [f"{INDENT * 2}{name}[{counter}, {second}] = {w.of_type(kind).text}"]
    w.scope.arrays = (*w.scope.arrays, ArrayName(name, kind, shape, writable=True, bits=VARIABLE))
    return lines
