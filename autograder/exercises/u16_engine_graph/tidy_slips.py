"""Wrong results of unit 16's clean_graph that betray their cause."""

from __future__ import annotations

from autograder.contract import Slip, Values
from autograder.exercises.common_slips import but_for
from autograder.exercises.u16_engine_graph.tidy_values import RIGHT, RUNS, STORED, cleaned

without = but_for(cleaned, RIGHT)


def fate_of_all(values: Values) -> dict:
    """What is left, but no difference made between what is stored and what runs."""
    right = cleaned(values)
    return {**right, "fate": right["fate"].clip(0, 1) * RUNS}


def returned_the_other_way_round(values: Values) -> dict:
    right = cleaned(values)
    return {"stands_for": right["fate"], "fate": right["stands_for"]}


def exchanged(values: Values) -> dict:
    right = cleaned(values)
    swap = {STORED: RUNS, RUNS: STORED}
    return {**right, "fate": [swap.get(int(one), 0) for one in right["fate"]]}


CLEAN = (
    without(
        "identity_kept",
        "an identity stands for itself: it changes nothing, so it should stand for its operand",
        identities=False,
    ),
    without(
        "second_relu_kept",
        "the ReLU of a ReLU stands for itself: nothing below 0 is left for it, so it should stand for the first one",
        second_relus=False,
    ),
    without(
        "every_relu_dropped",
        "every ReLU stands for its operand: only the ReLU of a ReLU changes nothing",
        all_relus=True,
    ),
    without(
        "twins_kept",
        "layers that are there twice are both kept: a row like an earlier one should stand for that one",
        twins=False,
    ),
    without(
        "compared_too_early",
        "rows are compared with the operands of the table: two layers that read twins are twins only once the operands "
        "are replaced",
        operands_first=False,
    ),
    without(
        "relu_of_table",
        "a ReLU's operand is looked up as the table has it: after an identity it may be a ReLU all the same, so ask "
        "for the kind of what it stands for",
        relus_by_table=True,
    ),
    without(
        "one_step_only",
        "a layer stands for one that stands for yet another: ask what the operand stands for",
        chains=False,
    ),
    without(
        "operands_not_compared",
        "layers of one kind are taken for twins although they read different results: operands belong to the row, too",
        operands_in_key=False,
    ),
    without(
        "weights_not_compared",
        "layers with different weights are taken for twins: the array's number belongs to the row, too",
        weights_in_key=False,
    ),
    without(
        "nothing_folded",
        "a layer that reads only constants runs every time: no input changes it, so it should be stored, with fate 1",
        folds=False,
    ),
    without(
        "one_constant_is_enough",
        "layers with one constant operand are taken for constants: all operands have to be",
        one_constant=True,
    ),
    without(
        "folded_still_reads",
        "operands of a stored layer are kept: once it is worked out, nobody reads them any more",
        behind_folded=False,
    ),
    without(
        "dead_kept",
        "layers that lead to no output are kept: go backwards from the output, and keep what is read",
        dead=False,
    ),
    without(
        "output_not_replaced",
        "the output itself was not replaced: it may stand for another layer, and that one is needed",
        output_replaced=False,
    ),
    without(
        "replaced_ones_needed",
        "layers that others stand in for are kept: of what a layer reads, keep what its operands stand for",
        operands_replaced=False,
    ),
    without(
        "input_folded",
        "the input is taken for a constant, and everything is stored: the input changes from run to run",
        input_varies=False,
    ),
    Slip(
        "nothing_folded",
        "constants run like layers: what no input changes should be stored, fate 1",
        fate_of_all,
    ),
    Slip(
        "results_exchanged",
        "the two results are exchanged: stands_for comes first, and fate second",
        returned_the_other_way_round,
    ),
    Slip("fates_exchanged", "what is stored and what runs are exchanged: 1 is stored, 2 runs", exchanged),
)
