"""What host code asks of numba.cuda and cannot have is told in a sentence of its call, not in words of the inside.

An error that our own code raises on purpose says what to do, and goes on as it is; so does one of the program's own
code, which a callback or an argument may run. What Python or NumPy say of our code is told of the call that was made.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from dis import opmap
from types import ModuleType, TracebackType
from typing import Any, TypeVar

import numpy as np

from simt.values.unasked import is_a, text_held

OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
NUMPYS, PYTHONS = (os.path.dirname(os.path.abspath(one.__file__)) + os.sep for one in (np, os))
INSTALLED = "site-packages", "dist-packages"  # below Python's own folder
RAISES = {opmap["RAISE_VARARGS"], opmap["RERAISE"]}
PLAIN = (int, float, complex, str, bytes, bool, type(None), type(...))
MADE = ("__init__", "__call__")  # by the name alone
OPERATORS = (*MADE, "__getitem__", "__setitem__", "__len__", "__array__")
LARGE = "Device memory is this machine's own here: choose a smaller size."
LONGEST = 40  # characters of a value that are shown

Class = TypeVar("Class", bound=type)


def in_words(function: Callable, name: str, method: bool = False) -> Callable:
    """A function of the host's side whose errors speak of its call. name: how programs write it: "cuda.to_device".

    method: of a class, so that its first argument is the object, which may have a name of its own.
    """

    @functools.wraps(function)
    def told(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except Exception as error:
            if not _of_the_inside(error.__traceback__):
                raise
            says = str(error).strip().rstrip(".")
            own = text_held(given[0], "__name__") if method and given else ""
            called = own + "".join(name.partition(".")[1:]) if own else name
            shown = _call(called, given[1:] if method else given, named)
            form = LARGE if isinstance(error, MemoryError) else f"It is {_form(called, function)}."
            raise _alike(error, f"{shown}: {says}. {form}") from error

    return told


def class_in_words(name: str) -> Callable[[Class], Class]:
    """A decorator: the same for each public method of a class. name: how programs call one, as "device_array"."""

    def decorate(kind: Class) -> Class:
        for method, function in list(vars(kind).items()):
            if inspect.isfunction(function) and (method in OPERATORS or not method.startswith("_")):
                setattr(kind, method, in_words(function, name if method in MADE else f"{name}.{method}", True))
        return kind

    return decorate


def module_in_words(module: ModuleType, names: list[str]) -> dict[str, Callable]:
    """The functions of a module by name, each in words."""
    found = {name: vars(module)[name] for name in names}
    return {name: in_words(one, f"cuda.{name}") for name, one in found.items() if inspect.isfunction(one)}


def _of_the_inside(frames: TracebackType | None) -> bool:
    """Whether an error came up in our code, or in NumPy's that it called, and nobody of us raised it on purpose."""
    last = None
    while frames is not None:
        file = frames.tb_frame.f_code.co_filename
        if not _is_inside(file):
            return False
        last, frames = frames, frames.tb_next
    if last is None or not last.tb_frame.f_code.co_filename.startswith(OURS):
        return last is not None
    return last.tb_frame.f_code.co_code[last.tb_lasti] not in RAISES


def _is_inside(file: str) -> bool:
    """Whether a file is ours, NumPy's or Python's."""
    if file.startswith((OURS, NUMPYS, "<__array_function__", "<frozen")):
        return True
    return file.startswith(PYTHONS) and not any(name in file for name in INSTALLED)


def _alike(error: Exception, says: str) -> Exception:
    """An error of the same class, or of one below which that is, with other words."""
    for kind in type(error).__mro__:
        if kind.__module__ == "builtins" and kind is not KeyError:  # which shows its words in quotes
            try:
                return kind(says)
            except TypeError:  # a class that wants more than words
                continue
    return RuntimeError(says)


def _call(name: str, given: tuple, named: dict) -> str:
    """The call as it was written, as far as its values are known without asking them."""
    shown = [shown_value(one) for one in given] + [f"{key}={shown_value(one)}" for key, one in named.items()]
    if name.endswith(".__getitem__"):
        return f"{name[:-12]}[{', '.join(shown)}]"
    if name.endswith(".__setitem__"):
        return f"{name[:-12]}[{shown[0]}] = {', '.join(shown[1:])}"
    return f"{name}({', '.join(shown)})"


def _form(name: str, function: Callable) -> str:
    """How the call is made, with the names of what it takes."""
    if name.endswith("item__"):
        return "indexed by integers and slices, one for each axis"
    kept = [one.replace(annotation=one.empty) for one in inspect.signature(function).parameters.values()]
    kept = [one for one in kept if one.name != "self"]
    return f"called as {name}{inspect.Signature(kept)}"


def shown_value(value: Any) -> str:
    """A value in a few characters, without running code of its class."""
    if type(value) in PLAIN:
        text = repr(value)
    elif type(value) is tuple:
        text = f"({', '.join(map(shown_value, value[:4]))}{', ...' if len(value) > 4 else ''})"
    elif type(value) is np.ndarray:
        text = f"<array of shape {value.shape}, {value.dtype}>"
    elif is_a(value, np.generic):
        text = f"np.{type(value).__name__}(...)"
    else:
        text = text_held(value, "__name__") or f"<{text_held(type(value), '__name__')}>"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
