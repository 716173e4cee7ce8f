"""What a jail replies, as far as it is believed: each part of its type, of bounded size, and known by its key.

Where an answer is Python, it runs in the process that replies, so that it can send whatever it likes. Nothing of that
is a result, which is compared outside; and nothing of it may fill a page, or say what only the judge says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograder import plain_data
from autograder.contract import Exercise
from autograder.diagnosis.misconceptions import KINDS, MISCONCEPTIONS, behind
from autograder.outcome import Cause
from autograder.running.compiled import NOT_COMPILED, Compiled
from simt.events import Finding

MOST_TEXT = 2000  # characters of a sentence, a name or a line
MOST_OPCODES = 200_000  # characters of what a compiled kernel does
MOST_ITEMS = 4000  # of a list or a dictionary
MOST_PRINTED = 20_000  # characters
NO_KIND = "error"
FAULT_OF_OURS = "unsupported"  # what the interpreter cannot do: an answer in Python needs none


def bounded(value: Any, most_text: int = MOST_TEXT) -> Any:
    """A document with its texts cut and its lists ended."""
    if isinstance(value, str):
        return value[:most_text]
    if isinstance(value, list):
        return [bounded(part, most_text) for part in value[:MOST_ITEMS]]
    if isinstance(value, dict):
        items = list(value.items())[:MOST_ITEMS]
        return {str(name)[:most_text]: bounded(part, most_text) for name, part in items}
    return value


def cause_of(document: Any, exercise: Exercise) -> Cause:
    """A cause whose kind and misconception are among those there are. Raises TypeError for what is no cause."""
    return _known(plain_data.from_json(Cause, bounded(document)), exercise)


def findings_of(documents: Any) -> list[Finding]:
    """Findings of kinds that there are. Raises TypeError for what is no list of such."""
    if not isinstance(documents, list):
        raise TypeError("the findings are no list")
    found = [plain_data.from_json(Finding, bounded(document)) for document in documents[:MOST_ITEMS]]
    return [finding for finding in found if finding.note or finding.kind in KINDS]


def lines_of(documents: Any) -> list[tuple[str, int, dict[str, float]]]:
    """What each line spent. Raises TypeError or ValueError for what is no such list."""
    rows = [(str(function), int(line), counts) for function, line, counts in bounded(documents)]
    return [
        (function, line, {str(name): float(n) for name, n in dict(counts).items()}) for function, line, counts in rows
    ]


def compiled_of(document: Any, exercise: Exercise) -> Compiled:
    """What the compiler said. Raises TypeError or KeyError for what is no such report.

    Where the answer is Python it has no notes: that there is no compiler, for one, is our failure to tell.
    """
    said = plain_data.from_json(Compiled, {**bounded(document), "opcodes": str(document["opcodes"])[:MOST_OPCODES]})
    notes = () if exercise.on_host else said.notes
    causes, suspects, unclear = (
        tuple(_known(one, exercise) for one in part) for part in (said.causes, said.suspects, said.unclear)
    )
    return replace(said, notes=notes, causes=causes, suspects=suspects, unclear=unclear)


def not_compiled(compiled: Compiled) -> str:
    """Why nothing was compiled; "" where it was."""
    return next((note for note in compiled.notes if note.startswith(NOT_COMPILED)), "")


def _known(cause: Cause, exercise: Exercise) -> Cause:
    kind = cause.kind if cause.kind in KINDS else NO_KIND
    parts: tuple[Any, ...] = (*exercise.slips, *exercise.budgets, *exercise.hints)
    own = {one.misconception for one in parts}
    is_known = cause.misconception in MISCONCEPTIONS or cause.misconception in own
    if exercise.on_host and FAULT_OF_OURS in (kind, cause.misconception):  # for which somebody would look at the answer
        kind, is_known = NO_KIND, False
    return replace(cause, kind=kind, misconception=cause.misconception if is_known else behind(kind))
