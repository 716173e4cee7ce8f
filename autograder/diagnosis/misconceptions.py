"""The vocabulary of verdicts: every kind of cause, and every misconception that the machine itself can name.

A unit's own misconceptions are not here: they are keys of its slips and budgets, and its `hints.md` has a ladder for
each. A test holds both against hints, patterns, lint and every cause that is made.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of cause. misconception: the one behind it where nothing points to a more particular one; by_chance: a
    GPU may give the right result all the same, again and again, so that a right result there says nothing; by_order:
    what is wrong is the order between threads, or between work and its host. No value of any case shows that, and which
    cases it is seen in depends on where one listens: where it is found once, no right result of the answer counts.
    """

    title: str
    misconception: str = ""
    by_chance: bool = False
    by_order: bool = False


@dataclass(frozen=True)
class Misconception:
    """A mistake in thinking. remedy: one thing to do, "" where it depends on what was found."""

    title: str
    remedy: str = ""


KINDS = {  # most explanatory first: the order of causes in a verdict
    "not_taken": Kind("Not read in class"),
    "parameter_order": Kind("The parameters are in another order", "parameter_order"),
    "whole_array_reduction": Kind("Every thread does all of it", "whole_array_reduction"),
    "compile_error": Kind("It does not compile", "not_compiled"),
    "bare_call": Kind("Named, but not called", "bare_call"),
    "dropped_value": Kind("Worked out, but not kept", "wrong_formula"),
    "habit": Kind("It does not do what it looks like", "habit"),
    "invalid_launch": Kind("A launch no GPU accepts", "launch_too_large"),
    "error": Kind("It stopped with an error", "exception"),
    "deadlock": Kind("This never ends", "infinite_loop"),
    "barrier_divergence": Kind(
        "Barrier that not every thread reaches", "barrier_in_branch", by_chance=True, by_order=True
    ),
    "out_of_bounds": Kind("Out of bounds", "no_guard"),
    "too_much_work": Kind("Stopped before it came to an end", "infinite_loop"),
    "misaligned": Kind("Misaligned address", "misaligned"),
    "tile_not_shown": Kind("Tile not shown to the tensor cores", "tile_not_shown", by_chance=True, by_order=True),
    "product_under_way": Kind("Product still under way", "product_under_way", by_chance=True, by_order=True),
    "race": Kind("Race", "missing_barrier", by_chance=True, by_order=True),
    "uninitialised_read": Kind("Read before anything was written", "uninitialised_read", by_chance=True),
    "warp_mask": Kind("Warp mask", "warp_mask", by_chance=True, by_order=True),
    "places_out_of_order": Kind("Places that nothing can have", "places_out_of_order"),
    "write_to_input": Kind("An input was changed", "input_changed"),
    "unsupported": Kind("Not understood by the interpreter", "unsupported"),
    "short_only": Kind("Right for short arrays alone"),
    "no_work": Kind("The device did no work"),
    "wrong_output": Kind("Wrong output", "wrong_formula"),
    "float64_arithmetic": Kind("Double precision where float32 was meant", "float64_arithmetic"),
    "over_budget": Kind("Right, but it costs more than it has to"),
}

