"""A result that depends on the order of blocks, in code that looks for a place a fixed number of times and gives up."""

from __future__ import annotations

import ast
from dataclasses import replace

from autograder.answer.program import Program
from autograder.outcome import Cause
from simt.source.swaps import swap_calls


def in_view_of_giving_up(cause: Cause, program: Program) -> Cause:
    """An order that matters where a loop ends after as many iterations as are written there; others as they are."""
    if cause.kind != "wrong_output" or cause.misconception != "order_dependent" or cause.lines:
        return cause
    try:
        tree = ast.increment_lineno(ast.parse(program.source), program.first_line - 1)
    except SyntaxError:
        return cause
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for loop in (node for node in ast.walk(function) if isinstance(node, ast.For)):
            if _is_counted(loop.iter, function) and _ends_when_found(loop):
                return replace(
                    cause,
                    says=f"{cause.says} Line {loop.lineno} gives up after `{ast.unparse(loop.iter)}`: how many "
                    "iterations are needed depends on who came before.",
                    remedy="Go on until the place is found: while True, and a break or return where it is.",
                    lines=(loop.lineno,),
                )
    return cause


def _is_counted(turns: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether this is a range of constants alone."""
    if not (isinstance(turns, ast.Call) and ast.unparse(turns.func) == "range"):
        return False
    own = {one.arg for one in function.args.args}
    own |= {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    names = {one.id for argument in turns.args for one in ast.walk(argument) if isinstance(one, ast.Name)}
    return not names & (own | {"cuda"})


def _ends_when_found(loop: ast.For) -> bool:
    """Whether its body looks into memory and leaves early: with a break, a return, or a swap that says who won."""
    leaves = any(isinstance(node, ast.Break | ast.Return) for node in ast.walk(loop))
    looks = any(isinstance(node, ast.Subscript) for node in ast.walk(loop)) or any(swap_calls(loop))
    return leaves and looks
