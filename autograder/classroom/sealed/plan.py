"""A launch plan as the judge makes it: buffers, machine code, and operations, within what the device can do.

Nothing in it came from Python that a student wrote: for a kernel the contract says the launch, and what a host
function asked for was read as data and is checked here once more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.classroom.sealed import abi
from autograder.classroom.sealed.compiling import Code
from autograder.contract import Exercise, Values

MAX_BUFFERS = 512
MAX_OPERATIONS = 4000
MEMORY_SHARE = 0.3  # of the device's memory, for the buffers of one plan
AXES = ("x", "y", "z")


class NotPossible(ValueError):
    """The device cannot carry this plan out; the message is a sentence that says why."""


@dataclass(frozen=True)
class LaunchPlan:
    """buffers: name -> bytes; codes: in the order in which operations number them."""

    buffers: Mapping[str, int]
    codes: Sequence[Code]
    operations: Sequence[dict[str, Any]]

    def need_possible(self, facts: Mapping[str, Any]) -> None:
        """Raise NotPossible where the plan asks for more than the device has. facts: what the launcher told."""
        if len(self.buffers) > MAX_BUFFERS or len(self.operations) > MAX_OPERATIONS:
            raise NotPossible(f"A plan has up to {MAX_BUFFERS} arrays and {MAX_OPERATIONS:,} launches and copies.")
        total, most = sum(self.buffers.values()), int(MEMORY_SHARE * facts["memory"])
        if total > most:
            raise NotPossible(f"Its arrays take {total:,} bytes together; {most:,} is what one call may have here.")
        for operation in self.operations:
            if "launch" in operation:
                _need_geometry(operation, facts)


def _need_geometry(operation: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """A grid and a block that this device can launch."""
    for what in ("grid", "block"):
        for axis, extent in zip(AXES, operation[what], strict=True):
            most = facts[f"{what}_{axis}"]
            if type(extent) is not int or not 0 < extent <= most:
                raise NotPossible(f"A launch has {what} {axis} = {extent}; from 1 to {most:,} is possible.")
    threads, shared = math.prod(operation["block"]), operation["shared"]
    if threads > facts["threads_a_block"]:
        raise NotPossible(f"A block has {threads:,} threads; {facts['threads_a_block']:,} is the most.")
    if type(shared) is not int or not 0 <= shared <= facts["shared_bytes"]:
        raise NotPossible(f"A launch asks for {shared} bytes of shared memory; {facts['shared_bytes']:,} is the most.")


def of_kernel(exercise: Exercise, values: Values, code: Code) -> LaunchPlan:
    """The one launch of a kernel, as its contract says. values: all arguments, of which only the geometry counts."""
    assert exercise.launch is not None
    grid, block, *dynamic = exercise.launch(values)
    shared = int(dynamic[0]) if dynamic else 0
    arguments = [values[argument.name] for argument in exercise.arguments]
    words: list[Any] = []
    for argument, value in zip(exercise.arguments, arguments, strict=True):
        words += abi.of_array(argument.name, _plain(value)) if _is_array(value) else abi.of_number(value)
    launch = {"launch": 0, "grid": dim3(grid), "block": dim3(block), "shared": shared, "arguments": words}
    buffers = {a.name: int(v.nbytes) for a, v in zip(exercise.arguments, arguments, strict=True) if _is_array(v)}
    return LaunchPlan(buffers, (code,), (launch,))


def kinds_of(exercise: Exercise, values: Values) -> tuple:
    """What of the arguments decides a kernel's machine code."""
    arguments = [values[argument.name] for argument in exercise.arguments]
    return tuple(abi.kind_of(_plain(value) if _is_array(value) else value) for value in arguments)


def dim3(extents: Any) -> list[int]:
    """Three numbers, ones where fewer are given."""
    given = list(extents) if isinstance(extents, tuple | list) else [extents]
    return [int(extent) for extent in given] + [1] * (3 - len(given))


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _plain(array: np.ndarray) -> np.ndarray:
    """As it lies in a buffer: row after row."""
    return np.ascontiguousarray(array)
