"""What the cases that are right say about the ones that are wrong: the same lines worked there.

A cause is read from wrong outputs alone; where other cases are right, "nothing is ever stored" and "read your formula
again" cannot be true. Then the difference between the cases is what to look at.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from autograder.answer.program import Program
from autograder.contract import CORNERS, LOWEST, TINY, ZEROS, Case
from autograder.outcome import Cause
from autograder.running.cases.named_sizes import EXACT_BELOW

NEXT_TO_0 = 1e-3  # a number below it stands for 0 where something is compared with it
FEWEST, FEW_SIZES = 4, 2  # right cases, and sizes that they have in common
LONGEST = 48  # characters of a condition that is quoted
READ_FROM_ONE_CASE = ("wrong_formula", "off_by_one")  # which cannot be what is wrong in a case alone
ONLY_THIS = (
    "Every other case is right, and only the one with {corner} is not: go through what your code does with that."
)
ONLY_THE_LOWEST = (
    "Every other case is right, and only the one whose numbers are the lowest there are is not: what a search begins "
    "with, or what stands in for an element that is missing, is above them."
)
BEGIN_BELOW = "Begin with the first number itself, or with float32(-math.inf): -1e38 or 0 is no number that never wins."
SEEN_WITH_ANOTHER_LAUNCH = ("out_of_bounds", "uninitialised_read", "race")
A_GUARD = re.compile(r"\s+Guard the access with an if\.")  # which an error asks for, and which would leave elements out
GRID = re.compile(r"cuda\.grid(size)?\(")
SMALL_TYPES = np.iinfo(np.int8).max  # a larger number may not fit a type either


def in_their_view(
    cause: Cause,
    right: Sequence[Case],
    wrong: Sequence[Case],
    kernel: ast.FunctionDef | None,
    names: Mapping[str, str],
    helpers: Mapping[str, ast.FunctionDef] | None = None,
) -> Cause:
    """The same cause, or a better one where right cases refute it.

    Args: right, wrong: cases with elements; kernel: its syntax, None for a host function; names: of outputs, as the
    kernel calls them, by the contract's names; helpers: the other functions of the answer, by name.
    """
    if cause.kind != "wrong_output":
        return cause
    if not wrong:
        return _only_of_nothing(cause) if right and cause.unstored else cause
    if right and all(case.values == TINY for case in wrong):
        return _only_next_to_zero(cause, kernel)
    if right and all(case.launch and case.corner for case in wrong) and not cause.is_slip:
        return _only_with_another_launch(cause, wrong[0])
    if cause.unstored and kernel is not None:
        return _not_reached(cause, wrong[0], kernel, names, bool(right))
    if not right:
        return cause
    if all(case.values == ZEROS for case in wrong):
        return _only_with_zeros(cause, kernel, names)
    if all(case.values == LOWEST for case in wrong) and cause.misconception == "wrong_formula" and not cause.is_slip:
        return replace(cause, says=ONLY_THE_LOWEST, remedy=BEGIN_BELOW)
    if cause.misconception == "wrong_formula" and all(case.launch for case in wrong) and not cause.is_slip:
        return _only_with_another_launch(cause, wrong[0])
    if cause.misconception not in READ_FROM_ONE_CASE:
        return cause
    if all(case.corner not in ("", *CORNERS) for case in wrong):
        return _only_with_this(cause, wrong[0])
    beyond = _only_beyond(cause, right, wrong, kernel, helpers) if all(case.last for case in wrong) else cause
    if beyond is cause and cause.misconception == "wrong_formula":
        return _only_with_one_size(cause, right, wrong, kernel is not None)
    return beyond


def _only_of_nothing(cause: Cause) -> Cause:
    """Nothing was stored where there are no elements, and cases with elements are right."""
    return replace(
        cause,
        misconception="store_not_reached",
        says=f"Where the input has no elements nothing is stored to {cause.unstored}; with elements it is right.",
        remedy="Let the store be reached there, too: a sum of nothing, for one, is 0.",
    )


def _only_with_zeros(cause: Cause, kernel: ast.FunctionDef | None, names: Mapping[str, str]) -> Cause:
    """Only the case with zeros among its numbers is wrong."""
    stores = (one for one in _stores(kernel) if one[1] in names.values() and one[2]) if kernel is not None else ()
    line, _, conditions = next(iter(stores), (0, "", []))
    if division := next(_divisions_by_elements(kernel), None) if kernel is not None else None:
        line, conditions = division.lineno, [ast.unparse(division)]
    quoted = _quoted(conditions)
    return replace(
        cause,
        misconception="zero_is_special",
        says="Only where numbers of the input are 0 is anything wrong; every other case is right.",
        remedy=f"Work out {quoted} for numbers that are 0." if quoted else "Look for a shortcut or a division by them.",
        lines=(line,) if quoted else (),
    )


def _only_next_to_zero(cause: Cause, kernel: ast.FunctionDef | None) -> Cause:
    """Only the case whose numbers are next to 0 is wrong: what is small is taken for 0, or limited."""
    compared = next(_small_numbers_compared_with(kernel), None) if kernel is not None else None
    quoted = f"Line {compared.lineno} compares with {_quoted([ast.unparse(compared)])}. " if compared else ""
    return replace(
        cause,
        misconception="zero_is_special",
        says="Only tiny numbers, such as 1e-7 or 1e-30, come out wrong; every other case is right.",
        remedy=f"{quoted}A number may be as small as 1e-30 and still not be 0: compare with 0 itself, or not at all.",
        lines=(compared.lineno,) if compared else (),
    )


def _small_numbers_compared_with(kernel: ast.FunctionDef) -> Iterator[ast.Compare]:
    """The comparisons with a number that is next to 0, but not 0."""
    for node in ast.walk(kernel):
        if isinstance(node, ast.Compare):
            numbers = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
            if any(isinstance(one, float) and 0 < abs(one) < NEXT_TO_0 for one in numbers):
                yield node


def _divisions_by_elements(kernel: ast.FunctionDef) -> Iterator[ast.BinOp]:
    """The divisions by what is read from an array."""
    for node in ast.walk(kernel):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            if any(isinstance(part, ast.Subscript) for part in ast.walk(node.right)):
                yield node


def _only_with_another_launch(cause: Cause, case: Case) -> Cause:
    """Every case is right that is launched as the contract says."""
    grid, block = case.launch[:2]
    return replace(
        cause,
        misconception="fitted_to_cases",
        says=f"Every element is right with the launch of the other cases, but not when launched as {grid} x {block}.",
        remedy="Look for a number in your code that belongs to one launch: cuda.blockDim says how many threads a block "
        "has, cuda.gridDim how many blocks there are, and cuda.gridsize counts all threads.",
    )


def of_another_launch(cause: Cause, right: Sequence[Case], wrong: Sequence[Case], program: Program) -> Cause:
    """A finding that only another launch than the contract's shows: not the line lacks a guard, a number is fixed."""
    only = wrong and right and all(case.launch and case.corner for case in wrong)
    if cause.kind not in SEEN_WITH_ANOTHER_LAUNCH or not only or not _has_numbers(program):
        return cause
    told = _only_with_another_launch(cause, wrong[0])
    return replace(told, says=f"{A_GUARD.sub('', cause.says)} {told.says}")


