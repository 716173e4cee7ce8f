"""Whether a case has to run again, from other poison and with its blocks in another order, or one run told all.

A traced run says what a second one would look for: which elements nobody wrote, what was read before it was written,
which blocks met at one element, and whether any of it was atomic, so that who comes first may decide. Where there is
nothing of the kind, the same comes out in every order. Cases that are not traced are taken to be like those that were.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Case, Exercise
from autograder.running.buffers import still_poisoned
from autograder.running.runs import Run

OTHERWISE = ("fence", "activemask")  # words of a program whose blocks may wait for one another without atomics, and of
# one that asks which lanes are there: the second run brings those of a branch in groups


@dataclass
class Orders:
    """Of a trial. matter: whether a traced case needed a second run; None before the first."""

    matter: bool | None = None

    def told(self, exercise: Exercise, case: Case, run: Run, traced: bool, text: str) -> bool:
        """Whether a first run tells what a second one would, where its values are right. Corners run once in any case.

        text: of the program.
        """
        if exercise.promises.same_bits or case.corner:
            return not exercise.promises.same_bits
        if exercise.kind != "kernel" or exercise.waits or any(word in text for word in OTHERWISE):
            return False
        if traced:
            own = bool(run.error or run.findings or run.counters.get("atomic_operations"))
            self.matter = own or bool(self.matter)
            return not own and _written(exercise, run)
        return self.matter is False and not run.findings and _written(exercise, run)


def _written(exercise: Exercise, run: Run) -> bool:
    """Whether no element of the outputs looks as it did before the first run: then none was left out."""
    outputs = [run.outputs.get(one.name) for one in exercise.outputs if one.role == "out"]
    arrays = [one for one in outputs if isinstance(one, np.ndarray)]
    return all(one.dtype.kind != "b" and not still_poisoned(one, 0).any() for one in arrays)
