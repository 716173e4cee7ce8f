"""Findings in functions of other cells: told by the line of this cell that calls or launches them.

A given helper such as `block_sum`, or a kernel of an earlier cell, has lines of its own. A learner who reads "line 6"
looks at line 6 of the answer, which is another one.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from autograder.answer.program import Program
from autograder.answer.syntax import tree_of
from simt.events import Finding


def brought_home(finding: Finding, program: Program) -> Finding:
    """A finding whose line belongs to another cell, with the line of this one that leads there; others as they are."""
    finding = _as_the_host_calls_it(finding, program)
    function = finding.detail.get("function", "")
    if not finding.lines or function not in program.defined_before:
        return _with_both_parties(finding, program)
    there, calls = finding.lines[0], finding.detail.get("calls", ())
    home, verb = _way_there(function, calls, program)
    way = f", which line {home} {verb}" if home else f" ({_lead_there(_leading_lines(function, program))})"
    here = [line for line in finding.lines[1:] if finding.kind == "barrier_divergence" and home]
    if not re.search(rf" at line {there}\b", finding.message):
        message = f"In `{function}`{way}: {finding.message}"
    else:
        message = re.sub(rf" at line {there}\b", f" in `{function}`{way}", finding.message, count=1)
        message = re.sub(rf" at line {there}\b", " there", message)
    remedy = finding.remedy
    if verb == "launches" and finding.kind == "uninitialised_read" and remedy.startswith("Write every element"):
        remedy = f"Before line {home}, copy the values up, or let a launch write them."
    if verb == "launches" and finding.kind == "out_of_bounds":
        remedy = (
            f"`{function}` is given, so look at what line {home} hands it: {finding.array} has to be as long as the "
            "other arguments ask for."
        )
    if verb == "calls" and (asked := re.match(r"Guard the line: it may only run where (\S.*?)\.(?: |$)", remedy)):
        remedy = f"`{function}` is given, so look at what line {home} hands it: {_needed(asked[1])}."
    lines = tuple(dict.fromkeys([home, *here])) if home else ()
    return _with_both_parties(replace(finding, message=message, remedy=remedy, lines=lines), program)


def _as_the_host_calls_it(finding: Finding, program: Program) -> Finding:
    """A read of what nobody wrote of an array that the host has another name for than the kernel."""
    line, position = finding.detail.get("handed", (0, 0))
    name = _handed_at(line - program.first_line + 1, position, program) if line else ""
    if not name or name == finding.array:
        return finding
    at_first = "device memory starts with"
    message = finding.message.replace(at_first, f"line {line} hands {name} over as {finding.array}, and {at_first}")
    remedy = finding.remedy
    if remedy.startswith("Write every element") and finding.detail.get("in_part"):
        remedy = f"Read what was written and no more, as a slice such as {name}[:n] does, or clear {name} first."
    return replace(
        finding, message=message, remedy=remedy.replace(f"element of {finding.array} ", f"element of {name} ")
    )


def _handed_at(line: int, position: int, program: Program) -> str:
    """The array that a launch hands over at a place, as this cell calls it; "" where it has no name."""
    calls = [node for node in ast.walk(_tree(program.source)) if isinstance(node, ast.Call)]
    on_line = [call for call in calls if call.lineno <= line <= (call.end_lineno or 0) and len(call.args) > position]
    given = on_line[0].args[position] if on_line else None
    while isinstance(given, ast.Subscript):
        given = given.value
    return given.id if isinstance(given, ast.Name) else ""


def _needed(asked: str) -> str:
    """What an index of a given helper has to be, of what a guard there would ask."""
    return f"there {asked.replace('` is ', '` has to be ', 1)}"


def _with_both_parties(finding: Finding, program: Program) -> Finding:
    """A race of which a line that is still told belongs to another cell: both parties may be in given helpers."""
    parties = finding.detail.get("functions", ())
    own = {line for function, line in parties if function not in program.defined_before}
    for function, line in parties:
        if function not in program.defined_before or line in own:
            continue
        leads = _leading_lines(function, program)
        only = leads[0] if len(leads) == 1 else 0
        place = f"line {only}" if only else f"the call that leads to `{function}`"
        finding = replace(
            finding,
            message=re.sub(rf" at line {line}\b", f" in `{function}` ({_lead_there(leads)})", finding.message),
            remedy=re.sub(rf"\b(after|before) line {line}\b", rf"\1 {place}", finding.remedy),
            lines=tuple(
                dict.fromkeys(only if each == line else each for each in finding.lines if each != line or only)
            ),
        )
    return finding


def _lead_there(lines: list[int]) -> str:
    """ "lines 3 and 5 lead there"."""
    if not lines:
        return "of another cell"
    if len(lines) == 1:
        return f"line {lines[0]} leads there"
    if len(lines) > 2 and lines[-1] - lines[0] == len(lines) - 1:
        return f"lines {lines[0]} to {lines[-1]} lead there"
    return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]} lead there"


def _leading_lines(function: str, program: Program) -> list[int]:
    """The lines of this cell from which calls, and calls of those, lead to a function of another one."""
    bodies = {
        node.name: {call.id for call in _called(node)}
        for piece in program.setup
        for node in ast.walk(_tree(piece.source))
        if isinstance(node, ast.FunctionDef)
    }
    reaching, more = {function}, {function}
    while more:
        more = {name for name, calls in bodies.items() if calls & reaching} - reaching
        reaching |= more
    lines = {name.lineno for name in _called(_tree(program.source)) if name.id in reaching}
    return sorted(line + program.first_line - 1 for line in lines)


def _called(tree: ast.AST) -> list[ast.Name]:
    """The names that are called somewhere in a tree."""
    return [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]


def _tree(source: str) -> ast.Module:
    return tree_of(source) or ast.Module([], [])


def _way_there(function: str, calls: tuple[tuple[str, int], ...], program: Program) -> tuple[int, str]:
    """The line of this cell that leads to a function, and whether it "calls" or "launches" it; 0 where none is found.

    calls: (function, line) of the calls on the way, as the interpreter saw them; without one the text is searched.
    """
    own = [line for caller, line in calls if caller not in program.defined_before]
    if own:
        return own[-1], "calls"
    outermost = calls[0][0] if calls else function
    found = [node for node in ast.walk(_tree(program.source)) if isinstance(node, ast.Call)]
    for node in sorted(found, key=lambda call: call.lineno):
        launched = isinstance(node.func, ast.Subscript)
        called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        if ast.unparse(called) == outermost:
            return node.lineno + program.first_line - 1, "launches" if launched else "calls"
    return 0, ""
