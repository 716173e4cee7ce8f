"""Does `cuda.reduce` fold with a function whose result depends on how its values are grouped, or which comes first?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from simt.events import Finding
from simt.source.recognise import python_function
from simt.values.unasked import is_a, memory_on_device

MODULE = "numba.cuda.kernels.reduction"
TRIED = 6  # values of the array, whose triples are tried
COMPUTES = {
    "abs",
    "bool",
    "float",
    "int",
    "max",
    "min",
    "pow",
    "round",
    "math",
    "np",
    "numpy",
    *dir(math),
    *np.sctypeDict,
}
COMPUTES |= {name for name, one in vars(np).items() if is_a(one, np.ufunc)}
TOLERANCE = 1e-3  # relative: sums of floats are never quite the same


def folding_function(kernel: Callable) -> Callable | None:
    """The function of two numbers that a kernel of `cuda.reduce` folds with; None for any other kernel."""
    if kernel.__module__ == MODULE:
        held = dict(zip(kernel.__code__.co_freevars, kernel.__closure__ or (), strict=True))
        return python_function(held["reduce_op"].cell_contents) if "reduce_op" in held else None
    if kernel.__code__.co_filename.startswith("<reduce "):
        return python_function(kernel.__globals__.get("function"))
    return None


def note_on(function: Callable, args: tuple) -> Finding | None:
    """A note where the function gives other results for other groupings of some values of the array."""
    memory = memory_on_device(args[0]) if args else None
    array = memory if memory is not None else args[0] if args and is_a(args[0], np.ndarray) else None
    if (
        array is None
        or array.ndim != 1
        or array.size < 3
        or array.dtype.kind not in "iuf"
        or not _only_computes(function)
    ):
        return None
    values = list(dict.fromkeys(array[:: max(1, array.size // TRIED)].tolist()))[:TRIED]
    with np.errstate(all="ignore"):
        says = next(filter(None, (_differs(function, *three) for three in itertools.permutations(values, 3))), "")
    if not says:
        return None
    name, line = function.__name__, function.__code__.co_firstlineno
    return Finding(
        "grouping",
        f"cuda.reduce folds with `{name}`, and {says}. It folds parts side by side and joins them as they come, so the "
        "result is not that of one value after the other.",
        (line,),
        remedy="Fold with a function that may be grouped and exchanged, such as a sum or a maximum; what is to be done "
        "to each value first belongs in a kernel before it.",
        note=True,
    )


def _only_computes(function: Callable) -> bool:
    """Whether a function of the program names nothing but arithmetic, so that to call it here changes and shows
    nothing."""
    code, names = function.__code__, function.__globals__
    numbers = {name for name in code.co_names if is_a(dict.get(names, name), int, float, np.number)}
    return not code.co_freevars and COMPUTES | numbers >= {*code.co_names}


def _differs(function: Callable, a: Any, b: Any, c: Any) -> str:
    """How the results of two ways differ, in words; "" where they do not, or the function does not run as Python."""
    name = function.__name__
    try:
        ways = {
            f"{name}({name}({a}, {b}), {c})": function(function(a, b), c),
            f"{name}({a}, {name}({b}, {c}))": function(a, function(b, c)),
            f"{name}({name}({b}, {a}), {c})": function(function(b, a), c),
        }
    except Exception:  # it takes what only a kernel has
        return ""
    if not all(is_a(one, int, float, np.number) for one in ways.values()):
        return ""
    (first, result), *others = ways.items()
    for way, other in others:
        if abs(result - other) > TOLERANCE * max(abs(result), abs(other), abs(a), abs(b), abs(c)):
            return f"{first} is {result}, while {way} is {other}"
    return ""
