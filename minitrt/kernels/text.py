"""A name for what a function does: changes with its text, with that of what it calls, and with the numbers it uses.

Text is read where there is some, so that every version of Python gives the same name; else the compiled code.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

FOREIGN = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite", "cuda", "minitrt", "simt"}  # named, and not read
PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


def digest_of(*things: Any) -> str:
    """12 hexadecimal digits. things: functions, jitted kernels, classes, arrays and plain data."""
    return hashlib.sha1(json.dumps([told(thing, set()) for thing in things]).encode()).hexdigest()[:12]


def plain_function(kernel: Any) -> Callable:
    """The Python function of a jitted kernel, or the function itself."""
    return getattr(kernel, "py_func", kernel)


def told(thing: Any, seen: set[int]) -> Any:
    """What there is to say of a thing, as plain data. seen: ids of functions and classes on the way here."""
    function = plain_function(thing)
    if isinstance(function, types.FunctionType):
        return of_function(function, getattr(thing, "targetoptions", None), seen)
    if isinstance(thing, PLAIN):
        return repr(thing)
    if isinstance(thing, np.ndarray):
        return [str(thing.dtype), thing.shape, hashlib.sha1(np.ascontiguousarray(thing).tobytes()).hexdigest()]
    if isinstance(thing, (list, tuple)):
        return [told(each, seen) for each in thing]
    if isinstance(thing, dict):
        return sorted([str(key), told(value, seen)] for key, value in thing.items())
    if isinstance(thing, type):
        return of_class(thing, seen)
    return getattr(thing, "__name__", type(thing).__name__)


def is_foreign(thing: Any) -> bool:
    return (getattr(thing, "__module__", None) or "").split(".")[0] in FOREIGN


def of_class(owner: type, seen: set[int]) -> Any:
    """The name of a class, and what its members and its bases are."""
    if is_foreign(owner) or id(owner) in seen:
        return owner.__qualname__
    seen.add(id(owner))
    members = {name: getattr(value, "__func__", value) for name, value in vars(owner).items()}
    kept = {n: v for n, v in members.items() if not n.startswith("__") or isinstance(v, types.FunctionType)}
    return [owner.__qualname__, told(kept, seen), [of_class(base, seen) for base in owner.__bases__]]


def of_function(function: types.FunctionType, options: Any, seen: set[int]) -> Any:
    """Its text, how it is jitted, and what the names in it mean."""
    if is_foreign(function) or id(function) in seen:
        return function.__qualname__
    seen.add(id(function))
    code = function.__code__
    try:
        text = inspect.getsource(code)
    except (OSError, TypeError, IndexError):  # made by exec, or its file is gone
        text = code.co_code.hex() + repr([each for each in code.co_consts if isinstance(each, PLAIN)])
    bounds = {name: repr((options or {}).get(name)) for name in ("launch_bounds", "fastmath")}
    return [text, bounds, sorted([name, told(value, seen)] for name, value in meant(function).items())]


def meant(function: types.FunctionType) -> dict[str, Any]:
    """What a function's global and enclosed names stand for, where they stand for something."""
    found, todo = {}, [function.__code__]
    while todo:
        code = todo.pop()
        found |= {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
        todo += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    return found
