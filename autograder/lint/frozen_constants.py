"""Module constants that changed after a kernel was compiled: numba froze the old value into the machine code."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from autograder.lint.report import NOTE, LintFinding
from autograder.lint.source import referenced_values

_first_seen: WeakKeyDictionary[FunctionType, dict[str, str]] = WeakKeyDictionary()


def frozen_values(function: FunctionType) -> dict[str, str]:
    """The outer names that numba freezes into the function, as text: numbers, tuples of numbers and arrays."""
    return {name: _as_text(value) for name, value in referenced_values(function).items() if _is_frozen(value)}


def changed_constants(function: FunctionType) -> Iterator[LintFinding]:
    """A note for every constant that differs from its value when this same function was first compiled here."""
    now = frozen_values(function)
    before = _first_seen.setdefault(function, now)
    for name in sorted(set(now) & set(before)):
        if now[name] != before[name]:
            yield LintFinding(
                kind="changed_constant",
                misconception="changed_constant",
                says=f"`{name}` was {before[name]} when this kernel was first compiled and is {now[name]} now. A "
                "compiled kernel keeps the value it was compiled with.",
                remedy="Run the cell that defines the kernel again, or pass the value as an argument.",
                severity=NOTE,
            )


def _is_frozen(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_frozen(item) for item in value)
    return isinstance(value, (bool, int, float, complex, np.generic, np.ndarray))


def _as_text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} {value.shape} with contents {hash(value.tobytes()) & 0xFFFFFFFF:08x}"
    return repr(value)
