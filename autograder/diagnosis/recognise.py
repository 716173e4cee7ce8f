"""Which of the known patterns wrong outputs show.

A pattern counts only when it holds on every failing case that is large enough, so that a coincidence on three elements
convinces nobody.
"""

from __future__ import annotations

import numpy as np

from autograder.diagnosis import symptoms
from autograder.diagnosis.patterns import DEPENDENCES, PATTERNS, Pattern
from autograder.diagnosis.symptoms import Output


def recognise(outputs: list[Output]) -> tuple[Pattern, Output] | None:
    """The first pattern that holds wherever the largest wrong output is wrong, and that output; None if none does.

    outputs: smallest case first. Where its two runs disagree, what they disagree about says more than any pattern.
    """
    with np.errstate(all="ignore"):  # infinities and NaN are compared as they come
        return _recognise(outputs) if outputs else None


def _recognise(outputs: list[Output]) -> tuple[Pattern, Output] | None:
    if outputs[0].depends_on:
        return DEPENDENCES[outputs[0].depends_on], outputs[0]
    telling = max(outputs, key=lambda output: (output.got.size, symptoms.nothing_written(output)))
    enough = min(2 * telling.block + 1, telling.got.size)  # elements; fewer prove little
    alike = [output for output in outputs if output.name == telling.name and output.got.size]
    large = [output for output in alike if output.got.size >= enough]
    for pattern in PATTERNS:
        if pattern.begins_right and any(map(symptoms.wrong_in_the_first_block, alike)):
            continue
        shown = outputs if pattern.of_all else alike if pattern.everywhere else large
        if all(pattern.holds(output) for output in shown):
            return pattern, telling
    return None
