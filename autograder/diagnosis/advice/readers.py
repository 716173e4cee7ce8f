"""Advice that fits the line: what a finding means where the source around it says more than the access alone.

Each reader looks at one finding and the syntax of the function it is in, and gives words in place of the finding's own
(what happens, what to do), or None.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from autograder.answer.program import Piece, Program
from autograder.answer.syntax import around
from autograder.diagnosis.advice.axes import advice_on_axes, advice_on_rows
from autograder.diagnosis.advice.counts import advice_on_counts
from autograder.diagnosis.advice.draws import advice_on_draws, advice_on_kept_draws, advice_on_places_drawn
from autograder.diagnosis.advice.fills import advice_on_fills
from autograder.diagnosis.advice.guards import at_line, axis_outside, function_around, is_far, written_out
from autograder.diagnosis.advice.indices import advice_on_indices, advice_on_own_memory, advice_on_searches
from autograder.diagnosis.advice.masks import advice_on_masks
from autograder.diagnosis.advice.orders import advice_on_orders, advice_on_other_copies
from autograder.diagnosis.advice.reaches import advice_on_reaches
from autograder.diagnosis.advice.swaps import advice_on_swaps
from autograder.diagnosis.advice.votes import advice_on_votes
from autograder.diagnosis.advice.waits import advice_on_waits
from autograder.diagnosis.advice.whole_loops import advice_on_whole_loops
from simt.events import Finding


@dataclass(frozen=True)
class Advice:
    """says: what happens, "" for the finding's own words; remedy: the one thing to do."""

    says: str
    remedy: str


def advice_for(finding: Finding, quotable: Piece) -> Advice | None:
    """The first reader that has something to say about a finding; quotable: the learner's source."""
    if not finding.lines:
        return None
    for whole in (advice_on_waits, advice_on_orders, advice_on_other_copies):
        if (found := whole(finding, quotable)) is not None:
            return Advice(*found)
    line = finding.lines[0] - quotable.first_line + 1
    function = function_around(quotable, finding.lines[0])
    if function is None:
        return None
    return next((one for reader in READERS if (one := reader(finding, function, line)) is not None), None)


def _of_another_module(finding: Finding, function: ast.FunctionDef, line: int) -> Advice | None:
    """What those know who read one kind of mistake each: draws, swaps and locks, fills, whole loops, clamps, axes."""
    readers = (
        advice_on_draws,
        advice_on_swaps,
        advice_on_masks,
        advice_on_votes,
        advice_on_fills,
        advice_on_whole_loops,
        advice_on_reaches,
        advice_on_axes,
        advice_on_rows,
        advice_on_searches,
        advice_on_indices,
        advice_on_own_memory,
        advice_on_kept_draws,
        advice_on_places_drawn,
        advice_on_counts,
    )
    found = next((found for reader in readers if (found := reader(finding, function, line)) is not None), None)
    return Advice(*found) if found else None


def _adds_to_nothing(finding: Finding, function: ast.FunctionDef, line: int) -> Advice | None:
    """`out[i] += x` on an output that nobody has set."""
    if finding.kind != "uninitialised_read" or finding.detail.get("space") != "global":
        return None
    for node in at_line(function, line, ast.AugAssign):
        if isinstance(node.target, ast.Subscript) and ast.unparse(node.target.value) == finding.array:
            operator = ast.unparse(node).split(ast.unparse(node.target), 1)[1].split()[0]
            return Advice(
                f"`{operator}` reads {finding.array} before it writes it, and nobody has written it yet: whatever was "
                "in memory before takes part in the result.",
                f"Work it out in a variable: set it before the loop, and store it in {ast.unparse(node.target)} with = "
                "once the loop has ended."
                if _comes_again(node, function)
                else "Store the result with = instead.",
            )
    return None


