"""Kernel arguments, launch shapes and signatures as people type them on the command line."""

from __future__ import annotations

import re

import numpy as np

from autograder.machine.command_arguments import UsageError

ARRAY = re.compile(r"^(?P<dtype>[a-z]+\d*)\[(?P<shape>[\d,\s]*)\]$")
SCALAR = re.compile(r"^(?P<dtype>[a-z]+\d*)\((?P<value>[^)]*)\)$")
TYPE = re.compile(r"^(?P<dtype>[a-z]+\d*)(?:\[(?P<axes>[:1,\s]*)\])?$")


def dimensions(option: str, text: str) -> tuple[int, ...]:
    """One to three positive integers separated by commas: "32,8" -> (32, 8)."""
    try:
        values = tuple(int(part) for part in text.split(","))
    except ValueError:
        values = ()
    if not 1 <= len(values) <= 3 or min(values) < 1:
        raise UsageError(f"{option} {text!r} is no launch shape. Give one to three positive integers: {option} 32,8.")
    return values


def kernel_argument(text: str, seed: int):
    """An argument: "float32[1024]" a seeded random array, "float32(2.5)" a typed scalar, "7" an int, "2.5" a float."""
    if match := ARRAY.match(text.strip()):
        dtype = _dtype(match["dtype"])
        shape = tuple(int(part) for part in match["shape"].split(",") if part.strip())
        rng = np.random.default_rng(seed)
        if dtype.kind == "f":
            return rng.uniform(-1, 1, shape).astype(dtype)
        return rng.integers(0, 100, shape).astype(dtype)
    if match := SCALAR.match(text.strip()):
        try:
            return _dtype(match["dtype"]).type(match["value"])
        except ValueError as error:
            raise UsageError(f"--arg {text!r}: {match['value']!r} is no {match['dtype']}.") from error
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise UsageError(f"--arg {text!r} is no argument. Write 'float32[1024]', 'float32(2.5)', 7 or 2.5.")


def signature(text: str) -> tuple:
    """Argument types as numba writes them: "float32[:], int32" -> (float32[::1], int32). Arrays are C-contiguous."""
    from numba import from_dtype, types

    kinds = []
    for part in _split(text):
        match = TYPE.match(part)
        if not match:
            raise UsageError(
                f"--sig: {part!r} is no type. Write types as numba does: 'float32[:], float32[:, :], int32'."
            )
        scalar = from_dtype(_dtype(match["dtype"]))
        axes = match["axes"]
        kinds.append(scalar if axes is None else types.Array(scalar, axes.count(",") + 1, "C"))
    return tuple(kinds)


def _split(text: str) -> list[str]:
    """Split at commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]


def _dtype(name: str) -> np.dtype:
    try:
        return np.dtype(name)
    except TypeError as error:
        raise UsageError(f"{name!r} is no NumPy type. Use one such as float32, int32, uint8.") from error
