"""A thread's place that is worked out by hand and is none: brackets, another axis, one thread, not one per block.

Of a wrong output that says no more than that some elements were never written, and of equal stores by many.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.answer.program import Program
from autograder.diagnosis.advice.guards import at_line, written_out
from autograder.outcome import Cause
from simt.events import Finding

AXES = "xyz"
POSITIONS = ("threadIdx", "blockIdx", "blockDim", "gridDim")
NO_MORE_KNOWN = "Make sure that the threads, or their iterations of the loop, cover every element."
BLOCKS, THREADS = 3, 4  # of a small launch, in which places are compared
ALL_THREE = {1: "i = cuda.grid(1)", 2: "x, y = cuda.grid(2)", 3: "x, y, z = cuda.grid(3)"}


@dataclass(frozen=True)
class Shape:
    """Blocks of a launch, and threads of a block, along x, y and z."""

    grid: Sequence[int]
    block: Sequence[int]


def in_view_of_places(cause: Cause, program: Program, launch: Shape | None) -> Cause:
    """A cause of elements that nobody wrote, with the line that works a place out wrongly; others as they are."""
    tree = program.definition
    if cause.kind != "wrong_output" or cause.is_slip or cause.remedy != NO_MORE_KNOWN or tree is None or launch is None:
        return cause
    for line, says, remedy in (*_odd_places(tree, launch), *_one_thread_of_all(tree)):
        return replace(cause, says=f"{cause.says} {says}", remedy=remedy, lines=(line,))
    return cause


def _odd_places(tree: ast.FunctionDef, launch: Shape) -> Iterator[tuple[int, str, str]]:
    """(line, what is wrong, what to do) of every variable that is made of positions alone and is no thread's place."""
    stores = _names_of_stores(tree)
    for name, value, line in _made_of_positions(tree):
        if name not in stores:
            continue
        text = ast.unparse(value)
        asked = [axis for axis in range(3) if f"cuda.threadIdx.{AXES[axis]}" in text]
        if len(asked) != 1:
            continue
        axis, letter = asked[0], AXES[asked[0]]
        n_axes = max([1, *(at + 1 for at in range(3) if launch.grid[at] * launch.block[at] > 1)])
        whole = f"cuda.blockIdx.{letter} * cuda.blockDim.{letter} + cuda.threadIdx.{letter}"
        remedy = f"Write {name} = {whole}, or let cuda.grid do it: {ALL_THREE[n_axes]}."
        if launch.grid[axis] * launch.block[axis] == 1:
            yield (
                line,
                f"`{name}` is 0 in every thread: this launch numbers its threads along {' and '.join(AXES[:n_axes])} "
                f"alone, and line {line} asks for {letter}.",
                f"Write {ALL_THREE[n_axes]}.",
            )
        elif f"cuda.blockIdx.{letter}" not in text and launch.grid[axis] > 1:
            yield line, f"`{name}` begins at 0 again in every block along {letter}, of which there are several.", remedy
        elif (pair := _same_place(value, letter)) is not None:
            first, second = pair
            yield line, f"Line {line} gives {first} and {second} the same `{name}`.", remedy


def _names_of_stores(tree: ast.FunctionDef) -> set[str]:
    """The names between the brackets of every store to an array that the kernel is handed."""
    handed = {one.arg for one in tree.args.args}
    places = [part for part in ast.walk(tree) if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)]
    ours = [place.slice for place in places if ast.unparse(place.value) in handed]
    return {part.id for place in ours for part in ast.walk(place) if isinstance(part, ast.Name)}