def _comes_again(update: ast.AugAssign, function: ast.FunctionDef) -> bool:
    """Whether a loop around an update comes to the same element in every iteration."""
    loops = around(update, function, (ast.For, ast.While))
    if not loops:
        return False
    names = {one.id for one in ast.walk(update.target) if isinstance(one, ast.Name)}
    set_there = {one.id for one in ast.walk(loops[-1]) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return not names & set_there


def _range_in_another_order(finding: Finding, function: ast.FunctionDef, line: int) -> Advice | None:
    """`range(i, cuda.gridsize(1), n)`: stop and step have changed places."""
    if finding.kind not in ("out_of_bounds", "race"):
        return None
    for loop in at_line(function, line, ast.For):
        call = loop.iter
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "range" and len(call.args) == 3):
            continue
        stop, step = (ast.unparse(argument) for argument in call.args[1:])
        if _is_stride(stop, function) and not _is_stride(step, function) and ("size" in step or "shape" in step):
            return Advice(
                "",
                f"range takes start, stop, step, and `{ast.unparse(call)}` has the last two exchanged: "
                f"stop at `{step}`, and move by `{stop}`.",
            )
    return None


def _moves_too_little(finding: Finding, function: ast.FunctionDef, line: int) -> Advice | None:
    """A grid-stride loop that moves by less than the grid, so that threads come to elements of others."""
    if finding.kind != "race" or finding.detail.get("scope") != "grid" or finding.detail.get("space") != "global":
        return None
    for loop in at_line(function, line, ast.For, ast.While):
        for step in _steps_of(loop):
            names = ast.unparse(written_out(step, function))
            fixed = _is_fixed(step, function) if _begins_at_its_block(loop, function) else ""
            if counted := _counts_too_little(names) or fixed:
                begins = loop.lineno + finding.lines[0] - line
                return Advice(
                    "",
                    f"The loop of line {begins} moves by `{ast.unparse(step)}`, {counted}, so threads come to the "
                    "elements of others. Move by the threads of the whole grid: cuda.gridsize(1).",
                )
    return None


def _counts_too_little(step: str) -> str:
    """What a step counts that is not the threads of the grid; "" where it may be these, or nobody knows."""
    if "gridsize" in step or ("blockDim" in step and "gridDim" in step):
        return ""
    if "blockDim" in step:
        return "the threads of one block"
    return "the number of blocks" if step == "cuda.gridDim.x" else ""


def _begins_at_its_block(loop: ast.For | ast.While, function: ast.FunctionDef) -> bool:
    """Whether threads of different blocks begin such a loop at different places, so that it may go over the grid."""
    begins = loop.iter.args[0] if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call) else loop
    names = [node for node in ast.walk(begins) if isinstance(node, ast.Name | ast.Attribute | ast.Call)]
    text = " ".join(ast.unparse(written_out(one, function)) for one in names)
    return isinstance(loop, ast.While) or "cuda.grid(" in text or "blockIdx" in text


def _is_fixed(step: ast.expr, function: ast.FunctionDef) -> str:
    """Words for a step that no launch changes, since neither the function nor its caller gives it a value."""
    given = {argument.arg for argument in function.args.args}
    given |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    used = {node.id for node in ast.walk(step) if isinstance(node, ast.Name)}
    plain = isinstance(step, ast.Constant | ast.Name | ast.BinOp)
    return "" if not plain or used & given or "cuda" in used else "whatever the launch is"


def fixed_turns(program: Program, line: int) -> str:
    """The `range(1000)` of the loop on a line, where it has as many iterations for every call; "" elsewhere."""
    quotable = program.quotable
    line -= quotable.first_line - 1
    function = function_around(quotable, line)
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For)] if function else []
    for loop in (one for one in loops if one.lineno == line):
        call = loop.iter
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "range":
            return ast.unparse(call) if all(_is_fixed(part, function) for part in call.args) else ""
    return ""


def _taken_apart_wrongly(finding: Finding, function: ast.FunctionDef, line: int) -> Advice | None:
    """`i` is inside the array, and `c = i // n` is made of it where `i % n` is meant, or with the length of another
    axis: one more condition would only leave elements out."""
    detail = finding.detail
    of_global = finding.kind == "out_of_bounds" and detail.get("space") == "global"
    if not of_global or len(detail.get("shape", ())) != 2 or detail.get("wraps"):
        return None
    axis = axis_outside(detail)
    for node in at_line(function, line, ast.Subscript):
        if ast.unparse(node.value) != finding.array or not isinstance(node.slice, ast.Tuple):
            continue
        place = node.slice.elts[axis] if axis < len(node.slice.elts) else None
        part = written_out(place, function) if place is not None else None
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.FloorDiv | ast.Mod):
            flat = ast.unparse(part.left)
            if _counts_all(flat, finding.array, function, line):
                where = f"line {part.lineno - line + finding.lines[0]}"
                name = f"{ast.unparse(place)} = " if place is not part and place is not None else ""
                return Advice(
                    "",
                    f"The condition keeps `{flat}` inside the array, and {where} takes it apart the wrong way: "
                    f"`{name}{ast.unparse(part)}`. Elements lie row after row, so with n_cols numbers in a row the row "
                    f"is `{flat} // n_cols`, and the column `{flat} % n_cols`.",
                )
    return None


