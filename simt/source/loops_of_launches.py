"""Loops of host code that launch one kernel with the same arrays again and again."""

from __future__ import annotations

import ast
import linecache
import re

from simt.source.walking import tree_of, walk

MEASURES = re.compile(r"perf_counter|\btime\.|timeit|elapsed|\.event\(|profil|bench|warm|monotonic", re.IGNORECASE)
LOOPS = (ast.For, ast.While)


def repeats_only(file: str, line: int) -> tuple[int, list[str]] | None:
    """The line of the innermost loop around the launch at `line`, and the arguments of the launch as they are written;
    None where no loop is, the loop does something else with what the launch is given, or the file measures time."""
    text = "".join(linecache.getlines(file))
    if MEASURES.search(text):
        return None
    around = [one for one in walk(tree_of(text)) if isinstance(one, LOOPS) and _holds(one, line)]
    loop = max(around, key=lambda one: one.lineno, default=None)
    parts = [] if loop is None else [one for statement in loop.body for one in walk(statement)]
    calls = (one for one in parts if isinstance(one, ast.Call) and isinstance(one.func, ast.Subscript))
    launch = next((one for one in calls if one.lineno <= line <= (one.end_lineno or 0)), None)
    if loop is None or launch is None:
        return None
    own = {id(one) for one in walk(launch)}
    given = {one.id for argument in launch.args for one in walk(argument) if isinstance(one, ast.Name)}
    named = (one for one in walk(loop) if isinstance(one, ast.Name) and id(one) not in own)
    plain = all(isinstance(one, ast.Name | ast.Constant) for one in launch.args)
    if not plain or any(one.id in given for one in named) or _may_end_early(loop):
        return None
    return loop.lineno, [ast.unparse(one) for one in launch.args]


def _may_end_early(loop: ast.For | ast.While) -> bool:
    """Whether it is one that asks for something, as for what a check of the result says."""
    return isinstance(loop, ast.While) and not any(isinstance(one, ast.Compare) for one in walk(loop.test))


def _holds(node: ast.For | ast.While, line: int) -> bool:
    return any(one.lineno <= line <= (one.end_lineno or one.lineno) for one in node.body)


def looks_at_neighbours(function: ast.AST) -> tuple[set[str], set[str]]:
    """(names of what a kernel reads at an index such as i + 1 and never stores, of what it stores and never reads);
    what is handed to a function counts as read and stored."""
    read, stored, beside = set[str](), set[str](), set[str]()
    for node in walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            read.add(ast.unparse(node.target.value))
        if isinstance(node, ast.Subscript):
            name = ast.unparse(node.value)
            (stored if isinstance(node.ctx, ast.Store) else read).add(name)
            if isinstance(node.ctx, ast.Load) and any(map(_is_beside, walk(node.slice))):
                beside.add(name)
        if isinstance(node, ast.Call):
            handed = {one.id for one in node.args if isinstance(one, ast.Name)}
            read, stored = read | handed, stored | handed
    return beside - stored, stored - read


def _is_beside(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and isinstance(node.right, ast.Constant)
    )
