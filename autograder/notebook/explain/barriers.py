"""What a barrier of the learner's is for: it is taken out of a copy, and the interpreter looks for the race."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from autograder.answer.program import ProgramError
from autograder.notebook import picture
from autograder.notebook.explain.asked import Probe, Seen

BARRIER = re.compile(r"cuda\s*\.\s*(syncthreads|syncwarp)\s*\([^()]*\)")


def races_without(seen: Seen) -> Iterator[Probe]:
    """Which line races once a barrier is gone, for each barrier that something depends on."""
    lines = seen.program.source.splitlines(keepends=True)
    for index, text in enumerate(lines):
        code = text.split("#")[0]
        if not BARRIER.search(code):
            continue
        source = "".join([*lines[:index], BARRIER.sub("pass", code.rstrip("\n")) + "\n", *lines[index + 1 :]])
        race = _race_of(seen, source)
        if race is not None:
            number = seen.program.first_line + index
            yield Probe(
                f"{seen.on}, without the barrier in {seen.quoted(number)}: which line would race? Give the number of a "
                "line that reads or writes what another thread writes in between.",
                race[0],
                f"Without it: {race[1]}",
            )


def _race_of(seen: Seen, source: str) -> tuple[tuple[float, ...], str] | None:
    """The lines of all races of a changed answer, and the first one in words; None where there is none."""
    try:
        trace = picture.of_sizes(seen.exercise, replace(seen.program, source=source), seen.sizes)
    except ProgramError:  # the barrier was part of an expression
        return None
    races = [found for found in trace.findings if found.kind == "race"]
    if not races:
        return None
    lines = sorted({line for found in races for line in found.lines})
    return tuple(map(float, lines)), races[0].message
