"""Locks that are taken by a sum: a loop adds to a cell, and what it found there decides whether it goes round again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from simt.source.recognise import CudaName, python_function
from simt.source.staying import decides, stays_while_positive
from simt.source.trees import names_stored
from simt.source.walking import walk

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler

ADDING = ("atomic.add", "atomic.sub")  # of a 0 one only looks, as at a cell that others update
TAKES_BACK, GROWS = "takes back", "grows"  # what a loop does that takes a lock by a sum


def adds_to_lock(compiler: Compiler, loop: ast.While) -> tuple[str, tuple[str, ...]]:
    """How a loop takes a lock by a sum, as it adds 1, say, and goes round unless it found 0; "" for any other loop.

    TAKES_BACK what it adds in vain, or GROWS the lock, which somebody else must set to 0 then. Only a loop that its own
    sums keep turning is one: a loop over data may add as well. With it the names of the arrays that its atomics update,
    which are all that such a loop changes in memory.
    """
    found = list(atomics(compiler, loop))
    calls = [call for path, call in found if path in ADDING and len(call.args) > 2]
    amounts = [amount_of(compiler, path, call) for path, call in found]
    if not calls or works(compiler, loop) or not decides(loop, calls):
        return "", ()
    arrays = tuple(sorted({ast.unparse(call.args[0]) for _, call in found if call.args}))
    sums: dict[str, int] = {}
    for (_, call), amount in zip(found, amounts, strict=True):
        if amount and call in calls:
            cell = ast.unparse(call.args[0]) + ast.unparse(call.args[1])
            sums[cell] = sums.get(cell, 0) + amount
    if sums and not any(sums.values()):
        return TAKES_BACK, arrays
    growing = [call for (_, call), amount in zip(found, amounts, strict=True) if amount]
    only_up = len(calls) == len(found) and all(amount is not None and amount >= 0 for amount in amounts)
    stored = names_stored(loop)
    same_cells = all(stays(call.args[1], stored) for call in calls)
    if growing and only_up and same_cells and stays_while_positive(loop, growing):
        return GROWS, arrays
    return "", ()


def set_to_zero(compiler: Compiler, loop: ast.While) -> bool:
    """Whether a function may set what a loop adds to: by a store, or by an atomic that is no sum.

    True as well of a function that only takes a lock, as `acquire(lock)`, since its caller opens it.
    """
    within = {id(part) for part in walk(loop)}
    locks = {ast.unparse(call.args[0]) for _, call in atomics(compiler, loop)}
    others = [(path, call) for path, call in atomics(compiler, compiler.source.node) if id(call) not in within]
    opening = [path for path, call in others if ast.unparse(call.args[0]) in locks]
    stored = locks & {ast.unparse(array) for array in stored_arrays(compiler.source.node)}
    return bool(stored) or not opening or any(path not in ADDING for path in opening)


def amount_of(compiler: Compiler, path: str, call: ast.Call) -> int | None:
    """What a sum adds to its cell, where the source says it: -1 of `sub(lock, 0, 1)`."""
    if path not in ADDING:
        return None
    operand, sign = call.args[-1], -1 if path == "atomic.sub" else 1
    if isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.USub):
        operand, sign = operand.operand, -sign
    value = operand.value if isinstance(operand, ast.Constant) else compiler.static(operand)
    return sign * value if isinstance(value, int) else None


def stays(operand: ast.expr, stored: set[str] | frozenset[str]) -> bool:
    """Whether an operand has one value in every iteration. stored: the variables that the loop sets."""
    reads = [part for part in walk(operand) if isinstance(part, ast.Subscript | ast.Name)]
    return not any(isinstance(part, ast.Subscript) or part.id in stored for part in reads)


def atomics(compiler: Compiler, node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """The path and the call of each atomic in a piece of source."""
    for part in walk(node):
        if isinstance(part, ast.Call):
            function = compiler.static(part.func)
            if isinstance(function, CudaName) and function.path.startswith("atomic."):
                yield function.path, part


def stores(node: ast.AST) -> bool:
    return any(stored_arrays(node))


def stored_arrays(node: ast.AST) -> Iterator[ast.expr]:
    """The arrays that a piece of source stores into."""
    for part in walk(node):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            yield part.value


def works(compiler: Compiler, loop: ast.While) -> bool:
    """Whether a loop does more than to look: it stores, or calls a device function, which may."""
    calls = [compiler.static(part.func) for part in walk(loop) if isinstance(part, ast.Call)]
    return stores(loop) or any(python_function(function) is not None for function in calls)
