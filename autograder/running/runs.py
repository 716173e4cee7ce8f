"""What one run of a learner's function gives back, whatever device it ran on."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.answer.program import LOADED
from autograder.contract import Exercise, Values
from autograder.diagnosis.room import DeviceRoom
from autograder.words import count_text
from simt.launching.geometry import norm3

DEFAULT_BLOCK = 256  # threads, where a contract has no launch


@dataclass
class Run:
    """One call on one set of values. `outputs` holds what the judge compares, by argument name."""

    outputs: dict[str, Any] = field(default_factory=dict)
    after: Values = field(default_factory=dict)  # every argument as the call left it
    findings: list = field(default_factory=list)  # simt.events.Finding
    counters: dict[str, float] = field(default_factory=dict)
    lines: list[tuple[str, int, dict[str, float]]] = field(default_factory=list)  # of which function, line, counters
    launches: list[Launched] = field(default_factory=list)
    error: BaseException | None = None  # what the learner's code raised
    printed: str = ""  # by the learner's code
    damage: list[str] = field(default_factory=list)  # buffers whose guard bands were overwritten
    room: DeviceRoom | None = None  # of a host function that allocates on the device
    altered: int = 0  # elements that were put in place of what came from the device, where that was asked for
    seen: list = field(default_factory=list)  # of a host function: its caller's arrays, device memory that it copied


@dataclass(frozen=True)
class Launched:
    """One launch that a host function made: what lint compiles, and what budgets count. line: of the host's code."""

    kernel: Callable
    arguments: tuple
    blocks: int = 0
    threads: int = 0  # per block
    line: int = 0


class ReturnError(Exception):
    """A host function returned something else than the outputs it was asked for."""


def returned_outputs(exercise: Exercise, returned: Any) -> dict[str, Any]:
    """What a host function on NumPy arrays returned, as outputs by name.

    Raises ReturnError when the count is off, when an output is still on the device, or when it is no array.
    """
    names = [argument for argument in exercise.arguments if argument.role == "out"]
    if not names:
        return {}
    if returned is None:
        raise ReturnError(f"it returned None; it should return {_listed(names)}")
    parts = tuple(returned) if isinstance(returned, tuple | list) and len(names) > 1 else (returned,)
    if len(parts) != len(names):
        raise ReturnError(
            f"it returned {_kind(returned)}, expected {count_text(len(names), 'value')}: {_listed(names)}"
        )
    outputs = {}
    for argument, part in zip(names, parts, strict=True):
        if part is None:
            raise ReturnError(f"it returned None; it should return {_listed(names)}")
        if hasattr(part, "copy_to_host") and not isinstance(part, np.ndarray):  # mapped and managed arrays are both
            raise ReturnError(f"{argument.name} is still on the device; return {argument.name}.copy_to_host()")
        outputs[argument.name] = _as_output(part, argument)
    return outputs


def given(exercise: Exercise, values: Values, name: str) -> Any:
    """What a call gets for an argument: its value, or the object that stands in for it."""
    return exercise.stand_ins[name](values[name]) if name in exercise.stand_ins else values[name]


def _as_output(part: Any, argument) -> np.ndarray:
    """A returned value as an array; a Python number takes the declared dtype, but a float is no integer, even 3.0.

    A whole number of NumPy is a float where one is promised, as 3 is.
    """
    if argument.shape == "" and isinstance(part, bool | int | float | np.integer):
        declared = np.dtype(argument.dtype)
        if type(part).__module__ != "builtins" and (declared.kind != "f" or isinstance(part, float)):
            return np.asarray(part)
        fits = declared.kind == "f" or type(part) is int and declared.kind in "iu" or declared.kind == "b"
        return np.asarray(part, declared) if fits else np.asarray(part)
    try:
        return np.asarray(part)
    except ValueError:  # rows of different lengths are no array
        wanted = f"an array of shape {argument.shape}" if argument.shape else "one number"
        raise ReturnError(
            f"it returned lists of different lengths for {argument.name}; it should be {wanted}"
        ) from None


def parameter_names(exercise: Exercise, function: Callable, *roles: str) -> tuple[str, ...]:
    """What the learner's kernel calls the arguments with these roles, or all; positions decide, not the contract's
    names."""
    if exercise.kind != "kernel":
        return ()
    names = inspect.signature(getattr(function, "py_func", function)).parameters
    pairs = zip(names, exercise.arguments, strict=False)
    return tuple(name for name, argument in pairs if not roles or argument.role in roles)


def _listed(arguments) -> str:
    return ", ".join(argument.name for argument in arguments)


def _kind(value: Any) -> str:
    return count_text(len(value), "value") if isinstance(value, tuple | list) else f"a {type(value).__name__}"


def file_of(function: Callable) -> str:
    """The file, or cell, that a function was written in; "" where it is none of Python's own."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return code.co_filename if code else ""


def line_of(error: BaseException, function: Callable) -> int:
    """The deepest line of the learner's own file in a traceback; 0 when it never got there."""
    filename = file_of(function)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    return lines[-1] or 0 if lines else 0


def text_of(error: BaseException) -> str:
    """What an exception says; that it says nothing, where its own `__str__` fails."""
    try:
        return str(error)
    except Exception as failed:
        return f"its __str__ raised {type(failed).__name__}"


def words_of(error: BaseException) -> str:
    """What an exception says, and by which of the learner's functions it came if that is in another cell."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if LOADED in frame.filename]
    says = text_of(error)
    if not frames or frames[0].filename == frames[-1].filename:
        return says
    return f"{says} (raised in `{frames[-1].name}`, which is in another cell)".strip()


def launched(exercise: Exercise, values: Values, run: Run) -> tuple[int, int, bool, tuple[int, int]]:
    """Threads per block and blocks, of the contract's launch (True, extents) or of a host function's widest."""
    if exercise.launch is not None:
        grid, block = exercise.launch(values)[:2]
        return int(np.prod(block)), int(np.prod(grid)), True, threads_along(grid, block)
    widest = max(run.launches, key=lambda each: each.blocks * each.threads, default=None)
    return *((widest.threads, widest.blocks) if widest else (DEFAULT_BLOCK, 0)), False, (0, 0)


def threads_along(grid, block) -> tuple[int, int]:
    """Threads of a whole grid along x and y."""
    blocks, threads = norm3(grid), norm3(block)
    return blocks[0] * threads[0], blocks[1] * threads[1]
