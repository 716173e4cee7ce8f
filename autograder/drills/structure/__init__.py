"""Whether two pieces of code have the same structure: names of locals, spaces, and the order of sums do not count."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.drills.structure.errors import StructureError

__all__ = ["CODE_LANGUAGES", "CPP", "PYTHON", "StructureError", "same", "shape_of"]

PYTHON, CPP = "python", "cpp"
CODE_LANGUAGES = (PYTHON, CPP)


def shape_of(language: str, source: str, names: Iterable[str] = ()):
    """The structure of a piece of code, comparable with ==. names: those that must stay as they are."""
    if language == PYTHON:
        from autograder.drills.structure.python import shape
    else:
        from autograder.drills.structure.cpp import shape
    return shape(source, frozenset(names))


def same(language: str, one: str, other: str, names: Iterable[str] = ()) -> bool:
    """Do they have the same structure? Raises: StructureError where one cannot be parsed."""
    names = tuple(names)
    return shape_of(language, one, names) == shape_of(language, other, names)
