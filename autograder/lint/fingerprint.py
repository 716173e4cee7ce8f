"""When two kernels are the same to the compiler: same source and place, same outer values, same argument types.

Reports of unchanged kernels are kept in memory and given again. They are not kept on disk: a file that a learner's own
process can write would be a report that nobody made.
"""

from __future__ import annotations

import hashlib
import inspect
import types
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from autograder.lint.report import LintReport
from autograder.lint.source import called_functions, python_function, referenced_values

_OPTIONS = ("device", "fastmath", "opt", "max_registers", "launch_bounds")  # those that `compiler.lower` heeds


class Reports:
    """The latest reports by fingerprint, at most `capacity` of them."""

    def __init__(self, capacity: int = 256) -> None:
        self.capacity = capacity
        self._reports: OrderedDict[str, LintReport] = OrderedDict()
        self._lock = Lock()

    def get(self, fingerprint: str | None) -> LintReport | None:
        """The report, or None; None is also the fingerprint of what cannot be recognised again."""
        with self._lock:
            if fingerprint not in self._reports:
                return None
            self._reports.move_to_end(fingerprint)
            return self._reports[fingerprint]

    def put(self, fingerprint: str | None, report: LintReport) -> None:
        """Keep a report; the one unused for longest makes room."""
        if fingerprint is None:
            return
        with self._lock:
            self._reports[fingerprint] = report
            while len(self._reports) > self.capacity:
                self._reports.popitem(last=False)


def fingerprint_of(kernel: Any, signature: Sequence[str], architectures: Sequence[str]) -> str | None:
    """A digest of everything that decides a report; None when an outer value is of a kind that cannot be compared.

    signature: argument types as text.
    """
    try:
        parts = [*_described(kernel)]
        for named, _ in called_functions(python_function(kernel)):
            parts += _described(named)
    except (OSError, TypeError):  # no source to read, or a value that cannot be described
        return None
    parts += ["for", *signature, "on", *architectures]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _described(kernel: Any) -> list[str]:
    """Source, place, options and outer values of one function. Raises: OSError, TypeError."""
    function = python_function(kernel)
    options = getattr(kernel, "targetoptions", None) or {}
    return [
        inspect.getsource(function),
        str(function.__code__.co_firstlineno),
        repr(function.__defaults__),
        *(f"{name}={options.get(name)!r}" for name in _OPTIONS),
        *(f"{name}={_value_text(value)}" for name, value in referenced_values(function).items()),
    ]


def _value_text(value: Any) -> str:
    """Text that differs whenever the compiled code could. Raises: OSError, TypeError where a value has no such text."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"({', '.join(_value_text(item) for item in value)})"
    if isinstance(value, (bool, int, float, complex, str, bytes, np.generic, type(None))):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__}"
    function = getattr(value, "py_func", value)
    if isinstance(function, types.FunctionType):  # described by itself too; its module is another at every load
        source = f"{function.__code__.co_firstlineno}\0{inspect.getsource(function)}"
        return f"{type(value).__name__} {function.__qualname__} {hashlib.sha256(source.encode()).hexdigest()}"
    if callable(function):
        return f"{type(value).__name__} {getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value)}"
    if type(value).__module__.startswith("numba."):
        return str(value)
    raise TypeError(f"a {type(value).__name__} cannot be compared with what it was before")
