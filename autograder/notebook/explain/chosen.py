"""Three questions on a right answer: first what its barriers are for, then what its lines cost and do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.notebook import display, picture
from autograder.notebook.explain.asked import Explained, Probe, Seen, marked
from autograder.notebook.explain.barriers import races_without
from autograder.notebook.explain.lines import cost_of_accesses, divergent_warps, past_a_guard
from autograder.notebook.explain.stores import who_stores
from autograder.outcome import Outcome

KINDS: tuple[Callable[[Seen], Iterator[Probe]], ...] = (
    races_without,
    cost_of_accesses,
    who_stores,
    past_a_guard,
    divergent_warps,
)
ENOUGH = 3
NOT_YET = "Once {function} is right, this cell asks three questions about it. Run q.check({function}) first."
NOTHING = "There is nothing to ask about this answer: it runs no kernel on the sizes that pictures show."
HEADER = ("you said", "measured", "", "what", "why")


def questions_on(exercise: Exercise, program: Program) -> list[Probe]:
    """At most three questions on an answer that is right: one of a kind, more of a kind where kinds do not suffice."""
    sizes = picture.shown_sizes(exercise)
    seen = Seen(exercise, program, picture.of_sizes(exercise, program, sizes), sizes)
    kinds = [kind(seen) for kind in KINDS]
    asked: list[Probe] = []
    while len(asked) < ENOUGH:
        found = [one for kind in kinds for one in islice(kind, 1)]
        if not found:
            break
        asked += found
    return asked[:ENOUGH]


def asked_or_marked(
    exercise: Exercise, right: tuple[Program, Outcome] | None, replies: Sequence[Any]
) -> Explained | None:
    """Show the questions on the answer that a check found right, or mark replies to them. Returns: what was marked."""
    if right is None:
        display.text(NOT_YET.format(function=exercise.function))
        return None
    questions = questions_on(exercise, right[0])
    if not questions:
        display.text(NOTHING)
        return None
    if not replies:
        told = [f"{number}. {one.asks}" for number, one in enumerate(questions, start=1)]
        places = ", ".join(["..."] * len(questions))
        display.text("\n".join([*told, f"Reply with one number each, in this order: q.explain({places})"]))
        return None
    explained = marked(questions, replies)
    rows = [
        (said, truth, "yes" if is_right else "no", asks, why) for asks, said, truth, is_right, why in explained.rows
    ]
    display.table(HEADER, rows)
    return explained
