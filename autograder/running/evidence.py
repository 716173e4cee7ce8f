"""What a failing case shows: which elements nobody wrote, what the result depends on, which buffers were overrun."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autograder.contract import Case, Values
from autograder.diagnosis.misconceptions import remedy_for
from autograder.diagnosis.symptoms import Output
from autograder.outcome import Cause
from autograder.running import buffers
from autograder.running.compare import Mismatch
from autograder.running.runs import Run
from simt.events import Finding

BY_LUCK = "The result is right at {case}, but only by luck."


def never_written(mismatch: Mismatch, first: Run, second: Run) -> str:
    """Words for a first wrong element that neither run wrote; "" for one that was written.

    The runs started from poison 0 and 1, so an element that holds both is one that nobody touched.
    """
    if mismatch.reason in ("shape", "dtype") or not mismatch.index:
        return ""
    for poison, run in enumerate((first, second)):
        if not buffers.still_poisoned(np.asarray(run.outputs[mismatch.output]), poison)[mismatch.index]:
            return ""
    return mismatch.with_value("was never written")


def wrong_output(
    mismatch: Mismatch,
    wrong: Run,
    other: Run,
    expected: Mapping,
    values: Values,
    right_from_zero: bool,
    depends_on: str,
    launched: tuple[int, int],
    case: str = "",
    returned: bool = False,
) -> Output:
    """One wrong output with everything that patterns look at.

    Args: wrong: the run that `mismatch` speaks of; other: the second one; values: the case's pristine arguments;
    depends_on, case, returned: see `Output`; launched: its `block` and `blocks`.
    """
    name = mismatch.output
    got, again = np.asarray(wrong.outputs[name]), np.asarray(other.outputs[name])
    poisons = (1, 0) if depends_on else (0, 1)
    unwritten = buffers.still_poisoned(got, poisons[0]) & buffers.still_poisoned(again, poisons[1])
    inputs = {key: value for key, value in values.items() if isinstance(value, np.ndarray) and key != name}
    return Output(
        name=name,
        got=got,
        again=again,
        expected=np.asarray(expected[name]),
        right=~mismatch.wrong,
        unwritten=unwritten,
        inputs=inputs,
        right_from_zero=right_from_zero,
        depends_on=depends_on,
        block=launched[0],
        blocks=launched[1],
        case=case,
        returned=returned,
    )


def right_but(case: Case, finding: Finding) -> str:
    """What there is to see where the result is right all the same."""
    if finding.kind != "out_of_bounds":
        return BY_LUCK.format(case=case.name)
    accesses = "1 access" if finding.count == 1 else f"{finding.count:,} accesses"
    if finding.detail.get("wraps"):
        return f"The result is right at {case.name}, but {accesses} of `{finding.array}` wrapped round its end."
    return f"The result is right at {case.name}, but {accesses} fell outside `{finding.array}`."


def cause_of_damage(name: str) -> Cause:
    """A guard band that was written to on a device that checks no bounds."""
    says = f"Something was written just outside `{name}`. The GPU said nothing: it checks no bounds."
    return Cause("out_of_bounds", "no_guard", says, remedy_for("no_guard"), array=name)
