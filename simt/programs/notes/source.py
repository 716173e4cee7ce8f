"""What a kernel's source alone shows: `continue` in a loop whose condition is a barrier, a barrier not called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from simt.events import Finding
from simt.programs.notes.positions import wrong_sizes
from simt.source.walking import walk

BARRIERS = ("syncthreads", "syncthreads_and", "syncthreads_or", "syncthreads_count")
WAITING = (*BARRIERS, "syncwarp", "threadfence", "threadfence_block", "threadfence_system")
INNER = (ast.While, ast.For, ast.FunctionDef, ast.Lambda)


def notes_on(function: ast.AST) -> Iterator[Finding]:
    """All of them."""
    yield from two_barriers(function)
    yield from uncalled(function)
    yield from wrong_sizes(function)


def uncalled(function: ast.AST) -> Iterator[Finding]:
    """A note where `cuda.syncthreads` is a statement of its own: numba compiles it, to nothing."""
    found: dict[str, list[int]] = {}
    for node in walk(function):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Attribute) and value.attr in WAITING:
            found.setdefault(ast.unparse(value), []).append(value.lineno)
    for written, lines in found.items():
        says = f"`{written}` without parentheses only names the function: nothing is called, and no thread waits."
        yield Finding("uncalled", says, tuple(sorted(lines)), remedy=f"Write {written}().", note=True)


def two_barriers(function: ast.AST) -> Iterator[Finding]:
    """A note for each such loop: Python compiles its condition twice, so threads meet at two barriers."""
    for loop in (node for node in walk(function) if isinstance(node, ast.While)):
        barrier = _barrier(loop.test)
        skips = next(_continues(loop.body), None) if barrier else None
        if skips is None:
            continue
        says = (
            f"The condition of the loop at line {loop.lineno} is a barrier, cuda.{barrier}, and Python compiles it "
            f"twice: threads that come to `continue` at line {skips} meet at one barrier, and those that come to the "
            "end of the body at another. On a GPU they wait for each other forever, or go on with a wrong count."
        )
        remedy = (
            f"Write `while True:`, call cuda.{barrier} once at the top of the body and `break` on what it gives; or "
            "do without `continue`."
        )
        unsure = "so Python 3.10 and later compile such a loop; the interpreter runs one barrier"
        yield Finding("two_barriers", says, (skips, loop.lineno), remedy=remedy, detail={"unsure": unsure}, note=True)


def _barrier(test: ast.expr) -> str:
    names = (
        node.func.attr for node in walk(test) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )
    return next((name for name in names if name in BARRIERS), "")


def _continues(body: list[ast.stmt]) -> Iterator[int]:
    """Lines of the `continue`s of this loop, not of loops inside it."""
    for statement in body:
        if isinstance(statement, ast.Continue):
            yield statement.lineno
        elif not isinstance(statement, INNER):
            yield from _continues([one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.stmt)])
