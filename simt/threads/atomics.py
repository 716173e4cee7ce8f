"""Atomic operations, in the order of threads. Lanes that hit one cell are served one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.lanes.masks import remaining
from simt.memory.arrays import Array
from simt.memory.indexing import locate
from simt.memory.records import Record, field_array
from simt.refusals import calls, types
from simt.values import as_lanes, number, wrap
from simt.values.numba_rules import cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

UFUNCS = {
    "add": np.add, "sub": np.subtract, "and_": np.bitwise_and, "or_": np.bitwise_or, "xor": np.bitwise_xor,
    "max": np.maximum, "min": np.minimum, "nanmax": np.fmax, "nanmin": np.fmin,
}  # fmt: skip
INTEGER_ONLY = ("and_", "or_", "xor", "inc", "dec", "exch", "cas")
UNSIGNED_ONLY = ("inc", "dec")
WORDS = {np.dtype(name): name for name in ("int32", "int64", "uint32", "uint64", "float32", "float64")}
NAN_LOSES = ("max", "min")  # a NaN operand leaves the cell alone


def _exchange(current, operand):
    return operand


def _increment(current, operand):
    return np.where(current >= operand, 0, current + 1)


def _decrement(current, operand):
    return np.where((current == 0) | (current > operand), operand, current - 1)


STEPS = {"exch": _exchange, "inc": _increment, "dec": _decrement}
_ONE_LANE = {  # for one lane, on Python's integers
    "exch": lambda current, operand, expected: operand,
    "cas": lambda current, operand, expected: operand if current == expected else current,
    "inc": lambda current, operand, expected: 0 if current >= operand else current + 1,
    "dec": lambda current, operand, expected: operand if current == 0 or current > operand else current - 1,
}
FEW = 24  # lanes for which Python is faster than NumPy
MOST_ROUNDS = 32  # lanes on one cell that are served in rounds with those of other cells


def _step(operation: str):
    """f(current, operand) -> new value of a cell."""
    ufunc = UFUNCS.get(operation)
    if ufunc is None:
        return STEPS[operation]
    if operation in NAN_LOSES:
        return lambda current, operand: np.where(np.isnan(operand), current, ufunc(current, operand))
    return ufunc


def _atomic(operation: str):
    swaps = operation == "cas"

    def run(env: Env, mask: Mask, place: Place, array, index, *operands):
        array, indices = _target(operation, array, index, place)
        if env.batch.raised and (mask := remaining(env, mask)) is None:
            return array.dtype.type(0)
        expected, operand = operands if swaps else (None, *operands)
        cells, within = locate(env, mask, array, indices, "atomic", place)
        if within is None:
            return array.dtype.type(0)
        batch, used = env.batch, place.result_used
        turns = batch.turns(within.count)
        if batch.emit is not None:
            known = {"operation": operation.rstrip("_"), "result_used": used, "turns": turns}
            same = None if np.ndim(operand) else number(wrap(operand))
            known["operands"] = within.pick(operand) if same is None else same
            batch.emit.access(env, within, array, cells, "atomic", place, same, **known)
            _tell_lost(env, within, place, operation, array, number(wrap(operand)))
        cells = within.pick(as_lanes(np.asarray(cells, np.int64)[()], env.width))
        operand = _of_each(cast(number(wrap(operand)), array.dtype), within, cells.size)
        expected = _of_each(cast(number(wrap(expected)), array.dtype), within, cells.size) if swaps else operand
        before = array.flat[cells] if batch.watched else None
        old, changed = None, True
        if turns is not None:
            cells, operand, expected = cells[turns], operand[turns], expected[turns]
        if used or operation not in UFUNCS:
            old, changed = _serialise(array.flat, operation, cells, operand, expected)
        else:
            _update(array.flat, operation, cells, operand)
        if turns is not None:
            cells = cells[np.argsort(turns)]
            old = None if old is None else old[np.argsort(turns)]
        batch.changes += changed
        if before is not None:
            batch.altered += before.tobytes() != array.flat[cells].tobytes()
        return None if old is None else _spread(old, within, env.width)

    return run


def _tell_lost(env: Env, within, place: Place, operation: str, array: Array, given) -> None:
    """Fractions that an element of integers cannot hold."""
    if operation in UFUNCS and given.dtype.kind == "f" and array.dtype.kind in "iu":
        env.batch.emit.narrowed(env, within, array, place, given, cast(given, array.dtype))


def _of_each(value: Value, within: Mask, n: int) -> np.ndarray:
    """(n,) of a value that may be the same for all active lanes."""
    return within.pick(value) if type(value) is np.ndarray else np.full(n, value)


def _target(operation: str, array, index, place: Place) -> tuple[Array, tuple]:
    """The array and the indices of an atomic operation. Raises KernelTypeError for what it cannot update."""
    if isinstance(array, Record):
        array, index = _field(array, index)
    if not isinstance(array, Array):
        raise KernelTypeError(calls.atomic_of_number(f"cuda.atomic.{operation}"))
    if operation in INTEGER_ONLY and array.dtype.kind not in "iu":
        raise KernelTypeError(calls.atomic_types(place.site.text.partition("(")[0]))
    if array.dtype not in WORDS or (operation in UNSIGNED_ONLY and array.dtype.kind != "u"):
        taken = [name for dtype, name in WORDS.items() if dtype.kind in _kinds(operation)]
        raise KernelTypeError(
            calls.operand_type(f"cuda.atomic.{operation}", str(array.dtype), f"{', '.join(taken[:-1])} or {taken[-1]}")
        )
    indices = index if isinstance(index, tuple) else (index,)
    if len(indices) != array.ndim:
        raise KernelTypeError(
            types.too_many_indices(place.site.text, str(array.dtype), array.ndim, len(indices))
            if len(indices) > array.ndim
            else types.too_few_indices(place.site.text, str(array.dtype), array.ndim, len(indices))
        )
    return array, indices


def _kinds(operation: str) -> str:
    """The kinds of types that numba has an atomic operation for."""
    return "u" if operation in UNSIGNED_ONLY else "iu" if operation in INTEGER_ONLY else "iuf"


def _field(record: Record, name):
    """A field of a record as an array of one cell per record."""
    every = record.array.view((record.array.flat.size,), (1,), 0)
    return field_array(every, record.field_name(name)), record.cells


def _update(flat: np.ndarray, operation: str, cells: np.ndarray, operand: np.ndarray) -> None:
    """All lanes at once, when nobody looks at the old values."""
    if operation in NAN_LOSES and flat.dtype.kind == "f":
        wins = ~np.isnan(operand)
        cells, operand = cells[wins], operand[wins]
    UFUNCS[operation].at(flat, cells, operand)


def _serialise(flat, operation: str, cells, operand, expected) -> tuple[np.ndarray, bool]:
    """Lane after lane on each cell: (what each lane found there, whether anything may have changed).

    Few lanes go one by one in Python. Of many, cells with few lanes go in rounds, all their first lanes at once, then
    all the second ones; and a cell with many lanes goes by itself, so that the time grows with the lanes, however they
    are spread. Swaps, of which most lose where threads spin, go from one that wins to the next (`_swap`).
    """
    if cells.size <= FEW and operation in _ONE_LANE:
        return _in_turn(flat, operation, cells, operand, expected)
    if operation == "cas":
        return _swap(flat, cells, operand, expected)
    old = np.empty(cells.shape, flat.dtype)
    order = np.argsort(cells, kind="stable")
    sorted_cells = cells[order]
    first = np.flatnonzero(np.concatenate(([True], sorted_cells[1:] != sorted_cells[:-1])))
    lengths = np.diff(np.append(first, len(cells)))
    for run in np.flatnonzero(lengths > MOST_ROUNDS):
        lanes = order[first[run] : first[run] + lengths[run]]
        cell = cells[lanes[0]]
        values = _one_cell(operation, flat[cell], operand[lanes])
        old[lanes], flat[cell] = values[:-1], values[-1]
    rank = np.arange(len(cells)) - np.repeat(first, lengths)
    few = np.repeat(lengths <= MOST_ROUNDS, lengths)
    order, rank, step = order[few], rank[few], _step(operation)
    for turn in range(int(rank.max(initial=-1)) + 1):
        lanes = order[rank == turn]
        current = flat[cells[lanes]]
        old[lanes] = current
        flat[cells[lanes]] = step(current, operand[lanes])
    return old, True


def _in_turn(flat, operation: str, cells, operand, expected) -> tuple[np.ndarray, bool]:
    """The same of whole numbers, one lane at a time."""
    step, old, changed = _ONE_LANE[operation], [], operation != "cas"
    now: dict[int, int] = {}
    for cell, one, wanted in zip(cells.tolist(), operand.tolist(), expected.tolist(), strict=True):
        value = now[cell] if cell in now else int(flat[cell])
        old.append(value)
        changed = changed or value == wanted
        now[cell] = step(value, one, wanted)
    for cell, value in now.items():
        flat[cell] = value
    return np.array(old, flat.dtype), changed


def _swap(flat, cells, operand, expected) -> tuple[np.ndarray, bool]:
    """The same of compare and swap. Each round finds the first lane of every cell that wins: those before it found what
    the cell held, and those behind it find what it put there. A round more is needed for the next one that wins."""
    order = np.argsort(cells, kind="stable")
    cells, operand, expected = cells[order], operand[order], expected[order]
    found, left, rounds = flat[cells], np.arange(cells.size), 0
    while (wins := left[found[left] == expected[left]]).size and rounds < MOST_ROUNDS:
        of = cells[wins]
        first = wins[np.concatenate(([True], of[1:] != of[:-1]))]
        won, put = cells[first], operand[first]
        flat[won] = put
        cell = np.minimum(np.searchsorted(won, cells[left]), won.size - 1)
        behind = (won[cell] == cells[left]) & (left > first[cell])
        left = left[behind]
        found[left] = put[cell[behind]]
        rounds += 1
    if wins.size:  # a chain of winners
        found[left] = _in_turn(flat, "cas", cells[left], operand[left], expected[left])[0]
    old = np.empty_like(found)
    old[order] = found
    return old, bool(rounds)


def _one_cell(operation: str, value: Value, operand: np.ndarray) -> np.ndarray:
    """(n + 1,) of the cell's dtype: what it holds before each of the lanes that update it one after the other, and in
    the end. ufuncs accumulate in that very order."""
    if operation not in UFUNCS:
        kind, values = _ONE_LANE[operation], [int(value)]
        for one in operand.tolist():
            values.append(kind(values[-1], one, 0))
        return np.array(values, operand.dtype)
    if operation in NAN_LOSES and operand.dtype.kind == "f":
        operand = np.where(np.isnan(operand), -np.inf if operation == "max" else np.inf, operand).astype(operand.dtype)
    return UFUNCS[operation].accumulate(np.append(value, operand), dtype=operand.dtype)


def _spread(values: np.ndarray, within, width: int) -> np.ndarray:
    """(width,) of one value per active lane."""
    if within.bits is None:
        return values
    spread = np.zeros(width, values.dtype)
    spread[within.index] = values
    return spread


def compare_and_swap(env: Env, mask: Mask, place: Place, array, expected, operand):
    """atomic.compare_and_swap(array, old, value): cas on element 0."""
    return INTRINSICS["atomic.cas"](env, mask, place, array, (np.int64(0),) * array.ndim, expected, operand)


INTRINSICS = {f"atomic.{operation}": _atomic(operation) for operation in (*UFUNCS, *_ONE_LANE)}
INTRINSICS["atomic.compare_and_swap"] = compare_and_swap
