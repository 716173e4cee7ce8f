"""One vocabulary: what a verdict can name has a row, and every row can be named."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from autograder.diagnosis.misconceptions import KINDS, MISCONCEPTIONS, behind
from tools.parts.units import ROOT

# the position of a misconception, by call
POSITIONS = {"Cause": 1, "Pattern": 0, "Slip": 0, "CompileError": 1, "crashed": 2, "Finding": 1}
NAMING = ("_of_race", "_of_bounds", "_too_much")  # functions that return one, or a tuple that begins with one
SIMT_KINDS = {"simt/analyses", "simt/host_order"}


def sources(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every module below these folders but the units, whose misconceptions are their own."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "exercises" not in path.relative_to(ROOT).parts:
                yield path, ast.parse(path.read_text())


def constants(node: ast.AST | None) -> Iterator[str]:
    """The texts that an expression can be: a constant, either side of a condition, any value of a table's get."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.Tuple) and node.elts:
        yield from constants(node.elts[0])


def named_by(node: ast.AST) -> Iterator[str]:
    """The misconceptions that one statement or call names."""
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func).split(".")[-1]
        position = POSITIONS.get(called)
        if position is not None and len(node.args) > position:
            yield from constants(node.args[position])
        for keyword in node.keywords:
            if keyword.arg == "misconception":
                yield from constants(keyword.value)
    elif isinstance(node, ast.Assign) and "misconception" in ast.unparse(node.targets[0]).lower():
        yield from constants(node.value)
    elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "misconception":
        yield from constants(node.value)
    elif isinstance(node, ast.FunctionDef) and node.name in NAMING:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return):
                yield from constants(inner.value)


def named() -> dict[str, str]:
    """Every misconception that the machine names, with one file that does."""
    found = {
        key: path.name for path, tree in sources("autograder") for node in ast.walk(tree) for key in named_by(node)
    }
    found.pop("misconceptions.py", None)
    return found | {behind(kind): "misconceptions.py" for kind in KINDS if behind(kind)}


MAKERS = ("Cause", "Finding", "by_thread")


def kinds_named() -> set[str]:
    """Every kind of cause that the machine makes, and every kind of finding that the interpreter reports."""
    found: set[str] = set()
    for path, tree in sources("autograder", *SIMT_KINDS):
        of_lint = "lint" in path.parts  # its kinds become causes only where the judge says so
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in MAKERS and not (of_lint or is_note(node)):
                found |= {*constants(node.args[0] if node.args else None)}
                found |= {key for word in node.keywords if word.arg == "kind" for key in constants(word.value)}
    return found


def is_note(call: ast.Call) -> bool:
    """Whether a finding is said of a program and is no cause of anything."""
    return any(word.arg == "note" and getattr(word.value, "value", None) is True for word in call.keywords)


def test_every_misconception_that_is_named_has_a_row():
    assert {} == {key: where for key, where in named().items() if key not in MISCONCEPTIONS}


def test_every_row_is_a_misconception_that_something_names():
    assert set() == MISCONCEPTIONS.keys() - named().keys()


def test_every_kind_that_is_made_has_a_row_and_every_row_is_made():
    of_errors = {
        "invalid_launch", "deadlock", "too_much_work", "unsupported", "out_of_bounds", "barrier_divergence",
        "misaligned", "tile_not_shown", "product_under_way", "places_out_of_order",
    }  # fmt: skip

    assert set() == kinds_named() - KINDS.keys()
    assert set() == KINDS.keys() - kinds_named() - of_errors - {
        "bare_call",
        "dropped_value",
        "habit",
        "compile_error",
        "float64_arithmetic",
    }


def test_titles_differ():
    titles = [*(row.title for row in MISCONCEPTIONS.values())]

    assert len(titles) == len({*titles})
