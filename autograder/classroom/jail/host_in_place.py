"""Judge a host function on its values inside the jail, where what it does with memory is in no record.

What is mapped, managed, or touched while the device may use it, shows only where host code meets real arrays. Its
Python then runs in the process that replies, so its text must be such that it can reach nothing of that: it is taken
from its cell by parsing, and the gate lets only listed names through, as it does with kernels.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from autograder import judge, verdict
from autograder.answer.program import Piece, Program
from autograder.classroom.jail import interpreter
from autograder.classroom.jail.host_outcomes import LOOK_YOURSELF
from autograder.classroom.reading.assemble import assemble
from autograder.classroom.reading.scope import NotAllowed, Scope
from autograder.contract import Exercise
from autograder.outcome import Outcome

NOT_PLAIN = "It could be judged on its values, but holds {what}, so it is for your instructor to read."


def check(exercise: Exercise, program: Program, secret: str, why: str) -> Outcome:
    """The outcome in the interpreter; for review where the text holds what the gate does not know.

    why: a record does not do, for the words of that.
    """
    try:
        return judged_plain(exercise, program, secret)
    except NotAllowed as error:
        return verdict.not_checkable(exercise, program, f"{why} {NOT_PLAIN.format(what=error)}", LOOK_YOURSELF)


def judged_plain(exercise: Exercise, program: Program, secret: str) -> Outcome:
    """The outcome in the interpreter. Raises: NotAllowed where the text is not to be run like this."""
    ours = partial(interpreter.interpret, on_values=True)
    asked = {"secret": secret, "drawn_from": program.source, "interpreter": ours, "apart": False}
    outcome = judge.check(exercise, taken(program), device="simt", **asked)  # type: ignore[arg-type]
    return replace(outcome, source=program.source, first_line=program.first_line)


def taken(program: Program) -> Program:
    """The program with of each cell what its host function needs, passed by the gate. Raises: NotAllowed."""
    trusted = [piece for piece in program.setup if piece.trusted]
    cells = [piece for piece in program.setup if not piece.trusted]
    cells.append(Piece(program.source, program.filename, program.first_line))
    scope = Scope.of_trusted(piece.source for piece in trusted)
    pieces, _, _ = assemble(cells, frozenset({program.function}), scope, host=True)
    return replace(program, source=pieces[-1].source, setup=(*trusted, *pieces[:-1]))
