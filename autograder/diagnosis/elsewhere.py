"""Findings in functions of other cells: told by the line of this cell that leads to them, and the line there.

A helper such as `block_sum`, or a kernel of an earlier cell, has lines of its own. A learner who reads "line 6" looks
at line 6 of the answer, which is another one: so "line 6 of `block_sum`", and which line of the answer calls it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from autograder.answer.program import Piece, Program
from autograder.answer.syntax import tree_of
from simt.events import Finding


def brought_home(finding: Finding, program: Program) -> Finding:
    """A finding whose line belongs to another cell, with the line of this one that leads there; others as they are."""
    finding = _with_writers(_as_the_host_calls_it(finding, program), program)
    function = finding.detail.get("function", "")
    if not finding.lines or function not in program.defined_before or finding.detail.get("functions"):
        return _with_both_parties(finding, program)
    home, verb = _way_there(finding, function, program)
    here = [line for line in finding.lines[1:] if finding.kind == "barrier_divergence" and home]
    message = _at_its_line(finding.message, function, finding.lines[0])
    message += f" Line {home} {verb} `{function}`." if home else f" {_lead_there(finding, function, program)}"
    remedy = _remedy_from_here(finding, function, home, verb)
    lines = tuple(dict.fromkeys([home, *here])) if home else ()
    return _with_both_parties(replace(finding, message=message, remedy=remedy, lines=lines), program)


def helper_around(function: str, program: Program) -> Piece | None:
    """The other cell that a function belongs to."""
    pieces = (piece for piece in reversed(program.setup) if function in _functions(piece.source))
    return next(pieces, None) if function in program.defined_before else None


def _functions(source: str) -> set[str]:
    return {node.name for node in _tree(source).body if isinstance(node, ast.FunctionDef)}


def _at_its_line(message: str, function: str, line: int) -> str:
    """A message in which a line of another cell bears the function that it belongs to."""
    if not re.search(rf" at line {line}\b", message):
        return f"In `{function}`: {message}"
    message = re.sub(rf" at line {line}\b", f" at line {line} of `{function}`", message, count=1)
    return re.sub(rf" at line {line}\b(?! of)", " there", message)


def _remedy_from_here(finding: Finding, function: str, home: int, verb: str) -> str:
    """What to do in this cell about a finding in a function that it calls or launches."""
    remedy = finding.remedy
    if verb == "launches" and finding.kind == "uninitialised_read" and remedy.startswith("Write every element"):
        return f"Before line {home}, copy the values up, or let a launch write them."
    if verb == "launches" and finding.kind == "out_of_bounds":
        return (
            f"Look at what line {home} hands `{function}`: {finding.array} has to be as long as the other arguments "
            "ask for."
        )
    if verb == "calls" and (asked := re.match(r"Guard the line: it may only run where (\S.*?)\.(?: |$)", remedy)):
        return f"Look at what line {home} hands `{function}`: {_needed(asked[1])}."
    return remedy


def _with_writers(finding: Finding, program: Program) -> Finding:
    """A read of what nobody wrote, where those who write the rest of the array do it in functions of other cells."""
    writers = [one for one in finding.detail.get("writers", ()) if one[0] in program.defined_before]
    if finding.kind != "uninitialised_read" or not writers or len(writers) != len(finding.detail["writers"]):
        return finding
    function = writers[0][0]
    leads = _leading_lines(function, program, finding.array)
    by = f", which {_listed(leads, 'calls', 'call')}," if leads else ""
    rest = finding.remedy.partition(" but not this element")
    remedy = f"`{function}`{by} writes {finding.array},{rest[1]}{rest[2]}" if rest[1] else finding.remedy
    return replace(finding, remedy=remedy)


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
        if function not in program.defined_before or line in own or f"line {line} of `{function}`" in finding.message:
            continue
        leads = _leading_lines(function, program, finding.array)
        only = leads[0] if len(leads) == 1 else 0
        place = f"line {only}" if only else f"the call that leads to `{function}`"
        remedy = re.sub(rf"\b(after|before) line {line}\b", rf"\1 {place}", finding.remedy)
        if remedy != finding.remedy:
            remedy = remedy.replace(", outside the if, so that every", ", where every")  # that if is of the other cell
        finding = replace(
            finding,
            message=f"{_at_its_line(finding.message, function, line)} {_lead_there(finding, function, program)}",
            remedy=remedy,
            lines=tuple(
                dict.fromkeys(only if each == line else each for each in finding.lines if each != line or only)
            ),
        )
    return finding


def _lead_there(finding: Finding, function: str, program: Program) -> str:
    """ "Lines 3 and 5 lead to `take`." """
    lines = _leading_lines(function, program, finding.array)
    words = _listed(lines, "leads", "lead")
    return f"{words[:1].upper()}{words[1:]} to `{function}`." if lines else f"`{function}` is of another cell."


def _listed(lines: list[int], singular: str, plural: str) -> str:
    """ "line 3 calls", "lines 3 to 6 call", "lines 3 and 5 call"."""
    if len(lines) == 1:
        return f"line {lines[0]} {singular}"
    if len(lines) > 2 and lines[-1] - lines[0] == len(lines) - 1:
        return f"lines {lines[0]} to {lines[-1]} {plural}"
    return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]} {plural}" if lines else ""


def _leading_lines(function: str, program: Program, array: str = "") -> list[int]:
    """The lines of this cell from which calls, and calls of those, lead to a function of another one.

    array: that the function worked on: calls that hand it over by this name are meant, where there are any.
    """
    bodies = {
        node.name: {name for name, _ in _calls(node)}
        for piece in program.setup
        for node in ast.walk(_tree(piece.source))
        if isinstance(node, ast.FunctionDef)
    }
    reaching, more = {function}, {function}
    while more:
        more = {name for name, calls in bodies.items() if calls & reaching} - reaching
        reaching |= more
    calls = [call for name, call in _calls(_tree(program.source)) if name in reaching]
    handing = [call for call in calls if array in {ast.unparse(argument) for argument in call.args}]
    return sorted({call.lineno + program.first_line - 1 for call in handing or calls})


def _calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    """(name, call) of the calls of a tree whose function is a name."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [(call.func.id, call) for call in calls if isinstance(call.func, ast.Name)]


def _tree(source: str) -> ast.Module:
    return tree_of(source) or ast.Module([], [])


def _way_there(finding: Finding, function: str, program: Program) -> tuple[int, str]:
    """The line of this cell that leads to a function, and whether it "calls" or "launches" it; 0 where none is found.

    The calls on the way are known as the interpreter saw them; without one the text is searched, for one that hands
    over the array before any other.
    """
    calls = finding.detail.get("calls", ())
    own = [line for caller, line in calls if caller not in program.defined_before]
    if own:
        return own[-1], "calls"
    outermost = calls[0][0] if calls else function
    found = [node for node in ast.walk(_tree(program.source)) if isinstance(node, ast.Call)]
    named = [
        (node, ast.unparse(node.func.value if isinstance(node.func, ast.Subscript) else node.func)) for node in found
    ]
    there = sorted((node for node, name in named if name == outermost), key=lambda call: call.lineno)
    handing = [node for node in there if finding.array in {ast.unparse(argument) for argument in node.args}]
    for node in handing or there:
        launched = isinstance(node.func, ast.Subscript)
        return node.lineno + program.first_line - 1, "launches" if launched else "calls"
    return 0, ""
