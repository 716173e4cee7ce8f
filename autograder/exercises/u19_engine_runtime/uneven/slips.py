"""Wrong results of unit 19's batch_uneven that betray their cause."""

from __future__ import annotations

from autograder.exercises.common_slips import but_for
from autograder.exercises.u19_engine_runtime.uneven.values import RIGHT, batched

without = but_for(batched, RIGHT)


UNEVEN = (
    without(
        "padding_counts", "the mask calls padding real: a row's own elements are those before its length", mask="all"
    ),
    without(
        "zeros_masked",
        "the mask leaves out every 0, and some are real: whether an element is real, its place says, not its value",
        mask="other than 0",
    ),
    without(
        "one_too_many",
        "the mask has one element too many in each row: places count from 0, so the last real one is length - 1",
        mask="one more",
    ),
    without(
        "padded_in_front",
        "padding stands before the sequences: they begin at place 0, and padding follows",
        behind=False,
    ),
    without(
        "longest_for_all",
        "every batch is padded to the largest length: short sequences have buckets of their own",
        buckets=False,
    ),
    without(
        "as_they_came",
        "batches are made as sequences come, and one long one pads all others: sort them into buckets first",
        sorted=False,
    ),
    without(
        "next_bucket",
        "a sequence exactly as long as a bucket went into the next one: it fits without padding",
        inclusive=False,
    ),
    without("one_by_one", "each sequence runs alone: a batch takes up to engine.most of one bucket", many=False),
    without(
        "rest_left_out", "sequences that do not fill a batch were never run: the last batch may be smaller", rest=False
    ),
    without("cut_off", "sequences that are too long were cut and run: their answer is -1", refuses=False),
    without(
        "in_order_of_batches",
        "answers stand in the order of the batches: each belongs to the sequence that it was made of",
        in_order=False,
    ),
)
