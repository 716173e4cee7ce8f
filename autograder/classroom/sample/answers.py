"""The catalogue of answers under tests/wrong_answers, read as text: what people write, right and wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.scope import bound_names
from autograder.contract import Exercise


@dataclass(frozen=True)
class SampleAnswer:
    """One answer of the catalogue. kind: "right" or "wrong"; source: the cell a student would hand in."""

    name: str
    kind: str
    misconception: str
    source: str


def answers_to(exercise: Exercise, catalogue: Path, setup: Iterable[str] = ()) -> list[SampleAnswer]:
    """Every answer the catalogue holds for an exercise, in its order; [] where there is no file.

    What an answer needs besides its own function (constants, helpers, imports) comes with it, except for names that
    `setup`, the unit's own setup cells, defines already.
    """
    path = catalogue / f"u{exercise.unit}" / f"{exercise.function}.py"
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8")
    known = set().union(*(bound_names(node) for source in setup for node in ast.parse(source).body))
    return [_answer(node, decorator, text, known) for node, decorator in _marked(ast.parse(text))]


def _marked(tree: ast.Module):
    """Functions under ``@right(...)`` or ``@wrong(...)``, with that decorator."""
    for node in tree.body:
        for decorator in getattr(node, "decorator_list", ()):
            is_call = isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name)
            if is_call and decorator.func.id in ("right", "wrong"):
                yield node, decorator


def _answer(node: ast.FunctionDef, decorator: ast.Call, text: str, known: set[str]) -> SampleAnswer:
    words = {word.arg: word.value.value for word in decorator.keywords if isinstance(word.value, ast.Constant)}
    name = decorator.args[0].value if decorator.args else words.get("name", node.name)
    source = f"{_needs(node, text, known)}{_without(node, decorator, text)}\n"
    return SampleAnswer(name, decorator.func.id, words.get("misconception", ""), source)


def _without(node: ast.FunctionDef, decorator: ast.Call, text: str) -> str:
    """A function's own lines, without the decorator that marks it."""
    lines = text.split("\n")
    first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
    marked = range(decorator.lineno, decorator.end_lineno + 1)
    return "\n".join(lines[line - 1] for line in range(first, node.end_lineno + 1) if line not in marked)


def _needs(node: ast.FunctionDef, text: str, known: set[str]) -> str:
    """Constants, helpers and imports of the file that the answer names, directly or through each other."""
    tree = ast.parse(text)
    marked = {id(item) for item in tree.body if list(_marked(ast.Module([item], [])))}
    helpers = [item for item in tree.body if id(item) not in marked and not _is_catalogues_own(item)]
    wanted = _names(node)
    while True:
        taken = [item for item in helpers if bound_names(item) & wanted - known]
        more = wanted.union(*(_names(item) for item in taken))
        if more == wanted:
            break
        wanted = more
    return "".join(f"{_segment(item, text)}\n\n\n" for item in taken)


def _segment(node: ast.stmt, text: str) -> str:
    first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
    return "\n".join(text.split("\n")[first - 1 : node.end_lineno])


def _is_catalogues_own(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests")


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
