"""Wrong results of unit 19's plan_arena, tensor_lives and load_plan that betray their cause."""

from __future__ import annotations

from autograder.exercises.common_slips import but_for
from autograder.exercises.u19_engine_runtime.arena_values import RIGHT, planned
from autograder.exercises.u19_engine_runtime.lives_values import RIGHT as ALIVE
from autograder.exercises.u19_engine_runtime.lives_values import lived
from autograder.exercises.u19_engine_runtime.plan_values import CUT, DAMAGED, DEVICE, VERSION, read
from autograder.exercises.u19_engine_runtime.plan_values import RIGHT as CHECKED

without = but_for(planned, RIGHT)


ARENA = (
    without(
        "not_aligned",
        "sizes are taken as they are, so offsets are no multiples of align: round every size up first",
        rounded=False,
    ),
    without(
        "in_order_of_steps",
        "tensors are placed in the order of their numbers: the largest one comes first, while all places are free",
        largest_first=False,
    ),
    without(
        "ties_from_the_end",
        "of equally large tensors the last one was placed first: the lower number goes first",
        ties_by_number=False,
    ),
    without(
        "last_step_forgotten",
        "a tensor gave its place away in the step that still reads it: while a step runs, what it reads and what it "
        "writes are both there, so lives that share one step overlap",
        last_step_counts=False,
    ),
    without(
        "gaps_missed",
        "each tensor lies above all that it must not overlap: a gap between two of them will do, if it is wide enough",
        gaps=False,
    ),
    without(
        "tightest_gap",
        "the tightest gap was taken: this rule takes the lowest one that is wide enough",
        tightest=True,
    ),
    without(
        "no_reuse",
        "no place is used twice: tensors whose lives share no step may lie in the same bytes",
        shares=False,
    ),
    without(
        "begin_for_end",
        "the arena ends where its highest tensor begins: add the size of each tensor to its offset",
        end_of_highest=False,
    ),
    without(
        "least_of_all",
        "least counts all tensors: only those that are there in one step have to lie side by side",
        least_alive=False,
    ),
    without(
        "least_unrounded",
        "least counts sizes that are not rounded up: no plan can use the bytes between two aligned tensors",
        least_rounded=False,
    ),
)


unchecked = but_for(read, CHECKED)


PLANS = (
    unchecked("magic_not_asked", "bytes of another file are read as a plan: look at the first four first", magic=False),
    unchecked(
        "version_not_asked", "plans of any version are taken: their bytes may mean something else", version=False
    ),
    unchecked(
        "newer_taken",
        "a newer plan is taken: this runtime cannot know what was changed in it, so only its own version will do",
        newer=False,
    ),
    unchecked(
        "length_not_asked",
        "a plan that was cut is called damaged: ask whether all bytes are there, before the checksum; what is cut is "
        "mended by copying it again",
        length=False,
    ),
    unchecked(
        "longer_taken",
        "bytes past the last weight are told as something else, or not at all: a file that is too long was not written "
        "like this either, reason 2",
        longer=False,
    ),
    unchecked("checksum_not_asked", "a plan with a bit turned is taken: work out the checksum again", checksum=False),
    unchecked(
        "weights_alone_checked",
        "the checksum is worked out of the weights alone: it is of all bytes from the 12th on",
        header_covered=False,
    ),
    unchecked(
        "device_not_asked", "plans for another device are taken: their choices are times of that one", device=False
    ),
    unchecked(
        "lesser_device_taken",
        "a plan for a lesser device is taken: its kernels may run here, but they were chosen by times of another GPU",
        better_device=True,
    ),
    unchecked(
        "version_asked_late",
        "a plan of another version was called damaged, or cut: its version says how the rest is to be read, so it "
        "comes first",
        order=(CUT, DAMAGED, VERSION, DEVICE),
    ),
    unchecked(
        "device_asked_early",
        "a damaged plan is said to be for another device: what a header says holds once the checksum is right",
        order=(VERSION, CUT, DEVICE, DAMAGED),
    ),
    unchecked(
        "written_too_early",
        "weights of a plan that is refused were written: ask everything first, and then change what is there",
        written_early=True,
    ),
)


but_alive = but_for(lived, ALIVE)


LIVES = (
    but_alive(
        "view_moved",
        "a view got a place of its own: it is the same bytes under another shape, so it lies where its operand does",
        views=False,
    ),
    but_alive(
        "never_in_place",
        "a step that may write over its first operand got a place of its own, and nobody reads that operand any more",
        in_place=False,
    ),
    but_alive(
        "written_over",
        "a step wrote over its operand while a later step still reads what lies there: ask before you take the place",
        asks=False,
    ),
    but_alive(
        "written_over",
        "a step wrote over its operand while a later step still reads something else in the same place: ask about the "
        "place, not about the one tensor",
        whole_place=False,
    ),
    but_alive(
        "place_ends_too_early",
        "a place ended with the tensor that was first in it, and a view, or what was written over it, is read later",
        readers_of_all=False,
    ),
    but_alive(
        "output_forgotten",
        "an output lives to the end, past the last step: its last step is n, and nothing may write over it",
        outputs=False,
    ),
    but_alive("one_operand", "a step reads its second operand, too, which has to be there until then", second=False),
)
