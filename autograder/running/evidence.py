"""What a failing case shows: which elements nobody wrote, what the result depends on, which buffers were overrun."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
REMEMBERS = Cause(
    "wrong_output",
    "keeps_between_calls",
    "Called again with other inputs of the same size, it returns what belongs to the first ones.",
    "Compute from the arguments of this call; keep no result in a global or in a default argument.",
)
OVERWRITES = Cause(
    "wrong_output",
    "keeps_between_calls",
    "The array that the first call returned changed when the function was called again.",
    "Return an array that this call made; a buffer that every call shares belongs to the last one.",
)


@dataclass
class Failure:
    """A case whose outputs were wrong, kept for diagnosis."""

    case: Case
    values: Values
    outputs: list[Output]
    odd: list[Mismatch] = field(default_factory=list)  # outputs of another shape or dtype
    compared: str = ""  # where the answer first goes another way than the solution, where the exercise can tell


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


def wrong_outputs(
    mismatches: Mapping[str, Mismatch], wrong: Run, other: Run, expected: Mapping, values: Values, *known: Any
) -> tuple[list[Output], list[Mismatch]]:
    """Every wrong output as `wrong_output` has it, and the mismatches of shape or dtype, of which no more is known."""
    odd = [one for one in mismatches.values() if one.reason in ("shape", "dtype")]
    rest = [one for one in mismatches.values() if one.reason not in ("shape", "dtype")]
    return [wrong_output(one, wrong, other, expected, values, *known) for one in rest], odd


def wrong_output(
    mismatch: Mismatch,
    wrong: Run,
    other: Run,
    expected: Mapping,
    values: Values,
    right_from_zero: bool,
    depends_on: str,
    launch: tuple[int, int, bool, tuple[int, int]],
    case: str = "",
    returned: bool = False,
    in_scratch: str = "",
    to_fill: bool = False,
) -> Output:
    """One wrong output with everything that patterns look at: the run that `mismatch` speaks of, and the other one.

    values: the case's pristine arguments; launch: `block`, `blocks`, `given` and `extents` of an `Output`.
    """
    name, (block, blocks, given, extents) = mismatch.output, launch
    got, again = (np.asarray(run.outputs[name]) for run in (wrong, other))
    poisons = (1, 0) if depends_on else (0, 1)
    return Output(
        *(name, got, again),
        expected=np.asarray(expected[name]),
        right=~mismatch.wrong,
        unwritten=buffers.still_poisoned(got, poisons[0]) & buffers.still_poisoned(again, poisons[1]),
        inputs={key: value for key, value in values.items() if isinstance(value, np.ndarray) and key != name},
        right_from_zero=right_from_zero,
        depends_on=depends_on,
        block=block,
        blocks=blocks,
        given=given,
        case=case,
        returned=returned,
        in_scratch=in_scratch,
        to_fill=to_fill,
        before=values.get(name),
        extents=extents,
    )


def right_but(case: Case, finding: Finding) -> str:
    """What there is to see where the result is right all the same."""
    if finding.kind != "out_of_bounds":
        return BY_LUCK.format(case=case.name)
    accesses = "1 access" if finding.count == 1 else f"{finding.count:,} accesses"
    if finding.detail.get("wraps"):
        return f"The result is right at {case.name}, but {accesses} of `{finding.array}` wrapped round its end."
    return f"The result is right at {case.name}, but {accesses} fell outside `{finding.array}`."


def cause_of_change(name: str) -> Cause:
    """An input that is not what it was before the call."""
    says = f"`{name}` is an input, but the call changed it."
    return Cause("write_to_input", "input_changed", says, remedy_for("input_changed"), array=name)


def cause_of_damage(name: str) -> Cause:
    """A guard band that was written to on a device that checks no bounds."""
    says = f"Something was written just outside `{name}`. The GPU said nothing: it checks no bounds."
    return Cause("out_of_bounds", "no_guard", says, remedy_for("no_guard"), array=name)


def has_elements(case: Case) -> bool:
    """Whether a case has anything to work on."""
    return all(case.sizes.values())


def is_mistake(finding: Finding) -> bool:
    """Whether a finding counts against an answer whose result is right.

    A note does not, and an old value that a tile kept does not: it is the same in every run, so where the result is
    right it was meant, or thrown away.
    """
    return not finding.note and not finding.detail.get("stale")


def holds_in_a_sample(finding: Finding) -> bool:
    """Whether a finding of a run of which only some blocks were listened to says what it would say of all.

    Within a block everything is heard; what other blocks wrote is not, so nothing is said about global memory that
    nobody has written, nor about the order of blocks.
    """
    if finding.kind == "race":
        return finding.detail.get("scope") != "grid"
    if finding.kind == "uninitialised_read":
        return finding.detail.get("space") == "shared"
    return finding.kind in ("barrier_divergence", "out_of_bounds", "warp_mask", "deadlock")
