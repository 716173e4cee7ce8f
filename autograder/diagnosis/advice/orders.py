"""Host code in the wrong order: a kernel reads what one launched later writes, a wait is for another copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.answer.program import Piece
from autograder.answer.syntax import tree_of
from simt.events import Finding


@dataclass(frozen=True)
class _Launched:
    kernel: ast.FunctionDef
    line: int
    given: dict[str, str]  # parameter of the kernel -> the host's name of what it is handed


def advice_on_orders(finding: Finding, quotable: Piece) -> tuple[str, str] | None:
    """(what happens, what to do) about a read of device memory that only a launch after this one writes."""
    if finding.kind != "uninitialised_read" or finding.detail.get("space") != "global":
        return None
    tree = tree_of(quotable.source)
    if tree is None:
        return None
    launched = sorted(_launches(tree), key=lambda one: one.line)
    reader = next((one for one in launched if one.kernel.name == finding.detail.get("function")), None)
    if reader is None or not (name := reader.given.get(finding.array)):
        return None
    writers = [one for one in launched if one.kernel is not reader.kernel and _writes(one, name)]
    if not writers or writers[0].line < reader.line:
        return None
    first, offset = writers[0], quotable.first_line - 1
    return "", (
        f"`{first.kernel.name}`, which writes {name}, is launched at line {first.line + offset}: launch it before "
        f"`{reader.kernel.name}`, which line {reader.line + offset} launches."
    )


def advice_on_other_copies(finding: Finding, quotable: Piece) -> tuple[str, str] | None:
    """("", what to do) about a buffer that is filled while its copy goes on, after a wait for another copy."""
    if finding.kind != "race" or finding.detail.get("scope") != "host" or len(finding.lines) < 2:
        return None
    tree = tree_of(quotable.source)
    if tree is None:
        return None
    offset = quotable.first_line - 1
    filled, copied = (line - offset for line in finding.lines[:2])
    loops = [one for one in ast.walk(tree) if isinstance(one, ast.For | ast.While)]
    around = [one for one in loops if one.lineno <= filled and copied <= (one.end_lineno or 0)]
    calls = [part for loop in around[-1:] for part in ast.walk(loop) if isinstance(part, ast.Call)]
    for call in calls:
        text = ast.unparse(call)
        if (misplaced := _waits_elsewhere(call, filled, copied, offset)) is not None:
            return "", misplaced
        if text.endswith(".synchronize()") and not text.startswith("cuda.") and call.lineno < filled < copied:
            if (condition := _skips(around[-1], call, filled, copied)) is not None:
                return "", (
                    f"`{text}` at line {call.lineno + offset} is the wait that is needed, and line "
                    f"{condition.lineno + offset} lets it happen only where `{ast.unparse(condition.test)}`: wait each "
                    "time that this buffer has been copied from before."
                )
            return "", (
                f"`{text}` at line {call.lineno + offset} waits for another copy than that of line {copied + offset}: "
                f"before line {filled + offset}, wait for what was recorded after the last copy of this very buffer."
            )
    return None


def _skips(loop: ast.For | ast.While, call: ast.Call, filled: int, copied: int) -> ast.If | None:
    """The condition that lets out a wait for what this loop records after the copy; None where it is another wait."""
    event = ast.unparse(call).removesuffix(".synchronize()")
    calls = [one for one in ast.walk(loop) if isinstance(one, ast.Call) and one.lineno > copied]
    if not any(ast.unparse(one).startswith(f"{event}.record(") for one in calls):
        return None
    around = [one for one in ast.walk(loop) if isinstance(one, ast.If) and one.lineno <= call.lineno]
    return next((one for one in around if call.lineno <= (one.end_lineno or 0) < filled), None)


def _waits_elsewhere(call: ast.Call, filled: int, copied: int, offset: int) -> str | None:
    """What to do about a wait that comes after a buffer is filled, or that a stream does in place of the host."""
    text = ast.unparse(call)
    event, _, asked = text.partition(".")
    if text.endswith(".synchronize()") and event != "cuda" and filled < call.lineno < copied:
        return (
            f"`{text}` at line {call.lineno + offset} comes after line {filled + offset} has filled the buffer: wait "
            "first, and fill it then."
        )
    if isinstance(call.func, ast.Attribute) and call.func.attr == "wait" and asked and call.lineno < filled:
        made = f"{ast.unparse(call.func.value)}.synchronize()"
        return (
            f"`{text}` at line {call.lineno + offset} lets a stream wait, and the host goes on. Let the host wait: "
            f"`{made}`."
        )
    return None


def _launches(tree: ast.Module) -> Iterator[_Launched]:
    """The launches of this source's kernels in its functions, each with what its parameters are handed."""
    kernels = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
            kernel = kernels.get(ast.unparse(node.func.value))
            if kernel is not None:
                names = [one.arg for one in kernel.args.args]
                given = {name: _array(one) for name, one in zip(names, node.args, strict=False)}
                yield _Launched(kernel, node.lineno, given)


def _array(given: ast.expr) -> str:
    """The name of an array that is handed over, whole or in part."""
    while isinstance(given, ast.Subscript):
        given = given.value
    return ast.unparse(given)


def _writes(one: _Launched, name: str) -> bool:
    """Whether a kernel stores to a parameter that is handed this array."""
    stored = {
        ast.unparse(node.value)
        for node in ast.walk(one.kernel)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    }
    return any(given == name and parameter in stored for parameter, given in one.given.items())
