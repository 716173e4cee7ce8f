"""Wrong results of unit 19's tensor_lives that betray their cause."""

from __future__ import annotations

from autograder.exercises.common_slips import but_for
from autograder.exercises.u19_engine_runtime.lives_values import RIGHT, lived

without = but_for(lived, RIGHT)


LIVES = (
    without(
        "view_moved",
        "a view got a place of its own: it is the same bytes under another shape, so it lies where its operand does",
        views=False,
    ),
    without(
        "never_in_place",
        "a step that may write over its first operand got a place of its own, and nobody reads that operand any more",
        in_place=False,
    ),
    without(
        "written_over",
        "a step wrote over its operand while a later step still reads what lies there: ask before you take the place",
        asks=False,
    ),
    without(
        "written_over",
        "a step wrote over its operand while a later step still reads something else in the same place: ask about the "
        "place, not about the one tensor",
        whole_place=False,
    ),
    without(
        "place_ends_too_early",
        "a place ended with the tensor that was first in it, and a view, or what was written over it, is read later",
        readers_of_all=False,
    ),
    without(
        "output_forgotten",
        "an output lives to the end, past the last step: its last step is n, and nothing may write over it",
        outputs=False,
    ),
    without("one_operand", "a step reads its second operand, too, which has to be there until then", second=False),
)
