"""Nodes come as Python's own walk gives them."""

import ast
import inspect
from pathlib import Path

from simt.source import walking
from simt.source.walking import walk


def test_every_node_comes_in_the_order_of_pythons_own_walk():
    for module in (ast, inspect, walking):
        tree = ast.parse(inspect.getsource(module))

        assert list(map(id, ast.walk(tree))) == list(map(id, walk(tree)))


def test_a_node_that_was_made_without_its_fields_is_walked_as_it_is():
    made = ast.Call(func=ast.Name("f"), args=[ast.Name("x"), None])

    assert list(ast.walk(made)) == walk(made)


def test_the_interpreter_walks_with_its_own():
    package = Path(walking.__file__).parents[1]
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py") if path.name != "walking.py"}

    assert [] == [path.name for path, text in texts.items() if "ast.walk(" in text], (
        "from simt.source.walking import walk"
    )
