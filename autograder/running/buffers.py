"""Argument values for one run: fresh copies, outputs poisoned, and a way to see what was never written.

Two runs of a case start from different poison, so that neither a lucky old value nor a copied poison passes.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, fields

import numpy as np

from autograder.contract import AT_THE_END, ZEROS, Case, Exercise, Values
from autograder.running.cases.corners import laid_out

LONG_ENOUGH = 16  # elements of an array that gets zeros in its middle
_FILL_BYTES = (0xCB, 0x5A)
_FLOATS = {2: (-87.3125, 61.8125), 4: (-87347.203125, 61843.5859375), 8: (-873472031.2578125, 618435859.3828125)}


@dataclass(frozen=True)
class WithOtherNumbers(Case):
    """A case with other numbers of the same kind and sizes, as a second call gets them."""

    @classmethod
    def of(cls, case: Case) -> WithOtherNumbers:
        return cls(**{one.name: getattr(case, one.name) for one in fields(case)})

    @property
    def plain(self) -> Case:
        return Case(**{one.name: getattr(self, one.name) for one in fields(self)})

    @property
    def name(self) -> str:
        return f"{super().name}, other numbers"


def make_values(exercise: Exercise, case: Case, secret: str = "") -> Values:
    """The case's arguments, the same ones every time: the seed is the exercise's id and the case's name.

    secret: what a class's grading run adds to the seed, so that nobody knows its values beforehand.
    """
    if isinstance(case, WithOtherNumbers):
        return make_values(exercise, case.plain, f"{secret}another call")
    name = f"{exercise.id}|{case.name}"
    seed = zlib.crc32(name.encode())
    if secret:
        seed = int.from_bytes(hashlib.sha256(f"{name}|{secret}".encode()).digest(), "big")
    rng = np.random.default_rng(seed)
    if case.corner:
        return laid_out(exercise, case, rng)
    if case.values == AT_THE_END:
        return _with_infinity(exercise, exercise.make(case.sizes, "general", rng))
    if case.values == ZEROS:
        return _with_zeros(exercise, exercise.make(case.sizes, "exact", rng))
    return exercise.make(case.sizes, case.values, rng)


def _with_infinity(exercise: Exercise, values: Values) -> Values:
    """The same values with minus infinity at the end of the first input that is an array of floats."""
    for argument in exercise.arguments:
        array = values[argument.name]
        if argument.role in ("in", "inout") and isinstance(array, np.ndarray) and array.dtype.kind == "f":
            array.reshape(-1)[-1:] = -np.inf
            break
    return values


def _with_zeros(exercise: Exercise, values: Values) -> Values:
    """The same values with three zeros in the middle of every array of floats that is long enough."""
    for argument in exercise.arguments:
        array = values[argument.name]
        if argument.role not in ("in", "inout") or not isinstance(array, np.ndarray) or array.dtype.kind != "f":
            continue
        if array.size >= LONG_ENOUGH:
            array.reshape(-1)[array.size // 2 - 1 : array.size // 2 + 2] = 0
    return values


def fresh(exercise: Exercise, values: Values, poison: int | None, scratch: bool = True) -> Values:
    """A copy of every argument for one run; "out" and "scratch" arrays hold poison 0 or 1, or zeros for None.

    scratch: False lets scratch arrays hold zeros whatever the outputs hold.
    """
    roles = {argument.name: argument.role for argument in exercise.arguments}
    run = {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}
    for name, array in run.items():
        if roles[name] in ("out", "scratch") and isinstance(array, np.ndarray):
            fill(array, poison if scratch or roles[name] == "out" else None)
    return run


def fill(array: np.ndarray, poison: int | None) -> None:
    """Overwrite an array with a pattern: for floats a number with odd digits, for integers 0xCB or 0x5A bytes.

    Poison 0 is below zero and poison 1 above, so that neither a smallest nor a largest value hides both, and each is of
    a size that adding to it shows. NaN would not do: it is a result like any other where the task's text has one.
    """
    if poison is None:
        array[...] = 0
    elif array.dtype.kind == "b":
        array[...] = poison == 0
    elif array.dtype.kind == "c":
        fill(array.view(array.real.dtype), poison)
    elif array.dtype.kind == "f" and array.dtype.itemsize in _FLOATS:
        array[...] = _FLOATS[array.dtype.itemsize][poison]
    elif array.size:
        array.reshape(-1).view(np.uint8)[...] = _FILL_BYTES[poison]


def still_poisoned(array: np.ndarray, poison: int) -> np.ndarray:
    """Bool mask, in the array's shape: elements whose bytes are exactly the poison's."""
    if array.dtype.kind == "b":
        return np.zeros(array.shape, bool)
    untouched = np.empty_like(array)
    fill(untouched, poison)
    size = array.dtype.itemsize
    same = _bytes(array, size) == _bytes(untouched, size)
    return same.all(axis=-1).reshape(array.shape)


def changed_inputs(exercise: Exercise, before: Values, after: Values) -> list[str]:
    """Names of "in" arrays that differ from what was passed, byte for byte."""
    return [
        argument.name
        for argument in exercise.arguments
        if argument.role == "in"
        and isinstance(before[argument.name], np.ndarray)
        and not same_bytes(before[argument.name], after[argument.name])
    ]


def same_bytes(array: np.ndarray, other: np.ndarray) -> bool:
    """True when two arrays of one dtype and shape hold the same bytes: NaN equals the same NaN, -0.0 is not 0.0."""
    one, two = (_bytes(each, each.dtype.itemsize).reshape(-1) for each in (array, other))
    whole = one.size // 8 * 8  # eight at a time: this compares gigabytes
    return np.array_equal(one[:whole].view(np.uint64), two[:whole].view(np.uint64)) and np.array_equal(
        one[whole:], two[whole:]
    )


def _bytes(array: np.ndarray, size: int) -> np.ndarray:
    """(n, itemsize) uint8, a copy where the array is not contiguous."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(-1, size)
