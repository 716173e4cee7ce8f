"""Findings in functions of other cells: told by the line of this cell that calls or launches them.

A given helper such as `block_sum`, or a kernel of an earlier cell, has lines of its own. A learner who reads "line 6"
looks at line 6 of the answer, which is another one.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from autograder.answer.program import Program
from simt.events import Finding


def brought_home(finding: Finding, program: Program) -> Finding:
    """A finding whose line belongs to another cell, with the line of this one that leads there; others as they are."""
    function = finding.detail.get("function", "")
    if not finding.lines or function not in program.defined_before:
        return finding
    there, calls = finding.lines[0], finding.detail.get("calls", ())
    home, verb = _way_there(function, calls, program)
    way = f", which line {home} {verb}" if home else ", a function of another cell"
    here = [line for line in finding.lines[1:] if finding.kind == "barrier_divergence" and home]
    message = re.sub(rf" at line {there}\b", f" in `{function}`{way}", finding.message, count=1)
    message = re.sub(rf" at line {there}\b", " there", message)
    remedy = finding.remedy
    if verb == "launches" and finding.kind == "uninitialised_read" and remedy.startswith("Write every element"):
        remedy = f"Before line {home}, copy the values up, or let a launch write them."
    return replace(finding, message=message, remedy=remedy, lines=tuple(dict.fromkeys([home, *here])) if home else ())


def _way_there(function: str, calls: tuple[tuple[str, int], ...], program: Program) -> tuple[int, str]:
    """The line of this cell that leads to a function, and whether it "calls" or "launches" it; 0 where none is found.

    calls: (function, line) of the calls on the way, as the interpreter saw them; without one the text is searched.
    """
    own = [line for caller, line in calls if caller not in program.defined_before]
    if own:
        return own[-1], "calls"
    outermost = calls[0][0] if calls else function
    try:
        tree = ast.parse(program.source)
    except SyntaxError:
        return 0, ""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in sorted(found, key=lambda call: call.lineno):
        launched = isinstance(node.func, ast.Subscript)
        called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        if ast.unparse(called) == outermost:
            return node.lineno + program.first_line - 1, "launches" if launched else "calls"
    return 0, ""
