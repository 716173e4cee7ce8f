"""Several cells of a submission into the pieces of one program: each gives what the later ones need."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.answer.program import Piece
from autograder.classroom.reading import gate
from autograder.classroom.reading.extract import Extract, extract, needed_names
from autograder.classroom.reading.scope import Scope


def assemble(
    cells: Sequence[Piece], wanted: frozenset[str], scope: Scope, host: bool = False
) -> tuple[list[Piece], Scope, list[Extract]]:
    """Take from cells, in the order in which they run, what `wanted` names need; the gate has passed each of them.

    host: `wanted` are host functions, and what these may use is taken too.
    Returns: the pieces, the scope after them, and what was taken from each. Raises: NotAllowed.
    """
    for cell in reversed(cells):
        wanted |= needed_names(cell.source, wanted)
    pieces, extracts = [], []
    for cell in cells:
        taken = extract(cell.source, wanted, scope)
        scope = gate.check(taken.source, scope, host)
        pieces.append(Piece(taken.source, cell.filename, cell.first_line))
        extracts.append(taken)
    return pieces, scope, extracts
