"""Where host code reads a clock before and after a launch, and waits for nothing in between."""

from __future__ import annotations

import ast
import linecache

from simt.source.walking import tree_of, walk

CLOCKS = ("time", "perf_counter", "monotonic", "perf_counter_ns", "time_ns", "monotonic_ns", "default_timer")


def read_round(file: str, line: int) -> tuple[int, int] | None:
    """The lines that read a clock before and after the statement at `line` of a file, both in the same block, where
    nothing between it and the later one waits for the device, or may; None where there are no such."""
    for node in walk(tree_of("".join(linecache.getlines(file)))):
        for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            found = _in(body, line) if isinstance(body, list) else None
            if found is not None:
                return found
    return None


def _in(body: list[ast.stmt], line: int) -> tuple[int, int] | None:
    at = next((k for k, one in enumerate(body) if one.lineno <= line <= (one.end_lineno or one.lineno)), None)
    if at is None or not isinstance(body[at], ast.Expr | ast.For):
        return None
    before = next((one.lineno for one in reversed(body[:at]) if _reads_clock(one)), None)
    for one in body[at:]:
        if one is not body[at] and _reads_clock(one):
            return (before, one.lineno) if before is not None else None
        if not _only_launches(one):
            return None
    return None


def _calls(statement: ast.AST) -> list[str]:
    """Names of what a statement calls, without those of launches, as in kernel[4, 64](...)."""
    calls = [one for one in walk(statement) if isinstance(one, ast.Call)]
    return [
        getattr(one.func, "attr", getattr(one.func, "id", ""))
        for one in calls
        if not isinstance(one.func, ast.Subscript)
    ]


def _reads_clock(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.Expr) and any(name in CLOCKS for name in _calls(statement))


def _only_launches(statement: ast.stmt) -> bool:
    """Whether a statement launches kernels, or loops over launches, and calls nothing else that might wait."""
    return all(name in ("range", "len") for name in _calls(statement))
