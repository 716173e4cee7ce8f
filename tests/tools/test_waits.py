"""No test depends on how fast the machine is: what it waits for gets the patience of tests/patience.py, and no test
holds a clock against a limit."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.patience import PATIENCE_S
from tools.parts.units import ROOT

CLOCKS = {"monotonic", "perf_counter", "process_time"}
MEANT = {  # what is to time out, and why that takes no longer on a slow machine
    "tests/autograder/classroom/test_cluster.py": "a stranger is never let in, however long it waits",
}


def too_short(tree: ast.AST) -> Iterator[int]:
    """Lines that wait for a number of seconds that a slow machine may need."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            limits = [keyword.value for keyword in call.keywords if keyword.arg == "timeout"]
            if isinstance(call.func, ast.Attribute) and call.func.attr == "wait":
                limits += call.args[:1]
            if any(isinstance(limit, ast.Constant) and (limit.value or PATIENCE_S) < PATIENCE_S for limit in limits):
                yield call.lineno


def clocks_asserted(tree: ast.AST) -> Iterator[int]:
    """Lines outside loops that assert something of a clock. In a loop, it is the deadline of a wait."""
    waiting = {id(inner) for loop in ast.walk(tree) if isinstance(loop, ast.While) for inner in ast.walk(loop)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and id(node) not in waiting:
            if CLOCKS & {inner.attr for inner in ast.walk(node.test) if isinstance(inner, ast.Attribute)}:
                yield node.lineno


def test_no_test_waits_for_less_than_a_slow_machine_may_need_or_asserts_a_time():
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        if name not in MEANT:
            found += [f"{name}:{line}" for line in (*too_short(tree), *clocks_asserted(tree))]

    assert [] == found, "wait for an event, with PATIENCE_S as its limit, or count work"


def test_a_short_wait_and_a_time_that_is_asserted_are_found():
    tree = ast.parse("run(timeout=60)\nheard.wait(5)\nassert monotonic() - time.monotonic() < 5\nrun(timeout=None)")

    assert [1, 2] == list(too_short(tree))
    assert [3] == list(clocks_asserted(tree))
