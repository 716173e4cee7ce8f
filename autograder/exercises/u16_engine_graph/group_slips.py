"""Wrong results of unit 16's fuse_groups that betray their cause."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.common_slips import but_for
from autograder.exercises.u16_engine_graph.group_values import RIGHT, grouped

without = but_for(grouped, RIGHT)


def counted(values: Values) -> dict:
    """Kernels are numbered 0, 1, 2, ... in place of being named by their first layer."""
    kernel = grouped(values)["kernel"]
    made = np.unique(kernel[kernel >= 0])
    return {"kernel": np.where(kernel >= 0, np.searchsorted(made, kernel), -1)}


GROUPS = (
    without(
        "two_readers",
        "a layer joins one that others read, too: nobody would store the result that they wait for",
        readers=False,
    ),
    without(
        "two_readers",
        "a layer joins one that has two readers: nobody would store the result that the other one waits for",
        most_readers=2,
    ),
    without(
        "output_fused",
        "outputs begin kernels of their own: ask whether the operand is an output, since that is where a kernel ends",
        own_outputs=True,
    ),
    without(
        "windows_fused",
        "pooling joins the kernel of its operand: a window needs elements that other threads make",
        pooling=True,
    ),
    without(
        "output_fused",
        "a layer joins an output of the network: an output has to be stored, so its kernel ends there",
        outputs=False,
    ),
    without(
        "two_readers",
        "a layer joins an output, or one that others read, too: both have to be stored, so their kernel ends there",
        readers=False,
        outputs=False,
    ),
    without(
        "windows_fused",
        "convolutions and pooling join the kernel of their operand: a window needs elements that other threads make",
        element_wise_alone=False,
    ),
    without("sums_apart", "sums have kernels of their own: an addition works on single elements, too", sums=False),
    without(
        "first_operand_alone",
        "sums join the kernel of their first operand alone: where that cannot be, the second one may do",
        both_operands=False,
    ),
    without(
        "second_operand_first",
        "sums join the kernel of their second operand although the first would do",
        first_before_second=False,
    ),
    without(
        "named_by_operand",
        "a kernel is named by the layer before, not by its first: take the kernel that the operand has",
        whole_chain=False,
    ),
    without(
        "given_has_a_kernel",
        "input and constants have kernels: nothing has to be launched for what is given, so it is -1",
        given_apart=False,
    ),
    Slip("kernels_counted", "kernels are counted: each is named by its first layer, 0, 1, 5 and so on", counted),
)
