"""Sizes that an answer names itself: what treats one of them in a way of its own shows there, and hardly anywhere else.

`if n == 4096` asks for a case of 4,096 elements; `if i > 300_000` for one of some more than that, where no case is as
long; `np.int16(i)` for one with more places than the type has. Tried where an answer is right otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from autograder.contract import Case, Exercise, Values
from autograder.running.buffers import make_values
from autograder.running.cases.domain import Whole

SMALLEST = 65  # smaller ones are widths of blocks and tiles, which the contract's cases surround; not so on the host
MOST_ELEMENTS = 1 << 19  # of one array of such a case
PAST = 3  # so that a place in the array lies beyond the number, too
TURNS = 128 + PAST  # so that a loop over tiles, of 64 at most, has two iterations beyond it: only then do they race
MOST_TURNS = 1 << 12  # a number beyond it counts elements, and not how deep a loop over tiles goes
MOST_OF_A_BLOCK = 1024  # up to here a remainder is that of a thread, and beyond it that of a place
MOST_FLOPS = 1 << 26  # of such a case: more than any of a contract's, and a second or two of the interpreter
MOST_CASES = 6
MOST_NUMBERS, DRAWN = 8, 4  # of a function of a few numbers: values that are tried, each among so many others
MOST_ON_HOST = 256  # of a function of the host alone, where its domain ends before: no cost says what more would take
NARROW = {"int8": 1 << 7, "uint8": 1 << 8, "int16": 1 << 15, "uint16": 1 << 16}  # and how many places each can name
EXACT_BELOW = 1 << 24  # what a float32 holds without rounding
OPERATORS = {
    ast.Add: int.__add__,
    ast.Sub: int.__sub__,
    ast.Mult: int.__mul__,
    ast.FloorDiv: int.__floordiv__,
    ast.LShift: int.__lshift__,
}


def named_sizes(exercise: Exercise, source: str) -> tuple[Case, ...]:
    """A case for each of the numbers that the source compares with, and for those beyond all cases. source: Python."""
    exact = [case for case in exercise.cases if case.values == "exact" and all(case.sizes.values())]
    if not exact:
        return ()
    if not any(argument.shape for argument in exercise.arguments):
        return tuple(_among_others(exercise, source, exact[0]))
    base = min(exact, key=lambda case: np.prod([*case.sizes.values()]))
    free = [name for name in base.sizes if name in exercise.free_sizes]
    names = [*free, *(name for name in base.sizes if name in exercise.domain.sizes and name not in free)]
    lone = len(free) == 1  # among several, a large number is a distance between rows as soon as a size
    longest = max(size for case in exercise.cases for size in case.sizes.values()) if lone else MOST_ELEMENTS
    several = [case for case in exact if min(case.sizes.values()) > 1] or [base]  # rows, of which not all are alike
    small = min(several, key=lambda case: np.prod([*case.sizes.values()]))
    beyond = [(name, number + PAST) for number in _limits(source) for name in free if _ends(exercise, name) <= number]
    asked = [(base, size) for size in dict.fromkeys(_asked(source, longest))]
    asked += [(small, size) for size in dict.fromkeys(_past_narrow_types(exercise, source))]
    wanted = [(base, name, size) for name, size in beyond if size < SMALLEST + PAST]
    if exercise.on_host:  # where nothing has a width
        wanted += [(base, name, size) for size in _limits(source) if 1 < size < SMALLEST for name in names]
    wanted += [(one, name, size) for one, size in asked for name in names]
    cases = [
        replace(one, sizes={**one.sizes, name: near}, trace=False, last=True)
        for one, name, size in wanted
        if (near := _near(exercise, name, size))
    ]
    return tuple(case for case in cases[:MOST_CASES] if _can_be_exact(exercise, case))


def _among_others(exercise: Exercise, source: str, base: Case) -> Iterator[Case]:
    """Cases of a function of a few numbers: each number that the source compares with is one of them, the others are
    drawn; and one more than it."""
    rng = np.random.default_rng(DRAWN)
    spans = {**exercise.domain.sizes, **exercise.domain.scalars}
    numbers = [number + more for number in _limits(source)[:MOST_NUMBERS] for more in (0, 1)]
    wanted = [
        (name, number)
        for number in dict.fromkeys(numbers)
        for name, span in spans.items()
        if isinstance(span, Whole) and span.low <= number <= span.high
    ]
    for name, number in (pair for pair in wanted for _ in range(DRAWN)):
        drawn = {other: span.within(rng) for other, span in spans.items()} | {name: number}
        sizes = {other: int(drawn[other]) for other in exercise.domain.sizes}
        scalars = tuple((other, drawn[other]) for other in exercise.domain.scalars)
        yield replace(base, sizes={**base.sizes, **sizes}, scalars=scalars, trace=False, last=True, corner="value")


def _ends(exercise: Exercise, name: str) -> int:
    """The largest size of a name that any case has without the answer's own numbers."""
    span = exercise.domain.sizes.get(name)
    return max(span.high if span else 0, *(case.sizes.get(name, 0) for case in exercise.cases), 0)


