"""Library calls are timed on torch tensors, whose `size` is a method: taken as a number, it reaches torch."""

from __future__ import annotations

import ast

from tools.parts.units import ROOT


def test_no_library_call_takes_numpys_size_of_a_tensor():
    wrong = []
    for path in sorted((ROOT / "autograder" / "exercises").glob("u*/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Library":
                called = {id(inner.func) for inner in ast.walk(node) if isinstance(inner, ast.Call)}
                sizes = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and n.attr == "size"]
                wrong += [f"{path.name}:{n.lineno}" for n in sizes if id(n) not in called]
    assert [] == wrong
