"""The files of examples, what they render to, and the messages that stand in the interpreter's source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.golden.findings import accesses, launches, locks, not_modelled, races, refusals, synchronisation

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FILES = {
    module.__name__.rpartition(".")[2]: module.EXAMPLES
    for module in (races, locks, accesses, synchronisation, launches, refusals, not_modelled)
}
FEWEST_WORDS = 4  # a text of so many words in a source is a message


def rendered(name: str) -> str:
    """What the golden file of this name has to say."""
    return "\n".join(example.render() for example in FILES[name])


def write(name: str) -> Path:
    """Write a golden file. Returns: its path."""
    path = HERE / f"{name}.txt"
    path.write_text(rendered(name))
    return path


def compare(name: str) -> bool:
    """Whether a golden file differs from what is said now."""
    path = HERE / f"{name}.txt"
    return not path.exists() or path.read_text() != rendered(name)


def golden_text() -> str:
    """All golden files, as one line."""
    return " ".join(" ".join((HERE / f"{name}.txt").read_text().split()) for name in FILES)


def messages(path: Path) -> Iterator[tuple[int, list[str]]]:
    """(line, the parts that do not vary) of every text in a module that is long enough to be a message."""
    tree = ast.parse(path.read_text())
    pieces = {id(value) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for value in node.values}
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [value.value for value in node.values if isinstance(value, ast.Constant)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces | documentation:
            parts = [node.value]
        else:
            continue
        if sum(len(re.findall(r"[A-Za-z_]+", part)) for part in parts) >= FEWEST_WORDS:
            yield node.lineno, [" ".join(part.split()) for part in parts]
