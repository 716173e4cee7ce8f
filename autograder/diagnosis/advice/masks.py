"""A warp operation that some lanes of its mask do not reach: the condition that keeps them away, and its line."""

from __future__ import annotations

import ast

from autograder.diagnosis.advice.whole_loops import names_in, names_of_threads
from simt.events import Finding


def advice_on_masks(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about a shuffle or a vote below an `if`, or in a loop that lanes leave one by one."""
    if finding.kind != "warp_mask" or finding.detail.get("problem") != "mask":
        return None
    around = _guilty(function, line)
    if around is None:
        return None
    at, test = around.lineno + finding.lines[0] - line, ast.unparse(around.test)
    if isinstance(around, ast.While):
        return "", (
            f"Lanes leave the loop of line {at} one by one, as `{test}` becomes false for them. Let all lanes of a "
            "warp stay in it together, and let those that are done take part with a value that changes nothing."
        )
    if isinstance(around, ast.IfExp):
        return "", (
            f"`{test}` at line {at} decides which lanes make the call. Make it in every lane, into a variable, and "
            "choose afterwards."
        )
    says = "is true" if _is_below(around.orelse, line) else "is false"
    return "", (
        f"Lanes for which `{test}` at line {at} {says} never come. Make the call above that line, in every lane, and "
        "put only what is done with its result below the condition."
    )


def _guilty(function: ast.FunctionDef, line: int) -> ast.If | ast.While | ast.IfExp | None:
    """The innermost condition around a line that is not the same for all threads."""
    own = names_of_threads(function)
    around = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.If | ast.While | ast.IfExp)
        and node.lineno <= line <= (node.end_lineno or 0)
        and (isinstance(node, ast.IfExp) or _is_below(node.body, line) or _is_below(node.orelse, line))
        and (names_in(node.test) & own or "cuda." in ast.unparse(node.test))
    ]
    return around[-1] if around else None


def _is_below(body: list[ast.stmt], line: int) -> bool:
    return bool(body) and body[0].lineno <= line <= (body[-1].end_lineno or 0)