def _has_numbers(program: Program) -> bool:
    """Whether a kernel has a number that may be of one launch, or a constant's name; an axis is none."""
    for function in (program.definition, *program.helpers.values()):
        nodes = list(ast.walk(function)) if function is not None else []
        axes = [one.slice for one in nodes if isinstance(one, ast.Subscript)]
        axes += [
            part for one in nodes if isinstance(one, ast.Call) and GRID.match(ast.unparse(one)) for part in one.args
        ]
        for node in nodes:
            number = isinstance(node, ast.Constant) and type(node.value) is int and node.value > 1
            constant = isinstance(node, ast.Name) and node.id.isupper()
            if (number or constant) and not any(node is axis for axis in axes):
                return True
    return False


def _only_with_this(cause: Cause, case: Case) -> Cause:
    """Only an input with a name of its own is wrong, as a graph is: its sizes are not what tells it from the others."""
    if cause.misconception != "wrong_formula" or cause.is_slip:
        return cause
    return replace(cause, says=ONLY_THIS.format(corner=case.corner))


def _quoted(conditions: Sequence[str]) -> str:
    return " and ".join(f"`{textwrap.shorten(one, LONGEST, placeholder=' ...')}`" for one in conditions)


def _not_reached(
    cause: Cause, case: Case, kernel: ast.FunctionDef, names: Mapping[str, str], right_elsewhere: bool
) -> Cause:
    """No thread came to the store in this case: its condition is what to look at."""
    elsewhere = "; in other cases it is right" if right_elsewhere else ""
    for line, array, conditions in _stores(kernel):
        if array == names.get(cause.unstored) and conditions:
            store = f"line {line}, which stores to {cause.unstored}"
            says = f"At {case.name} no thread comes to {store}{elsewhere}."
            remedy = f"Work out {_quoted(conditions)} with the numbers of that case."
            return replace(cause, misconception="store_not_reached", says=says, remedy=remedy, lines=(line,))
    return cause


