"""Whether two pieces of code say the same: both are read into one common form, in which only what matters differs.

Free are names of locals, names for what is used once, the order of statements that do not depend on each other and of
sums and products, casts and defaults that change nothing, ways to write a loop, a guard, a choice, a size, a constant.
Kept are address spaces, widths, masks, `const` and `__restrict__` where they are asked for, and the order of effects.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograder.drills.structure.errors import StructureError

__all__ = ["CODE_LANGUAGES", "CPP", "PYTHON", "StructureError", "same", "shape_of"]

PYTHON, CPP = "python", "cpp"
CODE_LANGUAGES = (PYTHON, CPP)
ROUNDS = 3


def shape_of(language: str, source: str, names: Iterable[str] = ()) -> tuple:
    """The common form of a piece of code. names: those that must stay as they are. Raises: StructureError."""
    keep = frozenset(names)
    return plain(read(language, source, keep), keep)


def read(language: str, source: str, keep: frozenset[str]) -> tuple:
    """The statements of a piece of code as they stand. Raises: StructureError."""
    if language == PYTHON:
        from autograder.drills.structure import python
        from autograder.drills.structure.temporaries import once_declared

        return once_declared(python.read(source), keep)
    from autograder.drills.structure import cpp_statements

    return cpp_statements.read(source)


def plain(block: tuple, keep: frozenset[str]) -> tuple:
    """Statements as they were read, in one way of many."""
    from autograder.drills.structure.api import plain_calls, types_of
    from autograder.drills.structure.arithmetic import simplified
    from autograder.drills.structure.control import straightened
    from autograder.drills.structure.order import ordered
    from autograder.drills.structure.temporaries import joined, numbered, versions, without_temporaries
    from autograder.drills.structure.unrolled import unrolled

    for _ in range(ROUNDS):
        block = simplified(plain_calls(simplified(block), types_of(block)))
        block = versions(unrolled(joined(straightened(block)), keep), keep)
        block = without_temporaries(block, keep)
    return numbered(ordered(block, keep), keep)


def same(language: str, answer: str, form: str, names: Iterable[str] = ()) -> bool:
    """Does an answer say what an accepted form says? Raises: StructureError where one cannot be parsed."""
    from autograder.drills.structure.compare import alike, breaks_a_promise

    given, wanted = both(language, answer, form, names)
    return not breaks_a_promise(given) and alike(given, wanted)


def both(language: str, answer: str, form: str, names: Iterable[str] = ()) -> tuple[tuple, tuple]:
    """An answer and an accepted form in the common form, the answer without what stands beside the question.

    Raises: StructureError where one cannot be parsed.
    """
    from autograder.drills.structure.compare import (
        with_default_copies,
        without_error_checks,
        without_extras,
        without_functions_round_it,
    )
    from autograder.drills.structure.temporaries import numbered

    keep = frozenset(names)
    written, accepted = read(language, answer, keep), read(language, form, keep)
    if not any(each[0] == "def" for each in accepted):
        written = without_functions_round_it(written)
    given = plain(written if "cudaError_t" in form else without_error_checks(written), keep)
    wanted = plain(accepted, keep)
    given = without_extras(given, wanted)
    if "cudaMemcpyDefault" in answer:
        given, wanted = with_default_copies(given), with_default_copies(wanted)
    return numbered(given, keep), numbered(wanted, keep)
