"""An answer apart from the earlier ones that it builds on: the same program with the course's own in their place."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace

from autograder.answer.program import Piece, Program
from autograder.answer.reference import solution_program
from autograder.answer.syntax import functions_of
from autograder.contract import Exercise
from autograder.exercises import UnknownExerciseError, find

IN_ITS_PLACE = "Here the course's own stands in its place, so that this answer loses nothing for it."


def built_on(exercise: Exercise, program: Program) -> tuple[str, ...]:
    """The functions of earlier exercises that a program brings in answers of its own author."""
    used = [one.function for one in _earlier(exercise)]
    handed_in = {name for piece in program.setup if not piece.trusted for name in _defined(piece)}
    return tuple(name for name in used if name in handed_in)


def with_the_courses_own(exercise: Exercise, program: Program, names: Collection[str]) -> Program | None:
    """The program with the course's own functions of these names.

    None where the solutions are not here, or stand there already.
    """
    solutions = {one.function: solution_program(one) for one in _earlier(exercise)}
    in_class = any(piece.trusted for piece in program.setup)  # where the unit's own setup is there already
    pieces: list[Piece] = []
    for piece in program.setup:
        replaced = [name for name in _defined(piece) if name in names and not piece.trusted]
        for name in replaced:
            solution = solutions.get(name)
            if solution is None:
                return None
            pieces += [*(() if in_class else solution.setup), Piece(solution.source, piece.filename)]
        pieces += [] if replaced else [piece]
    known = {piece.source.strip() for piece in program.setup}
    changes = any(piece.source.strip() not in known for piece in pieces)
    return replace(program, setup=tuple(pieces)) if changes else None


def _earlier(exercise: Exercise) -> Iterator[Exercise]:
    """The exercises that one builds on, as far as they are known here: a contract of one's own may name others."""
    for name in exercise.uses:
        with suppress(UnknownExerciseError):
            yield find(name)


def _defined(piece: Piece) -> Iterator[str]:
    return (node.name for node in functions_of(piece.source))
