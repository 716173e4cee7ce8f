"""A remedy that says what to type, as edits of an answer, in every way in which it may be taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograder.answer.program import Program
from autograder.outcome import Cause
from autograder.repair.edits import Edit, Text, in_brackets
from autograder.repair.moved_out import MISSED, moved_out
from autograder.repair.single.omissions import guarded
from autograder.repair.single.statements import barrier_after
from simt.source.barrier_places import OUTSIDE

GUARD = re.compile(
    r"(?:.* Else g|G)?(?:uard the line: it may only run|Let it run only) where `(?P<index>[^`]+)` is "
    r"(?P<test>(?:less than|below|at least) (?P<limit>\d+|\w+\.size|\w+\.shape\[\d\]))"
)
ROUND = re.compile(r"Where it is to go round the end, take `(?P<index>[^`]+)`")
BARRIER = re.compile(r"Put cuda\.(?P<call>sync\w+)\(\) after line (?P<line>\d+),")
WRITTEN = re.compile(r"(?:Line (?P<line>\d+) moves .*)?\bwrite (?:`(?P<quoted>[^`]+)`|(?P<plain>\w+\[[^\]`]+\]))[,.]")
OUT_OF, RACE = "out_of_bounds", "race"
LINE = re.compile(r"\bline (\d+)")
WHY = re.compile(r"`[^`]+` is [^.]*(?:\.\w[^.]*)*\.(?= |$)")  # a sentence on what something in the text is
SIGNS = {"less than": "<", "below": "<", "at least": ">="}


def can_be_carried_out(cause: Cause, program: Program) -> bool:
    """Whether a remedy says what to type, in lines of this text; all others are advice, as is what is said of a
    function in another cell."""
    forms = {OUT_OF: (GUARD, WRITTEN), RACE: (BARRIER,), MISSED: (OUTSIDE,)}.get(cause.kind, ())
    named = [*cause.lines, *map(int, LINE.findall(cause.remedy))]
    own = bool(cause.lines) and all(line in program.lines for line in named)
    return own and any(form.search(cause.remedy) for form in forms)


def guard_of(cause: Cause) -> tuple[str, str, str] | None:
    """(index, sign, limit) of the condition that a remedy asks for, such as ("i", "<", "out.size")."""
    asked = GUARD.match(cause.remedy) if cause.kind == OUT_OF else None
    if not asked:
        return None
    return asked["index"], SIGNS[asked["test"].removesuffix(f" {asked['limit']}")], asked["limit"]


def why_of(cause: Cause) -> str:
    """What a remedy says of the text besides what to type, as "`height` is src.shape[1]: a shape gives rows first."."""
    return " ".join(WHY.findall(GUARD.sub("", cause.remedy)))


def edits_asked(cause: Cause, program: Program) -> list[Edit]:
    """What a remedy asks for, as it says, first; () where the text cannot be changed so."""
    try:
        text = Text(program.source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    line, offset = cause.lines[0] + 1 - program.first_line, 1 - program.first_line
    if guard := guard_of(cause):
        edit = guarded(program, line, " ".join(guard))
        return [edit] if edit else []
    if cause.kind == RACE:
        asked = BARRIER.search(cause.remedy)
        edits = barrier_after(text, int(asked["line"]) + offset, asked["call"]) if asked else ()
        return list(edits)
    if cause.kind == MISSED:
        edit = moved_out(cause, program, text)
        return [edit] if edit else []
    asked = WRITTEN.search(cause.remedy)
    if not asked:
        return []
    written = asked["quoted"] or asked["plain"]
    if asked["line"]:
        at = int(asked["line"]) + offset
        return [text.with_line(at, [f"{text.indent_of(at)}{written}"], "update", written.split(" =")[0])]
    return list(_with_written(text, line, cause.array, written))


def conditions_on_all(cause: Cause, program: Program) -> list[list[str]]:
    """Where an index has to be at least 0: the same of every index of that element, and both ends of each.

    Past the other end a condition is there mostly, and what is wrong with it says more.
    """
    guard = guard_of(cause)
    if guard is None or guard[1] != ">=":
        return []
    line = cause.lines[0] + 1 - program.first_line
    parts = next((_parts(one) for one in _elements(Text(program.source), line, cause.array)), [])
    indices = [(at, ast.unparse(one)) for at, one in enumerate(parts) if not isinstance(one, ast.Constant | ast.Slice)]
    if len(parts) < 2:
        return []
    above = [f"{index} >= 0" for _, index in indices]
    below = [f"{index} < {cause.array}.shape[{at}]" for at, index in indices]
    return [above, [*above, *below]]


def in_its_place(cause: Cause, program: Program) -> Edit | None:
    """The nearest condition around an index outside its array, which asks about other arrays alone, replaced by what
    keeps all indices of that element inside; None where there is no such `if`, or the index is below 0."""
    guard = guard_of(cause)
    if guard is None or guard[1] != "<":
        return None
    text, line = Text(program.source), cause.lines[0] + 1 - program.first_line
    around = [one for one in ast.walk(text.tree) if isinstance(one, ast.If) and _is_in_body(one, line)]
    parts = next((_parts(one) for one in _elements(text, line, cause.array)), [])
    if not around or not parts or any(isinstance(one, ast.Slice) for one in parts):
        return None
    lengths = [f"{cause.array}.shape[{at}]" for at in range(len(parts))] if len(parts) > 1 else [f"{cause.array}.size"]
    condition = " and ".join(f"{ast.unparse(one)} < {length}" for one, length in zip(parts, lengths, strict=True))
    test = max(around, key=lambda one: one.lineno).test
    lengths_asked = (one for one in ast.walk(test) if isinstance(one, ast.Attribute) and one.attr in ("shape", "size"))
    others = {ast.unparse(one.value) for one in lengths_asked}
    return text.replaced(test, condition, "guard") if others and cause.array not in others else None


def _is_in_body(node: ast.If, line: int) -> bool:
    return node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)


def edits_meant(cause: Cause, program: Program, nothing: str = "0") -> list[tuple[Edit, str]]:
    """What else a remedy may mean, each with the remedy that says so: a value that is guarded in place of its line, and
    an index that goes round the end. nothing: what a value is where there is no element."""
    guard = guard_of(cause)
    if guard is None:
        return []
    text, line = Text(program.source), cause.lines[0] + 1 - program.first_line
    found = []
    for node in _elements(text, line, cause.array):
        if guard[0] in map(ast.unparse, _parts(node)) and isinstance(node.ctx, ast.Load):
            better = f"{ast.unparse(node)} if {' '.join(guard)} else {nothing}"
            found.append(
                (text.replaced(node, f"({better})", "guard"), VALUE.format(line=cause.lines[0], better=better))
            )
    if round_it := ROUND.search(cause.remedy):
        for edit in _with_written(text, line, cause.array, round_it["index"]):
            found.append((edit, ROUND_IT.format(index=round_it["index"], line=cause.lines[0])))
    return found


VALUE = (
    "Guard the value at line {line} and not the line: write `{better}`, with another value in its place if "
    "something else belongs there."
)
ROUND_IT = "The index at line {line} has to go round the end: write `{index}`."


def _with_written(text: Text, line: int, array: str, written: str) -> Iterator[Edit]:
    """An element of an array on a line as somebody says it should be written: whole, as a value, or its index alone."""
    try:
        new = ast.parse(written, mode="eval").body
    except SyntaxError:
        return
    nodes = list(_elements(text, line, array))
    if isinstance(new, ast.Subscript) and ast.unparse(new.value) == array and nodes:
        inner = [node for node in nodes if len(_parts(node)) == len(_parts(new))]
        if len({ast.unparse(node) for node in inner}) == 1 and all(one.lineno == one.end_lineno for one in inner):
            yield text.replaced_all(inner, written, "index", array)
    elif isinstance(new, ast.BoolOp | ast.IfExp):
        kept = new.body if isinstance(new, ast.IfExp) else new.values[-1]
        for node in ast.walk(text.tree):
            if isinstance(node, ast.expr) and node.lineno == line and ast.unparse(node) == ast.unparse(kept):
                yield text.replaced(node, f"({written})", "guard")
                return
    elif len(nodes) == 1 and len(_parts(nodes[0])) == 1:
        yield text.replaced(nodes[0].slice, in_brackets(new), "index", array)


def _elements(text: Text, line: int, array: str) -> Iterator[ast.Subscript]:
    """The elements of an array on a line."""
    for node in ast.walk(text.tree):
        if isinstance(node, ast.Subscript) and node.lineno <= line <= (node.end_lineno or line):
            if ast.unparse(node.value) == array:
                yield node


def _parts(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