def _made_of_positions(tree: ast.FunctionDef) -> Iterator[tuple[str, ast.expr, int]]:
    """(name, value, line) of assignments whose value has nothing but positions, whole numbers, + and *."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1):
            continue
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = list(zip(target.elts, value.elts, strict=True))
        for one, made in pairs:
            if isinstance(one, ast.Name) and _evaluated(made, 0, 0, "") is not None:
                yield one.id, made, node.lineno


def _same_place(value: ast.expr, letter: str) -> tuple[str, str] | None:
    """Two threads of a small launch that come to the same number; None where no two do."""
    seen: dict[int, str] = {}
    for block in range(BLOCKS):
        for thread in range(THREADS):
            place, who = _evaluated(value, block, thread, letter), f"thread {thread} of block {block}"
            if place in seen:
                return seen[place], who
            if place is not None:
                seen[place] = who
    return None


def _evaluated(node: ast.expr, block: int, thread: int, letter: str) -> int | None:
    """What an expression of positions comes to along one axis; None where it has anything else in it."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.Attribute):
        values = dict(zip(POSITIONS, (thread, block, THREADS, BLOCKS), strict=True))
        owner, _, axis = ast.unparse(node).removeprefix("cuda.").partition(".")
        return values[owner] if owner in values and axis in AXES and axis and letter in ("", axis) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        left, right = (_evaluated(side, block, thread, letter) for side in (node.left, node.right))
        if left is None or right is None:
            return None
        return left + right if isinstance(node.op, ast.Add) else left * right
    return None


def _one_thread_of_all(tree: ast.FunctionDef) -> Iterator[tuple[int, str, str]]:
    """`if i == 0: partial[cuda.blockIdx.x] = ...`, where i is the place in the whole grid."""
    for node in ast.walk(tree):
        test = node.test if isinstance(node, ast.If) else None
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
            continue
        assert isinstance(node, ast.If)
        asked = ast.unparse(test.left)
        if ast.unparse(written_out(test.left, tree)) != "cuda.grid(1)" or ast.unparse(test.comparators[0]) != "0":
            continue
        stores = [part for one in node.body for part in ast.walk(one) if isinstance(part, ast.Subscript)]
        if any(isinstance(one.ctx, ast.Store) and "cuda.blockIdx.x" in ast.unparse(one.slice) for one in stores):
            yield (
                test.lineno,
                f"`{asked} == 0` is true for one thread of the whole grid, so the other blocks store nothing.",
                "Ask for the first thread of each block: `cuda.threadIdx.x == 0`.",
            )


def advice_on_repeats(finding: Finding, program: Program) -> str:
    """What to do where several threads store the same values to one element; "" where the source does not tell."""
    tree = program.definition
    if tree is None or not finding.lines:
        return ""
    for element in at_line(tree, finding.lines[0], ast.Subscript):
        if not isinstance(element.ctx, ast.Store):
            continue
        return _taken_by_a_loop(tree, element) or _flat(tree, element)
    return ""


def _taken_by_a_loop(tree: ast.FunctionDef, element: ast.Subscript) -> str:
    """`for z in range(n)`, where z was a thread's own place."""
    names = {part.id for part in ast.walk(element.slice) if isinstance(part, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id in names & _of_grid(tree):
            name = node.target.id
            return (
                f"The loop of line {node.lineno} takes {name} for its own, which was the thread's place: threads that "
                f"differ in {name} alone do the same. Leave the loop out, and ask `{name} < ...` as of the others."
            )
    return ""


def _flat(tree: ast.FunctionDef, element: ast.Subscript) -> str:
    """`i = y * n_cols + x`, where x may be beyond the end of a row."""
    place = written_out(element.slice, tree)
    if not (isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add) and isinstance(place.left, ast.BinOp)):
        return ""
    fast, of_grid = ast.unparse(place.right), _of_grid(tree)
    parts = {ast.unparse(side) for side in (place.left.left, place.left.right)}
    if not isinstance(place.left.op, ast.Mult) or fast not in of_grid or not parts & of_grid:
        return ""
    length = (parts - of_grid or {"the length of a row"}).pop()
    asked = {ast.unparse(one.left) for one in ast.walk(tree) if isinstance(one, ast.Compare)}
    if fast in asked:
        return ""
    return (
        f"A thread beyond the end of its row, where {fast} is {length} or more, comes to the next row, which has a "
        f"thread of its own. Ask `{fast} < {length}`, too."
    )


def _of_grid(tree: ast.FunctionDef) -> set[str]:
    """The names that `x, y = cuda.grid(2)` gives."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.value) in ("cuda.grid(2)", "cuda.grid(3)"):
            found |= {part.id for part in ast.walk(node.targets[0]) if isinstance(part, ast.Name)}
    return found
