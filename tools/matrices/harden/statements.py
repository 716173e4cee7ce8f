"""Operators on statements: loops with an end of their own, barriers gone or early, lines dropped and exchanged."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tools.matrices.harden.sites import Context, expression

Made = Iterator[tuple[str, ast.AST | list[ast.stmt]]]
CAPS = (8, 32, 64, 256, 1000)  # iterations that a loop, or elements that an array of one thread, may be thought to have
EARLY = 3  # iterations after which a barrier is left out
WAITS = ("syncthreads", "syncwarp", "threadfence", ".record(", ".wait(", "synchronize", "grid.sync", "cp_async")


def capped_loops(node: ast.AST, context: Context) -> Made:
    """Loops over ranges that end after so many iterations."""
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range":
        bounds = node.iter.args
        start = bounds[0] if len(bounds) > 1 else ast.Constant(0)
        stop = bounds[1] if len(bounds) > 1 else bounds[0]
        step = bounds[2] if len(bounds) > 2 else ast.Constant(1)
        if isinstance(stop, ast.Constant | ast.Name) and isinstance(start, ast.Constant) and _is_fixed(stop):
            return
        for cap in CAPS:
            end = expression(f"min(stop, start + {cap} * step)", stop=stop, start=start, step=step)
            args = [start, end, step] if len(bounds) > 2 else [start, end]
            capped = ast.Call(node.iter.func, args, [])
            yield f"at_most_{cap}_iterations", ast.For(node.target, capped, node.body, node.orelse)
    elif isinstance(node, ast.While):
        for cap in CAPS:
            counted = ast.BoolOp(ast.And(), [node.test, expression(f"n_so_far < {cap}")])
            begin = ast.parse("n_so_far = 0").body
            body = [*ast.parse("n_so_far += 1").body, *node.body]
            yield f"at_most_{cap}_iterations", [*begin, ast.While(counted, body, node.orelse)]


def _is_fixed(stop: ast.expr) -> bool:
    return isinstance(stop, ast.Constant) or isinstance(stop, ast.Name) and stop.id.isupper()


def waits(node: ast.AST, context: Context) -> Made:
    """A barrier, a fence, an event or a wait left out."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        if any(word in ast.unparse(node.value) for word in WAITS):
            yield "wait_left_out", []


def late_waits(node: ast.AST, context: Context) -> Made:
    """A barrier in a loop that is met in its first iterations alone."""
    if not (isinstance(node, ast.For) and isinstance(node.target, ast.Name)):
        return
    bounds = node.iter.args if isinstance(node.iter, ast.Call) else []
    start = bounds[0] if len(bounds) > 1 else ast.Constant(0)
    step = bounds[2] if len(bounds) > 2 else ast.Constant(1)
    for at, line in enumerate(node.body):
        if isinstance(line, ast.Expr) and any(word in ast.unparse(line) for word in WAITS[:3]):
            name = ast.Name(node.target.id, ast.Load())
            early = expression(f"i < start + {EARLY} * step", i=name, start=start, step=step)
            body = [*node.body[:at], ast.If(early, [line], []), *node.body[at + 1 :]]
            yield "wait_in_early_iterations", ast.For(node.target, node.iter, body, node.orelse)


def dropped(node: ast.AST, context: Context) -> Made:
    """A statement left out, or done in place of an update."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Break | ast.Continue):
        yield "statement_left_out", ast.Pass()
    if isinstance(node, ast.AugAssign):
        yield "replaced_not_added", ast.Assign([node.target], node.value)
    if isinstance(node, ast.If) and not node.orelse:
        yield "always_done", node.body
    if isinstance(node, ast.If) and node.orelse:
        yield "never_otherwise", ast.If(node.test, node.body, [])


def exchanged(node: ast.AST, context: Context) -> Made:
    """Two neighbouring statements of a loop or a branch in the other order."""
    if isinstance(node, ast.For | ast.While | ast.If):
        simple = (ast.Assign, ast.AugAssign, ast.Expr)
        for at, (one, two) in enumerate(zip(node.body, node.body[1:], strict=False)):
            if isinstance(one, simple) and isinstance(two, simple):
                body = [*node.body[:at], two, one, *node.body[at + 2 :]]
                if isinstance(node, ast.For):
                    yield "statements_exchanged", ast.For(node.target, node.iter, body, node.orelse)
                else:
                    yield "statements_exchanged", type(node)(node.test, body, node.orelse)


def launches(node: ast.AST, context: Context) -> Made:
    """A grid that never has more than so many blocks."""
    if not context.kernel and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        first, *rest = node.slice.elts
        if len(rest) in (1, 2, 3) and isinstance(node.value, ast.Name) and not isinstance(first, ast.Slice | ast.Tuple):
            for cap in (32, 100):
                grid = ast.Tuple([expression(f"min(a, {cap})", a=first), *rest], ast.Load())
                yield "launch_capped", ast.Subscript(node.value, grid, ast.Load())


OPERATORS = (capped_loops, waits, late_waits, dropped, exchanged, launches)
