"""Why outputs are wrong, as far as they tell: a slip of the exercise, a known pattern, or another formula."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from autograder.contract import Exercise, Outputs, Slip, Values
from autograder.diagnosis import slips, symptoms
from autograder.diagnosis.advice.places import NO_MORE_KNOWN
from autograder.diagnosis.pattern_words import place_of, words_for
from autograder.diagnosis.patterns import COPIED_HERE, NO_BLOCKS
from autograder.diagnosis.recognise import recognise
from autograder.diagnosis.relations.exchanged import cause_of_exchange
from autograder.diagnosis.relations.numbers import cause_of_numbers
from autograder.diagnosis.relations.placeholders import cause_of_placeholder
from autograder.diagnosis.symptoms import LUCKY_SHARE, Output
from autograder.outcome import Cause
from autograder.running.compare import Mismatch
from autograder.words import as_sentence

A_FLOAT = (
    "A float came back where a whole number is promised, even where it holds one: `/` always gives a float, and so do "
    "np.ceil and np.floor."
)
FOR_A_FLOAT = "Divide with //, or round with math.ceil, which give whole numbers."
KEEPS_FEWER = " The narrower type keeps fewer digits."
OF_PYTHON = "Work with Python's own numbers, and take the conversion to a type of NumPy out."
ANOTHER_THING = "One number is asked for, and something else came back: look at what stands after return."
WRONG_KIND = (
    "The result is an array of another shape or dtype than the one asked for, so its values were not looked at."
)
FEW = 2  # failing cases, the smallest, beside the last one: a slip has to give just what came out in each
UNTOUCHED = "{name} is what it was before the call, in every case: nothing was stored there."
STORES = (
    "Follow one element to the line that stores to {name}: is it reached, and does it store? A swap stores only where "
    "it finds what it compares with, which comes before the new value."
)


def cause_of_output(
    exercise: Exercise,
    failures: Sequence[tuple[Values, Sequence[Output]]],
    odd: Sequence[Mismatch] = (),
    right: Sequence[Values] = (),
) -> Cause:
    """Why the outputs are wrong, as far as they tell: a slip of the exercise, a known pattern, or just a wrong formula.

    failures: for every failing case at hand, pristine argument values and the wrong outputs; smallest case first.
    odd: outputs of another shape or dtype, of which nothing else is known; right: arguments of cases that are right,
    which a slip that would make them wrong does not explain.
    """
    if any(mismatch.is_float_for_int for mismatch in odd):
        return Cause("wrong_output", "wrong_return", A_FLOAT, FOR_A_FLOAT)
    if (exchanged := cause_of_exchange(exercise, (), odd)) is not None:
        return exchanged
    if not any(outputs for _, outputs in failures):
        return _of_another_kind(exercise, odd)
    together, failures = failures, [*failures[:FEW], *failures[FEW:][-1:]]
    slip = _made((*exercise.slips, *slips.lost_fractions(exercise)), exercise, failures, right)
    if told := _untouched(exercise, failures, right, slip) or slip or cause_of_exchange(exercise, failures, ()):
        return told
    recognised = recognise([output for _, outputs in failures for output in outputs])
    if recognised is None:
        return _unrecognised(exercise, together, failures, right)
    pattern, output = recognised
    if pattern.holds is symptoms.copy_of_input and any(slips.computes(exercise, values) for values in right):
        pattern = COPIED_HERE
    pattern = NO_BLOCKS if exercise.on_host and pattern.misconception == "order_dependent" else pattern
    words = words_for(output, failures[0][1][0].case if failures[0][1] else "")
    return Cause(
        "wrong_output",
        pattern.misconception,
        pattern.says.format(**words),
        pattern.remedy.format(**words),
        array=output.name if pattern.remedy == NO_MORE_KNOWN else "",
        unstored=output.name if pattern.unstored else "",
    )


def _unrecognised(
    exercise: Exercise,
    together: Sequence[tuple[Values, Sequence[Output]]],
    failures: Sequence[tuple[Values, Sequence[Output]]],
    right: Sequence[Values],
) -> Cause:
    """What no pattern shows. together: all failing cases at hand, of which failures are a few."""
    large, others = [one for one in failures if _has_room(one[0])], [one for one in right if _has_room(one)]
    in_large = _made(exercise.slips, exercise, large, others) if large else None
    told = in_large or cause_of_numbers(exercise, together) or cause_of_placeholder(exercise, together)
    every = [output for _, outputs in failures for output in outputs]
    return told or Cause("wrong_output", "wrong_formula", _which_are_right(every))


def compared_in(exercise: Exercise, values: Values, outputs: Outputs, call: Sequence[object]) -> str:
    """Where an answer first goes another way than the solution, and by which rule, if its exercise can tell; else "".

    values: pristine arguments; outputs: what came out, by name, of the right shapes and dtypes, whatever it is;
    call: what a host function was called with, objects that stand in for arguments among them.
    """
    if exercise.compared is None:
        return ""
    given = [one.name for one in exercise.arguments if not (exercise.arrays == "host" and one.role == "out")]
    by_name = dict(zip(given, call, strict=False))
    return exercise.compared(values, outputs, {name: by_name[name] for name in exercise.stand_ins if name in by_name})


def in_view_of_the_solution(cause: Cause, compared: str) -> Cause:
    """A cause that names no more than another formula, or a line, with where the answer goes another way before it."""
    names_nothing = cause.kind == "wrong_output" and cause.misconception == "wrong_formula" and not cause.is_slip
    if not compared or not names_nothing:
        return cause
    return replace(cause, says=f"{compared} {cause.says}" if cause.lines else compared, compared=True)


def _made(
    known: Iterable[Slip],
    exercise: Exercise,
    failures: Sequence[tuple[Values, Sequence[Output]]],
    right: Sequence[Values],
) -> Cause | None:
    """The first slip that gives what came out wherever it is wrong, and makes no difference where it is right."""
    for slip in known:
        told = all(slips.explains(slip, exercise, values, outputs) for values, outputs in failures)
        if told and all(slips.makes_no_difference(slip, exercise, values) for values in right):
            return Cause("wrong_output", slip.misconception, as_sentence(slip.says, exercise.names), is_slip=True)
    return None


def _untouched(
    exercise: Exercise,
    failures: Sequence[tuple[Values, Sequence[Output]]],
    right: Sequence[Values],
    slip: Cause | None,
) -> Cause | None:
    """The cause where an array that comes in and goes out is what it was in every case: nobody computed that, so no
    slip made it, though one may give the same number. right: arguments of cases that are right, where it changed;
    slip: what gives the same, by chance where that is one number."""
    every = [output for _, outputs in failures for output in outputs]
    if right or slip and any(one.got.size > 1 for one in every):
        return None
    names = {one.name for one in every}
    is_inout = names <= {one.name for one in exercise.arguments if one.role == "inout"}
    if len(names) != 1 or not is_inout or not all(symptoms.as_before(one) for one in every):
        return None
    (name,) = names
    return Cause("wrong_output", "output_not_written", UNTOUCHED.format(name=name), STORES.format(name=name))


def _has_room(values: Values) -> bool:
    """Whether every array has two elements along each axis: with one, the same mistake may be made in several ways,
    as where n - 1 divides, or whatever is more, 1 or n - 1."""
    arrays = [np.asarray(one) for one in values.values() if np.ndim(one)]
    return bool(arrays) and all(min(one.shape) > 1 for one in arrays)


def _of_another_kind(exercise: Exercise, odd: Sequence[Mismatch]) -> Cause:
    """Outputs of another shape or dtype: numbers of another type are numbers still."""
    number = next((one for one in odd if one.reason == "dtype" and one.value is not None), None)
    if number is not None:
        says = f"{number.output} is a number of type {number.got}, and {number.expected} is asked for."
        narrow = np.dtype(number.got).itemsize < np.dtype(number.expected).itemsize
        return Cause("wrong_output", "wrong_return", says + KEEPS_FEWER * narrow, OF_PYTHON)
    scalar = any(argument.shape == "" for argument in exercise.outputs)
    return Cause("wrong_output", "wrong_return", ANOTHER_THING if scalar else WRONG_KIND)


def _which_are_right(outputs: Sequence[Output]) -> str:
    """A sentence on where the wrong elements are, to start a search from."""
    output = max(outputs, key=lambda candidate: np.count_nonzero(~candidate.right), default=None)
    at = words_for(output, outputs[0].case)["at"] if output is not None else ""
    if output is None or output.got.size == 0:
        return "The shape or the dtype of the result is not the one asked for."
    right = output.right.ravel()
    n_wrong = int((~right).sum())
    if right.size == 1:
        return f"Work {output.name} out by hand{at}, then read your formula again."
    if right.mean() < LUCKY_SHARE:
        share = "No element" if n_wrong == right.size else "Almost no element"
        return f"{share} of {output.name} is right{at}. Work the first one out by hand, then read your formula again."
    if n_wrong == 1:
        place = place_of(output)
        return f"Only element {place} of {output.name} is wrong{at}: look at what is different about it."
    share = f"{n_wrong:,} of {right.size:,} elements of {output.name} are wrong{at}"
    if not right[0] and 2 * n_wrong > right.size:
        return f"{share}, the first one among them: work it out by hand, then read your formula again."
    return f"{share}, and the first of them is element {place_of(output)}: look at what is different about it."