def _stores(kernel: ast.FunctionDef) -> Iterator[tuple[int, str, list[str]]]:
    """(line, array, conditions around it, the outermost first) of every store to an element."""
    tests = [node for node in ast.walk(kernel) if isinstance(node, ast.If | ast.While)]
    for node in ast.walk(kernel):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            around = [test for test in tests if test.body[0].lineno <= node.lineno <= (test.body[-1].end_lineno or 0)]
            yield node.lineno, node.value.id, [ast.unparse(one.test) for one in around]


def _only_beyond(
    cause: Cause,
    right: Sequence[Case],
    wrong: Sequence[Case],
    kernel: ast.FunctionDef | None,
    helpers: Mapping[str, ast.FunctionDef] | None,
) -> Cause:
    """Every case is right but those in which one size is larger than in all others."""
    beyond = _larger_where_wrong(right, wrong)
    if len(beyond) != 1 or cause.is_slip:
        return cause
    (name,) = beyond
    most, least = max(case.sizes[name] for case in right), min(case.sizes[name] for case in wrong)
    says = f"Every case with {name} up to {most:,} is right, and with {name} = {least:,} it is wrong."
    if most <= EXACT_BELOW < least and kernel is not None and (found := _narrowed(cause, says, kernel, helpers)):
        return found
    remedy = f"Look for a number in your code that is enough for {name} = {most:,}, and should come from an argument."
    if least > SMALL_TYPES:
        remedy = f"Look for a number or a type in your code that is enough for {name} = {most:,} and not for {least:,}."
    return replace(cause, misconception="fitted_to_cases", says=says, remedy=remedy)


def _larger_where_wrong(right: Sequence[Case], wrong: Sequence[Case]) -> list[str]:
    """The sizes that are larger in every wrong case than in any right one."""
    most = {name: max(case.sizes[name] for case in right) for name in wrong[0].sizes}
    return [name for name in most if all(case.sizes[name] > most[name] for case in wrong)]


def _narrowed(
    cause: Cause, says: str, kernel: ast.FunctionDef, helpers: Mapping[str, ast.FunctionDef] | None
) -> Cause | None:
    """What is wrong only beyond the whole numbers of a float32, where an index goes through one; None elsewhere."""
    from autograder.lint.from_source.float_indices import narrowed_in_indices  # numba behind it takes a second

    narrow = narrowed_in_indices(kernel, helpers)
    if not narrow:
        return None
    return replace(
        cause,
        misconception="float_index",
        says=f"{says} `{ast.unparse(narrow[0])}` holds every whole number up to {EXACT_BELOW:,}, and not beyond.",
        remedy="Keep places in integers from start to end.",
        lines=tuple(sorted({call.lineno for call in narrow})),
    )


def _only_with_one_size(cause: Cause, right: Sequence[Case], wrong: Sequence[Case], launched: bool) -> Cause:
    """All right cases have one size in common, and no wrong one has it."""
    for name in right[0].sizes:
        sizes, others = {case.sizes[name] for case in right}, {case.sizes[name] for case in wrong}
        varies = any(len({case.sizes[one] for case in right}) > FEW_SIZES for one in right[0].sizes)
        if len(sizes) <= FEW_SIZES and len(right) >= FEWEST and varies and not sizes & others:
            known = " or ".join(f"{size:,}" for size in sorted(sizes))
            says = f"Every case with {name} = {known} is right, and with {name} = {min(others):,} it is wrong."
            where = "the launch, or from the arguments" if launched else "an argument"
            larger = [one for one in _larger_where_wrong(right, wrong) if one != name]
            says += f" Larger there, too: {', '.join(larger)}." if larger else ""
            either = " or ".join([name, *larger])
            remedy = f"Look for a number in your code that should come from {where}, and at what it does with {either}."
            return replace(cause, misconception="fitted_to_cases", says=says, remedy=remedy)
    return cause