def _counts_all(flat: str, array: str, function: ast.FunctionDef, line: int) -> bool:
    """Whether a condition before or around a line keeps a number below that of all elements of this very array."""
    for node in ast.walk(function):
        before = isinstance(node, ast.If | ast.While) and node.lineno <= line
        stop = isinstance(node, ast.For) and node.lineno <= line <= (node.end_lineno or 0)
        if stop and isinstance(node, ast.For) and ast.unparse(node.target) == flat:
            return isinstance(node.iter, ast.Call) and any(_is_of_all(part, array, function) for part in node.iter.args)
        if not (before and isinstance(node, ast.If | ast.While)):
            continue
        for part in ast.walk(node.test):
            if not isinstance(part, ast.Compare) or ast.unparse(part.left) != flat:
                continue
            if _is_of_all(part.comparators[0], array, function):
                around = node.lineno <= line <= (node.body[-1].end_lineno or 0)
                return isinstance(part.ops[0], ast.Lt if around else ast.GtE)
    return False


def _is_of_all(stop: ast.expr, array: str, function: ast.FunctionDef) -> bool:
    """Whether an expression is the number of all elements of an array: its size, or a product of its two lengths."""
    stop = written_out(stop, function)
    if isinstance(stop, ast.Attribute):
        return stop.attr == "size" and ast.unparse(stop.value) == array
    if not isinstance(stop, ast.BinOp):
        return False
    return all(ast.unparse(written_out(one, function)).startswith(f"{array}.shape") for one in (stop.left, stop.right))


def _shift_keeps_more(finding: Finding, function: ast.FunctionDef, line: int) -> Advice | None:
    """`word >> 8 * b` as an index: the bits above those that are meant are still there."""
    if finding.kind != "out_of_bounds" or not is_far(finding.detail):
        return None
    statements = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and node.lineno == line]
    names = {node.id for one in statements for node in ast.walk(one) if isinstance(node, ast.Name)}
    assigned = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and any(ast.unparse(target) in names for target in node.targets)
    ]
    for expression in (*statements, *assigned):
        cut = {id(part) for node in ast.walk(expression) if _cuts(node) for part in ast.walk(node)}
        for node in ast.walk(expression):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift) and id(node) not in cut:
                text = ast.unparse(node)
                where = f"`{text}` at line {node.lineno - line + finding.lines[0]}"
                meant = f"Keep those that are meant: `({text}) & 255` is one byte."
                return Advice("", f"{where} still holds all the bits above. {meant}")
    return None


def _cuts(node: ast.AST) -> bool:
    """Whether an expression leaves few bits of what it is made of."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.Mod)


def _steps_of(loop: ast.For | ast.While) -> list[ast.expr]:
    """What a loop moves by: the third argument of range, or what its body adds to a variable of the condition."""
    if isinstance(loop, ast.For):
        call = loop.iter
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "range" and len(call.args) == 3:
            return [call.args[2]]
        return []
    names = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name)}
    return [
        node.value
        for node in ast.walk(loop)
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and ast.unparse(node.target) in names
    ]


def _is_stride(text: str, function: ast.FunctionDef) -> bool:
    """Whether an expression counts threads."""
    written = ast.unparse(written_out(ast.parse(text, mode="eval").body, function))
    return any(word in written for word in ("gridsize", "gridDim", "blockDim"))


READERS: tuple[Callable[[Finding, ast.FunctionDef, int], Advice | None], ...] = (
    _of_another_module,
    _adds_to_nothing,
    _range_in_another_order,
    _moves_too_little,
    _taken_apart_wrongly,
    _shift_keeps_more,
)
