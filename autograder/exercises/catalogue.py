"""The catalogue of answers that people write: wrong ones that must be told why, right ones that must pass.

One file per exercise, `uNN_topic/answers/name.py`; every answer in it has the function's own name and one decorator:

    @wrong("no_guard", misconception="no_guard", says="outside")
    @cuda.jit
    def scale(factor, src, dst): ...

    @right("grid_stride")
    @cuda.jit
    def scale(factor, src, dst): ...

    @style("early_return")
    @cuda.jit
    def scale(factor, src, dst): ...

The kill matrix, the sample class and whoever else wants to know what people write read it here, and only here.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from autograder.answer.globals_as_source import plain_function, program_of, source_piece
from autograder.answer.program import Piece, Program
from autograder.contract import Exercise
from autograder.exercises import own


@dataclass(frozen=True)
class Answer:
    """One answer and the verdict it must earn. misconception and says are "" for right answers."""

    name: str
    function: Callable
    outcome: str  # class name, as in "Wrong"
    misconception: str = ""
    says: str = ""  # must occur in the verdict's text, whatever its case and line breaks
    is_style: bool = False  # one of several ways to write the same: see `style`
    class_refuses: str = ""  # words of the refusal, where a class, which runs nothing of a cell, takes no such answer

    @property
    def program(self) -> Program:
        """The answer as a submission, with the catalogue's own decorator blanked and every line where it was."""
        return program_of(self.function, _without_decorator(source_piece(self.function)))


class CatalogueError(ValueError):
    """Two answers of one file share a name, or an answer is not described."""


_answers: dict[str, list[Answer]] = {}  # by module name


def wrong(name: str, *, misconception: str, says: str, outcome: str = "Wrong") -> Callable[[Callable], Callable]:
    """Catalogue an answer that must be refused.

    Args: misconception: what `outcome.misconception` must be; says: what the text must contain; outcome: its class.
    """
    if not misconception or not says:
        raise CatalogueError(f"wrong({name!r}) needs a misconception and the words that a learner must read.")
    return lambda function: _enter(Answer(name, function, outcome, misconception, says))


def right(name: str, *, class_refuses: str = "") -> Callable[[Callable], Callable]:
    """Catalogue an answer that is written differently from the solution and must pass.

    Args: class_refuses: words of the refusal, where the answer has a helper that only running code would make, such as
    one that a call returns. A notebook's own check takes it; a class, which reads cells and runs none, does not.
    """
    return lambda function: _enter(Answer(name, function, "Passed", class_refuses=class_refuses))


def has_answers(exercise: Exercise) -> bool:
    """Is there a file of answers to this exercise? Nothing is imported."""
    return (own.package_of(exercise.unit) / "answers" / f"{exercise.function}.py").is_file()


def style(name: str, *, class_refuses: str = "") -> Callable[[Callable], Callable]:
    """Catalogue a right answer in one more style. A commit tries one of them an exercise, a release all.

    Args: class_refuses: as for `right`.
    """
    return lambda function: _enter(Answer(name, function, "Passed", is_style=True, class_refuses=class_refuses))


def answers_for(exercise: Exercise) -> tuple[Answer, ...]:
    """The catalogued answers to an exercise, in the order of their file; () where the file is missing."""
    if not has_answers(exercise):
        return ()
    module = f"{__package__}.u{exercise.unit}.answers.{exercise.function}"
    importlib.import_module(module)
    return tuple(_answers.get(module, ()))


def _enter(answer: Answer) -> Callable:
    """Add an answer to the list of its file and hand the function back unchanged."""
    answers = _answers.setdefault(plain_function(answer.function).__module__, [])
    if any(other.name == answer.name for other in answers):
        raise CatalogueError(f"There are two answers named {answer.name!r} in one file. Give one another name.")
    answers.append(answer)
    return answer.function


def _without_decorator(piece: Piece) -> Piece:
    """The source with its first decorator, this catalogue's, replaced by empty lines."""
    (defined,) = (node for node in ast.parse(piece.source).body if isinstance(node, ast.FunctionDef))
    decorator = defined.decorator_list[0]
    lines = piece.source.splitlines(keepends=True)
    n_lines = decorator.end_lineno
    return replace(piece, source="".join(lines[n_lines:]), first_line=piece.first_line + n_lines)