MISCONCEPTIONS = {
    # order between threads
    "missing_barrier": Misconception(
        "threads wait for each other by themselves",
        "Put cuda.syncthreads() between the two lines, outside any if, so that every thread arrives.",
    ),
    "host_goes_on": Misconception("the host waits for the device by itself"),
    "copy_not_waited": Misconception(
        "a copy to shared memory is there when its call returns",
        "Close the group with commit_copies(), wait for it with wait_copies(), then let all threads meet at a barrier.",
    ),
    "barrier_in_branch": Misconception(
        "a barrier that some threads skip",
        "Move cuda.syncthreads() out of the if, so that every thread of the block reaches it.",
    ),
    "bare_call": Misconception("a call without its parentheses"),
    "habit": Misconception("a line that means another thing than it seems to"),
    "lost_update": Misconception(
        "several threads update one element and nothing is lost",
        "Let one thread own the element, or use cuda.atomic.add(array, index, value).",
    ),
    "grid_order": Misconception(
        "blocks run one after another",
        "Blocks run in any order: finish in a second kernel, or combine with an atomic.",
    ),
    "order_dependent": Misconception("a result that depends on the order of blocks"),
    "warp_sync": Misconception("lanes of a warp see each other's writes", "Put cuda.syncwarp() between the two lines."),
    "warp_mask": Misconception("a mask that names other lanes", "Name exactly the lanes that execute this line."),
    # which thread, which element
    "misaligned": Misconception(
        "16 bytes may begin anywhere",
        "Begin at a multiple of 16 bytes: 4 float32, or 8 float16.",
    ),
    "places_out_of_order": Misconception(
        "places of stored elements may stand in any order",
        "Give the place of the first, from the left, in the lower two bits.",
    ),
    "tile_not_shown": Misconception(
        "what threads see in shared memory, the tensor cores see as well",
        "Call show_tiles() between the wait for the copies and the barrier.",
    ),
    "product_under_way": Misconception(
        "a product is done when its call returns",
        "Wait with wait_products before you use its sums or fill its tiles again.",
    ),
    "no_guard": Misconception(
        "there are as many threads as elements",
        "Guard it: test the index against the length before you touch the array.",
    ),
    "off_by_one": Misconception(
        "one place off", "The last valid index is the length minus one: compare with <, not <=."
    ),
    "far_index": Misconception(
        "an index computed another way",
        "Work it out by hand for that thread: it is far from the array, so a bound would only hide the mistake.",
    ),
    "negative_index": Misconception(
        "a negative index is an error",
        "Guard the lower end too: a negative index wraps round to the end of the array without a word.",
    ),
    "float_index": Misconception("a float32 holds every whole number"),
    "lost_fraction": Misconception(
        "a number keeps its fraction whatever it goes through",
        "Take the conversion away: int(), // and a whole-numbered variable are for indices, and values stay float32.",
    ),
    "swapped_axes": Misconception("rows and columns, x and y, exchanged"),
    "only_first_block": Misconception("every block works on the first block's elements"),
    "missing_tail": Misconception("the last, partial block is left out"),
    "never_read": Misconception("elements that nobody reads"),
    "one_thread_works": Misconception("one thread does the work of all"),
    "few_threads": Misconception("a few threads do the work of many"),
    "fitted_to_cases": Misconception("a number that is right for one size only"),
    "fixed_turns": Misconception("a loop always needs so many iterations"),
    "keeps_between_calls": Misconception("a result belongs to the call that made it"),
    "stored_again": Misconception("a store costs no more than a variable"),
    "work_repeated": Misconception("every thread does the work of all"),
    "fixed_room": Misconception("arrays never get longer than this"),
    "launch_too_large": Misconception(
        "more threads than a block may have",
        "A block has at most 1,024 threads; the launch is kernel[blocks, threads].",
    ),
    "grid_does_not_fit": Misconception(
        "blocks that have not started can be waited for",
        "Launch no more blocks than the GPU holds at once, and let each thread do several elements in a loop.",
    ),
    # what memory holds
    "uninitialised_read": Misconception(
        "memory starts with zeros",
        "Give every element a value before reading it; shared memory starts with whatever was there.",
    ),
    "output_accumulates": Misconception("an output starts with zeros"),
    "output_not_written": Misconception("the result is never stored"),
    "store_not_reached": Misconception("a condition that is false for some sizes"),
    "input_changed": Misconception("inputs may be written to", "Inputs are read-only here: write to the output."),
    "shared_shape": Misconception("a shared array's shape is known only at run time"),
    "dynamic_shared_size": Misconception(
        "a dynamic shared array has room by itself",
        "Write the number of elements as its shape, or let the launch give it bytes.",
    ),
    "dynamic_shared_alias": Misconception("two dynamic shared arrays lie one after the other"),
    "not_optimised": Misconception("a kernel that NVVM cannot optimise, by a fault of its own"),
    "strided_argument": Misconception("an argument whose elements are not neighbours"),
    "changed_constant": Misconception("a kernel sees a changed constant"),
    # arithmetic and language
    "wrong_formula": Misconception("another formula"),
    "nan_by_arithmetic": Misconception("a value times 0 does not count"),
    "a_step_off": Misconception("a step of the formula is missing or the wrong way round"),
    "placeholder_stored": Misconception("a sign for nothing found is a result"),
    "part_left_out": Misconception("a part of the formula is left out"),
    "value_for_bits": Misconception("a number and its bits are the same"),
    "narrow_type": Misconception("every type holds every number"),
    "rounding": Misconception("the order of additions makes no difference"),
    "zero_is_special": Misconception("numbers that are 0 need no work"),
    "zero_added": Misconception("adding 0 changes nothing"),
    "nan_compared": Misconception("NaN is larger or smaller than a number"),
    "infinity_left_out": Misconception("a term with the factor 0 may be left out"),
    "float64_arithmetic": Misconception("double precision by accident"),
    "int64_arithmetic": Misconception("64-bit integers by accident"),
    "parameter_order": Misconception("parameters are matched by their names"),
    "whole_array_reduction": Misconception("a NumPy reduction inside a kernel"),
    "returns_value": Misconception("a kernel returns its result"),
    "wrong_return": Misconception("a host function returns something else"),
    "not_compiled": Misconception("Python that numba cannot compile"),
    "compiler_fault": Misconception("any compiler gives the same results"),
    "silent_exception": Misconception("an exception in a kernel is heard"),
    "infinite_loop": Misconception(
        "a loop that never ends", "Check that something the condition reads changes on every iteration."
    ),
    # what it costs
    "shared_limit": Misconception("more shared memory than a block may have"),
    "register_spill": Misconception("more registers than a thread can have"),
    "local_memory": Misconception("a local array stays in registers"),
    "byte_loads": Misconception("loads of single bytes"),
    "too_many_launches": Misconception("a launch more costs nothing"),
    # how it ended
    "exception": Misconception("it raised an exception"),
    "crash": Misconception("its process died"),
    "not_loaded": Misconception("the source fails before anything is checked"),
    "unsupported": Misconception("not understood by the interpreter"),
    "not_taken": Misconception("more in a cell than is read in class"),
    "nothing_on_device": Misconception("the host does the work"),
    "computed_on_the_host": Misconception("the result is computed on the host"),
    "looked_at_much": Misconception("a host function reads whole results"),
}


def behind(kind: str) -> str:
    """The misconception behind a kind of cause where nothing points to a more particular one."""
    known = KINDS.get(kind)
    return known.misconception if known else kind


def title_of_kind(kind: str) -> str:
    """What a verdict calls a kind of cause."""
    known = KINDS.get(kind)
    return known.title if known else kind.replace("_", " ").capitalize()


def remedy_for(misconception: str) -> str:
    """One thing to do; "" for a unit's own misconception, and where it depends on what was found."""
    known = MISCONCEPTIONS.get(misconception)
    return known.remedy if known else ""


def title_of(misconception: str) -> str:
    """A misconception in words, as a table of a class shows it; a unit's own key reads as it is."""
    known = MISCONCEPTIONS.get(misconception)
    return known.title if known else misconception.replace("_", " ")


def is_of_order(kind: str) -> bool:
    """Whether a kind of cause says that an order is missing, so that no right result counts."""
    return kind in KINDS and KINDS[kind].by_order


def rank(kind: str) -> int:
    """Where causes of a kind stand in a verdict: 0 explains most."""
    kinds = list(KINDS)
    return kinds.index(kind) if kind in KINDS else len(kinds)