def _near(exercise: Exercise, name: str, size: int) -> int:
    """A size, or the next that its domain has; 0 where it cannot be so large, or a case of the contract has it."""
    span = exercise.domain.sizes.get(name)
    if name in exercise.free_sizes:
        near = size if size <= _most_of(exercise, name) else 0
    else:
        assert span is not None
        near = max(span.low - (span.low - size) // span.step * span.step, 0)
        near = near if span.low <= near <= span.high else 0
    return 0 if any(case.sizes.get(name) == near for case in exercise.cases) else near


def _most_of(exercise: Exercise, name: str) -> int:
    """How large a size may be: a function of the host may compare each element with each, and so may its oracle."""
    span = exercise.domain.sizes.get(name) if exercise.on_host else None
    return MOST_ELEMENTS if span is None else max(span.high, MOST_ON_HOST)


def _asked(source: str, longest: int) -> Iterator[int]:
    """The sizes at which numbers of the source show: those beyond what it compares with, then the numbers themselves
    and what lies beside them, and those longer than any case."""
    compared = _limits(source)
    limits = [number for number in compared if SMALLEST <= number]
    yield from (number + TURNS for number in limits if number <= MOST_TURNS)
    yield from limits
    yield from (number + PAST for number in limits)
    numbers = {_number(node) for node in ast.walk(_tree_of(source)) if isinstance(node, ast.expr)}
    alone = numbers.difference(compared)
    yield from sorted(number + PAST for number in alone if number is not None and longest < number)


def _limits(source: str) -> list[int]:
    """The whole numbers that a source compares something with, rising."""
    tree = _tree_of(source)
    named = {
        node.targets[0].id: number
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if (number := _number(node.value)) is not None and number <= MOST_TURNS  # larger: what a tile or a ring has
    }
    compared = {number for one in _compared(tree) if (number := _number(one, named)) is not None}
    shares = (node.right for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod))
    far = {number for one in shares if (number := _number(one, named)) is not None and number > MOST_OF_A_BLOCK}
    return sorted(compared | far)


def _tree_of(source: str) -> ast.Module:
    """The syntax of a source; of nothing where it is not Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _compared(tree: ast.AST) -> Iterator[ast.expr]:
    """What is compared with something else, by an operator or by min and max."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            yield from node.args


def _past_narrow_types(exercise: Exercise, source: str) -> Iterator[int]:
    """Sizes past what the narrow whole numbers hold that the source names, and the exercise has no array of."""
    tree = _tree_of(source)
    named = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in ast.walk(tree)}
    own = {argument.dtype for argument in exercise.arguments}
    yield from (most + PAST for name, most in NARROW.items() if name in named - own)


def _number(node: ast.expr, named: Mapping[str, int] = MappingProxyType({})) -> int | None:
    """The whole number that an expression of literals is, if it is one and no array of ours is too short for it.

    named: numbers that the source has names for.
    """
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value if abs(node.value) <= MOST_ELEMENTS else None
    if isinstance(node, ast.Name):
        return named.get(node.id)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _number(node.left, named), _number(node.right, named)
        if left is None or right is None or (isinstance(node.op, ast.FloorDiv) and right == 0):
            return None
        if isinstance(node.op, ast.LShift) and not 0 <= right < MOST_ELEMENTS.bit_length():
            return None
        value = OPERATORS[type(node.op)](left, right)
        return value if abs(value) <= MOST_ELEMENTS else None
    return None


def _can_be_exact(exercise: Exercise, case: Case) -> bool:
    """Whether the values of this size can be had, and sums of them are as exact as those of the longest case."""
    try:
        values = make_values(exercise, case)
    except (ValueError, IndexError, MemoryError):  # a size that the contract's values cannot have
        return False
    if any(np.size(value) > MOST_ELEMENTS for value in values.values()) or _is_too_much(exercise, values):
        return False
    longest = max((one for one in exercise.cases if one.values == "exact"), key=lambda one: max(one.sizes.values()))
    if _largest_sum(exercise, values) < EXACT_BELOW:
        return True
    return _largest_sum(exercise, make_values(exercise, longest)) >= EXACT_BELOW  # no answer adds these up


def _is_too_much(exercise: Exercise, values: Values) -> bool:
    """Whether such sizes ask for far more arithmetic than elements, as all pairs of many bodies do."""
    return exercise.cost is not None and exercise.cost(values).flops > MOST_FLOPS


def _largest_sum(exercise: Exercise, values: Values) -> float:
    """The largest number that adding up the floats of an argument, or a result, can come to."""
    arrays = [np.asarray(value) for value in values.values()]
    results = [np.asarray(value) for value in exercise.expected_of(values).values()]
    sums = [np.abs(array, dtype=np.float64).sum() for array in arrays if array.dtype.kind == "f"]
    return max([0.0, *sums, *(np.abs(array, dtype=np.float64).max(initial=0) for array in results)])
